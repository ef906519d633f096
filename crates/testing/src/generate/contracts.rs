//! Contracts of nodes: ghost flows, assumptions, guarantees, modes.
//!
//! They have dice of their own, so that a program is the same with and without them. Assumptions
//! speak of inputs, and of what was before; all else of inputs, outputs and ghost flows.

use crate::dice::Dice;
use crate::generate::nodes::{assertion, bound};
use crate::generate::world::{Signature, Ty, World};
use crate::generate::writer::{Place, Writer};
use crate::tree::{Clause, Expr, Flow, Item, Node};

/// Gives a node a contract, perhaps.
pub fn add(world: &World, dice: &mut Dice, node: &mut Node, signature: &Signature) {
    // A function without a body and without a contract is one that has no items.
    if !dice.chance(40) || node.items.is_empty() {
        return;
    }
    let names = node.inputs.iter().chain(&node.outputs).map(|flow| flow.name.clone());
    let types = signature.inputs.iter().chain(&signature.outputs).copied();
    let flows: Vec<(String, Ty)> = names.zip(types).collect();
    let inputs = signature.inputs.len();
    let is_function = signature.is_function;
    let mut writer = Writer { world, dice, flows, is_function, calls: 1 };
    let mut clauses = Vec::new();
    let before = Place { depth: 2, known: inputs, guarded: false };
    for i in 0..writer.dice.weighted(&[4, 3, 1]) {
        let expr = assertion(&mut writer, before);
        clauses.push(Clause::Stated("assume", name(&mut writer, "assumption", i), expr));
    }
    if writer.dice.chance(35) {
        let at = Place { depth: 2, known: writer.flows.len(), guarded: false };
        let ghost = ("ghost".to_string(), Ty::Bool);
        let expr = writer.definition(&ghost.0, Ty::Bool, at);
        let flow = Flow { name: ghost.0.clone(), ty: "bool".into() };
        clauses.push(Clause::Ghost(flow, expr));
        writer.flows.push(ghost);
    }
    let at = Place { depth: 2, known: writer.flows.len(), guarded: false };
    for i in 0..writer.dice.weighted(&[2, 4, 2]) {
        let expr = guarantee(&mut writer, at);
        clauses.push(Clause::Stated("guarantee", name(&mut writer, "guarantee", i), expr));
    }
    for i in 0..writer.dice.weighted(&[6, 2, 1]) {
        let require = vec![writer.expr(Ty::Bool, before.deeper())];
        let ensure = vec![guarantee(&mut writer, at)];
        clauses.push(Clause::Mode(format!("mode{i}"), require, ensure));
    }
    writer.dice.shuffle(&mut clauses);
    node.items.extend(clauses.into_iter().map(Item::Clause));
}

fn guarantee(writer: &mut Writer<'_>, at: Place) -> Expr {
    match writer.dice.below(3) {
        0 => bound(writer, at),
        1 => writer.expr(Ty::Bool, at),
        _ => {
            let left = writer.expr(Ty::Bool, at.deeper());
            let op = *writer.dice.pick(&["or", "=>"]);
            Expr::infix(left, op, bound(writer, at))
        }
    }
}

fn name(writer: &mut Writer<'_>, word: &str, i: usize) -> Option<String> {
    writer.dice.chance(50).then(|| format!("{word} {i}"))
}
