//! Every known value of every lane at every step.

use lustral_base::Random;
use lustral_simulation::{Machine, Run, Scalar, Simulator, bit};
use lustral_system::{Answers, Role, Runner, TransitionSystem};
use lustral_term::{Evaluator, Interpretation, TermId, Value};

use crate::{Odd, generate};

const STEPS: usize = 6;

/// How much was compared, and what was left out.
#[derive(Default, Debug)]
struct Count {
    known: usize,
    unknown: usize,
    invalid: usize,
}

fn inputs_of(run: &Run<'_>, system: &TransitionSystem, lane: usize) -> Vec<Value> {
    let value = |(id, variable): (_, &lustral_system::Variable)| {
        let scalar = run.lanes.value(lane, id);
        scalar.map_or(Value::zero(variable.sort), |scalar| scalar.value(variable.sort))
    };
    system.variables().map(value).collect()
}

/// Follows some lanes of a run with exact executions.
fn compare(system: &TransitionSystem, pool: &[TermId], seed: u64, count: &mut Count) {
    let simulator = Simulator::of(system, Machine::new(system, pool));
    let mut run = simulator.run(64, seed);
    let zero = Answers::default();
    let ways: [&dyn Interpretation; 2] = [&zero, &Odd];
    let lanes = [0, 1, 17, 63];
    let mut runners: Vec<Vec<Runner<'_>>> =
        lanes.iter().map(|_| ways.iter().map(|way| Runner::new(system, *way)).collect()).collect();
    for _ in 0..STEPS {
        run.step();
        for (lane, runners) in lanes.into_iter().zip(&mut runners) {
            if !bit(run.valid(), lane) {
                count.invalid += 1;
                *runners = ways.iter().map(|way| Runner::new(system, *way)).collect();
                continue;
            }
            let inputs = inputs_of(&run, system, lane);
            for (runner, way) in runners.iter_mut().zip(ways) {
                let values = runner.step(|var| inputs[var.index()].clone());
                let mut evaluator = Evaluator::new(&system.terms, way);
                let mut exact = |term| evaluator.eval(term, |var| values[var.index()].clone());
                for constraint in &system.constraints {
                    assert!(exact(constraint.term).is_true(), "a constraint is not obeyed");
                }
                for (i, term) in pool.iter().enumerate() {
                    let (column, poison) = run.lanes.extra(i);
                    if !poison.is_empty() && bit(poison, lane) {
                        count.unknown += 1;
                        continue;
                    }
                    count.known += 1;
                    assert_eq!(
                        column.get(lane).value(system.terms.sort(*term)),
                        exact(*term),
                        "seed {seed}, {term:?}"
                    );
                }
                for (id, variable) in system.variables() {
                    let value = run.lanes.value(lane, id).map(|scalar| scalar.value(variable.sort));
                    assert!(value.is_none_or(|value| value == values[id.index()]));
                    if let (Role::Input | Role::Choice, Some(range)) =
                        (variable.role, &variable.range)
                    {
                        let Value::Int(n) = &values[id.index()] else { unreachable!() };
                        let used = run.lanes.variable(id).is_some();
                        assert!(!used || range.contains(n));
                    }
                }
            }
        }
        run.advance();
    }
}

#[test]
fn known_values_are_exact() {
    let mut count = Count::default();
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let (system, pool) = generate::system(&mut random);
        compare(&system, &pool, seed, &mut count);
    }
    // The comparison means something: much is known, some is not, and some
    // lanes had to give up.
    assert!(count.known > 50_000 && count.unknown > 1000 && count.invalid > 100, "{count:?}");
}

#[test]
fn equal_seeds_give_equal_runs() {
    let (system, pool) = generate::system(&mut Random::new(3));
    let simulator = Simulator::of(&system, Machine::new(&system, &pool));
    let mut runs = [1, 1, 2].map(|seed| simulator.run(128, seed));
    let mut differ = false;
    for _ in 0..STEPS {
        runs.iter_mut().for_each(Run::step);
        for i in 0..pool.len() {
            assert_eq!(runs[0].lanes.extra(i), runs[1].lanes.extra(i));
            differ |= runs[0].lanes.extra(i) != runs[2].lanes.extra(i);
        }
        runs.iter_mut().for_each(Run::advance);
    }
    assert!(differ);
}

/// An input that is drawn again at the very first step stays in its range.
#[test]
fn inputs_stay_in_their_ranges() {
    use lustral_system::{Bounds, Constraint, ConstraintSource, InstanceId, Origin, Variable};
    use lustral_term::Sort;
    let mut system = TransitionSystem::default();
    let range = Some(Bounds::between(5, 9));
    let (sort, role, origin) = (Sort::Int, Role::Input, Origin::Auxiliary);
    let (var, input) =
        system.add_variable(Variable { name: "x".into(), sort, role, range, origin });
    // Zero would obey, and so does half of the range.
    let (two, zero) = (system.terms.int(2), system.terms.int(0));
    let remainder = system.terms.modulo(input, two);
    let term = system.terms.eq(remainder, zero);
    system.constraints.push(Constraint {
        term,
        source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
    });
    let simulator = Simulator::new(&system);
    let mut run = simulator.run(256, 0);
    for _ in 0..20 {
        run.step();
        for lane in (0..256).filter(|lane| bit(run.valid(), *lane)) {
            let Some(Scalar::Int(n)) = run.lanes.value(lane, var) else { panic!() };
            assert!(n == 6 || n == 8);
        }
        run.advance();
    }
}
