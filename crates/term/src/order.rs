//! Ways through the terms below others, without recursion.

use rustc_hash::FxHashSet;

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{TermId, VarId};

/// Visits a root and what it needs, the needed before those that need it
/// (depth-first, in post-order). `state` is what the visits build up; it must
/// say after a visit that the term is `done`. `needs` pushes what a term needs.
///
/// What is needed must not need, in the end, the term itself.
pub fn post_order<S: ?Sized>(
    root: TermId,
    state: &mut S,
    done: impl Fn(&S, TermId) -> bool,
    needs: impl Fn(&S, TermId, &mut Vec<TermId>),
    mut visit: impl FnMut(&mut S, TermId),
) {
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        if done(state, id) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        needs(state, id, &mut stack);
        let mut kept = before;
        for i in before..stack.len() {
            if !done(state, stack[i]) {
                stack[kept] = stack[i];
                kept += 1;
            }
        }
        stack.truncate(kept);
        if kept == before {
            visit(state, id);
            stack.pop();
        }
    }
}

impl Terms {
    /// Visits what lies below a root, the root included, operands before their
    /// users, as [`post_order`] does.
    pub fn post_order<S: ?Sized>(
        &self,
        root: TermId,
        state: &mut S,
        done: impl Fn(&S, TermId) -> bool,
        visit: impl FnMut(&mut S, TermId),
    ) {
        let needs = |_: &S, id, stack: &mut Vec<TermId>| stack.extend(self.operands(id));
        post_order(root, state, done, needs, visit);
    }

    /// What holds if and only if some truth values all hold: these, with those that are
    /// conjunctions taken apart.
    #[must_use]
    pub fn conjuncts(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        stack.reverse();
        while let Some(id) = stack.pop() {
            match self.operator(id) {
                _ if !seen.insert(id) => {}
                Some(Operator::And) => stack.extend(self.operands(id).iter().rev()),
                _ => found.push(id),
            }
        }
        found
    }

    /// All terms below some roots, the roots included, operands first, each once.
    #[must_use]
    pub fn closure(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                stack.extend(self.operands(id));
            }
        }
        found.sort_unstable();
        found
    }

    /// The variables below some roots, in order, each once.
    #[must_use]
    pub fn variables(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<VarId> {
        let mut found: Vec<VarId> =
            self.closure(roots).into_iter().filter_map(|id| self.var(id)).collect();
        found.sort_unstable();
        found
    }
}
