//! Slower clocks: calls that run at times and begin anew, sampled flows, and what makes
//! flows of every step of them.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::{Activation, Expr};

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[
    Production { weight: 3, feature: Some(Feature::Clocks), write: condact },
    Production { weight: 2, feature: Some(Feature::Clocks), write: restart },
    Production { weight: 2, feature: Some(Feature::Clocks), write: merge },
    Production { weight: 1, feature: Some(Feature::Clocks), write: current },
];

/// A flow that says when others are sampled: how that is written, and the branches that
/// a `merge` on it has.
struct Clock {
    name: String,
    /// Each with what stands behind `when`.
    cases: Vec<(String, String)>,
}

fn condact(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let Some(Expr::Call(node, args)) = writer.call(&[ty], at) else { return writer.leaf(ty, at) };
    let clock = Some(writer.expr(Ty::Bool, at.deeper()));
    let default = Some(writer.expr(ty, at.deeper()));
    let reset = writer.dice.chance(30).then(|| writer.expr(Ty::Bool, at.deeper()));
    Expr::Activated(node, args, Box::new(Activation { clock, default, reset }))
}

fn restart(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let Some(Expr::Call(node, args)) = writer.call(&[ty], at) else { return writer.leaf(ty, at) };
    let reset = Some(writer.expr(Ty::Bool, at.deeper()));
    Expr::Activated(node, args, Box::new(Activation { clock: None, default: None, reset }))
}

fn merge(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let Some(clock) = writer.clock(at) else { return writer.leaf(ty, at) };
    let branch = |(case, when): &(String, String)| {
        let value = match writer.sampled(ty, &clock.name, when, at.deeper()) {
            // As Kind 2 has it, too: by the name of a flow of every step.
            Expr::When(flow, _) if case == "false" && matches!(*flow, Expr::Leaf(_)) => *flow,
            value => value,
        };
        (case.clone(), value)
    };
    let branches = clock.cases.iter().map(branch).collect();
    Expr::Merge(clock.name.clone(), branches)
}

/// The last value of a sampled flow. Before there is one it is arbitrary, which a number of
/// a finite program is not.
fn current(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let plain = matches!(ty, Ty::Bool | Ty::Enum(_));
    if writer.finite() && !plain {
        return merge(writer, ty, at);
    }
    let Some(clock) = writer.clock(at) else { return writer.leaf(ty, at) };
    let (_, when) = writer.dice.pick(&clock.cases).clone();
    let sampled = writer.sampled(ty, &clock.name, &when, at.deeper());
    Expr::prefix("current", sampled)
}

impl Writer<'_> {
    /// A flow that is known and can be a clock.
    fn clock(&mut self, at: Place) -> Option<Clock> {
        let usable = |ty: &Ty| matches!(ty, Ty::Bool | Ty::Enum(_));
        let flows = self.flows[..at.known].iter().filter(|(_, ty)| usable(ty));
        let flows: Vec<&(String, Ty)> = flows.collect();
        if flows.is_empty() {
            return None;
        }
        let (name, ty) = (*self.dice.pick(&flows)).clone();
        let cases = match ty {
            Ty::Enum(i) => {
                let values = self.world.enums[i].iter();
                values.map(|value| (value.clone(), format!("{value}({name})"))).collect()
            }
            _ => vec![
                ("true".to_string(), name.clone()),
                ("false".to_string(), format!("not {name}")),
            ],
        };
        Some(Clock { name, cases })
    }

    /// An expression on the clock of a condition.
    fn sampled(&mut self, ty: Ty, clock: &str, when: &str, at: Place) -> Expr {
        // What is sampled is guarded by nothing: its clock has other first steps.
        let at = Place { guarded: false, ..at };
        match self.dice.weighted(&[5, 2, 2, 2]) {
            // A reset of every step, of a call that is slower because its arguments are.
            3 => match self.call(&[ty], at) {
                Some(Expr::Call(node, args)) if !args.is_empty() => {
                    let slow = |arg| Expr::When(Box::new(arg), when.to_string());
                    let args = args.into_iter().map(slow).collect();
                    let reset = Some(self.expr(Ty::Bool, at.deeper()));
                    let activation = Activation { clock: None, default: None, reset };
                    Expr::Activated(node, args, Box::new(activation))
                }
                _ => Expr::When(Box::new(self.leaf(ty, at)), when.to_string()),
            },
            1 if self.has(Feature::Time) && at.depth > 0 => {
                let first = self.sampled(ty, clock, when, at.deeper());
                let delayed = self.sampled(ty, clock, when, self.delayed(at));
                Expr::infix(first, "->", Expr::prefix("pre", delayed))
            }
            2 => match self.call(&[ty], at) {
                Some(Expr::Call(node, args)) => {
                    let condition = match when.split_once('(') {
                        Some((value, _)) => Expr::infix(Expr::leaf(clock), "=", Expr::leaf(value)),
                        None if when == clock => Expr::leaf(clock),
                        None => Expr::prefix("not", Expr::leaf(clock)),
                    };
                    let activation =
                        Activation { clock: Some(condition), default: None, reset: None };
                    Expr::Activated(node, args, Box::new(activation))
                }
                _ => Expr::When(Box::new(self.leaf(ty, at)), when.to_string()),
            },
            _ => Expr::When(Box::new(self.expr(ty, at)), when.to_string()),
        }
    }
}
