//! Properties of the form "as long as A has always held, Q".
//!
//! `A` is *historical* if it can never become true again: where it holds, it
//! held at all steps before. If every property says nothing unless A holds,
//! then only executions at whose steps A holds can refute one, and A may be
//! assumed at every step, like an assertion. This is what makes the usual
//! idiom `Sofar(environment) => guarantee` a statement about the environment
//! that is meant, instead of about a flag that remembers it.
//!
//! The way back: what is inductive where A is assumed, f, is inductive as
//! `A => f` where it is not. At the next step either A fails, or it holds and
//! has held before, so f held before, and holds. A refutation needs no way
//! back: it is an execution of the original, at whose steps A happens to hold.

use lustral_system::{Memory, Origin, TransitionSystem};
use lustral_term::{Operator, Term, TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

/// The historical conditions without which no property says anything.
pub(super) fn find(system: &mut TransitionSystem) -> Option<TermId> {
    let mut common: Option<Vec<TermId>> = None;
    for property in &system.properties {
        let own = premises(&system.terms, property.term);
        common = Some(match common {
            None => own,
            Some(known) => known.into_iter().filter(|term| own.contains(term)).collect(),
        });
    }
    let mut historical = common?;
    historical.retain(|term| is_historical(system, *term));
    if historical.is_empty() { None } else { Some(system.terms.and(historical)) }
}

/// The terms whose negation makes a property true.
fn premises(terms: &Terms, property: TermId) -> Vec<TermId> {
    let disjuncts: Vec<TermId> = match terms.get(property) {
        Term::Apply(Operator::Or, list) => list.to_vec(),
        _ => vec![property],
    };
    let mut found = Vec::new();
    for disjunct in disjuncts {
        if let Term::Apply(Operator::Not, [premise]) = terms.get(disjunct) {
            match terms.get(*premise) {
                Term::Apply(Operator::And, list) => found.extend(list.iter().copied()),
                _ => found.push(*premise),
            }
        }
    }
    found
}

/// Whether a term, where it holds after the first step, held at the step
/// before, as far as the shape of the terms tells.
fn is_historical(system: &TransitionSystem, term: TermId) -> bool {
    let flag = |m: &&Memory| system.variable(m.var).origin == Origin::First;
    let Some(first) = system.memories.iter().find(flag).map(|m| m.var) else { return false };
    let nexts: FxHashMap<VarId, TermId> = system.memories.iter().map(|m| (m.var, m.next)).collect();
    // The term after the first step, over the variables of the step before and
    // the inputs of its own, which get other names.
    let inputs = system.variables.len() as u32;
    let mut terms = system.terms.clone();
    let later = Translation::new().apply(&system.terms, &mut terms, term, |terms, var, sort| {
        match nexts.get(&var) {
            _ if var == first => Terms::FALSE,
            Some(next) => *next,
            None => terms.variable(VarId(inputs + var.0), sort),
        }
    });
    let conjuncts = |t: TermId| match terms.get(t) {
        Term::Apply(Operator::And, list) => list.to_vec(),
        _ => vec![t],
    };
    let after = conjuncts(later);
    conjuncts(term).iter().all(|part| after.contains(part))
        || after.iter().any(|part| is_false_without(&terms, *part, term))
}

/// Whether a term is false where a part of it is, by its shape.
fn is_false_without(terms: &Terms, whole: TermId, part: TermId) -> bool {
    let mut scratch = terms.clone();
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    for id in terms.closure([whole]) {
        let image = if id == part {
            Terms::FALSE
        } else {
            scratch.rebuild(terms.get(id), |operand| known[&operand])
        };
        known.insert(id, image);
    }
    known[&whole] == Terms::FALSE
}

#[cfg(test)]
mod tests {
    use lustral_system::{Goal, Property, Role, Variable};
    use lustral_term::{Sort, Value};

    use super::*;

    /// A flag of the first step, a memory with the given next value and an
    /// input, with the property that the condition implies something.
    fn system(
        sort: Sort,
        condition: impl Fn(&mut Terms, TermId, TermId, TermId) -> (TermId, TermId),
    ) -> (TransitionSystem, TermId) {
        let mut system = TransitionSystem::default();
        let mut add = |role, sort, origin| {
            let name = String::new();
            system.add_variable(Variable { name, sort, role, range: None, origin })
        };
        let (first, first_term) = add(Role::Memory, Sort::Bool, Origin::First);
        let (memory, memory_term) = add(Role::Memory, sort, Origin::Auxiliary);
        let (_, input) = add(Role::Input, sort, Origin::Auxiliary);
        let (next, condition) = condition(&mut system.terms, first_term, memory_term, input);
        let goal = system.terms.variable(VarId(3), Sort::Bool);
        let term = system.terms.implies(condition, goal);
        system.memories.push(Memory { var: first, initial: Value::Bool(true), next: Terms::FALSE });
        system.memories.push(Memory { var: memory, initial: Value::zero(sort), next });
        system.properties.push(Property { name: "p".into(), term, goal: Goal::Always });
        (system, condition)
    }

    #[test]
    fn so_far_is_historical() {
        let (mut system, condition) = system(Sort::Bool, |terms, first, memory, input| {
            let both = terms.and([input, memory]);
            let sofar = terms.ite(first, input, both);
            (sofar, sofar)
        });
        assert_eq!(find(&mut system), Some(condition));
    }

    #[test]
    fn a_comparison_with_a_first_value_is_historical() {
        let (mut system, condition) = system(Sort::Int, |terms, first, memory, input| {
            let value = terms.ite(first, input, memory);
            let one = terms.int(1);
            (value, terms.le(one, value))
        });
        assert_eq!(find(&mut system), Some(condition));
    }

    #[test]
    fn what_can_become_true_again_is_not() {
        let (mut once, _) = system(Sort::Bool, |terms, first, memory, input| {
            let either = terms.or([input, memory]);
            let once = terms.ite(first, input, either);
            (once, once)
        });
        assert_eq!(find(&mut once), None);
        let (mut now, _) = system(Sort::Bool, |_, _, _, input| (input, input));
        assert_eq!(find(&mut now), None);
        let (mut before, _) =
            system(Sort::Bool, |terms, first, memory, input| (input, terms.or([first, memory])));
        assert_eq!(find(&mut before), None);
    }
}
