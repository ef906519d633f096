//! The entries of the operators, by families.

pub mod arithmetic;
pub mod boolean;

use crate::value::Sort;

/// All operands have the sort of the first.
fn uniform(operands: &[Sort]) -> Option<Sort> {
    let first = *operands.first()?;
    operands.iter().all(|sort| *sort == first).then_some(first)
}
