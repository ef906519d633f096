//! Arrays for solvers: what is said of all indices, as facts about those that are looked at.
//!
//! Solvers know how to read arrays, store into them, and fill them with one element. Two
//! operators of terms speak of all indices: the choice between two arrays at each index, which
//! SMT-LIB has not (Z3's `(_ map ite)` fails on some, and facts with quantifiers leave queries
//! without an answer), and equality, which for solvers is about positions that no value of an
//! enumeration has too. So a choice is a new constant `x`, and an equality a new truth value
//! `e`, with facts about each index `i` of the session or text:
//!
//! ```text
//! x[i] = if c[i] then a[i] else b[i]
//! e => a[i] = b[i]        e or a[w] <> b[w]        w a new index
//! ```
//!
//! What bounds the keys of sets is a truth value like that of an equality (`by_key/limits.rs`).
//!
//! The new names stand nowhere else, and each fact holds of the array, the truth value and the
//! index that they stand for. So facts take no model away, and `unsat` means what it says, however many facts
//! there are. That a model of the facts is one of the arrays (so that not every `sat` has to be
//! thrown away by whoever evaluates it) is the argument for the array property fragment (Bradley,
//! Manna and Sipma): let each array have, at indices that are none of those looked at, what it
//! has at one index `rest` that differs from all of them ([`ByKey::indices`] begins with it). Reading, storing,
//! filling, choosing and comparing make no difference between `rest` and these. Where there are
//! few indices, all of them are looked at instead, and where there is an end of them, `rest`
//! is only said to differ from fewer than there are.

mod limits;

use std::hash::Hash;

