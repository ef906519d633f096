//! States that random executions reach: what is invariant holds in them, so
//! most wrong guesses need no query.

use lustral_system::Answers;
use lustral_term::{Evaluator, Value, VarId};

use super::slice::Slice;
use super::states::{Known, State};
use super::transitions::is_free;
use crate::learn::Walk;
use crate::model::Inputs;
use crate::task::Task;
use lustral_duality::Transition;

/// The number of executions, and the steps of each.
const WALKS: usize = 12;
const STEPS: usize = 24;
/// The most terms in all of the steps.
const MOST_WALKED: usize = 1_500_000;

/// Adds what some random executions go through.
pub(super) fn walk(task: &Task, slice: &Slice, known: &mut Known) {
    let system = &slice.system;
    let mut walk = Walk::new(system, task.seed());
    let steps = STEPS.min(MOST_WALKED / (WALKS * system.terms.len().max(1))).max(4);
    let steps = task.limits.within(steps);
    let free: Vec<VarId> =
        system.variables().filter(|(_, v)| is_free(v.role)).map(|(var, _)| var).collect();
    let by_zero = Answers::default();
    for _ in 0..WALKS {
        if task.cancel.is_cancelled() {
            return;
        }
        let initial = system.memories.iter().map(|m| m.initial.clone()).collect();
        walk.steps(initial, steps, &by_zero, &mut |by_zero, value| {
            let from: State = system.memories.iter().map(|m| value(m.var)).collect();
            let mut evaluator = Evaluator::new(&system.terms, by_zero);
            let to: Vec<Value> =
                system.memories.iter().map(|m| evaluator.eval(m.next, value)).collect();
            let (from, to) = (known.state(from), known.state(to));
            let mut inputs = Inputs::default();
            inputs.values.extend(free.iter().map(|var| ((0, *var), value(*var))));
            known.add(Transition { from: Some(from), to }, inputs);
        });
    }
}
