//! What comparisons with constants say of each other, without a solver.
//!
//! A memory with few values has a feature for each of them, and that it has
//! not two values at once is nothing that must be learned. Facts of this kind
//! would be most of what the solver is asked.

use lustral_term::{Operator, Sort, Term, TermId, Terms, Value};

use super::number::Number;

/// A condition on a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Condition {
    AtMost(Number),
    Above(Number),
    Equal(Number),
    Different(Number),
}

use Condition::{Above, AtMost, Different, Equal};

/// A literal as a condition on a term, if it is one.
fn condition(terms: &Terms, literal: TermId) -> Option<(TermId, Condition)> {
    let (atom, holds) = match terms.get(literal) {
        Term::Apply(Operator::Not, [atom]) => (*atom, false),
        _ => (literal, true),
    };
    let constant = |t: TermId| terms.value(t).and_then(Number::of);
    match terms.get(atom) {
        Term::Apply(Operator::Eq, [a, b]) if terms.sort(*a).enumeration().is_some() => {
            let position = |t: TermId| match terms.value(t) {
                Some(Value::Enum(_, i)) => Some(Number::from(i64::from(*i))),
                _ => None,
            };
            let (term, c) = match (position(*a), position(*b)) {
                (None, Some(c)) => (*a, c),
                (Some(c), None) => (*b, c),
                _ => return None,
            };
            Some((term, if holds { Equal(c) } else { Different(c) }))
        }
        Term::Apply(Operator::Eq, _) => {
            let (term, c) = equality(terms, atom)?;
            Some((term, if holds { Equal(c) } else { Different(c) }))
        }
        Term::Apply(Operator::Le, [a, b]) => {
            if let Some(c) = constant(*b) {
                return Some((*a, if holds { AtMost(c) } else { Above(c) }));
            }
            // `c <= x`: of integers that x is above c - 1.
            let whole = terms.sort(*b) == Sort::Int;
            let below = constant(*a).filter(|_| whole)?.minus(Number::ONE)?;
            Some((*b, if holds { Above(below) } else { AtMost(below) }))
        }
        _ => None,
    }
}

/// The number and the constant that an equation says it is, if it is one.
pub(crate) fn equality(terms: &Terms, atom: TermId) -> Option<(TermId, Number)> {
    let Term::Apply(Operator::Eq, [a, b]) = terms.get(atom) else { return None };
    let constant = |t: TermId| terms.value(t).and_then(Number::of);
    match (constant(*a), constant(*b)) {
        (None, Some(c)) => Some((*a, c)),
        (Some(c), None) => Some((*b, c)),
        _ => None,
    }
}

/// Whether one of two literals holds whatever the values are.
pub(crate) fn is_obvious(terms: &Terms, one: TermId, other: TermId) -> bool {
    match (condition(terms, one), condition(terms, other)) {
        (Some((x, Equal(a))), Some((y, Equal(b)))) => {
            // Of an enumeration with two values, it is one or the other.
            x == y && a != b && terms.sort(x).enumeration().is_some_and(|e| e.size == 2)
        }
        (Some((x, a)), Some((y, b))) => x == y && (cover_all(a, b) || cover_all(b, a)),
        _ => false,
    }
}

/// Whether every number meets one of two conditions, in this order of them.
fn cover_all(a: Condition, b: Condition) -> bool {
    match (a, b) {
        (Different(c), Different(d)) => c != d,
        (Different(c), Equal(d)) => c == d,
        (Different(c), AtMost(d)) => c <= d,
        (Different(c), Above(d)) => c > d,
        (AtMost(c), Above(d)) => d <= c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use lustral_term::{EnumId, Enumeration, Evaluator, VarId, ZeroMeaning};

    use super::*;

    #[test]
    fn obvious_is_what_holds_of_all_values() {
        for size in 2..5 {
            let e = Enumeration { id: EnumId(0), size };
            let mut terms = Terms::new();
            let x = terms.variable(VarId(0), Sort::Enum(e));
            let mut literals = Vec::new();
            for i in 0..size {
                let value = terms.constant(Value::Enum(e, i));
                let atom = terms.eq(x, value);
                literals.extend([atom, terms.not(atom)]);
            }
            for a in &literals {
                for b in &literals {
                    let holds = |i: u32, literal: TermId| {
                        let mut evaluator = Evaluator::new(&terms, &ZeroMeaning);
                        evaluator.eval(literal, |_: VarId| Value::Enum(e, i)).is_true()
                    };
                    let always = (0..size).all(|i| holds(i, *a) || holds(i, *b));
                    assert_eq!(is_obvious(&terms, *a, *b), always, "{a:?} {b:?} of {size}");
                }
            }
        }
    }

    #[test]
    fn obvious_is_what_holds_of_all_numbers() {
        let mut terms = Terms::new();
        let x = terms.variable(VarId(0), Sort::Int);
        let mut literals = Vec::new();
        for c in 0..4 {
            let c = terms.int(c);
            for atom in [terms.eq(x, c), terms.le(x, c), terms.le(c, x)] {
                literals.extend([atom, terms.not(atom)]);
            }
        }
        for a in &literals {
            for b in &literals {
                let holds = |n: i64, literal: TermId| {
                    let mut evaluator = Evaluator::new(&terms, &ZeroMeaning);
                    evaluator.eval(literal, |_: VarId| Value::from(n)).is_true()
                };
                let always = (-3..7).all(|n| holds(n, *a) || holds(n, *b));
                assert_eq!(is_obvious(&terms, *a, *b), always, "{a:?} {b:?}");
            }
        }
    }
}
