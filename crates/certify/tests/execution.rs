//! In the encoding of a certificate, with the inputs of an execution, no other
//! value of a property is possible than the interpreter's.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use lustral_base::Cancel;
use lustral_certify::obligations;
use lustral_smt::smtlib::value_text;
use lustral_smt::{Dialogue, Outcome, Z3Text};
use lustral_system::{Certificate, Proof, PropId, Question, States};
use lustral_term::{Partial, Sort, VarId};
use lustral_testing::encoding::{Encoded, accepted};
use lustral_testing::execution::Execution;
use lustral_testing::{Dice, Failure, Parentheses, Profile, each_program, expect_equal};

#[test]
fn interpreter_and_obligations_agree() {
    each_program("obligations", 500, Profile::mixed, |program, seed| {
        let unit = accepted(&program.text(Parentheses::Needed))?;
        let mut dice = Dice::new(seed);
        let execution = Execution::random(&unit, &mut dice, 8);
        check(&unit, &execution, &mut dice)
    });
}

/// Looks at one property at one step.
fn check(unit: &Encoded, execution: &Execution, dice: &mut Dice) -> Result<(), Failure> {
    if unit.properties.is_empty() {
        return Ok(());
    }
    let property = dice.below(unit.properties.len());
    let step = dice.below(4);
    let proof = Proof::Exhausted { steps: step + 1, states: States::of(&unit.system) };
    let certificate = Certificate { proof };
    let mut list = obligations(&unit.system, PropId(property as u32), &certificate);
    let name = format!("base-{step}");
    let base = list.find(|o| o.name == name).expect("a base case for every step");
    // The text ends with the assertion that the property fails.
    let (execution_text, fails) = base.text.trim_end().rsplit_once('\n').expect("many lines");
    let fails = fails.strip_prefix("(assert ").and_then(|t| t.strip_suffix(')'));
    let fails = fails.expect("the last line is an assertion");
    let text = format!("{execution_text}\n{}", given(unit, execution, execution_text));
    let mut solver = Z3Text::new(Cancel::new()).expect("the solver starts");
    let alive = execution.alive(step);
    let has_sets = unit.system.variables().any(|(_, v)| matches!(v.sort, Sort::Array(_)));
    if has_sets && !alive {
        // The keys of the values that are given here are written nowhere in the obligation, so
        // that it says nothing of a set that is not as its type says.
        return Ok(());
    }
    let holds = execution.steps[step].holds[property];
    for (goal, expected) in
        [(fails.to_string(), alive && !holds), (format!("(not {fails})"), alive && holds)]
    {
        let query = format!("(push 1)\n{text}\n(assert {goal})");
        solver.tell(&query).map_err(|fault| Failure::new("solver", fault.to_string()))?;
        let outcome = solver.query("(check-sat)");
        solver.tell("(pop 1)").map_err(|fault| Failure::new("solver", fault.to_string()))?;
        if let Outcome::Unknown(_) = outcome {
            continue;
        }
        expect_equal("value for the solver", &(outcome == Outcome::Sat), &expected, || {
            let name = &unit.properties[property].name;
            format!("whether {name} can be so at step {step}:\n{query}\n")
        })?;
    }
    Ok(())
}

/// The inputs, choices and answers of an execution, as assertions.
fn given(unit: &Encoded, execution: &Execution, text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("(declare-fun v") else { continue };
        let name = rest.split(' ').next().expect("a name");
        let (var, step) = name.split_once('_').expect("a variable and a step");
        let (var, step) = (VarId(var.parse().unwrap()), step.parse().unwrap());
        if unit.system.memories.iter().any(|m| m.var == var) {
            continue;
        }
        let value = value_text(&execution.free(&unit.system, step, var));
        let _ = writeln!(out, "(assert (= v{name} {value}))");
    }
    for (question, value) in &execution.answers.0 {
        let asked = match question {
            Question::Division(Partial::RealDiv, n) => format!("(/ {} 0.0)", value_text(n)),
            Question::Division(Partial::IntDiv, n) => format!("(div {} 0)", value_text(n)),
            Question::Division(Partial::Mod, n) => format!("(mod {} 0)", value_text(n)),
            Question::Call(function, list) => {
                let name = function.smtlib();
                if !text.contains(&format!("(declare-fun {name} ")) {
                    continue;
                }
                let list: Vec<String> = list.iter().map(value_text).collect();
                format!("({name} {})", list.join(" "))
            }
        };
        let _ = writeln!(out, "(assert (= {asked} {}))", value_text(value));
    }
    out
}
