//! Machine integers in the operators of Lustre.

use lustral_base::sort::BitVec;
use lustral_term::strength::{BIT_AND, BIT_OR, JOIN, LOOSE, PREFIX, PRODUCT, SHIFT, SUM, TIGHT};
use lustral_term::{Operator, Term, TermId, Terms, Value};
use num_bigint::BigUint;

use super::operators::{Expanded, Work, infix, text};

/// The text of an operator on machine integers, its operands left as work. None of
/// those that the language does not have, or has for other signs only.
pub(super) fn expand(terms: &Terms, operator: Operator, list: &[TermId]) -> Expanded {
    let signed = |a: TermId| terms.sort(a).bit_vec().is_some_and(BitVec::is_signed);
    Some(match (operator, list) {
        (Operator::BvNot, [a]) => (PREFIX, vec![text("!"), Work::Term(*a, PREFIX)]),
        // Not every dialect groups a sign with its operand before all others.
        (Operator::BvNeg, [a]) => (SUM, vec![text("-"), Work::Term(*a, TIGHT)]),
        (Operator::BvAnd, _) => infix(list, " && ", BIT_AND),
        (Operator::BvOr, _) => infix(list, " || ", BIT_OR),
        (Operator::BvXor, [a, b]) => {
            let [a, b, c, d] = [*a, *b, *a, *b].map(|a| Work::Term(a, BIT_AND + 1));
            let parts =
                [text("("), a, text(" || "), b, text(") && !("), c, text(" && "), d, text(")")];
            (BIT_AND, parts.into())
        }
        (Operator::BvAdd, [a, b]) => sum(terms, *a, *b),
        (Operator::BvMul, _) => infix(list, " * ", PRODUCT),
        (Operator::BvDiv, _) => infix(list, " div ", PRODUCT),
        (Operator::BvRem, _) => infix(list, " mod ", PRODUCT),
        (Operator::BvShl, [_, amount]) if !signed(*amount) => infix(list, " lsh ", SHIFT),
        (Operator::BvShr, [_, amount]) if !signed(*amount) => infix(list, " rsh ", SHIFT),
        (Operator::BvConcat, [a, b]) if !signed(*a) && !signed(*b) => infix(list, " ++ ", JOIN),
        (Operator::BvExtract { high, low }, [a]) if !signed(*a) => {
            (TIGHT, vec![Work::Term(*a, TIGHT), Work::Text(format!("[{high}:{low}]"))])
        }
        (Operator::BvToInt, [a]) => (PREFIX, vec![text("int "), Work::Term(*a, PREFIX)]),
        (Operator::BvResize(to), [a]) if signed(*a) != to.is_signed() => {
            let word = Work::Text(format!("{} int ", to.conversion()));
            (LOOSE, vec![word, Work::Term(*a, PREFIX)])
        }
        (Operator::BvResize(to) | Operator::IntToBv(to), [a]) => {
            (LOOSE, vec![Work::Text(format!("{} ", to.conversion())), Work::Term(*a, LOOSE)])
        }
        _ => return None,
    })
}

/// A number with its type.
pub(super) fn constant(shape: BitVec, bits: &BigUint) -> (u8, Vec<Work>) {
    let written = format!("{} {}", shape.conversion(), shape.number(bits));
    (LOOSE, vec![Work::Text(written)])
}

/// A sum: what is negative, or nearer to zero from below, is subtracted.
fn sum(terms: &Terms, a: TermId, b: TermId) -> (u8, Vec<Work>) {
    for (a, b) in [(a, b), (b, a)] {
        let left = || Work::Term(a, SUM);
        match terms.get(b) {
            Term::Apply(Operator::BvNeg, [c]) => {
                return (SUM, vec![left(), text(" - "), Work::Term(*c, SUM + 1)]);
            }
            Term::Value(Value::BitVec(shape, bits)) => {
                let negative = shape.wrap(&-shape.number(bits));
                let (sign, bits) =
                    if negative < *bits { (" - ", &negative) } else { (" + ", bits) };
                let (_, mut number) = constant(*shape, bits);
                let mut parts = vec![left(), text(sign), text("(")];
                parts.append(&mut number);
                parts.push(text(")"));
                return (SUM, parts);
            }
            _ => {}
        }
    }
    infix(&[a, b], " + ", SUM)
}
