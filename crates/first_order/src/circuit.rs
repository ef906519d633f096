//! Boolean formulas with sharing: a gate is made once, after its operands.

use lustral_base::id;
use rustc_hash::FxHashMap;

id!(/// A gate of a circuit; operands come before their users.
    GateId);

/// What a gate is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// True or false.
    Constant(bool),
    /// Something that the circuit knows no more of than its number.
    Leaf(u32),
    /// The operand does not hold.
    Not(GateId),
    /// All hold: two or more different ones, in order, none the negation of another.
    And(Vec<GateId>),
    /// One holds: the same.
    Or(Vec<GateId>),
    /// Both hold or neither.
    Iff(GateId, GateId),
    /// The second if the first holds, else the third.
    If(GateId, GateId, GateId),
}

/// A circuit.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, GateId>,
}

impl Circuit {
    /// An empty circuit.
    #[must_use]
    pub fn new() -> Circuit {
        Circuit::default()
    }

    /// The number of gates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// What a gate is.
    #[must_use]
    pub fn gate(&self, id: GateId) -> &Gate {
        &self.gates[id.index()]
    }

    fn make(&mut self, gate: Gate) -> GateId {
        if let Some(known) = self.known.get(&gate) {
            return *known;
        }
        let id = GateId(self.gates.len() as u32);
        self.gates.push(gate.clone());
        self.known.insert(gate, id);
        id
    }

    /// True or false.
    pub fn constant(&mut self, value: bool) -> GateId {
        self.make(Gate::Constant(value))
    }

    /// The leaf with a number.
    pub fn leaf(&mut self, number: u32) -> GateId {
        self.make(Gate::Leaf(number))
    }

    /// The constant that a gate is, if it is one.
    #[must_use]
    pub fn known(&self, id: GateId) -> Option<bool> {
        match self.gate(id) {
            Gate::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// The negation.
    pub fn not(&mut self, id: GateId) -> GateId {
        match *self.gate(id) {
            Gate::Constant(value) => self.constant(!value),
            Gate::Not(inner) => inner,
            _ => self.make(Gate::Not(id)),
        }
    }

    /// All of these.
    pub fn and(&mut self, list: impl IntoIterator<Item = GateId>) -> GateId {
        self.joined(list, true)
    }

    /// One of these.
    pub fn or(&mut self, list: impl IntoIterator<Item = GateId>) -> GateId {
        self.joined(list, false)
    }

    /// A conjunction, or a disjunction: the neutral value says which.
    fn joined(&mut self, list: impl IntoIterator<Item = GateId>, neutral: bool) -> GateId {
        let mut flat = Vec::new();
        for id in list {
            match self.gate(id) {
                Gate::Constant(value) if *value == neutral => {}
                Gate::Constant(_) => return id,
                Gate::And(inner) if neutral => flat.extend(inner),
                Gate::Or(inner) if !neutral => flat.extend(inner),
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradicts = |id: &GateId| match self.gate(*id) {
            Gate::Not(inner) => flat.binary_search(inner).is_ok(),
            _ => false,
        };
        if flat.iter().any(contradicts) {
            return self.constant(!neutral);
        }
        match (flat.as_slice(), neutral) {
            ([], _) => self.constant(neutral),
            ([one], _) => *one,
            (_, true) => self.make(Gate::And(flat)),
            (_, false) => self.make(Gate::Or(flat)),
        }
    }

    /// The second holds if the first does.
    pub fn implies(&mut self, left: GateId, right: GateId) -> GateId {
        let not = self.not(left);
        self.or([not, right])
    }

    /// Both hold or neither.
    pub fn iff(&mut self, left: GateId, right: GateId) -> GateId {
        match (self.known(left), self.known(right)) {
            _ if left == right => self.constant(true),
            (Some(true), _) => right,
            (Some(false), _) => self.not(right),
            (_, Some(true)) => left,
            (_, Some(false)) => self.not(left),
            _ if self.not(left) == right => self.constant(false),
            _ => self.make(Gate::Iff(left.min(right), left.max(right))),
        }
    }

    /// The second if the first holds, else the third.
    pub fn choice(&mut self, condition: GateId, then: GateId, otherwise: GateId) -> GateId {
        let otherwise = self.unless(condition, otherwise);
        match (self.known(condition), self.known(then), self.known(otherwise)) {
            (Some(true), ..) => then,
            (Some(false), ..) => otherwise,
            _ if then == otherwise => then,
            (_, Some(true), _) => self.or([condition, otherwise]),
            (_, Some(false), _) => {
                let not = self.not(condition);
                self.and([not, otherwise])
            }
            (_, _, Some(true)) => self.implies(condition, then),
            (_, _, Some(false)) => self.and([condition, then]),
            _ => self.make(Gate::If(condition, then, otherwise)),
        }
    }

    /// A gate where a condition does not hold: what it chooses by that condition is known.
    fn unless(&mut self, condition: GateId, gate: GateId) -> GateId {
        let Gate::If(other, then, otherwise) = *self.gate(gate) else { return gate };
        if other == condition {
            otherwise
        } else if self.not(other) == condition {
            then
        } else {
            gate
        }
    }

    /// Whether two gates cannot both hold, as far as their conjunction shows at once: one
    /// has among its operands what the other excludes.
    #[must_use]
    pub fn exclude_each_other(&mut self, left: GateId, right: GateId) -> bool {
        let both = self.and([left, right]);
        let parts = match self.gate(both) {
            Gate::Constant(value) => return !value,
            Gate::And(parts) => parts.clone(),
            _ => return false,
        };
        let excluded = |id: &GateId| match self.gate(*id) {
            Gate::Not(inner) => match self.gate(*inner) {
                Gate::And(all) => all.iter().all(|part| parts.binary_search(part).is_ok()),
                _ => false,
            },
            Gate::Or(some) => some.iter().all(|part| match self.gate(*part) {
                Gate::Not(inner) => parts.binary_search(inner).is_ok(),
                _ => parts.iter().any(|p| *self.gate(*p) == Gate::Not(*part)),
            }),
            _ => false,
        };
        parts.iter().any(excluded)
    }

    /// The values of all gates, for values of the leaves.
    #[must_use]
    pub fn values(&self, leaf: &dyn Fn(u32) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let at = |id: &GateId| values[id.index()];
            values.push(match gate {
                Gate::Constant(value) => *value,
                Gate::Leaf(number) => leaf(*number),
                Gate::Not(inner) => !at(inner),
                Gate::And(list) => list.iter().all(at),
                Gate::Or(list) => list.iter().any(at),
                Gate::Iff(left, right) => at(left) == at(right),
                Gate::If(condition, then, otherwise) => {
                    if at(condition) {
                        at(then)
                    } else {
                        at(otherwise)
                    }
                }
            });
        }
        values
    }
}
