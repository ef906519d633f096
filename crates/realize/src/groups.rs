//! Outputs that no demand connects are chosen apart: one move of each group makes an
//! answer, and there need not be one for each combination.

use lustral_projection::Valuation;
use lustral_term::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Substitution};
use crate::moves::choices_at;

/// More moves than this are not made of those of several groups that become one.
const MOST_COMBINED: usize = 64;

/// Controlled variables that demands connect.
pub(crate) struct Group {
    pub variables: Vec<TermId>,
    /// The demands that speak of them, in this round.
    pub demands: Vec<TermId>,
    /// Terms for the variables.
    pub moves: Vec<Substitution>,
    /// Where each of these is an answer to the demands.
    pub answers: Vec<TermId>,
    known: FxHashSet<Vec<(VarId, TermId)>>,
}

impl Group {
    /// The groups that some demands make, with the moves of those before.
    pub fn all(arena: &mut Arena, demands: &[TermId], before: &[Group]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        // Demands that speak of no controlled variable have a group without one.
        groups.push(Group::new(Vec::new()));
        groups[0].add_move(arena, Substitution::default());
        let controlled: FxHashSet<TermId> = arena.controlled.iter().copied().collect();
        let mut owner: FxHashMap<TermId, usize> = FxHashMap::default();
        for demand in arena.terms.conjuncts(demands.iter().copied()) {
            let used = arena.terms.closure([demand]);
            let mut used: Vec<TermId> =
                used.into_iter().filter(|term| controlled.contains(term)).collect();
            used.sort_unstable();
            let mut touched: Vec<usize> =
                used.iter().filter_map(|v| owner.get(v).copied()).collect();
            touched.sort_unstable();
            touched.dedup();
            let target = match touched.first() {
                _ if used.is_empty() => 0,
                Some(first) => *first,
                None => {
                    groups.push(Group::new(Vec::new()));
                    groups.len() - 1
                }
            };
            for other in touched.iter().skip(1) {
                let other = std::mem::replace(&mut groups[*other], Group::new(Vec::new()));
                groups[target].demands.extend(other.demands);
                groups[target].variables.extend(other.variables);
            }
            for variable in used {
                if !groups[target].variables.contains(&variable) {
                    groups[target].variables.push(variable);
                }
            }
            for variable in &groups[target].variables {
                owner.insert(*variable, target);
            }
            groups[target].demands.push(demand);
        }
        groups.retain(|group| !group.demands.is_empty());
        for group in &mut groups {
            group.variables.sort_unstable();
            group.take_over(arena, before);
        }
        groups
    }

    fn new(variables: Vec<TermId>) -> Group {
        Group {
            variables,
            demands: Vec::new(),
            moves: Vec::new(),
            answers: Vec::new(),
            known: FxHashSet::default(),
        }
    }

    /// The moves of the groups that this one is made of, combined.
    fn take_over(&mut self, arena: &mut Arena, before: &[Group]) {
        let moves = std::mem::take(&mut self.moves);
        let mut combined: Vec<Substitution> = vec![Substitution::default()];
        for old in before.iter().filter(|old| !old.variables.is_empty()) {
            if !old.variables.iter().all(|variable| self.variables.contains(variable)) {
                continue;
            }
            if combined.len() * old.moves.len() > MOST_COMBINED.max(old.moves.len()) {
                combined.clear();
                break;
            }
            let both = |a: &Substitution, b: &Substitution| {
                a.iter().chain(b).map(|(var, term)| (*var, *term)).collect()
            };
            combined =
                combined.iter().flat_map(|a| old.moves.iter().map(move |b| both(a, b))).collect();
        }
        self.known.clear();
        self.answers.clear();
        // A variable that nothing was demanded of before has no move yet.
        combined.retain(|by| !by.is_empty() && by.len() == self.variables.len());
        for by in moves.into_iter().chain(combined) {
            self.add_move(arena, by);
        }
    }

    /// Adds a move; whether it is new.
    fn add_move(&mut self, arena: &mut Arena, choices: Substitution) -> bool {
        let mut key: Vec<(VarId, TermId)> = choices.iter().map(|(v, t)| (*v, *t)).collect();
        key.sort_unstable();
        if !self.known.insert(key) {
            return false;
        }
        let kept: Vec<TermId> =
            self.demands.iter().map(|demand| arena.insert(*demand, &choices)).collect();
        self.answers.push(arena.terms.and(kept));
        self.moves.push(choices);
        true
    }

    /// Adds a move that answers where a model of all demands is, unless one is known that
    /// does; whether it was added.
    pub fn learn(&mut self, arena: &mut Arena, model: &Valuation) -> bool {
        let mut values = model.evaluator(&arena.terms);
        if self.answers.iter().any(|answers| values.holds(*answers)) {
            return false;
        }
        let choices = choices_at(arena, &self.demands, &self.variables, model);
        self.add_move(arena, choices)
    }

    /// That no known move is an answer.
    pub fn unanswered(&self, arena: &mut Arena) -> TermId {
        let none: Vec<TermId> = self.answers.iter().map(|a| arena.terms.not(*a)).collect();
        arena.terms.and(none)
    }
}
