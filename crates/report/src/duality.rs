//! How a primal-dual search went: its rounds, and what it found.
//!
//! It says how an answer was found, or why there is none; no verdict rests on it.

use std::fmt::Write;
use std::sync::Arc;

use lustral_render::execution::Datum;
use lustral_render::{LustreWriter, printable};
use lustral_system::{
    DualAnswer, DualPredicate, DualRound, DualSearch, DualStates, InstanceId, Predicate, PropId,
    Role, TransitionSystem, Variable,
};
use lustral_term::{Operator, Term, Terms, Translation, VarId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More states, steps or rounds than this are not shown as text.
const MOST_LINES: usize = 20;
/// What is longer than this is cut off in text.
const LONGEST: usize = 160;
/// The title of what the search was given.
pub(crate) const GIVEN: &str = "given, as preparation found it";

/// A search, with texts instead of terms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Duality {
    /// How it ended.
    pub answer: DualityAnswer,
    /// The induction width that the answer is about: the most predicates that a
    /// step of the proof adds, or may add.
    #[schemars(range(min = 1))]
    pub width: usize,
    /// What preparation found and the search was given as known: the first
    /// steps rest on it.
    pub given: Vec<String>,
    /// Of a proof: what each of its steps adds; of an invariant, all at once.
    pub steps: Vec<Vec<String>>,
    /// The memories that make up a state.
    pub memories: Vec<String>,
    /// The states that the property fails in one of: the last of a way there,
    /// or one that no proof excludes.
    pub states: Vec<Vec<Datum>>,
    /// What is known after each round.
    pub rounds: Vec<Round>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DualityAnswer {
    /// There is a proof in steps of the width.
    Provable,
    /// There is an invariant, and no such proof.
    Safe,
    /// The property fails.
    Unsafe,
    /// There is no proof of the width.
    Unprovable,
}

/// What is known after a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Round {
    /// The induction width.
    #[schemars(range(min = 1))]
    pub width: usize,
    /// Discovered states.
    pub states: usize,
    /// Those that no proof of the width excludes.
    pub abstractly_reachable: usize,
    /// Those that are reachable.
    pub reachable: usize,
    /// Discovered predicates.
    pub predicates: usize,
    /// Those that are an inductive invariant together.
    pub invariant: usize,
    /// Those that have a proof of the width.
    pub provable: usize,
}

impl Duality {
    pub(crate) fn new(system: &TransitionSystem, property: PropId, search: &DualSearch) -> Duality {
        let mut texts = Texts { system, property, writer: LustreWriter::new(system) };
        let none = DualStates::default();
        let last = search.rounds.last().map_or(1, |round| round.width);
        let (answer, width, steps, states) = match &search.answer {
            DualAnswer::Provable { width, steps } => {
                (DualityAnswer::Provable, *width, &steps[..], &none)
            }
            DualAnswer::Safe { width, invariant } => {
                (DualityAnswer::Safe, *width, std::slice::from_ref(invariant), &none)
            }
            DualAnswer::Unsafe(states) => (DualityAnswer::Unsafe, last, &[][..], states),
            DualAnswer::Unprovable { width, states } => {
                (DualityAnswer::Unprovable, *width, &[][..], states)
            }
        };
        Duality {
            answer,
            width,
            given: texts.given(&search.given),
            steps: steps.iter().map(|step| texts.all(step)).collect(),
            memories: states.memories.iter().map(|v| name(system, *v)).collect(),
            states: states
                .states
                .iter()
                .map(|state| state.iter().map(|value| Datum::new(system, value)).collect())
                .collect(),
            rounds: search.rounds.iter().map(round).collect(),
        }
    }

    /// The answer in one sentence.
    pub(crate) fn headline(&self) -> String {
        let Duality { width, .. } = self;
        let rounds = match self.rounds.len() {
            1 => "1 round".to_string(),
            n => format!("{n} rounds"),
        };
        let answer = match self.answer {
            DualityAnswer::Provable => format!("{width}-provable"),
            DualityAnswer::Safe => format!("safe, though not {width}-provable"),
            DualityAnswer::Unsafe => "unsafe".into(),
            DualityAnswer::Unprovable => {
                format!("{width}-unprovable, which says nothing about its truth")
            }
        };
        if self.rounds.is_empty() {
            return format!("{answer}, before the first round of states against predicates");
        }
        format!("{answer}, after {rounds} of states against predicates")
    }

