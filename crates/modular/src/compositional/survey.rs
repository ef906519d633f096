//! Whether the assertions of the whole program leave any execution.

use std::sync::Arc;

use lustral_coordinator::{Assertions, Unit};
use lustral_flow::called_first;
use lustral_sema::{InstanceTree, NodeId};
use lustral_system::Reason;

use super::solve::Standing;
use super::{Event, Looked, Worker};

/// Looks at the assertions of a node and of all that it calls, together: a cut
/// system may have executions where the program has none. Nothing if it has
/// none at all; then that is said of each property.
pub fn look(worker: &Worker, root: NodeId) -> Option<Looked> {
    let (looked, blocked) = look_at(worker, root, Standing::Checked);
    match blocked {
        Some((unit, 0)) => {
            vacuous(worker, unit);
            None
        }
        _ => Some(looked),
    }
}

/// Looks at the assertions of a node that others call, and of all that it calls.
pub fn look_at_calls(worker: &Worker, node: NodeId, standing: Standing) -> Looked {
    look_at(worker, node, standing).0
}

/// What there is to say, and the step at which all executions end, if they do.
fn look_at(worker: &Worker, node: NodeId, standing: Standing) -> (Looked, Option<(Unit, usize)>) {
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
    let unit = Unit::of_tree(&worker.kernel, standing.of(tree), worker.wanted);
    let assertions = Assertions::survey(&unit.system, &worker.options, &worker.cancel);
    looked.warnings.extend(assertions.warning());
    looked.doubt = assertions.doubt();
    match assertions {
        Assertions::BlockAt(step) => (looked, Some((unit, step))),
        Assertions::Open | Assertions::Inexact(_) => (looked, None),
    }
}

fn vacuous(worker: &Worker, unit: Unit) {
    let unit = Arc::new(unit);
    for property in unit.system.property_ids() {
        let (unit, reason, engine) = (unit.clone(), Reason::Vacuous, None);
        let _ = worker.events.send(Event::Open { unit, property, reason, engine });
    }
}
