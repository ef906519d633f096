//! Failing properties that are found, and executions made shorter.

use lustral_base::Random;
use lustral_simulation::{Explorer, Scalar, Violation, shorten};
use lustral_system::{
    Answers, Goal, Memory, Origin, PropId, Property, Role, Trace, TransitionSystem, Variable,
};
use lustral_term::{Sort, TermId, Value, VarId};

use crate::generate;

/// The step of an exact execution at which the property first fails; none if
/// the constraints are not obeyed up to there.
fn first_failure(
    system: &TransitionSystem,
    explorer: &Explorer,
    property: PropId,
    inputs: &[Vec<Scalar>],
) -> Option<usize> {
    let variables: Vec<VarId> = explorer.inputs().collect();
    let free = |step: usize, var: VarId| {
        let place = variables.iter().position(|v| *v == var);
        let sort = system.variable(var).sort;
        place.map_or(Value::zero(sort), |i| inputs[step][i].value(sort))
    };
    let trace = Trace::run(system, inputs.len(), Answers::default(), free);
    for step in 0..inputs.len() {
        let holds = |term| trace.eval(system, step, term).is_true();
        if !system.constraints.iter().all(|c| holds(c.term)) {
            return None;
        }
        if !holds(system.property(property).term) {
            return Some(step);
        }
    }
    None
}

fn rounds(explorer: &mut Explorer, property: PropId, count: usize) -> Option<Violation> {
    (0..count).find_map(|_| explorer.round(&[property], usize::MAX, &|| false).pop())
}

#[test]
fn failures_are_real_and_stay_so_when_shortened() {
    let (mut found, mut shorter) = (0, 0);
    for seed in 0..60 {
        let (system, _) = generate::system(&mut Random::new(2000 + seed));
        for property in system.property_ids() {
            let mut explorer = Explorer::new(&system, seed);
            let Some(failure) = rounds(&mut explorer, property, 2) else { continue };
            let length = failure.inputs.len();
            let first =
                |inputs: &[Vec<Scalar>]| first_failure(&system, &explorer, property, inputs);
            // It may have failed earlier, where that was not known.
            assert!(first(&failure.inputs).is_some_and(|step| step < length), "seed {seed}");
            let shortened = shorten(explorer.machine(), property, failure.inputs);
            let Some(inputs) = shortened else { continue };
            assert_eq!(first(&inputs).map(|step| step + 1), Some(inputs.len()), "seed {seed}");
            assert!(inputs.len() <= length);
            found += 1;
            shorter += usize::from(inputs.len() < length);
        }
    }
    assert!(found > 50, "{found} found, {shorter} shorter");
}

fn variable(system: &mut TransitionSystem, sort: Sort, role: Role) -> (VarId, TermId) {
    let (range, origin) = (None, Origin::Auxiliary);
    system.add_variable(Variable { name: "v".into(), sort, role, range, origin })
}

/// Counts the steps at which an input is true; the property is that there are
/// fewer than `limit`, as long as `assumed` of the count was always true.
fn counter(
    limit: i64,
    assumed: impl Fn(&mut TransitionSystem, TermId) -> TermId,
) -> TransitionSystem {
    let mut system = TransitionSystem::default();
    let (_, up) = variable(&mut system, Sort::Bool, Role::Input);
    let (count, count_term) = variable(&mut system, Sort::Int, Role::Memory);
    let (so_far, so_far_term) = variable(&mut system, Sort::Bool, Role::Memory);
    let now = assumed(&mut system, count_term);
    let terms = &mut system.terms;
    let one = terms.int(1);
    let more = terms.add(&[count_term, one]);
    let next = terms.ite(up, more, count_term);
    let always = terms.and([so_far_term, now]);
    let limit = terms.int(limit);
    let below = terms.lt(count_term, limit);
    let term = terms.implies(always, below);
    system.memories.push(Memory { var: count, initial: 0.into(), next });
    system.memories.push(Memory { var: so_far, initial: true.into(), next: always });
    system.properties.push(Property { name: "p".into(), term, goal: Goal::Always });
    system
}

#[test]
fn what_is_not_needed_is_left_out() {
    let system = counter(120, |system, _| system.terms.bool(true));
    let mut explorer = Explorer::new(&system, 1);
    let failure = rounds(&mut explorer, PropId(0), 40).unwrap();
    let inputs = shorten(explorer.machine(), PropId(0), failure.inputs).unwrap();
    // 120 steps that count, and one at which the property fails.
    assert_eq!(inputs.len(), 121);
}

/// The assumption says at each step what an input is, which random values
/// obey a few times at most.
#[test]
fn assumptions_of_a_property_guide() {
    let system = counter(40, |system, count| {
        let (_, x) = variable(system, Sort::Int, Role::Input);
        let nine = system.terms.int(9);
        let scaled = system.terms.mul(nine, count);
        system.terms.eq(x, scaled)
    });
    let mut explorer = Explorer::new(&system, 1);
    let failure = rounds(&mut explorer, PropId(0), 20).unwrap();
    let step = first_failure(&system, &explorer, PropId(0), &failure.inputs);
    assert_eq!(step.map(|step| step + 1), Some(failure.inputs.len()));
}

#[test]
fn no_execution_is_longer_than_asked_for() {
    let system = counter(10, |system, _| system.terms.bool(true));
    let mut explorer = Explorer::new(&system, 1);
    for _ in 0..30 {
        assert!(explorer.round(&[PropId(0)], 10, &|| false).is_empty());
    }
    assert!(explorer.deepest() <= 10);
    let failure = (0..30).find_map(|_| explorer.round(&[PropId(0)], 11, &|| false).pop());
    assert_eq!(failure.unwrap().inputs.len(), 11);
}
