//! What makes it sound to look only at executions that repeat no state.
//!
//! A proof names its states: a set M of memories, and facts. Three obligations
//! come with that. The facts hold in the initial state (`facts-initial`) and go
//! on to hold from step to step (`facts-step`), whatever the inputs are and
//! without any help of the constraints, of the proof's invariants or of
//! compression itself. And (`state`) for two steps a and b with equal values of
//! M and equal inputs and choices, at both of which the facts hold, and at a
//! the constraints: the constraints hold at b, the predicates that are proved
//! have the same value at both, and so has M at the steps after them.
//!
//! Then a shortest execution s0 .. sn at whose last step the predicates fail
//! repeats no value of M. Suppose that si and sj do, i < j. Take the system
//! through s0 .. s(i-1), and from the memories of si on with the inputs of
//! sj .. sn: steps ti .. t(i+n-j). The facts hold at all of them, since they
//! need nothing but the initial state and the transitions, and they hold at sj
//! .. sn for the same reason. By `state`, with sj for a and ti for b, the
//! constraints hold at ti, the predicates have the values that they have at sj,
//! and M is equal again one step later; and so on up to sn. So this is an
//! execution, at whose last step the predicates fail, and it is shorter.
//!
//! That is why the facts must not lean on the constraints: it is only shown on
//! the way that ti obeys them. Divisions by zero are functions, the same ones
//! at all steps, and in SMT-LIB the same ones for a and b; so are functions without a
//! definition.

use std::fmt::Write;
use std::iter::once_with;

use lustral_system::{Predicate, States, TransitionSystem};

use crate::obligations::{Expected, Obligation};
use crate::script::Script;

/// The obligations of the states of a proof of some predicates.
pub(crate) fn obligations<'a>(
    system: &'a TransitionSystem,
    states: &'a States,
    predicates: Vec<Predicate>,
) -> impl Iterator<Item = Obligation> + 'a {
    once_with(|| facts_initially(system, &states.facts))
        .chain(once_with(|| facts_step(system, &states.facts)))
        .chain(once_with(move || state(system, states, &predicates)))
}

fn needed(name: &str, meaning: &str, text: String) -> Obligation {
    let (name, meaning) = (name.to_string(), meaning.to_string());
    Obligation { name, meaning, needed: true, expected: Expected::Unsat, text }
}

fn facts_initially(system: &TransitionSystem, facts: &[Predicate]) -> Obligation {
    let mut text = String::new();
    let mut script = Script::unconstrained(system, facts);
    script.step(0, &mut text);
    script.initial(&mut text);
    let hold = script.conjunction(0, facts, &mut text);
    let _ = writeln!(text, "(assert (not {hold}))");
    needed("facts-initial", "the facts about the state hold initially", text)
}

fn facts_step(system: &TransitionSystem, facts: &[Predicate]) -> Obligation {
    let mut text = String::new();
    let mut script = Script::unconstrained(system, facts);
    script.step(0, &mut text);
    script.next_step(1, &mut text);
    let before = script.conjunction(0, facts, &mut text);
    let after = script.conjunction(1, facts, &mut text);
    let _ = writeln!(text, "(assert {before})\n(assert (not {after}))");
    needed("facts-step", "where the facts about the state hold, they hold at the next step", text)
}

fn state(system: &TransitionSystem, states: &States, predicates: &[Predicate]) -> Obligation {
    let mut text = String::new();
    let mut script = Script::about(system, &[predicates, &states.facts], &states.memories);
    // Not one after the other: two steps side by side.
    for step in [0, 1] {
        script.step(step, &mut text);
        let facts = script.conjunction(step, &states.facts, &mut text);
        let _ = writeln!(text, "(assert {facts})");
    }
    script.same_inputs(0, 1, &mut text);
    for memory in &states.memories {
        let (a, b) = (Script::name(0, *memory), Script::name(1, *memory));
        let _ = writeln!(text, "(assert (= {a} {b}))");
    }
    script.constraints(0, &mut text);
    let mut agree = vec!["and".to_string(), "true".to_string()];
    for constraint in &system.constraints {
        agree.push(script.term(1, constraint.term, &mut text));
    }
    let [a, b] = [0, 1].map(|step| script.conjunction(step, predicates, &mut text));
    agree.push(format!("(= {a} {b})"));
    for memory in system.memories.iter().filter(|m| states.memories.contains(&m.var)) {
        let [a, b] = [0, 1].map(|step| script.term(step, memory.next, &mut text));
        agree.push(format!("(= {a} {b})"));
    }
    let _ = writeln!(text, "(assert (not ({})))", agree.join(" "));
    needed("state", "steps in equal states with equal inputs have the same future", text)
}
