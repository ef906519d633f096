//! The step case for candidates: k steps at which some hold, and one at which
//! others fail.
//!
//! One session serves all rounds. A candidate has two literals: one that makes
//! it a hypothesis at the first k steps, one that makes it fail at the last.
//! They are made when the candidate is first used; whoever asks says which.

use lustral_smt::{Fault, Outcome, Session};
use lustral_system::TransitionSystem;
use lustral_term::{TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

use super::oracle::Question;
use crate::failure::Failure;
use crate::model::Model;
use crate::task::Task;
use crate::unroll::{Start, Unroller};

/// The answer to a query.
pub(crate) enum Step {
    /// The goals follow from these of the hypotheses.
    Holds(Vec<TermId>),
    /// They do not.
    Fails(Box<Counterexample>),
}

/// Steps at which the hypotheses hold, and one more at which a goal fails.
pub(crate) struct Counterexample {
    model: Model,
    /// By step: the values of all memories, inputs and choices.
    steps: Vec<FxHashMap<VarId, Value>>,
}

impl Counterexample {
    /// The value of a variable at a step.
    pub fn value(&self, step: usize, var: VarId, system: &TransitionSystem) -> Value {
        self.steps[step].get(&var).cloned().unwrap_or_else(|| system.plain(var))
    }

    /// What functions that are left open give in it.
    pub fn answers(&self) -> &lustral_system::Answers {
        &self.model.inputs.answers
    }
}

/// What is asked: where hypotheses hold, and where goals fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    /// At the step of executions with this number; there are no hypotheses.
    Initiation(usize),
    /// At the step after the first so many, at which hypotheses hold.
    Induction(usize),
    /// At a step at which hypotheses hold, as they do at the step before.
    Consequence,
}

impl Case {
    /// What profiles call its queries.
    fn kind(self) -> &'static str {
        match self {
            Case::Initiation(_) => "initiation",
            Case::Induction(_) => "consecution",
            Case::Consequence => "consequence",
        }
    }

    /// The steps at which hypotheses hold, and the step at which goals fail.
    fn steps(self) -> (usize, usize) {
        match self {
            Case::Initiation(step) => (0, step),
            Case::Induction(k) => (k, k),
            Case::Consequence => (2, 1),
        }
    }
}

/// A session for step cases.
pub(crate) struct Consecution<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// From the arena of the candidates to each step.
    translations: Vec<Translation>,
    /// By candidate: the literal that makes it a hypothesis, and the one that makes it fail.
    holds: FxHashMap<TermId, TermId>,
    fails: FxHashMap<TermId, TermId>,
    /// By literal of a hypothesis: the candidate.
    candidates: FxHashMap<TermId, TermId>,
    case: Case,
    /// What holds at the steps whatever is assumed.
    background: Vec<TermId>,
    /// How many queries were asked.
    pub queries: usize,
    /// The terms in them, all together; counted only if somebody listens.
    pub terms: usize,
    /// By literal: what stands behind it.
    behind: FxHashMap<TermId, Vec<TermId>>,
}

