//! Whether the assertions of the whole program leave any execution.

use std::sync::Arc;

use lustral_certify::check_blocked;
use lustral_engines::{Survey, survey};
use lustral_flow::called_first;
use lustral_sema::{InstanceTree, NodeId};
use lustral_system::Reason;

use super::{Event, Looked, Worker};
use crate::unit::Unit;

/// Looks at the assertions of a node and of all that it calls, together: a cut
/// system may have executions where the program has none. Nothing if it has
/// none at all; then that is said of each property.
pub fn look(worker: &Worker, root: NodeId) -> Option<Looked> {
    let (looked, blocked) = look_at(worker, root, false);
    match blocked {
        Some((unit, 0)) => {
            vacuous(worker, unit);
            None
        }
        _ => Some(looked),
    }
}

/// Looks at the assertions of a node that others call, and of all that it calls.
pub fn look_at_calls(worker: &Worker, node: NodeId) -> Looked {
    look_at(worker, node, true).0
}

/// What there is to say, and the step at which all executions end, if they do.
fn look_at(worker: &Worker, node: NodeId, called: bool) -> (Looked, Option<(Unit, usize)>) {
    let program = &worker.program;
    let mut looked = Looked::default();
    let nodes = called_first(program, &[node]);
    if nodes.iter().all(|id| program.node(*id).asserts.is_empty()) {
        return (looked, None);
    }
    let Ok(tree) = InstanceTree::new(program, node) else {
        looked.doubt = Some(
            "the program has too many instances to find out whether its assertions leave any \
             execution"
                .into(),
        );
        return (looked, None);
    };
    let tree = if called { tree.called() } else { tree };
    let unit = Unit::of_tree(&worker.kernel, tree, worker.wanted);
    let settings = &worker.settings;
    match survey(&unit.system, &settings.solver, &settings.options, &worker.cancel) {
        Survey::Open => {}
        Survey::Inexact(step) => looked.doubt = Some(inexact(step)),
        Survey::BlocksAt(step) => {
            if check_blocked(&unit.system, step, &worker.cancel).is_ok() {
                looked.warnings.push(blocks(step));
                return (looked, Some((unit, step)));
            }
        }
    }
    (looked, None)
}

fn vacuous(worker: &Worker, unit: Unit) {
    let unit = Arc::new(unit);
    for property in unit.system.property_ids() {
        let (unit, reason, engine) = (unit.clone(), Reason::Vacuous, None);
        let _ = worker.events.send(Event::Open { unit, property, reason, engine });
    }
}

/// What to add to a proof where no exact execution was found.
pub fn inexact(step: usize) -> String {
    format!(
        "could not find an execution with exact values for step {step}: the assertions may ask for \
         numbers that are no fractions, and then there is none"
    )
}

/// What to add to all verdicts where every execution ends.
pub fn blocks(step: usize) -> String {
    format!(
        "blocks at step {step}: the assertions allow no execution with a step {step}, so from \
         there on properties hold for want of executions"
    )
}
