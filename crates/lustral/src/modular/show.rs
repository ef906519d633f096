//! What there is to show of a node.

use std::collections::BTreeSet;

use lustral_engines::thin;
use lustral_horn::{About, Definition, Place, restate};
use lustral_report::{LustreWriter, ModularInvariants, Part};
use lustral_system::StreamRole;
use lustral_term::{TermId, Terms, Translation, VarId, show_term};

use super::Found;

/// The most properties that a flag is said to be about.
const NAMED: usize = 4;

/// What longer formulas are cut to.
const LONGEST: usize = 300;

impl Found {
    /// What there is to show of a node: what does not follow from the rest.
    pub fn node(&self, node: usize) -> ModularInvariants {
        let known = &self.modular.nodes[node];
        let predicates = &self.clauses.nodes[node];
        let summary = &self.summaries[node];
        let mut writer = LustreWriter::new(&known.system);
        let invariant = predicates.invariant.unwrap_or(predicates.initial);
        let flows = predicates.initial_places.len() - known.state.len();
        let mut given = Definition::always();
        let mut list = |about: About, of: usize, learned: &[TermId]| {
            let mut all = Definition::always();
            let mut parts = copy(&mut all.terms, (&summary.terms, learned), 0);
            if let Some(spacer) = self.spacer.as_ref().map(|model| &model.definitions[of]) {
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
            let parts = thin(&all.terms, &parts, &states, &self.learning);
            if about == About::State {
                let copies = copy(&mut given.terms, (&all.terms, &parts), 0);
                given.term = given.terms.and(copies);
            }
            let mut shown: Vec<Part> = Vec::new();
            for part in parts {
                let part = self.part(&mut writer, node, about, (&all.terms, part));
                // No properties are a flag that always holds.
                if part.lustre.as_deref() == Some("true") {
                    continue;
                }
                // Different arguments may be one flow.
                if part.lustre.is_none() || shown.iter().all(|p| p.lustre != part.lustre) {
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
            main: (node == self.modular.root()).then(|| list(About::Main, self.clauses.main, &[])),
            states,
        }
    }

    fn part(
        &self,
        writer: &mut LustreWriter<'_>,
        node: usize,
        about: About,
        (terms, term): (&Terms, TermId),
    ) -> Part {
        let restated = restate(&self.modular, &self.clauses, node, about, (terms, term));
        let lustre = restated.and_then(|predicate| writer.expression(&predicate));
        let lustre = lustre.filter(|(instance, _)| *instance == 0).map(|(_, text)| text);
        let name = |var: VarId| self.argument_name(node, about, var);
        let formula = show_term(terms, term, LONGEST, &name);
        let interface = lustre.as_ref().is_some_and(|text| self.is_interface(node, text));
        Part { lustre, formula, interface }
    }

    fn argument_name(&self, node: usize, about: About, argument: VarId) -> String {
        let known = &self.modular.nodes[node];
        let predicates = &self.clauses.nodes[node];
        let place = match about {
            About::First | About::Main => predicates.initial_places[argument.index()],
            About::Later => predicates.step_places[argument.index()],
            About::State => Place::Before(argument.index()),
        };
        let slot = |slot: usize| self.modular.slot_name(node, known.state[slot]);
        match place {
            Place::Flow(var) => known.system.variable(var).name.clone(),
            Place::Flag => format!("(the properties hold: {})", self.flagged(node)),
            Place::Before(i) => format!("({})", slot(i)),
            Place::After(i) => format!("({})'", slot(i)),
        }
    }

    /// The first few properties of a node and of its calls that its flag is about.
    fn flagged(&self, root: usize) -> String {
        let selection = &self.clauses.selection;
        let mut names: Vec<String> = Vec::new();
        let mut pending = vec![root];
        let mut seen = BTreeSet::new();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            let known = &self.modular.nodes[node];
            for property in &selection.own[node] {
                let name = &known.system.properties[*property].name;
                names.push(match node == root {
                    true => name.clone(),
                    false => format!("{name} of {}", known.name),
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
        let system = &self.modular.nodes[node].system;
        let locals = system.instances[0].streams.iter().filter(|s| s.role == StreamRole::Local);
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
