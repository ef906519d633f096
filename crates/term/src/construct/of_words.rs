//! Integers that are made of the numbers of words and of constants alone, by `+`, `*`, `if`
//! and remainders of powers of two. Solvers do badly where such an integer meets words
//! again, and words can say the same:
//!
//! - Taking an integer modulo `2^n` goes through sums and products, as it is a
//!   homomorphism of rings from the integers to those modulo `2^n`, whose `+` and `*` are
//!   those of words of n bits; so a converted sum is the sum of what is converted. Of the
//!   number of a word it is that word in another width (`bv_resize`), by the definition of that.
//! - Such integers have a least and a largest value that are known. Among the integers
//!   that are numbers of a shape, that conversion loses nothing and keeps the order: so where
//!   both sides of a comparison are numbers of one shape, whatever the words are, it may be a
//!   comparison of words of that shape.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::BitVec;

/// Integers of more terms than these, and wider ones than words of so many bits, stay as they
/// are: this is asked of each comparison that is made.
const MOST_TERMS: usize = 200;
const WIDEST: u64 = 128;

/// The least and the largest value, and whether a word is among what it is made of.
struct Range {
    low: BigInt,
    high: BigInt,
    has_word: bool,
}

/// An integer that is to be a word of some shape.
type Wanted = (TermId, BitVec);

impl Terms {
    /// An integer that is made of words, as a word of some shape, modulo `2^width`.
    pub(super) fn as_word(&mut self, a: TermId, shape: BitVec) -> Option<TermId> {
        self.range_of_words([a])?;
        self.word_of(a, shape)
    }

    /// Two integers made of words, as words of a shape that has the numbers of both.
    pub(super) fn both_as_words(&mut self, a: TermId, b: TermId) -> Option<[TermId; 2]> {
        let Range { low, high, .. } = self.range_of_words([a, b])?;
        // -128 has as many bits as 127 has: one for the sign comes on top.
        let bits = |n: &BigInt| if n.is_negative() { (n + 1u8).bits() } else { n.bits() };
        let width = u16::try_from(bits(&low).max(bits(&high)).max(1)).ok()?;
        let shape =
            if low.is_negative() { BitVec::signed(width + 1) } else { BitVec::unsigned(width) };
        Some([self.word_of(a, shape)?, self.word_of(b, shape)?])
    }

    /// Between which numbers integers are that are made of words, of one at least; none of
    /// any others.
    fn range_of_words<const N: usize>(&self, roots: [TermId; N]) -> Option<Range> {
        let mut known: FxHashMap<TermId, Range> = FxHashMap::default();
        let mut stack = roots.to_vec();
        while let Some(&term) = stack.last() {
            if known.contains_key(&term) {
                stack.pop();
                continue;
            }
            if known.len() + stack.len() > MOST_TERMS {
                return None;
            }
            let before = stack.len();
            let operands = self.integers_in(term)?;
            stack.extend(operands.iter().filter(|operand| !known.contains_key(operand)));
            if stack.len() == before {
                let ranges: Vec<&Range> = operands.iter().map(|operand| &known[operand]).collect();
                let found = self.range_from(term, &ranges)?;
                if found.low.bits().max(found.high.bits()) >= WIDEST {
                    return None;
                }
                known.insert(term, found);
                stack.pop();
            }
        }
        let ranges: Vec<&Range> = roots.iter().map(|root| &known[root]).collect();
        Range::around(&ranges).filter(|range| range.has_word)
    }

    /// The integers that an integer is made of; none if it is not made of words.
    fn integers_in(&self, term: TermId) -> Option<Vec<TermId>> {
        match self.get(term) {
            Term::Value(Value::Int(_)) | Term::Apply(Operator::BvToInt, _) => Some(Vec::new()),
            Term::Apply(Operator::Add | Operator::Mul, list) => Some(list.to_vec()),
            Term::Apply(Operator::Ite, &[_, a, b]) => Some(vec![a, b]),
            Term::Apply(Operator::Mod, &[a, size]) => self.power_of_two(size).map(|_| vec![a]),
            _ => None,
        }
    }

    /// An integer of which the low bits are those of another: a remainder of `2^k` differs
    /// from the integer by a multiple of that, which is one of `2^width` where k is no less.
    pub(super) fn without_remainders(&self, mut a: TermId, width: u16) -> TermId {
        while let Term::Apply(Operator::Mod, &[integer, size]) = self.get(a)
            && self.power_of_two(size).is_some_and(|k| k >= width)
        {
            a = integer;
        }
        a
    }

    /// The n of a constant `2^n`, if words of n bits can be.
    pub(super) fn power_of_two(&self, size: TermId) -> Option<u16> {
        let Some(Value::Int(size)) = self.value(size) else { return None };
        let width = size.bits().checked_sub(1).filter(|n| (1..=WIDEST).contains(n))?;
        (size.is_positive() && *size == BigInt::one() << width).then_some(width as u16)
    }

