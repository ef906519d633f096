//! What valid properties need of the program: cores, cut sets, and what no core has.

use serde_json::Value;

use crate::common::{Run, Scratch};

const PROGRAM: &str = "\
node f(x: int) returns (y: int; z: bool);
let
  y = 0 -> pre x;
  z = y > 0;
tel
node main(x: int; c: bool) returns (i: int; ok: bool);
var a: int; b: bool; d: int;
let
  (a, b) = f(x + 1);
  d = if c then 1 else a;
  i = d + 1;
  assert x > 0;
  assert x < 100;
  ok = true -> a >= 2;
  --%PROPERTY ok;
  check \"same\" b = (a > 0);
  check \"any\" x = x;
tel
";

/// Sets of elements as lines of the text, by property.
fn sets(run: &Run, key: &str) -> Vec<String> {
    let lines = |set: &Value| -> Vec<String> {
        set.as_array().unwrap().iter().map(|e| e["line"].to_string()).collect()
    };
    let one = |event: &Value| {
        let mut list: Vec<String> =
            event[key].as_array().unwrap().iter().map(|set| lines(set).join(" ")).collect();
        list.sort();
        format!("{}: {}", event["property"].as_str().unwrap(), list.join(" | "))
    };
    run.events("core").iter().map(one).collect()
}

#[test]
fn minimal_cores_name_what_is_needed() {
    let scratch = Scratch::new();
    for wish in ["--ivc=minimal", "--ivc=all"] {
        let run = scratch.check(PROGRAM, &[wish]).expect(0);
        assert_eq!(sets(&run, "cores"), ["ok: 3 9 12 14", "same: 4 9", "any: "], "{wish}");
        assert!(run.events("core").iter().all(|core| core["minimal"] == true), "{wish}");
        let [coverage] = &run.events("coverage")[..] else { panic!("one line") };
        let uncovered = coverage["uncovered"].as_array().unwrap();
        let lines: Vec<String> = uncovered.iter().map(|e| e["line"].to_string()).collect();
        assert_eq!(lines, ["10", "11"]);
    }
}

#[test]
fn a_core_that_is_found_soon_has_what_is_needed() {
    let scratch = Scratch::new();
    let run = scratch.check(PROGRAM, &["--ivc"]).expect(0);
    for (found, needed) in
        sets(&run, "cores").iter().zip([&["3", "9", "12", "14"][..], &["4", "9"], &[]])
    {
        let lines: Vec<&str> = found.split(' ').collect();
        assert!(needed.iter().all(|line| lines.contains(line)), "{found}");
    }
}

#[test]
fn cut_sets_break_the_property() {
    let scratch = Scratch::new();
    let run = scratch.check(PROGRAM, &["--mcs"]).expect(0);
    assert_eq!(sets(&run, "cut_sets"), ["ok: 12 | 14 | 3 | 9", "same: 4 | 9", "any: "]);
}

#[test]
fn people_read_it_too() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let run = scratch.lustral(&["check", "p.lus", "--ivc=minimal"]).expect(0);
    for line in [
        "core        same  2 of 6 equations and 0 of 2 statements: 4:3 z of `f`, 9:4 a b  (minimal)",
        "core        any  nothing: it holds whatever the equations are  (minimal)",
        "coverage    2 of 6 equations are in no core: 10:3 d, 11:3 i",
    ] {
        assert!(run.stdout.contains(line), "{}", run.stdout);
    }
    assert!(!scratch.lustral(&["check", "p.lus"]).expect(0).stdout.contains("core "));
}

/// Where parts of a block define their flows in orders of their own, what a part says is still one
/// equation: a property is not said to need what it does not.
#[test]
fn what_a_part_says_is_said_once() {
    const ORDERS: &str = "\
node main(c: bool; i: int) returns (x, y: int);
let
  when c then
    x = y + 1;
    y = i;
  else
    y = x - 1;
    x = i;
  end
  check \"p\" x = y + 1;
  check \"q\" c => y = i;
tel
";
    let scratch = Scratch::new();
    let run = scratch.check(ORDERS, &["--ivc=minimal", "--mcs=3"]).expect(0);
    let elements = |set: &Value| -> Vec<String> {
        set.as_array().unwrap().iter().map(|e| e["flows"][0].as_str().unwrap().into()).collect()
    };
    let cores: Vec<Vec<String>> =
        run.events("core").iter().map(|core| elements(&core["cores"][0])).collect();
    assert_eq!(cores, [vec!["x", "y"], vec!["(chosen)", "y", "(y in part 1)"]]);
}

/// A limit leaves larger sets out, and it is not said that there are none.
#[test]
fn larger_cut_sets_are_left_out_not_denied() {
    const EITHER: &str = "\
node main(x: int) returns (p, q: bool);
let
  p = x = x;
  q = true -> pre q;
  check \"or\" p or q;
tel
";
    let scratch = Scratch::new();
    for (how, sets, complete) in [("--mcs=1", 0, false), ("--mcs", 1, true)] {
        let run = scratch.check(EITHER, &[how]).expect(0);
        let core = &run.events("core")[0];
        assert_eq!(core["cut_sets"].as_array().unwrap().len(), sets, "{how}");
        assert_eq!(core["complete"], complete, "{how}");
    }
}

/// A core that is known is told also where the search for a smaller one takes longer than the time.
#[test]
fn a_known_core_is_not_lost_to_a_smaller_one() {
    let mut text = String::from("node main(x: bool) returns (ok: bool);\nvar r0");
    (1..1500).for_each(|i| text += &format!(", r{i}"));
    text += ": bool;\nlet\n  r0 = true -> pre r0;\n";
    (1..1500).for_each(|i| text += &format!("  r{i} = true -> pre r{};\n", i - 1));
    text += "  ok = r1499; check \"on\" ok;\ntel\n";
    let run = Scratch::new().check(&text, &["--ivc=minimal", "--timeout", "10"]).expect(0);
    let core = &run.events("core")[0];
    assert_eq!(core["cores"].as_array().unwrap().len(), 1, "{core}");
    assert_eq!(core["minimal"], false, "so many elements are not left out in the time: {core}");
}
