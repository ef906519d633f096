//! Proofs about prepared systems, restated for the original: they pass their
//! check because of what the lens adds, and what the preparation claims wrongly
//! does not.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::{ProofChecker, Rejected};
use lustral_engines::{Passes, Prepared, prepare_by};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};
use lustral_term::{TermId, Terms};
use lustral_testing::encoding;

fn system(text: &str) -> TransitionSystem {
    encoding::accepted(text).unwrap().system
}

/// Induction over one step, with some facts of a prepared system.
fn induction(prepared: &Prepared, facts: &[TermId]) -> Proof {
    let terms = Arc::new(prepared.system.terms.clone());
    let of = |term: &TermId| Predicate { terms: terms.clone(), term: *term };
    let invariants = facts.iter().map(of).collect();
    Proof::Induction { k: 1, properties: vec![PropId(0)], invariants, compression: None }
}

fn check(system: &TransitionSystem, certificate: Certificate) -> Result<(), Rejected> {
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    checker.check(system, PropId(0), certificate).map(drop)
}

/// Two maxima of all inputs, written differently.
const MAXIMA: &str = "\
node main(x: int) returns (ok: bool);
var a, b: int;
let
  a = x -> if pre a <= x then x else pre a;
  b = x -> if x <= pre b then pre b else x;
  ok = a - b <> 3;
  --%PROPERTY ok;
tel
";

#[test]
fn equal_memories_come_back_as_facts() {
    let system = system(MAXIMA);
    let prepared = prepare_by(&system, Passes { equal: true, ..Passes::NONE });
    assert_eq!(prepared.system.memories.len() + 1, system.memories.len());
    let proof = induction(&prepared, &[]);
    let restated = prepared.lens.proof(&system, proof.clone());
    assert!(
        matches!(&restated.proof, Proof::Induction { invariants, .. } if invariants.len() == 1)
    );
    assert_eq!(check(&system, restated), Ok(()));
    // The property says too little to be inductive by itself.
    assert!(check(&system, Certificate { proof }).is_err());
}

#[test]
fn memories_that_are_equal_only_where_a_constraint_holds_are_left_apart() {
    // The facts of a lens must not need the constraints.
    let text = MAXIMA.replace("else x;", "else if c then x else 0;");
    let text = text.replace("(x: int)", "(x: int; c: bool)").replace("let", "let assert c;");
    let system = system(&text);
    let prepared = prepare_by(&system, Passes { equal: true, ..Passes::NONE });
    assert_eq!(prepared.system.memories.len(), system.memories.len());
}

/// A counter that starts again; the property needs to know where.
const COUNTER: &str = "\
node main(up: bool) returns (ok: bool);
var n, d: int;
let
  n = 0 -> if up then (if pre n >= 10 then 0 else pre n + 1) else pre n;
  d = 0 -> pre n;
  ok = d <= 10;
  --%PROPERTY ok;
tel
";

#[test]
fn bounds_are_proved_again() {
    let system = system(COUNTER);
    let prepared = prepare_by(&system, Passes { bounds: true, ..Passes::NONE });
    let facts = &prepared.system.typing;
    assert!(!facts.is_empty() && system.typing.is_empty());
    let restated = |facts| prepared.lens.proof(&system, induction(&prepared, facts));
    assert_eq!(check(&system, restated(facts)), Ok(()));
}

#[test]
fn a_wrong_bound_makes_no_proof() {
    let system = system(COUNTER);
    let mut prepared = prepare_by(&system, Passes { bounds: true, ..Passes::NONE });
    // One less than what the counter reaches, for each of its memories.
    let wrong: Vec<TermId> = prepared.system.change(|prepared| {
        let terms: &mut Terms = &mut prepared.terms;
        let nine = terms.int(9);
        let mut tighten = |memory: &lustral_system::Memory| {
            let sort = system.variable(memory.var).sort;
            let var = terms.variable(memory.var, sort);
            (sort == lustral_term::Sort::Int).then(|| terms.le(var, nine))
        };
        system.memories.iter().filter_map(&mut tighten).collect()
    });
    assert!(!wrong.is_empty());
    let restated = prepared.lens.proof(&system, induction(&prepared, &wrong));
    assert!(matches!(check(&system, restated), Err(Rejected::Obligation(_))));
}
