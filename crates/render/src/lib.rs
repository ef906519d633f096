//! What people read, as far as it says nothing about verdicts: diagnostics,
//! terms as Lustre text, executions as tables and files.
//!
//! No solver is linked: an editor can show all of this. Texts of programs are
//! made harmless for terminals here ([`printable`]).

mod diagnostics;
mod escape;
pub mod execution;
mod lustre;
mod style;

pub use diagnostics::render as render_diagnostics;
pub use escape::printable;
pub use execution::Execution;
pub use lustre::{LustreWriter, Named, formula, lustre_expression};
pub use style::Style;
