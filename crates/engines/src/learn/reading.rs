//! What the failure of goals reads in a counterexample.
//!
//! Of a choice, only the branch that is taken; of a conjunction that is false, one part that is.
//! A candidate that excludes a counterexample by what nothing reads would not keep the goals
//! from failing: the same steps with other values there would do as well.

use lustral_system::{Role, TransitionSystem};
use lustral_term::{Evaluator, Operator, Term, TermId, Terms, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::consecution::Counterexample;

/// The memories of the first step that the values of some terms at a later one come from. The
/// terms are of an arena that goes on from that of the system.
pub(super) fn memories_read(
    system: &TransitionSystem,
    terms: &Terms,
    counterexample: &Counterexample,
    step: usize,
    roots: &[TermId],
) -> FxHashSet<VarId> {
    let next: FxHashMap<VarId, TermId> = system.memories.iter().map(|m| (m.var, m.next)).collect();
    let mut roots = roots.to_vec();
    for step in (0..=step).rev() {
        let found = read_at(system, terms, counterexample, step, roots);
        if step == 0 {
            return found;
        }
        roots = found.iter().filter_map(|var| next.get(var).copied()).collect();
        roots.sort_unstable();
    }
    FxHashSet::default()
}

/// The memories that the values of some terms at a step come from.
fn read_at(
    system: &TransitionSystem,
    terms: &Terms,
    counterexample: &Counterexample,
    step: usize,
    roots: Vec<TermId>,
) -> FxHashSet<VarId> {
    let mut evaluator = Evaluator::new(terms, counterexample.answers());
    let mut is = |term: TermId, wanted: bool| {
        let value = evaluator.eval(term, |var| counterexample.value(step, var, system));
        value == Value::Bool(wanted)
    };
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut stack = roots;
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.get(term) {
            Term::Var(var, _) => match system.variable(var).role {
                Role::Memory => drop(found.insert(var)),
                Role::Defined(definition) => stack.push(definition),
                Role::Input | Role::Choice => {}
            },
            Term::Apply(Operator::Ite, [condition, yes, no]) => {
                stack.push(*condition);
                stack.push(if is(*condition, true) { *yes } else { *no });
            }
            Term::Apply(operator @ (Operator::And | Operator::Or), list) => {
                let decides = operator == Operator::Or;
                match list.iter().find(|part| is(**part, decides)) {
                    Some(part) => stack.push(*part),
                    None => stack.extend(list),
                }
            }
            Term::Apply(_, operands) => stack.extend(operands),
            Term::Value(_) => {}
        }
    }
    found
}
