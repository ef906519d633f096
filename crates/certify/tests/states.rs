//! Proofs that leave out executions with a repeated state: what counts as the
//! state decides whether they are proofs. Most programs here have a property
//! that is *false*, and a proof that only its states give away.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::{ProofChecker, Rejected};
use lustral_system::{
    Certificate, Constraint, ConstraintSource, Goal, Instance, InstanceId, Memory, Origin,
    Predicate, Proof, PropId, Property, Role, States, TransitionSystem, Variable,
};
use lustral_term::{Sort, TermId, Terms, Value, VarId};

/// A system in the making.
struct Build(TransitionSystem);

impl Build {
    fn new() -> Build {
        let root = Instance {
            path: String::new(),
            node: "main".into(),
            parent: None,
            streams: Vec::new(),
        };
        Build(TransitionSystem { instances: vec![root], ..TransitionSystem::default() })
    }

    fn variable(&mut self, role: Role, sort: Sort) -> (VarId, TermId) {
        let name = format!("v{}", self.0.variables.len());
        let origin = Origin::Auxiliary;
        self.0.add_variable(Variable { name, sort, role, range: None, origin })
    }

    fn memory(
        &mut self,
        initial: Value,
        next: impl FnOnce(&mut Terms, TermId) -> TermId,
    ) -> (VarId, TermId) {
        let (var, term) = self.variable(Role::Memory, initial.sort());
        let next = next(&mut self.0.terms, term);
        self.0.memories.push(Memory { var, initial, next });
        (var, term)
    }

    /// A memory that counts the steps.
    fn counter(&mut self) -> (VarId, TermId) {
        self.memory(Value::Int(0.into()), |terms, n| {
            let one = terms.int(1);
            terms.add(&[n, one])
        })
    }

    /// A memory that never changes.
    fn constant(&mut self) -> (VarId, TermId) {
        self.memory(Value::Bool(false), |_, x| x)
    }

    fn below(&mut self, n: TermId, bound: i64) -> TermId {
        let bound = self.0.terms.int(bound);
        self.0.terms.lt(n, bound)
    }

    fn property(mut self, term: TermId) -> TransitionSystem {
        self.0.properties.push(Property { name: "ok".into(), term, goal: Goal::Always });
        self.0
    }
}

fn fact(system: &TransitionSystem, make: impl FnOnce(&mut Terms) -> TermId) -> Predicate {
    let mut terms = system.terms.clone();
    let term = make(&mut terms);
    Predicate { terms: Arc::new(terms), term }
}

/// Both kinds of proof, with so few steps that everything hangs on the states.
fn proofs(memories: &[VarId], facts: &[Predicate]) -> [Certificate; 2] {
    let states = States { memories: memories.to_vec(), facts: facts.to_vec() };
    let induction = Proof::Induction {
        k: 1,
        properties: vec![PropId(0)],
        invariants: Vec::new(),
        compression: Some(states.clone()),
    };
    [induction, Proof::Exhausted { steps: 1, states }].map(|proof| Certificate { proof })
}

fn check(system: &TransitionSystem, certificate: Certificate) -> Result<(), Rejected> {
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    checker.check(system, PropId(0), certificate).map(drop)
}

#[track_caller]
fn assert_rejected(
    system: &TransitionSystem,
    memories: &[VarId],
    facts: &[Predicate],
    obligation: &str,
) {
    for certificate in proofs(memories, facts) {
        let proof = format!("{:?}", certificate.proof);
        let expected = Err(Rejected::Obligation(obligation.into()));
        assert_eq!(check(system, certificate), expected, "{proof}");
    }
}

#[test]
fn a_memory_that_the_property_reads_is_missing() {
    let mut build = Build::new();
    let (x, _) = build.constant();
    let (_, n) = build.counter();
    let ok = build.below(n, 5);
    assert_rejected(&build.property(ok), &[x], &[], "state");
}

#[test]
fn a_memory_that_the_state_comes_from_is_missing() {
    let mut build = Build::new();
    let (_, n) = build.counter();
    let early = build.below(n, 5);
    let (x, late) = build.memory(Value::Bool(false), |terms, _| terms.not(early));
    let ok = build.0.terms.not(late);
    let system = build.property(ok);
    // The step case of an induction begins anywhere, and fails by itself.
    let [induction, exhausted] = proofs(&[x], &[]);
    assert_eq!(check(&system, induction), Err(Rejected::Obligation("step".into())));
    assert_eq!(check(&system, exhausted), Err(Rejected::Obligation("state".into())));
}

