//! What is said of random instances, against an explicit search by the evaluator.

use std::cell::Cell;
use std::collections::BTreeSet;

use lustral_base::Cancel;
use lustral_first_order::{Assignment, States, Universe};
use lustral_orbits::{Found, PATIENCE, Pattern, Question, begins, inductive, search};
use lustral_protocol::{Protocol, replay};
use lustral_quantified::lift;
use lustral_testing::protocols::{protocol, random_protocol, reachable};
use lustral_testing::seeds::for_each;

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
    Question { universe: Universe::new(vec![size]), open, known, patience: PATIENCE }
}

#[test]
fn random_instances_agree_with_explicit_search() {
    agree(PATIENCE);
    // Small cubes are tried at once.
    agree(0);
}

fn agree(patience: usize) {
    let (failing, holding) = (Cell::new(0), Cell::new(0));
    for_each(60, |seed| {
        let mut lemmas = Vec::new();
        for size in 1..=2 {
            match agreed(&random_protocol(seed), size, patience, &lemmas) {
                Agreed::Fails => failing.set(failing.get() + 1),
                Agreed::Holds(patterns) => {
                    holding.set(holding.get() + 1);
                    lemmas = patterns;
                }
                Agreed::Empty => {}
            }
        }
    });
    let (failing, holding) = (failing.get(), holding.get());
    println!("{failing} instances fail, {holding} hold");
    // With other seeds there may be fewer.
    let usual = std::env::var_os("LUSTRAL_SEEDS").is_none();
    assert!(!usual || failing > 15 && holding > 15, "{failing} {holding}");
}

/// What is said of an instance.
enum Agreed {
    Fails,
    Holds(Vec<Pattern>),
    Empty,
}

/// Compares what is said of an instance with what is reached in it.
fn agreed(text: &str, size: u32, patience: usize, lemmas: &[Pattern]) -> Agreed {
    let (protocol, cancel) = (protocol(text), Cancel::new());
    let universe = Universe::new(vec![size]);
    let (fails, empty) = explicit(&protocol, &universe);
    assert_eq!(begins(&protocol, &universe, &cancel), Some(!empty), "{text}");
    let question = Question { patience, ..first(size) };
    match search(&protocol, &question, lemmas, &cancel) {
        Found::Fails(execution) => {
            assert!(fails, "it holds with {size}:\n{text}");
            replay(&protocol, &execution, 0).unwrap_or_else(|why| panic!("{why}\n{text}"));
            Agreed::Fails
        }
        Found::Holds(learned) => {
            assert!(!fails && !empty, "it fails with {size}, or is empty:\n{text}");
            let patterns: Vec<_> = learned.iter().map(|one| one.pattern.clone()).collect();
            let known = inductive(&protocol, &first(size), &patterns, &cancel);
            let (kept, shown) = known.expect("nobody stops it");
            assert!(shown, "{text}");
            assert_eq!(BTreeSet::from_iter(kept), patterns.iter().cloned().collect(), "{text}");
            for state in reachable(&protocol, &universe) {
                let states = States::one(&protocol.signature, &state);
                for one in &learned {
                    let lifted = &lift(&protocol.signature, &universe, &one.clause)[0];
                    let says = one.pattern.formula(&protocol.signature);
                    assert!(states.holds(lifted, &Assignment::new()), "{one:?}\n{text}");
                    assert!(states.holds(&says, &Assignment::new()), "{one:?}\n{text}");
                }
            }
            Agreed::Holds(patterns)
        }
        Found::Empty => {
            assert!(empty, "{text}");
            Agreed::Empty
        }
        other => panic!("{other:?}\n{text}"),
    }
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
    assert!(matches!(inductive(&protocol, &first(2), &patterns, &cancel), Some((_, false))));
    let Found::Fails(execution) = sized(2) else { panic!("both take it") };
    assert_eq!(execution.steps.len(), 2);
}
