//! Lustral as a library: a program comes in as text, from files or from memory.
//!
//! A [`Request`] names the program and where candidates for invariants come
//! from; [`Request::analyse`] gives the typed program with its diagnostics.
//! Nothing here prints, ends the process or looks at signals: whoever calls it
//! shows what it returns.
//!
//! ```
//! use lustral_session::{NoFiles, Request};
//!
//! let text = "node main(x: bool) returns (y: bool);\nlet\n  y = x or not x;\n  check y;\ntel\n";
//! let analysed = Request::text("main.lus", text).analyse(&NoFiles)?;
//! assert!(!analysed.diagnostics.has_errors());
//! let roots = lustral_session::roots(&analysed.program, &[])?;
//! assert_eq!(&*analysed.program.node(roots[0]).name, "main");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod files;
mod cache;
mod candidates;
mod load;
mod select;

pub use cache::{Keys, keep};
pub use candidates::{Invariants, Origins, Quiet};
pub use files::{FileLoader, Source, read};
pub use load::{Analysed, Request, Unreadable};
pub use lustral_syntax::{Loader, NoFiles};
pub use select::{NoSuchNode, roots};
