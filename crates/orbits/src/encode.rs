//! Circuits as clauses (Tseitin).

use lustral_first_order::{Circuit, Gate, GateId};
use lustral_sat::{Lit, Solver};

/// The literals of gates, those that some roots need; leaves are given.
pub(crate) fn encode(
    solver: &mut Solver,
    truth: Lit,
    circuit: &Circuit,
    roots: &[GateId],
    leaf: &mut dyn FnMut(&mut Solver, u32) -> Lit,
) -> Vec<Option<Lit>> {
    let mut needed = vec![false; circuit.len()];
    roots.iter().for_each(|root| needed[root.index()] = true);
    for i in (0..needed.len()).rev() {
        if needed[i] {
            operands(circuit.gate(GateId(i as u32))).for_each(|id| needed[id.index()] = true);
        }
    }
    let mut literals: Vec<Option<Lit>> = vec![None; circuit.len()];
    for i in (0..needed.len()).filter(|i| needed[*i]) {
        let of = |id: &GateId| literals[id.index()].unwrap_or(truth);
        let literal = match circuit.gate(GateId(i as u32)) {
            Gate::Constant(value) => {
                if *value {
                    truth
                } else {
                    !truth
                }
            }
            Gate::Leaf(number) => leaf(solver, *number),
            Gate::Not(inner) => !of(inner),
            Gate::And(list) => conjunction(solver, list.iter().map(of).collect()),
            Gate::Or(list) => !conjunction(solver, list.iter().map(|id| !of(id)).collect()),
            Gate::Iff(left, right) => {
                let (left, right) = (of(left), of(right));
                choice(solver, left, right, !right)
            }
            Gate::If(condition, then, otherwise) => {
                let (condition, then, otherwise) = (of(condition), of(then), of(otherwise));
                choice(solver, condition, then, otherwise)
            }
        };
        literals[i] = Some(literal);
    }
    literals
}

fn operands(gate: &Gate) -> Box<dyn Iterator<Item = GateId> + '_> {
    match gate {
        Gate::Constant(_) | Gate::Leaf(_) => Box::new(std::iter::empty()),
        Gate::Not(inner) => Box::new(std::iter::once(*inner)),
        Gate::And(list) | Gate::Or(list) => Box::new(list.iter().copied()),
        Gate::Iff(left, right) => Box::new([*left, *right].into_iter()),
        Gate::If(a, b, c) => Box::new([*a, *b, *c].into_iter()),
    }
}

/// A new literal that says that all of some hold.
pub(crate) fn conjunction(solver: &mut Solver, list: Vec<Lit>) -> Lit {
    let all = Lit::new(solver.variable(), true);
    let mut long = vec![all];
    for literal in list {
        solver.add(&[!all, literal]);
        long.push(!literal);
    }
    solver.add(&long);
    all
}

fn choice(solver: &mut Solver, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
    let this = Lit::new(solver.variable(), true);
    solver.add(&[!condition, !then, this]);
    solver.add(&[!condition, then, !this]);
    solver.add(&[condition, !otherwise, this]);
    solver.add(&[condition, otherwise, !this]);
    solver.add(&[!then, !otherwise, this]);
    solver.add(&[then, otherwise, !this]);
    this
}

/// That exactly one of some literals holds.
pub(crate) fn exactly_one(solver: &mut Solver, list: &[Lit]) {
    solver.add(list);
    for (i, one) in list.iter().enumerate() {
        list[..i].iter().for_each(|other| solver.add(&[!*one, !*other]));
    }
}
