//! The one coordinator of the engines and the checker.
//!
//! A [`Run`] is given a [`Unit`], which is a node with its system, or a system
//! in which some calls are cut. It prepares the system, starts engines and
//! checker on threads of their own, and is asked for one [`Event`] after the
//! other: answers that passed their check, executions of cut systems for the
//! caller to try, how far the search is. In the end it says why the other
//! properties are [`Open`].
//!
//! Beside it stands what every caller needs before: the survey of the
//! assertions with its check ([`Assertions`]), and where certificates go
//! ([`Certificates`]). Nothing here shows anything, ends the process or looks
//! at signals: the caller's `Cancel` stops all, and a panic in any thread is an
//! event.

mod within;
mod options;
mod survey;
mod certificates;
mod proofs;
mod causes;
mod checker;
mod event;
mod course;
mod run;
mod cores;
mod mutants;

pub use causes::Causes;
pub use certificates::{Certificates, NotRemoved, Scope, Store, Texts, Unwritten};
pub use checker::CheckResult;
pub use cores::{CoreSearch, CoreWish, FoundCores};
pub use event::{Broken, Event, Execution, Open, Progress};
pub use lustral_certify::{TooManyInstances, Unit};
pub use mutants::{Fate, MutantSearch};
pub use options::{Faults, Options, Pace};
pub use proofs::{KnownProof, Tools, check_known};
pub use run::{Job, Run};
pub use survey::Assertions;
pub use within::{NoResult, caught, soon_after, within};
