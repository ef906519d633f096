//! The E-solver: one step of the system in a solver session, from a state in
//! which some predicates hold to one in which others fail.

use lustral_smt::{Fault, Outcome, Session};
use lustral_system::Role;
use lustral_term::{Sort, TermId, Terms, Translation, Value, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::time::Duration;

use super::super::Halt;
use super::slice::Slice;
use super::states::State;
use crate::metered;
use crate::model::{Inputs, Model};
use crate::task::Task;
use crate::unroll::{Start, Unroller};
use lustral_duality::{PredicateId, StateId};

/// The longest that a query may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The literals of a predicate.
#[derive(Clone, Copy)]
struct Literals {
    before: TermId,
    after: TermId,
    fails: TermId,
}

/// A step from one state to another, with its inputs.
pub(crate) struct StateStep {
    pub from: State,
    pub to: State,
    pub inputs: Inputs,
}

/// The session.
pub(crate) struct Transitions<'s> {
    session: Box<dyn Session>,
    unroller: Unroller<'s>,
    memories: Vec<VarId>,
    /// From the arena of the predicates to both steps.
    translations: [Translation; 2],
    predicates: FxHashMap<PredicateId, Literals>,
    /// By state: the literals that it is the one before, and the one after.
    states: [FxHashMap<StateId, TermId>; 2],
    /// By bound: the literal that says that numbers are no larger.
    small: FxHashMap<u64, TermId>,
    pub queries: usize,
}

/// What to assume in a query besides predicates.
pub(crate) enum Preference<'p> {
    Any,
    /// The state before is one of these.
    From(&'p [(StateId, &'p State)]),
    /// No number in the state before is larger than this.
    Small(u64),
}

