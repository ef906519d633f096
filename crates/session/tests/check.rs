//! Checks through the library: what is heard, in which order, and how it ends.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use lustral_coordinator::{CoreWish, Faults};
use lustral_session::report::Outcome;
use lustral_session::{
    Cause, Check, CheckOptions, Ending, EngineChoice, Event, Kept, Origins, Pace, Remark, Request,
    SearchOptions, Selection, Wish,
};
use lustral_system::Reason;

const TWO: &str = "\
node main(x: bool) returns (n: int);
let
  n = 0 -> if x and pre n < 5 then pre n + 1 else pre n;
  check \"low\" n <= 5;
  check \"lower\" n <= 3;
tel
";

/// A node that is called twice, with a property of its own.
const CALLS: &str = "\
node held(x: bool) returns (n: int);
let
  n = 0 -> if x and pre n < 5 then pre n + 1 else pre n;
  check \"low\" n <= 5;
tel
node main(x, y: bool) returns (s: int);
let
  s = held(x) + held(y);
  check \"sum\" s <= 10;
tel
";

/// Cubes of whole numbers: nobody decides this.
const HARD: &str = "\
node main(p, q, r: int) returns (ok: bool);
let
  ok = p*p*p + q*q*q + r*r*r <> 42;
  check \"hard\" ok;
tel
";

fn options() -> CheckOptions {
    let engines = ["bmc", "k-induction", "sorcar"];
    let engines = engines.map(|name| EngineChoice::named(name).unwrap()).to_vec();
    let search = SearchOptions { engines, ..SearchOptions::default() };
    CheckOptions { search, time: Some(Duration::from_secs(60)), ..CheckOptions::default() }
}

fn compositional() -> CheckOptions {
    let selection = Selection { compositional: true, ..Selection::default() };
    CheckOptions { selection, ..options() }
}

fn faulty(options: CheckOptions, place: &'static str) -> CheckOptions {
    let search = SearchOptions { faults: Faults::at(place), ..options.search };
    CheckOptions { search, ..options }
}

fn check(text: &str, options: CheckOptions) -> Check {
    Check::new(Request::text("main.lus", text), options)
}

/// The verdicts in a line each, in the order of their properties; and how all ended.
fn verdicts(check: Check) -> (Vec<String>, Ending) {
    let (mut lines, mut ending) = (Vec::new(), None);
    for event in check {
        assert!(ending.is_none(), "{event:?} after the end");
        match event {
            Event::Verdict(verdict) => {
                let more = match verdict.outcome() {
                    Outcome::Unknown { code, .. } => format!(" {code}"),
                    Outcome::Falsifiable { step, .. } => format!(" {step}"),
                    Outcome::Valid { .. } => String::new(),
                };
                lines.push(format!("{} {}{more}", verdict.property, verdict.word()));
            }
            Event::Ended(how) => ending = Some(how),
            _ => {}
        }
    }
    lines.sort();
    (lines, ending.unwrap())
}

fn remarks(check: Check) -> Vec<Remark> {
    let remark = |event| match event {
        Event::Remark { remark, .. } => Some(remark),
        _ => None,
    };
    check.filter_map(remark).collect()
}

#[test]
fn every_property_has_a_verdict_and_the_end_comes_last() {
    for pace in [Pace::Processors, Pace::Jobs(1), Pace::Counted] {
        let search = SearchOptions { pace, ..options().search };
        let (found, ending) = verdicts(check(TWO, CheckOptions { search, ..options() }));
        assert_eq!(found, ["low valid", "lower falsifiable 4"]);
        assert_eq!(ending, Ending::Complete);
    }
    let (found, ending) = verdicts(check(CALLS, compositional()));
    assert_eq!(
        (&found[..], ending),
        (&["low valid".into(), "sum valid".into()][..], Ending::Complete)
    );
}

#[test]
fn what_is_heard_can_go_to_another_thread() {
    fn can_go<T: Send + 'static>() {}
    can_go::<Check>();
    can_go::<Event>();
    can_go::<CheckOptions>();
}

