//! The properties that there are summaries for: all, or those that do not fail.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{CutProgram, NodeClauses};
use lustral_horn::{Model, Selection};

use super::spacer::{Asking, Modelled};

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
    pub notes: Vec<String>,
}

impl Choosing<'_> {
    /// Asks for all properties. If one fails, each is asked for by itself, and
    /// those that have a model are asked for together.
    pub fn choose(&self) -> Chosen {
        let deadline = Instant::now() + self.asking.limit;
        let all = self.clauses(|_| true);
        let note = match self.asking.ask(&all.clauses) {
            Modelled::Model(model) => {
                return Chosen { clauses: all, model: Some(model), notes: Vec::new() };
            }
            Modelled::Unknown(reason) => format!("the properties are not proved: {reason}"),
            Modelled::Refuted => {
                if let Some(chosen) = self.without_failing(deadline) {
                    return chosen;
                }
                format!("the properties are not proved: {}", refuted(&all, "one"))
            }
        };
        Chosen { clauses: all, model: None, notes: vec![note] }
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
        let (mut proved, mut notes) = (Vec::new(), Vec::new());
        for (i, one) in all.iter().enumerate() {
            let clauses = self.clauses(|stated| stated == *one);
            // The same for each, and for all that are left together.
            let time = left() / (all.len() - i + 1) as u32;
            match self.ask(&clauses, time) {
                Modelled::Model(_) => proved.push(*one),
                Modelled::Refuted => {
                    let why = refuted(&clauses, "it");
                    notes.push(format!("{} is left out: {why}", self.name(*one)));
                }
                Modelled::Unknown(reason) => {
                    notes.push(format!("{} is left out: {reason}", self.name(*one)));
                }
            }
        }
        if proved.is_empty() {
            return None;
        }
        let clauses = self.clauses(|stated| proved.contains(&stated));
        match self.ask(&clauses, left()) {
            Modelled::Model(model) => Some(Chosen { clauses, model: Some(model), notes }),
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

/// Why clauses have no model. Nobody has checked that, and `lustral check` would.
fn refuted(clauses: &NodeClauses, which: &str) -> String {
    let why = if clauses.clauses.approximate {
        "a quotient by zero can be anything in the clauses, not so in the program".into()
    } else {
        format!("by the word of Spacer {which} fails")
    };
    format!("{why} (see `lustral check`)")
}
