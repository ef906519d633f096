//! What engines leave for the reader, with texts instead of terms.
//!
//! It says how an answer was found, or why there is none; no verdict rests on it.

use std::fmt::Write;
use std::sync::Arc;

use lustral_render::execution::Datum;
use lustral_render::{LustreWriter, printable};
use lustral_system::{
    Facts, InstanceId, NamedStates, Note, Predicate, PropId, Role, Section, TransitionSystem,
    Variable,
};
use lustral_term::{Operator, Term, Terms, Translation, VarId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More states, facts or rounds than this are not shown as text.
const MOST_LINES: usize = 20;
/// What is longer than this is cut off in text.
const LONGEST: usize = 160;

/// A note of an engine about a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NoteEvent {
    /// The engine that left it.
    pub engine: String,
    /// What it is about.
    pub title: String,
    /// What it says in one word.
    #[schemars(regex(pattern = "^[a-z][a-z_]*$"))]
    pub answer: String,
    /// The same in one sentence.
    pub summary: String,
    /// The details.
    pub sections: Vec<SectionEvent>,
}

/// A part of a note.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schemars(deny_unknown_fields)]
pub enum SectionEvent {
    /// A search in which two sides grow against each other, round by round. On
    /// each side there are three counts, each of a part of what the one before
    /// counts.
    Rounds {
        /// The number that a round depends on.
        parameter: String,
        /// What is counted on both sides.
        sides: Box<[[CountEvent; 3]; 2]>,
        /// The rounds in their order.
        rounds: Vec<RoundEvent>,
    },
    /// Facts.
    Facts {
        /// What they are, in one word.
        name: String,
        /// The same as a phrase.
        title: String,
        /// Whether each group follows from those before.
        ordered: bool,
        /// The facts, in groups.
        groups: Vec<Vec<String>>,
    },
    /// States.
    States {
        /// What they are, in one word.
        name: String,
        /// The same as a phrase.
        title: String,
        /// The memories that make up a state.
        memories: Vec<String>,
        /// Their values, in each state.
        states: Vec<Vec<Datum>>,
    },
}

/// Something that is counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CountEvent {
    /// In one word.
    pub name: String,
    /// As a phrase.
    pub meaning: String,
}

/// The numbers of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RoundEvent {
    /// The number that it depends on.
    pub parameter: usize,
    /// The counts of both sides.
    pub sides: [[usize; 3]; 2],
}

impl NoteEvent {
    pub(crate) fn new(system: &TransitionSystem, property: PropId, note: &Note) -> NoteEvent {
        let mut texts = Texts { system, property, writer: LustreWriter::new(system) };
        NoteEvent {
            engine: note.engine.into(),
            title: note.title.into(),
            answer: note.code.into(),
            summary: note.summary.clone(),
            sections: note.sections.iter().map(|section| texts.section(section)).collect(),
        }
    }

    /// As text for people.
    pub(crate) fn text(&self) -> String {
        let shown: Vec<&SectionEvent> = self.sections.iter().filter(|s| !s.is_empty()).collect();
        let colon = if shown.is_empty() { "" } else { ":" };
        let mut out = format!("  {}{colon}\n", printable(&self.summary));
        shown.into_iter().for_each(|section| section.text(&mut out));
        out
    }
}

impl SectionEvent {
    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            SectionEvent::Rounds { rounds, .. } => rounds.is_empty(),
            SectionEvent::Facts { groups, .. } => groups.is_empty(),
            SectionEvent::States { states, .. } => states.is_empty(),
        }
    }

    fn text(&self, out: &mut String) {
        match self {
            SectionEvent::Rounds { parameter, sides, rounds } => {
                rounds_text(out, parameter, sides, rounds);
            }
            SectionEvent::Facts { title, ordered, groups, .. } => {
                let lines = groups.iter().enumerate().flat_map(|(i, group)| {
                    group.iter().enumerate().map(move |(j, fact)| match (*ordered, j) {
                        (true, 0) => format!("{:>3}. {}", i + 1, cut(fact)),
                        (_, 0) => format!("     {}", cut(fact)),
                        _ => format!(" and {}", cut(fact)),
                    })
                });
                list_text(out, title, lines);
            }
            SectionEvent::States { title, memories, states, .. } => {
                let lines = states.iter().map(|state| cut(&state_text(memories, state)));
                list_text(out, title, lines);
            }
        }
    }
}

/// A text for one line; where it is cut, an ellipsis says so.
fn cut(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

fn list_text(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    let _ = writeln!(out, "  {}:", printable(title));
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(out, "    {line}");
    }
    if lines.len() > MOST_LINES {
        let _ = writeln!(out, "    … and {} more", lines.len() - MOST_LINES);
    }
}

