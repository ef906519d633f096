//! Smaller proofs: which invariants a proof by induction really needs, and for what.
//!
//! Starting from the goal, the step case is asked with every hypothesis behind
//! a literal; the unsatisfiable core names the hypotheses in use, which become
//! goals in turn (a worklist), until nothing new is needed: an inductive validity
//! core. The result is inductive by itself, and what each
//! part needs is the way to understand it. It is a suggestion like everything
//! here: what is shown is checked afterwards.

mod needs;
mod step_cases;
#[cfg(test)]
mod tests;

use std::time::Duration;

use lustral_base::Cancel;
use lustral_smt::SolverOptions;
use lustral_system::{
    Certificate, Dependencies, Inlined, Predicate, Proof, PropId, TransitionSystem,
};
use lustral_term::{TermId, Translation, VarId};

use needs::{Effort, Needs};
use step_cases::Induction;

/// So few parts are tried one by one even where nothing is to be explained: a
/// core often has a bound in it that the proof can do without.
const FEW: usize = 8;

/// Larger proofs stay as they are, unless they are to be explained: who finds them makes each part
/// of them small, and to look for what all need would take all the time for nothing.
const MANY: usize = 500;

/// The time for making a proof smaller: the proof is an answer as it is, and
/// waits for its check meanwhile. Who wants an explanation has more patience.
const ALLOWANCE: Duration = Duration::from_secs(2);
const EXPLAINING: Duration = Duration::from_secs(10);

/// A hypothesis of a proof: a property, or one of its invariants.
#[derive(Clone)]
enum Part {
    Property(PropId),
    Invariant(Predicate),
}

/// What a proof needs.
pub struct Minimised {
    /// A certificate with only the parts that its step case needs, if there is
    /// something to leave out.
    pub smaller: Option<Certificate>,
    /// What each part of the smaller certificate, or else of the given one, needs.
    pub dependencies: Dependencies,
}

/// Makes the proofs of one system smaller.
pub struct Minimiser {
    /// The system with its definitions inlined, and those of defined variables.
    system: Inlined,
    defined: Vec<Option<TermId>>,
    explain: bool,
    allowance: Duration,
    options: SolverOptions,
    cancel: Cancel,
}

impl Minimiser {
    /// For the proofs of a system. To explain, it takes some time more, and
    /// finds less that is needed.
    #[must_use]
    pub fn new(
        original: &TransitionSystem,
        explain: bool,
        options: SolverOptions,
        cancel: Cancel,
    ) -> Minimiser {
        let (system, defined) = Inlined::with_definitions(original);
        let allowance = if explain { EXPLAINING } else { ALLOWANCE };
        Minimiser { system, defined, explain, allowance, options, cancel }
    }

    /// With another time for each proof.
    #[must_use]
    pub fn with_allowance(self, allowance: Duration) -> Minimiser {
        Minimiser { allowance, ..self }
    }

    /// What the parts of a certificate need to prove the goal; nothing if the
    /// solver does not help in time or, where nothing is to be explained, if that can
    /// make no proof smaller.
    #[must_use]
    pub fn minimise(&mut self, goal: PropId, certificate: &Certificate) -> Option<Minimised> {
        let Proof::Induction { k, properties, invariants, compression } = &certificate.proof else {
            return None;
        };
        // A goal that only follows from the others is inductive together with them:
        // they hold at the last step too.
        let parts: Vec<Part> = std::iter::once(goal)
            .chain(properties.iter().copied().filter(|p| *p != goal))
            .map(Part::Property)
            .chain(invariants.iter().cloned().map(Part::Invariant))
            .collect();
        if !self.explain && !(2..=MANY).contains(&parts.len()) {
            return None;
        }
        let states = compression.as_ref().map(|states| &states.memories[..]);
        let Needs { parts: needed, dependencies } = self.needs(*k, states, &parts)?;
        if needed.len() == parts.len() {
            return Some(Minimised { smaller: None, dependencies });
        }
        let mut properties = Vec::new();
        let mut invariants = Vec::new();
        for i in needed {
            match &parts[i] {
                Part::Property(p) => properties.push(*p),
                Part::Invariant(predicate) => invariants.push(predicate.clone()),
            }
        }
        let compression = compression.clone();
        let proof = Proof::Induction { k: *k, properties, invariants, compression };
        Some(Minimised { smaller: Some(Certificate { proof }), dependencies })
    }

    fn needs(&mut self, k: usize, states: Option<&[VarId]>, parts: &[Part]) -> Option<Needs> {
        let terms = self.terms(parts);
        // A large system has many memories that have no part in a small proof.
        let constraints = self.system.constraints.iter().map(|c| c.term);
        let mut roots = self.system.terms.variables(terms.iter().copied().chain(constraints));
        roots.extend(states.into_iter().flatten());
        let cone = self.system.cone_of(roots);
        let mut part = self.system.clone();
        part.change(|system| system.memories.retain(|memory| cone[memory.var.index()]));
        let induction = Induction { system: &part, parts: &terms, k, states };
        let effort =
            if self.explain || parts.len() <= FEW { Effort::Minimal } else { Effort::Core };
        needs::find(induction, effort, self.allowance, &self.options, &self.cancel)
    }

    /// The parts as terms of the inlined system.
    fn terms(&mut self, parts: &[Part]) -> Vec<TermId> {
        let Minimiser { system, defined, .. } = self;
        system.change(|system| {
            let term = |part: &Part| match part {
                Part::Property(p) => system.property(*p).term,
                Part::Invariant(Predicate { terms: source, term }) => {
                    let target = &mut system.terms;
                    Translation::new().apply(source, target, *term, |terms, var, sort| {
                        defined[var.index()].unwrap_or_else(|| terms.variable(var, sort))
                    })
                }
            };
            parts.iter().map(term).collect()
        })
    }
}
