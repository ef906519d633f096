//! What is said of random instances, against an explicit search by the evaluator.

use std::collections::BTreeSet;

use lustral_base::Cancel;
use lustral_first_order::{Assignment, States, Universe};
use lustral_orbits::{Found, Question, begins, is_inductive, search};
use lustral_protocol::{Protocol, replay};
use lustral_quantified::lift;
use lustral_testing::protocols::{protocol, random_protocol, reachable};

/// Whether the property fails in a state that is reached, and whether some is.
fn explicit(protocol: &Protocol, universe: &Universe) -> (bool, bool) {
    let states = reachable(protocol, universe);
    let holds = |state: &_| {
        States::one(&protocol.signature, state)
            .holds(&protocol.safety[0].formula, &Assignment::new())
    };
    (!states.iter().all(holds), states.is_empty())
}

/// About the first property, with nothing known.
fn first(size: u32) -> Question {
    let (open, known) = (BTreeSet::from([0]), BTreeSet::new());
    Question { universe: Universe::new(vec![size]), open, known }
}

#[test]
fn random_instances_agree_with_explicit_search() {
    let (mut failing, mut holding) = (0, 0);
    let cancel = Cancel::new();
    for seed in 0..60 {
        let text = random_protocol(seed);
        let protocol = protocol(&text);
        let mut lemmas = Vec::new();
        for size in 1..=2 {
            let universe = Universe::new(vec![size]);
            let (fails, empty) = explicit(&protocol, &universe);
            assert_eq!(begins(&protocol, &universe, &cancel), Some(!empty), "{text}");
            match search(&protocol, &first(size), &lemmas, &cancel) {
                Found::Fails(execution) => {
                    failing += 1;
                    assert!(fails, "it holds with {size}:\n{text}");
                    replay(&protocol, &execution, 0).unwrap_or_else(|why| panic!("{why}\n{text}"));
                }
                Found::Holds(learned) => {
                    holding += 1;
                    assert!(!fails && !empty, "it fails with {size}, or is empty:\n{text}");
                    let patterns: Vec<_> = learned.iter().map(|one| one.pattern.clone()).collect();
                    let known = is_inductive(&protocol, &first(size), &patterns, &cancel);
                    assert_eq!(known, Some(true), "{text}");
                    for state in reachable(&protocol, &universe) {
                        let states = States::one(&protocol.signature, &state);
                        for one in &learned {
                            let lifted = &lift(&protocol.signature, &universe, &one.clause)[0];
                            let says = one.pattern.formula(&protocol.signature);
                            assert!(states.holds(lifted, &Assignment::new()), "{one:?}\n{text}");
                            assert!(states.holds(&says, &Assignment::new()), "{one:?}\n{text}");
                        }
                    }
                    lemmas = patterns;
                }
                Found::Empty => assert!(empty, "{text}"),
                other => panic!("{other:?}\n{text}"),
            }
        }
    }
    assert!(failing > 15 && holding > 15, "{failing} {holding}");
}

/// What holds with one node need not hold with two, and the clauses do not show that it does.
#[test]
fn patterns_of_small_instances_are_no_invariants_of_larger_ones() {
    let text = "sort node
        mutable relation held(node)
        init !held(N)
        transition take(n: node)
          modifies held
          new(held(N)) <-> held(N) | N = n
        safety held(M) & held(N) -> M = N";
    let protocol = protocol(text);
    let cancel = Cancel::new();
    let sized = |size| search(&protocol, &first(size), &[], &cancel);
    let Found::Holds(learned) = sized(1) else { panic!("one node is never two") };
    let patterns: Vec<_> = learned.into_iter().map(|one| one.pattern).collect();
    assert_eq!(is_inductive(&protocol, &first(2), &patterns, &cancel), Some(false));
    let Found::Fails(execution) = sized(2) else { panic!("both take it") };
    assert_eq!(execution.steps.len(), 2);
}
