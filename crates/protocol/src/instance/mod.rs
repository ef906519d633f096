//! A protocol at given sizes, as a boolean transition system that every part of Lustral can work
//! on: a program in Lustre.
//!
//! A *cell* is a bit of the state: whether a tuple is in a relation, or whether a function has a
//! value for a tuple (one cell for each value, of which exactly one holds). Each step of the
//! program is a state of the protocol. Inputs choose the transition, its arguments, and what the
//! transition leaves open of the state that is entered. Where what was chosen is no step of the
//! protocol, the state stays as it is: so every input is allowed, no assertion blocks, and the
//! states that are reached are exactly those of the protocol, some of them later. (A state
//! without successors is no mistake of a protocol: its executions just end.)
//!
//! Assertions speak of the first state only, and of what never changes: the first state is
//! chosen so that `init` and the axioms hold.

mod updates;
mod cells;
mod names;
mod build;
mod lustre;
mod read;

pub use build::Instance;
pub use cells::{Cell, CellId, Leaf};
pub use read::{Execution, ExecutionStep};
