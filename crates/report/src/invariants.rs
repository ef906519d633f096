//! The invariants of a node, for people and for pasting.

use std::fmt::Write;

use lustral_certify::{Checked, NodeInvariants};
use lustral_system::{InstanceId, Predicate};
use lustral_term::show_term;

use crate::event::{Event, InvariantEvent};
use lustral_render::LustreWriter;
use lustral_render::printable;

/// What holds, as text.
#[derive(PartialEq)]
enum Text {
    /// An expression of Lustre, in the scope of the node.
    Lustre(String),
    /// With the names of the system: it says something that has no name in the node.
    Named(String),
}

impl Text {
    fn any(&self) -> &str {
        match self {
            Text::Lustre(text) | Text::Named(text) => text,
        }
    }

    fn lustre(&self) -> Option<&str> {
        match self {
            Text::Lustre(text) => Some(text),
            Text::Named(_) => None,
        }
    }
}

/// The invariants of a node, as text.
pub struct Invariants<'a> {
    node: &'a str,
    /// What holds whatever the inputs are.
    always: Vec<Text>,
    /// What every call establishes, and what holds if all of it does.
    given: Vec<Text>,
    within: Vec<Text>,
    /// Whether it calls nodes, of which something of their own may be known.
    calls: bool,
}

impl<'a> Invariants<'a> {
    /// What was checked of a node.
    #[must_use]
    pub fn new(checked: &'a Checked<NodeInvariants>) -> Invariants<'a> {
        let known = checked.get();
        let system = known.system();
        let mut writer = LustreWriter::new(system);
        let mut text = |said: &Predicate| {
            match writer.expression(said) {
                Some((InstanceId::ROOT, text)) => Text::Lustre(text),
                // What a call does has no name in the node.
                _ => Text::Named(
                    writer
                        .with_paths(said)
                        .unwrap_or_else(|| show_term(&said.terms, said.term, 300, system)),
                ),
            }
        };
        let mut texts = |list: &[Predicate]| {
            let mut found: Vec<Text> = Vec::with_capacity(list.len());
            for text in list.iter().map(&mut text).filter(|text| text.any() != "true") {
                if !found.contains(&text) {
                    found.push(text);
                }
            }
            found
        };
        Invariants {
            node: checked.node(),
            always: texts(known.always()),
            given: texts(known.given()),
            within: texts(known.within()),
            calls: system.instances.len() > 1,
        }
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("node {}\n", printable(self.node));
        for text in &self.always {
            let _ = writeln!(out, "  {}", printable(text.any()));
        }
        for text in &self.given {
            let _ = writeln!(out, "  given {}", printable(text.any()));
        }
        for text in &self.within {
            let _ = writeln!(out, "    {}", printable(text.any()));
        }
        if self.always.is_empty() && self.within.is_empty() {
            out += "  nothing beyond its equations";
            out +=
                if self.calls { " and what is known of the nodes that it calls\n" } else { "\n" };
        }
        out
    }

    /// As checks that can be pasted into the node. What holds only for the
    /// inputs that it is given is no property of the node: a comment.
    #[must_use]
    pub fn lustre(&self) -> String {
        let mut out = format!("-- node {}\n", printable(self.node));
        for (i, text) in self.always.iter().filter_map(Text::lustre).enumerate() {
            let _ = writeln!(out, "check \"invariant {}\" {text};", i + 1);
        }
        for text in self.given.iter().filter_map(Text::lustre) {
            let _ = writeln!(out, "-- given at every call: {}", printable(text));
        }
        for text in self.within.iter().filter_map(Text::lustre) {
            let _ = writeln!(out, "-- then: {}", printable(text));
        }
        out
    }

    /// One event for each.
    #[must_use]
    pub fn events(&self, file: &str) -> Vec<Event> {
        let event = |text: &str, given: &[String]| {
            Event::Invariant(InvariantEvent {
                file: file.into(),
                node: self.node.into(),
                expression: text.into(),
                given: given.to_vec(),
            })
        };
        let given: Vec<String> = self.given.iter().map(|text| text.any().into()).collect();
        let always = self.always.iter().filter_map(Text::lustre).map(|text| event(text, &[]));
        let within = self.within.iter().filter_map(Text::lustre).map(|text| event(text, &given));
        always.chain(within).collect()
    }
}
