//! The order of definitions.

use lustral_system::{Role, TransitionSystem};
use lustral_term::VarId;
use rustc_hash::FxHashMap;

/// Orders the definitions by dependency (a topological order). Causality was
/// checked, so there is one; an explicit stack, because chains may be long.
pub(crate) fn sort_definitions(system: &mut TransitionSystem) {
    let mut done = vec![false; system.variables.len()];
    let mut uses: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
    let mut order = Vec::new();
    for root in 0..system.variables.len() as u32 {
        let mut stack = vec![VarId(root)];
        while let Some(&var) = stack.last() {
            let Role::Defined(term) = system.variable(var).role else {
                done[var.index()] = true;
                stack.pop();
                continue;
            };
            if done[var.index()] {
                stack.pop();
                continue;
            }
            let terms = &system.terms;
            let used = uses.entry(var).or_insert_with(|| terms.variables([term]));
            let before = stack.len();
            stack.extend(used.iter().filter(|v| !done[v.index()]));
            if stack.len() == before {
                done[var.index()] = true;
                order.push(var);
                stack.pop();
            }
        }
    }
    system.definitions = order;
}
