//! What nodes guarantee, through the library.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lustral_session::{
    Ending, Event, Learn, LearnOptions, Remark, Request, SummaryOptions, report,
};
use lustral_system::Reason;

const PROGRAM: &str = "\
node held(x: bool) returns (n: int);
let
  n = 0 -> if x and pre n < 5 then pre n + 1 else pre n;
tel
node main(x, y: bool) returns (s: int);
let
  s = held(x) + held(y);
  check \"sum\" s <= 10;
tel
";

fn options() -> LearnOptions {
    LearnOptions { time: Some(Duration::from_secs(60)), ..LearnOptions::default() }
}

fn learn(text: &str, options: LearnOptions) -> Vec<Event> {
    Learn::new(Request::text("main.lus", text), options).collect()
}

fn lines(events: &[Event]) -> Vec<report::Event> {
    events.iter().flat_map(Event::lines).collect()
}

/// The expressions that are known of a node.
fn known_of(node: &str, events: &[Event]) -> Vec<String> {
    let of = |line: report::Event| match line {
        report::Event::Invariant(found) if found.node == node => Some(found.expression),
        _ => None,
    };
    lines(events).into_iter().filter_map(of).collect()
}

#[test]
fn called_nodes_come_first() {
    let events = learn(PROGRAM, options());
    let [Event::Guarantees(first), Event::Guarantees(second), Event::Ended(Ending::Complete)] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!((first.known.node(), first.number), ("held", 1));
    assert_eq!((second.known.node(), second.number), ("main", 2));
    assert!(known_of("held", &events).contains(&"n <= 5".into()), "{:?}", lines(&events));
    // That of the caller follows from it, but who sees the caller only cannot know.
    assert!(known_of("main", &events).contains(&"s <= 10".into()), "{:?}", lines(&events));
}

#[test]
fn only_what_was_asked_for_is_said() {
    let events = learn(PROGRAM, LearnOptions { nodes: vec!["held".into()], ..options() });
    assert!(known_of("main", &events).is_empty() && !known_of("held", &events).is_empty());
    let events = learn(PROGRAM, LearnOptions { nodes: vec!["other".into()], ..options() });
    let [Event::Remark { remark: Remark::NoSuchNode(_), .. }, Event::Ended(Ending::Rejected)] =
        &events[..]
    else {
        panic!("{events:?}")
    };
}

#[test]
fn of_nodes_without_executions_nothing_is_said() {
    let text = PROGRAM.replace("  s = held", "  assert x and not x;\n  s = held");
    let events = learn(&text, options());
    let unlearned = |event: &Event| matches!(event, Event::Remark { remark: Remark::Unlearned { node, .. }, .. } if node == "main");
    assert!(events.iter().any(unlearned), "{events:?}");
    assert!(known_of("main", &events).is_empty());
}

#[test]
fn summaries_are_models_of_the_clauses_of_each_node() {
    let summaries = Some(SummaryOptions::default());
    let events = learn(PROGRAM, LearnOptions { summaries, ..options() });
    let found = events.iter().find_map(|event| match event {
        Event::Models(found) => Some(found),
        _ => None,
    });
    let found = found.unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!((&*found.root, found.only_root), ("main", true));
    assert_eq!(found.names, ["held", "main"]);
    assert!(found.smt2.contains("define-fun"), "{}", found.smt2);
    let of = |line: &report::Event| matches!(line, report::Event::ModularInvariant(found) if found.node == "held");
    assert!(lines(&events).iter().any(of));
}

#[test]
fn a_search_can_be_stopped() {
    let search = Learn::new(Request::text("main.lus", PROGRAM), options());
    search.cancel().interrupt();
    let events: Vec<Event> = search.collect();
    let end = Ending::Stopped(Reason::Interrupted);
    assert!(matches!(events.last(), Some(Event::Ended(how)) if *how == end), "{events:?}");
    assert!(known_of("main", &events).is_empty());
}
