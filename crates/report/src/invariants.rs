//! The invariants of a node, for people and for pasting.

use std::fmt::Write;

use lustral_system::{Predicate, TransitionSystem};
use lustral_term::show_term;

use crate::escape::printable;
use crate::json::invariant_line;
use crate::lustre::LustreWriter;

/// The invariants of a node, as text.
pub struct Invariants<'a> {
    node: &'a str,
    /// As Lustre in the scope of the node; else with the names of the system.
    texts: Vec<Result<String, String>>,
}

impl<'a> Invariants<'a> {
    /// Invariants over the variables of a node's system, whose first instance
    /// is the node.
    #[must_use]
    pub fn new(node: &'a str, system: &TransitionSystem, list: &[Predicate]) -> Invariants<'a> {
        let mut writer = LustreWriter::new(system);
        let name = |var| system.variable(var).name.clone();
        let text = |predicate: &Predicate| match writer.expression(predicate) {
            Some((0, text)) => Ok(text),
            // What a call does has no name in the node.
            _ => Err(show_term(&predicate.terms, predicate.term, 300, &name)),
        };
        Invariants { node, texts: list.iter().map(text).collect() }
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("node {}\n", printable(self.node));
        for Ok(text) | Err(text) in &self.texts {
            let _ = writeln!(out, "  {}", printable(text));
        }
        if self.texts.is_empty() {
            out += "  nothing beyond its equations\n";
        }
        out
    }

    fn expressible(&self) -> impl Iterator<Item = &String> {
        self.texts.iter().filter_map(|text| text.as_ref().ok())
    }

    /// As checks that can be pasted into the node.
    #[must_use]
    pub fn lustre(&self) -> String {
        let mut out = format!("-- node {}\n", printable(self.node));
        for (i, text) in self.expressible().enumerate() {
            let _ = writeln!(out, "check \"invariant {}\" {text};", i + 1);
        }
        out
    }

    /// As JSON Lines.
    #[must_use]
    pub fn json(&self, file: &str) -> String {
        self.expressible().map(|text| invariant_line(file, self.node, text)).collect()
    }
}
