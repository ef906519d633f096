//! Sets and maps: maps of maps, which not every engine decides soon, and what is declined.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lustral_session::{Check, CheckOptions, EngineChoice, Event, Request, SearchOptions};

/// Node, property and verdict, sorted.
fn verdicts(text: &str) -> Vec<String> {
    let engines = ["bmc", "k-induction"].map(|name| EngineChoice::named(name).unwrap()).to_vec();
    let search = SearchOptions { engines, ..SearchOptions::default() };
    let time = Some(Duration::from_secs(60));
    let options = CheckOptions { search, time, ..CheckOptions::default() };
    let line = |event: Event| match event {
        Event::Verdict(v) => Some(format!("{} {}", v.property, v.word())),
        _ => None,
    };
    let mut list: Vec<String> =
        Check::new(Request::text("a.lus", text), options).filter_map(line).collect();
    list.sort();
    list
}

#[test]
fn maps_of_maps_are_equal_when_they_have_the_same_keys_with_equal_maps() {
    let text = "\
node main(x: int; m: map<int, map<int, int>>) returns ();
var a, b, c: map<int, map<int, int>>;
let
  a = map[x := map[0 := 1]];
  b = map[x := map[3 := 2; 0 := 1] - {3}];
  c = map[x := map[0 := 2]];
  check \"different\" a <> c;
  check \"order\" a = b;
  check \"put\" x in m => m[x := m[x]] = m;
  check \"put_missing\" m[x := m[x]] = m;
tel
";
    let expected = ["different valid", "order valid", "put valid", "put_missing falsifiable"];
    assert_eq!(verdicts(text), expected);
}

/// What is said of a node with an input, where that is not supported.
fn said(types: &str, input: &str) -> Vec<String> {
    let text = format!("{types}\nnode main({input}) returns (); let check true; tel\n");
    let mut found = Vec::new();
    for event in Check::new(Request::text("a.lus", text.as_str()), CheckOptions::default()) {
        match event {
            Event::Diagnostics(wrong) => found.extend(wrong.list.iter().map(|d| d.message.clone())),
            Event::Verdict(verdict) => panic!("{} is checked: {text}", verdict.property),
            _ => {}
        }
    }
    found
}

#[test]
fn conditions_of_keys_and_values_that_are_no_bounds_are_not_supported() {
    let what = "sets and maps of types with conditions that are no bounds of integers";
    for (types, input) in [
        ("type even = subtype { x: int | x mod 2 = 0 };", "s: set<even>"),
        ("type part = subtype { x: real | x >= 0.0 };", "s: map<part, int>"),
        ("datatype d = A (n: subrange [0, 3] of int) | B;", "s: set<d>"),
        ("datatype d = A (n: subtype { x: int | x > 0 }) | B;", "s: set<d>"),
        ("type low = subrange [*, 3] of int;", "m: map<int, set<low>>"),
    ] {
        assert_eq!(said(types, input), [format!("{what} are not supported yet")], "{types}");
    }
    let generic = "type low = subrange [*, 3] of int; type p<T> = struct { s: set<T> };";
    let what = "types with bounds in place of a parameter of which there are sets or maps";
    assert_eq!(said(generic, "s: p<low>"), [format!("{what} are not supported yet")]);
}
