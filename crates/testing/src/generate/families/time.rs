//! What lies in the past: `->`, `pre`, `fby`, of any type.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[
    Production { weight: 3, feature: Some(Feature::Time), write: arrow },
    Production { weight: 3, feature: Some(Feature::Time), write: pre },
    Production { weight: 2, feature: Some(Feature::Time), write: fby },
];

fn arrow(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let first = writer.expr(ty, at.deeper());
    let later = writer.expr(ty, Place { guarded: true, ..at.deeper() });
    Expr::infix(first, "->", later)
}

/// `pre e`. A finite program leaves no arbitrary number: it is guarded, or
/// its operand has bounds.
fn pre(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let number = matches!(ty, Ty::Int | Ty::Real | Ty::Range(_));
    if !writer.finite() || !number || at.guarded {
        return Expr::prefix("pre", writer.expr(ty, writer.delayed(at)));
    }
    let bounded = writer.flows.iter().filter(|(_, t)| matches!(t, Ty::Range(_)));
    let bounded: Vec<&String> = bounded.map(|(name, _)| name).collect();
    if matches!(ty, Ty::Int | Ty::Range(_)) && !bounded.is_empty() && writer.dice.chance(50) {
        let flow = Expr::leaf(writer.dice.pick(&bounded).as_str());
        let once = Expr::prefix("pre", flow);
        return if writer.dice.chance(20) { Expr::prefix("pre", once) } else { once };
    }
    let first = writer.leaf(ty, at);
    let delayed = Expr::prefix("pre", writer.expr(ty, writer.delayed(at)));
    Expr::infix(first, "->", delayed)
}

fn fby(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let first = writer.expr(ty, at.deeper());
    let delayed = writer.expr(ty, writer.delayed(at));
    Expr::infix(first, "fby", delayed)
}
