//! The circuits of an instance.
//!
//! What a state becomes by a transition: a cell that is not modified stays. Of the others, the
//! updates (`updates.rs`) give pairs of a condition and a value, all about the state that is left
//! and the arguments: the value is that of the first pair whose condition holds, and what an
//! input says if there is none. The transition is taken if it is chosen, if pairs whose conditions
//! hold agree on the value, and if the constraints hold of both states.
//!
//! That is exactly the transition's body. If it is taken, all parts of the body hold: updates
//! because the pairs agree. And if the body holds of two states, then with inputs that say what the second
//! one is, each cell has the value that it has there (by the first pair, or by the input), pairs
//! agree with that value and so with each other, and the constraints hold.

use lustral_first_order::{
    Circuit, Formula, GateId, Ground, Grounder, Leaves, Moment, SymbolId, TooLarge, Universe, VarId,
};
use rustc_hash::FxHashMap;

use super::cells::{Cell, CellId, Cells, Leaf, tuple_of};
use super::names::Names;
use super::updates::{Parts, Update, Value};
use crate::protocol::{Protocol, Transition};

/// A protocol at given sizes.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The sizes.
    pub universe: Universe,
    /// All formulas, over [`Instance::leaves`].
    pub circuit: Circuit,
    /// What the leaves are, by number.
    pub leaves: Vec<Leaf>,
    pub(super) cells: Cells,
    pub(super) names: Names,
    /// By transition: whether it is taken, given that it is chosen.
    pub guards: Vec<GateId>,
    /// By cell: its value in the first state, and in a state that is entered.
    pub values: Vec<(GateId, GateId)>,
    /// What the first state must fulfil besides, and what never changes must.
    pub assertions: (GateId, GateId),
    /// The safety properties, about the state of a step.
    pub properties: Vec<GateId>,
    /// Where it was asked for: what derived relations say of each tuple, about the state of a step.
    pub derived: Vec<(Cell, GateId)>,
}

/// Pairs of a condition and the value of a cell.
type Pairs = Vec<(GateId, GateId)>;

struct Builder<'p> {
    protocol: &'p Protocol,
    universe: &'p Universe,
    cells: Cells,
    circuit: Circuit,
    leaves: Vec<Leaf>,
    numbers: FxHashMap<Leaf, u32>,
}

/// What symbols are in the two states of a formula.
struct Lookup<'b> {
    cells: &'b Cells,
    leaves: &'b mut Vec<Leaf>,
    numbers: &'b mut FxHashMap<Leaf, u32>,
    now: fn(CellId) -> Leaf,
    /// The protocol, to know what never changes.
    protocol: &'b Protocol,
    /// The cells of the state that is entered.
    next: &'b [GateId],
}

impl Lookup<'_> {
    fn cell(&mut self, circuit: &mut Circuit, cell: Cell, moment: Moment) -> GateId {
        let id = self.cells.id(cell);
        match moment {
            Moment::Next => self.next[id.index()],
            // What never changes is the same in both states.
            Moment::Now if self.protocol.is_immutable(cell.symbol) => {
                leaf(circuit, self.leaves, self.numbers, Leaf::Is(id))
            }
            Moment::Now => leaf(circuit, self.leaves, self.numbers, (self.now)(id)),
        }
    }
}

impl Leaves for Lookup<'_> {
    fn relation(
        &mut self,
        circuit: &mut Circuit,
        symbol: SymbolId,
        moment: Moment,
        position: usize,
    ) -> GateId {
        self.cell(circuit, Cell { symbol, position, value: None }, moment)
    }

    fn value(
        &mut self,
        circuit: &mut Circuit,
        symbol: SymbolId,
        moment: Moment,
        position: usize,
        value: u32,
    ) -> GateId {
        self.cell(circuit, Cell { symbol, position, value: Some(value) }, moment)
    }
}

fn leaf(
    circuit: &mut Circuit,
    leaves: &mut Vec<Leaf>,
    numbers: &mut FxHashMap<Leaf, u32>,
    leaf: Leaf,
) -> GateId {
    let number = *numbers.entry(leaf).or_insert_with(|| {
        leaves.push(leaf);
        leaves.len() as u32 - 1
    });
    circuit.leaf(number)
}