impl<'s> Transitions<'s> {
    pub fn new(task: &Task, slice: &'s Slice) -> Result<Transitions<'s>, Fault> {
        let logic = crate::task::logic(&slice.system);
        let session = metered::open(
            &task.sessions.solver,
            logic,
            &task.sessions.options,
            &task.cancel,
            "step",
        )?;
        let mut this = Transitions {
            session,
            unroller: Unroller::new(&slice.system, Start::Anywhere),
            memories: slice.memories(),
            translations: [Translation::new(), Translation::new()],
            predicates: FxHashMap::default(),
            states: [FxHashMap::default(), FxHashMap::default()],
            small: FxHashMap::default(),
            queries: 0,
        };
        this.session.limit(Some(PATIENCE));
        let mut facts = this.unroller.extend();
        for typing in &slice.system.typing {
            facts.push(this.unroller.at(0, *typing));
        }
        // The ranges of all inputs of the first step.
        for memory in &slice.system.memories {
            let _ = this.unroller.at(0, memory.next);
        }
        facts.into_iter().for_each(|fact| this.assert(fact));
        this.assert_due();
        // An execution may end in any state that it reaches, so the second step
        // need not be possible: its constraints are left out.
        let _ = this.unroller.extend();
        Ok(this)
    }

    fn assert(&mut self, fact: TermId) {
        self.session.assert(&self.unroller.terms, fact);
    }

    fn assert_due(&mut self) {
        for fact in self.unroller.due() {
            self.assert(fact);
        }
    }

    fn imply(&mut self, literal: TermId, fact: TermId) {
        let fact = self.unroller.terms.implies(literal, fact);
        self.assert(fact);
    }

    fn predicate(&mut self, terms: &Terms, id: PredicateId, term: TermId) -> Literals {
        if let Some(known) = self.predicates.get(&id) {
            return *known;
        }
        let [first, second] = &mut self.translations;
        let before = self.unroller.translate(0, terms, term, first);
        let after = self.unroller.translate(1, terms, term, second);
        self.assert_due();
        let literals = Literals {
            before: self.unroller.literal(),
            after: self.unroller.literal(),
            fails: self.unroller.literal(),
        };
        let not = self.unroller.terms.not(after);
        self.imply(literals.before, before);
        self.imply(literals.after, after);
        self.imply(literals.fails, not);
        self.predicates.insert(id, literals);
        literals
    }

    /// The literal that the state at a step is this one.
    fn state(&mut self, step: usize, id: StateId, state: &State) -> TermId {
        if let Some(known) = self.states[step].get(&id) {
            return *known;
        }
        let mut equal = Vec::with_capacity(state.len());
        for (var, value) in self.memories.clone().into_iter().zip(state) {
            let memory = self.unroller.memory(step, var);
            let value = self.unroller.terms.constant(value.clone());
            equal.push(self.unroller.terms.eq(memory, value));
        }
        let equal = self.unroller.terms.and(equal);
        let literal = self.unroller.literal();
        self.imply(literal, equal);
        self.states[step].insert(id, literal);
        literal
    }

    /// A literal that one of some others holds.
    fn some(&mut self, list: Vec<TermId>) -> TermId {
        match list[..] {
            [only] => only,
            _ => {
                let literal = self.unroller.literal();
                let some = self.unroller.terms.or(list);
                self.imply(literal, some);
                literal
            }
        }
    }

    /// The literal that all numbers in the first state lie between -n and n.
    fn small(&mut self, n: u64) -> TermId {
        if let Some(known) = self.small.get(&n) {
            return *known;
        }
        let mut bounds = Vec::new();
        for var in self.memories.clone() {
            let memory = self.unroller.memory(0, var);
            let terms = &mut self.unroller.terms;
            let number = |n: BigInt, sort| match sort {
                Sort::Real => Value::Real(n.into()),
                _ => Value::Int(n),
            };
            let sort = terms.sort(memory);
            if sort.is_number() {
                let high = terms.constant(number(BigInt::from(n), sort));
                let low = terms.constant(number(-BigInt::from(n), sort));
                bounds.extend([terms.le(low, memory), terms.le(memory, high)]);
            }
        }
        let all = self.unroller.terms.and(bounds);
        let literal = self.unroller.literal();
        self.imply(literal, all);
        self.small.insert(n, literal);
        literal
    }

    /// Asks for a step from a state with `P` and `Q` to one with `P` and not
    /// all of `Q`. Without any, those of `P` that make it impossible.
    pub fn against(
        &mut self,
        terms: &Terms,
        p: &[(PredicateId, TermId)],
        q: &[(PredicateId, TermId)],
        preference: &Preference<'_>,
    ) -> Result<Result<StateStep, Vec<PredicateId>>, Halt> {
        let mut assumptions = Vec::new();
        let mut of_p: FxHashMap<TermId, PredicateId> = FxHashMap::default();
        for (id, term) in p {
            let literals = self.predicate(terms, *id, *term);
            for literal in [literals.before, literals.after] {
                of_p.insert(literal, *id);
                assumptions.push(literal);
            }
        }
        let mut fails = Vec::new();
        for (id, term) in q {
            let literals = self.predicate(terms, *id, *term);
            assumptions.push(literals.before);
            fails.push(literals.fails);
        }
        match preference {
            Preference::Any => {}
            Preference::From(states) => {
                let list = states.iter().map(|(id, state)| self.state(0, *id, state)).collect();
                assumptions.push(self.some(list));
            }
            Preference::Small(n) => assumptions.push(self.small(*n)),
        }
        assumptions.push(self.some(fails));
        Ok(if self.check(&assumptions)? {
            Ok(self.step()?)
        } else {
            let core = self.session.core();
            let mut used: Vec<PredicateId> =
                core.iter().filter_map(|l| of_p.get(l).copied()).collect();
            used.sort_unstable();
            used.dedup();
            Err(used)
        })
    }

    /// Asks for a step from one of some states to one of some others.
    pub fn between(
        &mut self,
        from: &[(StateId, &State)],
        to: &[(StateId, &State)],
    ) -> Result<Option<StateStep>, Halt> {
        let before = from.iter().map(|(id, state)| self.state(0, *id, state)).collect();
        let after = to.iter().map(|(id, state)| self.state(1, *id, state)).collect();
        let assumptions = [self.some(before), self.some(after)];
        Ok(if self.check(&assumptions)? { Some(self.step()?) } else { None })
    }

    fn check(&mut self, assumptions: &[TermId]) -> Result<bool, Halt> {
        self.queries += 1;
        match self.session.check(&self.unroller.terms, assumptions) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown(reason) => Err(Halt::Solver(reason.into())),
        }
    }

    /// The step of the last query's model.
    fn step(&mut self) -> Result<StateStep, Halt> {
        let fault = |f: Fault| Halt::Solver(f.into());
        let model = Model::read(&mut *self.session, &self.unroller).map_err(fault)?;
        let mut evaluation = model.evaluator(&self.unroller.terms);
        let mut state = |step| -> State {
            let memories = self.memories.iter();
            memories.map(|var| evaluation.eval(self.unroller.memory(step, *var))).collect()
        };
        let (from, to) = (state(0), state(1));
        let mut inputs = model.inputs;
        inputs.values.retain(|(step, var), _| *step == 0 && !self.memories.contains(var));
        Ok(StateStep { from, to, inputs })
    }
}

/// Whether a variable is chosen anew at each step.
pub(super) fn is_free(role: Role) -> bool {
    matches!(role, Role::Input | Role::Choice)
}
