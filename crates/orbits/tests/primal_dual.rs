//! Primal-dual Houdini on protocols: on small ones whose answer is known, and on random ones against explicit search.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_first_order::{
    Application, Assignment, Formula, Moment, SortId, States, Term, Universe, VarId, Variable,
};
use lustral_orbits::{PrimalDual, primal_dual};
use lustral_protocol::{Protocol, replay};
use lustral_quantified::{Invariant, Limits, Prover, Steps};
use lustral_testing::protocols::{protocol, random_protocol, reachable};

fn limits(seconds: u64) -> Limits {
    let until = Instant::now() + Duration::from_secs(seconds);
    Limits { query: Duration::from_secs(5), cancel: Cancel::new().child_until(Some(until)) }
}

/// The answer about the first property, from one element of each sort on.
fn answer(protocol: &Protocol, limits: &Limits) -> PrimalDual {
    let smallest = Universe::new(vec![1; protocol.signature.sorts.len()]);
    primal_dual(protocol, 0, &smallest, limits)
}

fn proves(protocol: &Protocol, facts: Vec<Formula>) -> bool {
    let mut prover = Prover::new(&[]);
    prover.prove(protocol, 0, &Invariant::new(facts), &limits(60)).is_ok()
}

/// Who holds something was granted it, and who was granted it has asked: one fact after the other.
#[test]
fn a_chain_of_reasons_has_an_incremental_proof() {
    let protocol = protocol(
        "sort node
        mutable relation asked(node)
        mutable relation granted(node)
        mutable relation held(node)
        init !asked(N) & !granted(N) & !held(N)
        transition ask(n: node)
          modifies asked
          new(asked(N)) <-> asked(N) | N = n
        transition grant(n: node)
          modifies granted
          asked(n) & (new(granted(N)) <-> granted(N) | N = n)
        transition take(n: node)
          modifies held
          granted(n) & (new(held(N)) <-> held(N) | N = n)
        safety held(N) -> asked(N)",
    );
    let found = answer(&protocol, &limits(120));
    let PrimalDual::Provable(facts) = found else { panic!("{found:?}") };
    assert!(facts.len() > 1, "the property alone is not inductive");
    assert!(proves(&protocol, facts));
    assert!(is_proved_by_short_clauses(&protocol));
}

/// A lock that is passed on: that it is free, on its way or held excludes each other, which nothing shows without the
/// rest.
#[test]
fn a_lock_has_no_proof_of_width_1() {
    let protocol = protocol(
        "sort node
        mutable relation message(node)
        mutable relation held(node)
        mutable relation free
        init !message(N) & !held(N) & free
        transition grant(n: node)
          modifies message, free
          free & !new(free) & (new(message(N)) <-> message(N) | N = n)
        transition take(n: node)
          modifies message, held
          message(n) & (new(message(N)) <-> message(N) & N != n)
          & (new(held(N)) <-> held(N) | N = n)
        transition release(n: node)
          modifies held, free
          held(n) & new(free) & (new(held(N)) <-> held(N) & N != n)
        safety held(M) & held(N) -> M = N",
    );
    let found = answer(&protocol, &limits(120));
    assert!(matches!(found, PrimalDual::Unprovable(_)), "{found:?}");
    assert!(!is_proved_by_short_clauses(&protocol));
}

/// Two flags that are exchanged hold for ever, and neither is inductive without the other: steps of width 1 prove
/// neither. That is no refutation.
#[test]
fn what_needs_two_facts_at_once_is_not_1_provable() {
    let protocol = protocol(
        "mutable relation p
        mutable relation q
        init p & q
        transition swap()
          modifies p, q
          (new(p) <-> q) & (new(q) <-> p)
        safety p",
    );
    let found = answer(&protocol, &limits(60));
    let PrimalDual::Unprovable(states) = found else { panic!("{found:?}") };
    assert!(states > 0);
}

/// Clauses of at most two literals about one element.
fn short_clauses(protocol: &Protocol) -> Vec<Formula> {
    let x = Variable { id: VarId(0), sort: SortId(0), name: "X".into() };
    let term = || Term::Variable(x.clone());
    let mut literals = Vec::new();
    for (id, symbol) in protocol.signature.symbols() {
        let arguments = symbol.arguments.iter().map(|_| term()).collect();
        let application = Application { symbol: id, moment: Moment::Now, arguments };
        let said = match symbol.result {
            Some(_) => Formula::equal(Term::Apply(application), term()),
            None => Formula::Relation(application),
        };
        literals.extend([said.clone().negated(), said]);
    }
    let all = |body: Formula| Formula::forall(vec![x.clone()], body);
    let pairs = (0..literals.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let both = pairs.map(|(a, b)| Formula::Or(vec![literals[a].clone(), literals[b].clone()]));
    literals.iter().cloned().chain(both).map(all).collect()
}

/// Whether the property has an incremental proof of width 1 from such clauses, by a search that tries all of them.
fn is_proved_by_short_clauses(protocol: &Protocol) -> bool {
    let mut steps = Steps::new(protocol, &limits(60)).expect("a solver");
    let mut facts = vec![protocol.safety[0].formula.clone()];
    facts.extend(short_clauses(protocol));
    let number = facts.len();
    facts.into_iter().for_each(|fact| steps.add(fact).expect("a solver"));
    let mut known = BTreeSet::new();
    loop {
        let before = known.len();
        for fact in 0..number {
            if !known.contains(&fact) && steps.holds(&known, &BTreeSet::from([fact])).is_some() {
                known.insert(fact);
            }
        }
        if known.len() == before {
            return known.contains(&0);
        }
    }
}

#[test]
fn answers_about_random_protocols_agree_with_explicit_search() {
    let mut answers = [0; 4];
    for seed in 0..60 {
        let text = random_protocol(seed);
        let protocol = protocol(&text);
        let explicit = |property: &Formula, size: u32| {
            reachable(&protocol, &Universe::new(vec![size])).iter().all(|state| {
                States::one(&protocol.signature, state).holds(property, &Assignment::new())
            })
        };
        match answer(&protocol, &limits(4)) {
            PrimalDual::Unsafe(execution) => {
                answers[0] += 1;
                replay(&protocol, &execution, 0).unwrap_or_else(|why| panic!("{why}\n{text}"));
            }
            PrimalDual::Provable(facts) | PrimalDual::Safe(facts) => {
                answers[1] += 1;
                for (fact, size) in facts.iter().flat_map(|fact| [(fact, 1), (fact, 2)]) {
                    assert!(explicit(fact, size), "{fact:?} fails with {size}:\n{text}");
                }
                assert!(explicit(&protocol.safety[0].formula, 2), "{text}");
                assert!(proves(&protocol, facts), "no proof:\n{text}");
            }
            PrimalDual::Unprovable(_) => {
                answers[2] += 1;
                assert!(answers[2] > 5 || !is_proved_by_short_clauses(&protocol), "{text}");
            }
            PrimalDual::Stopped | PrimalDual::Unknown => answers[3] += 1,
        }
    }
    assert!(answers[0] > 5 && answers[1] > 5, "{answers:?}");
}
