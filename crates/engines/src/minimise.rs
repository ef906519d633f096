//! Smaller proofs: which invariants a proof by induction really needs.
//!
//! Starting from the goal, the step case is asked with every hypothesis behind
//! a literal; the core names the hypotheses in use, which become goals in turn,
//! until nothing new is needed. The result is inductive by itself. It is a
//! suggestion like everything here: what is shown is checked afterwards.

use lustral_smt::{Cancel, Outcome, Solver, SolverOptions, open_session};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};
use lustral_term::{TermId, Translation, VarId};

use crate::engine::logic;
use crate::prepare::inline_with_definitions;
use crate::unroll::{Start, Unroller};

/// A hypothesis of a proof: a property, or one of its invariants.
#[derive(Clone)]
enum Part {
    Property(PropId),
    Invariant(Predicate),
}

/// A certificate with only the parts that its step case needs; nothing if
/// there is nothing to leave out or the solver does not help.
#[must_use]
pub fn minimise(
    original: &TransitionSystem,
    goal: PropId,
    certificate: &Certificate,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Option<Certificate> {
    let Proof::Induction { k, properties, invariants, compression } = &certificate.proof else {
        return None;
    };
    // Only a goal that takes part in the induction can be its own start.
    if !properties.contains(&goal) || properties.len() + invariants.len() < 2 {
        return None;
    }
    let parts: Vec<Part> = std::iter::once(goal)
        .chain(properties.iter().copied().filter(|p| *p != goal))
        .map(Part::Property)
        .chain(invariants.iter().cloned().map(Part::Invariant))
        .collect();
    let memories = compression.as_ref().map(|states| &states.memories[..]);
    let needed = needed(original, *k, memories, &parts, options, cancel)?;
    if needed.len() == parts.len() {
        return None;
    }
    let mut properties = Vec::new();
    let mut invariants = Vec::new();
    for i in needed {
        match &parts[i] {
            Part::Property(p) => properties.push(*p),
            Part::Invariant(predicate) => invariants.push(predicate.clone()),
        }
    }
    let proof =
        Proof::Induction { k: *k, properties, invariants, compression: compression.clone() };
    Some(Certificate { proof })
}

/// The parts, by index, that the first one needs, itself included; with
/// memories, where some of these differ at any two of the k+1 steps.
fn needed(
    original: &TransitionSystem,
    k: usize,
    memories: Option<&[VarId]>,
    parts: &[Part],
    options: &SolverOptions,
    cancel: &Cancel,
) -> Option<Vec<usize>> {
    let (system, terms) = with_parts(original, parts);
    let mut session = open_session(&Solver::BuiltIn, logic(&system), options, cancel).ok()?;
    let mut unroller = Unroller::new(&system, Start::Anywhere);
    let literals: Vec<TermId> = parts.iter().map(|_| unroller.literal()).collect();
    for step in 0..=k {
        let mut facts = unroller.extend();
        if step < k {
            for (part, literal) in terms.iter().zip(&literals) {
                let holds = unroller.at(step, *part);
                facts.push(unroller.terms.implies(*literal, holds));
            }
        }
        if let Some(memories) = memories {
            let differ = |earlier| unroller.different(memories, earlier, step);
            facts.extend((0..step).map(differ));
        }
        facts.append(&mut unroller.due());
        for fact in facts {
            session.assert(&unroller.terms, fact);
        }
    }
    let mut needed = vec![0];
    let mut next = 0;
    while let Some(&i) = needed.get(next) {
        let holds = unroller.at(k, terms[i]);
        for fact in unroller.due() {
            session.assert(&unroller.terms, fact);
        }
        let fails = unroller.terms.not(holds);
        let goal = unroller.literal();
        let query = unroller.terms.implies(goal, fails);
        session.assert(&unroller.terms, query);
        // What is needed already comes first: solvers tend to use what they see early.
        let order = needed.iter().copied().chain((0..parts.len()).filter(|i| !needed.contains(i)));
        let assumptions: Vec<TermId> =
            std::iter::once(goal).chain(order.map(|i| literals[i])).collect();
        if session.check(&unroller.terms, &assumptions) != Outcome::Unsat {
            return None;
        }
        let core = session.core();
        for (i, literal) in literals.iter().enumerate() {
            if core.contains(literal) && !needed.contains(&i) {
                needed.push(i);
            }
        }
        next += 1;
    }
    needed.sort_unstable();
    Some(needed)
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
