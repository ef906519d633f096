//! Mathematical functions: of `cos` nothing is known but that it is a function, so an execution may
//! rest on values that the real one does not have.

use std::collections::BTreeSet;

use lustral_coordinator::Unit;
use lustral_sema::program::LIBRARY;
use lustral_system::{PropId, Role, Trace};
use lustral_term::{Operator, TermId};

/// What is to be said of an execution in which such functions have a part, if they have.
pub(super) fn chosen(unit: &Unit, property: PropId, trace: &Trace) -> Option<String> {
    if trace.answers.0.is_empty() {
        return None;
    }
    let system = &unit.system;
    let property = system.property(property).term;
    let cone = system.cone(property);
    let defined = system.variables().filter_map(|(id, variable)| match variable.role {
        Role::Defined(term) if cone[id.index()] => Some(term),
        _ => None,
    });
    let later = system.memories.iter().filter(|memory| cone[memory.var.index()]);
    let roots: Vec<TermId> = defined.chain(later.map(|memory| memory.next)).collect();
    let named = |term: TermId| match system.terms.operator(term) {
        Some(Operator::Call(function)) => LIBRARY.get(function.id.index()).map(|(name, _)| *name),
        _ => None,
    };
    let terms = system.terms.closure(roots.into_iter().chain([property]));
    let names: BTreeSet<&str> = terms.into_iter().filter_map(named).collect();
    if names.is_empty() {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Some(format!(
        "it rests on values of {} that may be others in truth: of mathematical functions nothing is known \
         but that they are functions",
        names.join(", ")
    ))
}
