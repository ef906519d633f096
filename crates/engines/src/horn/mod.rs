//! Horn clauses: a property and what it depends on as clauses over one
//! predicate, solved by Z3's Spacer in worker processes.
//!
//! Spacer's word counts for nothing by itself. An invariant is read back and
//! checked by a session of our own before it is posted; for a derivation an
//! execution is sought. A worker that crashes, hangs or talks nonsense has said
//! nothing.
//!
//! Each open property has its turn; turns become longer from round to round.
//! Lemmas of the board strengthen the clauses of the turns that begin after
//! them, and what is found becomes lemmas in turn.

mod answer;
mod attempt;
mod execution;

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::{self, Moment};
use lustral_horn::{Flat, z3_rules};
use lustral_smt::horn::{HornAnswer, Unsolved};
use lustral_smt::{Fault, WorkerCommand};
use lustral_system::{Predicate, Proof, PropId, TransitionSystem, Unsupported};
use lustral_term::Terms;

use crate::basis::Basis;
use crate::board::{Finding, Found, Lemma};
use crate::engine::{Engine, Stop};
use crate::failure::{Failure, Flaw};
use crate::portfolio::{Asks, Description, Settles, Task};
use crate::turns::Turns;
use crate::validate::validate;
use attempt::Attempt;
pub use attempt::{COMMON, MEMORY};

/// The first turn of a property takes this long, each later one twice as long.
const FIRST_TURN: Duration = Duration::from_secs(1);

/// How long workers work before others have their turn.
const SLICE: Duration = Duration::from_millis(100);

/// The least time to look for a shorter execution than that of a derivation.
const SHORTEN: Duration = Duration::from_secs(1);

/// The flattened clauses of a property, in Z3's dialect.
///
/// # Errors
/// If something that the property depends on is not linear.
pub fn horn_clauses(system: &TransitionSystem, property: PropId) -> Result<String, Unsupported> {
    Ok(z3_rules(&Flat::new(system, property, &[])?.clauses, false))
}

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Horn::NAME,
    help: "the slice of each property as Horn clauses over one predicate, solved by Z3's Spacer in worker processes; its invariants are validated, its derivations become executions",
    module: module_path!(),
    by_default: true,
    settles: Settles::Both,
    asks: Asks::Workers,
    quick: false,
    extends_depths: false,
    reads_candidates: false,
    options: &[],
    head_start: |_| {
        // What others settle at once is not worth a process.
        Some(Duration::from_millis(100))
    },
    again: Some(2),
    make: |task| Ok(Box::new(Horn::new(task)?)),
    reacts: None,
};

/// The engine `horn`.
pub struct Horn<'t> {
    task: &'t Task,
    worker: WorkerCommand,
    turns: Turns,
}

/// How a turn ended.
enum Turn {
    /// With something on the board, or because somebody else was faster.
    Settled,
    /// The time was up.
    Over,
    /// No worker will ever say more.
    Ended(Stop),
}

