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
    /// The calls, by their paths, whose nodes have no part in the proof but by
    /// what they guarantee.
    pub abstracted: Vec<String>,
    /// What the proof was given of their nodes.
    pub guarantees: Vec<Guarantee>,
}

/// What a node guarantees to its callers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Guarantee {
    /// The node.
    pub node: String,
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
            Guarantee { node: program.node(summary.node()).name.to_string(), expressions }
        });
        Composition {
            every_call: tree.is_called(),
            abstracted: tree.cut_ids().map(|id| tree.path(program, id)).collect(),
            guarantees: guarantees.filter(|g| !g.expressions.is_empty()).collect(),
        }
    }

    /// The first calls, and how many more there are.
    fn calls(&self) -> String {
        let mut text =
            self.abstracted.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
        if self.abstracted.len() > MOST_NAMED {
            let _ = write!(text, " … and {} more", self.abstracted.len() - MOST_NAMED);
        }
        text
    }

    /// The first guarantees, and how many more there are.
    fn listed(&self) -> Vec<String> {
        let one = |g: &Guarantee| {
            let node = g.node.clone();
            g.expressions.iter().map(move |e| format!("{node}: {e}")).collect::<Vec<_>>()
        };
        let all: Vec<String> = self.guarantees.iter().flat_map(one).collect();
        let mut lines: Vec<String> = all.iter().take(MOST_NAMED).cloned().collect();
        if all.len() > MOST_NAMED {
            lines.push(format!("… and {} more", all.len() - MOST_NAMED));
        }
        lines
    }

    /// For people at a terminal.
    pub(crate) fn text(&self, out: &mut String) {
        if self.abstracted.is_empty() {
            return;
        }
        let _ = writeln!(out, "  abstracted calls: {}", printable(&self.calls()));
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
        if self.abstracted.is_empty() {
            return;
        }
        let calls = escape_html(&self.calls());
        let _ = write!(out, "<details open><summary>Abstracted calls: {calls}</summary>");
        let _ = write!(out, "<ol class=\"proof\">");
        for line in self.listed() {
            let _ = write!(out, "<li><code>{}</code></li>", escape_html(&line));
        }
        let _ = writeln!(out, "</ol></details>");
    }
}
