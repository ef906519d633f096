//! What a proof says in terms of the program's text, for a reader that makes its own
//! transition system of the text (`checker/`).
//!
//! Formulas are SMT-LIB 2 over `a1`, `a2`, …, the variables of the system, and each that
//! occurs is explained: a flow by its instance and name, a memory by its first value and by what
//! it takes over from the step before, whatever has no name in the text by its
//! definition. So a reader can define all of them by flows of its own, and nothing here has to be
//! believed: what does not fit the program makes a proof that fails.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use lustral_horn::Definition;
use lustral_smt::smtlib::sort_name;
use lustral_system::{Certificate, Origin, Predicate, Proof, PropId, Role, TransitionSystem};
use lustral_term::{TermId, Terms, VarId};
use serde::Serialize;

use crate::folder::FolderError;

/// The name of the file.
pub(crate) const FILE: &str = "source.json";

/// The content of the file.
#[derive(Serialize)]
struct Claim<'a> {
    format: u32,
    node: &'a str,
    property: &'a str,
    proof: &'static str,
    k: usize,
    /// What is inductive together.
    invariants: Vec<String>,
    /// Where the proof tells states apart: what they are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<States>,
    variables: Vec<Variable<'a>>,
}

#[derive(Serialize)]
struct States {
    memories: Vec<String>,
    facts: Vec<String>,
}

/// A variable and what it is.
#[derive(Serialize)]
struct Variable<'a> {
    name: String,
    sort: String,
    #[serde(flatten)]
    meaning: Meaning<'a>,
}

#[derive(Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum Meaning<'a> {
    /// Whether this is the first step.
    First,
    /// A flow of an instance, or a scalar that a structured flow is made of.
    Flow { instance: &'a str, flow: &'a str },
    /// What was something else one step before.
    Memory { initially: String, next: String },
    /// A name for a term.
    Defined { term: String },
    /// A value that the semantics leaves open.
    Open { called: &'a str },
}

fn name(var: VarId) -> String {
    format!("a{}", var.0 + 1)
}

/// Explains variables, and those that the explanations mention.
struct Explainer<'a> {
    system: &'a TransitionSystem,
    /// The flows that a declaration has, with their instances.
    flows: HashMap<VarId, (&'a str, &'a str)>,
    memories: HashMap<VarId, usize>,
    wanted: BTreeSet<VarId>,
    pending: Vec<VarId>,
}

impl<'a> Explainer<'a> {
    fn new(system: &'a TransitionSystem) -> Explainer<'a> {
        let mut flows = HashMap::new();
        for instance in &system.instances {
            for stream in instance.streams.iter().filter(|stream| !stream.hidden) {
                flows.insert(stream.var, (instance.path.as_str(), stream.name.as_str()));
            }
        }
        let memories = system.memories.iter().enumerate().map(|(i, m)| (m.var, i)).collect();
        let (wanted, pending) = (BTreeSet::new(), Vec::new());
        Explainer { system, flows, memories, wanted, pending }
    }

    fn want(&mut self, var: VarId) {
        if self.wanted.insert(var) {
            self.pending.push(var);
        }
    }

    fn text(&mut self, terms: &Terms, term: TermId) -> String {
        terms.variables([term]).into_iter().for_each(|var| self.want(var));
        Definition { terms: terms.clone(), term }.smt2()
    }

    fn texts(&mut self, predicates: &[Predicate]) -> Vec<String> {
        predicates.iter().map(|p| self.text(&p.terms, p.term)).collect()
    }

    fn meaning(&mut self, var: VarId) -> Meaning<'a> {
        let system = self.system;
        let variable = system.variable(var);
        if variable.origin == Origin::First {
            return Meaning::First;
        }
        if let Some((instance, flow)) = self.flows.get(&var).copied() {
            return Meaning::Flow { instance, flow };
        }
        match (variable.role, self.memories.get(&var)) {
            (Role::Memory, Some(i)) => {
                let memory = &system.memories[*i];
                let mut terms = Terms::new();
                let initially = terms.constant(memory.initial.clone());
                let initially = Definition { terms, term: initially }.smt2();
                Meaning::Memory { initially, next: self.text(&system.terms, memory.next) }
            }
            (Role::Defined(term), _) => Meaning::Defined { term: self.text(&system.terms, term) },
            _ => Meaning::Open { called: &variable.name },
        }
    }

    fn variables(mut self) -> Vec<Variable<'a>> {
        let mut found = Vec::new();
        while let Some(var) = self.pending.pop() {
            let sort = sort_name(self.system.variable(var).sort);
            found.push((var, Variable { name: name(var), sort, meaning: self.meaning(var) }));
        }
        found.sort_by_key(|(var, _)| *var);
        found.into_iter().map(|(_, variable)| variable).collect()
    }
}

/// Writes what a proof of a property of a whole system says.
pub(crate) fn write(
    folder: &Path,
    system: &TransitionSystem,
    property: PropId,
    certificate: &Certificate,
) -> Result<(), FolderError> {
    let mut explainer = Explainer::new(system);
    let invariants = explainer.texts(&certificate.inductive(system));
    let states = certificate.states().map(|states| {
        states.memories.iter().for_each(|var| explainer.want(*var));
        States {
            memories: states.memories.iter().map(|var| name(*var)).collect(),
            facts: explainer.texts(&states.facts),
        }
    });
    let claim = Claim {
        format: 1,
        node: &system.root().node,
        property: &system.property(property).name,
        proof: match &certificate.proof {
            Proof::Induction { .. } => "induction",
            Proof::Exhausted { .. } => "exhausted",
        },
        k: certificate.k(),
        invariants,
        states,
        variables: explainer.variables(),
    };
    let path = folder.join(FILE);
    let text = serde_json::to_string_pretty(&claim).expect("plain data can be written");
    fs::write(&path, text + "\n")
        .map_err(|error| FolderError::Io(path.display().to_string(), error))
}
