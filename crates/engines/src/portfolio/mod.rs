//! How engines run side by side: what one is and what it is given, the board on
//! which they share what they know, how long they try, and who begins when.

pub(crate) mod board;
pub(crate) mod engine;
pub(crate) mod metered;
pub(crate) mod patience;

mod allocation;
mod start;

pub use start::{EngineChoice, Running, start};
