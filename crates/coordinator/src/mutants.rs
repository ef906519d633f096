//! Whether the proved properties of a program notice that it was changed (mutation analysis).
//!
//! A mutant is judged by what is known first: the executions that others failed on, run again, and
//! then the proofs of the program, as they are. Only what neither settles is given to the engines, for a short time
//! (so it is *incremental*: most mutants fail as others did, or do not matter to the proof at all). That a property fails
//! of a mutant is said of an execution that the interpreter has replayed, that all hold, of proofs that passed their
//! check: both are about the mutant as it came from its own text.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{Answer, Checked, ProofChecker, Replay, Unit};
use lustral_system::{
    Certificate, Goal, Origin, Predicate, Proof, PropId, Role, States, Trace, TransitionSystem,
};
use lustral_term::{Evaluator, Terms, Translation, Value, VarId};

use crate::event::Event;
use crate::options::{Options, Pace};
use crate::run::{Job, Run};
use crate::survey::Assertions;

/// What becomes of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// A property fails that holds of the program.
    Killed(PropId),
    /// Its assertions leave no execution, which every check says.
    Vacuous,
    /// All properties hold that hold of the program.
    Survived,
    /// Neither was found out.
    Undecided,
}

/// How long the known proofs are tried on a mutant.
const AGAIN: Duration = Duration::from_secs(2);
/// How long the engines look at it.
const LONGEST: Duration = Duration::from_secs(1);
/// So many executions are kept, those that mutants failed on last.
const MOST_EXECUTIONS: usize = 24;

/// What is known of a program whose mutants are judged.
pub struct MutantSearch {
    unit: Arc<Unit>,
    proved: Vec<(PropId, Certificate)>,
    options: Options,
    cancel: Cancel,
    /// What mutants failed on, the last first.
    executions: Mutex<VecDeque<Arc<Execution>>>,
}

/// An execution of a mutant.
struct Execution {
    unit: Arc<Unit>,
    trace: Trace,
}

impl MutantSearch {
    /// For a unit in which nothing is cut, and what was proved of it.
    #[must_use]
    pub fn new(
        unit: Arc<Unit>,
        answers: &[Checked<Answer>],
        options: &Options,
        cancel: Cancel,
    ) -> MutantSearch {
        let proof = |answer: &Checked<Answer>| match answer.get() {
            Answer::Valid(proof) => Some((answer.property(), proof.clone())),
            _ => None,
        };
        let is_claim = |id: &PropId| unit.system.property(*id).goal == Goal::Always;
        let mut proved: Vec<_> = answers.iter().filter_map(proof).collect();
        proved.retain(|(id, _)| is_claim(id));
        proved.sort_by_key(|(id, _)| *id);
        let options = Options { explain: false, minimise: false, ..options.clone() };
        let executions = Mutex::default();
        MutantSearch { unit, proved, options, cancel, executions }
    }

