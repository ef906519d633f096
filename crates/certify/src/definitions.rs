//! What a node guarantees as functions of SMT-LIB 2.

use std::collections::BTreeSet;
use std::fmt::Write;

use lustral_smt::smtlib::{Writer, range_text, sort_name};
use lustral_term::VarId;

use crate::{Checked, NodeInvariants};

/// A function `nodeN.invariantI` for each predicate of the node with number N,
/// over constants with generated names; a comment says what each of them is.
/// `nodeN.givenI` hold of its inputs at every call, and `nodeN.withinI` hold
/// where all of these have held at all steps so far.
#[must_use]
pub fn smt2_definitions(number: usize, checked: &Checked<NodeInvariants>) -> String {
    let known = checked.get();
    let system = known.system();
    let mut out = format!("; node {number}: {}\n", one_line(checked.node()));
    let name = |var: VarId| format!("node{number}.v{}", var.0);
    let mut declared = BTreeSet::new();
    let kinds =
        [("invariant", known.always()), ("given", known.given()), ("within", known.within())];
    let all = kinds.iter().flat_map(|(kind, list)| {
        list.iter().enumerate().map(move |(i, predicate)| (*kind, i, predicate))
    });
    for (kind, i, predicate) in all {
        for var in predicate.terms.variables([predicate.term]) {
            if declared.insert(var) {
                let variable = system.variable(var);
                let (name, sort) = (name(var), sort_name(variable.sort));
                let comment = one_line(&variable.name);
                let _ = writeln!(out, "(declare-fun {name} () {sort}) ; {comment}");
                if let Some(range) = range_text(&name, variable.sort) {
                    let _ = writeln!(out, "(assert {range})");
                }
            }
        }
        let mut writer = Writer::new(format!("node{number}.{kind}{}.t", i + 1));
        let mut variable = |_: &mut String, var, _| name(var);
        let text = writer.term(&predicate.terms, predicate.term, &mut out, &mut variable);
        let _ = writeln!(out, "(define-fun node{number}.{kind}{} () Bool {text})", i + 1);
    }
    out
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
