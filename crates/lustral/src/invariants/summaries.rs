//! What is shown of the nodes below all roots: each node once.

use lustral_render::printable;
use lustral_report::ModularInvariants;
use lustral_session::NodeModels;

use crate::cli::{InvariantFormat, InvariantsOptions};
use crate::output::{Output, lines};

/// What was found below some roots.
#[derive(Default)]
pub struct Summaries {
    nodes: Vec<ModularInvariants>,
    /// How much of the states the summaries speak of, as it is written.
    ranks: String,
}

impl Summaries {
    /// Adds what was found below a root. What is said of a node below one root
    /// holds of all its steps, whoever calls it, so it is said beside the rest.
    pub fn add(&mut self, options: &InvariantsOptions, found: NodeModels, output: &mut Output) {
        if options.format == InvariantFormat::Smt2 && !options.json {
            // Each root has predicates of its own by the same names.
            let (root, text) = (printable(&found.root), found.smt2);
            return output.write(&if found.only_root {
                text
            } else {
                format!("(push 1) ; the root {root}\n{text}(pop 1)\n")
            });
        }
        self.add_ranks(options, &found);
        for more in found.nodes {
            match self.nodes.iter_mut().find(|n| n.node() == more.node()) {
                Some(known) => known.add(more),
                None => self.nodes.push(more),
            }
        }
    }

    fn add_ranks(&mut self, options: &InvariantsOptions, found: &NodeModels) {
        if options.json {
            self.ranks += &lines(&found.ranks());
            return;
        }
        let Some(minimised) = &found.minimised else { return };
        // What is to be pasted is a program still.
        let dashes = if options.format == InvariantFormat::Text { "" } else { "-- " };
        let root = printable(&found.root);
        for (node, (before, after)) in found.names.iter().zip(&minimised.ranks) {
            let below = if found.only_root { String::new() } else { format!(" below {root}") };
            let of = printable(node) + &below;
            self.ranks += &format!("{dashes}{of}: the summaries speak of {}\n", after.of(*before));
        }
        if minimised.smallest {
            self.ranks +=
                &format!("{dashes}{root}: for this `Main`, less of the states would not do\n");
        }
    }

    /// Writes it.
    pub fn write(&self, options: &InvariantsOptions, output: &mut Output) {
        for node in &self.nodes {
            output.write(&match (options.json, options.format) {
                (true, _) => lines(&node.events(&options.file.display().to_string())),
                (false, InvariantFormat::Lustre) => node.lustre(),
                (false, InvariantFormat::Contract) => node.contract(),
                (false, _) => node.text(),
            });
        }
        output.write(&self.ranks);
    }
}
