//! Machine integers: arithmetic that wraps around, bits, shifts, conversions.

use lustral_base::sort::BitVec;

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write a machine integer.
pub const MACHINE: &[Production] = &[
    Production { weight: 6, feature: Some(Feature::Machine), write: binary },
    Production { weight: 2, feature: Some(Feature::Machine), write: unary },
    Production { weight: 2, feature: Some(Feature::Machine), write: shift },
    Production { weight: 2, feature: Some(Feature::Machine), write: converted },
    Production { weight: 1, feature: Some(Feature::Machine), write: rotated },
];

/// The ways to write an integer.
pub const INT: &[Production] =
    &[Production { weight: 2, feature: Some(Feature::Machine), write: number }];

fn shape(ty: Ty) -> BitVec {
    match ty {
        Ty::Machine(shape) => shape,
        other => unreachable!("no machine integer: {other:?}"),
    }
}

fn convert(to: BitVec, operand: Expr) -> Expr {
    Expr::Convert(to.conversion(), Box::new(operand))
}

/// Nothing is left open by a division by zero, so any program may have one.
fn binary(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let op = *writer.dice.pick(&["+", "+", "-", "*", "div", "mod", "&&", "||"]);
    let left = writer.expr(ty, at.deeper());
    Expr::infix(left, op, writer.expr(ty, at.deeper()))
}

fn unary(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let op = *writer.dice.pick(&["-", "!"]);
    Expr::prefix(op, writer.expr(ty, at.deeper()))
}

fn shift(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let op = *writer.dice.pick(&["lsh", "rsh"]);
    let word = writer.expr(ty, at.deeper());
    let amount = if shape(ty).is_signed() || writer.dice.chance(40) {
        let unsigned = BitVec::unsigned(shape(ty).width());
        convert(unsigned, writer.expr(Ty::Int, at.deeper()))
    } else {
        writer.expr(ty, at.deeper())
    };
    Expr::infix(word, op, amount)
}

/// From an integer, or from machine integers with as much of a sign.
fn converted(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let to = shape(ty);
    let from = *writer.dice.pick(&writer.world.machines);
    let alike = from.is_signed() == to.is_signed() && writer.dice.chance(60);
    let of = if alike { Ty::Machine(from) } else { Ty::Int };
    let operand = writer.expr(of, at.deeper());
    convert(to, operand)
}

/// The bits of a word, those below some place before the others.
fn rotated(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let width = shape(ty).width();
    if shape(ty).is_signed() || width == 1 {
        return unary(writer, ty, at);
    }
    let word = writer.leaf(ty, at);
    let place = writer.dice.between(1, i64::from(width) - 1) as u16;
    let low = Expr::Bits(Box::new(word.clone()), place - 1, 0);
    Expr::infix(low, "++", Expr::Bits(Box::new(word), width - 1, place))
}

fn number(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    if writer.world.machines.is_empty() {
        return writer.leaf(ty, at);
    }
    let from = *writer.dice.pick(&writer.world.machines);
    Expr::prefix("int", writer.expr(Ty::Machine(from), at.deeper()))
}

impl Writer<'_> {
    /// What a machine integer does with its past.
    pub fn word_with_state(&mut self, ty: Ty, past: Expr, at: Place) -> (Expr, Expr) {
        let op = *self.dice.pick(&["+", "-", "*", "&&", "||"]);
        let step = if self.dice.chance(50) {
            convert(shape(ty), Expr::leaf("1"))
        } else {
            self.expr(ty, at.deeper())
        };
        let mut later = Expr::infix(past.clone(), op, step);
        if self.dice.chance(40) {
            let event = self.expr(Ty::Bool, at.deeper());
            later = Expr::cond(event, later, past);
        }
        (self.leaf(ty, at), later)
    }
}
