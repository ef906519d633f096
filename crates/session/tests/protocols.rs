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
        Event::Diagnostics(found) if found.list.has_errors() => {
            panic!("{:?}", found.list.iter().collect::<Vec<_>>())
        }
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
            ProtocolOutcome::Unknown { holds_at, searched, .. } => {
                let held = |size: &u32| {
                    holds_at.iter().chain(searched).any(|sizes| sizes[0].size == *size)
                };
                assert!(!failing.iter().any(held), "{failing:?} and {holds_at:?}:\n{text}");
            }
            other => panic!("no size was asked for, and no trace: {other:?}"),
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
            other => panic!("only one size was asked for: {other:?}"),
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
    // It is known at once, and says what contradicts what.
    let verdicts = check(text, 60.0, ProtocolOptions::default());
    let ProtocolOutcome::Unknown { reason, reason_code, .. } = verdicts[0].outcome() else {
        panic!("{verdicts:?}")
    };
    let contradiction = "init at line 3 and init at line 4 contradict each other";
    assert_eq!(reason_code, "vacuous");
    assert!(reason.ends_with(contradiction), "{reason}");
    // Only infinitely many elements make such an order.
    let text = "sort node
        immutable relation lt(node, node)
        axiom lt(X, Y) & lt(Y, Z) -> lt(X, Z)
        axiom !lt(X, X)
        axiom exists Y. lt(X, Y)
        mutable relation p(node)
        init !p(X)
        transition t(n: node) modifies p new(p(X)) <-> p(X)
        safety !p(X)";
    let verdicts = check(text, 60.0, ProtocolOptions::default());
    let ProtocolOutcome::Unknown { reason_code, .. } = verdicts[0].outcome() else {
        panic!("{verdicts:?}")
    };
    assert_eq!(reason_code, "no_first_state");
}

/// What is inductive as it stands is proved whatever it looks like, and what is stated helps.
#[test]
fn what_is_stated_is_tried_as_it_stands() {
    let text = "sort node
        sort value
        mutable relation done(node)
        mutable relation sent(node, value)
        init !done(X)
        init !sent(X, Y)
        transition send(n: node, v: value) modifies sent
          new(sent(X, Y)) <-> sent(X, Y) | X = n & Y = v
        transition finish(n: node) modifies done
          (exists V. sent(n, V)) & (new(done(X)) <-> done(X) | X = n)
        safety [some] done(X) -> exists Y, V. sent(Y, V)
        invariant [its_own] done(X) -> exists V. sent(X, V)
        invariant [wrong] !done(X)";
    let verdicts = check(text, 60.0, ProtocolOptions::default());
    let of = |name: &str| {
        let verdict = verdicts.iter().find(|verdict| verdict.property == name);
        verdict.expect("a verdict").outcome().clone()
    };
    assert!(matches!(of("its_own"), ProtocolOutcome::Valid { .. }), "{verdicts:?}");
    assert!(matches!(of("some"), ProtocolOutcome::Valid { .. }), "{verdicts:?}");
    let ProtocolOutcome::Falsifiable { step, sizes, .. } = of("wrong") else { panic!() };
    assert_eq!((step, sizes[0].size), (2, 1));
}

/// What never fails and is not shown says what it lacks.
#[test]
fn unknown_says_what_was_found() {
    // The tokens of an even number of nodes: no formula of this language says that.
    let text = "sort node
        mutable relation odd
        mutable relation p(node)
        init !odd & !p(X)
        transition flip(n: node) modifies odd, p
          (new(odd) <-> !odd) & (new(p(n)) <-> !p(n)) & (X != n -> (new(p(X)) <-> p(X)))
        safety [parity] odd -> exists X. p(X)";
    let verdicts = check(text, 3.0, ProtocolOptions::default());
    let ProtocolOutcome::Unknown { searched, broken_by, .. } = verdicts[0].outcome() else {
        panic!("{verdicts:?}")
    };
    assert_eq!(broken_by.as_deref(), Some("flip"));
    assert!(searched.iter().any(|sizes| sizes[0].size == 2), "{searched:?}");
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

/// Sizes of sorts need not grow together for there to be a first state.
#[test]
fn first_states_are_found_at_sizes_that_differ() {
    let text = "sort node
        sort box
        axiom exists X: node, Y: node, Z: node. X != Y & X != Z & Y != Z
        axiom forall X: box, Y: box. X = Y
        mutable relation inside(node, box)
        init !inside(N, B)
        transition put(n: node, b: box) modifies inside
          (forall N. !inside(N, b)) & (new(inside(N, B)) <-> inside(N, B) | N = n & B = b)
        safety [one] inside(N, B) & inside(M, B) -> N = M";
    let verdicts = check(text, 60.0, ProtocolOptions::default());
    assert!(matches!(verdicts[0].outcome(), ProtocolOutcome::Valid { .. }), "{verdicts:?}");
    let wrong = text.replace("(forall N. !inside(N, b)) & (new", "(new");
    let verdicts = check(&wrong, 60.0, ProtocolOptions::default());
    let ProtocolOutcome::Falsifiable { sizes, .. } = verdicts[0].outcome() else {
        panic!("{verdicts:?}")
    };
    assert_eq!(sizes.iter().map(|s| s.size).collect::<Vec<_>>(), [3, 1]);
}

/// What becomes of something that is claimed of a protocol of tokens.
fn claimed(claim: &str) -> &'static str {
    let text = "sort node
        immutable constant root: node
        mutable relation has(node)
        mutable relation last(node)
        derived relation none: none <-> forall X. !has(X)
        init has(X) <-> X = root
        init !last(X)
        transition pass(n: node, m: node) modifies has, last
          has(n) & (new(has(X)) <-> has(X) & X != n | X = m) & (new(last(X)) <-> X = n)
        transition lose(n: node) modifies has
          has(n) & n != root & (new(has(X)) <-> has(X) & X != n)
        ";
    let verdicts = check(&format!("{text}{claim}\n"), 60.0, ProtocolOptions::default());
    assert_eq!(verdicts.len(), 1, "{claim}: {verdicts:?}");
    match verdicts[0].outcome() {
        ProtocolOutcome::Valid { .. } => "valid",
        ProtocolOutcome::Falsifiable { .. } => "falsifiable",
        ProtocolOutcome::Possible { .. } => "possible",
        ProtocolOutcome::Impossible { .. } => "impossible",
        ProtocolOutcome::Unknown { .. } => "unknown",
        ProtocolOutcome::HoldsAtSize { .. } => "holds",
    }
}

