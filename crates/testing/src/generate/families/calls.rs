//! Calls of nodes and functions of a smaller rank.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::{Signature, Ty};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[Production { weight: 4, feature: None, write: call_or_leaf }];

fn call_or_leaf(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    match writer.call(&[ty], at) {
        Some(call) => call,
        None => writer.leaf(ty, at),
    }
}

impl Writer<'_> {
    /// A call whose outputs have these types, if there is one.
    pub fn call(&mut self, types: &[Ty], at: Place) -> Option<Expr> {
        let fits = |node: &&Signature| {
            (node.is_function || !self.is_function)
                && node.outputs.len() == types.len()
                && types.iter().zip(&node.outputs).all(|(want, have)| want.takes(*have))
        };
        let nodes: Vec<&Signature> = self.world.nodes.iter().filter(fits).collect();
        if nodes.is_empty() || self.calls == 0 || !self.has(Feature::Calls) {
            return None;
        }
        self.calls -= 1;
        let node = *self.dice.pick(&nodes);
        // Arguments of a call that delays may use flows that depend on it.
        let known = if node.delays { self.flows.len() } else { at.known };
        let inside = Place { known, guarded: false, ..at.deeper() };
        if node.inputs.len() > 1
            && self.has(Feature::Tuples)
            && self.dice.chance(15)
            && let Some(all) = self.call(&node.inputs, inside)
        {
            return Some(Expr::Call(node.name.clone(), vec![all]));
        }
        let args = node.inputs.iter().map(|ty| self.expr(*ty, inside)).collect();
        Some(Expr::Call(node.name.clone(), args))
    }
}
