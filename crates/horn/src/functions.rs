//! A model as SMT-LIB writes it: a function for each predicate.

use lustral_smt::smtlib::{SExpr, parse_sexprs, parse_term, sort_name};
use lustral_term::{Sort, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::answer::Definition;
use crate::clauses::{Clauses, Signature};
use crate::model::Model;

/// Why a text is no model of some clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misread {
    /// It is no sequence of S-expressions, or there is none that defines a function.
    #[error("there is no `(define-fun NAME (ARGUMENTS) Bool BODY)` in it")]
    Nothing,
    /// The clauses have no such predicate.
    #[error("the clauses of the program have no predicate `{0}`: `lustral horn` writes them")]
    Unknown(String),
    /// It has other arguments than the predicate.
    #[error("`{name}` should have {expected} as arguments")]
    Arguments {
        /// The predicate.
        name: String,
        /// The sorts of its arguments.
        expected: String,
    },
    /// A body has something that definitions have not.
    #[error("what `{0}` is said to be is no formula without quantifiers over its arguments")]
    Body(String),
}

impl Model {
    /// The model in a text with a function for each predicate; what it does not mention always
    /// holds. What is around the functions, such as `sat` and `(model …)`, is passed over.
    ///
    /// # Errors
    /// If there is none in the text, with the first reason.
    pub fn of_functions(clauses: &Clauses, text: &str) -> Result<Model, Misread> {
        let text = parse_sexprs(text).ok_or(Misread::Nothing)?;
        let mut model = Model::always(clauses);
        let mut some = false;
        let mut pending: Vec<&SExpr> = text.iter().rev().collect();
        while let Some(expr) = pending.pop() {
            let SExpr::List(list) = expr else { continue };
            match &list[..] {
                [SExpr::Atom(head), SExpr::Atom(name), SExpr::List(arguments), _, body]
                    if head == "define-fun" =>
                {
                    let known = clauses.predicates.iter().position(|p| p.name == *name);
                    let at = known.ok_or_else(|| Misread::Unknown(name.clone()))?;
                    model.definitions[at] = definition(&clauses.predicates[at], arguments, body)?;
                    some = true;
                }
                _ => pending.extend(list.iter().rev()),
            }
        }
        if some { Ok(model) } else { Err(Misread::Nothing) }
    }
}

/// What a predicate is by a function.
fn definition(
    signature: &Signature,
    arguments: &[SExpr],
    body: &SExpr,
) -> Result<Definition, Misread> {
    let sorts: Vec<Sort> = signature.arguments.iter().map(|a| a.sort).collect();
    let wrong = || Misread::Arguments {
        name: signature.name.clone(),
        expected: match &sorts[..] {
            [] => "none".into(),
            some => some.iter().map(|sort| sort_name(*sort)).collect::<Vec<_>>().join(" "),
        },
    };
    if arguments.len() != sorts.len() {
        return Err(wrong());
    }
    let mut terms = Terms::new();
    let mut variables = FxHashMap::default();
    for (i, (argument, sort)) in arguments.iter().zip(&sorts).enumerate() {
        let SExpr::List(pair) = argument else { return Err(wrong()) };
        match &pair[..] {
            [SExpr::Atom(name), SExpr::Atom(of)] if *of == sort_name(*sort) => {
                variables.insert(name.as_str(), terms.variable(VarId(i as u32), *sort));
            }
            _ => return Err(wrong()),
        }
    }
    let term = parse_term(body, &mut terms, &variables);
    let term = term.filter(|term| terms.sort(*term) == Sort::Bool);
    let term = term.ok_or_else(|| Misread::Body(signature.name.clone()))?;
    Ok(Definition { terms, term })
}
