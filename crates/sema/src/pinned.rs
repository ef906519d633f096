//! Free constants that are sizes of arrays, `const n: int; node f(a: int^n) …`. Types are
//! known before the program runs, so such a constant is given values: the program is read
//! once for each of them, as if the text said `const n: int = 3;`, so that the constant is
//! the same number wherever it is named. What depends on it is then in the program once for
//! each value, `f<<n = 3>>`, as nodes are that have constant inputs; what does not depend on
//! it is there once. Where there is no end of values, the first few are tried, and
//! `Node::only` says so.

use std::sync::Arc;

use lustral_syntax::ast::{self, Declaration};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{SourceMap, reached};

use crate::analysis::{NodeState, Reading, read};
use crate::program::{ConstId, ExprId, ExprKind, Exprs, Node, NodeId, Program};
use crate::resolve::{but_not, shown, values_of_constants};
use crate::types::Value;

/// A constant that is given a value: its name, and the value.
type Pin = (Arc<str>, Value);

/// Reads a program, for each value of the constants that are sizes.
pub(crate) fn read_all(sources: &SourceMap, ast: &ast::Program) -> Reading {
    let plain = read(sources, ast);
    let sizes: Vec<ConstId> = plain.env.sizes.borrow().iter().copied().collect();
    if sizes.is_empty() {
        return plain;
    }
    let known = (&plain.env, &plain.program);
    let Some(values) = values_of_constants(sources, known, &sizes) else { return plain };
    let names: Vec<Arc<str>> =
        sizes.iter().map(|id| plain.program.consts[id.index()].name.clone()).collect();
    let mut readings = Vec::new();
    for list in &values.lists {
        let pins: Option<Vec<Pin>> =
            names.iter().zip(list).map(|(n, v)| Some((n.clone(), v.clone()?))).collect();
        let Some(pins) = pins else { return plain };
        let reading = read(sources, &with_values(ast, &pins));
        if !is_refused(&reading, &names) {
            readings.push((pins, reading));
        }
    }
    let is_size = |d: &Declaration| matches!(d, Declaration::Const(c) if c.value.is_none() && names.contains(&c.name.name));
    let depends = reached(ast, is_size).into_iter().map(|sizes| !sizes.is_empty());
    let nodes = ast.declarations().zip(depends).filter_map(|((_, declaration), depends)| {
        matches!(declaration, Declaration::Node(_)).then_some(depends)
    });
    let only = values.only.map(|only| without_wrong(&mut readings, &only));
    merge(readings, &nodes.collect::<Vec<bool>>(), only.as_ref()).unwrap_or(plain)
}

/// A program in which free constants have values.
fn with_values(ast: &ast::Program, pins: &[Pin]) -> ast::Program {
    let mut result = ast.clone();
    for tree in &mut result.trees {
        let is_pinned = |d: &Declaration| match d {
            Declaration::Const(c) => c.value.is_none() && pins.iter().any(|p| p.0 == c.name.name),
            _ => false,
        };
        if !tree.declarations.iter().any(is_pinned) {
            continue;
        }
        let tree = Arc::make_mut(tree);
        for declaration in &mut tree.declarations {
            let Declaration::Const(constant) = declaration else { continue };
            let pin = pins.iter().find(|(name, _)| *name == constant.name.name);
            if let (None, Some((_, Value::Int(value)))) = (constant.value, pin) {
                let literal = ast::ExprKind::Int(value.to_string().into());
                constant.value = Some(tree.exprs.push(literal, constant.name.span));
            }
        }
    }
    result
}

/// Whether the type of a constant does not have the value that it was given.
fn is_refused(reading: &Reading, names: &[Arc<str>]) -> bool {
    let of_size = |span| {
        let mut consts = reading.env.values.iter().filter(|(name, _)| names.contains(name));
        consts.any(|(_, declared)| declared.span == span)
    };
    let mut all = reading.diagnostics.iter();
    all.any(|d| d.code == Code::Type && of_size(d.primary.span))
}

/// Leaves out the values for which the program has an error, if there are others: where there
/// is no end of values, these are not tried. Says which are.
fn without_wrong(readings: &mut Vec<(Vec<Pin>, Reading)>, only: &Arc<str>) -> Arc<str> {
    let is_wrong = |reading: &Reading| reading.diagnostics.has_errors();
    if readings.iter().all(|(_, reading)| is_wrong(reading)) {
        return only.clone();
    }
    let mut refused = Vec::new();
    readings.retain(|(pins, reading)| {
        if is_wrong(reading) {
            let values: Vec<String> = pins.iter().map(|(name, value)| shown(name, value)).collect();
            refused.push(values.join(" with "));
        }
        !is_wrong(reading)
    });
    but_not(only, &refused)
}

