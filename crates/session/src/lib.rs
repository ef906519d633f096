//! Lustral as a library: a program comes in as text, events come out.
//!
//! A [`Request`] names the program: a file, or a text in memory. A [`Check`] of it
//! is an iterator over [`Event`]s: diagnostics, verdicts as they are found, and
//! in the end how all ended. [`CheckOptions`] say what is checked and how.
//!
//! ```
//! use lustral_session::{Check, CheckOptions, Event, Request};
//!
//! let text = "node main(x: bool) returns (y: bool); let y = x or not x; check y; tel";
//! for event in Check::new(Request::text("main.lus", text), CheckOptions::default()) {
//!     if let Event::Verdict(verdict) = event {
//!         println!("{}: {}", verdict.property, verdict.word());
//! #       assert_eq!(verdict.word(), "valid");
//!     }
//! }
//! ```
//!
//! Nothing here prints, ends the process or looks at signals: whoever calls it
//! shows what it returns. There is no state that two checks share, all that
//! comes out is owned, and a check can go to another thread.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Documentation;

mod files;
mod select;
mod cache;
mod candidates;
mod load;
mod options;
mod remark;
mod event;
mod log;
mod sizes;
mod staged;
mod check;
mod learn;
mod houdini;
mod realize;
mod protocol;
mod simulate;
mod obligations;
mod versions;

pub use cache::{Keys, keep};
pub use candidates::{Invariants, Origins, Quiet};
pub use check::Check;
pub use event::{Covered, Diagnosed, Ending, Event, Heading};
pub use files::{FileLoader, Source, read};
pub use houdini::{Houdini, HoudiniOptions};
pub use learn::{
    Learn, LearnOptions, NodeGuarantees, NodeModels, SummaryOptions, Unsummarised, cut_program,
};
pub use load::{Analysed, Request, Unreadable};
pub use lustral_sema::Hazards;
pub use obligations::{Asking, Kind, NotAsked, Obligation, Test, asking, cover, test_lines};
pub use options::{CheckOptions, Kept, Selection, Wish};
pub use protocol::{CheckProtocol, ProtocolOptions};
pub use realize::{Realize, RealizeOptions};
pub use remark::Remark;
pub use select::{NoSuchNode, NoSuchProperty, roots, tried};
pub use simulate::{
    Inputs, LeftOpen, NotRun, Seen, SimulateOptions, Simulated, Unusable, simulate,
};
pub use versions::{
    Change, Changed, Incomparable, Pair, Product, Replayed, Version, changes, output_line, product,
    property_line, replay,
};

// What callers name beside all this.
pub use lustral_base::{Cancel, Cause};
pub use lustral_coordinator::{CoreWish, Options as SearchOptions, Pace, Progress};
pub use lustral_engines::EngineChoice;
pub use lustral_report as report;
pub use lustral_smt::Solver;
pub use lustral_syntax::loader::Loaded;
pub use lustral_syntax::{LoadError, Loader, NoFiles};
