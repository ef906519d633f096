//! How engines run side by side: what one is and what it is given, the board on
//! which they share what they know, how long they try, and who begins when.

pub(crate) mod board;
pub(crate) mod description;
pub(crate) mod engine;
pub(crate) mod failure;
pub(crate) mod metered;
pub(crate) mod patience;
pub(crate) mod task;
pub(crate) mod turns;

mod allocation;
mod running;
mod start;
mod threads;

pub use description::{
    Asks, Company, Description, EngineChoice, EngineOption, InvalidValue, Make, Settles,
};
pub use failure::{Failure, Flaw, Misfit, TooLarge};
pub use running::Running;
pub use start::start;
pub use task::{Limits, Sessions, Task};
