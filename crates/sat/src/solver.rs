//! The solver.

mod forgetting;

use lustral_base::Cancel;

use crate::Lit;
use crate::heap::Heap;

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model: [`Solver::value`] says what it is.
    Sat,
    /// There is none: [`Solver::core`] says which assumptions are to blame.
    Unsat,
    /// It was stopped.
    Stopped,
}

/// A clause; the first two literals are watched.
struct Clause {
    literals: Vec<Lit>,
    learned: bool,
    /// How many levels of decisions its literals came from when it was learned.
    spread: u32,
    deleted: bool,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause: if it is true, nothing is to be done.
    other: Lit,
}

/// Clauses, and what is known of their variables.
#[derive(Default)]
pub struct Solver {
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<Option<u32>>,
    trail: Vec<Lit>,
    /// Where each level begins in the trail.
    begins: Vec<usize>,
    propagated: usize,
    activity: Vec<f64>,
    grows: f64,
    phase: Vec<bool>,
    heap: Heap,
    seen: Vec<bool>,
    contradiction: bool,
    model: Vec<bool>,
    /// What was last assumed: the levels that are left are the first ones of these.
    assumed: Vec<Lit>,
    core: Vec<Lit>,
    learned: usize,
    most_learned: usize,
    conflicts: u64,
    cancel: Option<Cancel>,
}

impl Solver {
    /// A solver without clauses.
    #[must_use]
    pub fn new(cancel: Option<Cancel>) -> Solver {
        Solver { grows: 1.0, most_learned: 4_000, cancel, ..Solver::default() }
    }

    /// A new variable.
    pub fn variable(&mut self) -> u32 {
        let variable = self.levels.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(None);
        self.activity.push(0.0);
        self.phase.push(false);
        self.seen.push(false);
        self.model.push(false);
        self.heap.insert(variable, &self.activity);
        variable
    }

    /// A literal that is to be true in a model if that makes no difference: it is tried first.
    pub fn prefer(&mut self, literal: Lit) {
        // What is undone later would be preferred instead.
        self.undo(0);
        self.phase[literal.variable() as usize] = literal.holds();
    }

    /// The value of a literal in the last model.
    #[must_use]
    pub fn value(&self, literal: Lit) -> bool {
        self.model[literal.variable() as usize] == literal.holds()
    }

