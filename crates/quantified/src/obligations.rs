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
    /// What it is in a certificate: `initial-F` or `kept-T-F`, with the numbers of a fact and of a
    /// transition, or `property`.
    pub file: String,
    /// SMT-LIB 2, complete, but for the `check-sat`.
    pub script: String,
    /// Whether what is to be shown stands, letter by letter, among what is assumed. Then there is nothing
    /// to ask: one assertion is the negation of another.
    pub same: bool,
}

/// Facts that are said to be inductive together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Invariant {
    facts: Vec<Formula>,
    /// By fact and transition, by number: those that are enough for it to be kept. What is shown from
    /// some of the facts follows from all of them, so a mistake here can only cost a proof.
    needs: Option<Vec<Vec<Vec<usize>>>>,
}

impl Invariant {
    /// Facts of which nobody knows what they need.
    #[must_use]
    pub fn new(facts: Vec<Formula>) -> Invariant {
        Invariant { facts, needs: None }
    }

    /// Facts with the numbers of those that they need: by fact and transition.
    #[must_use]
    pub fn with_needs(facts: Vec<Formula>, needs: Vec<Vec<Vec<usize>>>) -> Invariant {
        Invariant { facts, needs: Some(needs) }
    }

    /// The facts.
    #[must_use]
    pub fn facts(&self) -> &[Formula] {
        &self.facts
    }

    /// The numbers of the facts that are assumed where it is shown that a transition keeps one.
    fn assumed(&self, fact: usize, transition: usize) -> Vec<usize> {
        let all = 0..self.facts.len();
        let given = self.needs.as_ref().and_then(|needs| needs.get(fact)?.get(transition));
        match given {
            Some(needed) => all.filter(|i| needed.contains(i)).collect(),
            None => all.collect(),
        }
    }
}

/// What is to be shown of an invariant, and that it implies a property with a name.
pub fn obligations(
    protocol: &Protocol,
    invariant: &Invariant,
    (name, property): (&str, &Formula),
) -> Vec<Obligation> {
    let mut all = Vec::new();
    for (i, fact) in invariant.facts.iter().enumerate() {
        let name = format!("fact {i} holds of first states");
        let (file, script) = (format!("initial-{i}"), initiation(protocol, fact));
        all.push(Obligation { name, file, script, same: false });
    }
    for (number, step) in protocol.transitions.iter().enumerate() {
        for i in 0..invariant.facts.len() {
            let (script, same) = consecution(protocol, invariant, (number, step), i);
            let name = format!("fact {i} is kept by {}", step.name);
            all.push(Obligation { name, file: format!("kept-{number}-{i}"), script, same });
        }
    }
    let (script, same) = implication(protocol, &invariant.facts, property);
    let name = format!("the facts imply {name}");
    all.push(Obligation { name, file: "property".into(), script, same });
    all
}

/// That the fact holds of every first state.
pub(crate) fn initiation(protocol: &Protocol, fact: &Formula) -> String {
    let mut out = first_states(protocol);
    let writer = Writer { protocol, step: None };
    let _ = writeln!(out, "(assert (not {}))", writer.formula(fact));
    out
}

/// What holds of first states.
pub(crate) fn first_states(protocol: &Protocol) -> String {
    let writer = Writer { protocol, step: None };
    let mut out = beginning(&writer);
    for init in &protocol.init {
        let _ = writeln!(out, "(assert {})", writer.formula(&init.formula));
    }
    out
}

/// What consecution by a transition assumes, without the facts.
pub(crate) fn step(writer: &Writer<'_>) -> String {
    let mut out = beginning(writer);
    let _ = writeln!(out, "(assert {})", writer.step());
    out
}

/// That a transition keeps a fact; and whether that is what is assumed already, since the fact speaks
/// of nothing that the transition changes.
fn consecution(
    protocol: &Protocol,
    invariant: &Invariant,
    (number, by): (usize, &Transition),
    fact: usize,
) -> (String, bool) {
    let writer = Writer { protocol, step: Some(by) };
    let assumed = invariant.assumed(fact, number);
    let known: Vec<String> = assumed.iter().map(|i| writer.formula(&invariant.facts[*i])).collect();
    follows(step(&writer), &known, &writer.next(&invariant.facts[fact]))
}

fn implication(protocol: &Protocol, facts: &[Formula], property: &Formula) -> (String, bool) {
    let writer = Writer { protocol, step: None };
    let said = |formula: &Formula| writer.formula(formula);
    // A property that is a fact itself needs no other.
    let known: Vec<String> = match facts.iter().find(|fact| *fact == property) {
        Some(fact) => vec![said(fact)],
        None => facts.iter().map(said).collect(),
    };
    follows(beginning(&writer), &known, &said(property))
}

/// That a formula follows from others; and whether it is one of them.
fn follows(mut out: String, known: &[String], formula: &String) -> (String, bool) {
    for known in known {
        let _ = writeln!(out, "(assert {known})");
    }
    let _ = writeln!(out, "(assert (not {formula}))");
    (out, known.contains(formula))
}

/// Declarations and axioms.
fn beginning(writer: &Writer<'_>) -> String {
    let mut out = writer.declarations();
    for axiom in &writer.protocol.axioms {
        let _ = writeln!(out, "(assert {})", writer.formula(&axiom.formula));
    }
    out
}
