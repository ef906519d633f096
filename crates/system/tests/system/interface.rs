//! What callers see of a node.

use lustral_system::{Role, StreamRole, same_as_interface, visible};
use lustral_term::VarId;

use crate::example::{self, counter};

fn seen(system: &lustral_system::TransitionSystem) -> Vec<VarId> {
    let visible = visible(system);
    system.variables().map(|(id, _)| id).filter(|id| visible[id.index()]).collect()
}

#[test]
fn memories_of_outputs_are_visible() {
    let system = counter();
    let all: Vec<VarId> = system.variables().map(|(id, _)| id).collect();
    assert_eq!(seen(&system), all);
}

#[test]
fn memories_of_what_is_inside_are_not() {
    let mut system = counter();
    system.instances[0].streams[2].role = StreamRole::Local;
    // The flag, the inputs, and what follows from them at the same step.
    assert_eq!(
        seen(&system),
        [example::RESET, example::BY, example::FIRST, example::X, example::Y]
    );
}

#[test]
fn what_is_passed_on_is_the_flow() {
    let mut system = counter();
    assert_eq!(same_as_interface(&system), []);
    // n = step(by): the output of the call is the output of the node.
    let y = system.terms.variable(example::Y, lustral_term::Sort::Int);
    system.variables[example::N.index()].role = Role::Defined(y);
    assert_eq!(same_as_interface(&system), [(example::Y, example::N), (example::X, example::N)]);
}
