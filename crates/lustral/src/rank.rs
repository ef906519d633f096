//! Summaries that say less of the state: the rank of what is left in them.

use lustral_certify::ProofChecker;
use lustral_horn::{Model, ModularClauses, Place, given_main, lift, without_arguments};
use lustral_system::Modular;
use lustral_term::Sort;

use crate::from::Asking;

/// How much state there is: numbers, and bits. Numbers count first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Rank {
    pub numbers: usize,
    pub bits: usize,
}

impl Rank {
    fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Bool => self.bits += 1,
            Sort::Int | Sort::Real => self.numbers += 1,
        }
    }

    /// How much this is of all the state that there is, for people.
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

/// Leaves parts of the states of nodes out of their summaries, as long as there
/// are summaries that imply what is said of the program's steps: numbers first,
/// then bits, in halves and halves of halves, so that at the end no part can be
/// left out alone. Each node with the rank of its state, and of what is left.
pub fn minimise(
    modular: &Modular,
    clauses: &ModularClauses,
    model: &mut Model,
    checker: &mut ProofChecker,
    asking: &Asking,
) -> Vec<(Rank, Rank)> {
    let query = given_main(clauses, &model.definitions[clauses.main]);
    let sort =
        |(node, slot): &Part| modular.slot_variable(*node, modular.nodes[*node].state[*slot]).sort;
    let nodes = modular.nodes.iter().enumerate();
    let parts = nodes.flat_map(|(node, known)| (0..known.state.len()).map(move |s| (node, s)));
    let (bits, numbers): (Vec<Part>, Vec<Part>) = parts.partition(|p| sort(p) == Sort::Bool);
    let mut dropped: Vec<Part> = Vec::new();
    // The last is tried first: all numbers, then all bits.
    let mut pending = vec![bits, numbers];
    while let Some(chunk) = pending.pop() {
        if chunk.is_empty() || asking.cancel.is_cancelled() {
            continue;
        }
        let more: Vec<Part> = dropped.iter().chain(&chunk).copied().collect();
        let kept = kept(clauses, &more);
        let smaller = asking.model(&without_arguments(&query, &kept));
        let valid = smaller.ok().map(|smaller| lift(&smaller, &kept)).filter(|smaller| {
            let mut all = smaller.clone();
            all.definitions[clauses.main] = model.definitions[clauses.main].clone();
            checker.check_model(&clauses.clauses, &all, true).is_ok()
        });
        match valid {
            Some(mut smaller) => {
                smaller.definitions[clauses.main] = model.definitions[clauses.main].clone();
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
    let rank = |node: usize, left: &dyn Fn(&Part) -> bool| {
        let mut rank = Rank::default();
        let slots = (0..modular.nodes[node].state.len()).map(|slot| (node, slot));
        slots.filter(|p| left(p)).for_each(|p| rank.add(sort(&p)));
        rank
    };
    let both = |node| (rank(node, &|_| true), rank(node, &|p| !dropped.contains(p)));
    (0..modular.nodes.len()).map(both).collect()
}

/// By predicate and argument: whether it is kept.
fn kept(clauses: &ModularClauses, dropped: &[Part]) -> Vec<Vec<bool>> {
    let mut kept: Vec<Vec<bool>> =
        clauses.clauses.predicates.iter().map(|p| vec![true; p.arguments.len()]).collect();
    for (node, predicates) in clauses.nodes.iter().enumerate() {
        let stays = |place: &Place| match place {
            Place::Before(slot) | Place::After(slot) => !dropped.contains(&(node, *slot)),
            Place::Flow(_) | Place::Flag => true,
        };
        kept[predicates.initial] = predicates.initial_places.iter().map(stays).collect();
        kept[predicates.step] = predicates.step_places.iter().map(stays).collect();
    }
    kept
}
