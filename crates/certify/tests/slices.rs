//! Large proofs are checked by slices: what is right passes, what is wrong does not, wherever
//! the mistake is.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::ProofChecker;
use lustral_system::{Certificate, Predicate, Proof, PropId, Role, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, VarId};
use lustral_testing::encoding::accepted;

const CELLS: usize = 40;

/// Cells in a row: each counts up to what the one before has counted. The property is about
/// the last, or about all of them.
fn chain(all: bool) -> TransitionSystem {
    let mut text = String::from("node main(i: int) returns (ok: bool);\nvar ");
    let names: Vec<String> = (0..=CELLS).map(|n| format!("x{n}")).collect();
    let _ = writeln!(text, "{}: int;\nlet\n  x0 = 0;", names.join(", "));
    for n in 1..=CELLS {
        let _ = writeln!(text, "  x{n} = 0 -> if i > {n} then pre x{n} + pre x{} else 0;", n - 1);
    }
    let parts: Vec<String> = (1..=CELLS).map(|n| format!("x{n} >= 0")).collect();
    let property = if all { parts.join(" and ") } else { format!("x{CELLS} >= 0") };
    let _ = writeln!(text, "  ok = {property};\n  check ok;\ntel");
    accepted(&text).unwrap().system
}

/// Cells that are fed in the same step: each reads all before it, and none needs to know.
fn fed() -> TransitionSystem {
    let mut text = String::from("node main(i: int) returns (ok: bool);\nvar ");
    let names: Vec<String> = (0..=CELLS).map(|n| format!("x{n}")).collect();
    let _ = writeln!(text, "{}: int;\nlet\n  x0 = i;", names.join(", "));
    for n in 1..=CELLS {
        let before = n - 1;
        let _ = writeln!(text, "  x{n} = 0 -> if x{before} > {n} then pre x{n} + 1 else pre x{n};");
    }
    let parts: Vec<String> = (1..=CELLS).map(|n| format!("x{n} >= 0")).collect();
    let _ = writeln!(text, "  ok = {};\n  check ok;\ntel", parts.join(" and "));
    accepted(&text).unwrap().system
}

/// `0 <= m` of each memory of a number, and what some of them are made of it.
fn proof(
    system: &TransitionSystem,
    change: impl Fn(usize, &mut Terms, TermId) -> TermId,
) -> Certificate {
    let mut terms = system.terms.clone();
    let mut list = Vec::new();
    for (id, variable) in system.variables.iter().enumerate() {
        if variable.role == Role::Memory && variable.sort == Sort::Int {
            let memory = terms.variable(VarId(id as u32), Sort::Int);
            list.push(change(list.len(), &mut terms, memory));
        }
    }
    assert!(list.len() >= CELLS - 1, "{}", list.len());
    let first =
        system.variables.iter().position(|v| v.sort == Sort::Bool && v.role == Role::Memory);
    // Twice, in other words, so that there are many.
    let first = terms.variable(VarId(first.unwrap() as u32), Sort::Bool);
    let again: Vec<TermId> = list.iter().map(|fact| terms.or([first, *fact])).collect();
    let terms = Arc::new(terms);
    let all = list.into_iter().chain(again);
    let invariants = all.map(|term| Predicate { terms: terms.clone(), term }).collect();
    let properties = vec![PropId(0)];
    Certificate { proof: Proof::Induction { k: 1, properties, invariants, compression: None } }
}

fn passes(system: &TransitionSystem, certificate: Certificate) -> bool {
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    checker.check(system, PropId(0), certificate).is_ok()
}

fn at_least(terms: &mut Terms, memory: TermId, low: i64) -> TermId {
    let low = terms.int(low);
    terms.le(low, memory)
}

#[test]
fn what_is_inductive_passes() {
    for all in [false, true] {
        let system = chain(all);
        let certificate = proof(&system, |_, terms, memory| at_least(terms, memory, 0));
        assert!(passes(&system, certificate));
    }
}

/// What is left out of a slice, the flows that feed the first of its cells, may have any value.
#[test]
fn definitions_that_are_left_out_say_nothing() {
    let system = fed();
    assert!(passes(&system, proof(&system, |_, terms, memory| at_least(terms, memory, 0))));
    for wrong in [0, CELLS / 2, CELLS - 2] {
        let low = |at| i64::from(at == wrong);
        let certificate = proof(&system, |at, terms, memory| at_least(terms, memory, low(at)));
        assert!(!passes(&system, certificate), "{wrong}");
    }
    // A cell is fed by the one before, which may count: that it never does is no invariant.
    for wrong in [1, CELLS / 2, CELLS - 2] {
        let certificate = proof(&system, |at, terms, memory| {
            let fact = at_least(terms, memory, 0);
            let high = terms.int(0);
            let still = terms.le(memory, high);
            if at == wrong { terms.and([fact, still]) } else { fact }
        });
        assert!(!passes(&system, certificate), "{wrong}");
    }
}

/// One of them is not inductive without the one before it, or not at all.
#[test]
fn what_is_not_does_not() {
    let system = chain(false);
    for wrong in [0, 1, CELLS / 2, CELLS - 2] {
        let left_out =
            proof(
                &system,
                |at, terms, memory| {
                    if at == wrong { Terms::TRUE } else { at_least(terms, memory, 0) }
                },
            );
        assert!(!passes(&system, left_out), "{wrong}");
        let too_much =
            proof(&system, |at, terms, memory| at_least(terms, memory, i64::from(at == wrong)));
        assert!(!passes(&system, too_much), "{wrong}");
    }
}

/// The next one is in another group, which does not read what the fact about this one speaks of.
const LAST_OF_A_GROUP: usize = 22;

/// What follows only from a fact about memories further away is shown as a whole.
#[test]
fn what_no_slice_shows_is_shown_as_a_whole() {
    let system = chain(false);
    let certificate = proof(&system, |at, terms, memory| {
        let fact = at_least(terms, memory, 0);
        if at != LAST_OF_A_GROUP {
            return fact;
        }
        // Stated behind a memory that the next value does not read, which is never negative.
        let numbers = system.memories.iter().map(|m| m.var);
        let mut numbers = numbers.filter(|v| system.variable(*v).sort == Sort::Int);
        let other = terms.variable(numbers.next().unwrap(), Sort::Int);
        let other = at_least(terms, other, 0);
        terms.implies(other, fact)
    });
    assert!(passes(&system, certificate));
}
