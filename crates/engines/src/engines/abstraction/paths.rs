//! Refinement along paths: the equations between a variable and an input.
//! (Hagen and Tinelli, 3.3, "The Refinement Step".)

use lustral_term::VarId;

use super::equations::Equations;

/// The equations, not active yet, on the first path from a variable to an
/// input that has any; none if the variable is completely defined.
pub(super) fn path(equations: &Equations, active: &[bool], from: VarId) -> Vec<VarId> {
    // Depth first; a variable is entered once, which breaks the loops.
    let mut seen = vec![false; active.len()];
    let mut stack: Vec<(VarId, usize)> = vec![(from, 0)];
    seen[from.index()] = true;
    while let Some((var, next)) = stack.last_mut() {
        let (var, uses) = (*var, &equations.uses[var.index()]);
        let Some(&used) = uses.get(*next) else {
            // A variable without further ways, such as one that depends on
            // itself only: its equation counts as a path of its own.
            let found = inactive(equations, active, stack.iter().map(|(v, _)| *v));
            if uses.iter().all(|u| seen[u.index()]) && !found.is_empty() {
                return found;
            }
            stack.pop();
            continue;
        };
        *next += 1;
        if !equations.has_equation(used) {
            let found = inactive(equations, active, stack.iter().map(|(v, _)| *v));
            if !found.is_empty() {
                return found;
            }
        } else if !seen[used.index()] {
            seen[used.index()] = true;
            stack.push((used, 0));
        }
        let _ = var;
    }
    Vec::new()
}

fn inactive(
    equations: &Equations,
    active: &[bool],
    path: impl Iterator<Item = VarId>,
) -> Vec<VarId> {
    path.filter(|v| equations.has_equation(*v) && !active[v.index()]).collect()
}