impl Instance {
    /// A protocol at given sizes.
    ///
    /// # Errors
    /// If it has too many parts to be written out.
    pub fn new(protocol: &Protocol, universe: Universe) -> Result<Instance, TooLarge> {
        Instance::build(protocol, universe, false)
    }

    /// A protocol at given sizes, with what derived relations say. It is not for being written as a
    /// program.
    ///
    /// # Errors
    /// If it has too many parts to be written out.
    pub fn with_derived(protocol: &Protocol, universe: Universe) -> Result<Instance, TooLarge> {
        Instance::build(protocol, universe, true)
    }

    fn build(protocol: &Protocol, universe: Universe, derived: bool) -> Result<Instance, TooLarge> {
        let mut builder = Builder {
            protocol,
            universe: &universe,
            cells: Cells::new(protocol, &universe)?,
            circuit: Circuit::new(),
            leaves: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let (first, init) = builder.first_state()?;
        let (guards, next) = builder.transitions()?;
        let axioms = builder.all(protocol.axioms.iter().map(|axiom| &axiom.formula))?;
        let safety = protocol.safety.iter().map(|property| builder.of_state(&property.formula));
        let properties = safety.collect::<Result<Vec<_>, _>>()?;
        let derived = if derived { builder.derived()? } else { Vec::new() };
        let Builder { cells, circuit, leaves, .. } = builder;
        let values = first.into_iter().zip(next).collect();
        let assertions = (init, axioms);
        let names = Names::new(protocol, &universe, &cells);
        Ok(Instance {
            universe,
            circuit,
            leaves,
            cells,
            names,
            guards,
            values,
            assertions,
            properties,
            derived,
        })
    }
}

impl Instance {
    /// The bits of a state.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells.list
    }
}

impl Instance {
    /// The cell that a flow of the program says something of: of this state or of the one that was
    /// left.
    #[must_use]
    pub fn cell_named(&self, flow: &str) -> Option<Cell> {
        let names = self.names.is.iter().zip(&self.names.was);
        let position = names.clone().position(|(is, was)| is == flow || was == flow)?;
        Some(self.cells.list[position])
    }

    /// The elements that a cell is about: its tuple, and after it the value of a function.
    #[must_use]
    pub fn elements(&self, protocol: &Protocol, cell: Cell) -> Vec<u32> {
        let (signature, universe) = (&protocol.signature, &self.universe);
        let mut elements = tuple_of(signature, universe, cell.symbol, cell.position);
        elements.extend(cell.value);
        elements
    }
}

