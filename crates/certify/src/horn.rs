//! Is what somebody says of the predicates of Horn clauses a model of them?
//! Each clause is an obligation of its own: whatever the values of its
//! variables, if the body holds then so does the head.

use std::fmt::Write;

use lustral_horn::{Application, Clauses, Model};
use lustral_smt::smtlib::{Writer, sort_name};
use lustral_term::VarId;

use crate::obligations::{Expected, Obligation};
use crate::{ProofChecker, Rejected};

impl ProofChecker {
    /// Checks that the clauses with a head hold with some definitions; those
    /// without, which say that properties hold, too if that is asked for.
    ///
    /// # Errors
    /// If a clause does not hold, or the solver cannot tell.
    pub fn check_model(
        &mut self,
        clauses: &Clauses,
        model: &Model,
        properties: bool,
    ) -> Result<(), Rejected> {
        if let Some(fault) = malformed(clauses, model) {
            return Err(Rejected::Obligation(fault));
        }
        for clause in 0..clauses.clauses.len() {
            if properties || clauses.clauses[clause].head.is_some() {
                self.one(&obligation(clauses, model, clause))?;
            }
        }
        Ok(())
    }
}

/// What is wrong with definitions that cannot be those of the predicates.
fn malformed(clauses: &Clauses, model: &Model) -> Option<String> {
    if model.definitions.len() != clauses.predicates.len() {
        return Some("one definition for each predicate".into());
    }
    let mut pairs = clauses.predicates.iter().zip(&model.definitions);
    let wrong = pairs.find(|(signature, definition)| {
        let fits = |id| match definition.terms.get(id) {
            lustral_term::Term::Var(var, sort) => {
                signature.arguments.get(var.index()).is_some_and(|a| a.sort == sort)
            }
            _ => true,
        };
        !definition.terms.closure([definition.term]).into_iter().all(fits)
    });
    wrong.map(|(signature, _)| {
        format!("the definition of {} is about its arguments", signature.name)
    })
}

/// A clause fails for some values.
fn obligation(clauses: &Clauses, model: &Model, number: usize) -> Obligation {
    let clause = &clauses.clauses[number];
    let mut script = Script { clauses, model, writer: Writer::new("t"), applications: 0 };
    let mut text = String::new();
    for var in clauses.terms.variables(clause.roots()) {
        let (name, sort) = &clauses.variables[var.index()];
        let _ = writeln!(text, "(declare-fun {name} () {})", sort_name(*sort));
    }
    for application in &clause.body {
        let holds = script.application(application, &mut text);
        let _ = writeln!(text, "(assert {holds})");
    }
    for constraint in &clause.constraints {
        let holds = script.term(*constraint, &mut text);
        let _ = writeln!(text, "(assert {holds})");
    }
    if let Some(head) = &clause.head {
        let holds = script.application(head, &mut text);
        let _ = writeln!(text, "(assert (not {holds}))");
    }
    Obligation {
        name: format!("clause {}: {}", number + 1, clause.about),
        meaning: "if the body holds then the head does".into(),
        needed: true,
        expected: Expected::Unsat,
        text,
    }
}

struct Script<'c> {
    clauses: &'c Clauses,
    model: &'c Model,
    writer: Writer,
    applications: usize,
}

impl Script<'_> {
    fn term(&mut self, term: lustral_term::TermId, out: &mut String) -> String {
        let names = &self.clauses.variables;
        self.writer.term(&self.clauses.terms, term, out, &mut |_, var: VarId, _| {
            names[var.index()].0.clone()
        })
    }

    /// The definition of a predicate, written out for its arguments.
    fn application(&mut self, application: &Application, out: &mut String) -> String {
        let arguments: Vec<String> =
            application.arguments.iter().map(|a| self.term(*a, out)).collect();
        let definition = &self.model.definitions[application.predicate];
        let mut writer = Writer::new(format!("p{}_", self.applications));
        self.applications += 1;
        writer.term(&definition.terms, definition.term, out, &mut |_, var: VarId, _| {
            arguments[var.index()].clone()
        })
    }
}
