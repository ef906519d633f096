//! Why a proof holds: its facts, and what each of them needs.
//!
//! It explains a proof that was checked; no verdict rests on it.

use lustral_system::Dependencies;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The facts of a proof by induction, the property first.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The facts.
    pub facts: Vec<Fact>,
    /// Whether each is known to need all that it is said to need.
    pub minimal: bool,
    /// Whether something is asserted or assumed, which every fact may need.
    pub constrained: bool,
}

/// A property or an invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Fact {
    /// As text.
    #[serde(rename = "fact")]
    pub text: String,
    /// The numbers of the facts that it follows from, one step later, counted
    /// from 0 and ascending; its own if the fact needs itself.
    #[schemars(extend("uniqueItems" = true))]
    pub needs: Vec<usize>,
}

impl Explanation {
    /// What is known of the property and the invariants of a proof. Nothing if
    /// the dependencies are not about as many facts.
    pub(crate) fn new(
        property: &str,
        invariants: &[String],
        dependencies: &Dependencies,
        constrained: bool,
    ) -> Option<Explanation> {
        let texts = std::iter::once(property).chain(invariants.iter().map(String::as_str));
        let number = invariants.len() + 1;
        let Dependencies { needs, minimal } = dependencies;
        if needs.len() != number || needs.iter().flatten().any(|i| *i >= number) {
            return None;
        }
        let fact = |(text, needs): (&str, &Vec<usize>)| Fact {
            text: text.to_string(),
            needs: needs.clone(),
        };
        let facts = texts.zip(needs).map(fact).collect();
        Some(Explanation { facts, minimal: *minimal, constrained })
    }

    /// The facts that a fact needs besides itself.
    pub(crate) fn others(&self, fact: usize) -> impl Iterator<Item = usize> + '_ {
        self.facts[fact].needs.iter().copied().filter(move |other| *other != fact)
    }

    /// What a fact follows from that needs no other.
    pub(crate) fn ground(&self) -> &'static str {
        if self.constrained {
            "from the program with what it asserts and assumes"
        } else {
            "from the program alone"
        }
    }

    /// Whether a fact needs itself.
    pub(crate) fn needs_itself(&self, fact: usize) -> bool {
        self.facts[fact].needs.contains(&fact)
    }
}
