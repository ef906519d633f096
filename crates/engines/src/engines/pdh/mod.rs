//! Primal-dual Houdini: invariants from states, states from predicates.
//!
//! After Padon, Wilcox, Koenig, McMillan and Aiken, "Induction Duality:
//! Primal-Dual Search for Invariants" (POPL 2022). The paper's definitions and algorithms,
//! for any domain, are the crate `lustral-duality`; `lustre/` is the domain of Lustre programs.
//!
//! Each open property has its turn, with a system of its own. Turns become
//! longer from round to round; what a turn has learned, the next one begins with.

mod lustre;
mod story;

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_duality::{
    Answer, Domain, InductionStep, PredicateId, Predicates, PrimalDualHoudini, StateId, Transition,
    needed_steps, reach_predicates,
};
use lustral_system::{Answers, Predicate, Proof, PropId};

use crate::board::{Finding, Found, Lemma};
use crate::engine::{Engine, Stop};
use crate::failure::{Failure, Misfit, TooLarge};
use crate::learn;
use crate::model::{Inputs, is_counterexample};
use crate::portfolio::description::no_program;
use crate::portfolio::{Asks, Description, EngineOption, InvalidValue, Settles, Task};
use crate::turns::Turns;
use lustre::{Lustre, Slice};

/// The first turn of a property where others wait; each later one is twice as long.
const FIRST_TURN: Duration = Duration::from_secs(2);
/// The most states and rounds of a search.
const MOST_STATES: usize = 5_000;
const MOST_ROUNDS: usize = 500;
/// The most lemmas of the board that a turn begins with.
const MOST_SEEDS: usize = 40;

/// Why a computation ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// All is over, or another property has its turn.
    Interrupted,
    /// The solver does not know, for this reason.
    Solver(Failure),
    /// There would be too much to look at.
    TooLarge(TooLarge),
}

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Pdh::NAME,
    help: "primal-dual Houdini: Houdini on predicates learns states, its dual on states learns predicates, clauses of up to three literals",
    module: module_path!(),
    by_default: false,
    settles: Settles::Both,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: false,
    reads_candidates: true,
    options: &[&learn::TEMPLATES, &WIDTH],
    head_start: |_| None,
    again: None,
    make: |task| Ok(Box::new(Pdh::new(task))),
    reacts: None,
};

/// The options of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most clauses that one step of an incremental proof may add.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { width: 3 }
    }
}

/// The option `--width`.
static WIDTH: EngineOption = EngineOption {
    name: "width",
    value: "K",
    values: &[],
    default: Some("3"),
    help: "The most clauses that one step of an incremental proof of pdh may add, from 1 to 8",
    set: |options, value| match value.parse() {
        Ok(width @ 1..=8) => {
            options.pdh.width = width;
            Ok(())
        }
        _ => Err(InvalidValue("not a number from 1 to 8".into())),
    },
    program: no_program,
};

/// The engine `pdh`.
pub struct Pdh<'t> {
    task: &'t Task,
    /// By property: what its last turn learned.
    learned: Vec<Vec<Predicate>>,
    turns: Turns,
}

