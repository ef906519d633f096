//! Summaries that say less of the state: the rank of what is left in them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{Checked, NodeClauses, NodeModel, ProofChecker};
use lustral_engines::LearnOptions;
use lustral_horn::{Definition, Model, ModularClauses, Place, given_main, lift, without_arguments};
use lustral_system::Modular;
use lustral_term::Sort;

use super::smallest::smallest_arguments;
use super::spacer::{Asking, Modelled};

/// The time for finding out what refutes spurious traces.
const TRACES: Duration = Duration::from_secs(5);

/// How much state there is: numbers, and bits. Numbers count first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Rank {
    /// Numbers.
    pub numbers: usize,
    /// Bits.
    pub bits: usize,
}

impl Rank {
    fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Bool => self.bits += 1,
            _ => self.numbers += 1,
        }
    }

    /// How much this is of all the state that there is, for people.
    #[must_use]
    pub fn of(self, all: Rank) -> String {
        if all == Rank::default() {
            return "no state: there is none".into();
        }
        let part = |some: usize, all: usize, word: &str| {
            (all > 0).then(|| format!("{some} of {all} {word}{}", if all == 1 { "" } else { "s" }))
        };
        let numbers = part(self.numbers, all.numbers, "number");
        let bits = part(self.bits, all.bits, "bit");
        let parts: Vec<String> = numbers.into_iter().chain(bits).collect();
        format!("{} in the state", parts.join(" and "))
    }
}

impl From<Rank> for [usize; 2] {
    fn from(rank: Rank) -> [usize; 2] {
        [rank.numbers, rank.bits]
    }
}

/// A part of the state of a node, by its position.
type Part = (usize, usize);

/// What came of making summaries say less.
#[derive(Clone, Debug)]
pub struct Minimised {
    /// Each node with the rank of its state, and of what its summaries speak of.
    pub ranks: Vec<(Rank, Rank)>,
    /// Whether no summaries of a lower rank imply what is said of the program's
    /// steps.
    pub smallest: bool,
}

/// Leaves parts of the states of nodes out of their summaries, as long as there
/// are summaries that imply what is said of the program's steps.
///
/// First all state is left out, and of it the part of the lowest rank restored
/// that refutes all spurious traces. Where Spacer finds no summaries with that
/// in time, or it is not known, the rest is left out in halves and halves of
/// halves, so that at the end no part can be left out alone. Whatever was left
/// out, summaries count only after they were checked on the clauses as they are.
pub(super) fn minimise(
    clauses: &Arc<NodeClauses>,
    model: &mut Checked<NodeModel>,
    checker: &mut ProofChecker,
    asking: &Asking,
    learning: &LearnOptions,
) -> Minimised {
    let state = State::new(clauses.program(), clauses);
    let main = model.get().model().definitions[clauses.main].clone();
    let query = given_main(clauses, &main);
    let until = Instant::now() + TRACES;
    let until = learning.cancel.deadline().map_or(until, |deadline| deadline.min(until));
    let learning =
        LearnOptions { cancel: learning.cancel.child_until(Some(until)), ..learning.clone() };
    let part = |predicate, argument| state.number(predicate, argument);
    let known = smallest_arguments(&query, part, &state.costs(), &learning);
    let restored = |part: &Part| {
        let position = state.parts.iter().position(|p| p == part);
        known.as_ref().zip(position).is_some_and(|(known, at)| known.kept[at])
    };
    let candidates: Vec<Part> = state.parts.iter().filter(|p| !restored(p)).copied().collect();
    let mut dropped: Vec<Part> = Vec::new();
    let mut pending = match &known {
        Some(_) => vec![candidates.clone()],
        None => {
            let is_bit = |p: &Part| state.sort(p) == Sort::Bool;
            let (bits, numbers) = candidates.iter().copied().partition(is_bit);
            // The last is tried first: all numbers, then all bits.
            vec![bits, numbers]
        }
    };
    while let Some(chunk) = pending.pop() {
        if chunk.is_empty() || asking.cancel.is_cancelled() {
            continue;
        }
        let more: Vec<Part> = dropped.iter().chain(&chunk).copied().collect();
        let kept = state.kept(&more);
        let smaller = match asking.ask(&without_arguments(&query, &kept)) {
            Modelled::Model(smaller) => Some(smaller),
            Modelled::Refuted | Modelled::Unknown(_) => None,
        };
        let valid = smaller.and_then(|smaller| {
            let mut smaller = lift(&smaller, &kept);
            smaller.definitions[clauses.main] = main.clone();
            clauses.check(checker, smaller, true).ok()
        });
        match valid {
            Some(smaller) => {
                *model = smaller;
                dropped = more;
            }
            None if chunk.len() > 1 => {
                let (first, second) = chunk.split_at(chunk.len() / 2);
                pending.push(second.to_vec());
                pending.push(first.to_vec());
            }
            None => {}
        }
    }
    let all = dropped.len() == candidates.len();
    Minimised {
        ranks: state.ranks(model.get().model()),
        smallest: all && known.is_some_and(|known| known.cheapest),
    }
}

