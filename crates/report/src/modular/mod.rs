//! What each node guarantees, as definitions of its predicates: for people, for
//! pasting, and as JSON Lines.

mod ghosts;
mod parts;

use std::fmt::Write;

use lustral_certify::{Checked, NodeSummary};
use lustral_horn::About;

use crate::event::{Event, ModularInvariantEvent, ModularPredicate};
use lustral_render::printable;
use parts::PartWriter;

/// The checked definitions of a node's predicates, part by part.
#[derive(Clone, Debug)]
pub struct ModularInvariants {
    node: String,
    /// Where it stands.
    place: String,
    /// Its number in the names of its predicates.
    number: usize,
    /// The parts of `I_N`, about the first step.
    first: Vec<Part>,
    /// The parts of `T_N`, about the later steps.
    later: Vec<Part>,
    /// The parts of `Inv_N`, about the states that are reached.
    states: Vec<Part>,
    /// Of the root: the parts of `Main` that say more than that of its steps.
    main: Option<Vec<Part>>,
    /// What the outputs are by definition, if a contract can say it.
    outputs: Option<Vec<Told>>,
    /// Why the node has no execution, if it has none: then all else says nothing.
    vacuous: Option<String>,
}

/// A part of a definition.
#[derive(Clone, Debug)]
struct Part {
    /// As an expression of Lustre in the scope of the node that is true at
    /// every step, if there is one.
    lustre: Option<String>,
    /// With names for what has none in Lustre, such as the states of calls.
    formula: String,
    /// Whether it speaks of inputs and outputs only.
    interface: bool,
    /// As a contract says it, if it can.
    told: Option<Told>,
}

/// An expression of a contract.
#[derive(Clone, Debug)]
struct Told {
    text: String,
    /// The ghost flows that it needs, as they are declared.
    ghosts: Vec<String>,
}

impl Part {
    /// For people.
    fn text(&self) -> &str {
        self.lustre.as_ref().unwrap_or(&self.formula)
    }
}

impl ModularInvariants {
    /// What was checked of a node, which has this number in the names of its
    /// predicates.
    #[must_use]
    pub fn new(number: usize, summary: &Checked<NodeSummary>) -> ModularInvariants {
        let known = summary.get();
        let parts = known.parts();
        let renamed = ghosts::renamed(known.program(), known.node());
        let mut writer = PartWriter::new(known, &renamed);
        ModularInvariants {
            outputs: writer.outputs(),
            node: summary.node().to_string(),
            place: known.program().nodes[known.node()].place.clone(),
            number,
            first: writer.parts(About::First, &parts.first),
            later: writer.parts(About::Later, &parts.later),
            states: writer.parts(About::State, &parts.states),
            main: parts.main.as_ref().map(|main| writer.parts(About::Main, main)),
            vacuous: None,
        }
    }

    /// The node.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Whether it is known of the first step that there is none.
    #[must_use]
    pub fn has_no_first_step(&self) -> bool {
        self.first.iter().any(|part| part.formula == "false")
    }

    /// The same of a node that has no execution, for this reason: then all else
    /// says nothing.
    #[must_use]
    pub fn vacuous(self, reason: String) -> ModularInvariants {
        ModularInvariants { vacuous: Some(reason), ..self }
    }

    /// Adds what else is known of the same node.
    pub fn add(&mut self, more: ModularInvariants) {
        let add = |list: &mut Vec<Part>, more: Vec<Part>| {
            for part in more {
                if list.iter().all(|p| (&p.lustre, &p.formula) != (&part.lustre, &part.formula)) {
                    list.push(part);
                }
            }
        };
        add(&mut self.first, more.first);
        add(&mut self.later, more.later);
        add(&mut self.states, more.states);
        self.vacuous = self.vacuous.take().or(more.vacuous);
        if let Some(main) = more.main {
            add(self.main.get_or_insert_default(), main);
        }
    }

