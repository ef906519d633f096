//! A system compiled, and lanes that run it.

use lustral_system::{PropId, Role, TransitionSystem};
use lustral_term::{Sort, TermId, Value, VarId};

use crate::code::{Code, Compiler, Reg};
use crate::column::{Column, WORD, bit};
use crate::registers::Registers;
use crate::scalar::Scalar;
use crate::solve::{ranges, solve, source};

/// An input or a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub var: VarId,
    pub sort: Sort,
    /// Where its value stands.
    pub reg: Reg,
    /// Where it is drawn, unless a constraint says what it is.
    pub drawn: Option<Reg>,
}

#[derive(Clone, Debug)]
struct State {
    var: VarId,
    reg: Reg,
    /// A register of its own, to be swapped with the other.
    next: Reg,
    initial: Value,
}

/// A compiled transition system.
#[derive(Clone, Debug)]
pub struct Machine {
    code: Code,
    /// Instructions that the constraints need come first: so many.
    split: usize,
    /// Those that occur, in the order of their ids.
    pub(crate) inputs: Vec<Input>,
    memories: Vec<State>,
    constraints: Vec<Reg>,
    /// What should hold so that the execution leads anywhere.
    preferences: Vec<Reg>,
    properties: Vec<Reg>,
    extra: Vec<Reg>,
}

impl Machine {
    /// Compiles a system, and more terms of its arena. Inputs that do not occur
    /// get no value; inputs that a constraint defines are computed.
    #[must_use]
    pub fn new(system: &TransitionSystem, extra: &[TermId]) -> Machine {
        Machine::avoiding(system, extra, &[])
    }

    /// The same, with terms that should hold at each step for the execution to
    /// lead anywhere: inputs are solved for them too. They are no constraints.
    pub(crate) fn avoiding(
        system: &TransitionSystem,
        extra: &[TermId],
        preferences: &[TermId],
    ) -> Machine {
        let mut terms = system.terms.clone();
        let solution = solve(system, preferences, &mut terms);
        let mut constraints: Vec<TermId> = system.constraints.iter().map(|c| c.term).collect();
        constraints.extend(ranges(system, &solution, &mut terms));
        let variables: Vec<TermId> =
            system.variables().map(|(id, v)| terms.variable(id, v.sort)).collect();
        let source = |var| source(system, &solution, var);
        let mut compiler = Compiler::new(&terms, &source);
        let constraints: Vec<Reg> = constraints.into_iter().map(|t| compiler.root(t)).collect();
        let preferences: Vec<Reg> = preferences.iter().map(|t| compiler.root(*t)).collect();
        let split = compiler.len();
        let properties: Vec<Reg> =
            system.properties.iter().map(|p| compiler.root(p.term)).collect();
        let extra: Vec<Reg> = extra.iter().map(|t| compiler.root(*t)).collect();
        for var in &system.definitions {
            compiler.variable(*var, variables[var.index()]);
        }
        let memories = compile_memories(system, &mut compiler, &variables);
        let (code, renamed) = compiler.finish();
        let all = |list: Vec<Reg>| list.into_iter().map(&renamed).collect();
        let memories =
            memories.into_iter().map(|m| State { reg: renamed(m.reg), next: renamed(m.next), ..m });
        Machine {
            split,
            memories: memories.collect(),
            inputs: inputs(system, &code),
            constraints: all(constraints),
            preferences: all(preferences),
            properties: all(properties),
            extra: all(extra),
            code,
        }
    }

