//! The obligations, one by one.

use std::fmt::Write;

use lustral_system::{Predicate, States, TransitionSystem};

use crate::obligations::{Expected, IMPLICATION, Obligation, STEP};
use crate::script::{Script, different};

/// An execution of some steps: declarations, initial state, transitions, constraints.
pub(crate) fn execution<'s>(mut script: Script<'s>, last: usize, text: &mut String) -> Script<'s> {
    for step in 0..=last {
        if step == 0 {
            script.step(step, text);
            script.initial(text);
        } else {
            script.next_step(step, text);
        }
        script.constraints(step, text);
    }
    script
}

/// No execution of this depth ends with a step at which the predicates fail.
pub(crate) fn base(
    system: &TransitionSystem,
    list: &[Predicate],
    depth: usize,
    what: &str,
) -> Obligation {
    let mut text = String::new();
    let mut script = execution(Script::about(system, &[list], &[]), depth, &mut text);
    let holds = script.conjunction(depth, list, &mut text);
    let _ = writeln!(text, "(assert (not {holds}))");
    Obligation {
        name: format!("base-{depth}"),
        meaning: format!("{what} holds at step {depth} of every execution"),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

/// After k steps at which the predicates hold, they hold once more; with
/// compression, if all k+1 steps are in different states.
///
/// Compression is sound because a shortest execution that ends in a failure
/// repeats no state: see [`crate::states`].
pub(crate) fn step_case(
    system: &TransitionSystem,
    list: &[Predicate],
    k: usize,
    compression: Option<&States>,
) -> Obligation {
    let mut text = String::new();
    let memories = compression.map_or(&[][..], |states| &states.memories);
    let mut script = Script::about(system, &[list], memories);
    for step in 0..=k {
        if step == 0 {
            script.step(step, &mut text);
        } else {
            script.next_step(step, &mut text);
        }
        script.constraints(step, &mut text);
        let holds = script.conjunction(step, list, &mut text);
        let _ = if step < k {
            writeln!(text, "(assert {holds})")
        } else {
            writeln!(text, "(assert (not {holds}))")
        };
        if compression.is_some() {
            (0..step).for_each(|earlier| different(memories, earlier, step, &mut text));
        }
    }
    let how = if compression.is_some() { ", all in different states," } else { "" };
    Obligation {
        name: STEP.into(),
        meaning: format!("after {k} steps{how} at which the invariant holds, it holds at the next"),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

/// After a step at which the hypotheses hold, the goals hold.
pub(crate) fn next_step(
    system: &TransitionSystem,
    hypotheses: &[Predicate],
    goals: &[Predicate],
) -> Obligation {
    let mut text = String::new();
    let mut script = Script::about(system, &[hypotheses, goals], &[]);
    script.step(0, &mut text);
    script.constraints(0, &mut text);
    let before = script.conjunction(0, hypotheses, &mut text);
    script.next_step(1, &mut text);
    script.constraints(1, &mut text);
    let after = script.conjunction(1, goals, &mut text);
    let _ = writeln!(text, "(assert {before})\n(assert (not {after}))");
    Obligation {
        name: "next".into(),
        meaning: "after a step at which the hypotheses hold, the goals hold".into(),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

/// The invariant implies the property.
pub(crate) fn implication(
    system: &TransitionSystem,
    invariants: &[Predicate],
    property: &[Predicate],
) -> Obligation {
    let mut text = String::new();
    let mut script = Script::about(system, &[invariants, property], &[]);
    script.step(0, &mut text);
    script.constraints(0, &mut text);
    let holds = script.conjunction(0, invariants, &mut text);
    let goal = script.conjunction(0, property, &mut text);
    let _ = writeln!(text, "(assert {holds})\n(assert (not {goal}))");
    Obligation {
        name: IMPLICATION.into(),
        meaning: "the invariant implies the property".into(),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

/// No execution has a step with this number.
pub(crate) fn blocked(system: &TransitionSystem, step: usize) -> Obligation {
    let mut text = String::new();
    execution(Script::about(system, &[], &[]), step, &mut text);
    Obligation {
        name: "blocked".into(),
        meaning: format!("no execution has a step {step}"),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

/// No execution has this many steps and one more, all in different states.
/// Then a property that holds at all those steps holds always: a shortest
/// execution that ends in a failure repeats no state, see [`crate::states`].
pub(crate) fn exhausted(
    system: &TransitionSystem,
    property: &[Predicate],
    steps: usize,
    states: &States,
) -> Obligation {
    let mut text = String::new();
    let memories = &states.memories;
    execution(Script::about(system, &[property], memories), steps, &mut text);
    for second in 1..=steps {
        (0..second).for_each(|first| different(memories, first, second, &mut text));
    }
    Obligation {
        name: "exhausted".into(),
        meaning: format!("no execution has {} steps in different states", steps + 1),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

pub(crate) fn initial_state(system: &TransitionSystem) -> Obligation {
    let mut text = String::new();
    execution(Script::whole(system), 0, &mut text);
    Obligation {
        name: "initial".into(),
        meaning: "there is an execution of one step".into(),
        // A proof about no execution at all is no proof of anything. Only
        // constraints can leave none.
        needed: !system.constraints.is_empty(),
        expected: Expected::Sat,
        text,
    }
}

pub(crate) fn transition(system: &TransitionSystem) -> Obligation {
    let mut text = String::new();
    let mut script = Script::whole(system);
    script.step(0, &mut text);
    script.next_step(1, &mut text);
    script.constraints(0, &mut text);
    script.constraints(1, &mut text);
    Obligation {
        name: "transition".into(),
        meaning: "some state has a successor".into(),
        needed: false,
        expected: Expected::Sat,
        text,
    }
}

pub(crate) fn negated_property(system: &TransitionSystem, property: &[Predicate]) -> Obligation {
    let mut text = String::new();
    let mut script = Script::whole(system);
    script.step(0, &mut text);
    let holds = script.conjunction(0, property, &mut text);
    let _ = writeln!(text, "(assert (not {holds}))");
    Obligation {
        name: "negation".into(),
        meaning: "in some state, reachable or not, the property fails".into(),
        needed: false,
        expected: Expected::Sat,
        text,
    }
}
