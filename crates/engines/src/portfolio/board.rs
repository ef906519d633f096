//! The board on which engines share what they know.
//!
//! Facts only grow: how deep each property is known to hold, and which are
//! settled. A finding is news for the coordinator, which has it checked.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::schedule::{self, Achievement, Moment};
use lustral_system::{Note, Predicate, Proof, PropId};

use crate::failure::Failure;
use crate::model::Inputs;
use crate::patience::Trouble;

/// What was found of a property.
#[derive(Clone, Debug)]
pub enum Found {
    /// A proof about the prepared system.
    Proof(Proof),
    /// An execution in which it fails at the last of this many steps.
    Execution(usize, Inputs),
}

/// A finding of an engine.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The property.
    pub property: PropId,
    /// What was found.
    pub found: Found,
    /// Who found it.
    pub engine: &'static str,
}

/// Something proved: an invariant with its proof by induction.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// What always holds.
    pub predicate: Predicate,
    /// The k of its proof.
    pub k: usize,
    /// The properties that take part in its proof.
    pub properties: Vec<PropId>,
    /// The invariants that take part.
    pub invariants: Arc<[Predicate]>,
    /// Whether the proof is by compression.
    pub compression: bool,
}

/// What the coordinator hears of.
#[derive(Clone, Debug)]
pub enum News {
    /// A property was settled, subject to a check.
    Finding(Finding),
    /// An engine has ended; so many still run.
    Ended(usize),
}

/// The board.
pub struct Board {
    state: Mutex<BoardState>,
    changed: Condvar,
    tell: Box<dyn Fn(News) + Send + Sync>,
}

struct BoardState {
    open: Vec<bool>,
    /// By property: it holds at all steps before this one.
    depth: Vec<usize>,
    /// By property: whether it was open again after it was settled. Who looked at it meanwhile did not see it.
    again: Vec<bool>,
    /// What was proved so far, in order.
    lemmas: Vec<Arc<Lemma>>,
    /// By property: the counterexample to induction at the largest k.
    counterexamples: Vec<Option<(usize, Inputs)>>,
    /// By property: whether nobody may wait for its depth.
    aside: Vec<bool>,
    /// By property: why a solver cannot decide it, if that was found.
    trouble: Vec<Option<Failure>>,
    /// By property: what engines leave for the report.
    notes: Vec<Vec<Arc<Note>>>,
    /// Engines that have not ended.
    running: usize,
    /// Engines that gave the others a head start, whether it is over or not.
    late: usize,
    /// Those of them that extend depths.
    extending: usize,
    /// Whether the engines take turns on one thread: then waiting is for nothing.
    in_turn: bool,
    /// How often something has changed.
    changes: u64,
}

impl BoardState {
    /// Whether properties hold at all steps before this one; false if one was
    /// settled otherwise or put aside, and nothing if it is of use to wait.
    fn is_deep(&self, properties: &[PropId], depth: usize) -> Option<bool> {
        if properties.iter().any(|p| !self.open[p.index()]) {
            return Some(false);
        }
        if properties.iter().all(|p| self.depth[p.index()] >= depth) {
            return Some(true);
        }
        let behind = |p: &&PropId| self.depth[p.index()] < depth;
        let aside = properties.iter().filter(behind).any(|p| self.aside[p.index()]);
        // Nobody will extend the depth any more, or nobody can meanwhile.
        (aside || self.extending == 0 || self.in_turn).then_some(false)
    }
}

impl Board {
    /// A board with so many open properties; news go to `tell`.
    #[must_use]
    pub fn new(properties: usize, tell: Box<dyn Fn(News) + Send + Sync>) -> Board {
        let state = BoardState {
            open: vec![true; properties],
            depth: vec![0; properties],
            again: vec![false; properties],
            lemmas: Vec::new(),
            counterexamples: vec![None; properties],
            aside: vec![false; properties],
            trouble: vec![None; properties],
            notes: vec![Vec::new(); properties],
            running: 0,
            late: 0,
            extending: 0,
            in_turn: false,
            changes: 0,
        };
        Board { state: Mutex::new(state), changed: Condvar::new(), tell }
    }

    fn with<T>(&self, f: impl FnOnce(&mut BoardState) -> T) -> T {
        let result = {
            let mut state = self.state.lock().expect("no holder panics");
            state.changes += 1;
            f(&mut state)
        };
        self.changed.notify_all();
        schedule::changed();
        result
    }

    /// Lets others work until something changes after so many changes, but not
    /// longer than this.
    fn rest(&self, changes: u64, patience: Duration) {
        schedule::rest(patience, || {
            let state = self.state.lock().expect("no holder panics");
            if state.changes == changes {
                drop(self.changed.wait_timeout(state, patience));
            }
        });
    }

