//! The entries of the operators, by families.

pub mod boolean;
pub mod arithmetic;
pub mod bit_vector;
pub mod array;
pub mod function;

use lustral_base::sort::Sort;

/// All operands have the sort of the first.
fn uniform(operands: &[Sort]) -> Option<Sort> {
    let first = *operands.first()?;
    operands.iter().all(|sort| *sort == first).then_some(first)
}
