//! Abduction by a solver that knows the word: cvc5's `get-abduct`.
//!
//! The candidates are the terminals of a grammar with conjunction, so that an
//! abduct is a set of candidates. What comes back is a suggestion: the step
//! case is asked with it as with any other set.

use std::fmt::Write;
use std::time::Duration;

use lustral_smt::smtlib::{SExpr, Writer, sort_name};
use lustral_smt::{Solver, SolverOptions, open_dialogue};
use lustral_term::{TermId, Terms};

use crate::task::Task;

/// How long one answer may take: the search is by enumeration, and where it
/// takes long a core is found sooner.
const PATIENCE: Duration = Duration::from_secs(2);

/// A grammar with more terminals has too many sentences.
const MOST_CANDIDATES: usize = 60;

/// What an abduct is to be found for, as terms of one arena.
pub(crate) struct Question<'q> {
    pub terms: &'q Terms,
    /// What holds anyway.
    pub facts: Vec<TermId>,
    /// What is to follow.
    pub goal: TermId,
    /// What may be assumed for it.
    pub candidates: Vec<TermId>,
}

/// The positions of candidates that make the goal follow; nothing if the
/// solver is not there or does not find any in time.
pub(crate) fn abduct(task: &Task, question: &Question<'_>) -> Option<Vec<usize>> {
    if question.candidates.len() > MOST_CANDIDATES {
        return None;
    }
    let solver = Solver::Program {
        program: "cvc5".into(),
        args: vec!["--lang=smt2".into(), "--produce-abducts".into()],
        name: "cvc5".into(),
    };
    let options = SolverOptions { patience: Some(PATIENCE), ..task.sessions.options.clone() };
    let mut dialogue = open_dialogue(&solver, &options, &task.cancel).ok()?;
    let (text, goal) = background(question);
    dialogue.tell(&text).ok()?;
    let names: Vec<String> = (0..question.candidates.len()).map(|i| format!("c{i}")).collect();
    let command =
        format!("(get-abduct A {goal} ((G Bool)) ((G Bool ({} (and G G)))))", names.join(" "));
    let answer = dialogue.ask(&command).ok()?;
    let used = atoms(&answer);
    Some((0..names.len()).filter(|i| used.contains(&names[*i])).collect())
}

/// Declarations and facts, and the text of the goal. Candidates get names of
/// their own, so that the answer can be read.
fn background(question: &Question<'_>) -> (String, String) {
    let Question { terms, facts, goal, candidates } = question;
    let mut out = String::from("(set-logic ALL)\n");
    let mut writer = Writer::new("t");
    let mut variable = |out: &mut String, var: lustral_term::VarId, sort| {
        let _ = writeln!(out, "(declare-fun v{} () {})", var.0, sort_name(sort));
        format!("v{}", var.0)
    };
    for fact in facts {
        let text = writer.term(terms, *fact, &mut out, &mut variable);
        let _ = writeln!(out, "(assert {text})");
    }
    for (i, candidate) in candidates.iter().enumerate() {
        let text = writer.term(terms, *candidate, &mut out, &mut variable);
        let _ = writeln!(out, "(declare-fun c{i} () Bool)\n(assert (= c{i} {text}))");
    }
    let goal = writer.term(terms, *goal, &mut out, &mut variable);
    (out, goal)
}

/// All atoms of an answer.
fn atoms(answer: &SExpr) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![answer];
    while let Some(part) = pending.pop() {
        match part {
            SExpr::Atom(atom) => found.push(atom.clone()),
            SExpr::List(list) => pending.extend(list),
        }
    }
    found
}
