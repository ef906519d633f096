//! Bounds of memories, against what can be said of each system by hand.

use lustral_system::{
    Constraint, ConstraintSource, Goal, InstanceId, Memory, Origin, Property, Role, Variable,
};
use lustral_term::{EnumId, Enumeration, VarId};

use super::add as add_bounds;
use super::*;

/// A system of one integer memory, from 0, with one integer input.
fn system(next: impl Fn(&mut Terms, TermId, TermId) -> TermId) -> TransitionSystem {
    let mut system = TransitionSystem::default();
    let mut add = |role| {
        let (name, origin) = (String::new(), Origin::Auxiliary);
        system.add_variable(Variable { name, sort: Sort::Int, role, range: None, origin })
    };
    let (var, memory) = add(Role::Memory);
    let (_, input) = add(Role::Input);
    let next = next(&mut system.terms, memory, input);
    system.memories.push(Memory { var, initial: Value::zero(Sort::Int), next });
    system.properties.push(Property { name: "p".into(), term: Terms::TRUE, goal: Goal::Always });
    system
}

fn bounds(system: &TransitionSystem) -> (i64, i64) {
    let found = solve(system)[0];
    (found.low, found.high)
}

#[test]
fn a_counter_that_starts_again_is_bounded() {
    let counter = system(|terms, memory, _| {
        let (limit, zero, one) = (terms.int(1000), terms.int(0), terms.int(1));
        let full = terms.le(limit, memory);
        let more = terms.add(&[memory, one]);
        terms.ite(full, zero, more)
    });
    assert_eq!(bounds(&counter), (0, 1000));
    let by_equality = system(|terms, memory, _| {
        let (limit, zero, one) = (terms.int(1000), terms.int(0), terms.int(1));
        let full = terms.eq(limit, memory);
        let more = terms.add(&[memory, one]);
        terms.ite(full, zero, more)
    });
    assert_eq!(bounds(&by_equality), (0, 1000));
}

#[test]
fn what_grows_has_no_upper_bound() {
    let counter = system(|terms, memory, _| {
        let one = terms.int(1);
        terms.add(&[memory, one])
    });
    assert_eq!(bounds(&counter), (0, i64::MAX));
    assert_eq!(bounds(&system(|_, _, input| input)), (i64::MIN, i64::MAX));
}

/// Off, then On or Idle, and never Broken, which is between them.
#[test]
fn values_that_a_memory_never_has_are_known() {
    let e = Enumeration { id: EnumId(0), size: 4 };
    let mut system = TransitionSystem::default();
    let mut add = |role, sort| {
        let (name, origin) = (String::new(), Origin::Auxiliary);
        system.add_variable(Variable { name, sort, role, range: None, origin })
    };
    let (var, memory) = add(Role::Memory, Sort::Enum(e));
    let (_, input) = add(Role::Input, Sort::Bool);
    let terms = &mut system.terms;
    let [off, on, idle, broken] = [0, 1, 2, 3].map(|i| terms.constant(Value::Enum(e, i)));
    let is_off = terms.eq(memory, off);
    let stays = terms.ite(is_off, on, memory);
    let next = terms.ite(input, idle, stays);
    system.memories.push(Memory { var, initial: Value::Enum(e, 0), next });
    system.properties.push(Property { name: "p".into(), term: Terms::TRUE, goal: Goal::Always });
    assert_eq!(add_bounds(&mut system), 1);
    let is_broken = system.terms.eq(memory, broken);
    assert_eq!(system.typing, [system.terms.not(is_broken)]);
}

#[test]
fn constraints_bound_inputs() {
    let mut follows = system(|_, _, input| input);
    let (low, high) = (follows.terms.int(-2), follows.terms.int(7));
    let input = follows.terms.variable(VarId(1), Sort::Int);
    let (above, below) = (follows.terms.le(low, input), follows.terms.lt(input, high));
    let term = follows.terms.and([above, below]);
    follows.constraints.push(Constraint {
        term,
        source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
    });
    assert_eq!(bounds(&follows), (-2, 6));
}

