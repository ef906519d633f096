//! Comparisons of elements of arrays whose index is not a constant.
//!
//! Such an element is a tree of choices by the index, `if i < 4 then (if i < 2 then …`. A
//! solver that compares it with something looks at one element after the other: it
//! has no name for what holds of half of them. So `tree <= x` is given to it as the same
//! tree of truth values, `if i < 4 then (if i < 2 then …`, with a comparison at each end.
//! What is known of every element then settles it without any search.

use std::hash::Hash;

use lustral_term::{Operator, Sort, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many choices by one index, in one tree or in all, make them worth taking apart;
/// solvers are quick with fewer, and other choices than those of arrays are fewer.
const LEAST: usize = 16;
/// How far the elements themselves are taken apart, where these are choices: those of
/// `x -> a[i := v]` are two.
const DEPTH: u32 = 4;
/// Parts that are made for one session or one text: beyond that, comparisons stay whole.
pub(crate) const MOST_PARTS: usize = 200_000;

/// A part of a comparison that was taken apart; the parts of parts come before them, and
/// the last is the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part<T> {
    /// The comparison of two terms.
    Compare(T, T),
    /// A choice by a condition between two parts, by their positions.
    Choose(T, usize, usize),
}

/// What is to be known of terms, whatever they are known by.
pub(crate) trait Choices {
    type Id: Copy + Eq + Hash;

    /// The condition of a choice between numbers, and what it chooses from.
    fn choice(&self, term: Self::Id) -> Option<[Self::Id; 3]>;

    /// The integer that a condition compares with constants.
    fn index(&self, condition: Self::Id) -> Option<Self::Id>;

    /// How many conditions of choices are known to compare an integer.
    fn conditions(&self, index: Self::Id) -> usize;
}

/// The conditions of choices, by what they compare.
#[derive(Debug)]
pub(crate) struct Conditions<T>(FxHashMap<T, FxHashSet<T>>);

impl<T> Default for Conditions<T> {
    fn default() -> Conditions<T> {
        Conditions(FxHashMap::default())
    }
}

impl<T: Copy + Eq + Hash> Conditions<T> {
    fn add(&mut self, index: T, condition: T) {
        self.0.entry(index).or_default().insert(condition);
    }

    fn count(&self, index: T) -> usize {
        self.0.get(&index).map_or(0, FxHashSet::len)
    }
}

/// The terms of an arena, with the choices among them that were seen.
pub(crate) struct Seen<'t> {
    pub terms: &'t Terms,
    pub conditions: &'t Conditions<TermId>,
}

/// Notes a term that is given to a solver, if it is a choice by an index.
pub(crate) fn note(terms: &Terms, term: TermId, conditions: &mut Conditions<TermId>) {
    if let Some([c, ..]) = choice(terms, term)
        && let Some(index) = index(terms, c)
    {
        conditions.add(index, c);
    }
}

fn choice(terms: &Terms, term: TermId) -> Option<[TermId; 3]> {
    match terms.get(term) {
        Term::Apply(Operator::Ite, &[c, a, b]) if terms.sort(a) != Sort::Bool => Some([c, a, b]),
        _ => None,
    }
}

impl Choices for Seen<'_> {
    type Id = TermId;

    fn choice(&self, term: TermId) -> Option<[TermId; 3]> {
        choice(self.terms, term)
    }

    fn index(&self, condition: TermId) -> Option<TermId> {
        index(self.terms, condition)
    }

    fn conditions(&self, index: TermId) -> usize {
        self.conditions.count(index)
    }
}

/// The parts of a comparison with such an element on one side, or with two that have
/// the same index, if they are not more than some number.
pub(crate) fn parts<C: Choices>(
    terms: &C,
    a: C::Id,
    b: C::Id,
    most: usize,
) -> Option<Vec<Part<C::Id>>> {
    let trees = [tree(terms, a), tree(terms, b)];
    let condition = |term| terms.choice(term).map(|[c, ..]| c);
    let size: usize = trees.iter().flatten().map(FxHashSet::len).sum();
    if size == 0 || size > most {
        return None;
    }
    if trees.iter().all(Option::is_some) && condition(a) != condition(b) {
        return None;
    }
    Some(apart(terms, [a, b], &trees.map(Option::unwrap_or_default)))
}

/// The integer that a condition compares with constants.
pub(crate) fn index(terms: &Terms, condition: TermId) -> Option<TermId> {
    match terms.get(condition) {
        Term::Apply(Operator::Not, &[inner]) => index_of_comparison(terms, inner),
        // The index is inside of the array.
        Term::Apply(Operator::And, &[a, b]) => {
            let inner = |t| match terms.get(t) {
                Term::Apply(Operator::Not, &[inner]) => inner,
                _ => t,
            };
            let first = index_of_comparison(terms, inner(a))?;
            (index_of_comparison(terms, inner(b)) == Some(first)).then_some(first)
        }
        _ => index_of_comparison(terms, condition),
    }
}

