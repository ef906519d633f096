//! Structural abstraction and refinement (Hagen and Tinelli, 3.3): bounded model
//! checking and induction on a part of the equations, to which others are added
//! when a counterexample turns out to be spurious (counterexample-guided
//! abstraction refinement, CEGAR).
//!
//! With fewer equations there are more executions, so what holds of all of them
//! holds of the program's own: "no counterexample" needs no second look. A
//! counterexample does: it is real only if all equations allow it. Path
//! compression is not combined with this: states that differ only in memories
//! that were cut away would have to count as different, and do not show.

mod equations;
mod paths;
mod unrolling;

use std::sync::Arc;

use lustral_smt::{Fault, Outcome, Session};
use lustral_system::{Predicate, Proof, PropId};
use lustral_term::{TermId, Value, VarId};

use crate::board::{Finding, Found};
use crate::engine::{Engine, Stop};
use crate::failure::{Failure, Misfit};
use crate::model::{Inputs, Model};
use crate::portfolio::{Asks, Description, Settles, Task};
use crate::unroll::{Start, Unroller};
use equations::Equations;
use unrolling::Unrolling;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Abstraction::NAME,
    help: "both cases of k-induction on a part of the equations, refined by spurious counterexamples",
    module: module_path!(),
    by_default: false,
    settles: Settles::Both,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: true,
    reads_candidates: false,
    options: &[],
    head_start: |_| None,
    again: None,
    make: |task| Ok(Box::new(Abstraction::new(task)?)),
    reacts: None,
};

/// The engine `abstraction`: induction and its base case, on abstractions.
pub struct Abstraction<'t> {
    task: &'t Task,
    equations: Equations,
    /// By variable: whether its equation is part of the abstraction.
    active: Vec<bool>,
    base: Side<'t>,
    step: Side<'t>,
    hypotheses: Vec<TermId>,
    typing: Vec<Predicate>,
}

/// The base or the step case: the abstraction, and the whole system to compare.
struct Side<'t> {
    partial: Unrolling,
    whole: Unroller<'t>,
    session: Box<dyn Session>,
}

/// What became of a counterexample of the abstraction.
enum Judgement {
    /// The whole system has it too.
    Real(Model),
    /// It has not; some equations were added.
    Refined,
}

