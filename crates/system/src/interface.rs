//! What the caller of a node can see of its system.

use lustral_term::{TermId, VarId};

use crate::transition::{Origin, Role, StreamRole, TransitionSystem};

/// Variables that an input or output of the first instance is by definition,
/// such as the output of a call that is passed on; with the flow that they are.
#[must_use]
pub fn same_as_interface(system: &TransitionSystem) -> Vec<(VarId, VarId)> {
    let mut flow: Vec<Option<VarId>> = vec![None; system.variables.len()];
    for stream in system.root().streams.iter().filter(|s| s.role != StreamRole::Local) {
        flow[stream.var.index()] = Some(stream.var);
    }
    let mut found = Vec::new();
    // Those that use others come after them.
    for var in system.definitions.iter().rev() {
        if let (Some(shown), Role::Defined(term)) = (flow[var.index()], system.variable(*var).role)
            && let Some(other) = system.terms.var(term)
            && flow[other.index()].is_none()
        {
            flow[other.index()] = Some(shown);
            found.push((other, shown));
        }
    }
    found
}

/// By variable: whether its value follows from the present and earlier values
/// of the inputs and outputs of the first instance, by definitions and by what
/// memories remember. What a node remembers by itself does not.
#[must_use]
pub fn visible(system: &TransitionSystem) -> Vec<bool> {
    let mut seen = vec![false; system.variables.len()];
    for (id, variable) in system.variables() {
        seen[id.index()] = variable.origin == Origin::First;
    }
    for stream in &system.root().streams {
        seen[stream.var.index()] |= stream.role != StreamRole::Local;
    }
    for (var, _) in same_as_interface(system) {
        seen[var.index()] = true;
    }
    let all = |seen: &[bool], term: TermId| {
        system.terms.variables([term]).iter().all(|v| seen[v.index()])
    };
    // Memories of memories take another round each.
    loop {
        let mut more = false;
        for var in &system.definitions {
            if let Role::Defined(term) = system.variable(*var).role
                && !seen[var.index()]
            {
                seen[var.index()] = all(&seen, term);
            }
        }
        for memory in &system.memories {
            if !seen[memory.var.index()] && all(&seen, memory.next) {
                seen[memory.var.index()] = true;
                more = true;
            }
        }
        if !more {
            return seen;
        }
    }
}