impl<'t> Consecution<'t> {
    /// A session for one kind of question.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task, case: Case) -> Result<Consecution<'t>, Fault> {
        let start = match case {
            Case::Initiation(_) => Start::Initial,
            Case::Induction(_) | Case::Consequence => Start::Anywhere,
        };
        let mut this = Consecution {
            task,
            session: task.session_for(case.kind())?,
            unroller: Unroller::new(&task.system, start),
            translations: Vec::new(),
            holds: FxHashMap::default(),
            fails: FxHashMap::default(),
            candidates: FxHashMap::default(),
            case,
            background: Vec::new(),
            queries: 0,
            terms: 0,
            behind: FxHashMap::default(),
        };
        for step in 0..=case.steps().1 {
            let mut facts = this.unroller.extend();
            this.translations.push(Translation::new());
            for typing in &task.system.typing {
                facts.push(this.unroller.at(step, *typing));
            }
            this.background.extend(&facts);
            facts.into_iter().for_each(|fact| this.assert(fact));
            this.assert_due();
        }
        Ok(this)
    }

    fn assert(&mut self, fact: TermId) {
        self.session.assert(&self.unroller.terms, fact);
    }

    fn assert_due(&mut self) {
        for fact in self.unroller.due() {
            self.background.push(fact);
            self.assert(fact);
        }
    }

    fn at(&mut self, step: usize, terms: &Terms, candidate: TermId) -> TermId {
        self.unroller.translate(step, terms, candidate, &mut self.translations[step])
    }

    /// The literal that makes a candidate a hypothesis.
    fn holds(&mut self, terms: &Terms, candidate: TermId) -> TermId {
        if let Some(known) = self.holds.get(&candidate) {
            return *known;
        }
        let literal = self.unroller.literal();
        for step in 0..self.case.steps().0 {
            let holds = self.at(step, terms, candidate);
            let fact = self.unroller.terms.implies(literal, holds);
            self.behind.entry(literal).or_default().push(holds);
            self.assert_due();
            self.assert(fact);
        }
        self.holds.insert(candidate, literal);
        self.candidates.insert(literal, candidate);
        literal
    }

    /// The literal that makes a candidate fail.
    fn fails(&mut self, terms: &Terms, candidate: TermId) -> TermId {
        if let Some(known) = self.fails.get(&candidate) {
            return *known;
        }
        let literal = self.unroller.literal();
        let holds = self.at(self.case.steps().1, terms, candidate);
        let fails = self.unroller.terms.not(holds);
        let fact = self.unroller.terms.implies(literal, fails);
        self.behind.insert(literal, vec![fails]);
        self.assert_due();
        self.assert(fact);
        self.fails.insert(candidate, literal);
        literal
    }

    /// Whether the hypotheses make all goals hold at the last step.
    ///
    /// # Errors
    /// If the solver cannot tell.
    pub fn ask(
        &mut self,
        terms: &Terms,
        hypotheses: &[TermId],
        goals: &[TermId],
    ) -> Result<Step, Failure> {
        let holds: Vec<TermId> = hypotheses.iter().map(|h| self.holds(terms, *h)).collect();
        let fails: Vec<TermId> = goals.iter().map(|g| self.fails(terms, *g)).collect();
        let round = match fails[..] {
            [only] => only,
            _ => {
                let round = self.unroller.literal();
                let some = self.unroller.terms.or(fails);
                let query = self.unroller.terms.implies(round, some);
                self.assert(query);
                round
            }
        };
        if tracing::enabled!(tracing::Level::DEBUG) {
            self.terms += self.size(&holds, goals);
        }
        // The goal last: solvers tend to use what they see early.
        let assumptions: Vec<TermId> = holds.into_iter().chain([round]).collect();
        self.queries += 1;
        let outcome = self.session.check(&self.unroller.terms, &assumptions);
        let step = match outcome {
            Outcome::Unknown(reason) => return Err(reason.into()),
            Outcome::Unsat => {
                let core = self.session.core();
                Step::Holds(core.iter().filter_map(|l| self.candidates.get(l).copied()).collect())
            }
            Outcome::Sat => Step::Fails(Box::new(self.counterexample()?)),
        };
        if goals.len() != 1 {
            let over = self.unroller.terms.not(round);
            self.assert(over);
        }
        Ok(step)
    }

    /// What another solver would have to be asked for an abduct: candidates at
    /// the first step that make a target hold at the last, if it held before.
    pub fn question(&mut self, terms: &Terms, target: TermId, pool: &[TermId]) -> Question<'_> {
        let (hypotheses, last) = self.case.steps();
        let goal = self.at(last, terms, target);
        let candidates: Vec<TermId> = pool.iter().map(|c| self.at(0, terms, *c)).collect();
        let before: Vec<TermId> =
            (0..hypotheses).map(|step| self.at(step, terms, target)).collect();
        self.assert_due();
        let facts = self.background.iter().copied().chain(before).collect();
        Question { terms: &self.unroller.terms, facts, goal, candidates }
    }

    /// The number of terms that a query is about.
    fn size(&self, holds: &[TermId], goals: &[TermId]) -> usize {
        let fails = goals.iter().filter_map(|g| self.fails.get(g)).copied();
        let roots = holds.iter().copied().chain(fails);
        let roots = roots.filter_map(|literal| self.behind.get(&literal)).flatten().copied();
        self.unroller.terms.closure(roots).len()
    }

    fn counterexample(&mut self) -> Result<Counterexample, Fault> {
        let model = Model::read(&mut *self.session, &self.unroller)?;
        let mut steps = vec![FxHashMap::default(); self.case.steps().1 + 1];
        for ((step, var), value) in &model.inputs.values {
            steps[*step].insert(*var, value.clone());
        }
        let mut evaluation = model.evaluator(&self.unroller.terms);
        for (step, values) in steps.iter_mut().enumerate() {
            for memory in &self.task.system.memories {
                let value = evaluation.eval(self.unroller.memory(step, memory.var));
                values.insert(memory.var, value);
            }
        }
        Ok(Counterexample { model, steps })
    }
}
