//! Proofs that are made smaller stay proofs, and lose what they do not need.

use std::sync::Arc;

use lustral_base::schedule::Moment;
use lustral_smt::Outcome;
use lustral_system::{Goal, Memory, Origin, Property, Role, States, Variable};
use lustral_term::{Sort, Terms, Value};

use super::step_cases::StepCases;
use super::*;

/// `x`, `y` and `z` begin with 1; `x` grows by `y`, `y` by `z`, and `z` stays.
/// The property is `x >= 0`.
fn sums() -> (TransitionSystem, [TermId; 3]) {
    let mut system = TransitionSystem::default();
    let mut variables = Vec::new();
    for name in ["x", "y", "z"] {
        let (role, origin) = (Role::Memory, Origin::Auxiliary);
        let name = name.to_string();
        let variable = Variable { name, sort: Sort::Int, role, range: None, origin };
        variables.push(system.add_variable(variable));
    }
    let [x, y, z] = [0, 1, 2].map(|i| variables[i].1);
    let nexts = [system.terms.add(&[x, y]), system.terms.add(&[y, z]), z];
    for ((var, _), next) in variables.into_iter().zip(nexts) {
        system.memories.push(Memory { var, initial: Value::Int(1.into()), next });
    }
    let term = at_least(&mut system.terms, x, 0);
    system.properties.push(Property { name: "p".into(), term, goal: Goal::Always });
    (system, [x, y, z])
}

fn at_least(terms: &mut Terms, term: TermId, least: i32) -> TermId {
    let least = terms.int(least);
    terms.le(least, term)
}

/// A certificate with the property, if it takes part, and bounds for variables.
fn certificate(
    system: &mut TransitionSystem,
    takes_part: bool,
    k: usize,
    compression: bool,
    bounds: &[(TermId, i32)],
) -> Certificate {
    let terms = &mut system.terms;
    let list: Vec<TermId> = bounds.iter().map(|(var, n)| at_least(terms, *var, *n)).collect();
    let terms = Arc::new(system.terms.clone());
    let of = |term| Predicate { terms: terms.clone(), term };
    let invariants = list.into_iter().map(of).collect();
    let properties = takes_part.then_some(PropId(0)).into_iter().collect();
    let compression =
        compression.then(|| States { memories: state(system, bounds), facts: vec![] });
    Certificate { proof: Proof::Induction { k, properties, invariants, compression } }
}

/// The memories that the property and some other terms depend on.
fn state(system: &TransitionSystem, bounds: &[(TermId, i32)]) -> Vec<VarId> {
    let terms = bounds.iter().map(|(term, _)| *term).chain([system.property(PropId(0)).term]);
    let cone = system.cone_of(system.terms.variables(terms));
    system.memories.iter().map(|m| m.var).filter(|var| cone[var.index()]).collect()
}

fn minimise(
    system: &TransitionSystem,
    certificate: &Certificate,
    explain: bool,
) -> Option<Minimised> {
    let (options, cancel) = (SolverOptions::default(), Cancel::new());
    Minimiser::new(system, explain, options, cancel).minimise(PropId(0), certificate)
}

fn explain(system: &TransitionSystem, certificate: &Certificate) -> Minimised {
    minimise(system, certificate, true).expect("the step case is easy")
}

/// Every list of needs is enough, and none of it can be left out.
fn assert_minimal(system: &TransitionSystem, certificate: &Certificate, found: &Minimised) {
    let Proof::Induction { k, invariants, compression, .. } = &certificate.proof else {
        panic!("no induction");
    };
    assert!(found.dependencies.minimal);
    let parts: Vec<Part> = std::iter::once(Part::Property(PropId(0)))
        .chain(invariants.iter().cloned().map(Part::Invariant))
        .collect();
    let mut minimiser = Minimiser::new(system, true, SolverOptions::default(), Cancel::new());
    let terms = minimiser.terms(&parts);
    let states = compression.as_ref().map(|states| &states.memories[..]);
    let induction = Induction { system: &minimiser.system, parts: &terms, k: *k, states };
    let later = Moment::now() + Duration::from_secs(600);
    let mut cases = StepCases::new(induction, &SolverOptions::default(), &Cancel::new(), later)
        .expect("a solver");
    assert_eq!(found.dependencies.needs.len(), parts.len());
    for (part, needs) in found.dependencies.needs.iter().enumerate() {
        assert!(cases.ask(part, needs).is_ok(), "{part} needs more than {needs:?}");
        for left_out in needs {
            let rest: Vec<usize> = needs.iter().copied().filter(|i| i != left_out).collect();
            assert_eq!(cases.ask(part, &rest), Err(Outcome::Sat), "{part} without {left_out}");
        }
    }
}

