//! The step cases of the parts of a proof, each with the others as hypotheses.

use lustral_base::Cancel;
use lustral_base::schedule::Moment;
use lustral_smt::{NoAnswer, Outcome, Session, Solver, SolverOptions};
use lustral_system::Inlined;
use lustral_term::{TermId, VarId};
use rustc_hash::FxHashSet;

use crate::metered;
use crate::task::logic;
use crate::unroll::{Start, Unroller};

/// An induction over some steps, and the parts that take part in it.
#[derive(Clone, Copy)]
pub(super) struct Induction<'s> {
    /// Without definitions.
    pub(super) system: &'s Inlined,
    /// The parts, as terms of the system.
    pub(super) parts: &'s [TermId],
    pub(super) k: usize,
    /// With compression: the memories of which some differ at any two steps.
    pub(super) states: Option<&'s [VarId]>,
}

/// The step cases in a solver: every hypothesis stands behind a literal, and
/// so does the failure of every part.
pub(super) struct StepCases<'s> {
    induction: Induction<'s>,
    session: Box<dyn Session>,
    unroller: Unroller<'s>,
    /// For each part: it holds at all steps but the last.
    hypotheses: Vec<TermId>,
    /// For each part: it fails at the last step; made when it is asked for.
    failures: Vec<Option<TermId>>,
    /// When the time for all queries is up.
    until: Moment,
}

impl<'s> StepCases<'s> {
    /// Nothing if the solver cannot be started.
    pub(super) fn new(
        induction: Induction<'s>,
        options: &SolverOptions,
        cancel: &Cancel,
        until: Moment,
    ) -> Option<StepCases<'s>> {
        let Induction { system, parts, k, states } = induction;
        let (solver, logic) = (Solver::BuiltIn, logic(system));
        let mut session = metered::open(&solver, logic, options, cancel, "step").ok()?;
        let mut unroller = Unroller::new(system, Start::Anywhere);
        let hypotheses: Vec<TermId> = parts.iter().map(|_| unroller.literal()).collect();
        for step in 0..=k {
            let mut facts = unroller.extend();
            if step < k {
                for (part, literal) in parts.iter().zip(&hypotheses) {
                    let holds = unroller.at(step, *part);
                    facts.push(unroller.terms.implies(*literal, holds));
                }
            }
            if let Some(memories) = states {
                let differ = |earlier| unroller.different(memories, earlier, step);
                facts.extend((0..step).map(differ));
            }
            facts.append(&mut unroller.due());
            for fact in facts {
                session.assert(&unroller.terms, fact);
            }
        }
        let failures = vec![None; parts.len()];
        Some(StepCases { induction, session, unroller, hypotheses, failures, until })
    }

    /// Whether a part follows from some parts at the steps before: those that
    /// the solver used, in the given order.
    ///
    /// # Errors
    /// The answer of the solver, if it is another one.
    pub(super) fn ask(&mut self, part: usize, from: &[usize]) -> Result<Vec<usize>, Outcome> {
        // Once the time is up, there is no answer to anything any more.
        let left = self.until.left();
        if left.is_zero() {
            return Err(Outcome::Unknown(NoAnswer::Limit));
        }
        self.session.limit(Some(left));
        let failure = self.failure(part);
        let literals = from.iter().map(|i| self.hypotheses[*i]);
        let assumptions: Vec<TermId> = std::iter::once(failure).chain(literals).collect();
        match self.session.check(&self.unroller.terms, &assumptions) {
            Outcome::Unsat => {
                let core = self.session.core();
                let core: FxHashSet<TermId> = core.into_iter().collect();
                let used = |i: &usize| core.contains(&self.hypotheses[*i]);
                Ok(from.iter().copied().filter(used).collect())
            }
            other => Err(other),
        }
    }

    fn failure(&mut self, part: usize) -> TermId {
        if let Some(known) = self.failures[part] {
            return known;
        }
        let holds = self.unroller.at(self.induction.k, self.induction.parts[part]);
        for fact in self.unroller.due() {
            self.session.assert(&self.unroller.terms, fact);
        }
        let fails = self.unroller.terms.not(holds);
        let literal = self.unroller.literal();
        let query = self.unroller.terms.implies(literal, fails);
        self.session.assert(&self.unroller.terms, query);
        self.failures[part] = Some(literal);
        literal
    }
}
