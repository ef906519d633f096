//! Model-based projection: literals without some of their variables that the
//! valuation satisfies and that imply that values of those variables exist
//! (Komuravelli, Gurfinkel and Chaki; virtual substitution guided by a model).
//!
//! A variable is replaced by a term that its literals suggest (an equation, or
//! its greatest lower or least upper bound under the valuation), or by its
//! value where the coefficients of integers allow no such term. A value of an
//! enumeration that must only differ from fewer others than there are values
//! always exists.

use lustral_term::{Sort, TermId, Terms, Value};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::implicant::{Valuation, Values};
use crate::linear::{Form, Literal, Relation, rational};

/// Projects variables away.
#[must_use]
pub fn project(
    terms: &Terms,
    mut literals: Vec<Literal>,
    valuation: &Valuation,
    gone: impl Fn(TermId) -> bool,
) -> Vec<Literal> {
    // Nothing else depends on a truth value: formulas were taken apart. Atoms
    // that were not are given up with what they speak of.
    let is_gone = |term: TermId| match terms.var(term) {
        Some(_) => gone(term),
        None => terms.closure([term]).into_iter().any(&gone),
    };
    let opaque = |term: TermId| terms.var(term).is_none() && is_gone(term);
    literals.retain(|literal| match literal {
        Literal::Truth(term, _) => !is_gone(*term),
        Literal::Equal(a, b, _) => !opaque(*a) && !opaque(*b),
        Literal::Linear(..) => true,
    });
    let mut values = valuation.evaluator(terms);
    loop {
        let variable = literals.iter().find_map(|literal| match literal {
            Literal::Linear(form, _) => {
                let mut terms = form.linear.monomials().iter().map(|(term, _)| *term);
                terms.find(|term| gone(*term))
            }
            Literal::Equal(a, b, _) => [*a, *b].into_iter().find(|term| gone(*term)),
            Literal::Truth(..) => None,
        });
        let Some(variable) = variable else { break };
        literals = if terms.sort(variable).is_number() {
            eliminate(variable, literals, &mut values)
        } else {
            choose(terms, variable, literals, &mut values)
        };
    }
    let mut kept: Vec<Literal> = Vec::with_capacity(literals.len());
    for literal in literals {
        let constant = match &literal {
            Literal::Linear(form, _) => form.linear.is_constant(),
            Literal::Equal(a, b, _) => terms.value(*a).is_some() && terms.value(*b).is_some(),
            Literal::Truth(..) => false,
        };
        if !constant && !kept.contains(&literal) {
            kept.push(literal);
        }
    }
    kept
}

/// The literals without a variable of an enumeration, or of another sort that
/// knows equations only.
fn choose(
    terms: &Terms,
    variable: TermId,
    literals: Vec<Literal>,
    values: &mut Values<'_>,
) -> Vec<Literal> {
    // What the variable is equal to, or differs from.
    let (mut others, mut rest) = (Vec::new(), Vec::new());
    for literal in literals {
        match literal {
            Literal::Equal(a, b, polarity) if a == variable => others.push((b, polarity)),
            Literal::Equal(a, b, polarity) if b == variable => others.push((a, polarity)),
            other => rest.push(other),
        }
    }
    if let Some((equal, _)) = others.iter().copied().find(|(_, polarity)| *polarity) {
        let rest_of = others.into_iter().filter(|(other, _)| *other != equal);
        rest.extend(rest_of.map(|(other, polarity)| Literal::Equal(equal, other, polarity)));
        return rest;
    }
    if count(terms.sort(variable)).is_none_or(|count| others.len() < count) {
        return rest;
    }
    // The value of the variable is none of theirs, so they have fewer than there
    // are; and do while those of them are equal that are so now. Constants are
    // the first of their value, so that the others are equal to them.
    others.sort_by_key(|(other, _)| terms.value(*other).is_none());
    let mut first: Vec<(Value, TermId)> = Vec::new();
    for (other, _) in others {
        let value = values.of(other);
        match first.iter().find(|(known, _)| *known == value) {
            Some((_, equal)) if *equal == other => {}
            Some((_, equal)) => rest.push(Literal::Equal(*equal, other, true)),
            None => first.push((value, other)),
        }
    }
    rest
}