/// The input may be true only later; the state of the property alone does not
/// tell that later is possible.
#[test]
fn a_memory_that_a_constraint_reads_is_missing() {
    let mut build = Build::new();
    let (_, i) = build.variable(Role::Input, Sort::Bool);
    let (n_var, n) = build.counter();
    let early = build.below(n, 5);
    let both = build.0.terms.and([early, i]);
    let term = build.0.terms.not(both);
    build.0.constraints.push(Constraint {
        term,
        source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
    });
    let (x, seen) = build.memory(Value::Bool(false), |terms, x| terms.or([x, i]));
    let ok = build.0.terms.not(seen);
    let system = build.property(ok);
    let [induction, exhausted] = proofs(&[x], &[]);
    assert_eq!(check(&system, induction), Err(Rejected::Obligation("step".into())));
    assert_eq!(check(&system, exhausted), Err(Rejected::Obligation("state".into())));
    let [_, exhausted] = proofs(&[x, n_var], &[]);
    assert_eq!(check(&system, exhausted), Err(Rejected::Obligation("exhausted".into())));
}

#[test]
fn a_fact_that_is_false_later() {
    let mut build = Build::new();
    let (x, _) = build.constant();
    let (_, n) = build.counter();
    let ok = build.below(n, 5);
    let system = build.property(ok);
    let zero = fact(&system, |terms| {
        let zero = terms.int(0);
        terms.eq(n, zero)
    });
    assert_rejected(&system, &[x], &[zero], "facts-step");
}

#[test]
fn a_fact_that_is_false_initially() {
    let mut build = Build::new();
    let (x, _) = build.constant();
    let (_, n) = build.memory(Value::Int(7.into()), |_, n| n);
    let ok = build.below(n, 8);
    let system = build.property(ok);
    let zero = fact(&system, |terms| {
        let zero = terms.int(0);
        terms.eq(n, zero)
    });
    assert_rejected(&system, &[x], &[zero], "facts-initial");
}

/// What only the constraints ensure is no fact about the states: whether the
/// cut execution obeys them is what the facts are needed for.
#[test]
fn a_fact_that_needs_a_constraint() {
    let mut build = Build::new();
    let (_, i) = build.variable(Role::Input, Sort::Bool);
    let term = build.0.terms.not(i);
    build.0.constraints.push(Constraint {
        term,
        source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
    });
    let (x, _) = build.constant();
    let (_, seen) = build.memory(Value::Bool(false), |terms, x| terms.or([x, i]));
    let ok = build.0.terms.not(seen);
    let system = build.property(ok);
    let never = fact(&system, |terms| terms.not(seen));
    assert_rejected(&system, &[x], &[never], "facts-step");
}

#[test]
fn an_input_is_no_state() {
    let mut build = Build::new();
    let (i, _) = build.variable(Role::Input, Sort::Bool);
    let (_, n) = build.counter();
    let ok = build.below(n, 5);
    let system = build.property(ok);
    assert_rejected(&system, &[i], &[], "a state is made of memories");
    assert_rejected(&system, &[VarId(99)], &[], "a state is made of memories");
}

/// Two memories that are always equal, of which the state has one: right with
/// the fact, wrong without.
#[test]
fn a_fact_stands_for_a_memory() {
    let mut build = Build::new();
    let (_, i) = build.variable(Role::Input, Sort::Bool);
    let flip = |terms: &mut Terms, x: TermId| {
        let not = terms.not(x);
        terms.ite(i, not, x)
    };
    let (one, first) = build.memory(Value::Bool(false), flip);
    let (_, second) = build.memory(Value::Bool(false), flip);
    let ok = build.0.terms.eq(first, second);
    let system = build.property(ok);
    let equal = fact(&system, |terms| terms.eq(first, second));
    let exhausted = |facts: &[Predicate]| {
        let states = States { memories: vec![one], facts: facts.to_vec() };
        Certificate { proof: Proof::Exhausted { steps: 2, states } }
    };
    assert_eq!(check(&system, exhausted(&[])), Err(Rejected::Obligation("state".into())));
    assert_eq!(check(&system, exhausted(&[equal])), Ok(()));
}
