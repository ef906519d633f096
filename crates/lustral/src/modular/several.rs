//! What is shown of the nodes below all roots: each node once.

use lustral_certify::ProofChecker;
use lustral_modular::Blocked;
use lustral_modular::model::{Found, Minimised, Setup};
use lustral_render::printable;
use lustral_report::event::RankEvent;
use lustral_report::{Event, ModularInvariants};

use crate::cli::{InvariantFormat, InvariantsOptions};
use crate::output::{Output, lines};

/// What was found below some roots.
#[derive(Default)]
pub struct Shown {
    /// Whether there is more than one root.
    several: bool,
    /// All nodes in the order in which they were met: their numbers.
    names: Vec<String>,
    nodes: Vec<ModularInvariants>,
    /// How much of the states the summaries speak of, as it is written.
    ranks: String,
}

impl Shown {
    /// Nothing yet, for so many roots.
    pub fn below(roots: usize) -> Shown {
        Shown { several: roots > 1, ..Shown::default() }
    }

    /// Adds what was found below a root. What is said of a node below one root
    /// holds of all its steps, whoever calls it, so it is said beside the rest.
    /// Notes the nodes that turn out to have no execution.
    pub fn add(
        &mut self,
        options: &InvariantsOptions,
        (found, setup): (&Found, &Setup),
        blocked: &[Option<Blocked>],
        output: &mut Output,
    ) -> Vec<String> {
        let program = found.clauses.program();
        let root = &program.nodes[program.root()].name;
        let mut notes = Vec::new();
        if options.format == InvariantFormat::Smt2 && !options.json {
            let text = found.model.get().smt2();
            // Each root has predicates of its own by the same names.
            output.write(&if self.several {
                format!("(push 1) ; the root {}\n{text}(pop 1)\n", printable(root))
            } else {
                text
            });
            return notes;
        }
        let mut checker = match ProofChecker::new(&setup.learning.cancel) {
            Ok(checker) => checker,
            Err(rejected) => return vec![rejected.to_string()],
        };
        for (node, known) in program.nodes.iter().enumerate() {
            let number = self.number(&known.name);
            if !options.nodes.is_empty() && !options.nodes.contains(&known.name) {
                continue;
            }
            let summary = found.describe(&mut checker, node, &setup.learning);
            let more = ModularInvariants::new(number, &summary);
            let vacuous = match &blocked[node] {
                Some(ends) if ends.step == 0 => Some(ends.reason(&known.name)),
                // What was validated says that there is no first step.
                _ if more.has_no_first_step() => {
                    let reason =
                        "the assertions, with those of what it calls, contradict each other";
                    notes.push(format!("{} has no execution: {reason}", known.name));
                    Some(format!("{reason}: there is no execution"))
                }
                _ => None,
            };
            let more = match vacuous {
                Some(reason) => more.vacuous(reason),
                None => more,
            };
            match self.nodes.iter_mut().find(|n| n.node() == more.node()) {
                Some(known) => known.add(more),
                None => self.nodes.push(more),
            }
        }
        self.add_ranks(options, found, root);
        notes
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|n| n == name);
        known.map_or_else(
            || {
                self.names.push(name.into());
                self.names.len()
            },
            |at| at + 1,
        )
    }

    fn add_ranks(&mut self, options: &InvariantsOptions, found: &Found, root: &str) {
        let Some(Minimised { ranks, smallest }) = &found.minimised else { return };
        // What is to be pasted is a program still.
        let dashes = if options.format == InvariantFormat::Text { "" } else { "-- " };
        let file = options.file.display().to_string();
        for (node, (before, after)) in found.clauses.program().nodes.iter().zip(ranks) {
            self.ranks += &if options.json {
                Event::Rank(RankEvent {
                    file: file.clone(),
                    node: node.name.clone(),
                    state: (*before).into(),
                    said: (*after).into(),
                    smallest: *smallest,
                })
                .line()
            } else {
                let of = if self.several {
                    format!("{} below {}", printable(&node.name), printable(root))
                } else {
                    printable(&node.name)
                };
                format!("{dashes}{of}: the summaries speak of {}\n", after.of(*before))
            };
        }
        if *smallest && !options.json {
            let root = printable(root);
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
