//! SMT-LIB 2 as text: terms to commands, answers to values.
//!
//! Names of programs never appear: variables are `v` and a number, defined
//! terms `t` and a number.

mod by_key;
mod cases;
mod logic;
mod reader;
mod terms;
mod words;
mod writer;

pub use logic::Logic;
pub use reader::{SExpr, parse_sexprs, parse_value, read_value};
pub(crate) use reader::{array_of, read_element};
pub use terms::parse_term;
pub use writer::{Declarations, Writer, application, declare, range_text, sort_name, value_text};
