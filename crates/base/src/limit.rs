//! Limits of sets and maps, as plain data: that no key, or no value of a key, is beyond a number.

use serde::{Deserialize, Serialize};

/// What all keys of a set, or their values in a table, are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Limit {
    /// What is compared with the bound.
    pub of: Limited,
    /// On which side of the bound it is.
    pub end: End,
}

/// What has a limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Limited {
    /// A scalar of the keys, by its position; operands are the set and the bound.
    Key(u32),
    /// What the keys have in a table; operands are the set, the table and the bound.
    Value,
}

/// A side of a bound, which is within.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// The bound is the least number.
    Low,
    /// The bound is the greatest number.
    High,
}

impl End {
    /// Whether a number is on the right side of a bound.
    #[must_use]
    pub fn allows<T: PartialOrd>(self, number: &T, bound: &T) -> bool {
        match self {
            End::Low => number >= bound,
            End::High => number <= bound,
        }
    }
}
