//! Which values are worth trying for an input: those that the program
//! compares with, their neighbours, small numbers, and the ends of ranges.

use lustral_base::Random;
use lustral_system::TransitionSystem;
use lustral_term::{BitVec, Operator, Sort, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::machine::Machine;
use crate::rational::Rational;
use crate::scalar::Scalar;
use crate::words::has_column;

/// Constants that are kept; programs with tables have thousands.
const MOST_CONSTANTS: usize = 256;

/// Ranges up to this size are drawn from evenly.
const SMALL_RANGE: u64 = 64;

/// The values that an input may be given.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Bool,
    Int {
        low: i64,
        high: i64,
        near: Vec<i64>,
        far: Vec<i64>,
    },
    Real {
        near: Vec<Rational>,
        far: Vec<Rational>,
    },
    /// Bits of a word.
    Word {
        shape: BitVec,
        near: Vec<u64>,
    },
}

impl Domain {
    /// A value; truth values are true this often in 256.
    pub fn draw(&self, random: &mut Random, bias: u8) -> Scalar {
        match self {
            Domain::Bool => Scalar::Bool(random.number() as u8 <= bias),
            Domain::Int { low, high, near, far } => {
                Scalar::Int(draw_int(random, *low, *high, near, far))
            }
            Domain::Real { near, far } => Scalar::Real(draw_real(random, near, far)),
            Domain::Word { shape, near } => {
                let bits = match random.below(4) {
                    0 if !near.is_empty() => *random.pick(near),
                    0 | 1 => random.below(12).wrapping_sub(2),
                    2 => 1 << random.below(64),
                    _ => random.number(),
                };
                Scalar::Int((bits & (u64::MAX >> (64 - shape.width()))) as i64)
            }
        }
    }
}

fn draw_int(random: &mut Random, low: i64, high: i64, near: &[i64], far: &[i64]) -> i64 {
    let size = high.abs_diff(low);
    let even =
        |random: &mut Random| low.wrapping_add_unsigned(random.below(size.saturating_add(1)));
    if size < SMALL_RANGE {
        return even(random);
    }
    let value = match random.below(8) {
        0..4 if !near.is_empty() => *random.pick(near),
        0..2 if !far.is_empty() => *random.pick(far),
        2..6 => random.below(12) as i64 - 2,
        6 if size < u64::from(u32::MAX) => return even(random),
        _ => {
            let bits = random.below(24);
            let size = random.below(1 << bits) as i64;
            if random.below(4) == 0 { -size } else { size }
        }
    };
    match value {
        v if v < low => low,
        v if v > high => high,
        v => v,
    }
}

fn draw_real(random: &mut Random, near: &[Rational], far: &[Rational]) -> Rational {
    let fraction = |random: &mut Random, below: i64| {
        let above = random.below(201) as i64 - 100;
        Rational::new(above, below).unwrap_or_default()
    };
    match random.below(8) {
        0..4 if !near.is_empty() => *random.pick(near),
        0..2 if !far.is_empty() => *random.pick(far),
        2..5 => Rational::from(random.below(12) as i64 - 2),
        5 => fraction(random, 2),
        6 => fraction(random, 10),
        _ => Rational::from(random.below(2001) as i64 - 1000),
    }
}

/// The domains of the inputs of a machine, in their order.
pub(crate) fn domains(system: &TransitionSystem, machine: &Machine) -> Vec<Domain> {
    let constants = Constants::new(system);
    let domain = |var: VarId| {
        let variable = system.variable(var);
        match variable.sort {
            Sort::Bool => Domain::Bool,
            Sort::Int => {
                let bounds = variable.range.as_ref();
                let bound = |n: &num_bigint::BigInt| i64::try_from(n).ok();
                let low = bounds.and_then(|r| r.low.as_ref()).and_then(bound);
                let high = bounds.and_then(|r| r.high.as_ref()).and_then(bound);
                let (mut low, mut high) = (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX));
                if let Some((l, h)) = constants.bounds.get(&var)
                    && low.max(*l) <= high.min(*h)
                {
                    (low, high) = (low.max(*l), high.min(*h));
                }
                let mut near = ints(constants.near.get(&var).map_or(&[], Vec::as_slice));
                near.extend([low, high].iter().filter(|n| n.unsigned_abs() < 1 << 62));
                Domain::Int { low, high, near, far: ints(&constants.all) }
            }
            Sort::Real => Domain::Real {
                near: reals(constants.near.get(&var).map_or(&[], Vec::as_slice)),
                far: reals(&constants.all),
            },
            Sort::Enum(e) => {
                let (near, far) = (Vec::new(), Vec::new());
                Domain::Int { low: 0, high: i64::from(e.size) - 1, near, far }
            }
            Sort::BitVec(shape) if has_column(variable.sort) => {
                let near = ints(constants.near.get(&var).map_or(&[], Vec::as_slice));
                Domain::Word { shape, near: near.into_iter().map(|n| n as u64).collect() }
            }
            // Poisoned whatever is drawn.
            Sort::BitVec(_) | Sort::Array(_) | Sort::Uninterpreted(_) => {
                Domain::Int { low: 0, high: 0, near: Vec::new(), far: Vec::new() }
            }
        }
    };
    machine.inputs().map(domain).collect()
}

