//! Reports: one model of what was found, and its renderings.
//!
//! A verdict enters the model only as a [`lustral_certify::Checked`] answer:
//! what was not checked cannot be shown. This crate knows no engine and starts
//! no solver.

mod composition;
mod diagnostics;
mod duality;
mod escape;
pub mod event;
mod explanation;
mod html;
mod invariants;
mod lustre;
mod model;
mod modular;
mod profile;
mod table;
mod text;
mod tree;

pub use composition::{Composition, Guarantee};
pub use diagnostics::render as render_diagnostics;
pub use escape::printable;
pub use event::Event;
pub use explanation::{Explanation, Fact};
pub use html::html;
pub use invariants::Invariants;
pub use lustre::{LustreWriter, Named, Values, enumerations, formula, lustre_expression};
pub use model::{
    Choice, Datum, Division, DivisionOperation, Hint, InstanceRows, Outcome, Row, RowRole, RowType,
    RunInfo, Subject, Summary, TraceTable, Verdict,
};
pub use modular::{ModularInvariants, Part};
pub use profile::{ProfileRow, profile_text};
pub use table::{Cells, columns};
pub use text::{Style, summary_text, verdict_text};