    /// The properties that may notice something.
    pub fn properties(&self) -> impl ExactSizeIterator<Item = PropId> + '_ {
        self.proved.iter().map(|(id, _)| *id)
    }

    /// What becomes of a mutant: the same node, with the same properties, of a program with a change.
    #[must_use]
    pub fn judge(&self, mutant: &Arc<Unit>) -> Fate {
        if let Some(property) = self.killed_by_known(mutant) {
            return Fate::Killed(property);
        }
        let open = self.without_proof(mutant);
        if open.is_empty() {
            return Fate::Survived;
        }
        let system = &mutant.system;
        let blocks = || Assertions::survey(system, &self.options, &self.cancel);
        if !system.constraints.is_empty() && blocks() == Assertions::BlockAt(0) {
            return Fate::Vacuous;
        }
        self.searched(mutant, &open)
    }

    /// The property that fails in an execution that another mutant failed on.
    fn killed_by_known(&self, mutant: &Arc<Unit>) -> Option<PropId> {
        let known: Vec<Arc<Execution>> = self.lock().iter().cloned().collect();
        known.iter().enumerate().find_map(|(position, execution)| {
            let (property, trace) = self.failing(mutant, execution)?;
            let replay = Replay::new(mutant.context(), trace).ok()?;
            replay.check(&mutant.system, property).ok()?;
            let mut list = self.lock();
            list.swap(0, position);
            Some(property)
        })
    }

    /// The first of the properties to fail when a mutant runs on the inputs and choices of an execution, with what
    /// happens up to there. It is a guess: what the mutant leaves open may be something else than what the other did.
    fn failing(&self, mutant: &Unit, known: &Execution) -> Option<(PropId, Trace)> {
        let system = &mutant.system;
        let there = Translated::new(system, &known.unit.system);
        let free = |step: usize, var: VarId| match there.of(var) {
            Some(other) => known.trace.value(step, other).clone(),
            None => system.plain(var),
        };
        let answers = known.trace.answers.clone();
        let mut trace = Trace::run(system, known.trace.len(), answers, free);
        let found = (0..trace.len()).find_map(|step| {
            let mut evaluator = Evaluator::new(&system.terms, &trace.answers);
            let values = &trace.steps[step];
            let mut is =
                |term| evaluator.eval(term, |var| values[var.index()].clone()) == Value::Bool(true);
            if !system.constraints.iter().all(|c| is(c.term)) {
                return Some(None);
            }
            let failed = self.properties().find(|id| !is(system.property(*id).term));
            failed.map(|id| Some((id, step)))
        });
        let (property, step) = found??;
        trace.steps.truncate(step + 1);
        Some((property, trace))
    }

    /// The properties whose proofs are none of the mutant.
    fn without_proof(&self, mutant: &Unit) -> Vec<PropId> {
        // A clock that counts work knows no other.
        let until = (self.options.pace != Pace::Counted).then(|| Instant::now() + AGAIN);
        let cancel = self.cancel.child_until(until.or_else(|| self.cancel.deadline()));
        let proofs = ProofChecker::new(&cancel);
        let Ok(mut proofs) = proofs else { return self.properties().collect() };
        let here = Translated::new(&self.unit.system, &mutant.system);
        let mut holds = |id: PropId, proof: &Certificate| {
            let moved = here.certificate(proof);
            moved.is_some_and(|proof| proofs.check(&mutant.system, id, proof).is_ok())
        };
        let open = self.proved.iter().filter(|(id, proof)| !holds(*id, proof));
        open.map(|(id, _)| *id).collect()
    }

    /// Has the engines look at some properties of a mutant.
    fn searched(&self, mutant: &Arc<Unit>, open: &[PropId]) -> Fate {
        let properties = open.iter().map(|id| mutant.properties[id.index()].clone()).collect();
        let unit = Arc::new(Unit::cut(&mutant.kernel, mutant.tree.clone(), properties));
        let job = Job {
            unit: unit.clone(),
            cut: None,
            // Its executions are replayed here, and nobody asks what its proofs rest on.
            partial: true,
            lemmas: Vec::new(),
            store: None,
            patience: Some(self.patience()),
            cancel: self.cancel.child(),
        };
        let mut proved = 0;
        for event in Run::start(job, &self.options) {
            match event {
                Event::Checked(result) => {
                    let is_proof =
                        |answer: &Checked<Answer>| matches!(answer.get(), Answer::Valid(_));
                    proved += usize::from(result.answer.as_ref().is_ok_and(is_proof));
                }
                Event::Execution(found) => {
                    let replay = Replay::new(unit.context(), found.trace.clone());
                    let checked = replay.and_then(|r| r.check(&unit.system, found.property));
                    if checked.is_err() {
                        return Fate::Undecided;
                    }
                    let mut list = self.lock();
                    list.push_front(Arc::new(Execution { unit: unit.clone(), trace: found.trace }));
                    list.truncate(MOST_EXECUTIONS);
                    return Fate::Killed(open[found.property.index()]);
                }
                Event::Ended(_) | Event::Progress(_) => {}
                Event::Broken(_) => return Fate::Undecided,
            }
        }
        if proved == open.len() { Fate::Survived } else { Fate::Undecided }
    }

    /// The time for the engines, or a quarter of what is left.
    fn patience(&self) -> Duration {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now()) / 4;
        self.cancel.deadline().map_or(LONGEST, |deadline| left(deadline).min(LONGEST))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<Execution>>> {
        self.executions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The variables of a system as those of another that is nearly the same, by what they are in the program. Nothing
/// rests on it: what is said with it is checked.
struct Translated {
    to: Vec<Option<VarId>>,
}

impl Translated {
    fn new(from: &TransitionSystem, to: &TransitionSystem) -> Translated {
        let role = |role: Role| std::mem::discriminant(&role);
        let same = |a: VarId, b: VarId| {
            let (a, b) = (from.variable(a), to.variable(b));
            a.origin == b.origin && a.sort == b.sort && role(a.role) == role(b.role)
        };
        let named = |origin: Origin| !matches!(origin, Origin::Kernel { .. } | Origin::Auxiliary);
        let by_origin: rustc_hash::FxHashMap<Origin, VarId> =
            to.variables().filter(|(_, v)| named(v.origin)).map(|(id, v)| (v.origin, id)).collect();
        let place = |(id, variable): (VarId, &lustral_system::Variable)| {
            if id.index() < to.variables.len() && same(id, id) {
                return Some(id);
            }
            by_origin.get(&variable.origin).copied().filter(|other| same(id, *other))
        };
        Translated { to: from.variables().map(place).collect() }
    }

    fn of(&self, var: VarId) -> Option<VarId> {
        self.to.get(var.index()).copied().flatten()
    }

    fn predicate(&self, known: &Predicate) -> Option<Predicate> {
        let (mut terms, mut lost) = (Terms::new(), false);
        let mut translation = Translation::new();
        let term = translation.apply(&known.terms, &mut terms, known.term, |terms, var, sort| {
            let other = self.of(var);
            lost |= other.is_none();
            terms.variable(other.unwrap_or(var), sort)
        });
        (!lost).then(|| Predicate { terms: Arc::new(terms), term })
    }

    /// A proof about the one system as one that may be about the other. Invariants that say nothing of it are left out.
    fn certificate(&self, known: &Certificate) -> Option<Certificate> {
        let proof = match &known.proof {
            Proof::Induction { k, properties, invariants, compression } => Proof::Induction {
                k: *k,
                properties: properties.clone(),
                invariants: invariants.iter().filter_map(|p| self.predicate(p)).collect(),
                compression: match compression {
                    Some(states) => Some(self.states(states)?),
                    None => None,
                },
            },
            Proof::Exhausted { steps, states } => {
                Proof::Exhausted { steps: *steps, states: self.states(states)? }
            }
        };
        Some(Certificate { proof })
    }

    fn states(&self, known: &States) -> Option<States> {
        let memories: Option<Vec<VarId>> = known.memories.iter().map(|var| self.of(*var)).collect();
        let facts: Option<Vec<Predicate>> = known.facts.iter().map(|f| self.predicate(f)).collect();
        Some(States { memories: memories?, facts: facts? })
    }
}
