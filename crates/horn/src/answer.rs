//! What Spacer says the predicates may be, read back.

use lustral_smt::smtlib::{SExpr, parse_sexprs, parse_term};
use lustral_term::{Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// A predicate as a formula: its arguments are the variables 0, 1, ….
#[derive(Clone, Debug)]
pub struct Definition {
    /// The arena.
    pub terms: Terms,
    /// What holds of the arguments.
    pub term: TermId,
}

impl Definition {
    /// A predicate of everything.
    #[must_use]
    pub fn always() -> Definition {
        Definition { terms: Terms::new(), term: Terms::TRUE }
    }
}

/// The definitions in an answer, by the names of the predicates. `arguments`
/// has the sorts of the arguments of each predicate that counts; others are
/// left out. Nothing if one of them is no formula without quantifiers.
#[must_use]
pub fn definitions<'n>(
    answer: &str,
    arguments: &FxHashMap<&'n str, Vec<Sort>>,
) -> Option<FxHashMap<&'n str, Definition>> {
    let answer = parse_sexprs(answer)?;
    let [answer] = &answer[..] else { return None };
    let list = match answer {
        SExpr::List(list) if list.first().is_some_and(|head| is(head, "and")) => &list[1..],
        one => std::slice::from_ref(one),
    };
    let mut found = FxHashMap::default();
    for one in list {
        let Some((name, names, body)) = parts(one) else { continue };
        let Some((name, sorts)) = arguments.get_key_value(name) else { continue };
        if names.len() != sorts.len() {
            return None;
        }
        let mut terms = Terms::new();
        let mut variables = FxHashMap::default();
        for (i, (argument, sort)) in names.iter().zip(sorts).enumerate() {
            variables.insert(*argument, terms.variable(VarId(i as u32), *sort));
        }
        let term = match body {
            Body::Term(body) => parse_term(body, &mut terms, &variables)?,
            Body::Always => Terms::TRUE,
            Body::Never => Terms::FALSE,
        };
        found.insert(*name, Definition { terms, term });
    }
    Some(found)
}

fn is(expr: &SExpr, name: &str) -> bool {
    matches!(expr, SExpr::Atom(atom) if atom == name)
}

/// What a predicate is.
enum Body<'e> {
    Term(&'e SExpr),
    Always,
    Never,
}

/// The name of the predicate, the names of its arguments and its body:
/// `(forall BINDINGS (! (= (state A B) BODY) :weight 0))`, or without the parts
/// that are not needed.
fn parts(expr: &SExpr) -> Option<(&str, Vec<&str>, Body<'_>)> {
    let mut expr = expr;
    let mut body = Body::Always;
    while let SExpr::List(list) = expr {
        match &list[..] {
            [head, _, inner] if is(head, "forall") => expr = inner,
            [head, inner, ..] if is(head, "!") => expr = inner,
            [head, inner] if is(head, "not") => (expr, body) = (inner, Body::Never),
            [head, left, right] if is(head, "=") => (expr, body) = (left, Body::Term(right)),
            _ => break,
        }
    }
    let (name, names) = applied(expr)?;
    Some((name, names, body))
}

/// A predicate of names.
fn applied(expr: &SExpr) -> Option<(&str, Vec<&str>)> {
    match expr {
        SExpr::Atom(name) => Some((name, Vec::new())),
        SExpr::List(list) => {
            let mut names = list.iter().map(atom).collect::<Option<Vec<&str>>>()?.into_iter();
            let name = names.next()?;
            Some((name, names.collect()))
        }
    }
}

fn atom(expr: &SExpr) -> Option<&str> {
    match expr {
        SExpr::Atom(name) => Some(name),
        SExpr::List(_) => None,
    }
}
