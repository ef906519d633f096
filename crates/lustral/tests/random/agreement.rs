//! The interpreter, the encoding and the unrolling say the same of an execution.

use std::collections::BTreeMap;

use lustral_engines::{Passes, Prepared, Start, Unroller, prepare_by, unprepared};
use lustral_system::Trace;
use lustral_term::{Evaluator, TermId, VarId};

use crate::solver_agreement;
use lustral_testing::dice::Dice;
use lustral_testing::encoding::{Encoded, accepted};
use lustral_testing::execution::Execution;
use lustral_testing::failure::{Failure, expect_equal};
use lustral_testing::tree::{Parentheses, Program};
use lustral_testing::values::to_term;

const STEPS: usize = 8;

/// Accepts a program and compares two random executions of it.
pub fn check(program: &Program, seed: u64, with_solver: bool) -> Result<(), Failure> {
    let unit = accepted(&program.text(Parentheses::Needed))?;
    for run in 0..2 {
        let mut dice = Dice::new(seed.wrapping_mul(2) + run);
        let execution = Execution::random(&unit, &mut dice, STEPS);
        compare(&unit, &execution)?;
        if with_solver && run == 0 {
            solver_agreement::check(&unit, &execution, &mut dice)?;
        }
    }
    Ok(())
}

/// Compares an execution with the system and with both kinds of unrolling.
pub fn compare(unit: &Encoded, execution: &Execution) -> Result<(), Failure> {
    system_agrees(unit, execution)?;
    unrolling_agrees(unit, execution, &unprepared(&unit.system), false)?;
    unrolling_agrees(unit, execution, &prepare_by(&unit.system, Passes::ALL), true)
}

fn system_agrees(unit: &Encoded, execution: &Execution) -> Result<(), Failure> {
    let system = &unit.system;
    let free = |step, var| execution.free(&unit.system, step, var);
    let length = execution.steps.len();
    let trace = Trace::run(system, length, execution.divisions.clone(), free);
    for (i, step) in execution.steps.iter().enumerate() {
        for (instance, flows) in system.instances.iter().zip(&step.flows) {
            for (stream, value) in instance.streams.iter().zip(flows) {
                let found = trace.value(i, stream.var);
                expect_equal("encoding of a flow", found, &to_term(value), || {
                    format!("the system's {} at step {i}", system.variable(stream.var).name)
                })?;
            }
        }
        let failed = system.constraints.iter().find(|c| !trace.eval(system, i, c.term).is_true());
        let failed = failed.map(|c| c.source);
        expect_equal("encoding of an assertion", &failed, &step.failed, || {
            format!("the assertion that fails at step {i}")
        })?;
        for (property, holds) in system.properties.iter().zip(&step.holds) {
            let found = trace.eval(system, i, property.term).is_true();
            expect_equal("encoding of a property", &found, holds, || {
                format!("{} at step {i}", property.name)
            })?;
        }
    }
    Ok(())
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
        let asserted = system.constraints.iter().filter(|c| Some(c.term) != system.assumption);
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
