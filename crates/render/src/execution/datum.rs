//! A value of a flow, as it is shown.

use std::fmt;

use lustral_base::decimal;
use lustral_term::Value;
use num_bigint::BigInt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Truth values as such; integers as numbers below 2^53 in size and as text
/// beyond; reals as text, a decimal or a fraction; values of enumerations by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// An integer that every reader keeps exact.
    Int(i64),
    /// All else.
    Text(String),
}

/// Integers below this are exact for readers whose numbers are doubles.
const EXACT: u64 = 1 << 53;

impl Datum {
    /// A value; `names` are those of its enumeration, if it is of one.
    #[must_use]
    pub fn new(value: &Value, names: Option<&[String]>) -> Datum {
        match value {
            Value::Bool(b) => (*b).into(),
            Value::Int(n) => {
                let name = usize::try_from(n).ok().and_then(|i| names?.get(i));
                name.map_or_else(|| n.into(), |name| name.as_str().into())
            }
            Value::Real(r) => decimal::for_people(r).into(),
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Bool(b) => b.fmt(f),
            Datum::Int(n) => n.fmt(f),
            Datum::Text(text) => f.write_str(text),
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
