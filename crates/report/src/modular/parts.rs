//! Parts of definitions as text: as Lustre where the node has words for them,
//! else with names for all arguments.

use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_certify::{CutProgram, NodeClauses, NodeSummary, PartList};
use lustral_horn::{About, Place, restate};
use lustral_render::{LustreWriter, Named, formula};
use lustral_system::{InstanceId, ModularNode, Predicate, StreamRole, TransitionSystem};
use lustral_term::{Enumeration, Names, Sort, TermId, Terms, VarId, show_term};

use super::ghosts::{self, Ghost};
use super::{Part, Told};

/// The most properties that a flag is said to be about.
const NAMED: usize = 4;

/// What longer formulas are cut to.
const LONGEST: usize = 300;

/// Writes the parts of a node.
pub(super) struct PartWriter<'s> {
    summary: &'s NodeSummary,
    lustre: LustreWriter<'s>,
    /// The node as its contract speaks of it.
    renamed: &'s TransitionSystem,
    contract: LustreWriter<'s>,
    ghosts: Vec<Ghost>,
}

impl<'s> PartWriter<'s> {
    /// A writer of what is known of a node, which is given with the names of ghost flows too.
    pub fn new(summary: &'s NodeSummary, renamed: &'s TransitionSystem) -> PartWriter<'s> {
        let nodes = &summary.program().nodes;
        let lustre = LustreWriter::new(&nodes[summary.node()].system);
        let contract = LustreWriter::new(renamed);
        let ghosts = ghosts::ghosts(summary.program(), summary.node(), renamed);
        PartWriter { summary, lustre, renamed, contract, ghosts }
    }

    /// An expression of a contract with the ghost flows that it needs.
    fn told(&self, text: String) -> Option<Told> {
        let needed = ghosts::needed(self.renamed, &self.ghosts, &text)?;
        let ghosts = needed.into_iter().map(|i| self.ghosts[i].text.clone()).collect();
        Some(Told { text, ghosts })
    }

    /// All that the outputs are, by ghost flows.
    pub fn outputs(&self) -> Option<Vec<Told>> {
        ghosts::outputs(self.renamed)?.into_iter().map(|text| self.told(text)).collect()
    }

    fn program(&self) -> &'s CutProgram {
        self.summary.program()
    }

    fn clauses(&self) -> &'s NodeClauses {
        self.summary.clauses()
    }

    fn node(&self) -> &'s ModularNode {
        &self.program().nodes[self.summary.node()]
    }

    /// The parts of a definition, each text once. No properties are a flag that
    /// always holds.
    pub fn parts(&mut self, about: About, list: &PartList) -> Vec<Part> {
        let mut shown: Vec<Part> = Vec::with_capacity(list.parts.len());
        for term in &list.parts {
            let part = self.part(about, &list.terms, *term);
            if part.text() != "true" && shown.iter().all(|p| p.text() != part.text()) {
                shown.push(part);
            }
        }
        shown
    }

    fn part(&mut self, about: About, terms: &Terms, term: TermId) -> Part {
        let (program, clauses, node) = (self.program(), self.clauses(), self.summary.node());
        let restated = restate(program, clauses, node, about, (terms, term));
        let told = restated.as_ref().and_then(|predicate| self.contract.in_root(predicate));
        let told = told.and_then(|text| self.told(text));
        let lustre = restated.and_then(|predicate| self.lustre.expression(&predicate));
        let lustre =
            lustre.filter(|(instance, _)| *instance == InstanceId::ROOT).map(|(_, text)| text);
        let formula = self.formula(about, terms, term);
        let interface = lustre.as_ref().is_some_and(|text| self.is_interface(text));
        Part { lustre, formula, interface, told }
    }

    /// A part with names for all arguments.
    fn formula(&self, about: About, terms: &Terms, term: TermId) -> String {
        let arguments = (0..self.places(about)).map(|i| self.argument(about, i));
        let predicate = Predicate { terms: Arc::new(terms.clone()), term };
        let text = formula(arguments.collect(), &self.node().system.enumerations, &predicate);
        let text = text.filter(|text| text.len() <= LONGEST);
        text.unwrap_or_else(|| show_term(terms, term, LONGEST, &Arguments { of: self, about }))
    }

    /// The number of arguments.
    fn places(&self, about: About) -> usize {
        let predicates = &self.clauses().nodes[self.summary.node()];
        match about {
            About::First | About::Main => predicates.initial_places.len(),
            About::Later => predicates.step_places.len(),
            About::State => self.node().state.len(),
        }
    }

    fn argument(&self, about: About, argument: usize) -> Named {
        let (program, known, node) = (self.program(), self.node(), self.summary.node());
        let predicates = &self.clauses().nodes[node];
        let place = match about {
            About::First | About::Main => predicates.initial_places[argument],
            About::Later => predicates.step_places[argument],
            About::State => Place::Before(argument),
        };
        let slot = |slot: usize, after: &str| {
            let slot = known.state[slot];
            Named {
                name: format!("({}){after}", program.slot_name(node, slot)),
                sort: program.slot_variable(node, slot).sort,
            }
        };
        match place {
            Place::Flow(var) => Named {
                name: known.system.variable(var).name.clone(),
                sort: known.system.variable(var).sort,
            },
            Place::Flag => {
                let name = format!("(the properties hold: {})", self.flagged());
                Named { name, sort: Sort::Bool }
            }
            Place::Before(i) => slot(i, ""),
            Place::After(i) => slot(i, "'"),
        }
    }

    /// The first few properties of a node and of its calls that its flag is about.
    fn flagged(&self) -> String {
        let (selection, root) = (&self.clauses().selection, self.summary.node());
        let mut names: Vec<String> = Vec::new();
        let mut pending = vec![root];
        let mut seen = BTreeSet::new();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            let known = &self.program().nodes[node];
            for property in &selection.own[node] {
                let name = &known.system.properties[*property].name;
                let below = || format!("{name} of {}", known.name);
                names.push(if node == root { name.clone() } else { below() });
            }
            pending.extend(selection.calls[node].iter().rev().map(|call| known.calls[*call]));
        }
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &rest
    }

    /// Whether an expression of the node names no local.
    fn is_interface(&self, text: &str) -> bool {
        let streams = &self.node().system.root().streams;
        let mut locals = streams.iter().filter(|s| s.role == StreamRole::Local);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let words: Vec<&str> = text.split(|c: char| !is_part(c)).collect();
        !locals.any(|local| words.contains(&local.name.as_str()))
    }
}

/// The names of what a formula is about.
struct Arguments<'w, 's> {
    of: &'w PartWriter<'s>,
    about: About,
}

impl Names for Arguments<'_, '_> {
    fn variable(&self, var: VarId) -> String {
        self.of.argument(self.about, var.index()).name
    }

    fn value(&self, enumeration: Enumeration, position: u32) -> Option<String> {
        self.of.node().system.value(enumeration, position)
    }
}
