//! Two states of an instance and the step between them, as clauses.

use lustral_base::{Cancel, Random};
use lustral_first_order::{GateId, Structure, TooLarge, Universe};
use lustral_protocol::instance::{Execution, ExecutionStep, Instance, Leaf};
use lustral_protocol::{Argued, Protocol, complete};
use lustral_sat::{Lit, Solver};
use rustc_hash::FxHashMap;

use crate::atoms::{AtomLit, Atoms, Cube};
use crate::encode::{conjunction, encode, exactly_one};

/// An instance as clauses about a state and one that follows it.
pub(crate) struct System<'p> {
    pub protocol: &'p Protocol,
    pub instance: Instance,
    pub atoms: Atoms,
    pub solver: Solver,
    pub cancel: Cancel,
    /// By atom: in the state that is left, and in the one that is entered.
    pub now: Vec<Lit>,
    pub next: Vec<Lit>,
    /// That the state that is left is a first one.
    pub first: Lit,
    /// That the step is one of the protocol.
    pub step: Lit,
    /// By property: that it holds in the state that is left.
    pub properties: Vec<Lit>,
    /// By property: that it holds in the state that is entered.
    pub properties_next: Vec<Lit>,
    /// By transition: that it is chosen.
    pub taken: Vec<Lit>,
    /// What chooses the step: transitions, arguments, and what they leave open.
    inputs: Vec<(Leaf, Lit)>,
    /// Those of which exactly one holds.
    one_of: Vec<Vec<Lit>>,
}

/// What chose a step.
pub(crate) type Chosen = FxHashMap<Leaf, bool>;

