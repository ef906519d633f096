//! Reports: one model of what was found, and its renderings.
//!
//! A verdict enters the model only as a [`lustral_certify::Checked`] answer, and
//! so do the invariants of nodes; what is said of protocols was proved or replayed: what was not
//! checked cannot be shown. This crate knows no engine and starts
//! no solver.

mod assurance;
mod blame;
mod cause;
mod composition;
pub mod event;
mod explanation;
mod grounds;
mod houdini;
mod html;
mod invariants;
mod item;
mod model;
mod modular;
mod mutants;
mod needs;
mod note;
mod parts;
mod profile;
mod protocol;
mod realizability;
mod text;
mod tree;

pub use assurance::{Assurance, Input, RunFacts, SolverFacts};
pub use blame::Blame;
pub use cause::{Cause, Change};
pub use composition::{Composition, Guarantee};
pub use event::Event;
pub use explanation::{Explanation, Fact};
pub use grounds::{RestsOn, Statement, StatementKind};
pub use houdini::{
    CandidateAbout, CandidateEvent, CandidateFate, CandidateKind, Houdini, HoudiniRound, Kept,
    RemovalEvent,
};
pub use html::{Page, Texts, houdini_html, html};
pub use invariants::Invariants;
pub use item::ContractItem;
pub use model::{Hint, Outcome, RunInfo, Subject, Summary, Verdict};
pub use modular::ModularInvariants;
pub use mutants::{Killer, Mutant, Mutants};
pub use needs::{Coverage, Element, ElementKind, Found, Needing, Needs};
pub use note::{CountEvent, NoteEvent, RoundEvent, SectionEvent};
pub use parts::Part;
pub use profile::{ProfileRow, profile_text};
pub use protocol::{
    About, ProtocolExecution, ProtocolHints, ProtocolOutcome, ProtocolSubject, ProtocolVerdict,
    SortSize, StateEvent, TableEvent,
};
pub use realizability::{ConflictEvent, ContractOutcome, ContractVerdict};
pub use text::{summary_text, verdict_text};
