//! Model-based projection: literals without some of their variables that the
//! valuation satisfies and that imply that values of those variables exist
//! (Komuravelli, Gurfinkel and Chaki; virtual substitution guided by a model).
//!
//! A variable is replaced by a term that its literals suggest (an equation, or
//! its greatest lower or least upper bound under the valuation), or by its
//! value where the coefficients of integers allow no such term.

use lustral_term::{Sort, TermId, Terms};
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::implicant::{Valuation, Values};
use super::linear::{Form, Literal, Relation, rational};

/// Projects variables away.
pub(crate) fn project(
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
    literals.retain(|literal| !matches!(literal, Literal::Truth(term, _) if is_gone(*term)));
    let mut values = valuation.evaluator(terms);
    loop {
        let variable = literals.iter().find_map(|literal| match literal {
            Literal::Linear(form, _) => form.parts.keys().copied().find(|term| gone(*term)),
            Literal::Truth(..) => None,
        });
        let Some(variable) = variable else { break };
        literals = eliminate(variable, literals, &mut values);
    }
    let mut kept: Vec<Literal> = Vec::with_capacity(literals.len());
    for literal in literals {
        let constant = matches!(&literal, Literal::Linear(form, _) if form.parts.is_empty());
        if !constant && !kept.contains(&literal) {
            kept.push(literal);
        }
    }
    kept
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
            Literal::Linear(form, relation) if form.parts.contains_key(&variable) => {
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
            _ if form.coefficient(variable).is_negative() => lower.push(bound),
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
        form.constant = rational(&values.of(variable));
        Bound { form, strict: false, lower: true, exact: true }
    });
    with.into_iter().for_each(|literal| rest.push(replaced(literal, variable, &witness)));
    rest
}

fn bound(form: &Form, relation: Relation, variable: TermId) -> Bound {
    let coefficient = form.coefficient(variable);
    let mut bound = form.clone();
    bound.parts.remove(&variable);
    bound.scale(&-coefficient.recip());
    let exact = form.sort == Sort::Real || coefficient.abs().is_one();
    let (strict, lower) = (relation == Relation::Below, coefficient.is_negative());
    Bound { form: bound, strict, lower, exact }
}

/// The bound that is nearest to the variable under the valuation, if it can
/// stand for the variable.
fn tightest(bounds: Vec<Bound>, values: &mut Values<'_>, lower: bool) -> Option<Bound> {
    let rank = |bound: &Bound, values: &mut Values<'_>| {
        let value = bound.form.value(|term| rational(&values.of(term)));
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
    let lower = form.coefficient(variable).is_negative();
    form.substitute(variable, &by.form);
    let relation = match by.strict {
        false => relation,
        true if lower == by.lower => Relation::AtMost,
        true => Relation::Below,
    };
    Literal::Linear(form, relation).normalised()
}
