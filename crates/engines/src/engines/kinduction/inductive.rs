//! The largest set of properties that is k-inductive by itself, as the greatest
//! fixpoint: what a counterexample to induction refutes leaves the set.

use lustral_base::schedule::Moment;
use lustral_smt::Outcome;
use lustral_system::PropId;
use lustral_term::TermId;

use super::{Compression, KInduction};
use crate::failure::{Failure, Misfit};
use crate::model::Model;
use crate::patience::Trouble;

impl KInduction<'_> {
    /// The largest subset of some properties that is k-inductive by itself.
    /// `aside` gets those that may be so by themselves: what speaks against
    /// them repeats a state, if only they themselves count for the state.
    pub(super) fn inductive(
        &mut self,
        k: usize,
        mut set: Vec<PropId>,
        aside: &mut Vec<PropId>,
    ) -> Result<Vec<PropId>, Failure> {
        while !set.is_empty() {
            let conclusions: Vec<TermId> = set.iter().map(|p| self.property(*p, k)).collect();
            let terms = &mut self.unroller.terms;
            let fails: Vec<TermId> = conclusions.iter().map(|t| terms.not(*t)).collect();
            let some_fails = terms.or(fails);
            let literal = self.unroller.literal();
            let query = self.unroller.terms.implies(literal, some_fails);
            self.assert(query);
            let start = Moment::now();
            let counterexample = self.counterexample(k, &set, literal);
            if counterexample.is_ok() {
                self.patience.answered(start.elapsed());
            }
            let gone = self.unroller.terms.not(literal);
            self.assert(gone);
            let model = match counterexample {
                Ok(None) => break,
                Ok(Some(model)) => model,
                Err(trouble) => {
                    set = self.without_answer(k, set, &trouble, aside)?;
                    continue;
                }
            };
            let mut evaluation = model.evaluator(&self.unroller.terms);
            let before = set.len();
            let mut kept = Vec::with_capacity(before);
            for (property, conclusion) in set.into_iter().zip(conclusions) {
                if evaluation.eval(conclusion).is_true() {
                    kept.push(property);
                    continue;
                }
                // What speaks against it in a part of the system may be none of the system.
                if self.parts.is_some() {
                    let board = &self.task.board;
                    board.post_counterexample_to_induction(property, k, &model.inputs);
                }
                if self.task.options.kinduction.compression != Compression::Off
                    && !model.repeated(&self.unroller, &self.state(&[property])).is_empty()
                {
                    aside.push(property);
                }
            }
            if kept.len() == before {
                return Err(Misfit::NoCounterexample.into());
            }
            set = kept;
        }
        Ok(set)
    }

    /// What to go on with where there is no answer for some properties together.
    fn without_answer(
        &mut self,
        k: usize,
        set: Vec<PropId>,
        trouble: &Trouble,
        aside: &mut Vec<PropId>,
    ) -> Result<Vec<PropId>, Failure> {
        if self.parts.is_none() {
            self.is_late = true;
            return Ok(Vec::new());
        }
        let left = self.by_parts(k, &set)?;
        if left.len() < set.len() {
            return Ok(left);
        }
        let found = self.one_by_one(k, &set, trouble)?;
        // Nobody is to blame alone: then there is no more to know of
        // them together. Each has a state and lemmas of its own.
        if found.good.len() == set.len() {
            aside.extend(found.alone);
            return Ok(Vec::new());
        }
        Ok(found.good)
    }

    /// A counterexample to induction; with compression, one that repeats no state.
    pub(super) fn counterexample(
        &mut self,
        k: usize,
        set: &[PropId],
        literal: TermId,
    ) -> Result<Option<Model>, Trouble> {
        loop {
            let memories = self.state(set);
            let compression = self.compression(&memories);
            let assumptions = self.assumptions(set, compression, literal);
            let start = Moment::now();
            let outcome = self.session.check(&self.unroller.terms, &assumptions);
            tracing::debug!(k, properties = set.len(), ?outcome, "step case");
            match outcome {
                Outcome::Unsat => return Ok(None),
                Outcome::Unknown(reason) => return Err(Trouble::of(reason, start, self.limit)),
                Outcome::Sat => {}
            }
            let model = Model::read(&mut *self.session, &self.unroller)?;
            if self.use_violated_lemmas(&model) {
                continue;
            }
            if self.task.options.kinduction.compression == Compression::Off {
                return Ok(Some(model));
            }
            let repeated = model.repeated(&self.unroller, &memories);
            if repeated.is_empty() || self.task.options.kinduction.compression == Compression::Eager
            {
                return Ok(Some(model));
            }
            for (first, second) in repeated {
                self.tell_apart(&memories, compression, first, second);
            }
        }
    }

    /// The literals of a query: the set as hypotheses, the lemmas in use, and
    /// compression.
    pub(super) fn assumptions(
        &self,
        set: &[PropId],
        compression: TermId,
        literal: TermId,
    ) -> Vec<TermId> {
        let hypotheses = set.iter().map(|p| self.hypotheses[p.index()]);
        let lemmas = self.lemmas.iter().filter_map(|known| known.literal);
        let compression =
            (self.task.options.kinduction.compression != Compression::Off).then_some(compression);
        hypotheses.chain(lemmas).chain(compression).chain([literal]).collect()
    }
}
