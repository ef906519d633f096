//! Which boolean features imply which: constants, equivalences, implications
//! and exclusions, all at once.
//!
//! A *literal* is a feature or its negation. For each literal there is the set
//! of literals that were true whenever it was; a new row cuts these sets down.
//! That is every clause of two literals (a 2-CNF), kept as an order instead of a
//! list, and shown by its transitive reduction:
//! what is stated is one equation for each member of a class of equivalent
//! literals, and the implications between classes that do not follow from
//! others.

use lustral_term::{TermId, Terms};

use super::comparison::is_obvious;

/// A literal: twice the feature, plus one for its negation.
type Literal = usize;

/// The order of the literals of some boolean features.
#[derive(Clone)]
pub(crate) struct Order {
    features: Vec<TermId>,
    /// By literal: the literals it implies, as bits.
    above: Vec<Vec<u64>>,
}

fn has(set: &[u64], literal: Literal) -> bool {
    set[literal / 64] >> (literal % 64) & 1 == 1
}

impl Order {
    /// Everything implies everything: no row was seen.
    pub fn new(features: Vec<TermId>) -> Order {
        let literals = 2 * features.len();
        let all = vec![u64::MAX; literals.div_ceil(64)];
        Order { above: vec![all; literals], features }
    }

    /// Learns of a row: the values of the features.
    pub fn absorb(&mut self, row: &[bool]) {
        let mut holds = vec![0u64; self.above.first().map_or(0, Vec::len)];
        for (feature, value) in row.iter().enumerate() {
            let literal = 2 * feature + usize::from(!value);
            holds[literal / 64] |= 1 << (literal % 64);
        }
        for (feature, value) in row.iter().enumerate() {
            let literal = 2 * feature + usize::from(!value);
            for (word, mask) in self.above[literal].iter_mut().zip(&holds) {
                *word &= mask;
            }
        }
    }

    fn implies(&self, a: Literal, b: Literal) -> bool {
        has(&self.above[a], b)
    }

    fn literal(&self, terms: &mut Terms, literal: Literal) -> TermId {
        let feature = self.features[literal / 2];
        if literal.is_multiple_of(2) { feature } else { terms.not(feature) }
    }

    /// What is known, without what follows from the rest.
    pub fn facts(&self, terms: &mut Terms, clauses: bool) -> Vec<TermId> {
        let mut facts = Vec::new();
        // The first literal of each class that is not constant.
        let mut representatives: Vec<Literal> = Vec::new();
        for feature in 0..self.features.len() {
            let (positive, negative) = (2 * feature, 2 * feature + 1);
            if self.implies(negative, positive) {
                facts.push(self.features[feature]);
            } else if self.implies(positive, negative) {
                facts.push(terms.not(self.features[feature]));
            } else {
                let same = |r: &&Literal| {
                    let (a, b) = (**r, positive);
                    self.implies(a, b) && self.implies(b, a)
                        || self.implies(a, b ^ 1) && self.implies(b ^ 1, a)
                };
                match representatives.iter().find(same) {
                    None => representatives.push(positive),
                    Some(&known) => {
                        let equal = self.implies(known, positive);
                        let other = self.literal(terms, positive ^ usize::from(!equal));
                        let known = self.literal(terms, known);
                        facts.push(terms.eq(known, other));
                    }
                }
            }
        }
        if clauses {
            self.clauses(terms, &representatives, &mut facts);
        }
        facts
    }

    /// The implications between classes that do not follow from two others.
    fn clauses(&self, terms: &mut Terms, representatives: &[Literal], facts: &mut Vec<TermId>) {
        let words = self.above.first().map_or(0, Vec::len);
        let mut relevant = vec![0u64; words];
        for literal in representatives.iter().flat_map(|r| [*r, r ^ 1]) {
            relevant[literal / 64] |= 1 << (literal % 64);
        }
        for a in representatives.iter().flat_map(|r| [*r, r ^ 1]) {
            let mut between: Vec<u64> =
                self.above[a].iter().zip(&relevant).map(|(x, y)| x & y).collect();
            between[a / 64] &= !(1 << (a % 64));
            // Between representatives the order has no cycles, so what is above
            // another of them follows, and the lowest remain.
            let mut direct = between.clone();
            for c in bits(&between) {
                let kept = has(&direct, c);
                for (word, mask) in direct.iter_mut().zip(&self.above[c]) {
                    *word &= !mask;
                }
                if kept {
                    direct[c / 64] |= 1 << (c % 64);
                }
            }
            for b in bits(&direct) {
                // The contrapositive says the same.
                if a ^ 1 < b {
                    let not_a = self.literal(terms, a ^ 1);
                    let b = self.literal(terms, b);
                    if !is_obvious(terms, not_a, b) {
                        facts.push(terms.or([not_a, b]));
                    }
                }
            }
        }
    }
}

fn bits(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(64 * i + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use lustral_base::Random;
    use lustral_term::{Evaluator, Sort, Value, VarId, ZeroMeaning};

    use super::*;

    /// What holds of some rows, by trying all clauses of two literals.
    fn all_clauses(rows: &[Vec<bool>], features: usize) -> Vec<(usize, usize)> {
        let truth = |row: &[bool], l: usize| row[l / 2] == l.is_multiple_of(2);
        let pairs = (0..2 * features).flat_map(|a| (0..2 * features).map(move |b| (a, b)));
        pairs.filter(|(a, b)| rows.iter().all(|r| truth(r, *a) || truth(r, *b))).collect()
    }

    #[test]
    fn the_facts_say_all_that_clauses_of_two_literals_can_say() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let mut terms = Terms::new();
            let features: Vec<TermId> =
                (0..5).map(|i| terms.variable(VarId(i), Sort::Bool)).collect();
            let mut order = Order::new(features.clone());
            let rows: Vec<Vec<bool>> = (0..=random.below(6))
                .map(|_| (0..5).map(|_| random.below(2) == 0).collect())
                .collect();
            rows.iter().for_each(|row| order.absorb(row));
            let facts = order.facts(&mut terms, true);
            // The facts hold of exactly the rows that all clauses hold of.
            let clauses = all_clauses(&rows, 5);
            for world in 0..32u32 {
                let row: Vec<bool> = (0..5).map(|i| world >> i & 1 == 1).collect();
                let truth = |l: usize| row[l / 2] == l.is_multiple_of(2);
                let expected = clauses.iter().all(|(a, b)| truth(*a) || truth(*b));
                let mut evaluator = Evaluator::new(&terms, &ZeroMeaning);
                let found = facts
                    .iter()
                    .all(|f| evaluator.eval(*f, |v: VarId| Value::Bool(row[v.index()])).is_true());
                assert_eq!(expected, found, "{rows:?} {world:05b}");
            }
        }
    }
}