    /// As text for people.
    pub(crate) fn text(&self) -> String {
        if self.rounds.is_empty() {
            let mut out = format!("  {}\n", self.headline());
            self.lists_text(&mut out);
            return out;
        }
        let mut out = format!("  {}:\n", self.headline());
        let _ = writeln!(
            out,
            "    round width | states abstract reachable | predicates invariant provable"
        );
        for (i, r) in self.rounds.iter().enumerate() {
            if self.rounds.len() > MOST_LINES && i + MOST_LINES < self.rounds.len() {
                continue;
            }
            let _ = writeln!(
                out,
                "    {:>5} {:>5} | {:>6} {:>8} {:>9} | {:>10} {:>9} {:>8}",
                i + 1,
                r.width,
                r.states,
                r.abstractly_reachable,
                r.reachable,
                r.predicates,
                r.invariant,
                r.provable
            );
        }
        self.lists_text(&mut out);
        out
    }

    fn lists_text(&self, out: &mut String) {
        self.given_text(out);
        self.steps_text(out);
        self.states_text(out);
    }

    /// What the answer rests on; a failure rests on nothing.
    pub(crate) fn basis(&self) -> &[String] {
        if self.answer == DualityAnswer::Unsafe { &[] } else { &self.given }
    }

    fn given_text(&self, out: &mut String) {
        let given = self.basis();
        if given.is_empty() {
            return;
        }
        let _ = writeln!(out, "  {GIVEN}:");
        for fact in given.iter().take(MOST_LINES) {
            let fact: String = printable(fact).chars().take(LONGEST).collect();
            let _ = writeln!(out, "         {fact}");
        }
        if given.len() > MOST_LINES {
            let _ = writeln!(out, "    … and {} more", given.len() - MOST_LINES);
        }
    }

    /// What the list of steps is, if there is one.
    pub(crate) fn steps_title(&self) -> Option<&'static str> {
        match self.answer {
            DualityAnswer::Provable => {
                Some("the proof, in the order in which each step follows from those before")
            }
            DualityAnswer::Safe => Some("the invariant, inductive as a whole"),
            _ => None,
        }
    }

    /// What the list of states is, if there is one.
    pub(crate) fn states_title(&self) -> Option<&'static str> {
        (self.answer == DualityAnswer::Unprovable)
            .then_some("the states that no such proof excludes")
    }

    fn steps_text(&self, out: &mut String) {
        let Some(title) = self.steps_title() else { return };
        let _ = writeln!(out, "  {title}:");
        for (i, step) in self.steps.iter().take(MOST_LINES).enumerate() {
            for (j, fact) in step.iter().enumerate() {
                let number = if j == 0 { format!("{}.", i + 1) } else { "and".into() };
                let fact: String = printable(fact).chars().take(LONGEST).collect();
                let _ = writeln!(out, "    {number:>4} {fact}");
            }
        }
        if self.steps.len() > MOST_LINES {
            let _ = writeln!(out, "    … and {} more", self.steps.len() - MOST_LINES);
        }
    }

    fn states_text(&self, out: &mut String) {
        let Some(title) = self.states_title() else { return };
        let _ = writeln!(out, "  {title}:");
        for state in self.states.iter().take(MOST_LINES) {
            let text: String = self.state(state).chars().take(LONGEST).collect();
            let _ = writeln!(out, "    {}", printable(&text));
        }
        if self.states.len() > MOST_LINES {
            let _ = writeln!(out, "    … and {} more", self.states.len() - MOST_LINES);
        }
    }

    /// A state in one line.
    pub(crate) fn state(&self, values: &[Datum]) -> String {
        let pairs = self.memories.iter().zip(values);
        let texts: Vec<String> = pairs.map(|(name, value)| format!("{name} = {value}")).collect();
        texts.join(", ")
    }
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

fn round(round: &DualRound) -> Round {
    let DualRound { width, states, abstractly_reachable, reachable, .. } = *round;
    let DualRound { predicates, invariant, provable, .. } = *round;
    Round { width, states, abstractly_reachable, reachable, predicates, invariant, provable }
}

/// Predicates as Lustre.
struct Texts<'s> {
    system: &'s TransitionSystem,
    property: PropId,
    writer: LustreWriter<'s>,
}

impl Texts<'_> {
    /// What was given besides the types that the program declares.
    fn given(&mut self, list: &[Predicate]) -> Vec<String> {
        let mut terms = self.system.terms.clone();
        let mut is_type = |predicate: &Predicate| {
            let Predicate { terms: source, term } = predicate;
            let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
            let term = Translation::new().apply(source, &mut terms, *term, variable);
            self.system.typing.contains(&term)
        };
        let found: Vec<&Predicate> = list.iter().filter(|p| !is_type(p)).collect();
        found.into_iter().map(|predicate| self.one(Some(predicate))).collect()
    }

    fn all(&mut self, list: &[DualPredicate]) -> Vec<String> {
        list.iter().map(|predicate| self.one(predicate.as_ref())).collect()
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