    /// The assumptions that the last answer `Unsat` rests on.
    #[must_use]
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// How many conflicts there were, as a measure of work.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: &[Lit]) {
        if self.contradiction {
            return;
        }
        self.undo(0);
        let mut literals = clause.to_vec();
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|pair| pair[0] == !pair[1])
            || literals.iter().any(|l| self.values[l.index()] > 0)
        {
            return;
        }
        literals.retain(|l| self.values[l.index()] == 0);
        match literals[..] {
            [] => self.contradiction = true,
            [one] => {
                self.set(one, None);
                self.contradiction = self.propagate().is_some();
            }
            _ => {
                self.attach(literals, false, 0);
            }
        }
    }

    fn attach(&mut self, literals: Vec<Lit>, learned: bool, spread: u32) -> u32 {
        let clause = self.clauses.len() as u32;
        self.watches[(!literals[0]).index()].push(Watch { clause, other: literals[1] });
        self.watches[(!literals[1]).index()].push(Watch { clause, other: literals[0] });
        self.learned += usize::from(learned);
        self.clauses.push(Clause { literals, learned, spread, deleted: false });
        clause
    }

    fn level(&self) -> u32 {
        self.begins.len() as u32
    }

    fn set(&mut self, literal: Lit, reason: Option<u32>) {
        let variable = literal.variable() as usize;
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.levels[variable] = self.level();
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    fn undo(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let begin = self.begins[level as usize];
        for literal in self.trail.drain(begin..) {
            let variable = literal.variable();
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phase[variable as usize] = literal.holds();
            self.reasons[variable as usize] = None;
            self.heap.insert(variable, &self.activity);
        }
        self.begins.truncate(level as usize);
        self.propagated = begin;
    }

    /// What follows from the trail; a clause that is violated, if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while self.propagated < self.trail.len() {
            let literal = self.trail[self.propagated];
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[literal.index()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            while at < watches.len() {
                let watch = watches[at];
                at += 1;
                if self.values[watch.other.index()] > 0 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let clause = &mut self.clauses[watch.clause as usize];
                if clause.deleted {
                    continue;
                }
                let literals = &mut clause.literals;
                if literals[0] == !literal {
                    literals.swap(0, 1);
                }
                let first = literals[0];
                let here = Watch { clause: watch.clause, other: first };
                if self.values[first.index()] > 0 {
                    watches[kept] = here;
                    kept += 1;
                    continue;
                }
                let values = &self.values;
                if let Some(i) = (2..literals.len()).find(|i| values[literals[*i].index()] >= 0) {
                    literals.swap(1, i);
                    let watched = !literals[1];
                    self.watches[watched.index()].push(here);
                    continue;
                }
                watches[kept] = here;
                kept += 1;
                if self.values[first.index()] < 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                self.set(first, Some(watch.clause));
            }
            watches.copy_within(at.., kept);
            watches.truncate(kept + watches.len() - at);
            self.watches[literal.index()] = watches;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn bump(&mut self, variable: u32) {
        let activity = &mut self.activity[variable as usize];
        *activity += self.grows;
        if *activity > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.grows *= 1e-100;
        }
        self.heap.grown(variable, &self.activity);
    }

    /// The clause that a conflict teaches, its first literal the one that it says the opposite
    /// of, and the level to go back to.
    fn analyse(&mut self, conflict: u32) -> (Vec<Lit>, u32) {
        let mut learned = vec![Lit(0)];
        let (mut open, mut at) = (0, self.trail.len());
        let mut reason = conflict;
        let mut skip: Option<Lit> = None;
        loop {
            let literals = self.clauses[reason as usize].literals.clone();
            for literal in literals {
                let variable = literal.variable();
                let level = self.levels[variable as usize];
                if Some(literal) == skip || self.seen[variable as usize] || level == 0 {
                    continue;
                }
                self.seen[variable as usize] = true;
                self.bump(variable);
                if level == self.level() {
                    open += 1;
                } else {
                    learned.push(literal);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].variable() as usize] {
                    break;
                }
            }
            let literal = self.trail[at];
            self.seen[literal.variable() as usize] = false;
            open -= 1;
            if open == 0 {
                learned[0] = !literal;
                break;
            }
            skip = Some(literal);
            reason = self.reasons[literal.variable() as usize]
                .expect("only the decision of a level has no reason, and it comes last");
        }
        let all = learned.clone();
        // A literal that follows from the others says nothing.
        let needed = |this: &Solver, literal: &Lit| match this.reasons[literal.variable() as usize]
        {
            None => true,
            Some(reason) => this.clauses[reason as usize].literals.iter().any(|other| {
                let variable = other.variable() as usize;
                *other != !*literal && !this.seen[variable] && this.levels[variable] > 0
            }),
        };
        let mut kept = vec![learned[0]];
        kept.extend(learned[1..].iter().filter(|l| needed(self, l)));
        all[1..].iter().for_each(|l| self.seen[l.variable() as usize] = false);
        let mut back = 0;
        for i in 1..kept.len() {
            let level = self.levels[kept[i].variable() as usize];
            if level > back {
                back = level;
                kept.swap(1, i);
            }
        }
        (kept, back)
    }

    /// The assumptions from which the negation of one of them follows.
    fn blame(&mut self, failed: Lit) {
        self.core = vec![failed];
        if self.level() == 0 {
            return;
        }
        self.seen[failed.variable() as usize] = true;
        for at in (self.begins[0]..self.trail.len()).rev() {
            let literal = self.trail[at];
            let variable = literal.variable() as usize;
            if !self.seen[variable] {
                continue;
            }
            self.seen[variable] = false;
            match self.reasons[variable] {
                // The assumptions are decisions; that of the failed one itself is its opposite.
                None => {
                    if literal != !failed || !self.core.contains(&literal) {
                        self.core.push(literal);
                    }
                }
                Some(reason) => {
                    for i in 0..self.clauses[reason as usize].literals.len() {
                        let other = self.clauses[reason as usize].literals[i].variable() as usize;
                        if other != variable && self.levels[other] > 0 {
                            self.seen[other] = true;
                        }
                    }
                }
            }
        }
        self.seen[failed.variable() as usize] = false;
    }

    /// Whether the clauses have a model in which the assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.core.clear();
        if self.contradiction {
            return Answer::Unsat;
        }
        // What follows from assumptions that were the first ones of the last question as well is known.
        let same = self.assumed.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        self.undo(same as u32);
        self.assumed = assumptions.to_vec();
        let mut restarts = 0;
        loop {
            let most = 100 * luby(restarts);
            restarts += 1;
            if let Some(answer) = self.search(assumptions, most) {
                self.undo(assumptions.len() as u32);
                return answer;
            }
            if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
                self.undo(0);
                return Answer::Stopped;
            }
            if self.learned > self.most_learned {
                self.undo(0);
                self.forget();
            }
        }
    }

    /// Searches until there are so many conflicts.
    fn search(&mut self, assumptions: &[Lit], most: u64) -> Option<Answer> {
        let mut conflicts = 0;
        loop {
            if let Some(conflict) = self.propagate() {
                conflicts += 1;
                self.conflicts += 1;
                if self.level() == 0 {
                    self.contradiction = true;
                    return Some(Answer::Unsat);
                }
                let (learned, back) = self.analyse(conflict);
                self.undo(back);
                let first = learned[0];
                if learned.len() == 1 {
                    self.set(first, None);
                } else {
                    let spread = self.spread(&learned);
                    let clause = self.attach(learned, true, spread);
                    self.set(first, Some(clause));
                }
                self.grows /= 0.95;
                continue;
            }
            if conflicts >= most {
                self.undo(assumptions.len() as u32);
                return None;
            }
            match self.next(assumptions) {
                Next::Failed(literal) => {
                    self.blame(literal);
                    return Some(Answer::Unsat);
                }
                Next::Decided(literal) => {
                    self.begins.push(self.trail.len());
                    self.set(literal, None);
                }
                Next::Assumed => self.begins.push(self.trail.len()),
                Next::Complete => {
                    for (variable, value) in self.model.iter_mut().enumerate() {
                        *value = self.values[2 * variable] > 0;
                    }
                    return Some(Answer::Sat);
                }
            }
        }
    }

    fn next(&mut self, assumptions: &[Lit]) -> Next {
        if let Some(literal) = assumptions.get(self.begins.len()) {
            return match self.values[literal.index()] {
                0 => Next::Decided(*literal),
                1 => Next::Assumed,
                _ => Next::Failed(*literal),
            };
        }
        while let Some(variable) = self.heap.pop(&self.activity) {
            if self.values[2 * variable as usize] == 0 {
                return Next::Decided(Lit::new(variable, self.phase[variable as usize]));
            }
        }
        Next::Complete
    }

    /// From how many levels some literals are.
    fn spread(&self, literals: &[Lit]) -> u32 {
        let mut levels: Vec<u32> =
            literals.iter().map(|l| self.levels[l.variable() as usize]).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }
}

/// What a search does next.
enum Next {
    Decided(Lit),
    /// The assumption holds already.
    Assumed,
    /// The assumption does not hold.
    Failed(Lit),
    Complete,
}

/// Luby's sequence: 1, 1, 2, 1, 1, 2, 4, …
fn luby(mut i: u64) -> u64 {
    let (mut size, mut power) = (1, 1);
    while size < i + 1 {
        size = 2 * size + 1;
        power *= 2;
    }
    while size - 1 != i {
        size = (size - 1) / 2;
        power /= 2;
        i %= size;
    }
    power
}
