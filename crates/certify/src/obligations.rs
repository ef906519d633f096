//! The obligations of a certificate: queries with the answers they must have.

use std::fmt::Write;

use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};

use crate::script::Script;

/// The answer that an obligation must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// What the proof rests on.
    Unsat,
    /// What shows that the proof is not about nothing.
    Sat,
}

impl Expected {
    /// The word of SMT-LIB.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Expected::Unsat => "unsat",
            Expected::Sat => "sat",
        }
    }
}

/// An obligation: a text that ends before `(check-sat)`.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Its name, which is also that of its file.
    pub name: String,
    /// What it says, in one line.
    pub meaning: String,
    /// The answer it must have.
    pub expected: Expected,
    /// Declarations and assertions.
    pub text: String,
}

/// All obligations of a certificate for a property, each on its own.
#[must_use]
pub fn obligations(
    system: &TransitionSystem,
    property: PropId,
    certificate: &Certificate,
) -> Vec<Obligation> {
    let property = Predicate {
        terms: std::sync::Arc::new(system.terms.clone()),
        term: system.property(property).term,
    };
    let property = std::slice::from_ref(&property);
    let mut list = match &certificate.proof {
        Proof::Induction { k, compression, .. } => {
            let invariants = &certificate.inductive(system);
            let mut list: Vec<Obligation> =
                (0..*k).map(|depth| base(system, invariants, depth, "the invariant")).collect();
            list.push(step_case(system, invariants, *k, *compression));
            list.push(implication(system, invariants, property));
            list
        }
        Proof::Exhausted { steps } => {
            let mut list: Vec<Obligation> =
                (0..*steps).map(|depth| base(system, property, depth, "the property")).collect();
            list.push(exhausted(system, property, *steps));
            list
        }
    };
    list.push(initial_state(system));
    list.push(transition(system));
    list.push(negated_property(system, property));
    list
}

/// An execution of some steps: declarations, initial state, transitions, constraints.
fn execution<'s>(mut script: Script<'s>, last: usize, text: &mut String) -> Script<'s> {
    for step in 0..=last {
        script.step(step, text);
        if step == 0 {
            script.initial(text);
        } else {
            script.transition(step - 1, text);
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
    let mut script = execution(Script::about(system, &[list]), depth, &mut text);
    let holds = script.conjunction(depth, list, &mut text);
    let _ = writeln!(text, "(assert (not {holds}))");
    Obligation {
        name: format!("base-{depth}"),
        meaning: format!("{what} holds at step {depth} of every execution"),
        expected: Expected::Unsat,
        text,
    }
}

/// After k steps at which the predicates hold, they hold once more; with
/// compression, if all k+1 steps are in different states.
///
/// Compression is sound because a shortest execution that ends in a failure
/// repeats no state: what lies between two equal states can be cut out. The
/// states are those of all memories that the predicates and the constraints
/// depend on, which is what makes the cut an execution again.
pub(crate) fn step_case(
    system: &TransitionSystem,
    list: &[Predicate],
    k: usize,
    compression: bool,
) -> Obligation {
    let mut text = String::new();
    let mut script = Script::about(system, &[list]);
    for step in 0..=k {
        script.step(step, &mut text);
        if step > 0 {
            script.transition(step - 1, &mut text);
        }
        script.constraints(step, &mut text);
        let holds = script.conjunction(step, list, &mut text);
        let _ = match step < k {
            true => writeln!(text, "(assert {holds})"),
            false => writeln!(text, "(assert (not {holds}))"),
        };
        if compression {
            (0..step).for_each(|earlier| script.different(earlier, step, &mut text));
        }
    }
    let how = if compression { ", all in different states," } else { "" };
    Obligation {
        name: "step".into(),
        meaning: format!(
            "after {k} step{}{how} at which the invariant holds, it holds at the next",
            plural(k)
        ),
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
    let mut script = Script::about(system, &[invariants, property]);
    script.step(0, &mut text);
    script.constraints(0, &mut text);
    let holds = script.conjunction(0, invariants, &mut text);
    let goal = script.conjunction(0, property, &mut text);
    let _ = writeln!(text, "(assert {holds})\n(assert (not {goal}))");
    Obligation {
        name: "implication".into(),
        meaning: "the invariant implies the property".into(),
        expected: Expected::Unsat,
        text,
    }
}

/// No execution has a step with this number.
pub(crate) fn blocked(system: &TransitionSystem, step: usize) -> Obligation {
    let mut text = String::new();
    execution(Script::about(system, &[]), step, &mut text);
    Obligation {
        name: "blocked".into(),
        meaning: format!("no execution has a step {step}"),
        expected: Expected::Unsat,
        text,
    }
}

/// No execution has this many steps and one more, all in different states.
/// Then every state that can take a step is reached within that many steps:
/// a shortest way to it repeats no state.
pub(crate) fn exhausted(
    system: &TransitionSystem,
    property: &[Predicate],
    steps: usize,
) -> Obligation {
    let mut text = String::new();
    let script = execution(Script::about(system, &[property]), steps, &mut text);
    for second in 1..=steps {
        (0..second).for_each(|first| script.different(first, second, &mut text));
    }
    Obligation {
        name: "exhausted".into(),
        meaning: format!(
            "no execution has {} step{} in different states",
            steps + 1,
            plural(steps + 1)
        ),
        expected: Expected::Unsat,
        text,
    }
}

fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

pub(crate) fn initial_state(system: &TransitionSystem) -> Obligation {
    let mut text = String::new();
    execution(Script::whole(system), 0, &mut text);
    Obligation {
        name: "initial".into(),
        meaning: "there is an execution of one step".into(),
        expected: Expected::Sat,
        text,
    }
}

fn transition(system: &TransitionSystem) -> Obligation {
    let mut text = String::new();
    let mut script = Script::whole(system);
    script.step(0, &mut text);
    script.step(1, &mut text);
    script.transition(0, &mut text);
    script.constraints(0, &mut text);
    script.constraints(1, &mut text);
    Obligation {
        name: "transition".into(),
        meaning: "some state has a successor".into(),
        expected: Expected::Sat,
        text,
    }
}

fn negated_property(system: &TransitionSystem, property: &[Predicate]) -> Obligation {
    let mut text = String::new();
    let mut script = Script::whole(system);
    script.step(0, &mut text);
    let holds = script.conjunction(0, property, &mut text);
    let _ = writeln!(text, "(assert (not {holds}))");
    Obligation {
        name: "negation".into(),
        meaning: "in some state, reachable or not, the property fails".into(),
        expected: Expected::Sat,
        text,
    }
}