impl<'p> System<'p> {
    pub fn new(
        protocol: &'p Protocol,
        universe: Universe,
        cancel: &Cancel,
    ) -> Result<System<'p>, TooLarge> {
        let instance = Instance::with_derived(protocol, universe)?;
        let tuple = |cell| instance.elements(protocol, cell);
        let atoms = Atoms::new(&protocol.signature, &instance, &tuple);
        let mut solver = Solver::new(Some(cancel.clone()));
        let truth = Lit::new(solver.variable(), true);
        solver.add(&[truth]);
        let cells = instance.cells().len();
        let mut now: Vec<Lit> = (0..cells).map(|_| Lit::new(solver.variable(), true)).collect();
        let mut inputs: FxHashMap<Leaf, Lit> = FxHashMap::default();
        // The step: guards, and what each cell becomes.
        let roots: Vec<GateId> = instance
            .guards
            .iter()
            .copied()
            .chain(instance.values.iter().map(|(_, next)| *next))
            .chain(instance.properties.iter().copied())
            .chain(instance.derived.iter().map(|(_, gate)| *gate))
            .chain([instance.assertions.1])
            .collect();
        let mut leaf = |solver: &mut Solver, number: u32| match instance.leaves[number as usize] {
            Leaf::Was(id) | Leaf::Is(id) => now[id.index()],
            other => *inputs.entry(other).or_insert_with(|| Lit::new(solver.variable(), true)),
        };
        let gates = encode(&mut solver, truth, &instance.circuit, &roots, &mut leaf);
        let at = |id: GateId| gates[id.index()].unwrap_or(truth);
        let immutable = |cell: usize| protocol.is_immutable(instance.cells()[cell].symbol);
        let mut next: Vec<Lit> = (0..cells)
            .map(|i| if immutable(i) { now[i] } else { at(instance.values[i].1) })
            .collect();
        let properties: Vec<Lit> = instance.properties.iter().map(|id| at(*id)).collect();
        solver.add(&[at(instance.assertions.1)]);
        let derived_now: Vec<Lit> = instance.derived.iter().map(|(_, gate)| at(*gate)).collect();
        // Derived relations and properties of the state that is entered.
        let derived: Vec<GateId> = instance.derived.iter().map(|(_, gate)| *gate).collect();
        let of_state: Vec<GateId> = derived.iter().chain(&instance.properties).copied().collect();
        let mut leaf = |_: &mut Solver, number: u32| match instance.leaves[number as usize] {
            Leaf::Is(id) | Leaf::Was(id) => next[id.index()],
            _ => truth,
        };
        let entered = encode(&mut solver, truth, &instance.circuit, &of_state, &mut leaf);
        let entered = |id: &GateId| entered[id.index()].unwrap_or(truth);
        let derived_next: Vec<Lit> = derived.iter().map(entered).collect();
        let properties_next = instance.properties.iter().map(entered).collect();
        let guards: Vec<Lit> = instance.guards.iter().map(|id| at(*id)).collect();
        let first = first_state(&mut solver, truth, &instance, &now);
        for row in rows(&instance) {
            exactly_one(&mut solver, &row.iter().map(|i| now[*i]).collect::<Vec<_>>());
        }
        now.extend(derived_now);
        next.extend(derived_next);
        let mut system = System {
            protocol,
            atoms,
            now,
            next,
            first,
            step: truth,
            properties,
            properties_next,
            taken: Vec::new(),
            inputs: Vec::new(),
            one_of: Vec::new(),
            instance,
            solver,
            cancel: cancel.clone(),
        };
        system.choices(&mut inputs, &guards);
        Ok(system)
    }

    /// Exactly one transition is chosen, and each argument and each value is exactly one.
    fn choices(&mut self, inputs: &mut FxHashMap<Leaf, Lit>, guards: &[Lit]) {
        let solver = &mut self.solver;
        let mut get = |solver: &mut Solver, leaf: Leaf| {
            *inputs.entry(leaf).or_insert_with(|| Lit::new(solver.variable(), true))
        };
        self.taken = (0..guards.len()).map(|i| get(solver, Leaf::Taken(i as u32))).collect();
        if self.taken.is_empty() {
            let never = conjunction(solver, vec![!self.step]);
            self.step = never;
        } else {
            exactly_one(solver, &self.taken);
            // Only what is asked about a step of the protocol requires that it is one.
            let step = Lit::new(solver.variable(), true);
            for (taken, guard) in self.taken.iter().zip(guards) {
                solver.add(&[!step, !*taken, *guard]);
            }
            self.step = step;
        }
        let signature = &self.protocol.signature;
        for sort in signature.sort_ids() {
            let size = self.instance.universe.size(sort);
            for number in 0.. {
                let leaves: Vec<Leaf> =
                    (0..size).map(|e| Leaf::Argument(sort.0, number, e)).collect();
                let used = self.protocol.transitions.iter().any(|t| {
                    t.parameters.iter().filter(|p| p.sort == sort).count() > number as usize
                });
                if !used {
                    break;
                }
                let list: Vec<Lit> = leaves.iter().map(|l| get(solver, *l)).collect();
                exactly_one(solver, &list);
                self.one_of.push(list);
            }
        }
        for row in rows(&self.instance) {
            let leaf = |i: &usize| Leaf::Any(lustral_protocol::instance::CellId(*i as u32));
            if row.iter().any(|i| self.instance.leaves.contains(&leaf(i))) {
                let list: Vec<Lit> = row.iter().map(|i| get(solver, leaf(i))).collect();
                exactly_one(solver, &list);
                self.one_of.push(list);
            }
        }
        self.inputs = inputs.iter().map(|(leaf, literal)| (*leaf, *literal)).collect();
        self.inputs.sort_unstable_by_key(|(_, literal)| *literal);
    }

    /// The state that is left, in the last model.
    pub fn state(&self) -> Cube {
        (0..self.atoms.len() as u32).map(|i| (i, self.solver.value(self.now[i as usize]))).collect()
    }

    /// The state that is entered, in the last model.
    pub fn entered(&self) -> Cube {
        (0..self.atoms.len() as u32)
            .map(|i| (i, self.solver.value(self.next[i as usize])))
            .collect()
    }

    /// Has the solver choose a step at random, as far as it is free to.
    pub fn prefer_any_step(&mut self, random: &mut Random) {
        for (_, literal) in &self.inputs {
            let wanted = if random.below(2) == 0 { *literal } else { !*literal };
            self.solver.prefer(wanted);
        }
        for row in &self.one_of {
            let chosen = random.below(row.len() as u64) as usize;
            for (i, literal) in row.iter().enumerate() {
                self.solver.prefer(if i == chosen { *literal } else { !*literal });
            }
        }
    }

    /// What chose the step in the last model.
    pub fn chosen(&self) -> Chosen {
        self.inputs.iter().map(|(leaf, lit)| (*leaf, self.solver.value(*lit))).collect()
    }

    /// Whether an atom is of a derived relation.
    pub fn is_derived(&self, atom: u32) -> bool {
        atom as usize >= self.instance.cells().len()
    }

    pub fn now(&self, (atom, holds): AtomLit) -> Lit {
        let literal = self.now[atom as usize];
        if holds { literal } else { !literal }
    }

    pub fn next(&self, (atom, holds): AtomLit) -> Lit {
        let literal = self.next[atom as usize];
        if holds { literal } else { !literal }
    }

    /// The structure of a state in which all cells are given.
    pub fn structure(&self, holds: &dyn Fn(usize) -> bool) -> Structure {
        let signature = &self.protocol.signature;
        let mut state = Structure::new(signature, self.instance.universe.clone());
        for (i, cell) in self.instance.cells().iter().enumerate() {
            match cell.value {
                None => state.set(cell.symbol, cell.position, holds(i)),
                Some(value) if holds(i) => state.set_value(cell.symbol, cell.position, value),
                Some(_) => {}
            }
        }
        complete(self.protocol, &mut state);
        state
    }

    /// Whether the evaluator agrees that the state of the last model is a first one.
    pub fn begins(&self) -> bool {
        let state = self.structure(&|i| self.solver.value(self.now[i]));
        self.protocol.begins(&state).is_ok()
    }

    /// The execution from a first state by steps that were chosen.
    pub fn execution(&self, first: &[AtomLit], chosen: &[Chosen]) -> Execution {
        let cells = self.instance.cells().len();
        let mut state: Vec<bool> = first[..cells].iter().map(|(_, holds)| *holds).collect();
        let mut execution = Execution { first: self.structure(&|i| state[i]), steps: Vec::new() };
        for inputs in chosen {
            let values =
                self.instance.circuit.values(&|leaf| match self.instance.leaves[leaf as usize] {
                    Leaf::Was(id) | Leaf::Is(id) => state[id.index()],
                    other => inputs.get(&other).copied().unwrap_or(false),
                });
            let changes = |i: usize| !self.protocol.is_immutable(self.instance.cells()[i].symbol);
            state =
                (0..cells)
                    .map(|i| {
                        if changes(i) {
                            values[self.instance.values[i].1.index()]
                        } else {
                            state[i]
                        }
                    })
                    .collect();
            let by = self.argued(inputs);
            execution.steps.push(ExecutionStep { by, state: self.structure(&|i| state[i]) });
        }
        execution
    }

    fn argued(&self, inputs: &Chosen) -> Argued {
        let is = |leaf: Leaf| inputs.get(&leaf) == Some(&true);
        let taken = (0..self.taken.len()).find(|i| is(Leaf::Taken(*i as u32)));
        let transition = taken.unwrap_or_default();
        let parameters = &self.protocol.transitions[transition].parameters;
        let argument = |(i, parameter): (usize, &lustral_first_order::Variable)| {
            let before = parameters[..i].iter().filter(|p| p.sort == parameter.sort);
            let number = before.count() as u32;
            let size = self.instance.universe.size(parameter.sort);
            let chosen = (0..size).find(|e| is(Leaf::Argument(parameter.sort.0, number, *e)));
            chosen.unwrap_or_default()
        };
        let arguments = parameters.iter().enumerate().map(argument).collect();
        Argued { transition, arguments }
    }
}

