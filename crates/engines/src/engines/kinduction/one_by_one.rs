//! Finding the properties that a step case has no answer for.

use lustral_base::schedule::Moment;
use lustral_smt::NoAnswer;
use lustral_system::PropId;

use super::KInduction;
use crate::failure::Failure;
use crate::patience::{Patience, Trouble};

/// What came out of taking the properties of a set one by one.
pub(super) struct OneByOne {
    /// Those that made no trouble.
    pub good: Vec<PropId>,
    /// Those of them that are inductive each by itself, so together as well.
    pub alone: Vec<PropId>,
}

impl KInduction<'_> {
    /// Takes the properties of a set, the common step case of which has no
    /// answer, one by one; those that make trouble are put aside.
    pub(super) fn one_by_one(
        &mut self,
        k: usize,
        set: &[PropId],
        common: &Trouble,
    ) -> Result<OneByOne, Failure> {
        let mut found = OneByOne { good: Vec::new(), alone: Vec::new() };
        let (start, mut aside) = (Moment::now(), 0);
        let limit = self.limit;
        if set.len() > 1 {
            self.limit = limit.map(|_| self.patience.limit_alone());
            self.renew(k, &[])?;
        }
        for property in &Patience::order(set) {
            let outcome = match set.len() {
                1 => Err(common.clone()),
                _ => self.by_itself(k, *property),
            };
            if self.task.cancel.is_cancelled() {
                return Err(NoAnswer::Stopped.into());
            }
            if let Some(fault) = self.session.fault() {
                return Err(fault.into());
            }
            match outcome {
                Ok(inductive) => {
                    found.good.push(*property);
                    found.alone.extend(inductive.then_some(*property));
                }
                // No induction step, but that may be different at the next k.
                Err(Trouble::Irrational) => {}
                Err(trouble) => {
                    aside += 1;
                    self.task.board.post_trouble(*property, &trouble);
                    self.patience.put_aside(*property, &trouble, self.limit);
                    if set.len() > 1 {
                        self.renew(k, &found.good)?;
                    }
                    if self.patience.enough(start, found.good.len(), aside) {
                        break;
                    }
                }
            }
        }
        self.limit = limit;
        if set.len() > 1 {
            self.patience.taken_one_by_one(found.good.len(), aside);
        }
        // All that are not put aside are hypotheses again, and so are those that the caller goes
        // on with, also where somebody has settled one meanwhile: what refutes a property
        // that is no hypothesis is no counterexample to induction.
        let mut ready = self.patience.ready(&self.task.board.open());
        ready.extend(found.good.iter().filter(|p| !ready.contains(p)).copied().collect::<Vec<_>>());
        self.renew(k, &ready)?;
        Ok(found)
    }

    /// Whether a property is inductive by itself.
    fn by_itself(&mut self, k: usize, property: PropId) -> Result<bool, Trouble> {
        (0..k).for_each(|step| self.assume(&[property], step));
        let conclusion = self.property(property, k);
        let literal = self.unroller.literal();
        let fails = self.unroller.terms.not(conclusion);
        let query = self.unroller.terms.implies(literal, fails);
        self.assert(query);
        let outcome = self.counterexample(k, &[property], literal);
        let gone = self.unroller.terms.not(literal);
        self.assert(gone);
        let counterexample = outcome?;
        if let Some(model) = &counterexample {
            let board = &self.task.board;
            board.post_counterexample_to_induction(property, k, &model.inputs);
        }
        Ok(counterexample.is_none())
    }

    /// Starts with a new session that knows of these properties only: terms
    /// that are too hard for a solver are so even where no query is about them.
    pub(super) fn renew(&mut self, k: usize, properties: &[PropId]) -> Result<(), Failure> {
        let mut new = KInduction::with_session(self.task)?;
        new.extend();
        for step in 0..k {
            new.assume(properties, step);
            new.extend();
        }
        self.lemmas.iter_mut().for_each(|known| known.literal = None);
        self.session = new.session;
        self.session.limit(self.limit);
        self.unroller = new.unroller;
        self.hypotheses = new.hypotheses;
        self.states = new.states;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lustral_system::Proof;

    use super::*;
    use crate::board::{Finding, Found};
    use crate::learn::tests::Builder;

    /// Somebody else settles a property while all are taken one by one: it is a hypothesis
    /// for the rest of the round all the same.
    #[test]
    fn what_is_settled_meanwhile_is_still_a_hypothesis() {
        let mut builder = Builder::default();
        for _ in 0..2 {
            let kept = builder.memory(true);
            builder.property(kept);
        }
        let task = builder.task();
        let mut engine = KInduction::new(&task).unwrap();
        let both = [PropId(0), PropId(1)];
        engine.assume(&both, 0);
        engine.extend();
        let proof = Proof::Induction {
            k: 1,
            properties: vec![both[0]],
            invariants: Vec::new(),
            compression: None,
        };
        let found = Found::Proof(proof);
        task.board.settle(Finding { property: both[0], found, engine: "another" });
        let found = engine.one_by_one(1, &both, &Trouble::Irrational).unwrap();
        assert_eq!(found.good, both);
        let inductive = engine.inductive(1, found.good, &mut Vec::new()).unwrap();
        assert_eq!(inductive, both);
    }
}