    /// The properties that nobody has settled.
    #[must_use]
    pub fn open(&self) -> Vec<PropId> {
        let state = self.state.lock().expect("no holder panics");
        let ids = (0..state.open.len() as u32).map(PropId);
        ids.filter(|p| state.open[p.index()]).collect()
    }

    /// Settles a property; whoever is second is not heard.
    pub fn settle(&self, finding: Finding) {
        let index = finding.property.index();
        if self.with(|state| std::mem::replace(&mut state.open[index], false)) {
            schedule::achieved(Achievement::Finding);
            (self.tell)(News::Finding(finding));
        }
    }

    /// Opens a property again: what settled it could not be checked.
    pub fn reopen(&self, property: PropId) {
        self.with(|state| {
            state.open[property.index()] = true;
            state.again[property.index()] = true;
        });
    }

    /// Adds an invariant that others may rely on. Its proof must be complete:
    /// all that takes part in it is listed.
    pub fn post_lemma(&self, lemma: Lemma) {
        self.with(|state| state.lemmas.push(Arc::new(lemma)));
        schedule::achieved(Achievement::Lemma);
    }

    /// The lemmas after the first so many.
    #[must_use]
    pub fn lemmas_after(&self, known: usize) -> Vec<Arc<Lemma>> {
        self.state.lock().expect("no holder panics").lemmas[known..].to_vec()
    }

    /// Waits a while for more lemmas than so many, or for any other change.
    pub fn wait_lemmas(&self, known: usize, patience: Duration) {
        let state = self.state.lock().expect("no holder panics");
        let (news, changes) = (state.lemmas.len() > known, state.changes);
        drop(state);
        if !news {
            self.rest(changes, patience);
        }
    }

    /// Says that properties hold at all steps before this one.
    pub fn post_depth(&self, properties: &[PropId], depth: usize) {
        self.with(|state| {
            for p in properties {
                // One that is settled is passed over in searches: nothing is known of it.
                if state.open[p.index()] {
                    state.depth[p.index()] = state.depth[p.index()].max(depth);
                }
            }
        });
        schedule::achieved(Achievement::Depth);
    }

    /// How deep the open properties are known to hold.
    #[must_use]
    pub fn depth(&self) -> usize {
        let state = self.state.lock().expect("no holder panics");
        let open = state.depth.iter().zip(&state.open).filter(|(_, open)| **open);
        open.map(|(depth, _)| *depth).min().unwrap_or(0)
    }

    /// How deep a property is known to hold: at all steps before this one.
    #[must_use]
    pub fn depth_of(&self, property: PropId) -> usize {
        self.state.lock().expect("no holder panics").depth[property.index()]
    }

    /// How deep a property was known to hold when it was settled, for what is said of its first step: nothing
    /// is taken for known where it was settled before.
    #[must_use]
    pub fn depth_when_settled(&self, property: PropId) -> usize {
        let state = self.state.lock().expect("no holder panics");
        if state.again[property.index()] { 0 } else { state.depth[property.index()] }
    }

    /// Whether no engine is at work.
    #[cfg(test)]
    pub(crate) fn is_idle(&self) -> bool {
        self.state.lock().expect("no holder panics").running == 0
    }