#[test]
fn a_program_with_errors_is_rejected() {
    let events: Vec<Event> =
        check("node main() returns (y: bool); let y = 1; tel", options()).collect();
    let [Event::Diagnostics(found), Event::Ended(Ending::Rejected)] = &events[..] else {
        panic!("{events:?}")
    };
    assert!(found.list.has_errors());
    assert_eq!(events[0].lines().len(), found.list.iter().count());
}

#[test]
fn what_cannot_be_checked_is_said_with_its_type() {
    let nothing = "node main(x: int) returns (y: int); let y = x; tel";
    let said = remarks(check(nothing, options()));
    assert!(matches!(&said[..], [Remark::NothingToCheck { node: Some(node) }] if node == "main"));
    let nodes = vec!["other".to_string()];
    let selection = Selection { nodes, ..Selection::default() };
    let wrong = check(TWO, CheckOptions { selection, ..options() });
    let said = remarks(wrong);
    assert!(matches!(&said[..], [Remark::NoSuchNode(_)]), "{said:?}");
    assert!(said[0].to_string().contains("no node `other`"), "{}", said[0]);
    let missing = Request::file("/there/is/no/such.lus".as_ref());
    let events: Vec<Event> = Check::new(missing, options()).collect();
    let [Event::Remark { remark: Remark::Unreadable(_), .. }, Event::Ended(Ending::Rejected)] =
        &events[..]
    else {
        panic!("{events:?}")
    };
}

