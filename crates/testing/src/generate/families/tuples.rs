//! Definitions of several flows at once.

use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

impl Writer<'_> {
    /// The definitions of several flows at once.
    pub fn tuple(&mut self, flows: &[(String, Ty)], at: Place) -> Expr {
        let types: Vec<Ty> = flows.iter().map(|(_, ty)| *ty).collect();
        if self.dice.chance(50)
            && let Some(call) = self.call(&types, at)
        {
            return call;
        }
        let forms = if at.depth == 0 || !self.temporal() { 1 } else { 5 };
        // Under a delay the first values are arbitrary: of numbers too.
        let number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Real | Ty::Range(_));
        let free = self.finite() && !at.guarded && types.iter().any(number);
        match self.dice.below(forms) {
            1 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let then = self.tuple(flows, at.deeper());
                Expr::cond(condition, then, self.tuple(flows, at.deeper()))
            }
            2 => {
                let first = self.tuple(flows, at.deeper());
                let later = self.tuple(flows, Place { guarded: true, ..at.deeper() });
                Expr::infix(first, "->", later)
            }
            3 => {
                let first = self.tuple(flows, at.deeper());
                Expr::infix(first, "fby", self.tuple(flows, self.delayed(at)))
            }
            4 if !free => Expr::prefix("pre", self.tuple(flows, self.delayed(at))),
            _ => {
                let one = |(name, ty): &(String, Ty)| self.definition(name, *ty, at.deeper());
                Expr::Tuple(flows.iter().map(one).collect())
            }
        }
    }
}
