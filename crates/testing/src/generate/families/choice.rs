//! `if c then a else b`, of any type.

use super::Production;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[Production { weight: 3, feature: None, write: choice }];

fn choice(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let condition = writer.expr(Ty::Bool, at.deeper());
    let (a, b) = (writer.expr(ty, at.deeper()), writer.expr(ty, at.deeper()));
    Expr::cond(condition, a, b)
}
