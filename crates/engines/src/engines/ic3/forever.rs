//! Cubes that are never entered, whatever becomes of the property: lemmas for
//! everybody.

use std::time::Duration;

use lustral_base::schedule::Moment;

use super::attempt::Attempt;
use super::predicates::Cube;
use super::steps::{Place, Reached};
use crate::basis::Basis;
use crate::board::Lemma;

/// The time that was spent on it, and on all.
pub(super) struct Share {
    start: Moment,
    spent: Duration,
}

impl Share {
    pub fn new() -> Share {
        Share { start: Moment::now(), spent: Duration::ZERO }
    }

    /// Whether it took no more than its share so far.
    fn is_left(&self) -> bool {
        self.spent < self.start.elapsed() / 8 + Duration::from_millis(10)
    }
}

impl Attempt<'_> {
    /// Looks which cubes of a frame are excluded for good: by induction from
    /// those that are, and from the lemmas of the board. The property is no
    /// hypothesis here, since nobody knows whether it holds.
    pub(super) fn settle_forever(&mut self, frame: usize) {
        let mut found = Vec::new();
        for cube in self.frames.of(frame).to_vec() {
            if !self.share.is_left() || self.task.cancel.is_cancelled() {
                break;
            }
            let start = Moment::now();
            let answer = self.steps.reached(&cube, Place::Always, false);
            self.share.spent += start.elapsed();
            if let Ok(Reached::No(core, board)) = answer {
                let cube = self.apart(&cube, core);
                self.board_matters |= board;
                self.steps.exclude(&cube, Place::Always);
                self.frames.add_always(cube.clone());
                found.push(cube);
            }
        }
        if !found.is_empty() {
            self.post(&found);
        }
    }

    /// Posts cubes that are excluded for good. The proof of each is that of
    /// all so far.
    fn post(&mut self, found: &[Cube]) {
        let always = self.predicates.clauses(self.frames.always.iter());
        let mut basis = Basis::new(1, self.typing.iter().chain(&always).cloned().collect());
        if self.board_matters {
            self.lemmas.iter().for_each(|lemma| basis.unite(lemma));
        }
        let Some(last) = always.last() else { return };
        let whole = basis.lemma(last.clone());
        for predicate in &always[always.len() - found.len()..] {
            let predicate = predicate.clone();
            self.posted.push(predicate.clone());
            self.task.board.post_lemma(Lemma { predicate, ..whole.clone() });
        }
    }
}
