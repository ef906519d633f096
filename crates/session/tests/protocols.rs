//! Protocols from text to verdict: random ones against explicit search, and what is said of some.

use std::time::Duration;

use lustral_first_order::{Assignment, States, Universe};
use lustral_protocol::Protocol;
use lustral_session::report::{ProtocolOutcome, ProtocolVerdict};
use lustral_session::{CheckOptions, CheckProtocol, Event, ProtocolOptions, Request};
use lustral_testing::protocols::{protocol, random_protocol, reachable};

fn check(text: &str, seconds: f64, wish: ProtocolOptions) -> Vec<ProtocolVerdict> {
    let options =
        CheckOptions { time: Some(Duration::from_secs_f64(seconds)), ..CheckOptions::default() };
    let events = CheckProtocol::new(Request::text("test.pyv", text), options, wish);
    let verdict = |event| match event {
        Event::Protocol(verdict) => Some(*verdict),
        Event::Diagnostics(found) => panic!("{:?}", found.list.iter().collect::<Vec<_>>()),
        _ => None,
    };
    events.filter_map(verdict).collect()
}

/// Whether the first property fails in a state that is reached with so many elements.
fn fails(protocol: &Protocol, size: u32) -> bool {
    let holds = |state: &_| {
        States::one(&protocol.signature, state)
            .holds(&protocol.safety[0].formula, &Assignment::new())
    };
    !reachable(protocol, &Universe::new(vec![size])).iter().all(holds)
}

/// What is said for all sizes is true of those that can be searched, and what is said to fail
/// fails at the size that is named and at no smaller one.
#[test]
fn random_protocols_agree_with_explicit_search() {
    let (mut valid, mut falsifiable) = (0, 0);
    for seed in 1_000..1_040 {
        let text = random_protocol(seed);
        let verdicts = check(&text, 3.0, ProtocolOptions::default());
        assert_eq!(verdicts.len(), 1, "{text}");
        let protocol = protocol(&text);
        let failing: Vec<u32> = (1..=2).filter(|size| fails(&protocol, *size)).collect();
        match verdicts[0].outcome() {
            ProtocolOutcome::Valid { .. } => {
                valid += 1;
                assert!(failing.is_empty(), "valid, and fails at {failing:?}:\n{text}");
            }
            ProtocolOutcome::Falsifiable { sizes, .. } => {
                falsifiable += 1;
                match (sizes[0].size, &failing[..]) {
                    (size @ 1..=2, [first, ..]) => assert_eq!(size, *first, "{text}"),
                    (size, []) => assert!(size > 2, "it does not fail at {size}:\n{text}"),
                    (size, _) => panic!("it fails before {size}: {failing:?}\n{text}"),
                }
            }
            ProtocolOutcome::Unknown { holds_at, .. } => {
                let held = |size: &u32| holds_at.iter().any(|sizes| sizes[0].size == *size);
                assert!(!failing.iter().any(held), "{failing:?} and {holds_at:?}:\n{text}");
            }
            ProtocolOutcome::HoldsAtSize { .. } => panic!("no size was asked for"),
        }
    }
    // Most random properties fail. How many are proved is a matter of time.
    assert!(valid > 0 && falsifiable > 4, "{valid} valid, {falsifiable} falsifiable");
}

#[test]
fn random_protocols_at_a_size_agree_with_explicit_search() {
    let (mut holding, mut falsifiable) = (0, 0);
    for seed in 2_000..2_040 {
        let text = random_protocol(seed);
        let wish = ProtocolOptions { sizes: vec![("node".into(), 2)], ..Default::default() };
        let verdicts = check(&text, 20.0, wish);
        let protocol = protocol(&text);
        match verdicts[0].outcome() {
            ProtocolOutcome::HoldsAtSize { .. } => {
                holding += 1;
                assert!(!fails(&protocol, 2), "{text}");
            }
            ProtocolOutcome::Falsifiable { .. } => {
                falsifiable += 1;
                assert!(fails(&protocol, 2), "{text}");
            }
            ProtocolOutcome::Unknown { reason_code, .. } => {
                assert_eq!(reason_code, "vacuous", "{text}");
                let none = reachable(&protocol, &Universe::new(vec![2])).is_empty();
                assert!(none, "there are first states:\n{text}");
            }
            ProtocolOutcome::Valid { .. } => panic!("only one size was asked for"),
        }
    }
    assert!(holding > 1 && falsifiable > 4, "{holding} hold, {falsifiable} falsifiable");
}

/// A proof about no state at all is none.
#[test]
fn without_a_first_state_nothing_is_valid() {
    let text = "sort node
        mutable relation p(node)
        init p(X)
        init !p(X)
        transition t(n: node) modifies p new(p(X)) <-> p(X)
        safety p(X)";
    let verdicts = check(text, 1.0, ProtocolOptions::default());
    assert!(matches!(verdicts[0].outcome(), ProtocolOutcome::Unknown { .. }), "{verdicts:?}");
}

/// Two elements are needed for a first state: smaller sizes are no objection.
#[test]
fn sizes_without_a_first_state_are_passed_over() {
    let text = "sort node
        immutable constant a: node
        immutable constant b: node
        axiom a != b
        mutable relation p(node)
        init p(X) <-> X = a
        transition t(n: node) modifies p new(p(X)) <-> p(X) & X != n
        safety [never] !p(b)";
    let verdicts = check(text, 20.0, ProtocolOptions::default());
    assert!(matches!(verdicts[0].outcome(), ProtocolOutcome::Valid { .. }), "{verdicts:?}");
}
