//! Arrays: what is said of the indices that are looked at leaves what there is, and its
//! models are models.

#[path = "../../term/tests/random/mod.rs"]
#[allow(dead_code)]
mod random;

use lustral_base::Cancel;
use lustral_smt::{Outcome, Session, SolverOptions, Z3Session};
use lustral_term::{
    ArraySort, BitVec, End, Evaluator, Limit, Limited, Operator, Scalar, Sort, TermId, Terms,
    Value, VarId, ZeroMeaning, show_term,
};
use random::{Random, SORTS, Sample, samples};

fn open() -> Z3Session {
    Z3Session::new(&SolverOptions::default(), Cancel::new())
}

/// Terms of arrays, with few others.
fn of_arrays(seed: u64, all: bool) -> (Terms, Vec<Sample>) {
    use Operator::{And, Choose, ConstArray, Eq, Ite, Not, Or, Select, Store};
    let mut among = vec![Not, And, Or, Ite, Eq, Eq, Select, Store, Store, Choose, Choose, Choose];
    among.extend(SORTS.iter().filter_map(|sort| match sort {
        Sort::Array(array) => Some(ConstArray(*array)),
        _ => None,
    }));
    // Of keys with a greatest number alone there may be infinitely many that no model lists.
    let is_listed = |op: &Operator| {
        !matches!(op, Operator::Within(Limit { of: Limited::Key(_), end: End::High }))
    };
    among.extend(random::limits().filter(|op| all || is_listed(op)));
    samples(seed, 120, &among, &ZeroMeaning)
}

/// Truth values that are made of other terms.
fn truths(terms: &Terms, list: &[Sample]) -> Vec<(TermId, bool)> {
    let told_apart = |term: TermId| {
        let closure = terms.closure([term]);
        !closure.iter().any(|id| matches!(terms.sort(*id), Sort::Uninterpreted(_)))
    };
    let made = list.iter().filter(|s| s.sort == Sort::Bool && s.made.is_some());
    let made = made.filter(|s| terms.value(s.term).is_none() && told_apart(s.term));
    made.map(|s| (s.term, s.value.is_true())).collect()
}

/// What some values of the variables make true is not contradicted.
#[test]
fn no_model_is_lost() {
    for seed in 0..60 {
        let (mut terms, list) = of_arrays(seed, true);
        let mut session = open();
        for (term, value) in truths(&terms, &list) {
            let fact = if value { term } else { terms.not(term) };
            session.assert(&terms, fact);
        }
        assert_eq!(session.check(&terms, &[]), Outcome::Sat, "seed {seed}");
    }
}

/// What the solver says of arrays makes all facts true.
#[test]
fn models_are_models() {
    let mut found = 0;
    for seed in 1000..1120 {
        let (mut terms, list) = of_arrays(seed, false);
        let (mut session, mut random) = (open(), Random(seed));
        let mut facts = Vec::new();
        for (term, value) in truths(&terms, &list) {
            if random.below(3) == 0 {
                continue;
            }
            let as_before = random.below(3) > 0;
            facts.push(if value == as_before { term } else { terms.not(term) });
        }
        facts.iter().for_each(|fact| session.assert(&terms, *fact));
        if session.check(&terms, &[]) != Outcome::Sat {
            continue;
        }
        found += 1;
        let values: Vec<Option<Value>> = (list[..SORTS.len()].iter())
            .map(|variable| session.value(&terms, variable.term).ok())
            .collect();
        let of =
            |var: VarId, sort| values[var.index()].clone().unwrap_or_else(|| Value::zero(sort));
        let mut evaluator = Evaluator::new(&terms, &ZeroMeaning);
        for fact in facts {
            let value = evaluator.eval_sorted(fact, of);
            let shown = || show_term(&terms, fact, 2000, &|var: VarId| format!("v{}", var.0));
            assert!(value.is_true(), "seed {seed}: {}", shown());
        }
    }
    assert!(found > 20, "{found}");
}

/// Where all indices there are were looked at, none is left that differs from them.
#[test]
fn all_indices_of_many_may_be_looked_at() {
    let word = BitVec::unsigned(6);
    let sort = Sort::Array(ArraySort::new(&[Scalar::BitVec(word)], Sort::Bool));
    let mut terms = Terms::new();
    let [a, b] = [0, 1].map(|i| terms.variable(VarId(i), sort));
    let equal = terms.eq(a, b);
    let mut session = open();
    for n in 0..64 {
        let index = terms.constant(Value::bit_vec(word, n));
        let [x, y] = [a, b].map(|array| terms.select(array, &[index]));
        let same = terms.eq(x, y);
        session.assert(&terms, same);
    }
    assert_eq!(session.check(&terms, &[]), Outcome::Sat);
    let different = terms.not(equal);
    session.assert(&terms, different);
    assert_eq!(session.check(&terms, &[]), Outcome::Unsat);
}