#[test]
fn facts_are_added_once() {
    let mut counter = system(|terms, memory, _| {
        let (limit, zero, one) = (terms.int(10), terms.int(0), terms.int(1));
        let full = terms.le(limit, memory);
        let more = terms.add(&[memory, one]);
        terms.ite(full, zero, more)
    });
    assert_eq!((add(&mut counter), add(&mut counter)), (1, 0));
}

#[test]
fn many_contexts_end_within_the_budget() {
    // Each condition is new, so that contexts would double with each.
    let mut deep = system(|terms, memory, input| {
        let mut value = memory;
        for i in 0..400 {
            let number = terms.int(i);
            let (sum, other) = (terms.add(&[value, number]), terms.add(&[value, input]));
            let condition = terms.le(other, number);
            value = terms.ite(condition, sum, other);
        }
        value
    });
    assert_eq!(add(&mut deep), 0);
}

/// A chain of memories, each the one before a step ago, the first an input from -2 to 6.
fn chain(length: usize) -> TransitionSystem {
    let mut system = system(|_, _, input| input);
    let (low, high) = (system.terms.int(-2), system.terms.int(7));
    let input = system.terms.variable(VarId(1), Sort::Int);
    let (above, below) = (system.terms.le(low, input), system.terms.lt(input, high));
    let term = system.terms.and([above, below]);
    system.constraints.push(Constraint {
        term,
        source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
    });
    let mut before = system.terms.variable(VarId(0), Sort::Int);
    for _ in 1..length {
        let (name, origin) = (String::new(), Origin::Auxiliary);
        let variable = Variable { name, sort: Sort::Int, role: Role::Memory, range: None, origin };
        let (var, memory) = system.add_variable(variable);
        system.memories.push(Memory { var, initial: Value::zero(Sort::Int), next: before });
        before = memory;
    }
    // The order in which they stand makes no difference.
    system.memories.reverse();
    system
}

#[test]
fn a_long_chain_is_bounded_to_its_end() {
    let found = solve(&chain(5000));
    assert!(found.iter().all(|i| (i.low, i.high) == (-2, 6)));
}

#[test]
fn what_depends_on_each_other_is_one_group() {
    let mut system = chain(4);
    let order: Vec<Vec<usize>> = Components::new(&system).others;
    assert_eq!(order, [vec![3], vec![2], vec![1], vec![0]]);
    // The last is the next value of the second: a circle of three.
    let last = system.terms.variable(system.memories[0].var, Sort::Int);
    system.memories[2].next = last;
    assert_eq!(Components::new(&system).others, [vec![0, 1, 2], vec![3]]);
    // What constraints speak of comes first, with all that it depends on.
    system.constraints[0].term = system.terms.le(last, last);
    let zero = system.terms.int(0);
    system.constraints[0].term = system.terms.le(zero, last);
    let components = Components::new(&system);
    assert_eq!((components.constrained, components.others), (vec![0, 1, 2], vec![vec![3]]));
}

/// Each cell is fed by the one before in the same step, so that the last reads all of them. What has settled is
/// not looked into again: the work for a cell does not grow with their number.
#[test]
fn cells_fed_in_the_same_step_are_bounded_to_the_last() {
    let mut system = system(|_, memory, _| memory);
    let mut fed = system.terms.int(1);
    for _ in 0..60 {
        let (name, origin) = (String::new(), Origin::Auxiliary);
        let (sort, role, range) = (Sort::Int, Role::Memory, None);
        let (var, memory) = system.add_variable(Variable { name, sort, role, range, origin });
        let terms = &mut system.terms;
        let [zero, one, ten] = [0, 1, 10].map(|n| terms.int(n));
        let (full, grows) = (terms.le(ten, memory), terms.le(one, fed));
        let more = terms.add(&[memory, one]);
        let counted = terms.ite(grows, more, memory);
        fed = terms.ite(full, zero, counted);
        system.memories.push(Memory { var, initial: Value::zero(Sort::Int), next: fed });
    }
    let found = solve(&system);
    assert!(found[1..].iter().all(|i| (i.low, i.high) == (0, 10)));
}
