//! What the nodes of a program guarantee: a program in, events out.

mod models;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lustral_base::Cancel;
use lustral_certify::{Checked, NodeInvariants};
use lustral_coordinator::{Broken, NoResult, soon_after};
use lustral_engines::{LearnOptions as Learning, LeftOut, Templates};
use lustral_modular::invariants::{Found, find};
use lustral_report::Event as Line;
use lustral_sema::{NodeId, Program};
use lustral_smt::{Solver, SolverOptions, WorkerCommand};
use lustral_syntax::Loader;
use lustral_system::Reason;

use crate::candidates::Origins;
use crate::event::Event;
use crate::load::Request;
use crate::log::Accepted;
use crate::remark::Remark;
use crate::select::roots;
use crate::staged::{Work, next_event};
use models::Models;
pub use models::{NodeModels, Unsummarised, cut_program};

/// How to find out what nodes guarantee.
#[derive(Clone)]
pub struct LearnOptions {
    /// The nodes by name; if there are none, all that are used.
    pub nodes: Vec<String>,
    /// Files of candidates, which are tried beside those of the program and of templates.
    pub candidates: Vec<PathBuf>,
    /// Whether all that was found is wanted, also what follows from the rest.
    pub all: bool,
    /// Summaries instead of invariants, if they are wanted.
    pub summaries: Option<SummaryOptions>,
    /// The solver.
    pub solver: Solver,
    /// How it is set up.
    pub solver_options: SolverOptions,
    /// How long all may take, from the time at which the work is asked for.
    pub time: Option<Duration>,
}

/// How to find summaries of nodes from which the properties follow: models of
/// the program's Horn clauses.
#[derive(Clone)]
pub struct SummaryOptions {
    /// Certificates of an earlier run to start from: their folder, or one above.
    pub certificates: Option<PathBuf>,
    /// A file with a model of the clauses, a function of SMT-LIB for each predicate, which takes the
    /// place of Spacer's.
    pub model: Option<PathBuf>,
    /// Whether what they need not say of the state is left out.
    pub minimise: bool,
    /// Whether it is found out what is worth showing of each node, beside all
    /// definitions.
    pub describe: bool,
    /// How a worker process for Horn clauses is started, if that is known.
    pub worker: Option<WorkerCommand>,
}

impl Default for SummaryOptions {
    fn default() -> SummaryOptions {
        let (certificates, model) = (None, None);
        SummaryOptions { certificates, model, minimise: false, describe: true, worker: None }
    }
}

impl Default for LearnOptions {
    fn default() -> LearnOptions {
        LearnOptions {
            nodes: Vec::new(),
            candidates: Vec::new(),
            all: false,
            summaries: None,
            solver: Solver::BuiltIn,
            solver_options: SolverOptions::default(),
            time: None,
        }
    }
}

/// What holds of a node, whatever its inputs are or for those that it is given.
#[derive(Clone, Debug)]
pub struct NodeGuarantees {
    /// The file, or what the caller called the text.
    pub file: Arc<str>,
    /// The number of the node, counted from 1: called ones come first.
    pub number: usize,
    /// What was checked of it.
    pub known: Checked<NodeInvariants>,
}

impl NodeGuarantees {
    pub(crate) fn lines(&self) -> Vec<Line> {
        lustral_report::Invariants::new(&self.known).events(&self.file)
    }
}

/// The search for what nodes guarantee, as an iterator over what is heard of
/// it. The last event is [`Event::Ended`]. Dropping it stops all.
///
/// ```
/// use lustral_session::{Event, Learn, LearnOptions, Request, report};
///
/// let text = "node count(x: bool) returns (n: int);
///     let n = 0 -> if x then pre n + 1 else pre n; tel";
/// for event in Learn::new(Request::text("count.lus", text), LearnOptions::default()) {
///     if let Event::Guarantees(found) = event {
///         assert!(report::Invariants::new(&found.known).text().contains("n >= 0"));
///     }
/// }
/// ```
pub struct Learn {
    options: LearnOptions,
    work: Work<Stage>,
}

