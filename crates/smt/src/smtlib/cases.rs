//! What a text says of values of enumerations with the order and the sums of
//! integers, said by cases: each value is equal to something or not.
//!
//! Solvers that know the values as integers answer with `m <= 1` or `m - n = 0`.
//! A comparison about few values is decided for each of them, and put together
//! from equations again (a Shannon expansion, equal cases together).

use lustral_term::{Enumeration, Evaluator, TermId, Terms, Value, VarId, ZeroMeaning};
use rustc_hash::FxHashMap;

/// A variable of an enumeration, and the term that it is.
type Variable = (VarId, TermId, Enumeration);

/// The most cases that are told apart.
const MOST_CASES: usize = 64;

/// A truth value that speaks of nothing but few values of enumerations, by
/// cases; nothing if it speaks of something else.
pub(super) fn by_cases(terms: &mut Terms, term: TermId) -> Option<TermId> {
    let (variables, cases) = variables(terms, term)?;
    let table: Vec<bool> = (0..cases).map(|case| holds(terms, term, &variables, case)).collect();
    if let [(_, a, e), (_, b, f)] = variables[..]
        && e == f
    {
        let size = e.size as usize;
        let equal = |case: usize| case % size == case / size;
        for polarity in [true, false] {
            if table.iter().enumerate().all(|(case, holds)| *holds == (equal(case) == polarity)) {
                let equal = terms.eq(a, b);
                return Some(if polarity { equal } else { terms.not(equal) });
            }
        }
    }
    // The first variable changes fastest: one after the other is decided.
    let mut level: Vec<TermId> = table.into_iter().map(|holds| terms.bool(holds)).collect();
    for (_, variable, e) in variables {
        let blocks = level.chunks(e.size as usize).map(<[TermId]>::to_vec).collect::<Vec<_>>();
        level = blocks.iter().map(|block| choice(terms, variable, e, block)).collect();
    }
    level.first().copied()
}

/// The variables, all of enumerations, with the number of their cases.
fn variables(terms: &Terms, term: TermId) -> Option<(Vec<Variable>, usize)> {
    let mut found = Vec::new();
    let mut cases = 1_usize;
    for id in terms.closure([term]) {
        if let Some(var) = terms.var(id) {
            let e = terms.sort(id).enumeration()?;
            cases = cases.checked_mul(e.size as usize).filter(|cases| *cases <= MOST_CASES)?;
            found.push((var, id, e));
        }
    }
    (!found.is_empty()).then_some((found, cases))
}

fn holds(terms: &Terms, term: TermId, variables: &[Variable], case: usize) -> bool {
    let mut values: FxHashMap<VarId, Value> = FxHashMap::default();
    let mut rest = case;
    for (var, _, e) in variables {
        values.insert(*var, Value::Enum(*e, (rest % e.size as usize) as u32));
        rest /= e.size as usize;
    }
    let mut evaluator = Evaluator::new(terms, &ZeroMeaning);
    evaluator.eval(term, |var| values[&var].clone()).is_true()
}

/// What holds, by the value of a variable.
fn choice(terms: &mut Terms, variable: TermId, e: Enumeration, by: &[TermId]) -> TermId {
    let mut groups: Vec<(TermId, Vec<u32>)> = Vec::new();
    for (i, holds) in (0..).zip(by) {
        match groups.iter_mut().find(|(known, _)| known == holds) {
            Some((_, group)) => group.push(i),
            None => groups.push((*holds, vec![i])),
        }
    }
    if let [(all, _)] = groups[..] {
        return all;
    }
    if let [a, b] = &groups[..] {
        for ((one, group), (other, rest)) in [(a, b), (b, a)] {
            if *one == Terms::FALSE {
                let inside = among(terms, variable, e, rest);
                return terms.and([inside, *other]);
            }
            if *one == Terms::TRUE {
                let inside = among(terms, variable, e, group);
                return terms.or([inside, *other]);
            }
        }
    }
    let mut clauses = Vec::with_capacity(groups.len());
    for (holds, group) in groups {
        let others: Vec<u32> = (0..e.size).filter(|i| !group.contains(i)).collect();
        let outside = among(terms, variable, e, &others);
        clauses.push(terms.or([outside, holds]));
    }
    terms.and(clauses)
}

/// That a variable has one of some values, in the fewer words.
fn among(terms: &mut Terms, variable: TermId, e: Enumeration, values: &[u32]) -> TermId {
    let others: Vec<u32> = (0..e.size).filter(|i| !values.contains(i)).collect();
    let equal = |i: &u32, terms: &mut Terms| {
        let value = terms.constant(Value::Enum(e, *i));
        terms.eq(variable, value)
    };
    if values.len() <= others.len() {
        let some: Vec<TermId> = values.iter().map(|i| equal(i, terms)).collect();
        return terms.or(some);
    }
    let mut all = Vec::with_capacity(others.len());
    for i in &others {
        let equal = equal(i, terms);
        all.push(terms.not(equal));
    }
    terms.and(all)
}
