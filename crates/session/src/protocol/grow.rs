//! All sizes, by sizes that grow where that makes a difference.
//!
//! What was found to be an invariant of one instance is tried with one element more of each sort. Where
//! it is no longer one, that is the next size to be looked at; where it is one everywhere, it may be
//! one of all sizes.

use std::collections::BTreeSet;
use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Broken, NoResult, within};
use lustral_first_order::Universe;
use lustral_orbits::{Found, Learned, Question, is_inductive, search};
use lustral_protocol::instance::Execution;
use lustral_protocol::replay;
use lustral_quantified::lift;
use lustral_report::ProtocolVerdict;
use lustral_system::Reason;

use super::all_sizes::QUERY;
use super::{CheckProtocol, Looking, Stage, inconclusive, sizes_text};

/// How long the invariant of an instance is tried at all sizes although larger instances refute it, at most, and
/// how long each question about that may take: mostly larger instances have more to say.
const EARLY: Duration = Duration::from_secs(10);
const EARLY_QUERY: Duration = Duration::from_secs(2);

impl CheckProtocol {
    /// Looks at the next size, and then at all.
    pub(super) fn grow(&mut self, looking: Box<Looking>) -> Option<Stage> {
        let universe = looking.next.clone();
        let cancel = self.work.cancel.clone();
        match self.searched(&looking, universe.clone(), looking.focus(), &cancel) {
            Err(why) => self.stopped(&looking, Broken { stage: "instance", why }),
            Ok(Found::Stopped | Found::Empty) => self.larger(looking),
            Ok(Found::TooLarge) => {
                let sizes = sizes_text(&looking.protocol, &universe);
                let text = format!("the instance with {sizes} is too large to be written out");
                self.give_up(&looking, &inconclusive("too_large", text))
            }
            Ok(Found::Fails(execution)) => self.refuted(looking, &execution),
            Ok(Found::Holds(learned)) => self.held(looking, universe, &learned),
        }
    }

    /// What is found of some properties at a size.
    pub(super) fn searched(
        &self,
        looking: &Looking,
        universe: Universe,
        open: BTreeSet<usize>,
        cancel: &Cancel,
    ) -> Result<Found, NoResult> {
        let (protocol, lemmas) = (looking.protocol.clone(), looking.patterns.clone());
        let question = Question { universe, open, known: looking.proved.clone() };
        let inner = cancel.clone();
        let work = move || search(&protocol, &question, &lemmas, &inner);
        measured("instances", || within(cancel, work))
    }

    /// Goes on after an execution at the end of which some property fails.
    fn refuted(&mut self, mut looking: Box<Looking>, execution: &Execution) -> Option<Stage> {
        let before = looking.focus();
        match self.refute(&mut looking, execution) {
            Err(why) => self.give_up(&looking, &Reason::CheckFailed(why)),
            Ok(()) if looking.open.is_empty() => None,
            Ok(()) => Some(self.again(looking, &before)),
        }
    }

