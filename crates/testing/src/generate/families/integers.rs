//! Integers: sums, products that stay small, division, rounded reals.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::{Ty, number};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an integer.
pub const INT: &[Production] = &[
    Production { weight: 6, feature: None, write: sum },
    Production { weight: 2, feature: None, write: product },
    Production { weight: 2, feature: None, write: |writer, _, at| division(writer, "div", at) },
    Production { weight: 2, feature: None, write: |writer, _, at| division(writer, "mod", at) },
    Production { weight: 1, feature: None, write: negative },
    Production { weight: 1, feature: Some(Feature::Reals), write: rounded },
];

fn sum(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let left = writer.expr(Ty::Int, at.deeper());
    let op = *writer.dice.pick(&["+", "-"]);
    Expr::infix(left, op, writer.expr(Ty::Int, at.deeper()))
}

fn product(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let left = writer.expr(Ty::Int, at.deeper());
    let factor = writer.small_integer(at);
    if writer.dice.chance(50) {
        Expr::infix(left, "*", factor)
    } else {
        Expr::infix(factor, "*", left)
    }
}

/// A finite program never divides by zero.
fn division(writer: &mut Writer<'_>, op: &'static str, at: Place) -> Expr {
    let left = writer.expr(Ty::Int, at.deeper());
    let divisor = if writer.finite() || writer.dice.chance(40) {
        number(*writer.dice.pick(&[2, 3, 4, -2, -3]))
    } else {
        writer.expr(Ty::Int, at.deeper())
    };
    Expr::infix(left, op, divisor)
}

fn negative(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    Expr::prefix("-", writer.expr(Ty::Int, at.deeper()))
}

fn rounded(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let real = writer.expr(Ty::Real, at.deeper());
    if writer.dice.chance(50) {
        Expr::prefix("int", real)
    } else {
        Expr::Call("floor".into(), vec![real])
    }
}

impl Writer<'_> {
    /// An integer that stays small, so that products do not grow without end.
    pub fn small_integer(&mut self, at: Place) -> Expr {
        match self.dice.below(3) {
            0 if !self.finite() => {
                let whole = self.expr(Ty::Int, at.deeper());
                Expr::infix(whole, "mod", number(self.dice.between(2, 5)))
            }
            1 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let low = number(self.dice.between(-2, 0));
                Expr::cond(condition, low, number(self.dice.between(0, 3)))
            }
            _ => number(self.dice.between(-3, 4)),
        }
    }
}
