//! Constrained Horn clauses as data, and their text.

use std::fmt::Write;

use lustral_smt::smtlib::{Writer, sort_name};
use lustral_term::{Sort, TermId, Terms, VarId};

/// Clauses over some predicates, in one arena.
#[derive(Default)]
pub(crate) struct Clauses {
    /// The arena of all terms below.
    pub terms: Terms,
    /// By variable of the arena: its name and sort. All names are generated.
    pub variables: Vec<(String, Sort)>,
    /// The predicates.
    pub predicates: Vec<Signature>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// A predicate.
pub(crate) struct Signature {
    /// Its name, a generated one.
    pub name: String,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// For all values of the variables: the applications of the body and the
/// constraints imply the head.
pub(crate) struct Clause {
    pub body: Vec<Application>,
    pub constraints: Vec<TermId>,
    /// None for `false`.
    pub head: Option<Application>,
}

/// A predicate, by its position, of some terms.
pub(crate) struct Application {
    pub predicate: usize,
    pub arguments: Vec<TermId>,
}

impl Clauses {
    /// A new variable; its name is a prefix and a number.
    pub fn variable(&mut self, prefix: char, sort: Sort) -> TermId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push((format!("{prefix}{}", id.0), sort));
        self.terms.variable(id, sort)
    }

    /// The text in Z3's dialect: `rule`s, and one `query` of a predicate
    /// `failure`, which is the head of the clauses that have none.
    pub fn rules(&self) -> String {
        let mut out = String::new();
        for Signature { name, sorts } in &self.predicates {
            let sorts: Vec<&str> = sorts.iter().map(|s| sort_name(*s)).collect();
            let _ = writeln!(out, "(declare-rel {name} ({}))", sorts.join(" "));
        }
        out.push_str("(declare-rel failure ())\n");
        for (name, sort) in &self.variables {
            let _ = writeln!(out, "(declare-var {name} {})", sort_name(*sort));
        }
        let mut text = Text { clauses: self, writer: Writer::new("t"), out };
        for clause in &self.clauses {
            text.rule(clause);
        }
        text.out.push_str("(query failure)");
        text.out
    }
}

struct Text<'c> {
    clauses: &'c Clauses,
    writer: Writer,
    out: String,
}

impl Text<'_> {
    fn term(&mut self, term: TermId) -> String {
        let names = &self.clauses.variables;
        self.writer.term(&self.clauses.terms, term, &mut self.out, &mut |_, var, _| {
            names[var.index()].0.clone()
        })
    }

    fn application(&mut self, application: &Application) -> String {
        let name = &self.clauses.predicates[application.predicate].name;
        if application.arguments.is_empty() {
            return name.clone();
        }
        let mut text = format!("({name}");
        for argument in &application.arguments {
            text.push(' ');
            text.push_str(&self.term(*argument));
        }
        text + ")"
    }

    fn rule(&mut self, clause: &Clause) {
        let mut parts: Vec<String> = clause.body.iter().map(|a| self.application(a)).collect();
        parts.extend(clause.constraints.iter().map(|term| self.term(*term)));
        let head = match &clause.head {
            Some(head) => self.application(head),
            None => "failure".to_string(),
        };
        let _ = match parts.is_empty() {
            true => writeln!(self.out, "(rule {head})"),
            false => writeln!(self.out, "(rule (=> (and {}) {head}))", parts.join(" ")),
        };
    }
}
