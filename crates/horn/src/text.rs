//! Clauses as text, in two dialects.
//!
//! All names are generated, so a program can break nothing; comments have words
//! of the program, and each is made to stay on its line.

use std::fmt::Write;

use lustral_smt::smtlib::{Writer, range_text, sort_name, value_text};
use lustral_term::{Operator, Sort, Term, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clauses::{Application, Clause, Clauses, Signature};

/// The text in Z3's dialect: `rule`s, and one `query` of a predicate `failure`,
/// which is the head of the clauses that have none.
#[must_use]
pub fn z3_rules(clauses: &Clauses, comments: bool) -> String {
    let mut out = String::new();
    for signature in &clauses.predicates {
        if comments {
            comment_signature(signature, &mut out);
        }
        let (name, sorts) = (&signature.name, sorts(signature));
        let _ = writeln!(out, "(declare-rel {name} ({sorts}))");
    }
    out.push_str("(declare-rel failure ())\n");
    for (name, sort) in &clauses.variables {
        let _ = writeln!(out, "(declare-var {name} {})", sort_name(*sort));
    }
    let mut text = Rules { clauses, writer: Writer::new("t"), out };
    for clause in &clauses.clauses {
        if comments {
            comment(&clause.about, &mut text.out);
        }
        text.rule(clause);
    }
    text.out.push_str("(query failure)");
    text.out
}

/// The text in SMT-LIB 2, as solvers of Horn clauses read it in their
/// competition: `sat` means that `false` is not derivable.
#[must_use]
pub fn smt2(clauses: &Clauses) -> String {
    let mut out = String::from("(set-logic HORN)\n");
    for signature in &clauses.predicates {
        comment_signature(signature, &mut out);
        let _ = writeln!(out, "(declare-fun {} ({}) Bool)", signature.name, sorts(signature));
    }
    for clause in &clauses.clauses {
        comment(&clause.about, &mut out);
        Assertion::new(clauses, clause).write(clause, &mut out);
    }
    out.push_str("(check-sat)\n");
    out
}

fn sorts(signature: &Signature) -> String {
    let sorts: Vec<String> = signature.arguments.iter().map(|a| sort_name(a.sort)).collect();
    sorts.join(" ")
}

/// A comment ends with its line, whatever its words are.
fn comment(text: &str, out: &mut String) {
    if !text.is_empty() {
        let line: String = text.chars().map(|c| if unsafe_in_line(c) { ' ' } else { c }).collect();
        let _ = writeln!(out, "; {line}");
    }
}

/// Control characters, and what some readers take for the end of a line.
fn unsafe_in_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// What a predicate and its arguments are.
pub(crate) fn comment_signature(signature: &Signature, out: &mut String) {
    if signature.about.is_empty() {
        return;
    }
    comment(&format!("{}: {}", signature.name, signature.about), out);
    for (i, argument) in signature.arguments.iter().enumerate() {
        comment(&format!("  {}. {}", i + 1, argument.about), out);
    }
}

fn applied(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        name.to_string()
    } else {
        format!("({name} {})", arguments.join(" "))
    }
}

/// In the text a value of an enumeration is an integer, so its range is part of
/// every clause that has a variable of one.
fn ranges(clauses: &Clauses, closure: &[TermId]) -> Vec<String> {
    let variables = closure.iter().filter_map(|id| clauses.terms.var(*id));
    variables
        .filter_map(|var| {
            let (name, sort) = &clauses.variables[var.index()];
            range_text(name, *sort)
        })
        .collect()
}

struct Rules<'c> {
    clauses: &'c Clauses,
    writer: Writer,
    out: String,
}

impl Rules<'_> {
    fn term(&mut self, term: TermId) -> String {
        let names = &self.clauses.variables;
        self.writer.term(&self.clauses.terms, term, &mut self.out, &mut |_, var, _| {
            names[var.index()].0.clone()
        })
    }

    fn application(&mut self, application: &Application) -> String {
        let arguments: Vec<String> = application.arguments.iter().map(|a| self.term(*a)).collect();
        applied(&self.clauses.predicates[application.predicate].name, &arguments)
    }

    fn rule(&mut self, clause: &Clause) {
        let mut parts: Vec<String> = clause.body.iter().map(|a| self.application(a)).collect();
        parts.extend(clause.constraints.iter().map(|term| self.term(*term)));
        parts.extend(ranges(self.clauses, &self.clauses.terms.closure(clause.roots())));
        let head = match &clause.head {
            Some(head) => self.application(head),
            None => "failure".to_string(),
        };
        let _ = if parts.is_empty() {
            writeln!(self.out, "(rule {head})")
        } else {
            writeln!(self.out, "(rule (=> (and {}) {head}))", parts.join(" "))
        };
    }
}

