//! Reals: sums, products and quotients that stay small, converted integers.

use super::Production;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write a real.
pub const REAL: &[Production] = &[
    Production { weight: 4, feature: None, write: sum },
    Production { weight: 2, feature: None, write: product },
    Production { weight: 2, feature: None, write: quotient },
    Production { weight: 1, feature: None, write: negative },
    Production { weight: 4, feature: None, write: converted },
];

fn sum(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let op = *writer.dice.pick(&["+", "-"]);
    let left = writer.expr(Ty::Real, at.deeper());
    Expr::infix(left, op, writer.expr(Ty::Real, at.deeper()))
}

fn product(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let factor = writer.small_real(at);
    Expr::infix(factor, "*", writer.expr(Ty::Real, at.deeper()))
}

/// A finite program never divides by zero.
fn quotient(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let left = writer.expr(Ty::Real, at.deeper());
    let divisor = if writer.finite() { Expr::leaf("2.0") } else { writer.small_real(at) };
    Expr::infix(left, "/", divisor)
}

fn negative(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    Expr::prefix("-", writer.expr(Ty::Real, at.deeper()))
}

fn converted(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    Expr::prefix("real", writer.expr(Ty::Int, at.deeper()))
}

impl Writer<'_> {
    fn small_real(&mut self, at: Place) -> Expr {
        if self.dice.chance(50) {
            return self.world.literal(self.dice, Ty::Real);
        }
        Expr::prefix("real", self.small_integer(at.deeper()))
    }
}