impl<'t> Pdh<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "pdh";

    /// An engine before its first turn.
    #[must_use]
    pub fn new(task: &'t Task) -> Pdh<'t> {
        let number = task.system.properties.len();
        Pdh { task, learned: vec![Vec::new(); number], turns: Turns::new(number, FIRST_TURN) }
    }

    fn is_open(&self, property: PropId) -> bool {
        self.task.board.open().contains(&property)
    }

    /// A turn of a property; why there will be no other, if so.
    fn turn(&mut self, property: PropId) -> Result<(), Stop> {
        let slice = Slice::new(&self.task.system, property);
        let domain = Lustre::new(self.task, &slice);
        let mut domain = domain.map_err(|fault| Stop::GaveUp(fault.into()))?;
        let alone = !self.turns.others_wait() && self.task.board.open().len() == 1;
        domain.set_deadline((!alone).then(|| Moment::now() + self.turns.length()));
        let seeds = self.seeds(property, &mut domain);
        let mut search = PrimalDualHoudini::new(Lustre::P0, seeds, 1);
        let outcome = self.rounds(property, &mut domain, &mut search);
        self.learned[property.index()] = domain.predicates(search.p.iter().copied());
        match outcome {
            Ok(answer) => self.settle(property, &mut domain, &search, answer),
            Err(Halt::Interrupted) => Ok(()),
            Err(Halt::Solver(failure)) => Err(Stop::GaveUp(failure)),
            Err(Halt::TooLarge(what)) => Err(Stop::GaveUp(what.into())),
        }
    }

    /// Rounds until there is an answer.
    fn rounds(
        &self,
        property: PropId,
        domain: &mut Lustre<'_>,
        search: &mut PrimalDualHoudini,
    ) -> Result<Answer, Halt> {
        let mut posted = 0;
        while self.is_open(property) && !self.task.cancel.is_cancelled() {
            // What is known to be reachable may have been met on the way.
            if domain.known.len() > MOST_STATES || search.rounds.len() > MOST_ROUNDS {
                return Err(Halt::TooLarge(TooLarge::Search));
            }
            if let Some(path) = domain.failure()? {
                return Ok(Answer::Unsafe(path));
            }
            let answer = search.round(domain)?;
            let tally = search.tally();
            tracing::debug!(property = property.0, ?tally, queries = domain.queries(), "pdh");
            if search.p_i.len() > posted && !search.p_i.contains(&Lustre::P0) {
                posted = search.p_i.len();
                self.post_lemmas(domain, &search.p_i);
            }
            match answer {
                Some(Answer::Unprovable(_)) if search.k < self.task.options.pdh.width => {
                    search.widen()
                }
                Some(answer) => return Ok(answer),
                None => {}
            }
        }
        Err(Halt::Interrupted)
    }

    /// What a turn begins with: what the last one learned, what the user
    /// suggests, and lemmas of the board.
    fn seeds(&self, property: PropId, domain: &mut Lustre<'_>) -> Predicates {
        let lemmas = self.task.board.lemmas_after(0);
        let lemmas = lemmas.iter().map(|lemma| &lemma.predicate).take(MOST_SEEDS);
        let given = self.learned[property.index()].iter().chain(self.task.candidates.iter());
        given.chain(lemmas).filter_map(|predicate| domain.give(predicate)).collect()
    }

    /// What the predicates of the search are inductive with.
    fn basis(&self, domain: &Lustre<'_>, set: impl Iterator<Item = PredicateId>) -> Vec<Predicate> {
        let terms = Arc::new(domain.slice().system.terms.clone());
        let typing = domain.slice().system.typing.iter();
        let mut basis = domain.predicates(set);
        basis.extend(typing.map(|term| Predicate { terms: terms.clone(), term: *term }));
        basis
    }

    fn post_lemmas(&self, domain: &Lustre<'_>, inductive: &Predicates) {
        let basis: Arc<[Predicate]> = self.basis(domain, inductive.iter().copied()).into();
        for predicate in basis.iter().take(inductive.len()) {
            self.task.board.post_lemma(Lemma {
                predicate: predicate.clone(),
                k: 1,
                properties: Vec::new(),
                invariants: basis.clone(),
                compression: false,
            });
        }
    }

    /// Posts an answer; why there is none, if it says so.
    fn settle(
        &self,
        property: PropId,
        domain: &mut Lustre<'_>,
        search: &PrimalDualHoudini,
        answer: Answer,
    ) -> Result<(), Stop> {
        let told = match answer {
            Answer::Safe(set) => narrowest(domain, set, search.k, self.task.options.pdh.width),
            answer => Told { width: search.k, answer, exhausted: true },
        };
        let found = match &told.answer {
            Answer::Provable(steps) => {
                let set: Predicates = steps.iter().flat_map(InductionStep::predicates).collect();
                Some(self.proof(property, domain, &set))
            }
            Answer::Safe(set) => Some(self.proof(property, domain, set)),
            Answer::Unsafe(path) => {
                let (length, inputs) =
                    execution(domain, path).map_err(|misfit| Stop::GaveUp(misfit.into()))?;
                if let Some(stop) = self.task.limits.stop_at(length.saturating_sub(1)) {
                    return Err(stop);
                }
                // The steps were found one by one; what a function gives in one of them
                // may be another value when all come together.
                if !is_counterexample(&self.task.system, property, length, &inputs) {
                    return Err(Stop::GaveUp(Misfit::Answers.into()));
                }
                Some(Found::Execution(length, inputs))
            }
            // Where a search was cut short, there may be a proof all the same.
            Answer::Unprovable(_) if !domain.is_exact() => {
                return Err(Stop::GaveUp(TooLarge::Clauses.into()));
            }
            Answer::Unprovable(_) => None,
        };
        self.task.board.post_note(property, story::tell(domain, search, &told));
        match found {
            Some(found) => {
                self.task.board.settle(Finding { property, found, engine: Pdh::NAME });
                Ok(())
            }
            // The property has no incremental proof of the width.
            None => Err(Stop::NothingLeft),
        }
    }

    fn proof(&self, property: PropId, domain: &Lustre<'_>, set: &Predicates) -> Found {
        Found::Proof(Proof::Induction {
            k: 1,
            properties: vec![property],
            invariants: self.basis(domain, set.iter().copied()),
            compression: None,
        })
    }
}

