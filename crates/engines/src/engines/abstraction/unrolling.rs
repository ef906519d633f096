//! The unrolling of an abstraction: every variable of every step is a variable,
//! and the equations that are active relate them.

use lustral_smt::{Fault, Session};
use lustral_system::{Role, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Translation, Value, VarId};

use super::equations::Equations;
use crate::task::Task;
use crate::unroll::Start;

/// Steps of an abstraction in a session.
pub(super) struct Unrolling {
    pub session: Box<dyn Session>,
    pub terms: Terms,
    start: Start,
    steps: Vec<PartialStep>,
    variables: u32,
}

#[derive(Default)]
struct PartialStep {
    variables: Vec<Option<TermId>>,
    translation: Translation,
    /// Variables that occur since the last look.
    fresh: Vec<VarId>,
}

impl Unrolling {
    pub fn new(task: &Task, start: Start) -> Result<Unrolling, Fault> {
        let session = task.session_for("base")?;
        Ok(Unrolling { session, terms: Terms::new(), start, steps: Vec::new(), variables: 0 })
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn literal(&mut self) -> TermId {
        self.variables += 1;
        self.terms.variable(VarId(self.variables - 1), Sort::Bool)
    }

    pub fn assert(&mut self, fact: TermId) {
        self.session.assert(&self.terms, fact);
    }

    /// A term of the split system at a step.
    pub fn at(&mut self, system: &TransitionSystem, step: usize, term: TermId) -> TermId {
        let Unrolling { terms, steps, variables: count, .. } = self;
        let PartialStep { variables, translation, fresh } = &mut steps[step];
        let translated = translation.apply(&system.terms, terms, term, |terms, var, sort| {
            *variables[var.index()].get_or_insert_with(|| {
                *count += 1;
                fresh.push(var);
                terms.variable(VarId(*count - 1), sort)
            })
        });
        self.ranges(system, step);
        translated
    }

    /// Asserts the ranges of inputs that occur for the first time.
    fn ranges(&mut self, system: &TransitionSystem, step: usize) {
        for var in std::mem::take(&mut self.steps[step].fresh) {
            if let (Some(range), Some(term)) =
                (&system.variable(var).range, self.steps[step].variables[var.index()])
            {
                let fact = TransitionSystem::range_term(&mut self.terms, term, range);
                self.assert(fact);
            }
        }
    }

    /// Adds a step: constraints, typing, and the active equations.
    pub fn extend(&mut self, equations: &Equations, active: &[bool]) {
        let system = &equations.system;
        let step = self.steps.len();
        let variables = vec![None; system.variables.len()];
        self.steps.push(PartialStep { variables, ..PartialStep::default() });
        let constraints = system.constraints.iter().map(|c| c.term);
        for term in constraints.chain(system.typing.iter().copied()) {
            let fact = self.at(system, step, term);
            self.assert(fact);
        }
        for (id, _) in system.variables() {
            if active[id.index()] {
                self.equation(equations, step, id);
            }
        }
    }

    /// Adds an equation at all steps so far.
    pub fn activate(&mut self, equations: &Equations, var: VarId) {
        (0..self.steps.len()).for_each(|step| self.equation(equations, step, var));
    }

    fn equation(&mut self, equations: &Equations, step: usize, var: VarId) {
        let system = &equations.system;
        let right = match system.variable(var).role {
            Role::Defined(term) => self.at(system, step, term),
            _ => {
                let Some(memory) = system.memories.iter().find(|m| m.var == var) else { return };
                match (step, self.start) {
                    (0, Start::Initial) => self.terms.constant(memory.initial.clone()),
                    (0, Start::Anywhere) => return,
                    _ => self.at(system, step - 1, memory.next),
                }
            }
        };
        let left = self.variable(system, step, var);
        let fact = self.terms.eq(left, right);
        self.assert(fact);
    }

    fn variable(&mut self, system: &TransitionSystem, step: usize, var: VarId) -> TermId {
        let Unrolling { terms, steps, variables: count, .. } = self;
        let sort = system.variable(var).sort;
        *steps[step].variables[var.index()].get_or_insert_with(|| {
            *count += 1;
            terms.variable(VarId(*count - 1), sort)
        })
    }

    /// The values of all variables that occur, in the model of the last query.
    pub fn model(&mut self) -> Result<Vec<(usize, VarId, Value)>, Fault> {
        let mut values = Vec::new();
        for (step, known) in self.steps.iter().enumerate() {
            for (var, term) in known.variables.iter().enumerate() {
                if let Some(term) = term {
                    let value = self.session.value(&self.terms, *term)?;
                    values.push((step, VarId(var as u32), value));
                }
            }
        }
        Ok(values)
    }
}