fn index_of_comparison(terms: &Terms, condition: TermId) -> Option<TermId> {
    match terms.get(condition) {
        Term::Apply(Operator::Le | Operator::Eq, &[a, b]) if terms.sort(a) == Sort::Int => {
            match (terms.value(a), terms.value(b)) {
                (Some(_), None) => Some(b),
                (None, Some(_)) => Some(a),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The choices that a term is made of, if it is a tree of many by one index.
fn tree<C: Choices>(terms: &C, root: C::Id) -> Option<FxHashSet<C::Id>> {
    let [first, ..] = terms.choice(root)?;
    let by = terms.index(first)?;
    let mut seen: FxHashSet<C::Id> = FxHashSet::default();
    let mut ends = Vec::new();
    let mut pending = vec![root];
    while let Some(term) = pending.pop() {
        let Some([c, yes, no]) = terms.choice(term) else { continue };
        if terms.index(c) != Some(by) {
            ends.push((term, DEPTH));
        } else if seen.insert(term) {
            pending.extend([yes, no]);
        }
    }
    if seen.len() < LEAST && terms.conditions(by) < LEAST {
        return None;
    }
    while let Some((term, more)) = ends.pop() {
        if let (Some([_, yes, no]), true) = (terms.choice(term), more > 0)
            && seen.insert(term)
        {
            ends.extend([(yes, more - 1), (no, more - 1)]);
        }
    }
    Some(seen)
}

/// The parts of a comparison of two terms whose choices these are.
fn apart<C: Choices>(
    terms: &C,
    root: [C::Id; 2],
    trees: &[FxHashSet<C::Id>; 2],
) -> Vec<Part<C::Id>> {
    let mut parts = Vec::new();
    let mut known: FxHashMap<[C::Id; 2], usize> = FxHashMap::default();
    let mut pending = vec![root];
    while let Some(&pair) = pending.last() {
        if known.contains_key(&pair) {
            pending.pop();
            continue;
        }
        let Some((c, yes, no)) = split(terms, pair, trees) else {
            known.insert(pair, parts.len());
            parts.push(Part::Compare(pair[0], pair[1]));
            pending.pop();
            continue;
        };
        match (known.get(&yes), known.get(&no)) {
            (Some(a), Some(b)) => {
                let part = Part::Choose(c, *a, *b);
                known.insert(pair, parts.len());
                parts.push(part);
                pending.pop();
            }
            (a, b) => {
                let missing = [(a, yes), (b, no)].into_iter().filter(|(known, _)| known.is_none());
                pending.extend(missing.map(|(_, pair)| pair).collect::<Vec<_>>());
            }
        }
    }
    parts
}

/// A comparison by the cases of a choice on one side, or of the same on both.
#[allow(clippy::type_complexity)]
fn split<C: Choices>(
    terms: &C,
    [a, b]: [C::Id; 2],
    trees: &[FxHashSet<C::Id>; 2],
) -> Option<(C::Id, [C::Id; 2], [C::Id; 2])> {
    let left = terms.choice(a).filter(|_| trees[0].contains(&a));
    let right = terms.choice(b).filter(|_| trees[1].contains(&b));
    match (left, right) {
        (Some([c, x, y]), Some([d, z, w])) if c == d => Some((c, [x, z], [y, w])),
        (Some([c, x, y]), _) => Some((c, [x, b], [y, b])),
        (None, Some([d, z, w])) => Some((d, [a, z], [a, w])),
        (None, None) => None,
    }
}

/// The terms of a text, by their names in it.
#[derive(Default, Debug)]
pub(crate) struct Named {
    ids: FxHashMap<String, u32>,
    names: Vec<String>,
    choices: FxHashMap<u32, [u32; 3]>,
    /// What stands for the same as another.
    same: FxHashMap<u32, u32>,
    indices: FxHashMap<u32, u32>,
    conditions: Conditions<u32>,
    /// How many parts comparisons were taken apart into.
    parts: usize,
}

impl Named {
    fn id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_string());
        self.ids.insert(name.to_string(), id);
        id
    }

    /// Notes that a name stands for a choice, and which integer its condition compares.
    pub fn add_choice(&mut self, name: &str, parts: [&str; 3], index: Option<&str>) {
        let [c, a, b] = parts.map(|part| self.id(part));
        if let Some(index) = index.map(|index| self.id(index)) {
            self.indices.insert(c, index);
            self.conditions.add(index, c);
        }
        let name = self.id(name);
        self.choices.insert(name, [c, a, b]);
    }

    /// Notes that a name stands for what another does.
    pub fn add_name(&mut self, name: &str, other: &str) {
        let known = self.ids.get(other).copied();
        let known = known.map(|id| self.same.get(&id).copied().unwrap_or(id));
        if let Some(other) = known.filter(|id| self.choices.contains_key(id)) {
            let name = self.id(name);
            self.same.insert(name, other);
        }
    }

    /// The parts of a comparison, as [`parts`] has them.
    pub fn parts(&mut self, a: &str, b: &str) -> Option<Vec<Part<String>>> {
        let is_choice = |name| self.ids.get(name).is_some_and(|id| self.choice(*id).is_some());
        if !is_choice(a) && !is_choice(b) {
            return None;
        }
        let (a, b) = (self.id(a), self.id(b));
        let found = parts(&*self, a, b, MOST_PARTS.saturating_sub(self.parts))?;
        self.parts += found.len();
        let name = |id: u32| self.names[id as usize].clone();
        let named = found.into_iter().map(|part| match part {
            Part::Compare(a, b) => Part::Compare(name(a), name(b)),
            Part::Choose(c, yes, no) => Part::Choose(name(c), yes, no),
        });
        Some(named.collect())
    }
}

impl Choices for Named {
    type Id = u32;

    fn choice(&self, term: u32) -> Option<[u32; 3]> {
        let term = self.same.get(&term).unwrap_or(&term);
        self.choices.get(term).copied()
    }

    fn index(&self, condition: u32) -> Option<u32> {
        self.indices.get(&condition).copied()
    }

    fn conditions(&self, index: u32) -> usize {
        self.conditions.count(index)
    }
}

#[cfg(test)]
mod tests;
