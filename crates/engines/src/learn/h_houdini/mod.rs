//! H-Houdini: invariants from the property backwards.
//!
//! First locally ([`local`]): a target is looked at with the few memories that it reads, and
//! with candidates over these alone, so that the work for a target does not grow with the
//! program. Where that does not prove a property, with all candidates of the whole system
//! ([`whole`]).

mod local;
mod near;
mod part;
mod regions;
mod whole;

use lustral_smt::Fault;

use super::limits::LeftOut;
use crate::engine::{Engine, Stop};
use crate::failure::Failure;
use crate::portfolio::{Asks, Description, EngineOption, InvalidValue, Settles, Task};
use local::Local;
use whole::Whole;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: NAME,
    help: "the same from the property backwards, by abducts",
    module: module_path!(),
    by_default: false,
    settles: Settles::Proofs,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: false,
    reads_candidates: true,
    options: &[&super::TEMPLATES, &ABDUCTION],
    head_start: |_| None,
    again: None,
    make: |task| Ok(Box::new(HHoudini::new(task)?)),
    reacts: None,
};

/// The options of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// How abducts are found.
    pub abduction: Abduction,
}

/// How abducts are found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Abduction {
    /// From the core of an unsatisfiable query.
    #[default]
    Core,
    /// By cvc5's own search, where it finds one soon.
    Cvc5,
}

/// The option `--abduction`.
static ABDUCTION: EngineOption = EngineOption {
    name: "abduction",
    value: "ABDUCTION",
    values: &["core", "cvc5"],
    default: Some("core"),
    help: "How h-houdini finds abducts: from cores, or by the abduction of cvc5, which must be on \
           the PATH (where it is slow, from cores all the same)",
    set: |options, value| {
        options.h_houdini.abduction = match value {
            "core" => Abduction::Core,
            "cvc5" => Abduction::Cvc5,
            _ => return Err(InvalidValue("expected core or cvc5".into())),
        };
        Ok(())
    },
    program: |options| (options.h_houdini.abduction == Abduction::Cvc5).then_some("cvc5"),
};

/// The name of the engine.
const NAME: &str = "h-houdini";

/// The engine.
pub struct HHoudini<'t> {
    task: &'t Task,
    search: Search<'t>,
}

/// Where the engine is.
enum Search<'t> {
    Local(Box<Local<'t>>),
    Whole(Box<Whole<'t>>),
}

impl<'t> HHoudini<'t> {
    /// An engine before its first query.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<HHoudini<'t>, Fault> {
        // The other oracle is asked about the whole.
        let search = match task.options.h_houdini.abduction {
            Abduction::Core => Search::Local(Box::new(Local::new(task))),
            Abduction::Cvc5 => Search::Whole(Box::new(Whole::new(task, &LeftOut::default())?)),
        };
        Ok(HHoudini { task, search })
    }

    fn round(&mut self) -> Result<bool, Failure> {
        let (ended, left_out) = match &mut self.search {
            Search::Whole(whole) => return whole.round(),
            Search::Local(local) => (local.round(), local.left_out()),
        };
        match ended {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            // What cannot be told of a part may be told of the whole.
            Err(failure) if !self.task.cancel.is_cancelled() => {
                tracing::debug!(%failure, "h-houdini: not locally");
            }
            Err(failure) => return Err(failure),
        }
        if !self.task.is_settled() {
            self.search = Search::Whole(Box::new(Whole::new(self.task, &left_out)?));
        }
        Ok(false)
    }
}

impl Engine for HHoudini<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        self.task.advance(|| self.round())
    }
}
