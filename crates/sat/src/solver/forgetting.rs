//! Clauses that are no longer worth their place.

use super::{Solver, Watch};

impl Solver {
    /// Deletes half of the learned clauses, the widely spread ones, and what holds anyway.
    pub(super) fn forget(&mut self) {
        let values = &self.values;
        let mut spreads: Vec<u32> = Vec::new();
        for clause in self.clauses.iter_mut().filter(|clause| !clause.deleted) {
            if clause.literals.iter().any(|l| values[l.index()] > 0) {
                clause.deleted = true;
            } else if clause.learned && clause.spread > 2 {
                spreads.push(clause.spread);
            }
        }
        spreads.sort_unstable();
        let limit = spreads.get(spreads.len() / 2).copied().unwrap_or(u32::MAX);
        for clause in &mut self.clauses {
            if clause.learned && clause.spread > 2 && clause.spread >= limit {
                clause.deleted = true;
            }
        }
        self.sweep();
        self.most_learned += 200;
    }

    /// Removes deleted clauses. All is undone, and what is true then has no reason that counts.
    fn sweep(&mut self) {
        self.trail.iter().for_each(|l| self.reasons[l.variable() as usize] = None);
        self.clauses.retain(|clause| !clause.deleted);
        self.learned = self.clauses.iter().filter(|clause| clause.learned).count();
        self.watches.iter_mut().for_each(Vec::clear);
        for (i, clause) in self.clauses.iter().enumerate() {
            let [a, b] = [clause.literals[0], clause.literals[1]];
            self.watches[(!a).index()].push(Watch { clause: i as u32, other: b });
            self.watches[(!b).index()].push(Watch { clause: i as u32, other: a });
        }
        // Clauses whose watched literals are false are looked at anew.
        self.propagated = 0;
    }

    /// Forgets clauses that hold anyway, such as those of questions that are over.
    pub fn tidy(&mut self) {
        if self.contradiction {
            return;
        }
        self.undo(0);
        let values = &self.values;
        let mut any = false;
        for clause in &mut self.clauses {
            if clause.literals.iter().any(|l| values[l.index()] > 0) {
                clause.deleted = true;
                any = true;
            }
        }
        if any {
            self.sweep();
        }
    }
}
