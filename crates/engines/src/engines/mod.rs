//! The engines. None names another: what they have to say to each other, they
//! say on the board.

pub(crate) mod abstraction;
pub(crate) mod bmc;
pub(crate) mod ic3;
pub(crate) mod kinduction;
pub(crate) mod pdh;
pub(crate) mod simulation;
