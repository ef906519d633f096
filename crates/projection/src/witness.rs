//! Witnesses: terms for some variables of literals that a valuation satisfies, such that
//! the literals hold at the valuation, and near it, with the terms for the variables.
//!
//! They are what model-based projection puts in the place of the variables, kept: an
//! equation, the nearest bound, the middle between two bounds that are strict; divisions
//! where integers have coefficients. A formula with its witnesses inserted implies that
//! values of the variables exist, whatever was dropped on the way to the witnesses.

use lustral_term::{Sort, TermId, Terms, Translation, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::implicant::{Valuation, Values};
use crate::linear::{Form, Literal, Relation, rational};

/// A variable and the term that stands for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Witness {
    /// The variable, as a term.
    pub variable: TermId,
    /// A term over the variables that stay.
    pub term: TermId,
}

/// What was found for a variable: a linear form, or something else.
enum Found {
    Form(Form),
    /// A form divided by a positive number, rounded down. (Euclidean division.)
    Quotient(Form, BigInt),
    Term(TermId),
    Value(Value),
}

/// Terms for all of some variables, over the others of the literals. The literals are
/// [`Literal::normalised`], and the valuation satisfies them.
pub fn witnesses(
    terms: &mut Terms,
    mut literals: Vec<Literal>,
    valuation: &Valuation,
    variables: &[TermId],
) -> Vec<Witness> {
    let opaque = opaque(terms, &literals, variables);
    let mut found: Vec<(TermId, Found)> = Vec::with_capacity(variables.len());
    {
        let terms: &Terms = terms;
        let mut values = valuation.evaluator(terms);
        // What stands inside of something that is not taken apart keeps its value.
        let (fixed, free): (Vec<TermId>, Vec<TermId>) =
            variables.iter().partition(|v| opaque.contains(v));
        for variable in fixed {
            let value = values.of(variable);
            literals = with_value(literals, variable, &value);
            found.push((variable, Found::Value(value)));
        }
        for (i, variable) in free.iter().copied().enumerate() {
            let term = if terms.sort(variable).is_number() {
                number(variable, &free[i + 1..], &mut literals, &mut values)
            } else {
                other(terms, variable, &mut literals, &mut values)
            };
            found.push((variable, term));
        }
    }
    resolve(terms, found)
}

/// The variables that stand inside of atoms or monomials that are not taken apart.
#[must_use]
pub fn opaque(terms: &Terms, literals: &[Literal], variables: &[TermId]) -> FxHashSet<TermId> {
    let mut inside: Vec<TermId> = Vec::new();
    for literal in literals {
        match literal {
            Literal::Truth(term, _) => inside.push(*term),
            Literal::Equal(a, b, _) => inside.extend([*a, *b]),
            Literal::Linear(form, _) => inside.extend(form.linear.monomials().iter().map(|m| m.0)),
        }
    }
    inside.retain(|term| terms.var(*term).is_none());
    let wanted: FxHashSet<TermId> = variables.iter().copied().collect();
    terms.closure(inside).into_iter().filter(|term| wanted.contains(term)).collect()
}

/// The literals with a value for a variable that is a number; others are of no use for
/// what is left.
fn with_value(literals: Vec<Literal>, variable: TermId, value: &Value) -> Vec<Literal> {
    let mut by = Form::new(value.sort()).linear;
    by.constant = rational(value);
    let insert = |literal| match literal {
        Literal::Linear(mut form, relation) => {
            form.linear.substitute(variable, &by);
            Literal::Linear(form, relation).normalised()
        }
        other => other,
    };
    literals.into_iter().map(insert).collect()
}

/// A term for a variable that is no number: what it is equal to, or its value.
fn other(
    terms: &Terms,
    variable: TermId,
    literals: &mut Vec<Literal>,
    values: &mut Values<'_>,
) -> Found {
    let about = |literal: &Literal| match literal {
        Literal::Truth(term, _) => *term == variable,
        Literal::Equal(a, b, _) => *a == variable || *b == variable,
        Literal::Linear(..) => false,
    };
    let (with, rest): (Vec<Literal>, Vec<Literal>) =
        std::mem::take(literals).into_iter().partition(about);
    *literals = rest;
    let the_other = |a: TermId, b: TermId| if a == variable { b } else { a };
    let equal = with.iter().find_map(|literal| match literal {
        Literal::Equal(a, b, true) if a != b => Some(the_other(*a, *b)),
        _ => None,
    });
    let Some(equal) = equal else { return Found::Value(values.of(variable)) };
    for literal in with {
        if let Literal::Equal(a, b, polarity) = literal {
            let third = the_other(a, b);
            let constants = terms.value(third).is_some() && terms.value(equal).is_some();
            if third != equal && !constants {
                literals.push(Literal::Equal(equal, third, polarity));
            }
        }
    }
    Found::Term(equal)
}

/// How a literal bounds a variable: `variable ⋈ form`.
struct Bound {
    form: Form,
    /// The variable times this number, where that must be whole.
    divisor: BigInt,
    strict: bool,
    value: BigRational,
}

