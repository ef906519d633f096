//! What was heard so far of the engines on a system, and whether that is all:
//! plain counting, without threads.

use lustral_certify::Rejected;
use lustral_engines::Board;
use lustral_system::PropId;

use crate::checker::CheckResult;

/// How often a property is opened again because nobody could tell whether
/// what was found is an answer.
const MOST_REFUSALS: usize = 2;

/// What was heard so far.
pub(crate) struct Course {
    /// By property: whether the caller was told of a finding. Every other one
    /// has a reason in the end, whatever happens to the engines.
    told: Vec<bool>,
    /// How many findings there are, and how many of them are being checked.
    heard: usize,
    pending: usize,
    /// By property: what the solver could not tell of findings.
    refused: Vec<Vec<String>>,
    at_work: bool,
}

impl Course {
    pub(crate) fn new(properties: usize) -> Course {
        let (told, refused) = (vec![false; properties], vec![Vec::new(); properties]);
        Course { told, heard: 0, pending: 0, refused, at_work: true }
    }

    /// A finding goes to its check.
    pub(crate) fn is_checked(&mut self) {
        self.heard += 1;
        self.pending += 1;
    }

    /// A finding goes to the caller as it is.
    pub(crate) fn is_tried(&mut self, property: PropId) {
        self.heard += 1;
        self.told[property.index()] = true;
    }

    /// An engine has ended, and so many are at work. They may be heard of in
    /// another order than they ended in.
    pub(crate) fn ended(&mut self, left: usize) {
        self.at_work &= left > 0;
    }

    /// Takes a result. Nothing comes of it if the finding is given up for
    /// another one: the solver could not tell in time whether it is an answer,
    /// and perhaps somebody has another one. Not of a cut system: perhaps a
    /// smaller one helps.
    pub(crate) fn take(
        &mut self,
        result: CheckResult,
        board: &Board,
        may_give_up: bool,
    ) -> Option<CheckResult> {
        self.pending -= 1;
        let index = result.property.index();
        let refused = &mut self.refused[index];
        if let Err(Rejected::NoAnswer(obligation, reason)) = &result.answer
            && may_give_up
            && self.at_work
            && refused.len() < MOST_REFUSALS
        {
            refused.push(format!("checking the obligation {obligation}: {reason}"));
            self.heard -= 1;
            board.reopen(result.property);
            return None;
        }
        self.told[index] = true;
        Some(result)
    }

    /// Whether everything that was found has come back, and nothing more can come.
    pub(crate) fn is_over(&self, open: usize) -> bool {
        let settled = self.heard + open == self.told.len() && (open == 0 || !self.at_work);
        settled && self.pending == 0
    }

    /// Whether nothing is being checked.
    pub(crate) fn is_idle(&self) -> bool {
        self.pending == 0
    }

    /// Whether nobody is at work of whom something could be heard.
    pub(crate) fn is_silent(&self) -> bool {
        !self.at_work && self.pending == 0
    }

    /// Whether the caller was told of a finding.
    pub(crate) fn is_told(&self, property: PropId) -> bool {
        self.told[property.index()]
    }

    /// What the solver could not tell of the first finding for a property.
    pub(crate) fn refusal(&self, property: PropId) -> Option<&String> {
        self.refused[property.index()].first()
    }
}
