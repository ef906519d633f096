//! Valid properties that say nothing: what is said of one was checked.

#![allow(clippy::unwrap_used)]

use lustral_base::Cancel;
use lustral_certify::{ProofChecker, Vacuous};
use lustral_flow::encode_with_conditions;
use lustral_system::{Certificate, Predicate, Proof, PropId};
use lustral_testing::encoding::accepted;

/// What is said of a property that is proved by induction over one step, with the one that is stated first
/// as a lemma where `helped`.
fn said(body: &str, property: u32, helped: bool) -> Option<Vacuous> {
    let text = format!("node main(x: int; b: bool) returns (n: int); var m: int; let {body} tel");
    let encoded = accepted(&text).unwrap();
    let (system, conditions) =
        encode_with_conditions(&encoded.kernel, &encoded.tree, &encoded.properties);
    let property = PropId(property);
    let lemma = Predicate {
        terms: std::sync::Arc::new(system.terms.clone()),
        term: system.property(PropId(0)).term,
    };
    let invariants = if helped { vec![lemma] } else { Vec::new() };
    let proof =
        Proof::Induction { k: 1, properties: vec![property], invariants, compression: None };
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    let answer = checker.check(&system, property, Certificate { proof }).unwrap();
    let idle = conditions.iter().find(|(of, _)| *of == property).map(|(_, idle)| *idle);
    checker.with_vacuity(&system, idle, answer).vacuous()
}

/// n counts to three and stays there.
const COUNTS: &str = "n = 0 -> if pre n < 3 then pre n + 1 else 3; m = 0 -> pre x; check n <= 3;";

fn of(property: &str) -> Option<Vacuous> {
    said(&format!("{COUNTS} check {property};"), 1, true)
}

#[test]
fn a_condition_that_never_holds() {
    let never = Some(Vacuous::Condition);
    assert_eq!(of("n > 7 => x = 42"), never);
    assert_eq!(of("n > 7 => b => x = 42"), never);
    assert_eq!(of("n >= 0 => n > 7 => x = 42"), never, "of two conditions, the second never holds");
    assert_eq!(of("true -> n > 7 => x = 42"), never);
    assert_eq!(of("true -> pre n > 7 => x = 42"), never);
}

#[test]
fn a_condition_that_holds_at_times() {
    assert_eq!(of("n = 3 => m = (0 -> pre x)"), None, "not before the fourth step");
    assert_eq!(of("(true -> false) => m = 0"), None, "only at the first step");
    assert_eq!(of("true -> b => n <= 3"), None);
    assert_eq!(of("n <= 3 or n > 7"), None, "it has no condition");
}

#[test]
fn what_holds_whatever_the_flows_are() {
    let always = Some(Vacuous::Tautology);
    assert_eq!(of("x = x"), always);
    assert_eq!(of("b or x > 3 or not b"), always);
    assert_eq!(of("n > 5 => n > 4"), always);
    assert_eq!(of("true -> b => pre x > 1 or b"), always);
    assert_eq!(of("m = (0 -> pre x)"), None, "the equation says so, and another could not");
    assert_eq!(of("n <= 3"), None);
}
