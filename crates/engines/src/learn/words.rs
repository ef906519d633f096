//! Candidates about machine integers: bounds by the constants of the program, bits that
//! never change, and the order of two words. Bounds of integers weaken step by step; of words
//! that wrap around there is a list, of which rows leave what they do not refute.

use lustral_system::{Inlined, Origin};
use lustral_term::{Sort, Term, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use super::templates::Templates;

/// The most words, constants of each, and bits of each.
const MOST_WORDS: usize = 12;
const MOST_CONSTANTS: usize = 24;
const MOST_BITS: u16 = 64;

/// The candidates about the memories of a system that are words.
pub(super) fn candidates(
    system: &Inlined,
    terms: &mut Terms,
    templates: &Templates,
) -> Vec<TermId> {
    let memories = system.memories.iter().map(|memory| memory.var);
    let counts = memories.filter(|var| system.variable(*var).origin != Origin::First);
    let sorts = counts.map(|var| (var, system.variable(var).sort));
    let words = sorts.filter(|(_, sort)| matches!(sort, Sort::BitVec(_))).take(MOST_WORDS);
    let words: Vec<TermId> = words.map(|(var, sort)| terms.variable(var, sort)).collect();
    let mut found = Vec::new();
    if words.is_empty() {
        return found;
    }
    let constants = constants(system);
    for (i, word) in words.iter().enumerate() {
        if templates.bounds {
            bounds(terms, *word, &constants, &mut found);
            bits(terms, *word, &mut found);
        }
        for other in words[..i].iter().filter(|_| templates.octagons) {
            if terms.sort(*word) == terms.sort(*other) {
                found.push(terms.eq(*word, *other));
                found.push(terms.bv_le(*word, *other));
                found.push(terms.bv_le(*other, *word));
            }
        }
    }
    found.retain(|fact| terms.value(*fact).is_none());
    found
}

/// The words that the system names, each once.
fn constants(system: &Inlined) -> Vec<Value> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for term in system.terms.closure(system.roots()) {
        if let Term::Value(value @ Value::BitVec(..)) = system.terms.get(term)
            && seen.insert(term)
        {
            found.push(value.clone());
        }
    }
    let initial = system.memories.iter().map(|memory| &memory.initial);
    found.extend(initial.filter(|value| matches!(value, Value::BitVec(..))).cloned());
    found
}

/// That a word is at most, or at least, a constant or its neighbour.
fn bounds(terms: &mut Terms, word: TermId, constants: &[Value], found: &mut Vec<TermId>) {
    let Sort::BitVec(shape) = terms.sort(word) else { return };
    let same = constants.iter().filter(|value| value.sort() == Sort::BitVec(shape));
    for value in same.take(MOST_CONSTANTS) {
        let Value::BitVec(_, number) = value else { continue };
        for beside in [-1, 0, 1] {
            let number = BigInt::from(number.clone()) + beside;
            let constant = terms.bit_vec(shape, number);
            found.push(terms.bv_le(word, constant));
            found.push(terms.bv_le(constant, word));
        }
    }
}

/// That a bit of a word is never, or always, set.
fn bits(terms: &mut Terms, word: TermId, found: &mut Vec<TermId>) {
    let Sort::BitVec(shape) = terms.sort(word) else { return };
    let zero = terms.bit_vec(shape, 0);
    for bit in 0..shape.width().min(MOST_BITS) {
        let mask = terms.bit_vec(shape, BigInt::from(1) << bit);
        let set = terms.bv_and(word, mask);
        found.push(terms.eq(set, zero));
        found.push(terms.eq(set, mask));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Builder;
    use super::*;
    use lustral_base::sort::BitVec;

    /// A word that goes by 4 has two bits that never change, and the bounds of its constants.
    #[test]
    fn bits_and_bounds_of_a_word() {
        let shape = BitVec::unsigned(8);
        let mut builder = Builder::default();
        let word = builder.memory(Value::bit_vec(shape, 0));
        let four = builder.system.terms.bit_vec(shape, 4);
        let next = builder.system.terms.bv_add(word, four);
        builder.next(word, next);
        let system = Inlined::new(&builder.system);
        let mut terms = system.terms.clone();
        let found = candidates(&system, &mut terms, &Templates::ALL);
        let (zero, one) = (terms.bit_vec(shape, 0), terms.bit_vec(shape, 1));
        let low = terms.bv_and(word, one);
        let even = terms.eq(low, zero);
        assert!(found.contains(&even));
        let most = terms.bv_le(word, four);
        assert!(found.contains(&most));
        assert!(candidates(&system, &mut terms, &Templates::NONE).is_empty());
    }
}
