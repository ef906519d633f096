//! What made an execution fail: looked for and checked, in a limited time for all of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::profile::{measured, working_for};
use lustral_base::schedule::{Moment, is_counted};
use lustral_certify::{Answer, Change, Checked, ClaimedCause, Unit};
use lustral_engines::{AskedForCauses, Cause, Inputs, cause};
use lustral_system::{Goal, Inlined};
use lustral_term::{Value, VarId};

use crate::options::Options;
use crate::proofs::Tools;
use crate::within::caught;

/// The time for finding the cause of an execution, of one and of all: the answer waits for it.
const CAUSE: Duration = Duration::from_millis(500);
const ALL_CAUSES: Duration = Duration::from_secs(5);
/// In larger systems it takes longer than the answer.
const LARGEST: usize = 300_000;

/// The causes of executions of one unit.
pub struct Causes {
    /// The time that is left.
    left: Duration,
    /// The system in which they are looked for.
    inlined: Option<Arc<Inlined>>,
}

impl Default for Causes {
    fn default() -> Causes {
        Causes { left: ALL_CAUSES, inlined: None }
    }
}

impl Causes {
    /// An answer about a whole unit, with its cause if it is an execution and that is found in time.
    #[must_use]
    pub fn find(
        &mut self,
        unit: &Unit,
        options: &Options,
        cancel: &Cancel,
        tools: &mut Tools,
        answer: Checked<Answer>,
    ) -> Checked<Answer> {
        let (system, property) = (&unit.system, answer.property());
        let Answer::Falsifiable(trace) = answer.get() else { return answer };
        let is_asked = system.property(property).goal == Goal::Always;
        let time = CAUSE.min(self.left).min(share(cancel));
        if !is_asked || time.is_zero() || system.terms.len() > LARGEST {
            return answer;
        }
        let start = Moment::now();
        let Options { solver, solver_options, .. } = options;
        let asked = AskedForCauses { solver, options: solver_options, cancel };
        let search = || {
            let new = || Arc::new(Inlined::new(system));
            let inlined = self.inlined.get_or_insert_with(new).clone();
            cause(&asked, &inlined, property, trace, time).map(claimed)
        };
        // Nothing of it is to cost an answer.
        let found = caught(|| {
            options.faults.strike("cause");
            working_for("certify", || measured("cause", search))
        });
        self.left = self.left.saturating_sub(start.elapsed());
        match (found, &mut tools.checker) {
            (Ok(Some(claimed)), Ok(proofs)) => {
                let again = || proofs.with_cause(unit.context(), answer.clone(), claimed, CAUSE);
                caught(|| working_for("certify", again)).unwrap_or(answer)
            }
            _ => answer,
        }
    }
}

fn claimed(found: Cause) -> ClaimedCause {
    let change = |((step, var), value): (&(usize, VarId), &Value)| Change {
        step: *step,
        var: *var,
        value: value.clone(),
    };
    let changed = |inputs: Inputs| {
        let mut changes: Vec<Change> = inputs.values.iter().map(change).collect();
        changes.sort_by_key(|change| (change.step, change.var));
        (changes, inputs.answers)
    };
    let Cause { values, divisions, minimal, saved } = found;
    ClaimedCause { values, divisions, minimal, saved: saved.map(changed) }
}

/// A part of the time that is left, for what an answer waits for and can do without.
fn share(cancel: &Cancel) -> Duration {
    // A clock that counts work knows no deadline.
    let deadline = cancel.deadline().filter(|_| !is_counted());
    let left = |end: Instant| end.saturating_duration_since(Instant::now()) / 8;
    deadline.map_or(CAUSE, left)
}
