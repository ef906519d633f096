//! From a solver's model to an execution.

use lustral_smt::{Fault, Session};
use lustral_system::Divisions;
use lustral_term::{Op, Partial, Value, VarId};
use rustc_hash::FxHashMap;

use crate::unroll::Unroller;

/// The inputs and choices of an execution, as far as they matter, and what
/// divisions by zero gave in it.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// By step and variable.
    pub values: FxHashMap<(usize, VarId), Value>,
    /// The divisions by zero.
    pub divisions: Divisions,
}

/// Reads the model of the last query.
pub(crate) fn read(session: &mut dyn Session, unroller: &Unroller<'_>) -> Result<Inputs, Fault> {
    let mut inputs = Inputs::default();
    for (step, var, term) in unroller.occurring() {
        inputs.values.insert((step, var), session.value(&unroller.terms, term)?);
    }
    // Where a divisor is zero, the quotient is the solver's choice.
    let terms = &unroller.terms;
    for id in (0..terms.len() as u32).map(lustral_term::TermId) {
        let (operation, dividend, divisor) = match terms.op(id) {
            Op::IntDiv(a, b) => (Partial::IntDiv, *a, *b),
            Op::Mod(a, b) => (Partial::Mod, *a, *b),
            Op::RealDiv(a, b) => (Partial::RealDiv, *a, *b),
            _ => continue,
        };
        let Ok(zero) = session.value(terms, divisor) else { continue };
        if zero == Value::zero(zero.sort())
            && let (Ok(dividend), Ok(value)) =
                (session.value(terms, dividend), session.value(terms, id))
        {
            inputs.divisions.0.insert((operation, dividend), value);
        }
    }
    Ok(inputs)
}
