//! Protocols written out for given sizes, against an explicit search by the evaluator: on random
//! small protocols both reach the same states, and the same properties fail in them.

use std::collections::BTreeSet;

use lustral_first_order::{Assignment, States, Structure, Universe};
use lustral_protocol::instance::{Cell, Instance, Leaf};
use lustral_protocol::{Change, Protocol, complete};
use lustral_testing::protocols::{protocol, random_protocol, reachable, variations};

/// The states that the circuits of an instance reach, with whether the property holds.
struct Explorer<'i> {
    protocol: &'i Protocol,
    instance: &'i Instance,
    /// What inputs may say of the cells of the first state, and later.
    inputs: Vec<Structure>,
    later: Vec<Structure>,
}

impl Explorer<'_> {
    fn bit(&self, state: &Structure, cell: Cell) -> bool {
        match cell.value {
            None => state.holds_at(cell.symbol, cell.position),
            Some(value) => state.value_at(cell.symbol, cell.position) == value,
        }
    }

    /// The values of all gates: the state before and that of this step, inputs, arguments, and
    /// the transition that is taken.
    fn values(
        &self,
        [was, is, any]: [&Structure; 3],
        arguments: &[u32],
        taken: Option<usize>,
    ) -> Vec<bool> {
        let cells = self.instance.cells();
        self.instance.circuit.values(&|leaf| match self.instance.leaves[leaf as usize] {
            Leaf::Was(id) => self.bit(was, cells[id.index()]),
            Leaf::Is(id) => self.bit(is, cells[id.index()]),
            Leaf::Any(id) => self.bit(any, cells[id.index()]),
            Leaf::Argument(_, number, element) => arguments.get(number as usize) == Some(&element),
            Leaf::Taken(number) => taken == Some(number as usize),
        })
    }

    /// The state whose cells are these gates.
    fn state(&self, values: &[bool], gate: impl Fn(usize) -> usize) -> Structure {
        let signature = &self.protocol.signature;
        let mut state = Structure::new(signature, self.instance.universe.clone());
        for (i, cell) in self.instance.cells().iter().enumerate() {
            let holds = values[gate(i)];
            match cell.value {
                None => state.set(cell.symbol, cell.position, holds),
                Some(value) if holds => state.set_value(cell.symbol, cell.position, value),
                Some(_) => {}
            }
        }
        complete(self.protocol, &mut state);
        state
    }

    fn reach(&self) -> BTreeSet<Structure> {
        let mut open = Vec::new();
        let (init, axioms) = self.instance.assertions;
        for any in &self.inputs {
            // What never changes is what the inputs say, and so known before the rest is.
            let values = self.values([any, any, any], &[], None);
            let first = self.state(&values, |i| self.instance.values[i].0.index());
            let values = self.values([any, &first, any], &[], None);
            if values[init.index()] && values[axioms.index()] {
                open.push(first);
            }
        }
        let mut reached: BTreeSet<Structure> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for (number, transition) in self.protocol.transitions.iter().enumerate() {
                let sorts: Vec<_> = transition.parameters.iter().map(|p| p.sort).collect();
                for arguments in self.instance.universe.tuples(&sorts) {
                    for any in &self.later {
                        let all = [&state, &state, any];
                        let values = self.values(all, &arguments, Some(number));
                        if !values[self.instance.guards[number].index()] {
                            continue;
                        }
                        let mut next = self.state(&values, |i| self.instance.values[i].1.index());
                        // As in the program, what never changes is kept.
                        for (id, _) in self.protocol.signature.symbols() {
                            assert!(!self.protocol.is_immutable(id) || next.agrees(&state, id));
                        }
                        complete(self.protocol, &mut next);
                        if reached.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        reached
    }
}

fn compare(text: &str, universe: Universe) -> (usize, bool) {
    let protocol = protocol(text);
    let expected = reachable(&protocol, &universe);
    let instance = Instance::new(&protocol, universe.clone()).expect("it is small");
    let none = Structure::new(&protocol.signature, universe);
    let not_derived = |change: &Change| !matches!(change, Change::Derived(_));
    let inputs = variations(&protocol, &none, not_derived);
    let later = variations(&protocol, &none, |change| *change == Change::Mutable);
    let explorer = Explorer { protocol: &protocol, instance: &instance, inputs, later };
    let reached = explorer.reach();
    assert_eq!(reached.len(), expected.len(), "reached by circuits and explicitly:\n{text}");
    assert!(reached == expected, "other states are reached:\n{text}");
    let mut fails = false;
    for state in &expected {
        let states = States::one(&protocol.signature, state);
        let holds = states.holds(&protocol.safety[0].formula, &Assignment::new());
        let values = explorer.values([state, state, state], &[], None);
        assert_eq!(values[instance.properties[0].index()], holds, "{text}");
        fails |= !holds;
    }
    (expected.len(), fails)
}

#[test]
fn random_protocols_reach_the_same_states() {
    let (mut failing, mut holding, mut states) = (0, 0, 0);
    for seed in 0..40 {
        let text = random_protocol(seed);
        for size in 1..=2 {
            let (count, fails) = compare(&text, Universe::new(vec![size]));
            states += count;
            if fails { failing += 1 } else { holding += 1 }
        }
    }
    // The protocols are of some interest.
    assert!(failing > 10 && holding > 10 && states > 1000, "{failing} {holding} {states}");
}
