//! Definitions of single flows: with state, by a call, or an expression; in a
//! finite program, one whose numbers have bounds.

use crate::generate::world::{Ty, number};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

impl Writer<'_> {
    /// The definition of a flow.
    pub fn definition(&mut self, name: &str, ty: Ty, at: Place) -> Expr {
        if self.temporal() && self.dice.chance(30) {
            return self.with_state(name, ty, at);
        }
        if self.dice.chance(42)
            && let Some(call) = self.call(&[ty], at)
        {
            return call;
        }
        match ty {
            Ty::Int | Ty::Range(_) if self.finite() => self.bounded(ty, at),
            Ty::Real if self.finite() => Expr::prefix("real", self.bounded(Ty::Int, at.deeper())),
            _ => self.expr(ty, at),
        }
    }

    /// An integer between fixed bounds, whatever flows it is made of.
    fn bounded(&mut self, ty: Ty, at: Place) -> Expr {
        let (low, high) = match ty {
            Ty::Range(i) if self.dice.chance(85) => self.world.ranges[i],
            _ => (self.dice.between(-1, 0), self.dice.between(1, 3)),
        };
        match self.dice.below(4) {
            0 => {
                let whole = self.expr(Ty::Int, at.deeper());
                let rest = Expr::infix(whole, "mod", number(high - low + 1));
                if low == 0 { rest } else { Expr::infix(rest, "+", number(low)) }
            }
            1 => {
                let whole = self.expr(Ty::Int, Place { depth: at.depth.min(2), ..at }.deeper());
                let above = Expr::infix(whole.clone(), ">", number(high));
                let below = Expr::infix(whole.clone(), "<", number(low));
                Expr::cond(above, number(high), Expr::cond(below, number(low), whole))
            }
            2 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let (a, b) = (self.leaf(ty, at), self.leaf(ty, at));
                Expr::cond(condition, a, b)
            }
            _ => match self.call(&[ty], at) {
                Some(call) => call,
                None => self.leaf(ty, at),
            },
        }
    }
}
