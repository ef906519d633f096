//! Bounded model checking: is there an execution of n steps at whose last a
//! property fails? All open properties together, n growing, in one session.
//!
//! A property that takes too long is put aside: it gets a session of its own,
//! where it is taken through the same steps in time that it does not take from
//! the others, and comes back when it has caught up. (In the common session
//! the steps that it is not yet at have assertions that are none of its
//! business: an execution need not go on.)

use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Solver};
use lustral_system::{Proof, PropId, States};
use rustc_hash::FxHashMap;

use crate::board::{Finding, Found};
use crate::engine::{Engine, Stop};
use crate::patience::{Patience, Trouble, Turn};
use crate::portfolio::description::no_program;
use crate::portfolio::{Asks, Description, EngineOption, InvalidValue, Settles, Task};
use crate::search::BoundedSearch;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Bmc::NAME,
    help: "executions of n steps at whose last a property fails, n growing",
    module: module_path!(),
    by_default: true,
    settles: Settles::Refutations,
    asks: Asks::ItsOwn(|options| options.bmc.solver.as_ref()),
    quick: true,
    extends_depths: true,
    reads_candidates: false,
    options: &[&SOLVER],
    head_start: |company| {
        // A learner asks nothing of the search for counterexamples.
        company.only_learners().then_some(Duration::from_millis(100))
    },
    again: Some(4),
    make: |task| Ok(Box::new(Bmc::new(task)?)),
    reacts: None,
};

/// The options of the engine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Its solver, if not that of the run.
    pub solver: Option<Solver>,
}

/// The option `--bmc-solver`.
static SOLVER: EngineOption = EngineOption {
    name: "bmc-solver",
    value: "SOLVER",
    values: &[],
    default: None,
    help: "The solver of the engine `bmc`, if it is to be another one: `yices` is often far \
           quicker than Z3 on deep searches for counterexamples",
    set: |options, name| {
        let solver = Solver::named(name).map_err(|error| InvalidValue(error.to_string()))?;
        options.bmc.solver = Some(solver);
        Ok(())
    },
    program: no_program,
};

/// The engine `bmc`.
pub struct Bmc<'t> {
    task: &'t Task,
    search: BoundedSearch<'t>,
    /// The properties still to be looked at, at the last step.
    due: Vec<PropId>,
    /// Why the common search goes no further.
    ended: Option<Stop>,
    patience: Patience,
    /// The searches of properties that were put aside, and the number of steps
    /// at which each was looked at.
    stragglers: FxHashMap<PropId, (BoundedSearch<'t>, usize)>,
}

/// A search before its first step, with the solver that is meant for it.
fn search(task: &Task) -> Result<BoundedSearch<'_>, Fault> {
    let solver = task.options.bmc.solver.as_ref().unwrap_or(&task.sessions.solver);
    BoundedSearch::with_solver(task, solver, Bmc::NAME)
}

