//! Is what somebody calls an invariant one? Asked of a fresh session before
//! anybody hears of it: an answer that fails its check later would be an
//! internal error.

use std::sync::Arc;

use lustral_smt::{Outcome, Session};
use lustral_system::{Predicate, PropId};
use lustral_term::TermId;

use crate::board::Lemma;
use crate::failure::{Failure, Flaw};
use crate::task::Task;
use crate::unroll::{Start, Unroller};

/// Which of some lemmas a proof needs, by position. An error if the conjuncts
/// are not inductive with the lemmas' help, or do not imply the property.
pub(crate) fn validate(
    task: &Task,
    property: PropId,
    conjuncts: &[Predicate],
    typing: &[Predicate],
    lemmas: &[Arc<Lemma>],
) -> Result<Vec<usize>, Failure> {
    initial(task, conjuncts)?;
    let mut check = InvariantCheck::new(task, lemmas)?;
    let mut used = vec![false; lemmas.len()];
    check.extend(typing, lemmas);
    for conjunct in conjuncts {
        let holds = check.unroller.predicate_at(0, conjunct);
        check.assert(holds);
    }
    let property = check.unroller.at(0, task.system.property(property).term);
    check.holds(property, &mut used, Flaw::Implication)?;
    // Only now: an execution may end at the step at which the property fails.
    check.extend(typing, lemmas);
    let mut next = Vec::with_capacity(conjuncts.len());
    for conjunct in conjuncts {
        next.push(check.unroller.predicate_at(1, conjunct));
    }
    let next = check.unroller.terms.and(next);
    check.holds(next, &mut used, Flaw::Consecution)?;
    Ok((0..lemmas.len()).filter(|i| used[*i]).collect())
}

fn initial(task: &Task, conjuncts: &[Predicate]) -> Result<(), Failure> {
    let mut unroller = Unroller::new(&task.system, Start::Initial);
    let facts = unroller.extend();
    let mut session = task.session_for("validation")?;
    for fact in facts {
        session.assert(&unroller.terms, fact);
    }
    let holds: Vec<TermId> = conjuncts.iter().map(|c| unroller.predicate_at(0, c)).collect();
    // Conjuncts may be the first to mention an input.
    for fact in unroller.due() {
        session.assert(&unroller.terms, fact);
    }
    let holds = unroller.terms.and(holds);
    let fails = unroller.terms.not(holds);
    session.assert(&unroller.terms, fails);
    match session.check(&unroller.terms, &[]) {
        Outcome::Unsat => Ok(()),
        Outcome::Sat => Err(Flaw::Initiation.into()),
        Outcome::Unknown(reason) => Err(reason.into()),
    }
}

/// Steps in a row, with what holds at all of them.
struct InvariantCheck<'t> {
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// By lemma: the literal behind which it stands.
    lemmas: Vec<TermId>,
}

impl<'t> InvariantCheck<'t> {
    fn new(task: &'t Task, lemmas: &[Arc<Lemma>]) -> Result<InvariantCheck<'t>, Failure> {
        let session = task.session_for("validation")?;
        let mut unroller = Unroller::new(&task.system, Start::Anywhere);
        let lemmas = lemmas.iter().map(|_| unroller.literal()).collect();
        Ok(InvariantCheck { session, unroller, lemmas })
    }

    fn extend(&mut self, typing: &[Predicate], lemmas: &[Arc<Lemma>]) {
        let step = self.unroller.len();
        for fact in self.unroller.extend() {
            self.assert(fact);
        }
        for typing in typing {
            let holds = self.unroller.predicate_at(step, typing);
            self.assert(holds);
        }
        for (i, lemma) in lemmas.iter().enumerate() {
            let holds = self.unroller.predicate_at(step, &lemma.predicate);
            let fact = self.unroller.terms.implies(self.lemmas[i], holds);
            self.assert(fact);
        }
    }

    fn assert(&mut self, fact: TermId) {
        for due in self.unroller.due() {
            self.session.assert(&self.unroller.terms, due);
        }
        self.session.assert(&self.unroller.terms, fact);
    }

    /// That a term must hold; notes which lemmas that needs.
    fn holds(&mut self, term: TermId, used: &mut [bool], flaw: Flaw) -> Result<(), Failure> {
        let fails = self.unroller.terms.not(term);
        let literal = self.unroller.literal();
        let query = self.unroller.terms.implies(literal, fails);
        self.assert(query);
        let mut assumptions = self.lemmas.clone();
        assumptions.push(literal);
        match self.session.check(&self.unroller.terms, &assumptions) {
            Outcome::Unsat => {}
            Outcome::Sat => return Err(flaw.into()),
            Outcome::Unknown(reason) => return Err(reason.into()),
        }
        let core = self.session.core();
        for (lemma, used) in self.lemmas.iter().zip(used) {
            *used |= core.contains(lemma);
        }
        Ok(())
    }
}