/// A literal that says that the state is a first one.
fn first_state(solver: &mut Solver, truth: Lit, instance: &Instance, now: &[Lit]) -> Lit {
    let mut roots: Vec<GateId> = instance.values.iter().map(|(first, _)| *first).collect();
    roots.push(instance.assertions.0);
    let mut any: FxHashMap<Leaf, Lit> = FxHashMap::default();
    let mut leaf = |solver: &mut Solver, number: u32| match instance.leaves[number as usize] {
        Leaf::Was(id) | Leaf::Is(id) => now[id.index()],
        // What nothing is said of is what the state says it is.
        Leaf::Any(id) => now[id.index()],
        other => *any.entry(other).or_insert_with(|| Lit::new(solver.variable(), true)),
    };
    let gates = encode(solver, truth, &instance.circuit, &roots, &mut leaf);
    let at = |id: GateId| gates[id.index()].unwrap_or(truth);
    let mut all = vec![at(instance.assertions.0)];
    for (cell, (value, _)) in now.iter().zip(&instance.values) {
        let value = at(*value);
        if value != *cell {
            let differs = Lit::new(solver.variable(), true);
            solver.add(&[differs, !*cell, value]);
            solver.add(&[differs, *cell, !value]);
            solver.add(&[!differs, *cell, value]);
            solver.add(&[!differs, !*cell, !value]);
            all.push(!differs);
        }
    }
    conjunction(solver, all)
}

/// The cells of each function for each tuple.
fn rows(instance: &Instance) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (i, cell) in instance.cells().iter().enumerate() {
        match cell.value {
            None => {}
            Some(0) => rows.push(vec![i]),
            Some(_) => {
                if let Some(row) = rows.last_mut() {
                    row.push(i);
                }
            }
        }
    }
    rows
}
