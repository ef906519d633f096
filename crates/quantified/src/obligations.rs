//! What is to be shown of an invariant so that a property holds of every state that can be
//! reached, at every size. Trusted.
//!
//! *Facts* are closed formulas about one state. If all of them hold of every first state, if
//! every transition leads from a state in which all of them hold to one in which all of them
//! hold again, and if the property holds wherever they do, then the property holds of every state of
//! every execution: by induction over its steps. The axioms speak of what never changes and hold
//! of every state; that no sort is empty is what both languages say.

use std::fmt::Write;

use lustral_first_order::Formula;
use lustral_protocol::{Protocol, Transition};

use crate::smtlib::Writer;

/// Something to be shown: that the script has no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What it is, for people.
    pub name: String,
    /// SMT-LIB 2, complete, but for the `check-sat`.
    pub script: String,
}

/// The facts and the name of the property that they are to imply.
pub fn obligations(
    protocol: &Protocol,
    facts: &[Formula],
    (name, property): (&str, &Formula),
) -> Vec<Obligation> {
    let mut all = Vec::new();
    for (i, fact) in facts.iter().enumerate() {
        let name = format!("fact {i} holds of first states");
        all.push(Obligation { name, script: initiation(protocol, fact) });
    }
    for step in &protocol.transitions {
        for (i, fact) in facts.iter().enumerate() {
            let name = format!("fact {i} is kept by {}", step.name);
            all.push(Obligation { name, script: consecution(protocol, facts, step, fact) });
        }
    }
    let name = format!("the facts imply {name}");
    all.push(Obligation { name, script: implication(protocol, facts, property) });
    all
}

/// That the fact holds of every first state.
pub(crate) fn initiation(protocol: &Protocol, fact: &Formula) -> String {
    let writer = Writer { protocol, step: None };
    let mut out = beginning(&writer);
    for init in &protocol.init {
        let _ = writeln!(out, "(assert {})", writer.formula(&init.formula));
    }
    let _ = writeln!(out, "(assert (not {}))", writer.formula(fact));
    out
}

/// What consecution by a transition assumes, without the facts.
pub(crate) fn step(writer: &Writer<'_>) -> String {
    let mut out = beginning(writer);
    let _ = writeln!(out, "(assert {})", writer.step());
    out
}

fn consecution(protocol: &Protocol, facts: &[Formula], by: &Transition, fact: &Formula) -> String {
    let writer = Writer { protocol, step: Some(by) };
    let mut out = step(&writer);
    for known in facts {
        let _ = writeln!(out, "(assert {})", writer.formula(known));
    }
    let _ = writeln!(out, "(assert (not {}))", writer.next(fact));
    out
}

fn implication(protocol: &Protocol, facts: &[Formula], property: &Formula) -> String {
    let writer = Writer { protocol, step: None };
    let mut out = beginning(&writer);
    for known in facts {
        let _ = writeln!(out, "(assert {})", writer.formula(known));
    }
    let _ = writeln!(out, "(assert (not {}))", writer.formula(property));
    out
}

/// Declarations and axioms.
fn beginning(writer: &Writer<'_>) -> String {
    let mut out = writer.declarations();
    for axiom in &writer.protocol.axioms {
        let _ = writeln!(out, "(assert {})", writer.formula(&axiom.formula));
    }
    out
}
