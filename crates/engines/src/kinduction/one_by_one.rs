//! The step cases of properties whose common step case has no answer.

use lustral_system::PropId;

use super::KInduction;
use crate::patience::{MOST_SLOW, Trouble};

impl KInduction<'_> {
    /// Those of a set, the common step case of which has no answer, that follow
    /// from the set one by one; those that make trouble are put aside.
    pub(super) fn one_by_one(
        &mut self,
        k: usize,
        set: Vec<PropId>,
        common: &Trouble,
    ) -> Result<Vec<PropId>, String> {
        let mut kept = Vec::new();
        let mut slow = 0;
        for property in &set {
            let outcome = match set.len() {
                1 => Err(common.clone()),
                _ => {
                    let conclusion = self.property(*property, k);
                    let literal = self.unroller.literal();
                    let fails = self.unroller.terms.not(conclusion);
                    let query = self.unroller.terms.implies(literal, fails);
                    self.assert(query);
                    self.counterexample(k, &set, literal)
                }
            };
            if self.task.cancel.is_cancelled() {
                return Err("stopped".into());
            }
            if let Some(fault) = self.session.fault() {
                return Err(fault.to_string());
            }
            let board = &self.task.board;
            match outcome {
                Ok(None) => kept.push(*property),
                Ok(Some(model)) => {
                    board.post_counterexample_to_induction(*property, k, &model.inputs);
                }
                // No induction step, but that may be different at the next k.
                Err(Trouble::Irrational) => {}
                Err(trouble) => {
                    board.post_trouble(*property, &trouble);
                    self.patience.put_aside(*property, &trouble, self.limit);
                    slow += usize::from(trouble == Trouble::Slow);
                    if slow == MOST_SLOW {
                        break;
                    }
                }
            }
        }
        Ok(kept)
    }
}