/// Constants with their neighbours.
fn ints(list: &[Value]) -> Vec<i64> {
    let mut found = Vec::new();
    for value in list {
        if let Some(Scalar::Int(n)) = Scalar::new(value) {
            found.extend([n.saturating_sub(1), n, n.saturating_add(1)]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn reals(list: &[Value]) -> Vec<Rational> {
    let mut found = Vec::new();
    for value in list {
        if let Some(Scalar::Real(r)) = Scalar::new(value) {
            let near = [r.plus(Rational::from(-1)), Some(r), r.plus(Rational::from(1))];
            found.extend(near.into_iter().flatten());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Constants of a system.
struct Constants {
    /// All that occur in comparisons.
    all: Vec<Value>,
    /// Those that a variable is compared with.
    near: FxHashMap<VarId, Vec<Value>>,
    /// Bounds that constraints give to integers.
    bounds: FxHashMap<VarId, (i64, i64)>,
}

impl Constants {
    fn new(system: &TransitionSystem) -> Constants {
        let terms = &system.terms;
        let mut constants =
            Constants { all: Vec::new(), near: FxHashMap::default(), bounds: FxHashMap::default() };
        for id in (0..terms.len() as u32).map(TermId) {
            if let Term::Apply(Operator::Eq, [a, b]) | Term::Apply(Operator::Le, [a, b]) =
                terms.get(id)
            {
                constants.comparison(terms, *a, *b);
            }
        }
        constants.all.sort_unstable();
        constants.all.dedup();
        let mut stack: Vec<TermId> = system.constraints.iter().map(|c| c.term).collect();
        while let Some(id) = stack.pop() {
            match terms.get(id) {
                Term::Apply(Operator::And, list) => stack.extend(list.iter()),
                Term::Apply(Operator::Le, [a, b]) => constants.bound(terms, *a, *b, 0),
                Term::Apply(Operator::Not, [inner]) => {
                    if let Term::Apply(Operator::Le, [a, b]) = terms.get(*inner) {
                        constants.bound(terms, *b, *a, 1);
                    }
                }
                _ => {}
            }
        }
        constants
    }

    /// Constants on either side, and next to variables: `x + 1 <= y + 5`.
    fn comparison(&mut self, terms: &Terms, a: TermId, b: TermId) {
        let mut values = Vec::new();
        let mut variables = Vec::new();
        for side in [a, b] {
            let parts = match terms.get(side) {
                Term::Apply(Operator::Add, list) => list.to_vec(),
                _ => vec![side],
            };
            for part in parts {
                values.extend(terms.value(part).cloned());
                variables.extend(terms.var(part));
            }
        }
        let room = MOST_CONSTANTS.saturating_sub(self.all.len());
        self.all.extend(values.iter().take(room).cloned());
        for var in variables {
            let known = self.near.entry(var).or_default();
            let room = MOST_CONSTANTS.saturating_sub(known.len());
            known.extend(values.iter().take(room).cloned());
        }
    }

    /// `a + offset <= b`, of a variable and a constant.
    fn bound(&mut self, terms: &Terms, a: TermId, b: TermId, offset: i64) {
        let int = |id: TermId| match terms.value(id).and_then(Scalar::new) {
            Some(Scalar::Int(n)) => Some(n),
            _ => None,
        };
        let all = (i64::MIN, i64::MAX);
        if let (Some(var), Some(n)) = (terms.var(a), int(b)) {
            let bounds = self.bounds.entry(var).or_insert(all);
            bounds.1 = bounds.1.min(n.saturating_sub(offset));
        }
        if let (Some(n), Some(var)) = (int(a), terms.var(b)) {
            let bounds = self.bounds.entry(var).or_insert(all);
            bounds.0 = bounds.0.max(n.saturating_add(offset));
        }
    }
}