    /// The predicates with their names in JSON and in clauses.
    fn lists(&self) -> Vec<(ModularPredicate, String, &'static str, &[Part])> {
        let name = |word: &str| format!("{word}_{}", self.number);
        let mut lists: Vec<(_, _, _, &[Part])> = vec![
            (ModularPredicate::I, name("I"), "at the first step", &self.first),
            (ModularPredicate::T, name("T"), "at later steps", &self.later),
            (ModularPredicate::Inv, name("Inv"), "of the states that it reaches", &self.states),
        ];
        if let Some(main) = &self.main {
            lists.push((
                ModularPredicate::Main,
                "Main".into(),
                "at every step of the program",
                main,
            ));
        }
        lists
    }

    /// All parts, without what another says of every step.
    fn parts(&self) -> impl Iterator<Item = &Part> {
        let always: Vec<&str> = self.main.iter().flatten().map(Part::text).collect();
        let said = move |part: &&Part| {
            let text = part.text();
            always.iter().any(|all| {
                let first = text.strip_suffix(" -> true");
                let later = text.strip_prefix("true -> ");
                first.or(later).is_some_and(|once| once == *all || once == format!("({all})"))
            })
        };
        let main = self.main.iter().flatten();
        let all = self.first.iter().chain(&self.later).chain(&self.states).chain(main);
        all.filter(move |part| !said(part))
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("node {}, {}\n", printable(&self.node), printable(&self.place));
        if let Some(reason) = &self.vacuous {
            let _ = writeln!(out, "  {}", printable(reason));
            return out;
        }
        for (_, name, when, list) in self.lists() {
            let _ = writeln!(out, "  {name} {when}");
            for part in list {
                let _ = writeln!(out, "    {}", printable(part.text()));
            }
            if list.is_empty() {
                out += "    true: nothing is claimed\n";
            }
        }
        out
    }

    /// As checks that can be pasted into the node.
    #[must_use]
    pub fn lustre(&self) -> String {
        let mut out = format!("-- node {}\n", printable(&self.node));
        if let Some(reason) = &self.vacuous {
            let _ = writeln!(out, "-- {}", printable(reason));
            return out;
        }
        for (i, text) in self.parts().filter_map(|p| p.lustre.as_ref()).enumerate() {
            let _ = writeln!(out, "check \"invariant {}\" {text};", i + 1);
        }
        out
    }

    /// As a contract that can be pasted between the header of the node and its
    /// body. Where it is about what the node remembers, it has ghost flows that remember the same. Where
    /// something has no words (the states of calls), what the outputs are is said instead.
    #[must_use]
    pub fn contract(&self) -> String {
        let node = printable(&self.node);
        if let Some(reason) = &self.vacuous {
            return format!("-- node {node}\n-- {}\n", printable(reason));
        }
        let mut told: Vec<&Told> = self.parts().filter_map(|p| p.told.as_ref()).collect();
        let mut untold = self.parts().filter(|p| p.told.is_none()).count();
        if let (1.., Some(outputs)) = (untold, &self.outputs) {
            told.extend(outputs);
            untold = 0;
        }
        if told.is_empty() {
            return format!(
                "-- node {node}\n-- nothing is known of what can be seen from outside\n"
            );
        }
        let mut out = format!("-- node {node}\n(*@contract\n");
        let mut declared: Vec<&String> = Vec::new();
        for ghost in told.iter().flat_map(|told| &told.ghosts) {
            if !declared.contains(&ghost) {
                declared.push(ghost);
                let _ = writeln!(out, "  {ghost}");
            }
        }
        let mut said: Vec<&str> = vec!["true"];
        for Told { text, .. } in told {
            if !said.contains(&text.as_str()) {
                said.push(text);
                let _ = writeln!(out, "  guarantee {text};");
            }
        }
        if untold > 0 {
            let _ = writeln!(out, "  -- and {untold} about what only the node knows");
        }
        out + "*)\n"
    }

    /// One event for each part.
    #[must_use]
    pub fn events(&self, file: &str) -> Vec<Event> {
        if self.vacuous.is_some() {
            return Vec::new();
        }
        let event = |predicate: ModularPredicate, part: &Part| {
            Event::ModularInvariant(ModularInvariantEvent {
                file: file.into(),
                node: self.node.clone(),
                predicate,
                expression: part.lustre.clone(),
                formula: part.formula.clone(),
                interface: part.interface,
            })
        };
        let lists = self.lists().into_iter();
        lists
            .flat_map(|(name, _, _, list)| list.iter().map(move |part| event(name, part)))
            .collect()
    }
}
