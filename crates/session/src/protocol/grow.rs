//! All sizes, by sizes that grow where that makes a difference.
//!
//! What was found to be an invariant of one instance is tried with one element more of each sort. Where
//! it is no longer one, that is the next size to be looked at; where it is one everywhere, it may be
//! one of all sizes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Broken, NoResult, within};
use lustral_first_order::{Formula, Universe};
use lustral_orbits::{Found, Learned, PATIENCE, Pattern, Question, inductive, search};
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
        let question =
            Question { universe, open, known: looking.proved.clone(), patience: PATIENCE };
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
        let kept = match self.tried_at(&looking, one_more(&universe)) {
            Tried::Refuted(next) => {
                looking.next = next;
                return Some(Stage::Grow(looking));
            }
            Tried::Kept(kept) => kept,
        };
        let kept: Vec<_> = kept.iter().map(|pattern| pattern.formula(&signature)).collect();
        self.shown_at_all(&mut looking, &before, kept, lifted);
        if looking.focus().is_disjoint(&before) {
            return self.after(looking, &before);
        }
        // One element more makes no difference; of two sorts at once it may.
        match self.tried_at(&looking, two_more(&universe)) {
            Tried::Refuted(next) => {
                looking.next = next;
                Some(Stage::Grow(looking))
            }
            Tried::Kept(_) => self.larger(looking),
        }
    }

    /// Sees what follows for all sizes: from what larger instances keep, which is universal and so easy to ask about; with
    /// what is known beside it, which has quantifiers inside of quantifiers; and with all that holds in the instance.
    fn shown_at_all(
        &mut self,
        looking: &mut Looking,
        focus: &BTreeSet<usize>,
        kept: Vec<Formula>,
        lifted: Vec<Formula>,
    ) {
        let known = std::mem::take(&mut looking.candidates);
        let stated = looking.protocol.safety.iter().map(|stated| stated.formula.clone());
        looking.candidates.extend(stated.chain(kept.iter().cloned()));
        let mut known = Some(known);
        for more in [Vec::new(), kept, lifted] {
            if self.work.cancel.cause().is_none() && !looking.focus().is_disjoint(focus) {
                looking.candidates.extend(more);
                let cancel = self.work.cancel.clone();
                // Much time is left: what is not known after a part of it takes a while.
                let part = self.part_of_time(60, None).map(|end| end - Instant::now());
                self.all_sizes(looking, &cancel, part.unwrap_or(QUERY).max(QUERY));
            }
            if let Some(known) = known.take() {
                looking.candidates = known;
            }
        }
    }

    /// Tries the patterns at some sizes.
    fn tried_at(&mut self, looking: &Looking, sizes: Vec<Universe>) -> Tried {
        let mut left = looking.patterns.clone();
        for next in sizes {
            let (protocol, patterns) = (looking.protocol.clone(), looking.patterns.clone());
            let (open, known) = (looking.focus(), looking.proved.clone());
            let question = Question { universe: next.clone(), open, known, patience: PATIENCE };
            let cancel = self.work.cancel.clone();
            let work = move || inductive(&protocol, &question, &patterns, &cancel);
            match within(&self.work.cancel, work) {
                Ok(Some((_, false))) => return Tried::Refuted(next),
                Ok(Some((kept, true))) => left.retain(|pattern| kept.contains(pattern)),
                Ok(None) => {}
                Err(_) => break,
            }
        }
        Tried::Kept(left)
    }
}

/// What became of patterns at some sizes.
enum Tried {
    /// Here they no longer show what is open.
    Refuted(Universe),
    /// These are inductive at all of them, and show what is open.
    Kept(Vec<Pattern>),
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
