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

/// A disjunction of three values is in no template, and callers do not see what
/// the output rests on.
const CYCLE: &str = "\
node cycle(x: bool) returns (a: int);
var h: bool;
let
  h = x -> x and not pre h;
  a = 0 -> if not h then pre a else if pre a = 0 then 7 else if pre a = 7 then 19 else 0;
tel
node main(x: bool) returns (ok: bool);
var a: int;
let
  a = cycle(x);
  ok = a = 0 or a = 7 or a = 19;
  check \"three\" ok;
tel
";

const GUESS: &str = "node cycle\n  a = 0 or a = 7 or a = 19;\n";

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
    assert!(matches!(verdict.outcome(), OutcomeEvent::Valid(_)), "{verdict:?}");
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
    assert!(abstracted(&check(CYCLE, options())).is_empty(), "nobody guesses it");
    let folder = tempfile::tempdir().unwrap();
    let files = vec![written(folder.path(), "guess", GUESS)];
    let events = check(CYCLE, keeping(Origins { files, ..Origins::default() }));
    assert_eq!(abstracted(&events), ["cycle"]);
    // A guess that is wrong, and one that remembers, do no harm.
    let wrong = "node cycle\n  a < 12;\n  a + (0 -> pre (a + a)) >= 0;\nnode main\n  true -> pre (a + a) < 100;\n";
    let files = vec![written(folder.path(), "wrong", wrong)];
    let events = check(CYCLE, keeping(Origins { files, ..Origins::default() }));
    assert!(abstracted(&events).is_empty());
}

#[test]
fn what_proofs_were_given_is_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = vec![written(folder.path(), "guess", GUESS)];
    let first = check(CYCLE, keeping(Origins { files, ..Origins::default() }));
    let found = invariants(&first);
    let earlier = Some(written(folder.path(), "found", &found));
    let again = check(CYCLE, keeping(Origins { earlier, ..Origins::default() }));
    assert_eq!(abstracted(&again), ["cycle"], "{found}");
}

#[test]
fn a_cache_keeps_what_was_found_of_a_node_while_the_node_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let files = vec![written(folder.path(), "guess", GUESS)];
    let cache = Some(folder.path().join("cache"));
    check(CYCLE, keeping(Origins { files, cache: cache.clone(), ..Origins::default() }));
    let cached = || keeping(Origins { cache: cache.clone(), ..Origins::default() });
    assert_eq!(abstracted(&check(CYCLE, cached())), ["cycle"]);
    let moved = format!("-- a comment\n{CYCLE}");
    assert_eq!(abstracted(&check(&moved, cached())), ["cycle"]);
    let other = CYCLE.replace("then 19 else 0", "then 19 else 1 - 1");
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
    for text in [CYCLE, SEVERAL] {
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