/// Theorems are of all states, reachable or not.
#[test]
fn theorems_are_proved_or_refuted() {
    for (claim, expected) in [
        ("theorem none -> !has(root)", "valid"),
        ("theorem has(X) & has(Y) -> X = Y", "falsifiable"),
        ("theorem !last(root)", "falsifiable"),
        ("zerostate theorem X = root | root != X", "valid"),
        ("zerostate theorem forall X: node, Y: node. X = Y", "falsifiable"),
        ("twostate theorem new(none) -> !new(has(root))", "valid"),
        ("twostate theorem new(has(X)) -> has(X)", "falsifiable"),
        ("twostate theorem none & new(has(X)) -> !has(X)", "valid"),
    ] {
        assert_eq!(claimed(claim), expected, "{claim}");
    }
}

/// A trace begins in a first state, if it does not say what it begins with; steps are by what it names, for
/// the elements that it names, and what is asserted holds of the state where it stands.
#[test]
fn traces_are_possible_or_not() {
    for (trace, possible) in [
        ("pass lose", true),
        ("pass(*, root) lose", false),
        ("lose", false),
        ("assert !has(root) lose", true),
        ("assert exists X. X != root & has(X) lose", true),
        ("assert init lose", false),
        ("assert init pass", true),
        ("any transition lose assert none", true),
        ("any transition assert none", false),
        ("pass(root, root) assert last(root) & has(root)", true),
        ("pass(root, *) assert !last(root)", false),
        ("lose | pass lose | lose assert last(root)", true),
        ("lose | pass lose | lose assert !last(root)", false),
        ("pass lose assert exists X. has(X)", false),
        ("pass pass lose assert last(root)", true),
        ("assert none any transition", false),
        ("assert none", true),
        ("assert none & has(root)", false),
        ("", true),
    ] {
        let is = |sat: &str| claimed(&format!("{sat} trace {{ {trace} }}"));
        let expected = if possible { ("possible", "falsifiable") } else { ("impossible", "valid") };
        assert_eq!((is("sat"), is("unsat")), expected, "{trace}");
    }
}

/// That a leader has the votes of some whole quorum is said by no instance: it is why there is a leader.
#[test]
fn what_made_something_so_helps_to_prove() {
    let text = "sort node
        sort quorum
        immutable relation member(node, quorum)
        axiom forall Q1, Q2. exists N. member(N, Q1) & member(N, Q2)
        mutable relation voted(node)
        mutable relation vote(node, node)
        mutable relation leader(node)
        init !voted(N) & !vote(N, M) & !leader(N)
        transition give(n: node, m: node) modifies voted, vote
          !voted(n) & (new(voted(N)) <-> voted(N) | N = n)
          & (new(vote(N, M)) <-> vote(N, M) | N = n & M = m)
        transition win(n: node, q: quorum) modifies leader
          (member(N, q) -> vote(N, n)) & (new(leader(N)) <-> leader(N) | N = n)
        safety [one] leader(N) & leader(M) -> N = M";
    let verdicts = check(text, 60.0, ProtocolOptions::default());
    let ProtocolOutcome::Valid { invariant, .. } = verdicts[0].outcome() else {
        panic!("{verdicts:?}")
    };
    assert!(invariant.iter().any(|fact| fact.contains("exists q:quorum")), "{invariant:?}");
}
