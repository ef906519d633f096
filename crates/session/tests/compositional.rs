//! Checks node by node through the library: what the options about guesses,
//! what is kept, and work instead of time come to.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use lustral_coordinator::Faults;
use lustral_session::report::event::{OutcomeEvent, VerdictEvent};
use lustral_session::{
    Check, CheckOptions, Ending, Event, Kept, Origins, Pace, Remark, Request, SearchOptions,
    Selection, report,
};

/// That one output is three times the other is in no template, and nothing that
/// a caller could see by itself.
const THRICE: &str = "\
node pair(x: bool) returns (a, b: int);
let
  a = 0 -> if x then pre a + 1 else pre a;
  b = 0 -> if x then pre b + 3 else pre b;
tel
node main(x: bool) returns (ok: bool);
var a, b: int;
let
  a, b = pair(x);
  ok = b = 3 * a;
  check \"thrice\" ok;
tel
";

const GUESS: &str = "node pair\n  b = 3 * a;\n";

/// Properties of the called node for all calls and for some, one of the caller
/// for which a call is to be inlined, and one that fails.
const SEVERAL: &str = "\
node half(x: int) returns (y: int);
var n: int;
let
  n = 0 -> if pre n < 5 then pre n + 1 else 0;
  y = x + n;
  check \"low\" n <= 5;
  check \"above\" y > 0;
tel
node main(x: int) returns (a, b: int);
let
  a = half(if x > 0 then x else 1);
  b = half(7) - half(7);
  check \"equal\" b = 0;
  check \"small\" a < 100;
tel
";

fn options() -> CheckOptions {
    CheckOptions {
        selection: Selection { compositional: true, ..Selection::default() },
        time: Some(Duration::from_secs(60)),
        ..CheckOptions::default()
    }
}

fn keeping(candidates: Origins) -> CheckOptions {
    let kept = Kept { candidates, invariants: true, certificates: None };
    CheckOptions { kept, ..options() }
}

fn check(text: &str, options: CheckOptions) -> Vec<Event> {
    Check::new(Request::text("main.lus", text), options).collect()
}

fn verdicts(events: &[Event]) -> Vec<VerdictEvent> {
    let lines = events.iter().flat_map(Event::lines);
    let verdict = |line| match line {
        report::Event::Verdict(verdict) => Some(*verdict),
        _ => None,
    };
    lines.filter_map(verdict).collect()
}

/// The calls that have no part in the one proof that there is.
fn abstracted(events: &[Event]) -> Vec<String> {
    let verdicts = verdicts(events);
    let [verdict] = &verdicts[..] else { panic!("{verdicts:?}") };
    assert!(matches!(verdict.outcome(), OutcomeEvent::Valid { .. }), "{verdict:?}");
    verdict.composition.as_ref().unwrap().abstracted.clone()
}

fn invariants(events: &[Event]) -> String {
    let found = events.iter().find_map(|event| match event {
        Event::Invariants(found) => Some(found.to_text()),
        _ => None,
    });
    found.unwrap()
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_candidate_is_told_to_the_callers_of_its_node() {
    assert!(abstracted(&check(THRICE, options())).is_empty(), "nobody guesses it");
    let folder = tempfile::tempdir().unwrap();
    let files = vec![written(folder.path(), "guess", GUESS)];
    let events = check(THRICE, keeping(Origins { files, ..Origins::default() }));
    assert_eq!(abstracted(&events), ["pair"]);
    // A guess that is wrong, and one that remembers, do no harm.
    let wrong = "node pair\n  b = 2 * a;\n  true -> a >= pre a;\nnode main\n  true -> pre ok;\n";
    let files = vec![written(folder.path(), "wrong", wrong)];
    let events = check(THRICE, keeping(Origins { files, ..Origins::default() }));
    assert!(abstracted(&events).is_empty());
}

#[test]
fn what_proofs_were_given_is_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = vec![written(folder.path(), "guess", GUESS)];
    let first = check(THRICE, keeping(Origins { files, ..Origins::default() }));
    let found = invariants(&first);
    let earlier = Some(written(folder.path(), "found", &found));
    let again = check(THRICE, keeping(Origins { earlier, ..Origins::default() }));
    assert_eq!(abstracted(&again), ["pair"], "{found}");
}

#[test]
fn a_cache_keeps_what_was_found_of_a_node_while_the_node_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let files = vec![written(folder.path(), "guess", GUESS)];
    let cache = Some(folder.path().join("cache"));
    check(THRICE, keeping(Origins { files, cache: cache.clone(), ..Origins::default() }));
    let cached = || keeping(Origins { cache: cache.clone(), ..Origins::default() });
    assert_eq!(abstracted(&check(THRICE, cached())), ["pair"]);
    let moved = format!("-- a comment\n{THRICE}");
    assert_eq!(abstracted(&check(&moved, cached())), ["pair"]);
    let other = THRICE.replace("if x then pre b + 3", "if x and true then pre b + 3");
    assert!(abstracted(&check(&other, cached())).is_empty(), "another node");
}

#[test]
fn by_work_every_run_is_the_same() {
    let counted = || {
        let search = SearchOptions { pace: Pace::Counted, ..SearchOptions::default() };
        CheckOptions { search, ..options() }
    };
    let run = |text: &str| -> String {
        let events = check(text, counted());
        assert!(matches!(events.last(), Some(Event::Ended(Ending::Complete))), "{events:?}");
        events.iter().flat_map(Event::lines).map(|line| line.line()).collect()
    };
    for text in [THRICE, SEVERAL] {
        let first = run(text);
        assert!(!first.contains("seconds"), "{first}");
        for _ in 0..8 {
            assert_eq!(run(text), first);
        }
    }
}

#[test]
fn a_panic_of_the_thread_that_works_leaves_no_property_without_a_verdict() {
    for place in ["survey", "called node", "checked node"] {
        // The survey is made where there are assertions.
        let text = SEVERAL.replace("  a = half", "  assert x < 50;\n  a = half");
        let search = SearchOptions { faults: Faults::at(place), ..SearchOptions::default() };
        let events = check(&text, CheckOptions { search, ..options() });
        let mut seen: Vec<(String, String)> = Vec::new();
        for verdict in verdicts(&events) {
            let word = match verdict.outcome() {
                OutcomeEvent::Unknown { reason_code, .. } => reason_code.clone(),
                _ => "known".into(),
            };
            seen.push((verdict.property.clone(), word));
        }
        let broken = |name: &str| seen.contains(&(name.into(), "broken".into()));
        assert!(broken("equal") && broken("small"), "{place}: {seen:?}");
        for name in ["low", "above"] {
            // For all calls, or one at each.
            let all = seen.iter().filter(|(p, _)| p == name || p.ends_with(&format!(".{name}")));
            let all = all.count();
            assert!(
                all == 1 && seen.iter().any(|(p, _)| p == name) || all == 3,
                "{place}: {seen:?}"
            );
        }
        let said = events
            .iter()
            .any(|event| matches!(event, Event::Remark { remark: Remark::Broken(_), .. }));
        assert!(said, "{place}");
        assert!(matches!(events.last(), Some(Event::Ended(Ending::Broken(_)))), "{place}");
    }
}