/// The state of all nodes, in parts.
struct State<'m> {
    modular: &'m Modular,
    clauses: &'m ModularClauses,
    parts: Vec<Part>,
    /// By predicate and argument: the part that it is, by number.
    numbers: Vec<Vec<Option<usize>>>,
}

impl<'m> State<'m> {
    fn new(modular: &'m Modular, clauses: &'m ModularClauses) -> State<'m> {
        let nodes = modular.nodes.iter().enumerate();
        let parts = nodes.flat_map(|(node, known)| (0..known.state.len()).map(move |s| (node, s)));
        let parts: Vec<Part> = parts.collect();
        let mut numbers: Vec<Vec<Option<usize>>> =
            clauses.clauses.predicates.iter().map(|p| vec![None; p.arguments.len()]).collect();
        let mut first = 0;
        for (node, predicates) in clauses.nodes.iter().enumerate() {
            let number = |place: &Place| match place {
                Place::Before(slot) | Place::After(slot) => Some(first + slot),
                Place::Flow(_) | Place::Flag => None,
            };
            numbers[predicates.initial] = predicates.initial_places.iter().map(number).collect();
            numbers[predicates.step] = predicates.step_places.iter().map(number).collect();
            first += modular.nodes[node].state.len();
        }
        State { modular, clauses, parts, numbers }
    }

    fn number(&self, predicate: usize, argument: usize) -> Option<usize> {
        self.numbers[predicate][argument]
    }

    fn sort(&self, (node, slot): &Part) -> Sort {
        self.modular.slot_variable(*node, self.modular.nodes[*node].state[*slot]).sort
    }

    /// What parts cost: one number is more than all bits.
    fn costs(&self) -> Vec<u64> {
        let number = 1 + self.parts.len() as u64;
        let cost = |part: &Part| if self.sort(part) == Sort::Bool { 1 } else { number };
        self.parts.iter().map(cost).collect()
    }

    /// By predicate and argument: whether it is kept.
    fn kept(&self, dropped: &[Part]) -> Vec<Vec<bool>> {
        let stays =
            |number: &Option<usize>| number.is_none_or(|n| !dropped.contains(&self.parts[n]));
        self.numbers.iter().map(|list| list.iter().map(stays).collect()).collect()
    }

    /// By node: the rank of its state, and of what a model says of its steps.
    fn ranks(&self, model: &Model) -> Vec<(Rank, Rank)> {
        let mut said = vec![false; self.parts.len()];
        for predicates in &self.clauses.nodes {
            for predicate in [predicates.initial, predicates.step] {
                let Definition { terms, term } = &model.definitions[predicate];
                let used = terms.variables([*term]).into_iter();
                let parts = used.filter_map(|var| self.number(predicate, var.index()));
                parts.for_each(|part| said[part] = true);
            }
        }
        let mut ranks = vec![(Rank::default(), Rank::default()); self.modular.nodes.len()];
        for (part, said) in self.parts.iter().zip(said) {
            let (all, some) = &mut ranks[part.0];
            all.add(self.sort(part));
            if said {
                some.add(self.sort(part));
            }
        }
        ranks
    }
}
