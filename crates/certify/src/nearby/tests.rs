//! What passes near passes as a whole, however little is near; and what is far away is found.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::fmt::Write;

use lustral_base::Cancel;
use lustral_system::{Certificate, Predicate, PropId, TransitionSystem};
use lustral_testing::encoding::accepted;
use lustral_testing::{Failure, Parentheses, Profile, each_program, expect_equal};

use super::{NEAR, part};
use crate::{ProofChecker, Rejected, queries};

const WORK: u32 = 300_000;

/// Whether it passes as a whole, if that is known.
fn as_a_whole(
    checker: &mut ProofChecker,
    system: &TransitionSystem,
    list: &[Predicate],
    is_step: bool,
) -> Option<bool> {
    let obligation = if is_step {
        queries::step_case(system, list, 1, None)
    } else {
        queries::base(system, list, 0, "the invariant")
    };
    match checker.try_one("test", &obligation, None, WORK) {
        Ok(()) => Some(true),
        Err(Rejected::NoAnswer(..)) => None,
        Err(_) => Some(false),
    }
}

#[test]
fn what_passes_near_passes_as_a_whole() {
    let passed = Cell::new([0; 2]);
    each_program("nearby", 150, Profile::mixed, |program, _| {
        let system = accepted(&program.text(Parentheses::Needed))?.system;
        let mut checker = ProofChecker::new(&Cancel::new())
            .map_err(|rejected| Failure::new("solver", rejected.to_string()))?;
        for number in 0..system.properties.len().min(4) {
            let list = Certificate::alone(PropId(number as u32)).inductive(&system);
            for most in [1, 2, 4, 8] {
                let Some(part) = part(&system, &list, most) else { continue };
                for is_step in [false, true] {
                    let near = if is_step {
                        queries::next_step(&part, &list, &list)
                    } else {
                        queries::base(&part, &list, 0, "the invariant")
                    };
                    if checker.try_one("test", &near, None, WORK).is_err() {
                        continue;
                    }
                    let mut counted = passed.get();
                    counted[usize::from(is_step)] += 1;
                    passed.set(counted);
                    if let Some(whole) = as_a_whole(&mut checker, &system, &list, is_step) {
                        expect_equal("verdict near and as a whole", &true, &whole, || {
                            format!("property {number}, {most} definitions, step {is_step}")
                        })?;
                    }
                }
            }
        }
        Ok(())
    });
    assert!(passed.get().iter().all(|n| *n > 20), "{:?}", passed.get());
}

/// Counters that each follow the one before, with an assertion about the first input, and a value that is handed on
/// from flow to flow.
fn large() -> TransitionSystem {
    let mut text = String::from("node main(i: int) returns (ok: bool);\nvar ");
    let cells = NEAR[1] + NEAR[0];
    let names = |letter: char| (0..=cells).map(move |n| format!("{letter}{n}")).collect::<Vec<_>>();
    let all = [names('x'), names('z')].concat();
    let _ = writeln!(text, "{}: int;\nlet\n  assert i >= 5;\n  x0 = i; z0 = i;", all.join(", "));
    for n in 1..=cells {
        let before = n - 1;
        let _ = writeln!(text, "  x{n} = 0 -> if x{before} > {n} then pre x{n} + 1 else pre x{n};");
        let _ = writeln!(text, "  z{n} = z{before};");
    }
    let _ = writeln!(text, "  check \"near\" x{cells} >= 0;\n  check \"wrong\" x{cells} <= 0;");
    let _ = writeln!(text, "  check \"first\" x{cells} >= 1;\n  check \"far\" z{cells} >= 5;");
    let _ = writeln!(text, "  check \"beyond\" z{cells} >= 6;\n  ok = true;\ntel");
    accepted(&text).unwrap().system
}

#[test]
fn what_is_near_is_seen_and_what_is_far_is_asked_as_a_whole() {
    let system = large();
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    for (number, alone, valid) in
        [(0, true, true), (1, false, false), (2, true, false), (3, false, true), (4, false, false)]
    {
        let property = PropId(number);
        let name = &system.property(property).name;
        assert_eq!(checker.is_inductive_alone(&system, property), alone, "{name}");
        let answer = checker.check(&system, property, Certificate::alone(property));
        assert_eq!(answer.is_ok(), valid, "{name}");
    }
}