/// One program of several readings of the same text.
fn merge(
    readings: Vec<(Vec<Pin>, Reading)>,
    depends: &[bool],
    only: Option<&Arc<str>>,
) -> Option<Reading> {
    let first = readings.first()?.1.clone();
    let mut result = first;
    let last = result.program.nodes.len();
    for (position, (pins, reading)) in readings.iter().enumerate() {
        // All readings have the same tables of types and constants, but for the values.
        let consts = if position == 0 {
            0
        } else {
            result.diagnostics.push_new(&reading.diagnostics);
            result.dropped.extend_from_slice(&reading.dropped);
            append_constants(&mut result.program, &reading.program)
        };
        let label: Vec<String> = pins.iter().map(|(name, value)| shown(name, value)).collect();
        let copied = copied(&reading.program.nodes, depends);
        let start = result.program.nodes.len() as u32;
        let places: Vec<(usize, NodeId)> = copied.into_iter().zip((start..).map(NodeId)).collect();
        for (old, _) in &places {
            let mut node = reading.program.nodes[*old].clone();
            let moved = |id: NodeId| {
                let known = places.iter().find(|(old, _)| *old == id.index());
                known.map_or(id, |(_, new)| *new)
            };
            node.calls.iter_mut().for_each(|call| call.callee = moved(call.callee));
            node.stands_for = node.stands_for.map(moved);
            if *old < depends.len() {
                node.of = Some(NodeId(*old as u32));
                node.for_all = true;
            }
            node.name = named(&node.name, &label.join(", ")).into();
            node.only = match (node.only.take(), only) {
                (Some(own), Some(only)) => Some(format!("{own}, {only}").into()),
                (own, only) => own.or_else(|| only.cloned()),
            };
            move_constants(&mut node.exprs, consts);
            move_constants(&mut node.candidates.exprs, consts);
            result.program.nodes.push(node);
            result.states.push(reading.states[*old].clone());
        }
    }
    // What depends on the sizes is nothing without them.
    for node in result.program.nodes.iter_mut().take(last) {
        node.for_all &= !node.of.is_some_and(|base| depends[base.index()]);
    }
    let declared = result.program.nodes.iter_mut().zip(&mut result.states).zip(depends);
    for ((node, state), _) in declared.filter(|(_, depends)| **depends) {
        node.template = true;
        *state = NodeState { broken: true, ..state.clone() };
    }
    Some(result)
}

/// Adds the constants of another program, and says by how much their numbers are others.
fn append_constants(program: &mut Program, other: &Program) -> u32 {
    let consts = program.consts.len() as u32;
    let exprs = program.const_exprs.len() as u32;
    for (_, expr) in other.const_exprs.iter() {
        let kind = match expr.kind {
            ExprKind::Const(id) => ExprKind::Const(ConstId(id.0 + consts)),
            ref kind => kind.with_operands(|operand| ExprId(operand.0 + exprs)),
        };
        program.const_exprs.push(kind, expr.ty.clone(), expr.span);
    }
    program.consts.extend(other.consts.iter().map(|constant| {
        let expr = constant.expr.map(|expr| ExprId(expr.0 + exprs));
        crate::program::Constant { expr, ..constant.clone() }
    }));
    consts
}

fn move_constants(exprs: &mut Exprs, by: u32) {
    exprs.map_constants(|id| ConstId(id.0 + by));
}

/// The nodes that depend on the sizes, and those made for values that these call.
fn copied(nodes: &[Node], depends: &[bool]) -> Vec<usize> {
    let own = |i: usize| depends.get(i).is_none_or(|depends| *depends);
    let mut found = vec![false; nodes.len()];
    let made = |i: &usize| {
        let base = nodes[*i].of.is_some_and(|base| depends[base.index()]);
        if *i < depends.len() { depends[*i] } else { nodes[*i].for_all && base }
    };
    let mut stack: Vec<usize> = (0..nodes.len()).filter(made).collect();
    while let Some(i) = stack.pop() {
        if !std::mem::replace(&mut found[i], true) {
            let callees = nodes[i].calls.iter().map(|call| call.callee.index());
            stack.extend(
                callees.chain(nodes[i].stands_for.map(|id| id.index())).filter(|i| own(*i)),
            );
        }
    }
    (0..nodes.len()).filter(|i| found[*i]).collect()
}

/// The name of a node for values of constants.
fn named(name: &str, label: &str) -> String {
    match name.strip_suffix(">>") {
        Some(begin) => format!("{begin}, {label}>>"),
        None => format!("{name}<<{label}>>"),
    }
}