impl<'t> Horn<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "horn";

    /// An engine before its first turn.
    ///
    /// # Errors
    /// If there is no worker to start.
    pub fn new(task: &'t Task) -> Result<Horn<'t>, Fault> {
        let missing = || Fault::Start("a worker".into(), "its program is not known".into());
        let worker = task.sessions.worker.clone().ok_or_else(missing)?;
        let turns = Turns::new(task.system.properties.len(), FIRST_TURN);
        Ok(Horn { task, worker, turns })
    }

    fn is_open(&self, property: PropId) -> bool {
        self.task.board.open().contains(&property)
    }

    /// Why a property has no other turn once all workers have ended.
    fn no_more(&self, failures: Vec<Failure>) -> Stop {
        let level = Failure::Unsolved(Unsolved::LevelLimit);
        if !failures.is_empty() && failures.iter().all(|failure| *failure == level) {
            return self.task.limits.reached();
        }
        Stop::NoAnswer(Failure::Workers(failures))
    }

    /// Whether the turn of a property must end: others wait, or new lemmas do.
    fn over(&self, attempt: &Attempt, known: usize) -> bool {
        let news = || self.task.board.lemmas_after(known);
        attempt.elapsed() >= self.turns.length()
            && (self.turns.others_wait() || news().iter().any(|lemma| attempt.can_use(lemma)))
    }

    /// A turn that is the same in every run: its workers one after the other,
    /// each to its end or as far as its work may go.
    fn counted_turn(&mut self, property: PropId) -> Turn {
        let lemmas = self.task.board.lemmas_after(0);
        let mut attempt = match Attempt::new(self.task, property, &lemmas) {
            Ok(attempt) => attempt,
            Err(why) => return Turn::Ended(Stop::Declined(why)),
        };
        let mut failures: Vec<Failure> = Vec::new();
        while let Some(answer) = attempt.next_counted(self.task, &self.worker, self.turns.length())
        {
            match self.hear(&attempt, &answer) {
                Ok(()) => return Turn::Settled,
                Err(failure) => {
                    tracing::info!(property = property.0, %failure, "horn: no answer");
                    failures.push(failure);
                }
            }
            schedule::pause();
            if !self.is_open(property) {
                return Turn::Settled;
            }
        }
        // More work is of use where it was not enough.
        if failures.contains(&Failure::Unsolved(Unsolved::WorkLimit)) {
            return Turn::Over;
        }
        Turn::Ended(self.no_more(failures))
    }

    fn turn(&mut self, property: PropId) -> Turn {
        if schedule::is_counted() {
            return self.counted_turn(property);
        }
        let lemmas = self.task.board.lemmas_after(0);
        let mut attempt = match Attempt::new(self.task, property, &lemmas) {
            Ok(attempt) => attempt,
            Err(why) => return Turn::Ended(Stop::Declined(why)),
        };
        let mut failures: Vec<Failure> = Vec::new();
        let mut slice = Moment::now();
        while self.is_open(property) && !self.task.cancel.is_cancelled() {
            if let Err(fault) = attempt.start_due(self.task, &self.worker) {
                return Turn::Ended(self.no_more(vec![fault.into()]));
            }
            if let Some(answer) = attempt.poll() {
                match self.hear(&attempt, &answer) {
                    Ok(()) => return Turn::Settled,
                    Err(failure) => {
                        tracing::info!(property = property.0, %failure, "horn: no answer");
                        failures.push(failure);
                    }
                }
            }
            if slice.elapsed() >= SLICE {
                attempt.pause();
                slice = Moment::now();
            }
            if attempt.exhausted() {
                return Turn::Ended(self.no_more(failures));
            }
            if self.over(&attempt, lemmas.len()) {
                return Turn::Over;
            }
        }
        Turn::Settled
    }

    /// Makes of an answer what can be made of it; why not, if nothing.
    fn hear(&self, attempt: &Attempt, answer: &HornAnswer) -> Result<(), Failure> {
        let (system, state) = (&self.task.system, &attempt.flat.state);
        match answer {
            HornAnswer::Unknown(reason) => Err(reason.clone().into()),
            HornAnswer::Invariant(text) => {
                let conjuncts = answer::invariant(text, system, state);
                // Where the query has no instance at all, Z3 does not look for
                // an invariant and gives an unfolding of the clauses, with
                // quantifiers. Then none is needed.
                let trivial = |unreadable: Flaw| {
                    self.prove(attempt, Vec::new()).map_err(|_| unreadable.into())
                };
                conjuncts.map_or_else(trivial, |conjuncts| self.prove(attempt, conjuncts))
            }
            HornAnswer::Derivation(text) => {
                let derivation = answer::derivation(text, system, state);
                let deadline = Moment::now() + SHORTEN.max(attempt.elapsed() / 2);
                let known = self.task.board.depth_of(attempt.property);
                let property = attempt.property;
                let (length, inputs) =
                    execution::execution(self.task, property, &derivation, state, known, deadline)?;
                self.settle(property, Found::Execution(length, inputs));
                Ok(())
            }
        }
    }

    fn settle(&self, property: PropId, found: Found) {
        self.task.board.settle(Finding { property, found, engine: Horn::NAME });
    }

    /// Posts a proof with the conjuncts of an invariant, if it is one.
    fn prove(&self, attempt: &Attempt, conjuncts: Vec<Predicate>) -> Result<(), Failure> {
        let Attempt { property, typing, lemmas, .. } = attempt;
        let used = validate(self.task, *property, &conjuncts, typing, lemmas)?;
        let used: Vec<&Arc<Lemma>> = used.into_iter().map(|i| &lemmas[i]).collect();
        let invariants = typing.iter().chain(&conjuncts).cloned().collect();
        let mut whole = Basis::new(1, invariants);
        used.into_iter().for_each(|lemma| whole.unite(lemma));
        let mut proof = whole.clone();
        proof.add(*property);
        let Basis { k, properties, invariants, .. } = proof.clone();
        let found = Proof::Induction { k, properties, invariants, compression: None };
        self.settle(*property, Found::Proof(found));
        let terms = Arc::new(self.task.system.terms.clone());
        let term = self.task.system.property(*property).term;
        self.task.board.post_lemma(proof.lemma(Predicate { terms, term }));
        let whole = whole.lemma(Predicate { terms: Arc::default(), term: Terms::TRUE });
        for predicate in conjuncts {
            self.task.board.post_lemma(Lemma { predicate, ..whole.clone() });
        }
        Ok(())
    }
}

impl Engine for Horn<'_> {
    fn name(&self) -> &'static str {
        Horn::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        let property = match self.turns.next(&self.task.board.open()) {
            Ok(property) => property,
            Err(stop) => return Some(stop),
        };
        match self.turn(property) {
            Turn::Settled | Turn::Over => {}
            Turn::Ended(stop) => self.turns.end(property, stop),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use lustral_system::Reason;
    use lustral_term::Sort;

    use super::*;
    use crate::learn::tests::Builder;
    use crate::portfolio::{EngineChoice, start};

    #[test]
    fn a_product_is_declined_and_no_solver_is_blamed() {
        let mut builder = Builder::default();
        let (x, y) = (builder.input(Sort::Int), builder.input(Sort::Int));
        let terms = &mut builder.system.terms;
        let (product, zero) = (terms.mul(x, y), terms.int(0));
        let positive = terms.le(zero, product);
        builder.property(positive);
        let mut task = builder.task();
        let program = "no worker is started".into();
        task.sessions.worker = Some(WorkerCommand { program, args: Vec::new() });
        let running = start(&task, &[EngineChoice(&ENGINE)]);
        while !task.board.is_idle() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let (_, reason) = running.finish().pop().expect("it stays open");
        assert_eq!(reason, Reason::Declined { engine: "horn".into(), why: Unsupported::Nonlinear });
        assert_eq!(reason.code(), "declined");
    }
}
