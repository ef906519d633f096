//! `if c then a else b`, `any@<t>`, a polymorphic node and one with static parameters, of any type.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[
    Production { weight: 3, feature: None, write: choice },
    Production { weight: 1, feature: Some(Feature::Arbitrary), write: arbitrary },
    Production { weight: 1, feature: Some(Feature::Polymorphic), write: polymorphic },
    Production { weight: 1, feature: Some(Feature::Statics), write: later },
];

fn choice(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let condition = writer.expr(Ty::Bool, at.deeper());
    let (a, b) = (writer.expr(ty, at.deeper()), writer.expr(ty, at.deeper()));
    Expr::cond(condition, a, b)
}

/// An arbitrary value; in a finite program there are none, and functions have none.
fn arbitrary(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    if writer.finite() || writer.is_function {
        return writer.leaf(ty, at);
    }
    Expr::leaf(format!("any@<{}>", writer.world.written(writer.dice, ty)))
}

/// A call of the polymorphic node; functions call no nodes.
fn polymorphic(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    if !writer.world.has_polymorphic || writer.is_function || writer.calls == 0 {
        return writer.leaf(ty, at);
    }
    writer.calls -= 1;
    let inside = Place { guarded: false, ..at.deeper() };
    let (a, b) = (writer.expr(ty, inside), writer.expr(ty, inside));
    Expr::Call("either".into(), vec![a, b])
}

/// A call of the node with static parameters.
fn later(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    if !writer.world.has_statics || writer.is_function || writer.calls == 0 {
        return writer.leaf(ty, at);
    }
    let name = match ty {
        // What holds of its values is no part of a type that is given.
        Ty::Range(_) => "int".to_string(),
        Ty::Structure(_) => return writer.leaf(ty, at),
        ty => writer.world.written(writer.dice, ty),
    };
    writer.calls -= 1;
    let inside = Place { guarded: false, ..at.deeper() };
    let (a, b) = (writer.expr(ty, inside), writer.expr(ty, inside));
    let steps = writer.dice.below(3);
    Expr::Call(format!("later<<{steps}, type {name}>>"), vec![a, b])
}