/// The number of values of a sort, if there are not too many to count.
fn count(sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(2),
        Sort::Enum(e) => Some(e.size as usize),
        Sort::BitVec(shape) => 1_usize.checked_shl(shape.width().into()),
        _ => None,
    }
}

/// How the variable is bounded by a literal, up to its form over the others:
/// `x ⋈ bound`.
struct Bound {
    form: Form,
    strict: bool,
    lower: bool,
    /// Whether the variable had the coefficient one or minus one.
    exact: bool,
}

/// The literals without a variable.
fn eliminate(variable: TermId, literals: Vec<Literal>, values: &mut Values<'_>) -> Vec<Literal> {
    let (mut with, mut rest) = (Vec::new(), Vec::new());
    for literal in literals {
        match literal {
            Literal::Linear(form, relation) if !form.linear.coefficient(variable).is_zero() => {
                with.push((form, relation));
            }
            other => rest.push(other),
        }
    }
    let (mut equal, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for (form, relation) in &with {
        let bound = bound(form, *relation, variable);
        match relation {
            Relation::Zero => equal.push(bound),
            _ if form.linear.coefficient(variable).is_negative() => lower.push(bound),
            _ => upper.push(bound),
        }
    }
    let exact = |bounds: Vec<Bound>| bounds.into_iter().find(|bound| bound.exact);
    let (no_equation, one_sided) = (equal.is_empty(), lower.is_empty() || upper.is_empty());
    if let Some(equation) = exact(equal) {
        with.into_iter().for_each(|literal| rest.push(replaced(literal, variable, &equation)));
        return rest;
    }
    if no_equation && one_sided {
        return rest;
    }
    let tightest = no_equation
        .then(|| tightest(lower, values, true).or_else(|| tightest(upper, values, false)))
        .flatten();
    let witness = tightest.unwrap_or_else(|| {
        let mut form = Form::new(with[0].0.sort);
        form.linear.constant = rational(&values.of(variable));
        Bound { form, strict: false, lower: true, exact: true }
    });
    with.into_iter().for_each(|literal| rest.push(replaced(literal, variable, &witness)));
    rest
}

fn bound(form: &Form, relation: Relation, variable: TermId) -> Bound {
    let coefficient = form.linear.coefficient(variable);
    let mut bound = form.clone();
    bound.linear.remove(variable);
    bound.linear.scale(&-coefficient.recip());
    let exact = form.sort == Sort::Real || coefficient.abs().is_one();
    let (strict, lower) = (relation == Relation::Below, coefficient.is_negative());
    Bound { form: bound, strict, lower, exact }
}

/// The bound that is nearest to the variable under the valuation, if it can
/// stand for the variable.
fn tightest(bounds: Vec<Bound>, values: &mut Values<'_>, lower: bool) -> Option<Bound> {
    let rank = |bound: &Bound, values: &mut Values<'_>| {
        let value = bound.form.linear.value(|term| rational(&values.of(term)));
        (if lower { value } else { -value }, bound.strict, bound.exact)
    };
    let mut best: Option<((BigRational, bool, bool), Bound)> = None;
    for bound in bounds {
        let rank = rank(&bound, values);
        if best.as_ref().is_none_or(|(most, _)| rank > *most) {
            best = Some((rank, bound));
        }
    }
    best.map(|(_, bound)| bound).filter(|bound| bound.exact)
}

/// A literal with a bound for the variable. The variable of a strict bound is
/// a little inside: then what bounds it from the same side may be equal to it,
/// what bounds it from the other side may not.
fn replaced((mut form, relation): (Form, Relation), variable: TermId, by: &Bound) -> Literal {
    let lower = form.linear.coefficient(variable).is_negative();
    form.linear.substitute(variable, &by.form.linear);
    let relation = match by.strict {
        false => relation,
        true if lower == by.lower => Relation::AtMost,
        true => Relation::Below,
    };
    Literal::Linear(form, relation).normalised()
}
