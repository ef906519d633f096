//! What the predicates of some clauses may be.

use std::fmt::Write;

use lustral_smt::smtlib::{application, sort_name, value_text};
use lustral_term::{Term, TermId, Terms, Translation};
use rustc_hash::FxHashMap;

use crate::answer::{Definition, definitions};
use crate::clauses::{Application, Clauses};
use crate::text::comment_signature;

/// A definition for each predicate. It is a model if all clauses hold with it;
/// nothing here says that they do. The conjunction of two models is a model.
#[derive(Clone, Debug)]
pub struct Model {
    /// By predicate.
    pub definitions: Vec<Definition>,
}

impl Model {
    /// All predicates always hold: a model of the clauses that have a head.
    #[must_use]
    pub fn always(clauses: &Clauses) -> Model {
        Model { definitions: clauses.predicates.iter().map(|_| Definition::always()).collect() }
    }

    /// The model in an answer of Spacer; predicates that it does not mention
    /// always hold. Nothing if one of them is no formula without quantifiers.
    #[must_use]
    pub fn read(clauses: &Clauses, answer: &str) -> Option<Model> {
        let mut sorts = FxHashMap::default();
        for signature in &clauses.predicates {
            let arguments = signature.arguments.iter().map(|a| a.sort).collect();
            sorts.insert(signature.name.as_str(), arguments);
        }
        let mut found = definitions(answer, &sorts)?;
        let names = clauses.predicates.iter().map(|p| p.name.as_str());
        let of = |name| found.remove(name).unwrap_or_else(Definition::always);
        Some(Model { definitions: names.map(of).collect() })
    }

    /// What an application of a predicate to terms of an arena says, in that arena.
    pub fn apply(&self, application: &Application, terms: &mut Terms) -> TermId {
        let definition = &self.definitions[application.predicate];
        Translation::new().apply(&definition.terms, terms, definition.term, |_, var, _| {
            application.arguments[var.index()]
        })
    }

    /// The predicates as functions of SMT-LIB 2, with comments.
    #[must_use]
    pub fn smt2(&self, clauses: &Clauses) -> String {
        let mut out = String::new();
        for (signature, definition) in clauses.predicates.iter().zip(&self.definitions) {
            comment_signature(signature, &mut out);
            let arguments = signature.arguments.iter().enumerate();
            let arguments: Vec<String> =
                arguments.map(|(i, a)| format!("(a{} {})", i + 1, sort_name(a.sort))).collect();
            let (name, arguments) = (&signature.name, arguments.join(" "));
            let body = definition.smt2();
            let _ = writeln!(out, "(define-fun {name} ({arguments}) Bool\n  {body})");
        }
        out
    }
}

impl Definition {
    /// The conjunction with another.
    pub fn conjoin(&mut self, other: &Definition) {
        let copy = Translation::new().apply(
            &other.terms,
            &mut self.terms,
            other.term,
            |terms, var, sort| terms.variable(var, sort),
        );
        self.term = self.terms.and([self.term, copy]);
    }

    /// The parts of which it is the conjunction; none if it always holds.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<TermId> {
        let parts = self.terms.conjuncts([self.term]);
        parts.into_iter().filter(|part| *part != Terms::TRUE).collect()
    }

    /// As SMT-LIB 2 over arguments `a1`, `a2`, …; what occurs more than once is
    /// bound to a name.
    #[must_use]
    pub fn smt2(&self) -> String {
        let terms = &self.terms;
        let closure = terms.closure([self.term]);
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        for id in &closure {
            terms.operands(*id).iter().for_each(|operand| *uses.entry(*operand).or_default() += 1);
        }
        let mut texts: FxHashMap<TermId, String> = FxHashMap::default();
        let (mut bindings, mut count) = (String::new(), 0);
        for id in closure {
            let text = match terms.get(id) {
                Term::Value(value) => value_text(value),
                Term::Var(var, _) => format!("a{}", var.0 + 1),
                Term::Apply(operator, operands) => {
                    let text = application(terms, operator, operands, |operand| &texts[&operand]);
                    if uses.get(&id).is_some_and(|n| *n > 1) {
                        let _ = write!(bindings, "(let ((t{} {text})) ", id.0);
                        count += 1;
                        format!("t{}", id.0)
                    } else {
                        text
                    }
                }
            };
            texts.insert(id, text);
        }
        format!("{bindings}{}{}", texts[&self.term], ")".repeat(count))
    }
}