/// An answer, and what may be said of widths.
struct Told {
    width: usize,
    answer: Answer,
    /// Of an invariant: whether it is known that no proof from its predicates has the width.
    exhausted: bool,
}

/// The narrowest incremental proof of the property from the predicates of an
/// inductive invariant, if there is one up to a width. The answer waits for it: how long, the domain
/// has decided when it was told that there is an invariant.
fn narrowest(domain: &mut Lustre<'_>, set: Predicates, from: usize, most: usize) -> Told {
    for width in from..=most {
        match reach_predicates(domain, &set, width) {
            Ok((reached, proof)) if reached.contains(&Lustre::P0) => {
                let answer = Answer::Provable(needed_steps(&proof, Lustre::P0));
                return Told { width, answer, exhausted: true };
            }
            Ok(_) => {}
            // The invariant is one, whatever else can be said of it.
            Err(_) => return Told { width, answer: Answer::Safe(set), exhausted: false },
        }
    }
    Told { width: most.max(from), answer: Answer::Safe(set), exhausted: true }
}

/// The execution along some states.
fn execution(domain: &Lustre<'_>, path: &[StateId]) -> Result<(usize, Inputs), Misfit> {
    let mut whole = Inputs::default();
    for (step, pair) in path.windows(2).enumerate() {
        let transition = Transition { from: Some(pair[0]), to: pair[1] };
        let inputs = domain.known.inputs(transition).ok_or(Misfit::NoExecution)?;
        whole.values.extend(inputs.values.iter().map(|((_, v), x)| ((step, *v), x.clone())));
        let Answers(answers) = &inputs.answers;
        for (division, value) in answers {
            // What is left open is a function: it cannot differ from step to step.
            if whole.answers.0.insert(division.clone(), value.clone()).is_some_and(|v| v != *value)
            {
                return Err(Misfit::Answers);
            }
        }
    }
    // A property that is remembered fails at the step before.
    let length = path.len() - usize::from(domain.slice().held.is_some());
    Ok((length, whole))
}

impl Engine for Pdh<'_> {
    fn name(&self) -> &'static str {
        Pdh::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        let property = match self.turns.next(&self.task.board.open()) {
            Ok(property) => property,
            Err(stop) => return Some(stop),
        };
        if let Err(stop) = self.turn(property) {
            self.turns.end(property, stop);
        }
        None
    }
}