impl<'t> Abstraction<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "abstraction";

    /// An engine before its first step.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Abstraction<'t>, Fault> {
        let equations = Equations::split(&task.system);
        let system = &equations.system;
        let mut active = vec![false; system.variables.len()];
        let own = system.terms.variables(system.properties.iter().map(|p| p.term));
        for var in own {
            active[var.index()] = equations.has_equation(var);
        }
        // The flag of the first step is what "initial" means.
        for (id, variable) in system.variables() {
            if variable.origin == lustral_system::Origin::First {
                active[id.index()] = true;
            }
        }
        let side = |start| -> Result<Side<'t>, Fault> {
            Ok(Side {
                partial: Unrolling::new(task, start)?,
                whole: Unroller::new(&task.system, start),
                session: task.session_for("step")?,
            })
        };
        let (base, mut step) = (side(Start::Initial)?, side(Start::Anywhere)?);
        let hypotheses = task.system.properties.iter().map(|_| step.partial.literal()).collect();
        let terms = Arc::new(task.system.terms.clone());
        let of = |term: &TermId| Predicate { terms: terms.clone(), term: *term };
        let typing = task.system.typing.iter().map(of).collect();
        let mut engine = Abstraction { task, equations, active, base, step, hypotheses, typing };
        engine.step.extend(&engine.equations, &engine.active);
        Ok(engine)
    }

    /// The base case at a step: no open property fails there, or is settled.
    fn falsify(&mut self, step: usize) -> Result<(), Failure> {
        self.base.extend(&self.equations, &self.active);
        loop {
            let open = self.task.board.open();
            let Some(literal) = self.base.some_fails(&self.equations, step, &open) else {
                return Ok(());
            };
            let assumptions = [literal];
            match self.base.check(&assumptions) {
                Outcome::Unsat => return Ok(()),
                Outcome::Unknown(reason) => return Err(reason.into()),
                Outcome::Sat => {}
            }
            if let Judgement::Real(model) = self.judge(Case::Base, step, &open)? {
                self.refute(step, &open, &model)?;
            }
        }
    }

    fn refute(&mut self, step: usize, open: &[PropId], model: &Model) -> Result<(), Failure> {
        let failing = self.base.failing(self.task, step, open, model);
        if failing.is_empty() {
            return Err(Misfit::NoCounterexample.into());
        }
        for property in failing {
            let found = Found::Execution(step + 1, model.inputs.clone());
            self.task.board.settle(Finding { property, found, engine: Abstraction::NAME });
        }
        Ok(())
    }

    /// The largest set of properties that is k-inductive by itself.
    fn inductive(&mut self, k: usize, mut set: Vec<PropId>) -> Result<Vec<PropId>, Failure> {
        while !set.is_empty() {
            let Some(literal) = self.step.some_fails(&self.equations, k, &set) else { break };
            let mut assumptions: Vec<TermId> =
                set.iter().map(|p| self.hypotheses[p.index()]).collect();
            assumptions.push(literal);
            match self.step.check(&assumptions) {
                Outcome::Unsat => break,
                Outcome::Unknown(reason) => return Err(reason.into()),
                Outcome::Sat => {}
            }
            if let Judgement::Real(model) = self.judge(Case::Step, k, &set)? {
                let failing = self.step.failing(self.task, k, &set, &model);
                if failing.is_empty() {
                    return Err(Misfit::NoCounterexample.into());
                }
                for property in &failing {
                    self.hint(*property, k, &model.inputs);
                }
                set.retain(|p| !failing.contains(p));
            }
        }
        Ok(set)
    }

    fn hint(&self, property: PropId, k: usize, inputs: &Inputs) {
        self.task.board.post_counterexample_to_induction(property, k, inputs);
    }

    /// Asks the whole system for the counterexample that the abstraction has
    /// just found; if there is none, refines the abstraction.
    fn judge(&mut self, case: Case, step: usize, set: &[PropId]) -> Result<Judgement, Failure> {
        let side = match case {
            Case::Base => &mut self.base,
            Case::Step => &mut self.step,
        };
        let model = side.partial.model()?;
        let core = match side.compare(self.task, &self.equations, step, set, case, &model)? {
            Ok(real) => return Ok(Judgement::Real(real)),
            Err(core) => core,
        };
        let added = self.choose(&core);
        if added.is_empty() {
            return Err(Misfit::Contradiction.into());
        }
        for var in added {
            self.active[var.index()] = true;
            self.base.partial.activate(&self.equations, var);
            self.step.partial.activate(&self.equations, var);
        }
        Ok(Judgement::Refined)
    }

    /// The equations to add: a path from a variable of the core to an input;
    /// failing that, from any variable that is not completely defined.
    fn choose(&self, core: &[VarId]) -> Vec<VarId> {
        let path = |var: &VarId| paths::path(&self.equations, &self.active, *var);
        let found = core.iter().map(path).find(|p| !p.is_empty());
        let all = || {
            let system = &self.equations.system;
            let ids = system.variables().map(|(id, _)| id);
            ids.filter(|v| self.equations.has_equation(*v) && !self.active[v.index()])
                .find(|v| !self.equations.uses[v.index()].is_empty() || is_live(system, *v))
                .map(|v| vec![v])
        };
        found.or_else(all).unwrap_or_default()
    }

    /// How many equations the abstraction has, and how many there are.
    fn size(&self) -> (usize, usize) {
        let system = &self.equations.system;
        let parts = (0..system.variables.len()).map(|i| VarId(i as u32));
        let parts = parts
            .filter(|var| self.equations.inlined.get(var.index()).is_some_and(Option::is_some));
        let all: Vec<VarId> = system.memories.iter().map(|m| m.var).chain(parts).collect();
        (all.iter().filter(|var| self.active[var.index()]).count(), all.len())
    }

    fn settle(&self, k: usize, set: &[PropId]) {
        for property in set {
            let proof = Proof::Induction {
                k,
                properties: set.to_vec(),
                invariants: self.typing.clone(),
                compression: None,
            };
            let (property, found) = (*property, Found::Proof(proof));
            self.task.board.settle(Finding { property, found, engine: Abstraction::NAME });
        }
    }
}

/// Which case is looked at.
#[derive(Clone, Copy, PartialEq)]
enum Case {
    Base,
    Step,
}

fn is_live(system: &lustral_system::TransitionSystem, var: VarId) -> bool {
    system.memories.iter().any(|m| m.var == var)
}

