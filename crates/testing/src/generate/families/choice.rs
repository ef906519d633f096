//! `if c then a else b`, `case e of …`, `any@<t>`, a polymorphic node and one with static parameters, of any type.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[
    Production { weight: 3, feature: None, write: choice },
    Production { weight: 1, feature: Some(Feature::Enumerations), write: case },
    Production { weight: 1, feature: Some(Feature::Arbitrary), write: arbitrary },
    Production { weight: 1, feature: Some(Feature::Polymorphic), write: polymorphic },
    Production { weight: 1, feature: Some(Feature::Statics), write: later },
];

fn choice(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let condition = writer.expr(Ty::Bool, at.deeper());
    let (a, b) = (writer.expr(ty, at.deeper()), writer.expr(ty, at.deeper()));
    Expr::cond(condition, a, b)
}

/// A choice by the value of an enumeration, all of whose branches take every step.
fn case(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let known = writer.flows[..at.known].iter().filter_map(|(name, ty)| match ty {
        Ty::Enum(i) => Some((name.clone(), *i)),
        _ => None,
    });
    let known: Vec<(String, usize)> = known.collect();
    if known.is_empty() {
        return choice(writer, ty, at);
    }
    let (name, i) = writer.dice.pick(&known).clone();
    let mut values = writer.world.enums[i].clone();
    if writer.dice.chance(30) {
        values.pop();
        values.push("_".into());
    }
    let arms = values.into_iter().map(|value| (value, writer.expr(ty, at.deeper()))).collect();
    Expr::Case(Box::new(Expr::leaf(name)), arms)
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