#[test]
fn what_is_not_needed_is_left_out_and_the_rest_is_needed() {
    let (mut system, [x, y, z]) = sums();
    let bounds = [(x, -1), (y, 0), (y, -1), (z, 0), (z, 1), (x, -2)];
    let certificate = certificate(&mut system, true, 1, false, &bounds);
    let found = explain(&system, &certificate);
    let smaller = found.smaller.as_ref().expect("some of it is not needed");
    let Proof::Induction { invariants, .. } = &smaller.proof else { panic!("no induction") };
    assert_eq!(invariants.len(), 2);
    assert_eq!(found.dependencies.needs, [vec![0, 1], vec![1, 2], vec![2]]);
    assert_minimal(&system, smaller, &found);
}

#[test]
fn a_proof_with_nothing_to_leave_out_is_explained_too() {
    let (mut system, [_, y, z]) = sums();
    for (k, compression) in [(1, false), (2, false), (1, true), (2, true)] {
        let certificate = certificate(&mut system, true, k, compression, &[(y, 0), (z, 0)]);
        let found = explain(&system, &certificate);
        assert!(found.smaller.is_none(), "k = {k}, compression: {compression}");
        assert_minimal(&system, &certificate, &found);
    }
}

#[test]
fn what_is_inductive_alone_needs_itself_only() {
    let (mut system, [_, y, z]) = sums();
    system.memories[1].next = y;
    let term = at_least(&mut system.terms, y, 0);
    system.properties[0].term = term;
    let certificate = certificate(&mut system, true, 1, false, &[(z, 0), (y, -1)]);
    let found = explain(&system, &certificate);
    assert!(found.smaller.is_some());
    assert_eq!(found.dependencies.needs, [vec![0]]);
}

#[test]
fn a_goal_that_follows_from_the_invariants_is_explained() {
    let (mut system, [x, y, z]) = sums();
    let certificate = certificate(&mut system, false, 1, false, &[(x, 1), (y, 1), (z, 1)]);
    let found = explain(&system, &certificate);
    // What it needs itself for does not need a bound of 1 as well.
    assert_eq!(found.dependencies.needs, [vec![0, 1], vec![1, 2], vec![2]]);
    assert_minimal(&system, &found.smaller.clone().expect("x >= 1 is not needed"), &found);
}

#[test]
fn what_does_not_hold_is_not_explained() {
    let (mut system, [_, y, _]) = sums();
    let certificate = certificate(&mut system, true, 1, false, &[(y, 0)]);
    assert!(minimise(&system, &certificate, true).is_none());
}

#[test]
fn without_an_explanation_small_proofs_are_left_alone() {
    let (mut system, [_, y, z]) = sums();
    let alone = certificate(&mut system, true, 1, false, &[]);
    assert!(minimise(&system, &alone, false).is_none());
    let few = certificate(&mut system, true, 1, false, &[(y, 0), (z, 0), (y, -5)]);
    let found = minimise(&system, &few, false).expect("easy");
    assert!(found.dependencies.minimal && found.smaller.is_some());
    let bounds: Vec<_> = [(y, 0), (z, 0)].into_iter().chain((1..9).map(|n| (y, -n))).collect();
    let more = certificate(&mut system, true, 1, false, &bounds);
    let found = minimise(&system, &more, false);
    assert!(!found.expect("easy").dependencies.minimal, "nobody asked for it");
}

#[test]
fn states_of_compressed_proofs_differ_in_what_matters_only() {
    // `x` stays 1, and the property could fail if it were 5, so only paths
    // without a repeated state prove it; `y` grows, and has no part in it.
    let (mut system, [x, _, z]) = sums();
    system.memories[0].next = x;
    let (role, origin) = (Role::Input, Origin::Auxiliary);
    let variable = Variable { name: "i".into(), sort: Sort::Bool, role, range: None, origin };
    let (_, input) = system.add_variable(variable);
    let five = system.terms.int(5);
    let is_five = system.terms.eq(x, five);
    system.properties[0].term = system.terms.implies(is_five, input);
    let alone = certificate(&mut system, true, 1, true, &[]);
    assert_eq!(explain(&system, &alone).dependencies.needs, [vec![]]);
    let sum = system.memories[1].next;
    let drawn_in = certificate(&mut system, true, 1, true, &[(sum, 0), (z, 0)]);
    assert!(minimise(&system, &drawn_in, true).is_none());
}

/// A proof is an answer as it is: making it smaller must not outlast its time.
#[test]
fn without_time_a_proof_stays_as_it_is() {
    let (mut system, [x, y, z]) = sums();
    let proof = certificate(&mut system, true, 1, false, &[(y, 0), (z, 0), (z, -1), (x, -1)]);
    let small = || Minimiser::new(&system, false, SolverOptions::default(), Cancel::new());
    assert!(small().minimise(PropId(0), &proof).is_some_and(|found| found.smaller.is_some()));
    let mut hurried = small().with_allowance(Duration::ZERO);
    assert!(hurried.minimise(PropId(0), &proof).is_none());
}
