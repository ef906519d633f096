//! What is known of some states: which are reached, which must not be, and which follow which.

use std::hash::BuildHasherDefault;

use lustral_term::Value;
use rustc_hash::FxHasher;

use super::super::number::Number;

type IndexSet<T> = indexmap::IndexSet<T, BuildHasherDefault<FxHasher>>;

/// States, each with the values of the attributes there.
#[derive(Default)]
pub(super) struct Points {
    states: IndexSet<Vec<Value>>,
    pub rows: Vec<Vec<Option<Number>>>,
    /// By state: whether it is reached; or it must not be, for the property.
    pub labels: Vec<Option<bool>>,
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

/// A state is reached from which the property fails.
pub(super) struct Contradiction;

impl Points {
    /// A state, with its attributes if it is new.
    pub fn add(
        &mut self,
        state: Vec<Value>,
        row: impl FnOnce(&[Value]) -> Vec<Option<Number>>,
    ) -> usize {
        if let Some(known) = self.states.get_index_of(&state) {
            return known;
        }
        self.rows.push(row(&state));
        self.labels.push(None);
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        self.states.insert_full(state).0
    }

    /// A state is reached, and so is what follows it; or it must not be, nor what it follows.
    pub fn label(&mut self, point: usize, reached: bool) -> Result<(), Contradiction> {
        let mut pending = vec![point];
        while let Some(point) = pending.pop() {
            match self.labels[point] {
                Some(known) if known == reached => continue,
                Some(_) => return Err(Contradiction),
                None => self.labels[point] = Some(reached),
            }
            let next = if reached { &self.after } else { &self.before };
            pending.extend(&next[point]);
        }
        Ok(())
    }

    /// A step leads from a state to another.
    pub fn step(&mut self, from: usize, to: usize) -> Result<(), Contradiction> {
        self.after[from].push(to);
        self.before[to].push(from);
        match (self.labels[from], self.labels[to]) {
            (Some(true), _) => self.label(to, true),
            (_, Some(false)) => self.label(from, false),
            _ => Ok(()),
        }
    }

    /// What follows a state, or what it follows.
    pub fn neighbours(&self, point: usize, after: bool) -> &[usize] {
        if after { &self.after[point] } else { &self.before[point] }
    }

    /// Another property is looked at: which states must not be reached depends on that.
    pub fn forget_the_bad(&mut self) {
        self.labels.iter_mut().filter(|label| **label == Some(false)).for_each(|l| *l = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known spreads along steps in both directions, and not further.
    #[test]
    fn labels_follow_steps() {
        let mut points = Points::default();
        let add = |points: &mut Points, n: i64| points.add(vec![Value::from(n)], |_| Vec::new());
        let ids: Vec<usize> = (0..5).map(|n| add(&mut points, n)).collect();
        assert_eq!(add(&mut points, 3), ids[3]);
        for (from, to) in [(0, 1), (1, 2), (3, 4)] {
            assert!(points.step(from, to).is_ok());
        }
        assert!(points.label(1, true).is_ok());
        assert!(points.label(4, false).is_ok());
        let known = [None, Some(true), Some(true), Some(false), Some(false)];
        assert_eq!(points.labels, known);
        assert!(points.step(2, 3).is_err());
        points.forget_the_bad();
        assert_eq!(points.labels[3..], [None, None]);
    }
}