    fn range_from(&self, term: TermId, ranges: &[&Range]) -> Option<Range> {
        let exactly = |n: &BigInt| Range { low: n.clone(), high: n.clone(), has_word: false };
        Some(match self.get(term) {
            Term::Value(Value::Int(n)) => exactly(n),
            Term::Apply(Operator::BvToInt, &[word]) => {
                let [low, high] = self.sort(word).bit_vec()?.range();
                Range { low, high, has_word: true }
            }
            Term::Apply(Operator::Add, _) => {
                ranges.iter().fold(exactly(&BigInt::zero()), |sum, range| Range {
                    low: sum.low + &range.low,
                    high: sum.high + &range.high,
                    has_word: sum.has_word || range.has_word,
                })
            }
            Term::Apply(Operator::Mul, _) => {
                ranges.iter().fold(exactly(&BigInt::one()), |product, range| {
                    let ends = [&range.low, &range.high];
                    let all = ends.map(|end| [&product.low * end, &product.high * end]);
                    Range {
                        low: all.iter().flatten().min().cloned().unwrap_or_default(),
                        high: all.iter().flatten().max().cloned().unwrap_or_default(),
                        has_word: product.has_word || range.has_word,
                    }
                })
            }
            Term::Apply(Operator::Mod, &[_, size]) => {
                let high = (BigInt::one() << self.power_of_two(size)?) - 1u8;
                Range { low: BigInt::zero(), high, has_word: ranges[0].has_word }
            }
            _ => Range::around(ranges)?,
        })
    }

    /// An integer made of words as a word of some shape, modulo `2^width`, with an explicit
    /// stack of what waits for its operands.
    fn word_of(&mut self, a: TermId, shape: BitVec) -> Option<TermId> {
        let mut done: FxHashMap<Wanted, TermId> = FxHashMap::default();
        let mut stack: Vec<Wanted> = vec![(a, shape)];
        while let Some(&wanted) = stack.last() {
            if done.contains_key(&wanted) {
                stack.pop();
                continue;
            }
            let (term, shape) = wanted;
            // The remainder of a power of two is the number of a word without a sign.
            let inside = match self.get(term) {
                Term::Apply(Operator::Mod, &[_, size]) => {
                    BitVec::unsigned(self.power_of_two(size)?)
                }
                _ => shape,
            };
            let operands = self.integers_in(term)?;
            let operands: Vec<Wanted> = operands.into_iter().map(|term| (term, inside)).collect();
            let before = stack.len();
            stack.extend(operands.iter().filter(|operand| !done.contains_key(operand)));
            if stack.len() == before {
                let words: Vec<TermId> = operands.iter().map(|operand| done[operand]).collect();
                let made = self.word_from(wanted, &words)?;
                done.insert(wanted, made);
                stack.pop();
            }
        }
        done.get(&(a, shape)).copied()
    }

    fn word_from(&mut self, (term, shape): Wanted, words: &[TermId]) -> Option<TermId> {
        enum Made {
            Constant(BigInt),
            Word(TermId),
            Sum,
            Product,
            Choice(TermId),
        }
        let made = match self.get(term) {
            Term::Value(Value::Int(n)) => Made::Constant(n.clone()),
            Term::Apply(Operator::BvToInt, &[word]) => Made::Word(word),
            Term::Apply(Operator::Mod, _) => Made::Word(words[0]),
            Term::Apply(Operator::Add, _) => Made::Sum,
            Term::Apply(Operator::Mul, _) => Made::Product,
            Term::Apply(Operator::Ite, &[condition, ..]) => Made::Choice(condition),
            _ => return None,
        };
        Some(match (made, words) {
            (Made::Constant(n), _) => self.bit_vec(shape, n),
            (Made::Word(word), _) => self.bv_resize(word, shape),
            (Made::Sum, [first, rest @ ..]) => {
                rest.iter().fold(*first, |sum, word| self.bv_add(sum, *word))
            }
            (Made::Product, [first, rest @ ..]) => {
                rest.iter().fold(*first, |product, word| self.bv_mul(product, *word))
            }
            (Made::Choice(condition), &[a, b]) => self.ite(condition, a, b),
            _ => return None,
        })
    }
}

impl Range {
    /// The smallest range that has others in it.
    fn around(ranges: &[&Range]) -> Option<Range> {
        Some(Range {
            low: ranges.iter().map(|range| &range.low).min()?.clone(),
            high: ranges.iter().map(|range| &range.high).max()?.clone(),
            has_word: ranges.iter().any(|range| range.has_word),
        })
    }
}
