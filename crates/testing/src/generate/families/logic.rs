//! Truth values: connectives, comparisons, "at most one".

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write a truth value.
pub const BOOL: &[Production] = &[
    Production { weight: 2, feature: None, write: negation },
    Production { weight: 5, feature: None, write: connective },
    Production { weight: 2, feature: Some(Feature::Clocks), write: lazy },
    Production { weight: 4, feature: None, write: comparison },
    Production { weight: 1, feature: None, write: at_most_one },
];

fn negation(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    Expr::prefix("not", writer.expr(Ty::Bool, at.deeper()))
}

fn connective(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let op = *writer.dice.pick(&["and", "or", "xor", "=>", "=", "<>"]);
    let left = writer.expr(Ty::Bool, at.deeper());
    Expr::infix(left, op, writer.expr(Ty::Bool, at.deeper()))
}

/// The right side takes steps of its own, and the first of them may come later.
fn lazy(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let op = *writer.dice.pick(&["and then", "or else", "==>"]);
    let left = writer.expr(Ty::Bool, at.deeper());
    let inside = Place { guarded: false, ..at.deeper() };
    let right = writer.expr(Ty::Bool, inside);
    Expr::infix(left, op, right)
}

fn comparison(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let ty = match writer.world.any(writer.dice) {
        Ty::Bool => Ty::Int,
        other => other,
    };
    let ops: &[&'static str] = match ty {
        Ty::Enum(_) | Ty::Structure(_) => &["=", "<>"],
        _ => &["=", "<>", "<", "<=", ">", ">="],
    };
    let op: &'static str = writer.dice.pick::<&str>(ops);
    let left = writer.expr(ty, at.deeper());
    Expr::infix(left, op, writer.expr(ty, at.deeper()))
}

fn at_most_one(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let count = writer.dice.weighted(&[0, 1, 3, 3]);
    Expr::AtMostOne((0..count).map(|_| writer.expr(Ty::Bool, at.deeper())).collect())
}