/// A term for a variable that is a number; the literals lose it. A division is no linear
/// form: in it those that are looked at later keep their values.
fn number(
    variable: TermId,
    later: &[TermId],
    literals: &mut Vec<Literal>,
    values: &mut Values<'_>,
) -> Found {
    let (mut equal, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for literal in literals.iter() {
        let Literal::Linear(form, relation) = literal else { continue };
        let coefficient = form.linear.coefficient(variable);
        if coefficient.is_zero() {
            continue;
        }
        let bound = bound(form, *relation, variable, values);
        match relation {
            Relation::Zero => equal.push(bound),
            _ if coefficient.is_negative() => lower.push(bound),
            _ => upper.push(bound),
        }
    }
    equal.sort_by_key(|bound| !bound.divisor.is_one());
    // The nearest: of those that are equally near, one that is strict.
    let low = lower.into_iter().max_by(|a, b| (&a.value, a.strict).cmp(&(&b.value, b.strict)));
    let high = upper.into_iter().min_by(|a, b| (&a.value, !a.strict).cmp(&(&b.value, !b.strict)));
    let found = match (equal.into_iter().next(), low, high) {
        (Some(equal), _, _) => rounded(equal, false),
        (None, Some(low), high) if low.strict => between(low, high),
        (None, Some(low), _) => rounded(low, true),
        (None, None, Some(high)) if high.strict => shifted(high, -BigRational::one()),
        (None, None, Some(high)) => rounded(high, false),
        (None, None, None) => return Found::Value(values.of(variable)),
    };
    match found {
        Found::Form(by) => {
            for literal in literals.iter_mut() {
                if let Literal::Linear(form, relation) = literal {
                    form.linear.substitute(variable, &by.linear);
                    *literal = Literal::Linear(form.clone(), *relation).normalised();
                }
            }
            Found::Form(by)
        }
        Found::Quotient(mut form, divisor) => {
            for variable in later {
                let mut value = Form::new(form.sort).linear;
                value.constant = rational(&values.of(*variable));
                form.linear.substitute(*variable, &value);
            }
            let dividend = form.linear.value(|term| rational(&values.of(term)));
            let quotient = (dividend / BigRational::from_integer(divisor.clone())).floor();
            let quotient = Value::Int(quotient.to_integer());
            *literals = with_value(std::mem::take(literals), variable, &quotient);
            Found::Quotient(form, divisor)
        }
        other => other,
    }
}

fn bound(form: &Form, relation: Relation, variable: TermId, values: &mut Values<'_>) -> Bound {
    let coefficient = form.linear.coefficient(variable);
    let mut bound = form.clone();
    bound.linear.remove(variable);
    bound.linear.scale(&-coefficient.recip());
    let value = bound.linear.value(|term| rational(&values.of(term)));
    let divisor = match form.sort {
        Sort::Real => BigInt::one(),
        // Literals of integers are normalised: their coefficients are whole.
        _ => coefficient.abs().to_integer(),
    };
    Bound { form: bound, divisor, strict: relation == Relation::Below, value }
}

/// The least or greatest number that a bound allows.
fn rounded(bound: Bound, up: bool) -> Found {
    let Bound { mut form, divisor, .. } = bound;
    if divisor.is_one() {
        return Found::Form(form);
    }
    form.linear.scale(&BigRational::from_integer(divisor.clone()));
    if up {
        form.linear.constant += BigRational::from_integer(&divisor - BigInt::one());
    }
    Found::Quotient(form, divisor)
}

fn shifted(bound: Bound, by: BigRational) -> Found {
    let mut form = bound.form;
    form.linear.constant += by;
    Found::Form(form)
}

/// A number above a strict bound and, if there is one, below the other.
fn between(low: Bound, high: Option<Bound>) -> Found {
    let Some(high) = high else { return shifted(low, BigRational::one()) };
    let mut form = low.form;
    form.linear.add_form(&high.form.linear, &BigRational::one());
    form.linear.scale(&BigRational::new(BigInt::one(), BigInt::from(2)));
    Found::Form(form)
}

/// The terms, in which no other of the variables is left. What was found for one may
/// speak of those that were looked at later.
fn resolve(terms: &mut Terms, found: Vec<(TermId, Found)>) -> Vec<Witness> {
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    for (variable, found) in found.into_iter().rev() {
        let term = match found {
            Found::Form(form) => form.linear.into_term(terms, form.sort),
            Found::Quotient(form, divisor) => {
                let dividend = form.linear.into_term(terms, form.sort);
                let divisor = terms.int(divisor);
                terms.int_div(dividend, divisor)
            }
            Found::Term(term) => term,
            Found::Value(value) => terms.constant(value),
        };
        let source = terms.clone();
        let term = Translation::new().apply(&source, terms, term, |terms, var, sort| {
            let variable = terms.variable(var, sort);
            known.get(&variable).copied().unwrap_or(variable)
        });
        known.insert(variable, term);
    }
    let mut all: Vec<Witness> =
        known.into_iter().map(|(variable, term)| Witness { variable, term }).collect();
    all.sort_by_key(|witness| witness.variable);
    all
}
