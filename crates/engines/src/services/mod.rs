//! What serves the engines and is none: a smaller system before they begin and
//! the way back from it, systems step by step, executions out of models, and
//! what is done with a proof once there is one.

pub(crate) mod prepare;
pub(crate) mod survey;

pub(crate) mod model;
pub(crate) mod search;
pub(crate) mod states;
pub(crate) mod unroll;

pub(crate) mod basis;
pub(crate) mod cause;
pub(crate) mod first;
pub(crate) mod minimise;
pub(crate) mod validate;
pub(crate) mod validity;
