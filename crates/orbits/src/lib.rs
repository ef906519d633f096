//! Invariants and executions of finite instances of protocols, whatever their elements are called.
//!
//! A clause about some elements of an instance stands for all that it becomes when elements are
//! renamed: its orbit. An invariant of orbits is what a quantified invariant is at this size, so it
//! is worth trying at all sizes (`lustral_quantified::lift`).
//!
//! Nothing here is trusted: invariants are proved for all sizes by others, executions are
//! replayed.

mod atoms;
mod encode;
mod frames;
mod ic3;
mod pattern;
mod primal_dual;
mod samples;
mod small;
mod system;
mod together;

use std::collections::BTreeSet;

use lustral_base::Cancel;
use lustral_first_order::Universe;
use lustral_protocol::Protocol;
use lustral_protocol::instance::Execution;
use lustral_quantified::Clause;

use frames::{FOREVER, Frames, Stopped};
use ic3::{Decided, Ic3};
pub use pattern::Pattern;
pub use primal_dual::{PrimalDual, primal_dual};
use system::System;

/// What no state is in that can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learned {
    /// As literals over variables.
    pub pattern: Pattern,
    /// Some of it as a clause about elements.
    pub clause: Clause,
}

/// What was found of an instance.
#[derive(Clone, Debug)]
pub enum Found {
    /// The properties hold, by patterns that are inductive.
    Holds(Vec<Learned>),
    /// At the end of an execution some of the properties fails.
    Fails(Box<Execution>),
    /// There is no first state.
    Empty,
    /// It was stopped.
    Stopped,
    /// The instance has too many parts.
    TooLarge,
}

/// What is asked of an instance.
#[derive(Clone, Debug)]
pub struct Question {
    /// The numbers of the elements.
    pub universe: Universe,
    /// The numbers of the safety properties that are asked about.
    pub open: BTreeSet<usize>,
    /// The numbers of those that are known to hold: of all states of which is spoken.
    pub known: BTreeSet<usize>,
    /// After so many questions to the solver small clauses are tried, all of them at once.
    pub patience: usize,
}

/// After so many questions IC3 alone has mostly not much more to say: many small facts are lacking that need each
/// other.
pub const PATIENCE: usize = 8_000;

/// Looks for an invariant of an instance, and for an execution at the end of which one of some
/// properties fails. It begins with patterns that are perhaps invariant.
#[must_use]
pub fn search(
    protocol: &Protocol,
    question: &Question,
    lemmas: &[Pattern],
    cancel: &Cancel,
) -> Found {
    match asked(protocol, question, cancel) {
        Some(mut frames) => decide(&mut frames, question, lemmas).unwrap_or(Found::Stopped),
        None => Found::TooLarge,
    }
}

/// Whether an instance has a first state. Nothing if it has too many parts, or the work is stopped.
#[must_use]
pub fn begins(protocol: &Protocol, universe: &Universe, cancel: &Cancel) -> Option<bool> {
    let system = System::new(protocol, universe.clone(), cancel).ok()?;
    Frames::new(system).begins().ok()
}

/// The questions about an instance, all about states in which what is known holds; nothing if it has
/// too many parts.
fn asked<'p>(protocol: &'p Protocol, question: &Question, cancel: &Cancel) -> Option<Frames<'p>> {
    let mut system = System::new(protocol, question.universe.clone(), cancel).ok()?;
    for known in &question.known {
        system.solver.add(&[system.properties[*known]]);
    }
    Some(Frames::new(system))
}

fn decide(
    frames: &mut Frames<'_>,
    question: &Question,
    lemmas: &[Pattern],
) -> Result<Found, Stopped> {
    if !frames.begins()? {
        return Ok(Found::Empty);
    }
    frames.begin_with(lemmas)?;
    let chosen = question.open.iter().map(|p| frames.system.properties[*p]).collect();
    let property = encode::conjunction(&mut frames.system.solver, chosen);
    let decided = Ic3::new(frames, property, question.patience).run()?;
    tracing::info!(
        questions = frames.questions,
        conflicts = frames.system.solver.conflicts(),
        "an instance"
    );
    Ok(match decided {
        Decided::Holds => {
            let atoms = &frames.system.atoms;
            let learned = frames.blocked.iter().filter(|b| b.level == FOREVER).filter_map(|b| {
                let clause = atoms.clause(b.shape.each.first()?);
                Some(Learned { pattern: b.shape.pattern.clone(), clause })
            });
            Found::Holds(learned.collect())
        }
        Decided::Fails(execution) => Found::Fails(Box::new(execution)),
    })
}

/// Those of some patterns that are inductive together in an instance, and whether they show that the properties
/// hold. Nothing if it is not known.
#[must_use]
pub fn inductive(
    protocol: &Protocol,
    question: &Question,
    patterns: &[Pattern],
    cancel: &Cancel,
) -> Option<(Vec<Pattern>, bool)> {
    let mut frames = asked(protocol, question, cancel)?;
    frames.begin_with(patterns).ok()?;
    let chosen = question.open.iter().map(|p| frames.system.properties[*p]).collect();
    let property = encode::conjunction(&mut frames.system.solver, chosen);
    let shown = !frames.fails(FOREVER, property).ok()?;
    let kept = frames.blocked.into_iter().map(|blocked| blocked.shape.pattern);
    Some((kept.collect(), shown))
}
