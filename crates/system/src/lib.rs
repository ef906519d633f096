//! Plain data: transition systems, and what can be said of them.
//!
//! Nothing here knows how a system was made from a program, nor how a verdict
//! was found.

mod dump;
mod elements;
mod game;
mod inlined;
mod interface;
mod modular;
mod note;
mod reason;
mod portable;
mod run;
mod trace;
mod transition;
mod verdict;

pub use lustral_base::Goal;
pub use lustral_base::ids::{ExprId, InstanceId, StreamId};

pub use dump::dump;
pub use elements::Elements;
pub use game::{Choices, Demand, Game, Group, Layer, Outcome, Play, Refutation, Strategy};
pub use inlined::Inlined;
pub use interface::{same_as_interface, visible};
pub use lustral_base::{Bounds, transitions_of};
pub use modular::{MOST_SLOTS, Modular, ModularNode, Slot, TooLarge};
pub use note::{Count, Facts, NamedStates, Note, Round, Rounds, Section};
pub use portable::InvalidSystem;
pub use reason::{Reason, Unsupported};
pub use run::Runner;
pub use trace::{Answers, Question, Trace};
pub use transition::{
    ClockPart, Constraint, ConstraintSource, EnumNames, Instance, Memory, Origin, PropId, Property,
    Role, Stream, StreamRole, TransitionSystem, Variable,
};
pub use verdict::{Certificate, Dependencies, Predicate, Proof, States, imported};
