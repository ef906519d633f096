//! Random inputs, the same for the same seed.

use std::sync::Arc;

use lustral_base::Random;
use lustral_sema::interp::default_value;
use lustral_sema::program::Node;
use lustral_sema::types::Table;
use lustral_sema::{Program, Type, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Inputs for some steps. Constants have one value for all of them.
pub fn steps(program: &Program, node: &Node, count: usize, seed: u64) -> Vec<Vec<Value>> {
    let mut random = Random::new(seed);
    let mut one = |ty: &Type| value(program, ty, &mut random);
    let mut step = || {
        let leaves = node.leaves(node.input_ids());
        leaves.map(|(input, leaf)| one(node.stream(input).ty.leaf(leaf))).collect()
    };
    let mut steps: Vec<Vec<Value>> = (0..count).map(|_| step()).collect();
    let Some((first, others)) = steps.split_first_mut() else { return steps };
    for (i, (input, _)) in node.leaves(node.input_ids()).enumerate() {
        if node.stream(input).constant.is_some() {
            others.iter_mut().for_each(|step| step[i] = first[i].clone());
        }
    }
    steps
}

/// A value of a scalar type.
pub fn value(program: &Program, ty: &Type, random: &mut Random) -> Value {
    match ty {
        Type::Bool => Value::Bool(random.below(2) == 1),
        Type::Int | Type::Abstract(_) => Value::Int(BigInt::from(random.below(21)) - 10),
        Type::Real => {
            let tenths = BigInt::from(random.below(201)) - 100;
            Value::Real(BigRational::new(tenths, BigInt::from(10)))
        }
        Type::Enum(id) => {
            Value::Enum(random.below(program.enums[id.0 as usize].values.len() as u64) as u32)
        }
        Type::Subrange(bounds) => {
            let size = match (&bounds.low, &bounds.high) {
                (Some(low), Some(high)) => u64::try_from(high - low + 1).unwrap_or(u64::MAX),
                _ => 21,
            };
            Value::Int(bounds.pick(random.below(size)))
        }
        Type::Machine(shape) => {
            let [low, high] = shape.range();
            let size = u64::try_from(&high - &low + 1).unwrap_or(u64::MAX);
            Value::Machine(*shape, low + random.below(size))
        }
        Type::Keyed(keyed) => {
            let mut table = Table::everywhere(keyed.sorts.clone(), default_value(&keyed.element));
            for _ in 0..random.below(4) {
                let leaves = (0..keyed.key.leaves()).map(|leaf| keyed.key.leaf(leaf));
                let mut key: Vec<Value> = leaves.map(|ty| value(program, ty, random)).collect();
                for leaf in 0..keyed.key.leaves() {
                    let around = keyed.key.counts_where(leaf);
                    if around.iter().any(|(tag, made)| key[*tag as usize] != Value::Enum(*made)) {
                        key[leaf as usize] = default_value(keyed.key.leaf(leaf));
                    }
                }
                table = table.put(key, value(program, &keyed.element, random));
            }
            Value::Table(Arc::new(table))
        }
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
            unreachable!("a leaf is a scalar")
        }
    }
}
