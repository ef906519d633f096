//! What is not known, and what is although something beside it is not.

use lustral_simulation::{Machine, bit};
use lustral_system::{Memory, Origin, Role, TransitionSystem, Variable};
use lustral_term::{Sort, TermId, Value, VarId};

fn variable(system: &mut TransitionSystem, sort: Sort, role: Role) -> (VarId, TermId) {
    let origin = Origin::Auxiliary;
    system.add_variable(Variable { name: "v".into(), sort, role, range: None, origin })
}

/// The value of a term at these inputs, if it is known.
fn at(system: &TransitionSystem, term: TermId, inputs: &[(VarId, Value)]) -> Option<Value> {
    let machine = Machine::new(system, &[term]);
    let mut lanes = machine.lanes(64);
    // One lane only: what its neighbours do is different.
    inputs.iter().for_each(|(var, value)| lanes.set_input(5, *var, value));
    lanes.constrain();
    lanes.evaluate();
    let (column, poison) = lanes.extra(0);
    (poison.is_empty() || !bit(poison, 5)).then(|| column.get(5).value(system.terms.sort(term)))
}

fn inputs() -> (TransitionSystem, [(VarId, TermId); 2], (VarId, TermId)) {
    let mut system = TransitionSystem::default();
    let x = variable(&mut system, Sort::Int, Role::Input);
    let y = variable(&mut system, Sort::Int, Role::Input);
    let b = variable(&mut system, Sort::Bool, Role::Input);
    (system, [x, y], b)
}

#[test]
fn arithmetic_beyond_the_range_is_not_known() {
    let (mut system, [x, y], _) = inputs();
    let sum = system.terms.add(&[x.1, y.1]);
    let difference = system.terms.sub(x.1, y.1);
    let product = system.terms.mul(x.1, y.1);
    let big: Value = i64::MAX.into();
    let small: Value = i64::MIN.into();
    let value = |term, a: &Value, b: i64| at(&system, term, &[(x.0, a.clone()), (y.0, b.into())]);
    assert_eq!(value(sum, &big, 1), None);
    assert_eq!(value(sum, &big, -1), Some((i64::MAX - 1).into()));
    assert_eq!(value(sum, &small, -1), None);
    assert_eq!(value(difference, &small, 1), None);
    assert_eq!(value(difference, &big, 1), Some((i64::MAX - 1).into()));
    assert_eq!(value(product, &big, 2), None);
    assert_eq!(value(product, &small, -1), None);
    assert_eq!(value(product, &big, -1), Some((-i64::MAX).into()));
}

#[test]
fn division_is_euclidean_and_by_zero_not_known() {
    let (mut system, [x, y], _) = inputs();
    let quotient = system.terms.int_div(x.1, y.1);
    let remainder = system.terms.modulo(x.1, y.1);
    let value = |term, a: i64, b: i64| at(&system, term, &[(x.0, a.into()), (y.0, b.into())]);
    for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)] {
        assert_eq!(value(quotient, a, b), Some(q.into()));
        assert_eq!(value(remainder, a, b), Some(r.into()));
    }
    assert_eq!(value(quotient, 7, 0), None);
    assert_eq!(value(remainder, 7, 0), None);
    assert_eq!(value(quotient, i64::MIN, -1), None);
}

#[test]
fn the_branch_that_is_not_taken_does_not_matter() {
    let (mut system, [x, y], b) = inputs();
    let terms = &mut system.terms;
    let sum = terms.add(&[x.1, y.1]);
    let zero = terms.int(0);
    let guarded = terms.ite(b.1, sum, zero);
    let positive = terms.le(zero, sum);
    let both = terms.and([b.1, positive]);
    let either = terms.or([b.1, positive]);
    let value = |term, b_is: bool| {
        let inputs = [(x.0, i64::MAX.into()), (y.0, 1.into()), (b.0, b_is.into())];
        at(&system, term, &inputs)
    };
    assert_eq!(value(guarded, false), Some(0.into()));
    assert_eq!(value(guarded, true), None);
    assert_eq!(value(both, false), Some(false.into()));
    assert_eq!(value(both, true), None);
    assert_eq!(value(either, true), Some(true.into()));
    assert_eq!(value(either, false), None);
}

#[test]
fn a_memory_that_overflows_is_lost_and_its_neighbour_is_not() {
    let mut system = TransitionSystem::default();
    let (doubled, double) = variable(&mut system, Sort::Int, Role::Memory);
    let (counted, count) = variable(&mut system, Sort::Int, Role::Memory);
    let next = system.terms.add(&[double, double]);
    system.memories.push(Memory { var: doubled, initial: 1.into(), next });
    let one = system.terms.int(1);
    let next = system.terms.add(&[count, one]);
    system.memories.push(Memory { var: counted, initial: 0.into(), next });
    let machine = Machine::new(&system, &[]);
    let mut lanes = machine.lanes(64);
    for step in 0..100i64 {
        let power = 1i64.checked_shl(step as u32).filter(|n| *n > 0);
        let known = |var| lanes.value(9, var).map(|scalar| scalar.value(Sort::Int));
        assert_eq!(known(doubled), power.map(Value::from), "step {step}");
        assert_eq!(known(counted), Some(step.into()));
        assert_eq!(lanes.state(9).is_some(), power.is_some());
        lanes.constrain();
        lanes.evaluate();
        lanes.advance();
    }
}

#[test]
fn memories_that_exchange_their_values() {
    let mut system = TransitionSystem::default();
    let (a, a_term) = variable(&mut system, Sort::Int, Role::Memory);
    let (b, b_term) = variable(&mut system, Sort::Int, Role::Memory);
    system.memories.push(Memory { var: a, initial: 1.into(), next: b_term });
    system.memories.push(Memory { var: b, initial: 2.into(), next: a_term });
    let machine = Machine::new(&system, &[]);
    let mut lanes = machine.lanes(64);
    for (first, second) in [(1, 2), (2, 1), (1, 2)] {
        let known = |var| lanes.value(0, var).map(|scalar| scalar.value(Sort::Int));
        assert_eq!((known(a), known(b)), (Some(first.into()), Some(second.into())));
        lanes.constrain();
        lanes.evaluate();
        lanes.advance();
    }
}
