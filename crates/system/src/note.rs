//! What an engine leaves for the reader of a report beside an answer, or in
//! place of one. No verdict rests on it.

use lustral_term::{Value, VarId};

use crate::verdict::Predicate;

/// A note about a property.
#[derive(Clone, Debug)]
pub struct Note {
    /// The engine that left it.
    pub engine: &'static str,
    /// What it is about, as a title.
    pub title: &'static str,
    /// What it says in one word, for programs.
    pub code: &'static str,
    /// The same in one sentence.
    pub summary: String,
    /// Of a property without an answer, where the note says more than that the
    /// time is up: why there is none.
    pub inconclusive: Option<String>,
    /// Whether it is of no interest where the property has an answer.
    pub only_open: bool,
    /// The details.
    pub sections: Vec<Section>,
}

/// A part of a note.
#[derive(Clone, Debug)]
pub enum Section {
    /// Numbers that change from round to round.
    Rounds(Rounds),
    /// Predicates of the prepared system.
    Facts(Facts),
    /// States of it.
    States(NamedStates),
}

/// The rounds of a search in which two sides grow against each other. On each
/// side there are three counts, each of a part of what the one before counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The number that a round depends on, such as a bound.
    pub parameter: &'static str,
    /// What is counted on both sides.
    pub sides: [[Count; 3]; 2],
    /// The rounds in their order.
    pub rounds: Vec<Round>,
}

/// Something that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// In one word.
    pub name: &'static str,
    /// As a phrase.
    pub meaning: &'static str,
}

/// The numbers of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The number that it depends on.
    pub parameter: usize,
    /// The counts of both sides.
    pub sides: [[usize; 3]; 2],
}

/// Predicates with a title.
#[derive(Clone, Debug)]
pub struct Facts {
    /// What they are.
    pub title: &'static str,
    /// The same in one word, for programs.
    pub code: &'static str,
    /// Whether each group follows from those before. If not, what the types of
    /// the program say anyway is not worth showing.
    pub ordered: bool,
    /// The predicates in groups; nothing stands for the property.
    pub groups: Vec<Vec<Option<Predicate>>>,
}

/// States with a title.
#[derive(Clone, Debug)]
pub struct NamedStates {
    /// What they are.
    pub title: &'static str,
    /// The same in one word, for programs.
    pub code: &'static str,
    /// The memories that make up a state.
    pub memories: Vec<VarId>,
    /// Their values, in each state.
    pub states: Vec<Vec<Value>>,
}
