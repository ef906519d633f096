//! How much operators bind in the text of terms, as in the language: a conversion such
//! as `uint8` least of all, the operators on bits more than products.

/// `uint8 e`, `if … else e`
pub const LOOSE: u8 = 0;
/// `or`
pub const OR: u8 = 3;
/// `and`
pub const AND: u8 = 4;
/// `=`, `<=`
pub const COMPARISON: u8 = 5;
/// `+`
pub const SUM: u8 = 6;
/// `*`, `div`, `mod`
pub const PRODUCT: u8 = 7;
/// `++`
pub const JOIN: u8 = 8;
/// `||`
pub const BIT_OR: u8 = 9;
/// `&&`
pub const BIT_AND: u8 = 10;
/// `lsh`, `rsh`
pub const SHIFT: u8 = 11;
/// Operators before their operand.
pub const PREFIX: u8 = 12;
/// Names and numbers.
pub const TIGHT: u8 = 13;
