//! What there is to show of a node.

use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_engines::LearnOptions;
use lustral_horn::{About, Definition, Place, restate};
use lustral_modular::model::Found;
use lustral_modular::thin;
use lustral_render::{LustreWriter, Named, Values, enumerations, formula};
use lustral_report::{ModularInvariants, Part};
use lustral_system::{InstanceId, Predicate, StreamRole};
use lustral_term::{Sort, TermId, Terms, Translation, VarId, show_term};

/// The most properties that a flag is said to be about.
const NAMED: usize = 4;

/// What longer formulas are cut to.
const LONGEST: usize = 300;

/// What was found, with what is needed to describe it.
pub struct Describing<'f> {
    found: &'f Found,
    learning: &'f LearnOptions,
    /// By node and variable: the names of its values, if it is of an enumeration.
    values: Vec<Vec<Option<Values>>>,
}

impl<'f> Describing<'f> {
    pub fn new(found: &'f Found, learning: &'f LearnOptions) -> Describing<'f> {
        let values = found.modular.nodes.iter().map(|node| enumerations(&node.system)).collect();
        Describing { found, learning, values }
    }

    /// What there is to show of a node: what does not follow from the rest.
    pub fn node(&self, node: usize) -> ModularInvariants {
        let known = &self.found.modular.nodes[node];
        let predicates = &self.found.clauses.nodes[node];
        let summary = &self.found.summaries[node];
        let mut writer = LustreWriter::new(&known.system);
        let invariant = predicates.invariant.unwrap_or(predicates.initial);
        let flows = predicates.initial_places.len() - known.state.len();
        let mut given = Definition::always();
        let mut list = |about: About, of: usize, learned: &[TermId]| {
            let mut all = Definition::always();
            let mut parts = copy(&mut all.terms, (&summary.terms, learned), 0);
            if let Some(spacer) = self.found.spacer.as_ref().map(|model| &model.definitions[of]) {
                parts.extend(copy(&mut all.terms, (&spacer.terms, &spacer.conjuncts()), 0));
            }
            // What holds of reached states is said of them once.
            let states = match about {
                About::Later => copy(&mut all.terms, (&given.terms, &given.conjuncts()), flows),
                _ => Vec::new(),
            };
            if about == About::Main {
                // The rest is about the state.
                let says_more =
                    |p: &TermId| all.terms.variables([*p]).iter().any(|var| var.index() < flows);
                parts.retain(says_more);
            }
            let parts = thin(&all.terms, &parts, &states, self.learning);
            if about == About::State {
                let copies = copy(&mut given.terms, (&all.terms, &parts), 0);
                given.term = given.terms.and(copies);
            }
            let mut shown: Vec<Part> = Vec::new();
            for part in self.parts(&mut writer, node, about, (&all.terms, &parts)) {
                // No properties are a flag that always holds; that a value is one of
                // its enumeration goes without saying.
                if part.text() == "true" {
                    continue;
                }
                if shown.iter().all(|p| p.text() != part.text()) {
                    shown.push(part);
                }
            }
            shown
        };
        let states = list(About::State, invariant, &summary.states);
        ModularInvariants {
            node: known.name.clone(),
            place: known.place.clone(),
            number: node + 1,
            first: list(About::First, predicates.initial, &summary.first),
            later: list(About::Later, predicates.step, &summary.later),
            main: (node == self.found.modular.root())
                .then(|| list(About::Main, self.found.clauses.main, &[])),
            states,
            vacuous: None,
        }
    }

    /// The parts of a definition. Different arguments may be one flow, or what
    /// it is by definition, so in the node's own words some may follow from others.
    fn parts(
        &self,
        writer: &mut LustreWriter<'_>,
        node: usize,
        about: About,
        (terms, parts): (&Terms, &[TermId]),
    ) -> Vec<Part> {
        let mut words = Terms::new();
        let mut said: Vec<(Part, Option<TermId>)> = Vec::with_capacity(parts.len());
        for term in parts {
            let restated =
                restate(&self.found.modular, &self.found.clauses, node, about, (terms, *term));
            let restated = restated.map(|predicate| writer.without_ranges(&predicate));
            let word = restated.as_ref().map(|p| copy(&mut words, (&p.terms, &[p.term]), 0)[0]);
            let lustre = restated.and_then(|predicate| writer.expression(&predicate));
            let lustre =
                lustre.filter(|(instance, _)| *instance == InstanceId::ROOT).map(|(_, text)| text);
            let formula = self.formula(node, about, (terms, *term));
            let interface = lustre.as_ref().is_some_and(|text| self.is_interface(node, text));
            let word = word.filter(|_| lustre.is_some());
            said.push((Part { lustre, formula, interface }, word));
        }
        let all: Vec<TermId> = said.iter().filter_map(|(_, word)| *word).collect();
        let kept = thin(&words, &all, &[], self.learning);
        let stays = |(_, word): &(Part, Option<TermId>)| word.is_none_or(|w| kept.contains(&w));
        said.into_iter().filter(stays).map(|(part, _)| part).collect()
    }

    /// A part with names for all arguments.
    fn formula(&self, node: usize, about: About, (terms, term): (&Terms, TermId)) -> String {
        let arguments = (0..self.places(node, about)).map(|i| self.argument(node, about, i));
        let predicate = Predicate { terms: Arc::new(terms.clone()), term };
        let text = formula(arguments.collect(), &predicate);
        let name = |var: VarId| self.argument(node, about, var.index()).name;
        let text = text.filter(|text| text.len() <= LONGEST);
        text.unwrap_or_else(|| show_term(terms, term, LONGEST, &name))
    }

    /// The number of arguments.
    fn places(&self, node: usize, about: About) -> usize {
        let predicates = &self.found.clauses.nodes[node];
        match about {
            About::First | About::Main => predicates.initial_places.len(),
            About::Later => predicates.step_places.len(),
            About::State => self.found.modular.nodes[node].state.len(),
        }
    }

    fn argument(&self, node: usize, about: About, argument: usize) -> Named {
        let known = &self.found.modular.nodes[node];
        let predicates = &self.found.clauses.nodes[node];
        let place = match about {
            About::First | About::Main => predicates.initial_places[argument],
            About::Later => predicates.step_places[argument],
            About::State => Place::Before(argument),
        };
        let slot = |slot: usize, after: &str| {
            let slot = known.state[slot];
            let (owner, var) = self.found.modular.memory(node, slot);
            Named {
                name: format!("({}){after}", self.found.modular.slot_name(node, slot)),
                sort: self.found.modular.slot_variable(node, slot).sort,
                values: self.values[owner][var.index()].clone(),
            }
        };
        match place {
            Place::Flow(var) => Named {
                name: known.system.variable(var).name.clone(),
                sort: known.system.variable(var).sort,
                values: self.values[node][var.index()].clone(),
            },
            Place::Flag => {
                let name = format!("(the properties hold: {})", self.flagged(node));
                Named { name, sort: Sort::Bool, values: None }
            }
            Place::Before(i) => slot(i, ""),
            Place::After(i) => slot(i, "'"),
        }
    }

    /// The first few properties of a node and of its calls that its flag is about.
    fn flagged(&self, root: usize) -> String {
        let selection = &self.found.clauses.selection;
        let mut names: Vec<String> = Vec::new();
        let mut pending = vec![root];
        let mut seen = BTreeSet::new();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            let known = &self.found.modular.nodes[node];
            for property in &selection.own[node] {
                let name = &known.system.properties[*property].name;
                names.push(if node == root {
                    name.clone()
                } else {
                    format!("{name} of {}", known.name)
                });
            }
            pending.extend(selection.calls[node].iter().rev().map(|call| known.calls[*call]));
        }
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &rest
    }

    /// Whether an expression of a node names no local.
    fn is_interface(&self, node: usize, text: &str) -> bool {
        let system = &self.found.modular.nodes[node].system;
        let locals = system.root().streams.iter().filter(|s| s.role == StreamRole::Local);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let words: Vec<&str> = text.split(|c: char| !is_part(c)).collect();
        !locals.into_iter().any(|local| words.contains(&local.name.as_str()))
    }
}

/// Terms in another arena, about arguments from some position on.
fn copy(target: &mut Terms, (source, list): (&Terms, &[TermId]), from: usize) -> Vec<TermId> {
    let mut translation = Translation::new();
    let mut one = |term: &TermId| {
        translation.apply(source, target, *term, |terms, var, sort| {
            terms.variable(VarId(var.0 + from as u32), sort)
        })
    };
    list.iter().map(&mut one).collect()
}
