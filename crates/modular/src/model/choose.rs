//! The properties that there are summaries for: all, or those that do not fail.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{CutProgram, NodeClauses};
use lustral_horn::{Model, Selection};

use super::spacer::{Asking, Modelled};
use super::{Missing, Unproved};

/// More properties than this are not tried one by one.
const MOST: usize = 100;

/// A property of a node, wherever that is called: the node, and its position there.
type Stated = (usize, usize);

/// How Spacer is asked for a model that proves properties.
pub struct Choosing<'a> {
    pub program: &'a Arc<CutProgram>,
    /// The limit is that for all of it.
    pub asking: &'a Asking,
}

/// Clauses, and what Spacer says of them; nobody has checked it.
pub struct Chosen {
    pub clauses: Arc<NodeClauses>,
    pub model: Option<Model>,
    /// Which properties are not among them, or why there is no model.
    pub missing: Vec<Missing>,
}

impl Choosing<'_> {
    /// Asks for all properties. If one fails, each is asked for by itself, and
    /// those that have a model are asked for together.
    pub fn choose(&self) -> Chosen {
        let deadline = Instant::now() + self.asking.limit;
        let all = self.clauses(|_| true);
        let why = match self.asking.ask(&all.clauses) {
            Modelled::Model(model) => {
                return Chosen { clauses: all, model: Some(model), missing: Vec::new() };
            }
            Modelled::Unknown(reason) => reason.into(),
            Modelled::Refuted => {
                if let Some(chosen) = self.without_failing(deadline) {
                    return chosen;
                }
                refuted(&all, Unproved::OneFails)
            }
        };
        Chosen { clauses: all, model: None, missing: vec![Missing::Properties(why)] }
    }

    fn clauses(&self, chosen: impl Fn(Stated) -> bool) -> Arc<NodeClauses> {
        let selection = Selection::some(self.program, |node, own| chosen((node, own)));
        NodeClauses::new(self.program, &selection)
    }

    fn ask(&self, clauses: &NodeClauses, time: Duration) -> Modelled {
        self.asking.within(time).ask(&clauses.clauses)
    }

    /// A model for the properties that have one by themselves, if there are some.
    fn without_failing(&self, deadline: Instant) -> Option<Chosen> {
        let nodes = self.program.nodes.iter().enumerate();
        let all: Vec<Stated> = nodes
            .flat_map(|(node, known)| (0..known.system.properties.len()).map(move |p| (node, p)))
            .collect();
        if !(2..=MOST).contains(&all.len()) {
            return None;
        }
        let left = || deadline.saturating_duration_since(Instant::now());
        let (mut proved, mut missing) = (Vec::new(), Vec::new());
        for (i, one) in all.iter().enumerate() {
            let clauses = self.clauses(|stated| stated == *one);
            // The same for each, and for all that are left together.
            let time = left() / (all.len() - i + 1) as u32;
            match self.ask(&clauses, time) {
                Modelled::Model(_) => proved.push(*one),
                Modelled::Refuted => {
                    let why = refuted(&clauses, Unproved::Fails);
                    missing.push(Missing::Property(self.name(*one), why));
                }
                Modelled::Unknown(reason) => {
                    missing.push(Missing::Property(self.name(*one), reason.into()));
                }
            }
        }
        if proved.is_empty() {
            return None;
        }
        let clauses = self.clauses(|stated| proved.contains(&stated));
        match self.ask(&clauses, left()) {
            Modelled::Model(model) => Some(Chosen { clauses, model: Some(model), missing }),
            _ => None,
        }
    }

    fn name(&self, (node, own): Stated) -> String {
        let known = &self.program.nodes[node];
        let name = &known.system.properties[own].name;
        if node == self.program.root() {
            format!("`{name}`")
        } else {
            format!("`{name}` of {}", known.name)
        }
    }
}

/// Why clauses have no model: this, unless they allow more than the program.
fn refuted(clauses: &NodeClauses, why: Unproved) -> Unproved {
    if clauses.clauses.approximate { Unproved::Approximate } else { why }
}