fn rounds_text(
    out: &mut String,
    parameter: &str,
    sides: &[[CountEvent; 3]; 2],
    rounds: &[RoundEvent],
) {
    let columns = |side: &[CountEvent; 3]| {
        side.iter().map(|count| printable(&count.name)).collect::<Vec<_>>()
    };
    let sides = sides.each_ref().map(columns);
    let parameter = printable(parameter);
    let [left, right] = sides.each_ref().map(|side| side.join(" "));
    let _ = writeln!(out, "    round {parameter} | {left} | {right}");
    let skipped = rounds.len().saturating_sub(MOST_LINES);
    for (i, round) in rounds.iter().enumerate().skip(skipped) {
        let _ = write!(out, "    {:>5} {:>2$}", i + 1, round.parameter, parameter.chars().count());
        for (names, numbers) in sides.iter().zip(&round.sides) {
            out.push_str(" |");
            for (name, number) in names.iter().zip(numbers) {
                let _ = write!(out, " {number:>0$}", name.chars().count());
            }
        }
        out.push('\n');
    }
}

/// A state in one line.
pub(crate) fn state_text(memories: &[String], values: &[Datum]) -> String {
    let pairs = memories.iter().zip(values);
    let texts: Vec<String> = pairs.map(|(name, value)| format!("{name} = {value}")).collect();
    texts.join(", ")
}

/// The name of a flow that shows a memory from the second step on, if there is
/// one, or else what the memory is called.
fn name(system: &TransitionSystem, memory: VarId) -> String {
    let shows = |variable: &&Variable| {
        let Role::Defined(term) = variable.role else { return false };
        match system.terms.get(term) {
            Term::Apply(Operator::Ite, [_, _, later]) => system.terms.var(*later) == Some(memory),
            _ => system.terms.var(term) == Some(memory),
        }
    };
    let flow = system.variables.iter().find(shows);
    flow.unwrap_or(system.variable(memory)).name.clone()
}

/// Predicates as Lustre.
struct Texts<'s> {
    system: &'s TransitionSystem,
    property: PropId,
    writer: LustreWriter<'s>,
}

impl Texts<'_> {
    fn section(&mut self, section: &Section) -> SectionEvent {
        match section {
            Section::Rounds(rounds) => SectionEvent::Rounds {
                parameter: rounds.parameter.into(),
                sides: Box::new(rounds.sides.map(|side| {
                    side.map(|c| CountEvent { name: c.name.into(), meaning: c.meaning.into() })
                })),
                rounds: rounds
                    .rounds
                    .iter()
                    .map(|r| RoundEvent { parameter: r.parameter, sides: r.sides })
                    .collect(),
            },
            Section::Facts(Facts { title, code, ordered, groups }) => SectionEvent::Facts {
                name: (*code).into(),
                title: (*title).into(),
                ordered: *ordered,
                groups: self.groups(groups, *ordered),
            },
            Section::States(NamedStates { title, code, memories, states }) => {
                let datum = |value| Datum::new(self.system, value);
                SectionEvent::States {
                    name: (*code).into(),
                    title: (*title).into(),
                    memories: memories.iter().map(|v| name(self.system, *v)).collect(),
                    states: states.iter().map(|state| state.iter().map(datum).collect()).collect(),
                }
            }
        }
    }

    /// Facts as text; without an order, those that the types do not say anyway.
    fn groups(&mut self, groups: &[Vec<Option<Predicate>>], ordered: bool) -> Vec<Vec<String>> {
        let mut terms = self.system.terms.clone();
        let mut is_type = |predicate: &Predicate| {
            let Predicate { terms: source, term } = predicate;
            let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
            let term = Translation::new().apply(source, &mut terms, *term, variable);
            self.system.typing.contains(&term)
        };
        let mut shown =
            |fact: &&Option<Predicate>| ordered || !fact.as_ref().is_some_and(&mut is_type);
        let groups: Vec<Vec<&Option<Predicate>>> =
            groups.iter().map(|group| group.iter().filter(&mut shown).collect()).collect();
        let mut texts = Vec::with_capacity(groups.len());
        for group in groups.iter().filter(|group| !group.is_empty()) {
            texts.push(group.iter().map(|fact| self.one(fact.as_ref())).collect());
        }
        texts
    }

    fn one(&mut self, predicate: Option<&Predicate>) -> String {
        let Some(predicate) = predicate else { return self.of_property() };
        match self.writer.expression(predicate) {
            Some((InstanceId::ROOT, text)) => text,
            Some((instance, text)) => {
                format!("{}: {text}", self.system.instance(instance).path)
            }
            None => {
                if let Some(text) = self.writer.with_paths(predicate)
                    && text.chars().count() <= LONGEST
                {
                    return text;
                }
                let Predicate { terms, term } = predicate;
                lustral_term::show_term(terms, *term, LONGEST, self.system)
            }
        }
    }

    fn of_property(&mut self) -> String {
        let property = self.system.property(self.property);
        let terms = Arc::new(self.system.terms.clone());
        match self.writer.expression(&Predicate { terms, term: property.term }) {
            Some((InstanceId::ROOT, text)) if text.chars().count() <= LONGEST => {
                format!("{text}  (the property)")
            }
            _ => format!("{}  (the property)", property.name),
        }
    }
}
