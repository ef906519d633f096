//! Which constraints a proof needs: what is left out was checked, and what is named is needed.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lustral_base::Cancel;
use lustral_certify::{Leave, Premises, ProofChecker};
use lustral_system::{Certificate, Proof, PropId};
use lustral_testing::encoding::accepted;

const TEXT: &str = "
    node main(x, y: int) returns (ok: bool);
    let
      assert x > 0; assert y > 0; assert x > 1; assert x + y < 9;
      ok = true;
      check x > 0; check x + y > 2; check ok;
    tel";

fn premises(property: u32, out: &dyn Fn(usize) -> bool, time: Duration) -> Option<Premises> {
    let system = accepted(TEXT).unwrap().system;
    let property = PropId(property);
    let properties = vec![property];
    let proof = Proof::Induction { k: 1, properties, invariants: Vec::new(), compression: None };
    let certificate = Certificate { proof };
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    let leave = Leave { out, time };
    let answer = checker.check_premises(&system, property, certificate.clone(), &leave).unwrap();
    if let Some(premises) = answer.premises() {
        // The same by hand: without the others it passes, without one of them it does not.
        let mut passes = |kept: &dyn Fn(usize) -> bool| {
            let mut part = system.clone();
            let mut position = 0..;
            part.constraints.retain(|_| kept(position.next().unwrap()));
            checker.check(&part, property, certificate.clone()).is_ok()
        };
        let needed = |i: usize| premises.constraints.contains(&i) || !out(i);
        assert!(passes(&needed));
        for one in premises.constraints.iter().filter(|_| premises.minimal) {
            assert!(!passes(&|i| needed(i) && i != *one), "{one} is not needed");
        }
    }
    answer.premises().cloned()
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn what_a_proof_needs() {
    let all = |_: usize| true;
    let found = |property| premises(property, &all, LONG).unwrap();
    assert!(found(0).minimal && found(0).constraints.len() == 1);
    assert_eq!(found(1), Premises { constraints: vec![1, 2], minimal: true });
    assert_eq!(found(2), Premises { constraints: vec![], minimal: true });
}

#[test]
fn what_may_not_be_left_out_is_not_named() {
    assert_eq!(premises(1, &|_| false, LONG), None);
    let found = premises(1, &|i| i != 2, LONG).unwrap();
    assert_eq!(found, Premises { constraints: vec![1], minimal: true });
}

/// Without time there is an answer all the same, and nothing is said to be needed.
#[test]
fn without_time_all_are_named() {
    let found = premises(1, &|_| true, Duration::ZERO).unwrap();
    assert_eq!(found, Premises { constraints: vec![0, 1, 2, 3], minimal: false });
}
