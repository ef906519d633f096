//! What is known before sizes grow: whether there is a first state at all, what is inductive as it is
//! stated, and what of the rest fails with few elements.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_coordinator::{Broken, within};
use lustral_first_order::{Formula, Universe};
use lustral_orbits::{Found, begins};
use lustral_protocol::Protocol;
use lustral_quantified::{Limits, contradiction, dead, reasons};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Diagnostics};

use crate::event::{Diagnosed, Ending, Event};

use super::grow::more;
use super::{CheckProtocol, Looking, Stage, inconclusive};

/// A question about what is stated takes no longer: what is meant to be inductive mostly is so at
/// once, and there are other ways if it is not.
const QUERY: Duration = Duration::from_secs(2);

/// No more sizes are searched for a first state, with no more elements of a sort.
const MOST_SIZES: usize = 100;
const MOST_ELEMENTS: u32 = 8;

/// How long small instances are searched for what refutes stated invariants, at most.
const SMALL: Duration = Duration::from_secs(3);

impl CheckProtocol {
    /// Warns of transitions that are never possible.
    pub(super) fn warn(&mut self, looking: Box<Looking>) -> Option<Stage> {
        self.discard_certificates(&looking);
        let limits = Limits { query: QUERY, cancel: self.work.cancel.clone() };
        let protocol = looking.protocol.clone();
        let found = within(&self.work.cancel, move || dead(&protocol, &limits)).unwrap_or_default();
        let mut warnings = Diagnostics::new();
        for transition in found.into_iter().map(|number| &looking.protocol.transitions[number]) {
            let message = format!("`{}` is never possible: it contradicts itself", transition.name);
            let help = "what a transition does is said by `new(…)`; all else is what it requires";
            let place = transition.span;
            warnings.push(Diagnostic::warning(Code::DeadTransition, place, message).help(help));
        }
        let list = self.work.log.levels.apply(&warnings);
        let is_wrong = list.has_errors();
        if list.iter().next().is_some() {
            let sources = looking.sources.clone();
            self.work.log.waiting.push_back(Event::Diagnostics(Diagnosed { sources, list }));
        }
        if is_wrong {
            self.work.log.ending = Ending::Rejected;
            return None;
        }
        Some(if looking.asked { Stage::Look(looking) } else { Stage::Claims(looking) })
    }

    /// Looks for the smallest sizes with a first state.
    pub(super) fn first(&mut self, mut looking: Box<Looking>) -> Option<Stage> {
        let (protocol, cancel) = (looking.protocol.clone(), self.work.cancel.clone());
        match within(&self.work.cancel, move || beginning(&protocol, &cancel)) {
            Err(why) => self.stopped(&looking, Broken { stage: "first state", why }),
            Ok(Beginning::With(universe)) => {
                looking.first = universe.clone();
                looking.next = universe;
                Some(if self.only_primal_dual() {
                    Stage::PrimalDual(looking)
                } else {
                    Stage::Stated(looking)
                })
            }
            Ok(Beginning::Contradiction(names)) => {
                let (last, others) = names.split_last()?;
                let which = match others {
                    [] => format!("{last} contradicts itself"),
                    _ => format!("{} and {last} contradict each other", others.join(", ")),
                };
                let text = format!("vacuous: there is no first state of any size: {which}");
                self.give_up(&looking, &inconclusive("vacuous", text))
            }
            Ok(Beginning::Unknown) => {
                let text = "no first state with few elements was found: `init` and the axioms may \
                            contradict each other, or ask for very many elements";
                self.give_up(&looking, &inconclusive("no_first_state", text.into()))
            }
        }
    }

    /// Proves what is inductive as it is stated, and refutes what fails with few elements.
    pub(super) fn stated(&mut self, mut looking: Box<Looking>) -> Option<Stage> {
        let part = self.work.cancel.child_until(self.part_of_time(2, None));
        self.all_sizes(&mut looking, &part, QUERY);
        if !looking.open.is_empty() {
            self.reasons(&mut looking);
        }
        if looking.open.iter().any(|property| *property >= looking.safety) {
            self.small(&mut looking);
        }
        if looking.open.is_empty() { None } else { Some(self.stage(looking)) }
    }

    /// Adds those of the reasons why something is in a relation that are inductive with what is known. The
    /// others would make the questions of all that comes later harder.
    fn reasons(&mut self, looking: &mut Looking) {
        let known = looking.candidates.clone();
        let reasons = reasons(&looking.protocol);
        looking.candidates.extend(reasons.iter().cloned());
        let part = self.work.cancel.child_until(self.part_of_time(5, None));
        self.all_sizes(looking, &part, QUERY);
        let kept = |reason: &Formula| looking.kept.facts().contains(reason);
        let reasons: Vec<Formula> = reasons.into_iter().filter(kept).collect();
        looking.has_reasons = !reasons.is_empty();
        looking.candidates = known;
        looking.candidates.extend(reasons);
    }

    /// A part of the time that is left, and no more than some.
    pub(super) fn part_of_time(&self, divisor: u32, most: Option<Duration>) -> Option<Instant> {
        let now = Instant::now();
        let part = self.work.cancel.deadline().map(|end| end.duration_since(now) / divisor);
        part.into_iter().chain(most).min().map(|time| now + time)
    }

    /// Looks for executions of instances with few elements. A stated invariant that is wrong is mostly
    /// wrong there.
    fn small(&mut self, looking: &mut Looking) {
        let limited = self.work.cancel.child_until(self.part_of_time(10, Some(SMALL)));
        let every: Vec<usize> = (0..looking.first.sizes().len()).collect();
        for universe in [looking.first.clone(), more(&looking.first, &every)] {
            while !looking.open.is_empty() {
                let open = looking.open.clone();
                match self.searched(looking, universe.clone(), open.clone(), &limited) {
                    Ok(Found::Fails(execution)) if self.refute(looking, &execution).is_ok() => {}
                    Ok(Found::Holds(_)) => {
                        looking.searched.push((universe.clone(), open));
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
}

/// What is known of first states.
enum Beginning {
    /// There is one with these elements.
    With(Universe),
    /// There is none, since these contradict each other.
    Contradiction(Vec<String>),
    /// None was found.
    Unknown,
}

/// Tries sizes, those with few elements first. If there is no first state with the fewest, a solver is asked
/// whether there is any.
fn beginning(protocol: &Protocol, cancel: &Cancel) -> Beginning {
    for (tried, universe) in few_elements(protocol).take(MOST_SIZES).enumerate() {
        if begins(protocol, &universe, cancel) == Some(true) {
            return Beginning::With(universe);
        }
        if tried == 0 {
            let limits = Limits { query: QUERY, cancel: cancel.clone() };
            if let Some(names) = contradiction(protocol, &limits) {
                return Beginning::Contradiction(names);
            }
        }
    }
    Beginning::Unknown
}

/// Sizes, those with the fewest elements of all sorts together first.
pub(super) fn few_elements(protocol: &Protocol) -> impl Iterator<Item = Universe> + use<> {
    let smallest = vec![1; protocol.signature.sorts.len()];
    let mut next = BTreeSet::from([(0, smallest)]);
    std::iter::from_fn(move || {
        let (number, sizes) = next.pop_first()?;
        let universe = Universe::new(sizes);
        for sort in 0..universe.sizes().len() {
            if universe.sizes()[sort] < MOST_ELEMENTS {
                next.insert((number + 1, more(&universe, &[sort]).sizes().to_vec()));
            }
        }
        Some(universe)
    })
}
