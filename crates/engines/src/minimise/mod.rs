//! Smaller proofs: which invariants a proof by induction really needs, and for what.
//!
//! Starting from the goal, the step case is asked with every hypothesis behind
//! a literal; the core names the hypotheses in use, which become goals in turn,
//! until nothing new is needed. The result is inductive by itself, and what each
//! part needs is the way to understand it. It is a suggestion like everything
//! here: what is shown is checked afterwards.

mod needs;
mod step_cases;
#[cfg(test)]
mod tests;

use lustral_smt::{Cancel, SolverOptions};
use lustral_system::{Certificate, Dependencies, Predicate, Proof, PropId, TransitionSystem};
use lustral_term::{TermId, Translation};

use crate::prepare::inline_with_definitions;
use needs::{Effort, Needs};
use step_cases::Induction;

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

/// What the parts of a certificate need to prove the goal; nothing if the
/// solver does not help or, without `explain`, if that can make no proof
/// smaller. To explain, it takes some time more, and finds less that is needed.
#[must_use]
pub fn minimise(
    original: &TransitionSystem,
    goal: PropId,
    certificate: &Certificate,
    explain: bool,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Option<Minimised> {
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
    if !explain && (*compression || parts.len() < 2) {
        return None;
    }
    let (mut system, terms) = with_parts(original, &parts);
    if *compression {
        keep_states(original, &parts, &mut system);
    }
    let induction = Induction { system: &system, parts: &terms, k: *k, compression: *compression };
    let effort = if explain { Effort::Minimal } else { Effort::Core };
    let Needs { parts: needed, dependencies } = needs::find(induction, effort, options, cancel)?;
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
    let proof = Proof::Induction { k: *k, properties, invariants, compression: *compression };
    Some(Minimised { smaller: Some(Certificate { proof }), dependencies })
}

/// The inlined system, and the parts as terms of it.
fn with_parts(original: &TransitionSystem, parts: &[Part]) -> (TransitionSystem, Vec<TermId>) {
    let (mut system, defined) = inline_with_definitions(original);
    let mut terms = Vec::with_capacity(parts.len());
    for part in parts {
        terms.push(match part {
            Part::Property(p) => system.property(*p).term,
            Part::Invariant(Predicate { terms: source, term }) => {
                let target = &mut system.terms;
                Translation::new().apply(source, target, *term, |terms, var, sort| {
                    defined[var.index()].unwrap_or_else(|| terms.variable(var, sort))
                })
            }
        });
    }
    (system, terms)
}

/// Leaves the memories that the states of a compressed proof consist of: those
/// that its parts and the constraints depend on. With fewer parts there may be
/// fewer of them, and to differ in fewer says more: what follows here, follows
/// from the smaller proof's states too.
fn keep_states(original: &TransitionSystem, parts: &[Part], system: &mut TransitionSystem) {
    let mut variables = original.terms.variables(original.constraints.iter().map(|c| c.term));
    for part in parts {
        variables.extend(match part {
            Part::Property(p) => original.terms.variables([original.property(*p).term]),
            Part::Invariant(predicate) => predicate.terms.variables([predicate.term]),
        });
    }
    let cone = original.cone_of(variables);
    system.memories.retain(|m| cone[m.var.index()]);
}
