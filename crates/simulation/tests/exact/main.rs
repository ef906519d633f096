//! The machine against the exact execution of `lustral-system`, on random
//! systems, and what exactly is not known.

#![allow(clippy::unwrap_used)]

mod failures;
mod generate;
mod machine;
mod samples;
mod unknown;

use lustral_term::{Interpretation, Partial, Value};

/// A division by zero that gives something to stumble over: a value that is
/// known must not depend on it.
pub struct Odd;

impl Interpretation for Odd {
    fn divide_by_zero(&self, operation: Partial, dividend: &Value) -> Value {
        let odd = match operation {
            Partial::RealDiv => 1_000_003,
            Partial::IntDiv => 7_777_777,
            Partial::Mod => 5_555_555,
        };
        match dividend {
            Value::Real(_) => Value::Real(num_rational::BigRational::from_integer(odd.into())),
            _ => Value::Int(odd.into()),
        }
    }
}
