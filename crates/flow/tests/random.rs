//! The interpreter and the encoding say the same of an execution: on random
//! programs, and on broken ones that are accepted all the same. No solver.

use lustral_sema::Hazards;
use lustral_system::Trace;
use lustral_testing::encoding::{Encoded, accepted, asked};
use lustral_testing::execution::Execution;
use lustral_testing::frontend::is_accepted;
use lustral_testing::values::to_term;
use lustral_testing::{Dice, Failure, Parentheses, Profile, each_program, each_text, expect_equal};

#[test]
fn interpreter_and_encoding_agree() {
    each_program("encoding", 2500, Profile::mixed, |program, seed| {
        let unit = accepted(&program.text(Parentheses::Needed))?;
        for run in 0..2 {
            let mut dice = Dice::new(seed.wrapping_mul(2) + run);
            system_agrees(&unit, &Execution::random(&unit, &mut dice, 8))?;
        }
        Ok(())
    });
}

/// What is asked of indices and overflows is made of expressions that nobody wrote.
#[test]
fn they_agree_about_indices_and_overflows() {
    let all = Hazards { indices: true, overflows: true };
    each_program("hazards", 600, Profile::mixed, |program, seed| {
        let unit = asked(&program.text(Parentheses::Needed), all)?;
        system_agrees(&unit, &Execution::random(&unit, &mut Dice::new(seed), 6))
    });
}

#[test]
fn broken_programs_that_are_accepted_mean_what_they_say() {
    each_text("encoding", 600, |text, seed| {
        if !is_accepted(text) {
            return Ok(());
        }
        let unit = accepted(text)?;
        system_agrees(&unit, &Execution::random(&unit, &mut Dice::new(seed), 4))
    });
}

/// Every flow of every instance, every assertion and every property has the
/// interpreter's value at every step.
fn system_agrees(unit: &Encoded, execution: &Execution) -> Result<(), Failure> {
    let system = &unit.system;
    let free = |step, var| execution.free(&unit.system, step, var);
    let length = execution.steps.len();
    let trace = Trace::run(system, length, execution.answers.clone(), free);
    for (i, step) in execution.steps.iter().enumerate() {
        for (instance, flows) in system.instances.iter().zip(&step.flows) {
            for (stream, value) in instance.streams.iter().zip(flows) {
                let name = &system.variable(stream.var).name;
                let active = stream.active.is_none_or(|var| trace.value(i, var).is_true());
                expect_equal("encoding of a clock", &active, &value.is_some(), || {
                    format!("whether the system's {name} is there at step {i}")
                })?;
                let Some(value) = value else { continue };
                let found = trace.value(i, stream.var);
                expect_equal(
                    "encoding of a flow",
                    found,
                    &to_term(value, system.variable(stream.var).sort),
                    || format!("the system's {name} at step {i}"),
                )?;
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
