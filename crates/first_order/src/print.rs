//! Formulas as text, in the notation of mypyvy, with the fewest parentheses.

use std::fmt;

use crate::formula::{Application, Formula, Moment, Quantifier, Term};
use crate::signature::Signature;

/// A formula to be shown.
#[derive(Clone, Copy)]
pub struct Shown<'a>(pub &'a Signature, pub &'a Formula);

/// A term to be shown.
#[derive(Clone, Copy)]
pub struct ShownTerm<'a>(pub &'a Signature, pub &'a Term);

/// How tightly operators bind, loosest first.
const OPEN: u8 = 0;
const IFF: u8 = 1;
const IMPLIES: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const EQUAL: u8 = 5;
const NOT: u8 = 6;

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        formula(f, self.0, self.1, OPEN)
    }
}

impl fmt::Display for ShownTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        term(f, self.0, self.1)
    }
}

/// Writes what binds so tightly inside of something that binds tighter in parentheses.
fn grouped(
    f: &mut fmt::Formatter<'_>,
    own: u8,
    around: u8,
    write: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if own >= around {
        return write(f);
    }
    f.write_str("(")?;
    write(f)?;
    f.write_str(")")
}

fn formula(
    f: &mut fmt::Formatter<'_>,
    names: &Signature,
    shown: &Formula,
    around: u8,
) -> fmt::Result {
    match shown {
        Formula::Constant(value) => write!(f, "{value}"),
        Formula::Relation(atom) => application(f, names, atom),
        Formula::Equal(sides) => grouped(f, EQUAL, around, |f| equation(f, names, sides, "=")),
        Formula::Not(inner) => match &**inner {
            Formula::Equal(sides) => grouped(f, EQUAL, around, |f| equation(f, names, sides, "!=")),
            other => {
                f.write_str("!")?;
                formula(f, names, other, NOT + 1)
            }
        },
        Formula::And(list) => joined(f, names, list, (AND, " & ", "true"), around),
        Formula::Or(list) => joined(f, names, list, (OR, " | ", "false"), around),
        Formula::Implies(sides) => grouped(f, IMPLIES, around, |f| {
            formula(f, names, &sides.0, IMPLIES + 1)?;
            f.write_str(" -> ")?;
            formula(f, names, &sides.1, IMPLIES)
        }),
        Formula::Iff(sides) => grouped(f, IFF, around, |f| {
            formula(f, names, &sides.0, IFF + 1)?;
            f.write_str(" <-> ")?;
            formula(f, names, &sides.1, IFF + 1)
        }),
        Formula::Choice(three) => grouped(f, OPEN, around, |f| {
            f.write_str("if ")?;
            formula(f, names, &three.0, OPEN)?;
            f.write_str(" then ")?;
            formula(f, names, &three.1, OPEN)?;
            f.write_str(" else ")?;
            formula(f, names, &three.2, OPEN)
        }),
        Formula::Quantified(quantifier, variables, body) => grouped(f, OPEN, around, |f| {
            f.write_str(match quantifier {
                Quantifier::Forall => "forall ",
                Quantifier::Exists => "exists ",
            })?;
            for (i, variable) in variables.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                write!(f, "{comma}{}:{}", variable.name, names.sort(variable.sort))?;
            }
            f.write_str(". ")?;
            formula(f, names, body, OPEN)
        }),
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    names: &Signature,
    list: &[Formula],
    (own, operator, none): (u8, &str, &str),
    around: u8,
) -> fmt::Result {
    if list.is_empty() {
        return f.write_str(none);
    }
    grouped(f, own, around, |f| {
        for (i, inner) in list.iter().enumerate() {
            if i > 0 {
                f.write_str(operator)?;
            }
            formula(f, names, inner, own + 1)?;
        }
        Ok(())
    })
}

fn equation(
    f: &mut fmt::Formatter<'_>,
    names: &Signature,
    sides: &(Term, Term),
    operator: &str,
) -> fmt::Result {
    term(f, names, &sides.0)?;
    write!(f, " {operator} ")?;
    term(f, names, &sides.1)
}

fn term(f: &mut fmt::Formatter<'_>, names: &Signature, shown: &Term) -> fmt::Result {
    match shown {
        Term::Variable(variable) => f.write_str(&variable.name),
        Term::Apply(inner) => application(f, names, inner),
        Term::Choice(three) => {
            f.write_str("(if ")?;
            formula(f, names, &three.0, OPEN)?;
            f.write_str(" then ")?;
            term(f, names, &three.1)?;
            f.write_str(" else ")?;
            term(f, names, &three.2)?;
            f.write_str(")")
        }
    }
}

fn application(f: &mut fmt::Formatter<'_>, names: &Signature, shown: &Application) -> fmt::Result {
    if shown.moment == Moment::Next {
        f.write_str("new(")?;
    }
    f.write_str(&names.symbol(shown.symbol).name)?;
    if !shown.arguments.is_empty() {
        f.write_str("(")?;
        for (i, argument) in shown.arguments.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            term(f, names, argument)?;
        }
        f.write_str(")")?;
    }
    if shown.moment == Moment::Next {
        f.write_str(")")?;
    }
    Ok(())
}
