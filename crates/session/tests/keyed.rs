//! Sets and maps: maps of sets, which not every engine decides soon, and what is declined.

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
fn maps_of_sets_are_equal_when_they_have_the_same_keys_with_equal_sets() {
    let text = "\
node main(x: int; m: map<int, set<int>>) returns ();
var a, b, c: map<int, set<int>>;
let
  a = map[x := {1}];
  b = map[x := {3, 1} - {3}];
  c = map[x := {2}];
  check \"different\" a <> c;
  check \"order\" a = b;
  check \"put\" x in m => m[x := m[x]] = m;
  check \"put_missing\" m[x := m[x]] = m;
tel
";
    let expected = ["different valid", "order valid", "put valid", "put_missing falsifiable"];
    assert_eq!(verdicts(text), expected);
}

/// What a map has for a key that is missing is open, so a map that is put away would have to keep it, and no function
/// may depend on it.
#[test]
fn what_would_depend_on_missing_keys_is_not_supported() {
    let text = "\
node main(m: map<int, int>) returns ();
var y: int;
let
  y = choose { x: int | x = m[3] };
  check y = m[3];
tel
";
    assert_eq!(messages(text), ["choices by `choose` that name a map are not supported yet"]);
    let what = ["maps whose values have maps in them are not supported yet"];
    for ty in ["map<int, map<int, int>>", "map<int, map<int, int>^2>", "map<int, part>"] {
        let types = "type part = struct { m: map<int, int> };";
        assert_eq!(said(types, &format!("m: {ty}")), what, "{ty}");
    }
    let text = "\
datatype shape = Circle (radius: int) | Point;
function imported f(m: map<int, shape>) returns (y: int);
node main(m: map<int, shape>) returns ();
let check f(m) = f(m); tel
";
    let what = "functions of maps whose values have data types in them are not supported yet";
    assert_eq!(messages(text), [what]);
}

/// A constant that is no literal is said to be none, wherever the call stands: nothing of the program is left out.
#[test]
fn calls_with_constants_that_are_no_scalars_do_not_vanish() {
    let what = "constant inputs and static parameters that are no scalars are not supported yet";
    for (ty, value, holds) in [
        ("set<int>", "{1, 2}", "x in c"),
        ("int^1", "[1]", "x = c[0]"),
        ("one", "one { a = 1 }", "x = c.a"),
    ] {
        for (header, call) in [
            (format!("node has(const c: {ty}; x: int)"), format!("has({value}, x)")),
            (format!("node has<<const c: {ty}>>(x: int)"), format!("has<<{value}>>(x)")),
        ] {
            let text = format!(
                "type one = struct {{ a: int }};\n{header} returns (b: bool); let b = {holds}; tel\n\
                 node main(x: int) returns (); let assert {call}; check x = 1 or x = 2; tel\n"
            );
            let found = messages(&text);
            assert!(found.iter().any(|message| message == what), "{text}{found:?}");
        }
    }
}

/// What is said of a node with an input, where that is not supported.
fn said(types: &str, input: &str) -> Vec<String> {
    messages(&format!("{types}\nnode main({input}) returns (); let check true; tel\n"))
}

/// What is said of a program that is not supported.
fn messages(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for event in Check::new(Request::text("a.lus", text), CheckOptions::default()) {
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
