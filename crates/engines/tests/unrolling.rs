//! Unrolled systems, prepared and as they are, say of an execution what the
//! interpreter says: on random programs, and on broken ones that are accepted
//! all the same.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use lustral_engines::{Passes, Prepared, Start, Unroller, prepare_by, unprepared};
use lustral_system::ConstraintSource;
use lustral_term::{Evaluator, TermId, VarId};
use lustral_testing::encoding::{Encoded, accepted};
use lustral_testing::execution::Execution;
use lustral_testing::frontend::is_accepted;
use lustral_testing::{Dice, Failure, Parentheses, Profile, each_program, each_text, expect_equal};

#[test]
fn interpreter_and_unrolling_agree() {
    each_program("unrolling", 2500, Profile::mixed, |program, seed| {
        let unit = accepted(&program.text(Parentheses::Needed))?;
        for run in 0..2 {
            let mut dice = Dice::new(seed.wrapping_mul(2) + run);
            compare(&unit, &Execution::random(&unit, &mut dice, 8))?;
        }
        Ok(())
    });
}

#[test]
fn broken_programs_that_are_accepted_unroll_to_what_they_say() {
    each_text("unrolling", 600, |text, seed| {
        if !is_accepted(text) {
            return Ok(());
        }
        let unit = accepted(text)?;
        compare(&unit, &Execution::random(&unit, &mut Dice::new(seed), 4))
    });
}

/// Compares an execution with both kinds of unrolling.
fn compare(unit: &Encoded, execution: &Execution) -> Result<(), Failure> {
    unrolling_agrees(unit, execution, &unprepared(&unit.system), false)?;
    unrolling_agrees(unit, execution, &prepare_by(&unit.system, Passes::ALL), true)
}

/// What an unrolling says of a step.
struct Unrolled {
    facts: Vec<TermId>,
    constraints: Vec<TermId>,
    assumption: Option<TermId>,
    properties: Vec<TermId>,
}

fn unrolling_agrees(
    unit: &Encoded,
    execution: &Execution,
    prepared: &Prepared,
    only_alive: bool,
) -> Result<(), Failure> {
    let system = &prepared.system;
    let mut unroller = Unroller::new(system, Start::Initial);
    let mut steps = Vec::new();
    for i in 0..execution.steps.len() {
        let facts = unroller.extend();
        // What preparation assumes is no assertion of the program.
        let asserted = system.constraints.iter();
        let asserted = asserted.filter(|c| c.source != ConstraintSource::Assumption);
        let constraints = asserted.map(|c| unroller.at(i, c.term)).collect();
        let properties = system.properties.iter().map(|p| unroller.at(i, p.term)).collect();
        let assumption = system.assumption.map(|term| unroller.at(i, term));
        steps.push(Unrolled { facts, constraints, assumption, properties });
    }
    let ranges = unroller.due();
    let variables: BTreeMap<VarId, (usize, VarId)> = unroller
        .occurring()
        .map(|(step, var, term)| (unroller.terms.var(term).unwrap(), (step, var)))
        .collect();
    let mut evaluator = Evaluator::new(&unroller.terms, &execution.function);
    let mut truth = |term: TermId| {
        let variable = |var: VarId| {
            let (step, var) = variables[&var];
            execution.free(&unit.system, step, var)
        };
        evaluator.eval(term, variable).is_true()
    };
    let in_range = ranges.iter().all(|fact| truth(*fact));
    expect_equal("unrolled range", &in_range, &true, || "all ranges together".into())?;
    for (i, (unrolled, step)) in steps.iter().zip(&execution.steps).enumerate() {
        if only_alive && i > 0 && !execution.alive(i - 1) {
            break;
        }
        let expected = step.failed.is_none();
        let what = || format!("all constraints at step {i}, prepared: {only_alive}");
        let constraints = unrolled.constraints.iter().all(|c| truth(*c));
        expect_equal("unrolled assertion", &constraints, &expected, what)?;
        let facts = unrolled.facts.iter().all(|f| truth(*f));
        let assumed = unrolled.assumption.is_none_or(&mut truth);
        expect_equal("unrolled facts", &facts, &(expected && assumed), what)?;
        // Where the assumption fails, all properties hold for good.
        if !assumed {
            let all = step.holds.iter().all(|holds| *holds);
            expect_equal("properties without the assumption", &all, &true, what)?;
            break;
        }
        if only_alive && !expected {
            break;
        }
        for (p, (term, holds)) in unrolled.properties.iter().zip(&step.holds).enumerate() {
            expect_equal("unrolled property", &truth(*term), holds, || {
                format!("{} at step {i}, prepared: {only_alive}", system.properties[p].name)
            })?;
        }
    }
    Ok(())
}