    /// Whether at most one engine is at work.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.state.lock().expect("no holder panics").running < 2
    }

    /// Says why a property is not k-inductive: steps, of which the last has
    /// number k, that begin in some state, reachable or not.
    pub fn post_counterexample_to_induction(&self, property: PropId, k: usize, inputs: &Inputs) {
        self.with(|state| {
            let known = &mut state.counterexamples[property.index()];
            if known.as_ref().is_none_or(|(at, _)| *at <= k) {
                *known = Some((k, inputs.clone()));
            }
        });
    }

    /// The counterexample to induction of a property at the largest k.
    #[must_use]
    pub fn counterexample_to_induction(&self, property: PropId) -> Option<(usize, Inputs)> {
        self.state.lock().expect("no holder panics").counterexamples[property.index()].clone()
    }

    /// Leaves a note about a property for the report, in place of one that the
    /// same engine left before.
    pub fn post_note(&self, property: PropId, note: Note) {
        self.with(|state| {
            let notes = &mut state.notes[property.index()];
            notes.retain(|old| old.engine != note.engine);
            notes.push(Arc::new(note));
        });
    }

    /// What engines have left for the report about a property.
    #[must_use]
    pub fn notes(&self, property: PropId) -> Vec<Arc<Note>> {
        self.state.lock().expect("no holder panics").notes[property.index()].clone()
    }

    /// Says that a property takes long or cannot be decided, so that its depth
    /// may not grow for a while: those who wait for it should do something else.
    pub(crate) fn put_aside(&self, property: PropId) {
        self.with(|state| state.aside[property.index()] = true);
    }

    /// Says that the depth of a property grows again.
    pub(crate) fn take_back(&self, property: PropId) {
        self.with(|state| state.aside[property.index()] = false);
    }

    /// Those of some properties whose depth may not grow for a while.
    pub(crate) fn aside(&self, properties: &[PropId]) -> Vec<PropId> {
        let state = self.state.lock().expect("no holder panics");
        properties.iter().filter(|p| state.aside[p.index()]).copied().collect()
    }

    /// Says why a solver cannot decide a property, for the report.
    pub(crate) fn post_trouble(&self, property: PropId, trouble: &Trouble) {
        if *trouble != Trouble::Slow {
            self.with(|state| state.trouble[property.index()] = Some(trouble.reason()));
        }
    }

    /// Why a solver cannot decide a property, if that was found.
    #[must_use]
    pub fn trouble(&self, property: PropId) -> Option<Failure> {
        self.state.lock().expect("no holder panics").trouble[property.index()].clone()
    }

    /// Waits until the properties hold at all steps before this one; false if
    /// one of them was settled otherwise or put aside, or all stops.
    pub fn wait_depth(&self, properties: &[PropId], depth: usize, cancel: &Cancel) -> bool {
        loop {
            let state = self.state.lock().expect("no holder panics");
            let (deep, changes) = (state.is_deep(properties, depth), state.changes);
            drop(state);
            match deep {
                Some(deep) => return deep,
                None if cancel.is_cancelled() => return false,
                None => self.rest(changes, Duration::from_millis(20)),
            }
        }
    }

    /// Waits until every property is settled or all stops, but not longer than
    /// this.
    pub fn wait_settled(&self, patience: Duration, cancel: &Cancel) {
        self.wait_while(patience, cancel, |state| state.open.contains(&true));
    }

    /// Lets the other engines have their head start: waits while properties are open
    /// and more engines run than are late, but not longer than this. (If one that was
    /// late has ended, another takes its place before its time.)
    pub(super) fn wait_behind(&self, patience: Duration, cancel: &Cancel) {
        self.with(|state| state.late += 1);
        let waits = |state: &BoardState| state.open.contains(&true) && state.late < state.running;
        self.wait_while(patience, cancel, waits);
    }

    fn wait_while(&self, time: Duration, cancel: &Cancel, waits: impl Fn(&BoardState) -> bool) {
        let until = Moment::now() + time;
        loop {
            let state = self.state.lock().expect("no holder panics");
            let (waits, changes) = (waits(&state), state.changes);
            drop(state);
            let left = until.left();
            if !waits || cancel.is_cancelled() || left.is_zero() {
                return;
            }
            self.rest(changes, left.min(Duration::from_millis(20)));
        }
    }

    /// An engine begins; perhaps one that extends depths.
    pub fn begin(&self, extends: bool) {
        self.with(|state| {
            state.running += 1;
            state.extending += usize::from(extends);
        });
    }

    /// Whether engines take turns on one thread from now on.
    pub(crate) fn set_in_turn(&self, in_turn: bool) {
        self.with(|state| state.in_turn = in_turn);
    }

    /// All engines have ended, in whatever way.
    pub fn end_all(&self) {
        self.with(|state| {
            state.running = 0;
            state.extending = 0;
        });
        (self.tell)(News::Ended(0));
    }

    /// An engine has ended.
    pub fn end(&self, extended: bool) {
        let left = self.with(|state| {
            state.extending = state.extending.saturating_sub(usize::from(extended));
            state.running = state.running.saturating_sub(1);
            state.running
        });
        (self.tell)(News::Ended(left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For what takes this long somebody has waited in vain.
    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn nobody_gives_a_head_start_to_engines_that_have_ended() {
        let board = Board::new(1, Box::new(|_| ()));
        // Two that are late and one that is not.
        for _ in 0..3 {
            board.begin(false);
        }
        let begun = Moment::now();
        std::thread::scope(|scope| {
            let late = [(); 2].map(|()| scope.spawn(|| board.wait_behind(LONG, &Cancel::new())));
            std::thread::sleep(Duration::from_millis(50));
            assert!(late.iter().all(|thread| !thread.is_finished()), "one was at work");
            board.end(false);
        });
        assert!(begun.elapsed() < LONG);
    }

    /// What is said of the first step at which a property fails rests on this.
    #[test]
    fn nothing_is_learned_of_the_depth_of_a_settled_property() {
        let board = Board::new(2, Box::new(|_| ()));
        let [settled, open] = [PropId(0), PropId(1)];
        board.post_depth(&[settled, open], 3);
        let found = Found::Execution(9, Inputs::default());
        board.settle(Finding { property: settled, found, engine: "simulation" });
        // A search that goes on passes it over.
        board.post_depth(&[settled, open], 8);
        assert_eq!(board.depth_when_settled(settled), 3);
        assert_eq!(board.depth_when_settled(open), 8);
        // Opened again, it is behind, and the search does not know.
        board.reopen(settled);
        board.post_depth(&[settled, open], 9);
        assert_eq!(board.depth_when_settled(settled), 0);
    }
}
