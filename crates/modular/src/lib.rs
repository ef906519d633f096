//! Programs node by node (modular verification): each node is looked at once,
//! with its calls cut, however many instances it has.
//!
//! The idea is *assume–guarantee reasoning*: what a node guarantees is shown
//! on the node alone, assuming of its calls no more than what the called nodes
//! guarantee; and where a node needs something of its inputs, every call must
//! establish that. In reading order:
//!
//! 1. **The cut node** is in `certify`, which is trusted: how calls are cut
//!    (`Unit`, `Nodes`), how what is known of a called node is placed at its calls,
//!    and what has to be shown (`Summaries`, `Guarantees`). `schedule` works on
//!    nodes in the order of the calls (topological order), side by side.
//! 2. **What nodes guarantee** ([`invariants`], `lustral invariants`). `nodes`
//!    learns that for arbitrary inputs, by Houdini; `preconditions` finds what
//!    is given to nodes by all their callers, and what holds within that.
//!    `blocked` notices nodes of which nothing can be said, because their
//!    assertions end every execution.
//! 3. **Summaries.** `summaries` says what was learned of a node to those who
//!    know it by its interface only.
//! 4. **Proofs of properties** ([`compositional`], `check --compositional`): a
//!    loop of counterexample-guided abstraction refinement (CEGAR). A node whose
//!    calls are cut is an abstraction of the program; a counterexample that the
//!    whole program does not have is spurious, and refines it by inlining the
//!    calls that are to blame.
//! 5. **Models of Horn clauses** ([`model`], `invariants --modular`): definitions
//!    of two predicates for each node, from what was learned, from Spacer or
//!    from certificates, and how little of the state they need, by minimum-cost
//!    hitting sets.
//!
//! Nothing here is trusted: what is shown was checked by `certify`. Nothing here
//! prints, ends the process or looks at signals.

mod failure;
mod schedule;
mod nodes;
mod preconditions;
mod blocked;
mod summaries;
pub mod compositional;
pub mod houdini;
pub mod invariants;
pub mod model;

pub use blocked::Blocked;
pub use failure::{NoPreconditions, Unlearned};
pub use nodes::learn_nodes;
pub use preconditions::{Refined, refine_nodes};
pub use summaries::{Summary, defined_outputs, summaries, summary, thin, visible_constraints};
