//! Comparisons taken apart mean the same, in terms and in text.

use lustral_base::Cancel;
use lustral_term::{Sort, VarId};

use super::*;
use crate::smtlib::{Writer, declare};
use crate::{Dialogue, Outcome, Session, SolverOptions, Z3Session, Z3Text};

const SIZE: u32 = 20;

/// An element of an array by its index: `x0`, …, if the index `i` is inside, else `y`.
struct Example {
    terms: Terms,
    index: TermId,
    element: TermId,
    other: TermId,
}

impl Example {
    fn new() -> Example {
        let mut terms = Terms::new();
        let variables: Vec<TermId> =
            (0..SIZE + 3).map(|i| terms.variable(VarId(i), Sort::Int)).collect();
        let [index, outside, other] = [SIZE, SIZE + 1, SIZE + 2].map(|i| variables[i as usize]);
        let mut runs: Vec<(u32, TermId)> = (0..SIZE).map(|i| (i, variables[i as usize])).collect();
        while runs.len() > 1 {
            let pairs: Vec<Vec<(u32, TermId)>> = runs.chunks(2).map(<[_]>::to_vec).collect();
            runs = pairs
                .into_iter()
                .map(|pair| match pair[..] {
                    [(first, low), (middle, high)] => {
                        let middle = terms.int(middle);
                        let below = terms.lt(index, middle);
                        (first, terms.ite(below, low, high))
                    }
                    _ => pair[0],
                })
                .collect();
        }
        let (zero, size) = (terms.int(0), terms.int(SIZE));
        let (above, below) = (terms.le(zero, index), terms.lt(index, size));
        let inside = terms.and([above, below]);
        let element = terms.ite(inside, runs[0].1, outside);
        Example { terms, index, element, other }
    }

    /// The parts of a comparison put together again.
    fn whole(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let conditions = Conditions::default();
        let seen = Seen { terms: &self.terms, conditions: &conditions };
        let parts = parts(&seen, a, b, MOST_PARTS)?;
        let mut made: Vec<TermId> = Vec::new();
        for part in parts {
            let term = match part {
                Part::Compare(a, b) => self.terms.le(a, b),
                Part::Choose(c, yes, no) => self.terms.ite(c, made[yes], made[no]),
            };
            made.push(term);
        }
        made.pop()
    }
}

#[test]
fn the_parts_together_are_the_comparison() {
    let mut example = Example::new();
    let (element, other) = (example.element, example.other);
    for (a, b) in [(element, other), (other, element)] {
        let whole = example.whole(a, b).expect("a large tree");
        let plain = example.terms.le(a, b);
        assert_ne!(plain, whole);
        // One of the two is given to the solver as it stands: as a variable.
        let terms = &mut example.terms;
        let name = terms.variable(VarId(100), Sort::Int);
        let defined = terms.eq(name, element);
        let compared = if a == element { terms.le(name, b) } else { terms.le(a, name) };
        let same = terms.eq(compared, whole);
        let differ = terms.not(same);
        let mut session = Z3Session::new(&SolverOptions::default(), Cancel::new());
        session.assert(&example.terms, defined);
        session.assert(&example.terms, differ);
        assert_eq!(session.check(&example.terms, &[]), Outcome::Unsat);
    }
}

#[test]
fn two_elements_are_taken_apart_where_they_have_one_index() {
    let mut example = Example::new();
    let (element, index) = (example.element, example.index);
    let one = example.terms.int(1);
    // A copy of the array with the same index, and with another.
    let copy = |example: &mut Example, by: TermId| {
        let source = example.terms.clone();
        let mut translation = lustral_term::Translation::new();
        translation.apply(&source, &mut example.terms, element, |terms, var, sort| {
            if var == VarId(SIZE) { by } else { terms.variable(VarId(var.0 + 50), sort) }
        })
    };
    let like = copy(&mut example, index);
    let whole = example.whole(element, like).expect("one tree for both");
    assert!(example.terms.closure([whole]).len() < 8 * SIZE as usize, "no square of it");
    let shifted = example.terms.add(&[index, one]);
    let unlike = copy(&mut example, shifted);
    assert_eq!(example.whole(element, unlike), None);
}

#[test]
fn small_trees_stay_whole() {
    let mut example = Example::new();
    let [x, y] = [0, 1].map(|i| example.terms.variable(VarId(i), Sort::Int));
    let four = example.terms.int(4);
    let below = example.terms.lt(example.index, four);
    let small = example.terms.ite(below, x, y);
    let other = example.other;
    assert_eq!(example.whole(small, other), None);
    assert_eq!(example.whole(x, other), None);
}

#[test]
fn the_text_of_a_comparison_says_the_same() {
    let mut example = Example::new();
    let plain = example.terms.le(example.element, example.other);
    let mut writer = Writer::new("t");
    let mut text = String::new();
    for i in 0..SIZE + 3 {
        declare(&mut text, &format!("v{i}"), Sort::Int);
    }
    let mut name = |_: &mut String, var: VarId, _| format!("v{}", var.0);
    let element = writer.term(&example.terms, example.element, &mut text, &mut name);
    let compared = writer.term(&example.terms, plain, &mut text, &mut name);
    assert!(text.contains(&format!("t{}.", plain.0)), "it is taken apart: {text}");
    let other = SIZE + 2;
    let mut z3 = Z3Text::new(Cancel::new()).unwrap();
    z3.tell(&text).unwrap();
    z3.tell(&format!("(assert (not (= {compared} (<= {element} v{other}))))")).unwrap();
    assert_eq!(z3.query("(check-sat)"), Outcome::Unsat);
}
