//! All sizes, by sizes that grow where that makes a difference.
//!
//! What was found to be an invariant of one instance is tried with one element more of each sort. Where
//! it is no longer one, that is the next size to be looked at; where it is one everywhere, it may be
//! one of all sizes.

use lustral_base::profile::measured;
use lustral_coordinator::{Broken, within};
use lustral_first_order::Universe;
use lustral_orbits::{Found, Learned, is_inductive, search};
use lustral_protocol::instance::Execution;
use lustral_protocol::replay;
use lustral_quantified::lift;
use lustral_report::ProtocolVerdict;
use lustral_system::Reason;

use super::{CheckProtocol, Looking, Stage, inconclusive, sizes_text};

impl CheckProtocol {
    /// Looks at the next size, and then at all.
    pub(super) fn grow(&mut self, looking: Box<Looking>) -> Option<Stage> {
        let universe = looking.next.clone();
        let found = {
            let (protocol, universe) = (looking.protocol.clone(), universe.clone());
            let (open, lemmas) = (looking.open.clone(), looking.patterns.clone());
            let cancel = self.work.cancel.clone();
            let work = move || search(&protocol, &universe, &open, &lemmas, &cancel);
            measured("instances", || within(&self.work.cancel, work))
        };
        match found {
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

    /// Some property fails at the end of an execution: the evaluator says which.
    fn refuted(&mut self, mut looking: Box<Looking>, execution: &Execution) -> Option<Stage> {
        let mut why = None;
        let before = looking.open.len();
        for property in looking.open.clone() {
            match replay(&looking.protocol, execution, property) {
                Ok(replayed) => {
                    let run = self.run_info();
                    let subject = self.subject(&looking, property);
                    let verdict = ProtocolVerdict::falsifiable(subject, &replayed, &run);
                    self.tell(&mut looking, property, verdict);
                }
                Err(unreplayed) => why = Some(unreplayed),
            }
        }
        match why {
            _ if looking.open.is_empty() => None,
            Some(why) if looking.open.len() == before => {
                self.give_up(&looking, &Reason::CheckFailed(why.to_string()))
            }
            _ => Some(Stage::Grow(looking)),
        }
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
        looking.patterns = learned.iter().map(|one| one.pattern.clone()).collect();
        if let Some(next) = self.refuting_size(&looking, one_more(&universe)) {
            looking.next = next;
            return Some(Stage::Grow(looking));
        }
        if self.work.cancel.cause().is_none() {
            let signature = looking.protocol.signature.clone();
            let patterns = looking.patterns.iter();
            looking.candidates.extend(patterns.map(|pattern| pattern.formula(&signature)));
            let clauses = learned.iter().map(|one| &one.clause);
            looking.candidates.extend(clauses.flat_map(|c| lift(&signature, &universe, c)));
            self.all_sizes(&mut looking);
        }
        if looking.open.is_empty() {
            return None;
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
            let (protocol, universe) = (looking.protocol.clone(), next.clone());
            let (open, patterns) = (looking.open.clone(), looking.patterns.clone());
            let cancel = self.work.cancel.clone();
            let work = move || is_inductive(&protocol, &universe, &open, &patterns, &cancel);
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

fn more(universe: &Universe, sorts: &[usize]) -> Universe {
    let mut sizes = universe.sizes().to_vec();
    sorts.iter().for_each(|sort| sizes[*sort] += 1);
    Universe::new(sizes)
}