    /// So many lanes, rounded up to a multiple of 64, before the first step.
    #[must_use]
    pub fn lanes(&self, lanes: usize) -> Lanes<'_> {
        let lanes = lanes.div_ceil(WORD).max(1) * WORD;
        let mut registers = Registers::new(&self.code, lanes);
        for memory in &self.memories {
            registers.fill(memory.reg, &memory.initial);
        }
        Lanes { machine: self, registers, lanes }
    }

    /// Whether inputs may have to be drawn again.
    pub(crate) fn is_constrained(&self) -> bool {
        !self.constraints.is_empty() || !self.preferences.is_empty()
    }

    /// The values of a step that are counted as work: variables, memories and
    /// operators.
    #[must_use]
    pub fn values_per_step(&self) -> usize {
        self.code.instructions.len() + self.code.free.len()
    }

    /// The inputs and choices that occur, in the order of their ids.
    pub fn inputs(&self) -> impl Iterator<Item = VarId> {
        self.inputs.iter().map(|input| input.var)
    }

    /// The sorts of the inputs and choices, in the same order.
    pub(crate) fn input_sorts(&self) -> impl Iterator<Item = Sort> {
        self.inputs.iter().map(|input| input.sort)
    }

    /// The sorts of the memories, in the order of the system.
    pub(crate) fn memory_sorts(&self) -> impl Iterator<Item = Sort> {
        self.memories.iter().map(|memory| memory.initial.sort())
    }

    /// The memories, in the order of the system.
    pub fn memories(&self) -> impl Iterator<Item = VarId> {
        self.memories.iter().map(|memory| memory.var)
    }
}

/// The state: each memory and its next value in registers that nothing else
/// writes, so that a step ends with exchanging the two.
fn compile_memories(
    system: &TransitionSystem,
    compiler: &mut Compiler<'_>,
    variables: &[TermId],
) -> Vec<State> {
    let mut taken = rustc_hash::FxHashSet::default();
    let read: Vec<Reg> = system
        .memories
        .iter()
        .map(|m| compiler.variable(m.var, variables[m.var.index()]))
        .collect();
    let next: Vec<Reg> = system.memories.iter().map(|m| compiler.root(m.next)).collect();
    let states = system.memories.iter().zip(read).zip(next);
    states
        .map(|((memory, reg), next)| {
            let own = compiler.is_result(next) && taken.insert(next);
            let next = if own { next } else { compiler.copy(next) };
            State { var: memory.var, reg, next, initial: memory.initial.clone() }
        })
        .collect()
}

fn inputs(system: &TransitionSystem, code: &Code) -> Vec<Input> {
    let free = system.variables().filter(|(_, v)| matches!(v.role, Role::Input | Role::Choice));
    let input = |(var, variable): (VarId, &lustral_system::Variable)| {
        let reg = *code.variables.get(&var)?;
        Some(Input { var, sort: variable.sort, reg, drawn: code.free.get(&var).copied() })
    };
    free.filter_map(input).collect()
}

/// Executions side by side, all at the same step of the code.
///
/// The order of a step: set inputs, [`Lanes::constrain`] (again after changed
/// inputs), [`Lanes::evaluate`], read, [`Lanes::advance`].
#[derive(Clone, Debug)]
pub struct Lanes<'m> {
    machine: &'m Machine,
    pub(crate) registers: Registers,
    lanes: usize,
}