/// A term whose text is longer has a name: nested texts would add up.
const LONGEST: usize = 1_000;

/// A clause as an assertion. A term that occurs more than once has a variable
/// of its own with an equation, so that the text is not larger than the graph
/// of terms; there are neither `let`s nor definitions, which not every solver
/// of Horn clauses reads.
struct Assertion<'c> {
    clauses: &'c Clauses,
    /// The terms of the clause, operands first.
    closure: Vec<TermId>,
    /// Compound terms that occur more than once, which have a name.
    shared: FxHashMap<TermId, String>,
    texts: FxHashMap<TermId, String>,
}

impl<'c> Assertion<'c> {
    fn new(clauses: &'c Clauses, clause: &Clause) -> Assertion<'c> {
        let terms = &clauses.terms;
        let closure = terms.closure(clause.roots());
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        clause.roots().for_each(|root| *uses.entry(root).or_default() += 1);
        for id in &closure {
            terms.operands(*id).iter().for_each(|operand| *uses.entry(*operand).or_default() += 1);
        }
        let compound = |id: &TermId| match terms.get(*id) {
            Term::Value(_) | Term::Var(..) => false,
            Term::Apply(Operator::Not, [a]) => terms.var(*a).is_none(),
            _ => true,
        };
        let often = closure.iter().filter(|id| compound(id) && uses[id] > 1);
        let shared = often.map(|id| (*id, format!("t{}", id.0))).collect();
        Assertion { clauses, closure, shared, texts: FxHashMap::default() }
    }

    fn write(mut self, clause: &Clause, out: &mut String) {
        let terms = &self.clauses.terms;
        let mut bound: Vec<(String, Sort)> = Vec::new();
        let mut equations = Vec::new();
        let ranges = ranges(self.clauses, &self.closure);
        for id in std::mem::take(&mut self.closure) {
            let text = match terms.get(id) {
                Term::Value(value) => value_text(value),
                Term::Var(VarId(var), _) => {
                    let variable = self.clauses.variables[var as usize].clone();
                    let name = variable.0.clone();
                    bound.push(variable);
                    name
                }
                Term::Apply(operator, operands) => {
                    lustral_smt::smtlib::application(terms, operator, operands, |operand| {
                        &self.texts[&operand]
                    })
                }
            };
            let long = (text.len() > LONGEST).then(|| format!("t{}", id.0));
            let text = match self.shared.get(&id).cloned().or(long) {
                Some(name) => {
                    bound.push((name.clone(), terms.sort(id)));
                    equations.push(format!("(= {name} {text})"));
                    name
                }
                None => text,
            };
            self.texts.insert(id, text);
        }
        let mut parts: Vec<String> = clause.body.iter().map(|a| self.application(a)).collect();
        parts.extend(equations);
        parts.extend(clause.constraints.iter().map(|term| self.texts[term].clone()));
        parts.extend(ranges);
        let head = match &clause.head {
            Some(head) => self.head(head, &mut bound, &mut parts),
            None => "false".into(),
        };
        let body = if parts.is_empty() {
            "true".to_string()
        } else {
            format!("(and\n    {})", parts.join("\n    "))
        };
        let implication = format!("(=> {body}\n    {head})");
        let bound: Vec<String> =
            bound.iter().map(|(name, sort)| format!("({name} {})", sort_name(*sort))).collect();
        let _ = if bound.is_empty() {
            writeln!(out, "(assert\n  {implication})")
        } else {
            writeln!(out, "(assert (forall ({})\n  {implication}))", bound.join(" "))
        };
    }

    /// A head has different variables as arguments.
    fn head(
        &self,
        head: &Application,
        bound: &mut Vec<(String, Sort)>,
        parts: &mut Vec<String>,
    ) -> String {
        let terms = &self.clauses.terms;
        let mut seen = FxHashSet::default();
        let mut arguments = Vec::with_capacity(head.arguments.len());
        for (i, term) in head.arguments.iter().enumerate() {
            let text = &self.texts[term];
            if terms.var(*term).is_some() && seen.insert(*term) {
                arguments.push(text.clone());
                continue;
            }
            let name = format!("h{i}");
            parts.push(format!("(= {name} {text})"));
            bound.push((name.clone(), terms.sort(*term)));
            arguments.push(name);
        }
        applied(&self.clauses.predicates[head.predicate].name, &arguments)
    }

    fn application(&self, application: &Application) -> String {
        let arguments: Vec<String> =
            application.arguments.iter().map(|a| self.texts[a].clone()).collect();
        applied(&self.clauses.predicates[application.predicate].name, &arguments)
    }
}