impl Builder<'_> {
    fn leaf(&mut self, which: Leaf) -> GateId {
        leaf(&mut self.circuit, &mut self.leaves, &mut self.numbers, which)
    }

    /// A formula about two states, of which the one that is entered is given by gates.
    fn formula(
        &mut self,
        formula: &Formula,
        given: &mut Vec<(VarId, Ground)>,
        now: fn(CellId) -> Leaf,
        next: &[GateId],
    ) -> Result<GateId, TooLarge> {
        self.with_grounder(now, next, |grounder| grounder.formula(formula, given))
    }

    fn with_grounder<T>(
        &mut self,
        now: fn(CellId) -> Leaf,
        next: &[GateId],
        work: impl FnOnce(&mut Grounder<'_, Lookup<'_>>) -> T,
    ) -> T {
        let mut lookup = Lookup {
            cells: &self.cells,
            leaves: &mut self.leaves,
            numbers: &mut self.numbers,
            now,
            protocol: self.protocol,
            next,
        };
        work(&mut Grounder {
            signature: &self.protocol.signature,
            universe: self.universe,
            circuit: &mut self.circuit,
            leaves: &mut lookup,
        })
    }

    /// A formula about the state of a step.
    fn of_state(&mut self, formula: &Formula) -> Result<GateId, TooLarge> {
        let formula = self.protocol.expanded(formula);
        self.formula(&formula, &mut Vec::new(), Leaf::Is, &[])
    }

    fn all<'f>(&mut self, formulas: impl Iterator<Item = &'f Formula>) -> Result<GateId, TooLarge> {
        let gates = formulas.map(|f| self.of_state(f)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.circuit.and(gates))
    }

    /// What derived relations say of each tuple.
    fn derived(&mut self) -> Result<Vec<(Cell, GateId)>, TooLarge> {
        let mut found = Vec::new();
        for (symbol, known) in self.protocol.signature.symbols() {
            let Some(definition) = self.protocol.definition(symbol) else { continue };
            let body = self.protocol.expanded(&definition.body);
            for (position, tuple) in self.universe.tuples(&known.arguments).enumerate() {
                let variables = definition.variables.iter().map(|v| v.id);
                let mut given = variables.zip(tuple.into_iter().map(Ground::Element)).collect();
                let gate = self.formula(&body, &mut given, Leaf::Is, &[])?;
                found.push((Cell { symbol, position, value: None }, gate));
            }
        }
        Ok(found)
    }

    /// The cells of the first state, and what it must fulfil: `init`, said of a state that is
    /// entered from nowhere.
    fn first_state(&mut self) -> Result<(Vec<GateId>, GateId), TooLarge> {
        let init = self
            .protocol
            .init
            .iter()
            .map(|init| self.protocol.at(&self.protocol.expanded(&init.formula), Moment::Next));
        let parts = Parts::of(&Formula::all(init.collect::<Vec<_>>()));
        let modifies = |_| true;
        self.entered(&parts, &modifies, &mut Vec::new())
    }

    /// The cells of a state that is entered, and what must hold for that.
    fn entered(
        &mut self,
        parts: &Parts,
        modifies: &dyn Fn(SymbolId) -> bool,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<(Vec<GateId>, GateId), TooLarge> {
        let mut pairs: Vec<Pairs> = vec![Pairs::new(); self.cells.list.len()];
        for update in &parts.updates {
            self.update(update, given, &mut pairs)?;
        }
        let mut next = Vec::with_capacity(pairs.len());
        let mut guard = Vec::new();
        for (id, pairs) in self.cells.ids().zip(&pairs) {
            if modifies(self.cells.cell(id).symbol) {
                next.push(self.value(id, pairs));
                self.agreement(pairs, &mut guard);
                continue;
            }
            // It stays, and whatever else is said of it has to be so.
            let stays = self.leaf(Leaf::Was(id));
            next.push(stays);
            for (condition, value) in pairs {
                let same = self.circuit.iff(stays, *value);
                guard.push(self.circuit.implies(*condition, same));
            }
        }
        for constraint in &parts.constraints {
            guard.push(self.formula(constraint, given, Leaf::Was, &next)?);
        }
        let guard = self.circuit.and(guard);
        Ok((next, guard))
    }

    /// The pairs that an update gives.
    fn update(
        &mut self,
        update: &Update,
        given: &mut Vec<(VarId, Ground)>,
        pairs: &mut [Pairs],
    ) -> Result<(), TooLarge> {
        let sorts: Vec<_> = update.variables.iter().map(|v| v.sort).collect();
        for tuple in self.universe.tuples(&sorts) {
            let before = given.len();
            let elements = tuple.into_iter().map(Ground::Element);
            given.extend(update.variables.iter().map(|v| v.id).zip(elements));
            let done = self.update_for(update, given, pairs);
            given.truncate(before);
            done?;
        }
        Ok(())
    }

    /// The same, for given elements.
    fn update_for(
        &mut self,
        update: &Update,
        given: &mut Vec<(VarId, Ground)>,
        pairs: &mut [Pairs],
    ) -> Result<(), TooLarge> {
        let mut guard = Vec::new();
        for formula in &update.guards {
            guard.push(self.formula(formula, given, Leaf::Was, &[])?);
        }
        let guard = self.circuit.and(guard);
        if self.circuit.known(guard) == Some(false) {
            return Ok(());
        }
        let target = &update.target;
        let positions = self.with_grounder(Leaf::Was, &[], |g| g.positions(target, given))?;
        let values: Vec<(Option<u32>, GateId)> = match &update.value {
            Value::Holds(formula) => {
                vec![(None, self.formula(formula, given, Leaf::Was, &[])?)]
            }
            Value::Is(term) => {
                let sort = self.protocol.signature.symbol(target.symbol).result;
                let size = sort.map_or(0, |sort| self.universe.size(sort));
                self.with_grounder(Leaf::Was, &[], |grounder| {
                    let value = grounder.term(term, given)?;
                    let is = |v| (Some(v), grounder.equal(&value, &Ground::Element(v)));
                    Ok((0..size).map(is).collect())
                })?
            }
        };
        for (position, is_here) in positions {
            let condition = self.circuit.and([guard, is_here]);
            if self.circuit.known(condition) == Some(false) {
                continue;
            }
            for (value, gate) in &values {
                let cell = Cell { symbol: target.symbol, position, value: *value };
                pairs[self.cells.id(cell).index()].push((condition, *gate));
            }
        }
        Ok(())
    }

    /// The value of a cell: that of the first pair whose condition holds, or what an input says.
    fn value(&mut self, id: CellId, pairs: &Pairs) -> GateId {
        let covered =
            pairs.iter().any(|(condition, _)| self.circuit.known(*condition) == Some(true));
        // With a condition that always holds the input makes no difference: it need not be there.
        let mut value =
            if covered { self.circuit.constant(false) } else { self.leaf(Leaf::Any(id)) };
        for (condition, this) in pairs.iter().rev() {
            value = self.circuit.choice(*condition, *this, value);
        }
        value
    }

    /// That pairs whose conditions hold agree.
    fn agreement(&mut self, pairs: &Pairs, guard: &mut Vec<GateId>) {
        for (i, (condition, value)) in pairs.iter().enumerate() {
            for (other, same) in &pairs[..i] {
                if value == same || self.circuit.exclude_each_other(*condition, *other) {
                    continue;
                }
                let both = self.circuit.and([*condition, *other]);
                let agree = self.circuit.iff(*value, *same);
                guard.push(self.circuit.implies(both, agree));
            }
        }
    }

    /// Whether each transition is taken if it is chosen, and what each cell becomes.
    fn transitions(&mut self) -> Result<(Vec<GateId>, Vec<GateId>), TooLarge> {
        let ids = self.cells.ids();
        let mut next: Vec<GateId> = ids.map(|id| self.leaf(Leaf::Was(id))).collect();
        let mut guards = Vec::new();
        for (number, transition) in self.protocol.transitions.iter().enumerate() {
            let mut given = self.arguments(transition);
            let parts = Parts::of(&self.protocol.expanded(&transition.body));
            let modifies = |symbol| transition.modifies.contains(&symbol);
            let (entered, guard) = self.entered(&parts, &modifies, &mut given)?;
            guards.push(guard);
            let taken = self.leaf(Leaf::Taken(number as u32));
            for id in self.cells.ids().filter(|id| modifies(self.cells.cell(*id).symbol)) {
                let i = id.index();
                next[i] = self.circuit.choice(taken, entered[i], next[i]);
            }
        }
        Ok((guards, next))
    }

    /// What the parameters of a transition stand for. Transitions share their arguments, since
    /// one is chosen at a time: by sort, and by number among those of the sort.
    fn arguments(&mut self, transition: &Transition) -> Vec<(VarId, Ground)> {
        let mut given = Vec::new();
        for (i, parameter) in transition.parameters.iter().enumerate() {
            let before = &transition.parameters[..i];
            let number = before.iter().filter(|other| other.sort == parameter.sort).count() as u32;
            let size = self.universe.size(parameter.sort);
            let ground = if size == 1 {
                Ground::Element(0)
            } else {
                let gate = |element| self.leaf(Leaf::Argument(parameter.sort.0, number, element));
                Ground::Open((0..size).map(gate).collect())
            };
            given.push((parameter.id, ground));
        }
        given
    }
}
