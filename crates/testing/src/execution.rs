//! A random execution of a program by the interpreter.

use std::collections::BTreeMap;

use lustral_base::random::mix;
use lustral_sema::interp::{Machine, Open};
use lustral_sema::{InstanceId, StreamId, Value};
use lustral_system::{Answers, ConstraintSource, Origin, TransitionSystem, Variable};
use lustral_term::{Sort, Value as TermValue, VarId};

use crate::dice::Dice;
use crate::frontend::Unit;
use crate::values::{RandomChoices, RandomFunctions, random, to_term};

/// What the interpreter says of a step.
pub struct Step {
    /// The leaves of the inputs of the root.
    pub inputs: Vec<Value>,
    /// The leaves of the flows of each instance; none where they have no value.
    pub flows: Vec<Vec<Option<Value>>>,
    /// The first assertion that fails: its instance and its index there.
    pub failed: Option<ConstraintSource>,
    /// Whether each property holds.
    pub holds: Vec<bool>,
}

/// An execution: what was given, and what came out.
pub struct Execution {
    /// The steps.
    pub steps: Vec<Step>,
    /// The arbitrary first values that were asked for, by step.
    pub first: BTreeMap<(Open, usize), Value>,
    /// The elements outside of their arrays that were asked for, by step.
    pub outside: BTreeMap<(Open, usize), Value>,
    /// Where the leaves of each input begin.
    slots: Vec<usize>,
    /// What was asked of functions that are left open.
    pub answers: Answers,
    /// The functions of which `answers` is the part that was needed.
    pub function: RandomFunctions,
}

impl Execution {
    /// Runs the interpreter on random inputs. Assertions are not respected,
    /// only looked at.
    pub fn random(unit: &Unit, dice: &mut Dice, length: usize) -> Execution {
        let mut machine = Machine::new(&unit.program, &unit.tree);
        let mut choices = RandomChoices::new(&unit.program, Dice::new(dice.number()));
        let root = unit.tree.node(&unit.program, InstanceId::ROOT);
        let leaves: Vec<(StreamId, u32)> = root.leaves(root.input_ids()).collect();
        let slot = |id| leaves.iter().position(|(stream, _)| *stream == id).unwrap_or(0);
        let slots = root.input_ids().map(slot).collect();
        let mut steps = Vec::new();
        for _ in 0..length {
            let types = leaves.iter().map(|(stream, leaf)| root.stream(*stream).ty.leaf(*leaf));
            let inputs: Vec<Value> = types.map(|ty| random(dice, &unit.program, ty)).collect();
            machine.step(&inputs, &mut choices);
            steps.push(observe(unit, &machine, inputs));
        }
        let function = choices.function();
        let RandomChoices { first, outside, answers, .. } = choices;
        Execution { steps, first, outside, slots, answers, function }
    }

    /// The value of an input or choice of the system. What the interpreter
    /// did not ask for is anything.
    #[must_use]
    pub fn free(&self, system: &TransitionSystem, step: usize, var: VarId) -> TermValue {
        let variable = system.variable(var);
        let known = match variable.origin {
            Origin::Stream { instance: InstanceId::ROOT, stream, leaf } => {
                let slot = self.slots.get(stream.index()).map(|first| first + leaf as usize);
                slot.and_then(|slot| self.steps[step].inputs.get(slot))
            }
            Origin::FirstValue { instance, expr, leaf } => {
                self.first.get(&(Open { instance, expr, leaf }, step))
            }
            Origin::Any { instance, expr, leaf } => {
                self.outside.get(&(Open { instance, expr, leaf }, step))
            }
            _ => None,
        };
        known.map_or_else(|| anything(variable, step), |value| to_term(value, variable.sort))
    }

    /// Whether all assertions hold up to a step.
    #[must_use]
    pub fn alive(&self, step: usize) -> bool {
        self.steps[..=step].iter().all(|s| s.failed.is_none())
    }
}

fn observe(unit: &Unit, machine: &Machine<'_>, inputs: Vec<Value>) -> Step {
    let flows = |id: InstanceId| machine.values(id).map(Option::<&Value>::cloned).collect();
    Step {
        inputs,
        flows: unit.tree.ids().map(flows).collect(),
        failed: machine
            .failed_assertion()
            .map(|(instance, index)| ConstraintSource::Assertion { instance, index: index as u32 }),
        holds: unit.properties.iter().map(|p| machine.holds(p)).collect(),
    }
}

/// Some value of a variable, another one at each step.
fn anything(variable: &Variable, step: usize) -> TermValue {
    let number = (mix(step as u64 + 1) % 7) as i64;
    match (variable.sort, &variable.range) {
        (Sort::Bool, _) => TermValue::Bool(number % 2 == 0),
        (Sort::Int, Some(range)) => TermValue::Int(range.pick(number as u64)),
        (Sort::Int, None) => TermValue::Int(number.into()),
        (Sort::Real, _) => TermValue::Real(num_bigint::BigInt::from(number).into()),
        (Sort::Enum(e), _) => TermValue::Enum(e, number as u32 % e.size),
        (sort, _) => TermValue::zero(sort),
    }
}
