//! Samples are reachable, and judge as the evaluator does.

use std::collections::HashSet;

use lustral_base::Random;
use lustral_simulation::{SampleOptions, Samples, bit};
use lustral_system::{Runner, TransitionSystem, Variable};
use lustral_term::{Evaluator, Sort, TermId, Value, VarId, ZeroMeaning};

use crate::generate;

const ROWS: usize = 500;

fn collect(system: &TransitionSystem) -> Samples {
    let options =
        SampleOptions { rows: ROWS, lanes: 64, lengths: vec![6, 20], ..Default::default() };
    Samples::collect(system, &options)
}

/// The row, where the table has columns.
fn row(system: &TransitionSystem, samples: &Samples, row: usize) -> Vec<Option<Value>> {
    let value = |(id, variable): (VarId, &Variable)| {
        samples.column(id).map(|column| column.get(row).value(variable.sort))
    };
    system.variables().map(value).collect()
}

fn systems() -> impl Iterator<Item = (TransitionSystem, Vec<TermId>)> {
    (0..60).map(|seed| generate::system(&mut Random::new(1000 + seed)))
}

/// The memories of a step and of the one after it, from the values of a row.
fn next_state(system: &TransitionSystem, values: &[Option<Value>]) -> Vec<Value> {
    let state = |var: VarId| values[var.index()].clone();
    let mut runner = Runner::from_state(system, &ZeroMeaning, state);
    let plain = |var: VarId| {
        let sort = system.variable(var).sort;
        values[var.index()].clone().unwrap_or(Value::zero(sort))
    };
    runner.step(plain);
    let after = runner.step(|var| Value::zero(system.variable(var).sort));
    system.memories.iter().map(|m| after[m.var.index()].clone()).collect()
}

fn memories(system: &TransitionSystem, values: &[Option<Value>]) -> Vec<Value> {
    system.memories.iter().map(|m| values[m.var.index()].clone().unwrap()).collect()
}

#[test]
fn rows_are_different_steps_that_obey_and_pairs_follow_each_other() {
    let (mut rows, mut pairs) = (0, 0);
    for (system, _) in systems() {
        let samples = collect(&system);
        assert!(samples.len() <= ROWS);
        let table: Vec<_> = (0..samples.len()).map(|i| row(&system, &samples, i)).collect();
        assert_eq!(table.iter().collect::<HashSet<_>>().len(), table.len());
        rows += table.len();
        for values in &table {
            let mut evaluator = Evaluator::new(&system.terms, &ZeroMeaning);
            for constraint in &system.constraints {
                let holds = evaluator.eval(constraint.term, |v| values[v.index()].clone().unwrap());
                assert!(holds.is_true());
            }
        }
        for (a, b) in samples.successors() {
            pairs += 1;
            let (first, second) = (&table[*a as usize], &table[*b as usize]);
            assert_eq!(next_state(&system, first), memories(&system, second));
        }
    }
    assert!(rows > 5000 && pairs > 1000, "{rows} rows, {pairs} pairs");
}

/// Exhaustive search of a small counter: no row is outside of what it reaches.
#[test]
fn rows_are_reachable() {
    use lustral_system::{Bounds, Memory, Origin, Role, Variable};
    let mut system = TransitionSystem::default();
    let mut add = |role, range| {
        let (sort, origin) = (Sort::Int, Origin::Auxiliary);
        system.add_variable(Variable { name: "v".into(), sort, role, range, origin })
    };
    let (_, step) = add(Role::Input, Some(Bounds::between(0, 1)));
    let (var, count) = add(Role::Memory, None);
    let terms = &mut system.terms;
    let (two, six, zero) = (terms.int(2), terms.int(6), terms.int(0));
    let by = terms.mul(two, step);
    let sum = terms.add(&[count, by]);
    let full = terms.le(six, count);
    let next = terms.ite(full, zero, sum);
    system.memories.push(Memory { var, initial: 0.into(), next });
    let samples = collect(&system);
    let seen: HashSet<Value> =
        (0..samples.len()).map(|i| samples.column(var).unwrap().get(i).value(Sort::Int)).collect();
    assert_eq!(seen, [0, 2, 4, 6].map(Value::from).into_iter().collect());
    // All values of state and input together, each once.
    assert_eq!(samples.len(), 8);
    let ten = system.terms.int(10);
    let odd = system.terms.int(3);
    let below = system.terms.le(count, ten);
    let not_odd = system.terms.eq(count, odd);
    assert_eq!(samples.falsified(&system.terms, &[below, not_odd]), [false, true]);
}

#[test]
fn predicates_are_judged_as_by_the_evaluator() {
    let (mut known, mut false_somewhere) = (0, 0);
    for (mut system, pool) in systems() {
        let samples = collect(&system);
        let mut random = Random::new(7);
        let mut all = pool.clone();
        for _ in 0..100 {
            all.push(generate::operator(&mut system, &mut random, &all));
        }
        let bools: Vec<TermId> =
            all.iter().copied().filter(|t| system.terms.sort(*t) == Sort::Bool).collect();
        let truths = samples.evaluate(&system.terms, &bools);
        let falsified = samples.falsified(&system.terms, &bools);
        for ((term, truth), falsified) in bools.iter().zip(&truths).zip(falsified) {
            let refuted = truth.holds.iter().zip(&truth.known).any(|(h, k)| !h & k != 0);
            assert_eq!(refuted, falsified);
            false_somewhere += usize::from(falsified);
            for i in (0..samples.len()).step_by(37) {
                if bit(&truth.known, i) {
                    known += 1;
                    let values = row(&system, &samples, i);
                    let mut evaluator = Evaluator::new(&system.terms, &ZeroMeaning);
                    // A variable without a column cannot matter where the value is known.
                    let any = |v: VarId| Value::zero(system.variable(v).sort);
                    let of = |v: VarId| values[v.index()].clone().unwrap_or(any(v));
                    let value = evaluator.eval(*term, of);
                    assert_eq!(value, Value::Bool(bit(&truth.holds, i)));
                }
            }
        }
    }
    assert!(known > 1000 && false_somewhere > 500, "{known} known, {false_somewhere} false");
}

#[test]
fn two_state_forms_are_evaluated_over_pairs() {
    for (mut system, _) in systems().take(20) {
        let samples = collect(&system);
        let memory = system.memories[1].clone();
        let sort = system.variable(memory.var).sort;
        let primed = VarId(system.variables.len() as u32);
        let paired = samples.paired(|var| (var == memory.var).then_some(primed));
        assert_eq!(paired.len(), samples.successors().len());
        let prime = system.terms.variable(primed, sort);
        let follows = system.terms.eq(prime, memory.next);
        let both_known = system.terms.eq(prime, prime);
        // Definitions are columns too, so the term can be evaluated as it stands.
        assert_eq!(system.terms.value(both_known), Some(&Value::Bool(true)));
        assert_eq!(paired.falsified(&system.terms, &[follows]), [false]);
    }
}
