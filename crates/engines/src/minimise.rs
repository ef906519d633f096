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

/// Makes the proofs of one system smaller.
pub struct Minimiser {
    /// The system with its definitions inlined, and those of defined variables.
    system: TransitionSystem,
    defined: Vec<Option<TermId>>,
    options: SolverOptions,
    cancel: Cancel,
}

impl Minimiser {
    /// For the proofs of a system.
    #[must_use]
    pub fn new(original: &TransitionSystem, options: SolverOptions, cancel: Cancel) -> Minimiser {
        let (system, defined) = inline_with_definitions(original);
        Minimiser { system, defined, options, cancel }
    }

    /// A certificate with only the parts that its step case needs; nothing if
    /// there is nothing to leave out or the solver does not help.
    #[must_use]
    pub fn minimise(&mut self, goal: PropId, certificate: &Certificate) -> Option<Certificate> {
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
        let terms = self.terms(&parts);
        let memories = compression.as_ref().map(|states| &states.memories[..]);
        let needed = self.needed(*k, memories, &terms)?;
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
        let compression = compression.clone();
        let proof = Proof::Induction { k: *k, properties, invariants, compression };
        Some(Certificate { proof })
    }

    /// The parts as terms of the inlined system.
    fn terms(&mut self, parts: &[Part]) -> Vec<TermId> {
        let Minimiser { system, defined, .. } = self;
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
    }

    /// The parts, by index, that the first one needs, itself included; with
    /// memories, where some of these differ at any two of the k+1 steps.
    fn needed(
        &mut self,
        k: usize,
        memories: Option<&[VarId]>,
        parts: &[TermId],
    ) -> Option<Vec<usize>> {
        // A large system has many memories that have no part in a small proof.
        let constraints = self.system.constraints.iter().map(|c| c.term);
        let mut roots = self.system.terms.variables(parts.iter().copied().chain(constraints));
        roots.extend(memories.into_iter().flatten());
        let cone = self.system.cone_of(roots);
        let all = self.system.memories.clone();
        self.system.memories.retain(|memory| cone[memory.var.index()]);
        let needed = self.needed_of_cone(k, memories, parts);
        self.system.memories = all;
        needed
    }

    fn needed_of_cone(
        &self,
        k: usize,
        memories: Option<&[VarId]>,
        parts: &[TermId],
    ) -> Option<Vec<usize>> {
        let Minimiser { system, options, cancel, .. } = self;
        let mut session = open_session(&Solver::BuiltIn, logic(system), options, cancel).ok()?;
        let mut unroller = Unroller::new(system, Start::Anywhere);
        let literals: Vec<TermId> = parts.iter().map(|_| unroller.literal()).collect();
        for step in 0..=k {
            let mut facts = unroller.extend();
            if step < k {
                for (part, literal) in parts.iter().zip(&literals) {
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
            let holds = unroller.at(k, parts[i]);
            for fact in unroller.due() {
                session.assert(&unroller.terms, fact);
            }
            let fails = unroller.terms.not(holds);
            let goal = unroller.literal();
            let query = unroller.terms.implies(goal, fails);
            session.assert(&unroller.terms, query);
            // What is needed already comes first: solvers tend to use what they see early.
            let others = (0..parts.len()).filter(|i| !needed.contains(i));
            let order = needed.iter().copied().chain(others);
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
}