impl Lanes<'_> {
    /// The number of lanes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lanes
    }

    /// The number of words of a mask of lanes.
    #[must_use]
    pub fn words(&self) -> usize {
        self.lanes / WORD
    }

    /// Sets an input or choice of a lane. No effect on one that does not occur
    /// or that a constraint defines, nor for a value that does not fit.
    pub fn set_input(&mut self, lane: usize, var: VarId, value: &Value) {
        let known = self.machine.code.free.get(&var);
        if let (Some(reg), Some(scalar)) = (known, Scalar::new(value)) {
            self.registers.columns[reg.index()].set(lane, scalar);
        }
    }

    /// Sets all inputs and choices of a lane that are not computed, from a
    /// list in the order of [`Machine::inputs`].
    pub fn set_inputs(&mut self, lane: usize, values: &[Scalar]) {
        for (input, value) in self.machine.inputs.iter().zip(values) {
            if let Some(reg) = input.drawn {
                self.registers.columns[reg.index()].set(lane, *value);
            }
        }
    }

    /// Computes what the constraints need.
    pub fn constrain(&mut self) {
        self.registers.run(&self.machine.code.instructions[..self.machine.split]);
    }

    /// The lanes at which all constraints are known to hold.
    #[must_use]
    pub fn obeying(&self) -> Vec<u64> {
        let mut mask = vec![!0; self.words()];
        for reg in &self.machine.constraints {
            self.known(*reg, &mut mask, |value| value);
        }
        mask
    }

    /// The lanes whose executions lead on, as far as is known.
    pub(crate) fn promising(&self) -> Vec<u64> {
        let mut mask = vec![!0; self.words()];
        for reg in &self.machine.preferences {
            self.known(*reg, &mut mask, |value| value);
        }
        mask
    }

    /// Computes the rest.
    pub fn evaluate(&mut self) {
        self.registers.run(&self.machine.code.instructions[self.machine.split..]);
    }

    /// The lanes at which a property is known to fail.
    #[must_use]
    pub fn failing(&self, property: PropId) -> Vec<u64> {
        let mut mask = vec![!0; self.words()];
        self.known(self.machine.properties[property.index()], &mut mask, |value| !value);
        mask
    }

    /// The lanes at which a property is known to hold.
    #[must_use]
    pub fn holding(&self, property: PropId) -> Vec<u64> {
        let mut mask = vec![!0; self.words()];
        self.known(self.machine.properties[property.index()], &mut mask, |value| value);
        mask
    }

    fn known(&self, reg: Reg, mask: &mut [u64], test: fn(u64) -> u64) {
        let column = self.registers.columns[reg.index()].bools();
        for (i, (mask, value)) in mask.iter_mut().zip(column).enumerate() {
            *mask &= test(*value) & !self.registers.poisoned(reg, i);
        }
    }

    /// The values of an extra term, by its position, and where they are not
    /// known (empty: nowhere).
    #[must_use]
    pub fn extra(&self, index: usize) -> (&Column, &[u64]) {
        self.register(self.machine.extra[index])
    }

    /// The values of a variable, likewise; nothing if it does not occur.
    #[must_use]
    pub fn variable(&self, var: VarId) -> Option<(&Column, &[u64])> {
        self.machine.code.variables.get(&var).map(|reg| self.register(*reg))
    }

    pub(crate) fn register(&self, reg: Reg) -> (&Column, &[u64]) {
        (&self.registers.columns[reg.index()], &self.registers.poison[reg.index()])
    }

    /// The value of a variable in a lane, if it occurs and is known.
    #[must_use]
    pub fn value(&self, lane: usize, var: VarId) -> Option<Scalar> {
        let (column, poison) = self.variable(var)?;
        (poison.is_empty() || !bit(poison, lane)).then(|| column.get(lane))
    }

    /// Takes the step: the memories get their next values.
    pub fn advance(&mut self) {
        for memory in &self.machine.memories {
            let (a, b) = (memory.reg.index(), memory.next.index());
            self.registers.columns.swap(a, b);
            self.registers.poison.swap(a, b);
        }
    }

    /// The state of a lane in the order of the memories, if it is known.
    #[must_use]
    pub fn state(&self, lane: usize) -> Option<Vec<Scalar>> {
        let memories = self.machine.memories.iter();
        memories.map(|memory| self.value_of(lane, memory.reg)).collect()
    }

    /// The inputs and choices of a lane, in the order of [`Machine::inputs`],
    /// if they are known.
    #[must_use]
    pub fn inputs(&self, lane: usize) -> Option<Vec<Scalar>> {
        self.machine.inputs.iter().map(|input| self.value_of(lane, input.reg)).collect()
    }

    fn value_of(&self, lane: usize, reg: Reg) -> Option<Scalar> {
        let (column, poison) = self.register(reg);
        (poison.is_empty() || !bit(poison, lane)).then(|| column.get(lane))
    }

    /// Puts a lane into a state.
    pub fn set_state(&mut self, lane: usize, state: &[Scalar]) {
        for (memory, value) in self.machine.memories.iter().zip(state) {
            self.registers.columns[memory.reg.index()].set(lane, *value);
            self.registers.cleanse(memory.reg, lane);
        }
    }

    /// Puts a lane before the first step.
    pub fn restart(&mut self, lane: usize) {
        for memory in &self.machine.memories {
            if let Some(value) = Scalar::new(&memory.initial) {
                self.registers.columns[memory.reg.index()].set(lane, value);
                self.registers.cleanse(memory.reg, lane);
            } else {
                self.registers.poison(memory.reg, lane);
            }
        }
    }
}
