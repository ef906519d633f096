//! What a proof that looks at each node once does without, and rests on.

use std::collections::HashSet;
use std::fmt::Write;

use lustral_certify::CutSystem;
use lustral_system::{InstanceId, Predicate};
use lustral_term::show_term;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lustral_render::printable;

use crate::html::escape::escape_html;
use lustral_render::LustreWriter;

/// How a proof was put together from proofs about nodes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Composition {
    /// Whether it is about every call of the node, whatever its inputs are.
    pub every_call: bool,
    /// Or what its inputs are as far as the contract and the types of the inputs say: the names of
    /// that, which was shown of every call.
    pub given: Vec<String>,
    /// The calls, by their paths, whose nodes have no part in the proof but by
    /// what they guarantee.
    pub abstracted: Vec<String>,
    /// The calls, by their paths, of nodes with contracts whose bodies have a part in the proof: what the
    /// contracts say is too little for it, or cannot be stated of the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined: Vec<String>,
    /// What the proof was given of their nodes.
    pub guarantees: Vec<Guarantee>,
}

/// What a node guarantees to its callers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Guarantee {
    /// The node.
    pub node: String,
    /// What a call must have been given so far for that: assumptions and types of inputs, by their names.
    pub given: Vec<String>,
    /// As Lustre in the scope of the node, or else with the names of its system.
    pub expressions: Vec<String>,
}

/// More calls and guarantees than this are not listed for people.
const MOST_NAMED: usize = 8;

impl Composition {
    pub(crate) fn new(cut: &CutSystem) -> Composition {
        let (program, tree) = (&*cut.program, &cut.tree);
        let guarantees = cut.guarantees().map(|(summary, stated)| {
            let system = &summary.cut().system;
            let mut writer = LustreWriter::new(system);
            let text = |p: &Predicate| match writer.expression(p) {
                Some((InstanceId::ROOT, text)) => text,
                _ => {
                    writer.with_paths(p).unwrap_or_else(|| show_term(&p.terms, p.term, 300, system))
                }
            };
            let mut expressions: Vec<String> = stated.into_iter().map(text).collect();
            // What is stated in the program may have been learned as well.
            let mut seen = HashSet::new();
            expressions.retain(|e| e != "true" && seen.insert(e.clone()));
            let node = program.node(summary.node()).name.to_string();
            Guarantee { node, given: summary.cut().given(), expressions }
        });
        Composition {
            inlined: cut.inlined(),
            every_call: tree.is_called(),
            given: cut.given(),
            abstracted: tree.cut_ids().map(|id| tree.path(program, id)).collect(),
            guarantees: guarantees.filter(|g| !g.expressions.is_empty()).collect(),
        }
    }

    /// The calls of which the contract was not enough, if there are any.
    fn not_enough(&self) -> Option<String> {
        let calls = some_of(&self.inlined);
        (!self.inlined.is_empty())
            .then(|| format!("inlined calls, whose contracts are not enough here: {calls}"))
    }

    /// The first guarantees, and how many more there are.
    fn listed(&self) -> Vec<String> {
        let one = |g: &Guarantee| {
            let node = match &g.given[..] {
                [] => g.node.clone(),
                given => format!("{}, as long as {}", g.node, kept(given)),
            };
            g.expressions.iter().map(move |e| format!("{node}: {e}")).collect::<Vec<_>>()
        };
        let all: Vec<String> = self.guarantees.iter().flat_map(one).collect();
        let mut lines: Vec<String> = all.iter().take(MOST_NAMED).cloned().collect();
        if all.len() > MOST_NAMED {
            lines.push(format!("… and {} more", all.len() - MOST_NAMED));
        }
        lines
    }

    /// What every call was shown to be given.
    fn every_call(&self) -> Option<String> {
        (!self.given.is_empty()).then(|| format!("at every call {}", kept(&self.given)))
    }

    /// For people at a terminal.
    pub(crate) fn text(&self, out: &mut String) {
        if let Some(given) = self.every_call() {
            let _ = writeln!(out, "  {}", printable(&given));
        }
        if let Some(calls) = self.not_enough() {
            let _ = writeln!(out, "  {}", printable(&calls));
        }
        if self.abstracted.is_empty() {
            return;
        }
        let _ = writeln!(out, "  abstracted calls: {}", printable(&some_of(&self.abstracted)));
        let listed = self.listed();
        if !listed.is_empty() {
            let _ = writeln!(out, "  given that");
        }
        for line in listed {
            let short: String = printable(&line).chars().take(200).collect();
            let _ = writeln!(out, "    {short}");
        }
    }

    /// For the page.
    pub(crate) fn html(&self, out: &mut String) {
        if let Some(given) = self.every_call() {
            let _ = writeln!(out, "<p>{}</p>", escape_html(&given));
        }
        if let Some(calls) = self.not_enough() {
            let _ = writeln!(out, "<p>{}</p>", escape_html(&calls));
        }
        if self.abstracted.is_empty() {
            return;
        }
        let calls = escape_html(&some_of(&self.abstracted));
        let _ = write!(out, "<details open><summary>Abstracted calls: {calls}</summary>");
        let _ = write!(out, "<ol class=\"proof\">");
        for line in self.listed() {
            let _ = write!(out, "<li><code>{}</code></li>", escape_html(&line));
        }
        let _ = writeln!(out, "</ol></details>");
    }
}

/// The first calls, and how many more there are.
fn some_of(calls: &[String]) -> String {
    let mut text = calls.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if calls.len() > MOST_NAMED {
        let _ = write!(text, " … and {} more", calls.len() - MOST_NAMED);
    }
    text
}

/// That some assumptions are kept.
fn kept(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{} {} kept", names.join(", "), if names.len() == 1 { "is" } else { "are" })
}
