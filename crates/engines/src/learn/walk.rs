//! Random walks: native steps of the system from given states.

use lustral_base::Random;
use lustral_system::{Answers, Role, TransitionSystem};
use lustral_term::{Evaluator, Interpretation, Sort, Value, VarId};
use num_bigint::BigInt;

/// Walks from a counterexample, and the steps of each.
const DETOURS: (usize, usize) = (3, 6);

/// Is shown each step.
type Show<'s> = dyn FnMut(&dyn Interpretation, &dyn Fn(VarId) -> Value) + 's;

/// A source of random steps.
pub(crate) struct Walk<'t> {
    system: &'t TransitionSystem,
    /// The inputs and choices that something depends on.
    free: Vec<VarId>,
    /// Constants to draw inputs from.
    constants: Vec<BigInt>,
    random: Random,
}

impl<'t> Walk<'t> {
    pub fn new(system: &'t TransitionSystem, seed: u64) -> Walk<'t> {
        let roots: Vec<_> = system.roots().collect();
        let is_free = |v: &VarId| matches!(system.variable(*v).role, Role::Input | Role::Choice);
        let free = system.terms.variables(roots.iter().copied()).into_iter().filter(is_free);
        let mut constants: Vec<BigInt> = [-1, 0, 1, 2].into_iter().map(BigInt::from).collect();
        for term in system.terms.closure(roots.iter().copied()) {
            if let Some(Value::Int(n)) = system.terms.value(term) {
                constants.extend([n.clone(), n - 1, n + 1]);
            }
        }
        constants.sort_unstable();
        constants.dedup();
        let random = Random::new(seed);
        Walk { system, free: free.collect(), constants, random }
    }

    fn draw(&mut self, var: VarId) -> Value {
        let variable = self.system.variable(var);
        match variable.sort {
            Sort::Bool => Value::Bool(self.random.below(2) == 0),
            Sort::Enum(e) => Value::Enum(e, self.random.below(e.size.into()) as u32),
            Sort::BitVec(shape) => Value::bit_vec(shape, self.random.pick(&self.constants).clone()),
            sort @ (Sort::Array(_) | Sort::Uninterpreted(_)) => Value::zero(sort),
            sort @ (Sort::Int | Sort::Real) => {
                let n = self.random.pick(&self.constants).clone();
                let value = match sort {
                    Sort::Real => Value::Real(n.into()),
                    _ => Value::Int(n),
                };
                match &variable.range {
                    Some(range) => Value::Int(range.pick(self.random.below(1 << 20))),
                    None => value,
                }
            }
        }
    }

    /// Takes random steps from a state, with inputs redrawn until the
    /// constraints hold; each step is shown.
    pub fn steps(
        &mut self,
        mut state: Vec<Value>,
        count: usize,
        by_zero: &dyn Interpretation,
        show: &mut Show<'_>,
    ) {
        let system = self.system;
        let mut values: Vec<Value> =
            (0..system.variables.len() as u32).map(|v| system.plain(VarId(v))).collect();
        for _ in 0..count {
            for (memory, value) in system.memories.iter().zip(&state) {
                values[memory.var.index()] = value.clone();
            }
            let mut tries = 8;
            let next = loop {
                for i in 0..self.free.len() {
                    let var = self.free[i];
                    if tries < 8 || self.random.below(3) > 0 {
                        values[var.index()] = self.draw(var);
                    }
                }
                let mut evaluator = Evaluator::new(&system.terms, by_zero);
                let mut eval = |term| evaluator.eval(term, |v: VarId| values[v.index()].clone());
                if system.constraints.iter().all(|c| eval(c.term).is_true()) {
                    break system.memories.iter().map(|m| eval(m.next)).collect();
                }
                tries -= 1;
                if tries == 0 {
                    return;
                }
            };
            show(by_zero, &|var: VarId| values[var.index()].clone());
            state = next;
        }
    }

    /// Shows random steps that follow a given one.
    pub fn from(
        &mut self,
        by_zero: &Answers,
        value: impl Fn(VarId) -> Value,
        mut show: impl FnMut(&dyn Interpretation, &dyn Fn(VarId) -> Value),
    ) {
        let system = self.system;
        let mut evaluator = Evaluator::new(&system.terms, by_zero);
        let state: Vec<Value> =
            system.memories.iter().map(|m| evaluator.eval(m.next, &value)).collect();
        for _ in 0..DETOURS.0 {
            self.steps(state.clone(), DETOURS.1, by_zero, &mut show);
        }
    }
}
