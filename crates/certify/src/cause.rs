//! The cause of a counterexample: values of it with which the property fails at its last step, whatever
//! all others are.
//!
//! Nobody is believed about it. That these values are enough is one query, from scratch: no execution
//! of so many steps has them and a last step at which the property holds. That a change would have kept
//! the property from failing is seen by running the interpreter on the changed execution.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use lustral_smt::smtlib::value_text;
use lustral_system::{Goal, Predicate, PropId, Question, Trace, TransitionSystem};
use lustral_term::{Operator, Partial, Terms, Value, VarId};

use crate::obligations::{Expected, Obligation};
use crate::proof::ProofChecker;
use crate::queries::execution;
use crate::script::Script;
use crate::{Answer, Checked, Context, Replay};

/// The work of the solver for the query, in its own units.
const WORK: u32 = 4_000_000;

/// Values of a counterexample with which the property fails at its last step, whatever the others are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    values: Vec<(usize, VarId)>,
    divisions: Vec<Question>,
    /// Whether none of them can be left out, as those say who found it.
    pub minimal: bool,
    saved: Option<Vec<Change>>,
}

/// Another value of an input or a choice at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The step.
    pub step: usize,
    /// The input or choice.
    pub var: VarId,
    /// The value.
    pub value: Value,
}

impl Cause {
    /// The values: inputs and choices, by step.
    #[must_use]
    pub fn values(&self) -> &[(usize, VarId)] {
        &self.values
    }

    /// The divisions by zero whose results are part of it.
    #[must_use]
    pub fn divisions(&self) -> &[Question] {
        &self.divisions
    }

    /// A change of the execution with which the property holds at all its steps.
    #[must_use]
    pub fn saved(&self) -> Option<&[Change]> {
        self.saved.as_deref()
    }
}

/// What is claimed to be a cause.
#[derive(Clone, Debug)]
pub struct ClaimedCause {
    /// Inputs and choices, by step and variable.
    pub values: Vec<(usize, VarId)>,
    /// Divisions by zero.
    pub divisions: Vec<Question>,
    /// Whether none of them can be left out.
    pub minimal: bool,
    /// A change that would have kept the property from failing.
    pub saved: Option<(Vec<Change>, lustral_system::Answers)>,
}

impl Checked<Answer> {
    /// Of a counterexample, its cause, if that was found and is one.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        self.about.cause.as_ref()
    }
}

impl ProofChecker {
    /// A counterexample with its cause, if what is claimed is one; else as it is.
    #[must_use]
    pub fn with_cause(
        &mut self,
        context: Context<'_>,
        mut answer: Checked<Answer>,
        claimed: ClaimedCause,
        time: Duration,
    ) -> Checked<Answer> {
        let (system, property) = (context.system, answer.property());
        let Answer::Falsifiable(trace) = answer.get() else { return answer };
        if system.property(property).goal != Goal::Always {
            return answer;
        }
        let time = (!lustral_base::schedule::is_counted()).then_some(time);
        let query = forced(system, property, trace, &claimed);
        if self.try_one("cause", &query, time, WORK).is_err() {
            return answer;
        }
        let ClaimedCause { values, divisions, minimal, saved } = claimed;
        let saved =
            saved.filter(|(changes, answers)| saves(context, property, trace, changes, answers));
        let saved = saved.map(|(changes, _)| changes);
        answer.about.cause = Some(Cause { values, divisions, minimal, saved });
        answer
    }
}

/// No execution has these values and ends with a step at which the property holds.
fn forced(
    system: &TransitionSystem,
    property: PropId,
    trace: &Trace,
    claimed: &ClaimedCause,
) -> Obligation {
    let terms = Arc::new(system.terms.clone());
    let goal = [Predicate { terms, term: system.property(property).term }];
    let last = trace.len() - 1;
    let mut text = String::new();
    let mut script = execution(Script::about(system, &[&goal], &[]), last, &mut text);
    for (step, var) in &claimed.values {
        // What nothing depends on is not declared, and what is not asserted is not used.
        if *step <= last && script.has(*var) {
            let (name, value) = (Script::name(*step, *var), value_text(trace.value(*step, *var)));
            let _ = writeln!(text, "(assert (= {name} {value}))");
        }
    }
    let given: Vec<Predicate> =
        claimed.divisions.iter().filter_map(|question| division(question, trace)).collect();
    let given = script.conjunction(last, &given, &mut text);
    let holds = script.conjunction(last, &goal, &mut text);
    let _ = writeln!(text, "(assert {given})\n(assert {holds})");
    Obligation {
        name: "cause".into(),
        meaning: format!("with these values the property fails at step {last}"),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

/// That a division by zero gave what it gave.
fn division(question: &Question, trace: &Trace) -> Option<Predicate> {
    let Question::Division(operation, dividend) = question else { return None };
    let value = trace.answers.0.get(question)?;
    let mut terms = Terms::new();
    let (a, zero) =
        (terms.constant(dividend.clone()), terms.constant(Value::zero(dividend.sort())));
    let operator = match operation {
        Partial::IntDiv => Operator::IntDiv,
        Partial::Mod => Operator::Mod,
        Partial::RealDiv => Operator::RealDiv,
    };
    let quotient = (operator.entry().construct)(&mut terms, operator, &[a, zero]);
    let value = terms.constant(value.clone());
    let term = terms.eq(quotient, value);
    Some(Predicate { terms: Arc::new(terms), term })
}

/// Whether the property holds at all steps of a changed execution, which is one of the program.
fn saves(
    context: Context<'_>,
    property: PropId,
    trace: &Trace,
    changes: &[Change],
    answers: &lustral_system::Answers,
) -> bool {
    let given = |step, var| {
        let changed = changes.iter().find(|change| (change.step, change.var) == (step, var));
        changed.map_or_else(|| trace.value(step, var).clone(), |change| change.value.clone())
    };
    let changed = Trace::run(context.system, trace.len(), answers.clone(), given);
    !changes.is_empty() && Replay::new(context, changed).is_ok_and(|run| run.holds(property))
}