impl Side<'_> {
    fn extend(&mut self, equations: &Equations, active: &[bool]) {
        self.partial.extend(equations, active);
        for fact in self.whole.extend() {
            self.session.assert(&self.whole.terms, fact);
        }
    }

    fn check(&mut self, assumptions: &[TermId]) -> Outcome {
        self.partial.session.check(&self.partial.terms, assumptions)
    }

    /// A literal for "one of these fails at this step"; none if none can.
    fn some_fails(&mut self, equations: &Equations, step: usize, set: &[PropId]) -> Option<TermId> {
        let system = &equations.system;
        let mut fails = Vec::new();
        for property in set {
            let holds = self.partial.at(system, step, system.property(*property).term);
            fails.push(self.partial.terms.not(holds));
        }
        let some = self.partial.terms.or(fails);
        if some == lustral_term::Terms::FALSE {
            return None;
        }
        let literal = self.partial.literal();
        let fact = self.partial.terms.implies(literal, some);
        self.partial.assert(fact);
        Some(literal)
    }

    /// Which properties fail at a step in a model of the whole system.
    fn failing(&mut self, task: &Task, step: usize, set: &[PropId], model: &Model) -> Vec<PropId> {
        let terms: Vec<TermId> =
            set.iter().map(|p| self.whole.at(step, task.system.property(*p).term)).collect();
        let mut evaluation = model.evaluator(&self.whole.terms);
        let fails = |(_, term): &(&PropId, TermId)| !evaluation.eval(*term).is_true();
        set.iter().zip(terms).filter(fails).map(|(p, _)| *p).collect()
    }

    /// Whether the whole system has a counterexample with the values of a
    /// model of the abstraction; if not, the variables of a core.
    fn compare(
        &mut self,
        task: &Task,
        equations: &Equations,
        step: usize,
        set: &[PropId],
        case: Case,
        model: &[(usize, VarId, Value)],
    ) -> Result<Result<Model, Vec<VarId>>, Failure> {
        let mut assumptions = Vec::with_capacity(model.len() + 1);
        let mut meaning: Vec<(TermId, VarId)> = Vec::with_capacity(model.len());
        let goal = self.goal(task, step, set, case);
        assumptions.push(goal);
        for (at, var, value) in model {
            let term = match equations.inlined.get(var.index()).copied().flatten() {
                Some(inlined) => self.whole.at(*at, inlined),
                None => match self.whole.variable(*at, *var) {
                    Some(term) => term,
                    None => continue,
                },
            };
            let constant = self.whole.terms.constant(value.clone());
            let equal = self.whole.terms.eq(term, constant);
            let literal = self.whole.literal();
            let fact = self.whole.terms.implies(literal, equal);
            self.session.assert(&self.whole.terms, fact);
            assumptions.push(literal);
            meaning.push((literal, *var));
        }
        for fact in self.whole.due() {
            self.session.assert(&self.whole.terms, fact);
        }
        match self.session.check(&self.whole.terms, &assumptions) {
            Outcome::Unknown(reason) => Err(reason.into()),
            Outcome::Sat => {
                let model = Model::read(&mut *self.session, &self.whole);
                Ok(Ok(model?))
            }
            Outcome::Unsat => {
                let core = self.session.core();
                let used = meaning.iter().filter(|(literal, _)| core.contains(literal));
                Ok(Err(used.map(|(_, var)| *var).collect()))
            }
        }
    }

    /// A literal of the whole system: one of the properties fails at the last
    /// step, and in the step case all hold at those before.
    fn goal(&mut self, task: &Task, step: usize, set: &[PropId], case: Case) -> TermId {
        let mut parts = Vec::new();
        let mut fails = Vec::new();
        for property in set {
            let term = task.system.property(*property).term;
            let holds = self.whole.at(step, term);
            fails.push(self.whole.terms.not(holds));
            if case == Case::Step {
                parts.extend((0..step).map(|earlier| self.whole.at(earlier, term)));
            }
        }
        parts.push(self.whole.terms.or(fails));
        let all = self.whole.terms.and(parts);
        let literal = self.whole.literal();
        let fact = self.whole.terms.implies(literal, all);
        for fact in self.whole.due().into_iter().chain([fact]) {
            self.session.assert(&self.whole.terms, fact);
        }
        literal
    }
}

impl Engine for Abstraction<'_> {
    fn name(&self) -> &'static str {
        Abstraction::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        let k = self.step.partial.len();
        if let Some(stop) = self.task.limits.stop_at(k) {
            return Some(stop);
        }
        if self.task.board.open().is_empty() {
            return Some(Stop::Done);
        }
        if let Err(reason) = self.falsify(k - 1) {
            return Some(Stop::GaveUp(reason));
        }
        let open = self.task.board.open();
        let (active, all) = self.size();
        tracing::debug!(k, active, all, "equations of the abstraction");
        self.task.board.post_depth(&open, k);
        for property in &open {
            let system = &self.equations.system;
            let holds = self.step.partial.at(system, k - 1, system.property(*property).term);
            let hypothesis = self.hypotheses[property.index()];
            let fact = self.step.partial.terms.implies(hypothesis, holds);
            self.step.partial.assert(fact);
        }
        self.step.extend(&self.equations, &self.active);
        match self.inductive(k, open) {
            Ok(set) => self.settle(k, &set),
            Err(reason) => return Some(Stop::GaveUp(reason)),
        }
        None
    }
}