    /// Some property fails at the end of an execution: the evaluator says which.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn refute(
        &mut self,
        looking: &mut Looking,
        execution: &Execution,
    ) -> Result<(), String> {
        let mut why = String::new();
        let before = looking.open.len();
        for property in looking.open.clone() {
            match replay(&looking.protocol, execution, property) {
                Ok(replayed) => {
                    let run = self.run_info();
                    let subject = self.subject(looking, property);
                    let verdict = ProtocolVerdict::falsifiable(subject, &replayed, &run);
                    self.tell(looking, property, verdict);
                }
                Err(unreplayed) => why = unreplayed.to_string(),
            }
        }
        if looking.open.len() < before { Ok(()) } else { Err(why) }
    }

    /// Goes on with what is left, if something is.
    fn after(&self, looking: Box<Looking>, before: &BTreeSet<usize>) -> Option<Stage> {
        (!looking.open.is_empty()).then(|| self.again(looking, before))
    }

    /// Goes on at the same size; if others are looked for from now on, at the first.
    fn again(&self, mut looking: Box<Looking>, before: &BTreeSet<usize>) -> Stage {
        if looking.focus().is_disjoint(before) {
            looking.next = looking.first.clone();
        }
        Stage::Grow(looking)
    }

    /// All that is open holds at a size, by what was learned.
    fn held(
        &mut self,
        mut looking: Box<Looking>,
        universe: Universe,
        learned: &[Learned],
    ) -> Option<Stage> {
        let sizes = sizes_text(&looking.protocol, &universe);
        tracing::info!(%sizes, patterns = learned.len(), "an instance holds");
        let before = looking.focus();
        looking.searched.push((universe.clone(), before.clone()));
        looking.patterns = learned.iter().map(|one| one.pattern.clone()).collect();
        let signature = looking.protocol.signature.clone();
        let lifted = |learned: &Learned| lift(&signature, &universe, &learned.clause);
        let found: Vec<_> =
            looking.patterns.iter().map(|pattern| pattern.formula(&signature)).collect();
        let lifted: Vec<_> = found.into_iter().chain(learned.iter().flat_map(lifted)).collect();
        // Where facts are known that no instance shows, what is lacking may be here, although the invariant of
        // the instance is none of larger ones.
        if looking.has_reasons {
            let known = looking.candidates.clone();
            looking.candidates.extend(lifted.iter().cloned());
            let part = self.work.cancel.child_until(self.part_of_time(10, Some(EARLY)));
            self.all_sizes(&mut looking, &part, EARLY_QUERY);
            looking.candidates = known;
            if looking.focus().is_disjoint(&before) {
                return self.after(looking, &before);
            }
        }
        if let Some(next) = self.refuting_size(&looking, one_more(&universe)) {
            looking.next = next;
            return Some(Stage::Grow(looking));
        }
        if self.work.cancel.cause().is_none() {
            looking.candidates.extend(lifted);
            let cancel = self.work.cancel.clone();
            self.all_sizes(&mut looking, &cancel, QUERY);
        }
        if looking.focus().is_disjoint(&before) {
            return self.after(looking, &before);
        }
        // One element more makes no difference; of two sorts at once it may.
        match self.refuting_size(&looking, two_more(&universe)) {
            Some(next) => {
                looking.next = next;
                Some(Stage::Grow(looking))
            }
            None => self.larger(looking),
        }
    }

    /// The first of some sizes at which the patterns no longer show what is open.
    fn refuting_size(&mut self, looking: &Looking, sizes: Vec<Universe>) -> Option<Universe> {
        for next in sizes {
            let (protocol, patterns) = (looking.protocol.clone(), looking.patterns.clone());
            let (open, known) = (looking.focus(), looking.proved.clone());
            let question = Question { universe: next.clone(), open, known };
            let cancel = self.work.cancel.clone();
            let work = move || is_inductive(&protocol, &question, &patterns, &cancel);
            if within(&self.work.cancel, work).ok()? == Some(false) {
                return Some(next);
            }
        }
        None
    }
}

/// The sizes with one element more, of the sort with the fewest elements first.
fn one_more(universe: &Universe) -> Vec<Universe> {
    let mut sorts: Vec<usize> = (0..universe.sizes().len()).collect();
    sorts.sort_by_key(|sort| universe.sizes()[*sort]);
    sorts.into_iter().map(|sort| more(universe, &[sort])).collect()
}

/// The sizes with one element more of two sorts, or two of one.
fn two_more(universe: &Universe) -> Vec<Universe> {
    let number = universe.sizes().len();
    let pairs = (0..number).flat_map(|b| (0..=b).map(move |a| [a, b]));
    pairs.map(|pair| more(universe, &pair)).collect()
}

/// The size with one element more of each of some sorts.
pub(super) fn more(universe: &Universe, sorts: &[usize]) -> Universe {
    let mut sizes = universe.sizes().to_vec();
    sorts.iter().for_each(|sort| sizes[*sort] += 1);
    Universe::new(sizes)
}
