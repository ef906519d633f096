//! Predicates as functions of SMT-LIB 2.

use std::collections::BTreeSet;
use std::fmt::Write;

use lustral_smt::smtlib::{Writer, sort_name};
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::VarId;

/// A function `nodeN.invariantI` for each predicate of the node with number N,
/// over constants with generated names; a comment says what each of them is.
#[must_use]
pub fn smt2_definitions(
    number: usize,
    node: &str,
    system: &TransitionSystem,
    list: &[Predicate],
) -> String {
    let mut out = format!("; node {number}: {}\n", one_line(node));
    let name = |var: VarId| format!("node{number}.v{}", var.0);
    let mut declared = BTreeSet::new();
    for (i, predicate) in list.iter().enumerate() {
        for var in predicate.terms.variables([predicate.term]) {
            if declared.insert(var) {
                let variable = system.variable(var);
                let (name, sort) = (name(var), sort_name(variable.sort));
                let comment = one_line(&variable.name);
                let _ = writeln!(out, "(declare-fun {name} () {sort}) ; {comment}");
            }
        }
        let mut writer = Writer::new(format!("node{number}.t{i}."));
        let mut variable = |_: &mut String, var, _| name(var);
        let text = writer.term(&predicate.terms, predicate.term, &mut out, &mut variable);
        let _ = writeln!(out, "(define-fun node{number}.invariant{} () Bool {text})", i + 1);
    }
    out
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
