//! A value of a flow, as it is shown.

use std::fmt;

use lustral_base::decimal;
use lustral_system::TransitionSystem;
use lustral_term::Value;
use num_bigint::BigInt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Truth values as such; integers as numbers below 2^53 in size and as text
/// beyond; reals as text, a decimal or a fraction; values of enumerations by name; null
/// where the flow has no value because its clock is not active, or because another
/// constructor made the value that it would be a field of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// An integer that every reader keeps exact.
    Int(i64),
    /// All else.
    Text(String),
    /// No value.
    Absent,
}

/// Integers below this are exact for readers whose numbers are doubles.
const EXACT: u64 = 1 << 53;

impl Datum {
    /// A value, with the names that a system has for those of enumerations.
    #[must_use]
    pub fn new(system: &TransitionSystem, value: &Value) -> Datum {
        match value {
            Value::Bool(b) => (*b).into(),
            Value::Int(n) => n.into(),
            Value::Real(r) => decimal::for_people(r).into(),
            Value::BitVec(shape, bits) => (&shape.number(bits)).into(),
            Value::Enum(..) | Value::Array(_) | Value::Uninterpreted(..) => {
                lustral_term::show_value(value, system).into()
            }
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Bool(b) => b.fmt(f),
            Datum::Int(n) => n.fmt(f),
            Datum::Text(text) => f.write_str(text),
            Datum::Absent => Ok(()),
        }
    }
}

impl From<bool> for Datum {
    fn from(b: bool) -> Datum {
        Datum::Bool(b)
    }
}

impl From<i64> for Datum {
    fn from(n: i64) -> Datum {
        if n.unsigned_abs() < EXACT { Datum::Int(n) } else { Datum::Text(n.to_string()) }
    }
}

impl From<&BigInt> for Datum {
    fn from(n: &BigInt) -> Datum {
        i64::try_from(n).map_or_else(|_| Datum::Text(n.to_string()), Datum::from)
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Datum {
        Datum::Text(text)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Datum {
        Datum::Text(text.to_string())
    }
}