#[test]
fn the_time_limit_is_the_reason_of_the_end() {
    for options in [options(), compositional()] {
        let (started, time) = (Instant::now(), Some(Duration::from_millis(500)));
        let (found, ending) = verdicts(check(HARD, CheckOptions { time, ..options }));
        assert_eq!(
            (&found[..], ending),
            (&["hard unknown timeout".into()][..], Ending::Stopped(Reason::Timeout))
        );
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn whoever_stops_a_check_hears_of_every_property() {
    for options in [options(), compositional()] {
        let hard = check(HARD, options);
        let cancel = hard.cancel().clone();
        let waits = std::thread::spawn(move || verdicts(hard));
        std::thread::sleep(Duration::from_millis(300));
        cancel.interrupt();
        let (found, ending) = waits.join().unwrap();
        assert_eq!(
            (&found[..], ending),
            (&["hard unknown interrupted".into()][..], Ending::Stopped(Reason::Interrupted))
        );
    }
}

#[test]
fn dropping_a_check_stops_it() {
    // Something is heard of the called node, and nothing of the other.
    let text = HARD.replace("ok = ", "ok = held(p > 0) <= 5 and ");
    let text = format!("{}{text}", &CALLS[..CALLS.find("node main").unwrap()]);
    for options in [options(), compositional()] {
        let mut hard = check(&text, options);
        let cancel = hard.cancel().clone();
        assert!(matches!(hard.next(), Some(Event::Node(_))));
        assert_eq!(cancel.cause(), None);
        drop(hard);
        assert_eq!(cancel.cause(), Some(Cause::NotNeeded));
    }
}

#[test]
fn a_panic_in_any_thread_leaves_no_property_without_a_verdict() {
    for place in ["survey", "preparation", "checker"] {
        let (found, ending) = verdicts(check(TWO, faulty(options(), place)));
        assert_eq!(found, ["low unknown broken", "lower unknown broken"], "{place}");
        assert!(matches!(ending, Ending::Broken(_)), "{place}: {ending:?}");
        let said = remarks(check(TWO, faulty(options(), place)));
        assert!(said.iter().any(|remark| matches!(remark, Remark::Broken(_))), "{place}: {said:?}");
    }
}

#[test]
fn invariants_of_proofs_come_as_text_and_are_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept {
        invariants: true,
        candidates: Origins { cache: Some(folder.path().join("cache")), ..Origins::default() },
        certificates: Some(folder.path().join("certificates")),
    };
    // Needs an invariant at k = 1: the two counters are equal.
    let text = "\
node main(x: bool) returns (ok: bool);
var a, b: int;
let
  a = 0 -> if x then pre a + 1 else pre a;
  b = 0 -> if x then pre b + 1 else pre b;
  ok = a < 5 or b >= 5;
  check \"ok\" ok;
tel
";
    let found = check(text, CheckOptions { kept, ..options() });
    let texts = found.filter_map(|event| match event {
        Event::Invariants(found) => Some(found.to_text()),
        _ => None,
    });
    let texts: Vec<String> = texts.collect();
    assert_eq!(texts.len(), 1);
    assert!(texts[0].contains("node main\n"), "{}", texts[0]);
    assert_eq!(std::fs::read_dir(folder.path().join("cache")).unwrap().count(), 1);
    assert!(folder.path().join("certificates/main.lus/main").is_dir());
}

/// A counterexample that rests on what `sqrt` gives is one of a function that may be another.
#[test]
fn values_of_mathematical_functions_are_chosen() {
    let text = "node main(x: real) returns (y, z: real);\nlet\n  y = sqrt(x); z = x;\n  \
                check \"root\" y >= 0.0;\n  check \"other\" z >= 0.0;\n  \
                check \"same\" y = sqrt(z);\ntel\n";
    let mut warned = Vec::new();
    for event in check(text, options()) {
        if let Event::Verdict(verdict) = event
            && verdict.run.warnings.iter().any(|warning| warning.contains("values of `sqrt`"))
        {
            warned.push(verdict.property.clone());
        }
    }
    assert_eq!(warned, ["root"]);
}

/// What called nodes state may hold whatever they are given, and is easier by itself then.
#[test]
fn open_properties_of_calls_are_perhaps_easier_node_by_node() {
    let text = "node cubes(p, q, r: int) returns (ok: bool);\nlet\n  \
                ok = p*p*p + q*q*q + r*r*r <> 42;\n  check \"hard\" ok;\ntel\n\
                node main(p, q, r: int) returns (ok: bool);\nlet ok = cubes(p, q, r); tel\n";
    let told = |options| {
        let time = Some(Duration::from_millis(300));
        let mut events = check(text, CheckOptions { time, ..options });
        events.any(|event| {
            matches!(event, Event::Remark { remark: Remark::PerhapsByNodes { count: 1 }, .. })
        })
    };
    assert!(told(options()));
    assert!(!told(compositional()));
}

/// What properties need is looked for in the share of their node, and which equations none of them needs is said
/// of all of them, also where some were proved when the node was looked at again.
#[test]
fn cores_leave_time_to_other_nodes_and_coverage_is_told_once() {
    let slow: String = (0..40)
        .map(|i| format!("  s{i} = 0 -> if x then pre s{i} + {i} else pre s{};\n", (i * 7) % 40))
        .collect();
    let names: Vec<String> = (0..40).map(|i| format!("s{i}")).collect();
    let text = format!(
        "node first(x: bool) returns ({}: int);\nlet\n{slow}  check \"sum\" {} >= 0;\ntel\n{TWO}",
        names.join(", "),
        names.join(" + "),
    );
    let needs = Some(Wish { cores: CoreWish::All, cut_sets: None });
    let time = Some(Duration::from_secs(8));
    let mut told = Vec::new();
    let mut covered = Vec::new();
    for event in check(&text, CheckOptions { needs, time, ..options() }) {
        match event {
            Event::Verdict(verdict) if verdict.node == "main" => {
                told.push(verdict.outcome().clone())
            }
            Event::Coverage(found) => covered.push(found.coverage.node.clone()),
            _ => {}
        }
    }
    assert!(matches!(told[..], [_, _]), "{told:?}");
    assert!(!told.iter().any(|outcome| matches!(outcome, Outcome::Unknown { .. })), "{told:?}");
    covered.sort();
    let once = covered.len();
    covered.dedup();
    assert_eq!(covered.len(), once);
}
