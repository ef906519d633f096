//! What nodes without a body give: outputs that keep their contracts, where some are found.

use lustral_base::Random;
use lustral_sema::interp::Machine;
use lustral_sema::program::Premise;
use lustral_sema::{Program, Type, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Noticed, random};

/// How often other outputs are tried at a step.
const TRIES: u64 = 400;

/// Numbers that outputs are likely to be near, and the generator.
pub struct Drawn {
    random: Random,
    near: Vec<BigRational>,
}

/// The machine after one more step. Where it breaks what a node without a body guarantees with
/// zero for its outputs, others are tried; if none of them will do, it is zero.
pub fn step<'p>(
    mut machine: Machine<'p>,
    inputs: &[Value],
    choices: &mut Noticed<'p>,
) -> Machine<'p> {
    let is_open = choices.tree.ids().any(|id| choices.tree.node(choices.program, id).imported);
    if !is_open || choices.given_up {
        machine.step(inputs, choices);
        return machine;
    }
    let before = machine.clone();
    machine.step(inputs, choices);
    if !breaks(&machine, choices) || !choices.outputs {
        return machine;
    }
    let near = numbers(inputs.iter());
    for seed in 0..TRIES {
        let mut other = before.clone();
        choices.drawn = Some(Drawn { random: Random::new(seed), near: near.clone() });
        other.step(inputs, choices);
        choices.drawn = None;
        if !breaks(&other, choices) {
            return other;
        }
    }
    choices.given_up = true;
    machine
}

/// Whether what fails is a guarantee of a node without a body.
fn breaks(machine: &Machine<'_>, choices: &Noticed<'_>) -> bool {
    machine.failed_assertion().is_some_and(|(instance, index)| {
        let node = choices.tree.node(choices.program, instance);
        node.asserts[index].premise == Premise::Guaranteed
    })
}

fn numbers<'v>(values: impl Iterator<Item = &'v Value>) -> Vec<BigRational> {
    let numbers = values.filter_map(|value| match value {
        Value::Int(n) | Value::Machine(_, n) => Some(BigRational::from(n.clone())),
        Value::Real(r) => Some(r.clone()),
        Value::Bool(_) | Value::Enum(_) | Value::Table(_) => None,
    });
    numbers.collect()
}

impl Drawn {
    /// A value of a scalar type: half of the numbers are near one of the inputs.
    pub fn value(&mut self, program: &Program, ty: &Type) -> Value {
        let any = random::value(program, ty, &mut self.random);
        if self.near.is_empty() || self.random.below(2) == 0 {
            return any;
        }
        let at = self.random.below(self.near.len() as u64) as usize;
        let offset = BigInt::from(self.random.below(5)) - 2;
        let near = &self.near[at] + BigRational::from(offset);
        match ty {
            Type::Int => Value::Int(near.floor().to_integer()),
            Type::Real => Value::Real(near),
            _ => any,
        }
    }
}