impl<'t> Bmc<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "bmc";

    /// An engine before its first step.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Bmc<'t>, Fault> {
        Ok(Bmc {
            task,
            search: search(task)?,
            due: Vec::new(),
            ended: None,
            patience: Patience::new(),
            stragglers: FxHashMap::default(),
        })
    }

    fn settle_exhausted(&self, properties: &[PropId], steps: usize) {
        let states = States::of(&self.task.system);
        for property in properties {
            let found = Found::Proof(Proof::Exhausted { steps, states: states.clone() });
            self.task.board.settle(Finding { property: *property, found, engine: Bmc::NAME });
        }
    }

    fn put_aside(&mut self, property: PropId, trouble: &Trouble, limit: Option<Duration>) {
        tracing::debug!(?property, ?trouble, "put aside");
        self.patience.put_aside(property, trouble, limit);
        self.task.board.put_aside(property);
        self.task.board.post_trouble(property, trouble);
    }

    /// Adds a step to the common search, if those before are done with.
    fn extend(&mut self, ready: &[PropId]) -> Result<(), Stop> {
        let step = self.search.len();
        if let Some(stop) = self.task.limits.stop_at(step) {
            return Err(stop);
        }
        self.search.extend();
        // The solver's answer to "does a property fail" is no if there is no
        // execution at all, so that is asked where it can make a difference.
        self.search.limit(None);
        match self.search.blocked() {
            Err(trouble) => return Err(Stop::GaveUp(trouble.reason())),
            Ok(true) => {
                self.settle_exhausted(ready, step);
                return Err(Stop::Done);
            }
            Ok(false) => {}
        }
        self.due = ready.to_vec();
        Ok(())
    }

    /// Looks at the last step of the common search: at all properties
    /// together; where that takes too long, at one after the other.
    fn falsify(&mut self, open: usize) -> Result<(), Stop> {
        let step = self.search.len() - 1;
        let limit = self.patience.limit(open);
        self.search.limit(limit);
        let due = std::mem::take(&mut self.due);
        let start = Moment::now();
        let Err(trouble) = self.search.falsify(&due) else {
            self.patience.answered(start.elapsed());
            self.task.board.post_depth(&due, step + 1);
            return Ok(());
        };
        let (start, mut good, mut aside) = (Moment::now(), 0, 0);
        let limit = limit.map(|_| self.patience.limit_alone());
        self.renew(step, limit)?;
        let due = Patience::order(&due);
        for (i, property) in due.iter().enumerate() {
            let outcome = match due.len() {
                1 => Err(trouble.clone()),
                _ => self.search.falsify(&[*property]),
            };
            if self.task.cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            match outcome {
                Ok(()) => {
                    good += 1;
                    self.task.board.post_depth(&[*property], step + 1);
                }
                Err(trouble) => {
                    aside += 1;
                    self.put_aside(*property, &trouble, limit);
                    self.renew(step, limit)?;
                }
            }
            if self.patience.enough(start, good, aside) {
                self.due = due[i + 1..].to_vec();
                break;
            }
        }
        if due.len() > 1 {
            self.patience.taken_one_by_one(good, aside);
        }
        Ok(())
    }

    /// Starts the common search with a new session: terms that are too hard
    /// for a solver are so even where no query is about them.
    fn renew(&mut self, step: usize, limit: Option<Duration>) -> Result<(), Stop> {
        // What is wrong with the solver as such is not cured by another one.
        if let Some(fault) = self.search.fault() {
            return Err(Stop::GaveUp(fault.into()));
        }
        let give_up = |fault: Fault| Stop::GaveUp(fault.into());
        self.search = search(self.task).map_err(give_up)?;
        (0..=step).for_each(|_| self.search.extend());
        self.search.limit(limit);
        Ok(())
    }

    /// Takes a property that was put aside further, for so long.
    fn straggle(&mut self, property: PropId, open: usize, time: Duration) -> Result<(), Stop> {
        let until = Moment::now() + time;
        let limit = (open > 1).then_some(time);
        let (mut search, mut done) = match self.stragglers.remove(&property) {
            Some(known) => known,
            None => match search(self.task) {
                Ok(search) => (search, 0),
                Err(fault) => return Err(Stop::GaveUp(fault.into())),
            },
        };
        search.limit(limit);
        let trouble = loop {
            if done == search.len() {
                if done == self.search.len() {
                    self.patience.take_back(property);
                    self.task.board.take_back(property);
                    return Ok(());
                }
                search.extend();
            }
            match search.blocked() {
                Ok(true) => {
                    self.settle_exhausted(&[property], done);
                    return Ok(());
                }
                Ok(false) => {}
                Err(trouble) => break trouble,
            }
            match search.falsify(&[property]) {
                Ok(()) => done = search.len(),
                Err(trouble) => break trouble,
            }
            if !self.task.board.open().contains(&property) {
                return Ok(());
            }
            self.task.board.post_depth(&[property], done);
            if Moment::now() >= until || self.task.cancel.is_cancelled() {
                break Trouble::Slow;
            }
        };
        if self.task.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        self.put_aside(property, &trouble, Some(time));
        self.stragglers.insert(property, (search, done));
        Ok(())
    }
}

impl Engine for Bmc<'_> {
    fn name(&self) -> &'static str {
        Bmc::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        let open = self.task.board.open();
        if open.is_empty() {
            return Some(Stop::Done);
        }
        let ready = self.patience.ready(&open);
        // Where the common search has ended, there are only the others.
        let left: Vec<PropId> = match &self.ended {
            Some(_) => open.iter().filter(|p| !ready.contains(p)).copied().collect(),
            None => open.clone(),
        };
        let outcome = match self.patience.turn(&left) {
            Turn::GiveUp(reason) => Err(Stop::GaveUp(reason)),
            Turn::Retry(property, time) => self.straggle(property, open.len(), time),
            Turn::Go if self.ended.is_some() => return self.ended.clone(),
            Turn::Go => {
                let more = if self.due.is_empty() { self.extend(&ready) } else { Ok(()) };
                match more {
                    Ok(()) => self.falsify(open.len()),
                    // Those that were put aside go on.
                    Err(stop @ (Stop::Done | Stop::DepthLimit(_))) => {
                        self.ended = Some(stop);
                        Ok(())
                    }
                    Err(stop) => Err(stop),
                }
            }
        };
        outcome.err()
    }
}
