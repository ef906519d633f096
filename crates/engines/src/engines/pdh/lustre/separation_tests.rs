//! The SEP-solver against trying all sets of clauses.

use super::matrix::{Bits, Matrix};
use super::separation::Solver;
use lustral_base::Random;
use lustral_duality::{Separation, StateId, States};

/// All clauses of at most two of some literals.
fn clauses(literals: usize) -> Vec<Vec<usize>> {
    let pairs = (1..literals).flat_map(|a| (a..literals).map(move |b| vec![a, b]));
    // The literal 0 is a clause by itself only.
    pairs
        .map(|mut pair| {
            pair.dedup();
            pair
        })
        .chain([vec![0]])
        .collect()
}

#[test]
fn what_can_be_separated_is_and_nothing_else() {
    let mut random = Random::new(3);
    let mut found = [0, 0];
    for round in 0..600 {
        let (states, literals, width) = (6, 5, 1 + round % 2);
        let mut columns = vec![Bits::default(); literals];
        for column in &mut columns {
            (0..states).filter(|_| random.below(2) == 0).for_each(|s| column.insert(s));
        }
        let state = |i: u64| StateId(i as u32);
        let positive = States::from([state(0)]);
        let negative = States::from([state(1), state(2)]);
        let implications: Vec<(StateId, StateId)> =
            (0..3).map(|_| (state(random.below(6)), state(random.below(6)))).collect();
        let query = Separation {
            positive: &positive,
            some_negative: &negative,
            implications: &implications,
            width,
            stratum: 1,
        };
        let holds = |set: &[Vec<usize>], s: &StateId| {
            let literal = |l: &usize| columns[*l].contains(s.0 as usize);
            set.iter().all(|clause| clause.iter().any(literal))
        };
        let separates = |set: &[Vec<usize>]| {
            holds(set, &state(0))
                && !negative.iter().all(|s| holds(set, s))
                && implications.iter().all(|(s, t)| !holds(set, s) || holds(set, t))
        };
        let all = clauses(literals);
        let mut sets: Vec<Vec<Vec<usize>>> = all.iter().map(|c| vec![c.clone()]).collect();
        if width == 2 {
            sets.extend(all.iter().flat_map(|a| all.iter().map(|b| vec![a.clone(), b.clone()])));
        }
        let expected = sets.iter().any(|set| separates(set));
        let chosen: Vec<usize> = (0..literals).collect();
        let matrix = Matrix::new(&columns, &chosen, 0, states);
        let mut solver = Solver::new(&query, &matrix, (width, 2), &|| false);
        let answer = negative.iter().find_map(|t| solver.exclude(*t).unwrap());
        assert_eq!(answer.is_some(), expected, "{columns:?} {implications:?}");
        assert!(answer.is_none_or(|set| separates(&set)));
        found[usize::from(expected)] += 1;
    }
    assert!(found[0] > 20 && found[1] > 20, "{found:?}");
}