use limits::Border;
use lustral_term::{ArraySort, FunctionId, Scalar, Sort, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many indices are few: all of them are looked at.
const FEW: u64 = 32;
/// Facts that are made for one session or one text; beyond that, models may be none.
const MOST_FACTS: usize = 500_000;
/// Calls of one function with arrays as arguments that are compared with each other.
const MOST_CALLS: usize = 12;

/// Formulas of a solver.
pub(crate) trait Build {
    type Id: Clone + Eq + Hash;

    /// The element of an array.
    fn select(&mut self, array: &Self::Id, index: &Self::Id) -> Self::Id;
    /// Equality of elements or indices, which are no arrays.
    fn same(&mut self, a: &Self::Id, b: &Self::Id) -> Self::Id;
    fn not(&mut self, a: &Self::Id) -> Self::Id;
    fn all(&mut self, list: &[Self::Id]) -> Self::Id;
    fn any(&mut self, list: &[Self::Id]) -> Self::Id;
    /// Whether an integer is at most another.
    fn at_most(&mut self, a: &Self::Id, b: &Self::Id) -> Self::Id;
    /// A scalar of an index.
    fn scalar(&mut self, index: &'static [Scalar], of: &Self::Id, position: usize) -> Self::Id;
    fn ite(&mut self, c: &Self::Id, yes: &Self::Id, no: &Self::Id) -> Self::Id;
    /// An index that is known.
    fn key(&mut self, index: &'static [Scalar], key: &[Value]) -> Self::Id;
    /// A new index, with the facts that its sort brings along.
    fn new_index(&mut self, index: &'static [Scalar], facts: &mut Vec<Self::Id>) -> Self::Id;
    fn new_truth(&mut self) -> Self::Id;
    /// That something is in the range of its sort, where the solver does not know it.
    fn range(&mut self, of: &Self::Id, sort: Sort) -> Option<Self::Id>;
}

/// What is known of the indices of a sort.
#[derive(Clone, Debug)]
struct Indices<T> {
    list: Vec<T>,
    /// So many of them are in facts that the solver knows.
    told: usize,
    known: FxHashSet<T>,
    count: Option<u64>,
    /// All there are, once all are looked at.
    keys: Option<Vec<T>>,
    choices: Vec<Choice<T>>,
    agreements: Vec<Agreement<T>>,
    borders: Vec<Border<T>>,
    /// An index with greater numbers than all others, where that was needed.
    far: Option<T>,
}

/// An array that has the elements of the one where the condition is true, else of the other.
#[derive(Clone, Debug)]
struct Choice<T> {
    /// What the condition has for each index, and what the others have.
    condition: Sort,
    element: Sort,
    made: T,
    parts: [T; 3],
}

/// Where something holds, two arrays have the same elements.
#[derive(Clone, Debug)]
struct Agreement<T> {
    element: Sort,
    holds: T,
    arrays: [T; 2],
}

/// The indices that are looked at, and what is said of all.
#[derive(Clone, Debug)]
pub(crate) struct ByKey<T> {
    of: FxHashMap<&'static [Scalar], Indices<T>>,
    calls: FxHashMap<FunctionId, Vec<(Vec<T>, T)>>,
    facts: usize,
}

impl<T> Default for ByKey<T> {
    fn default() -> ByKey<T> {
        ByKey { of: FxHashMap::default(), calls: FxHashMap::default(), facts: 0 }
    }
}

impl<T: Clone + Eq + Hash> ByKey<T> {
    /// The indices of a sort that are looked at. At all others, an array has what it has at
    /// the first.
    pub fn indices(&self, index: &'static [Scalar]) -> &[T] {
        self.of.get(index).map_or(&[], |known| &known.list)
    }

    /// Those of them that the solver knows of.
    pub fn told(&self, index: &'static [Scalar]) -> &[T] {
        self.of.get(index).map_or(&[], |known| &known.list[..known.told])
    }

    /// Notes that the solver is told all facts so far.
    pub fn tell(&mut self) {
        self.of.values_mut().for_each(|known| known.told = known.list.len());
    }

    /// Notes that there are arrays of a sort.
    pub fn sort<B: Build<Id = T>>(&mut self, b: &mut B, sort: Sort, facts: &mut Vec<T>) {
        let mut sort = sort;
        while let Sort::Array(array) = sort {
            self.arrays(b, array.index(), facts);
            sort = array.element();
        }
    }

    fn arrays<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        index: &'static [Scalar],
        facts: &mut Vec<T>,
    ) {
        if self.of.contains_key(index) {
            return;
        }
        let count = ArraySort::new(index, Sort::Bool).indices();
        let known = Indices {
            list: Vec::new(),
            told: 0,
            known: FxHashSet::default(),
            count,
            keys: None,
            choices: Vec::new(),
            agreements: Vec::new(),
            borders: Vec::new(),
            far: None,
        };
        self.of.insert(index, known);
        if count.is_some_and(|count| count <= FEW) {
            self.all_keys(b, index, facts);
        } else {
            let rest = b.new_index(index, facts);
            self.index(b, index, rest, facts);
        }
    }

    fn all_keys<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        index: &'static [Scalar],
        facts: &mut Vec<T>,
    ) {
        let keys: Vec<T> =
            lustral_term::indices(index).iter().map(|key| b.key(index, key)).collect();
        self.of_index(index).keys = Some(keys.clone());
        for key in keys {
            self.index(b, index, key, facts);
        }
    }

    fn of_index(&mut self, index: &'static [Scalar]) -> &mut Indices<T> {
        self.of.get_mut(index).expect("sorts of arrays are noted before what is said of them")
    }

    /// Looks at an index of arrays whose sort was noted.
    pub fn index<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        index: &'static [Scalar],
        new: T,
        facts: &mut Vec<T>,
    ) {
        let known = self.of_index(index);
        if !known.known.insert(new.clone()) {
            return;
        }
        let looked_at = known.list.len() as u64;
        known.list.push(new.clone());
        let is_one_of_few = known.keys.is_some();
        let left = known.count.is_none_or(|count| looked_at < count);
        let rest = known.list[0].clone();
        if looked_at > 0 && left && !is_one_of_few {
            let same = b.same(&rest, &new);
            facts.push(b.not(&same));
        }
        if let Some(far) = self.of_index(index).far.clone() {
            let same = b.same(&far, &new);
            facts.push(b.not(&same));
        }
        // So many that `rest` may be one of them: then all are to be looked at.
        if !left && !is_one_of_few {
            self.all_keys(b, index, facts);
        }
        let (choices, agreements, borders) = {
            let known = self.of_index(index);
            (known.choices.clone(), known.agreements.clone(), known.borders.clone())
        };
        choices.iter().for_each(|choice| self.choice_at(b, choice, &new, facts));
        agreements.iter().for_each(|agreement| self.agreement_at(b, agreement, &new, facts));
        borders.iter().for_each(|border| self.border_at(b, index, border, &new, facts));
    }

    fn element<B: Build<Id = T>>(
        b: &mut B,
        (array, index): (&T, &T),
        sort: Sort,
        facts: &mut Vec<T>,
    ) -> T {
        let element = b.select(array, index);
        facts.extend(b.range(&element, sort));
        element
    }

    /// Notes a constant that stands for a choice between arrays of a sort.
    pub fn choice<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        (condition, sort): (ArraySort, ArraySort),
        (made, parts): (T, [T; 3]),
        facts: &mut Vec<T>,
    ) {
        self.sort(b, Sort::Array(sort), facts);
        let (condition, element) = (condition.element(), sort.element());
        let choice = Choice { condition, element, made, parts };
        for index in self.indices(sort.index()).to_vec() {
            self.choice_at(b, &choice, &index, facts);
        }
        self.of_index(sort.index()).choices.push(choice);
    }

    fn choice_at<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        choice: &Choice<T>,
        index: &T,
        facts: &mut Vec<T>,
    ) {
        if self.is_enough() {
            return;
        }
        let [c, yes, no] = &choice.parts;
        let c = b.select(c, index);
        let made = b.select(&choice.made, index);
        let yes = ByKey::element(b, (yes, index), choice.element, facts);
        let no = ByKey::element(b, (no, index), choice.element, facts);
        if let (Sort::Array(condition), Sort::Array(inner)) = (choice.condition, choice.element) {
            return self.choice(b, (condition, inner), (made, [c, yes, no]), facts);
        }
        let chosen = b.ite(&c, &yes, &no);
        // Of elements that are arrays too: the constant is new, so that they may as well be
        // equal for the solver.
        facts.push(b.same(&made, &chosen));
    }

    fn is_enough(&mut self) -> bool {
        self.facts += 1;
        self.facts > MOST_FACTS
    }

    /// The truth value of an equality of two arrays.
    pub fn equal<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        sort: Sort,
        [one, other]: [&T; 2],
        facts: &mut Vec<T>,
    ) -> T {
        let Sort::Array(array) = sort else { return b.same(one, other) };
        self.sort(b, sort, facts);
        if let Some(keys) = self.of_index(array.index()).keys.clone() {
            let mut parts = Vec::with_capacity(keys.len());
            for key in keys {
                let pair = [one, other]
                    .map(|whole| ByKey::element(b, (whole, &key), array.element(), facts));
                parts.push(self.equal(b, array.element(), [&pair[0], &pair[1]], facts));
            }
            return b.all(&parts);
        }
        let holds = b.new_truth();
        let arrays = [one.clone(), other.clone()];
        let agreement = Agreement { element: array.element(), holds: holds.clone(), arrays };
        self.agreement(b, array, agreement, facts);
        let witness = b.new_index(array.index(), facts);
        self.index(b, array.index(), witness.clone(), facts);
        let pair =
            [one, other].map(|whole| ByKey::element(b, (whole, &witness), array.element(), facts));
        let same = self.equal(b, array.element(), [&pair[0], &pair[1]], facts);
        let differ = b.not(&same);
        facts.push(b.any(&[holds.clone(), differ]));
        holds
    }

    fn agreement<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        sort: ArraySort,
        agreement: Agreement<T>,
        facts: &mut Vec<T>,
    ) {
        for index in self.indices(sort.index()).to_vec() {
            self.agreement_at(b, &agreement, &index, facts);
        }
        self.of_index(sort.index()).agreements.push(agreement);
    }

    fn agreement_at<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        agreement: &Agreement<T>,
        index: &T,
        facts: &mut Vec<T>,
    ) {
        if self.is_enough() {
            return;
        }
        let Agreement { element, holds, arrays } = agreement;
        let [one, other] =
            [0, 1].map(|side| ByKey::element(b, (&arrays[side], index), *element, facts));
        if let Sort::Array(inner) = *element {
            let (element, holds) = (inner.element(), holds.clone());
            let arrays = [one, other];
            self.agreement(b, inner, Agreement { element, holds, arrays }, facts);
            return;
        }
        let (same, not) = (b.same(&one, &other), b.not(holds));
        facts.push(b.any(&[not, same]));
    }

    /// Notes a call of a function with arrays among its arguments: for equal ones, which
    /// a solver may think different where nobody looks, it has the same result.
    pub fn call<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        (function, sorts, result): (FunctionId, &[Sort], Sort),
        (arguments, made): (Vec<T>, T),
        facts: &mut Vec<T>,
    ) {
        let earlier = self.calls.get(&function).cloned().unwrap_or_default();
        for (others, other) in earlier.into_iter().take(MOST_CALLS) {
            let mut equal = Vec::with_capacity(sorts.len());
            for (sort, (one, other)) in sorts.iter().zip(arguments.iter().zip(&others)) {
                equal.push(self.equal(b, *sort, [one, other], facts));
            }
            let equal = b.all(&equal);
            if let Sort::Array(array) = result {
                let arrays = [made.clone(), other];
                self.sort(b, result, facts);
                let element = array.element();
                self.agreement(b, array, Agreement { element, holds: equal, arrays }, facts);
            } else {
                let (not, same) = (b.not(&equal), b.same(&made, &other));
                facts.push(b.any(&[not, same]));
            }
        }
        self.calls.entry(function).or_default().push((arguments, made));
    }

    /// Looks at the indices that a constant is written with.
    pub fn constant<B: Build<Id = T>>(&mut self, b: &mut B, value: &Value, facts: &mut Vec<T>) {
        let Value::Array(array) = value else { return };
        self.sort(b, value.sort(), facts);
        // Arrays in arrays are as deep as types are nested.
        self.constant(b, array.default(), facts);
        for (index, element) in array.exceptions() {
            let key = b.key(array.sort().index(), index);
            self.index(b, array.sort().index(), key, facts);
            self.constant(b, element, facts);
        }
    }
}
