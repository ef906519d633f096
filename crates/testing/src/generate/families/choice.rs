//! `if c then a else b`, `any@<t>` and a polymorphic node, of any type.

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