/// What is to be done next.
enum Stage {
    Read,
    Models(Box<Models>),
}

impl Learn {
    /// The search in a program. Its time begins now; the work begins when the
    /// first event is asked for.
    #[must_use]
    pub fn new(request: Request, options: LearnOptions) -> Learn {
        let origins = Origins { files: options.candidates.clone(), ..Origins::default() };
        let request = request.with_candidates(origins);
        Learn { work: Work::new(request, options.time, Stage::Read), options }
    }

    /// Where the text of what the program includes comes from.
    #[must_use]
    pub fn with_loader(mut self, loader: impl Loader + Send + 'static) -> Learn {
        self.work.load_by(loader);
        self
    }

    /// What stops the search from another thread.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.work.cancel
    }

    fn learning(&self) -> Learning {
        Learning {
            solver: self.options.solver.clone(),
            options: self.options.solver_options.clone(),
            templates: Templates { names: true, ..Templates::ALL },
            cancel: self.work.cancel.clone(),
        }
    }

    fn read(&mut self) -> Option<Stage> {
        let accepted = self.work.read()?;
        let names = &self.options.nodes;
        let roots =
            roots(&accepted.program, names).map_err(|none| self.work.log.reject(none)).ok()?;
        self.work.chosen(&accepted.program, names, &roots);
        self.work.say_what_is_tried();
        if let Some(options) = self.options.summaries.clone() {
            return self.models(accepted, &roots, options);
        }
        self.guarantees(&accepted, &roots);
        None
    }

    /// Finds what nodes guarantee, and says it of those that were asked for.
    fn guarantees(&mut self, accepted: &Accepted, roots: &[NodeId]) {
        let (learning, kernel) = (self.learning(), accepted.kernel.clone());
        let below = roots.to_vec();
        let all = self.options.all;
        let search = move || find(&kernel, &below, &learning, all);
        let found = match soon_after(&self.work.cancel, search) {
            Ok(Ok(found)) => found,
            Ok(Err(clocked)) => return self.work.log.reject(clocked),
            Err(NoResult::Stopped) => return self.unfinished(&accepted.program, roots),
            Err(why) => {
                return self.work.log.broken(Broken { stage: "search for invariants", why });
            }
        };
        for (i, Found { node, result, left_out }) in found.into_iter().enumerate() {
            if !self.options.nodes.is_empty() && !roots.contains(&node) {
                continue;
            }
            match result {
                Ok(known) => {
                    self.limited(known.node(), left_out);
                    let found =
                        NodeGuarantees { file: self.work.log.file.clone(), number: i + 1, known };
                    self.work.log.waiting.push_back(Event::Guarantees(Box::new(found)));
                }
                Err(reason) => {
                    self.work.log.stopped(&self.work.cancel);
                    let node = accepted.program.node(node).name.to_string();
                    self.work.log.say(Remark::Unlearned { node, reason });
                }
            }
        }
    }

    /// Says which limits on the candidates of a node were reached.
    fn limited(&mut self, node: &str, left_out: LeftOut) {
        if !left_out.is_empty() {
            self.work.log.say(Remark::Limited { node: node.into(), left_out });
        }
    }

    /// Says that the time was up before anything was known of some nodes.
    fn unfinished(&mut self, program: &Program, roots: &[NodeId]) {
        self.work.log.stopped(&self.work.cancel);
        let reason = self.work.cancel.cause().map_or(Reason::Timeout, Reason::from);
        for root in roots {
            let node = program.node(*root).name.to_string();
            self.work.log.say(Remark::Unfinished { node, reason: reason.clone() });
        }
    }

    /// Does what a stage asks for, and says which is next.
    fn advance(&mut self, stage: Stage) -> Option<Stage> {
        match stage {
            Stage::Read => self.read(),
            Stage::Models(models) => self.next_root(models),
        }
    }
}

/// The events, each as it comes.
impl Iterator for Learn {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        next_event(self, |this| &mut this.work, Learn::advance)
    }
}
