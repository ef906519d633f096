//! What constructors return is equal to what they were asked for.

mod random;

use lustral_term::{Evaluator, Operator, Terms, Translation, VarId};
use proptest::prelude::*;
use random::{Odd, Sample, conversions, operators, samples};

fn values_of<'a>(list: &'a [Sample]) -> impl Fn(VarId) -> lustral_term::Value + 'a {
    |var| list[var.index()].value.clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rewriting_keeps_values(seed: u64) {
        let (terms, list) = samples(seed, 60, &operators(), &Odd);
        let mut evaluator = Evaluator::new(&terms, &Odd);
        for sample in &list {
            prop_assert_eq!(terms.sort(sample.term), sample.sort);
            let value = evaluator.eval(sample.term, values_of(&list));
            prop_assert_eq!(&value, &sample.value, "{:?}", sample.made);
        }
    }

    #[test]
    fn conversions_keep_values(seed: u64) {
        let mut among = conversions();
        among.push(Operator::Mod);
        let (terms, list) = samples(seed, 60, &among, &Odd);
        let mut evaluator = Evaluator::new(&terms, &Odd);
        for sample in &list {
            let value = evaluator.eval(sample.term, values_of(&list));
            prop_assert_eq!(&value, &sample.value, "{:?}", sample.made);
        }
    }

    #[test]
    fn written_terms_are_read_again(seed: u64) {
        let (terms, list) = samples(seed, 40, &operators(), &Odd);
        let text = serde_json::to_string(&terms).unwrap();
        let back: Terms = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(back.len(), terms.len());
        prop_assert!(list.iter().all(|s| back.get(s.term) == terms.get(s.term)));
    }

    #[test]
    fn translations_come_back(seed: u64) {
        let (terms, list) = samples(seed, 60, &operators(), &Odd);
        let mut other = Terms::new();
        let (mut there, mut back) = (Translation::new(), Translation::new());
        let mut copy = terms.clone();
        for sample in &list {
            let term = there.apply(&terms, &mut other, sample.term, Terms::variable);
            prop_assert_eq!(other.sort(term), sample.sort);
            let value = Evaluator::new(&other, &Odd).eval(term, values_of(&list));
            prop_assert_eq!(&value, &sample.value);
            let again = back.apply(&other, &mut copy, term, Terms::variable);
            let value = Evaluator::new(&copy, &Odd).eval(again, values_of(&list));
            prop_assert_eq!(&value, &sample.value);
        }
    }
}

#[test]
fn all_operators_occur() {
    let mut missing = operators();
    for seed in 0..200 {
        let (_, list) = samples(seed, 60, &operators(), &Odd);
        let made = |operator: &Operator| {
            list.iter().any(|s| s.made.as_ref().is_some_and(|(made, _)| made == operator))
        };
        missing.retain(|operator| !made(operator));
    }
    assert!(missing.is_empty(), "{missing:?}");
}
