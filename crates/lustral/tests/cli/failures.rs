//! What is said of a property that fails: when, its text, and the values of its parts.

use std::collections::BTreeMap;

use crate::common::{Run, Scratch};

/// Random executions reach late failures of these first.
const LATE: &str = "\
node main(a, b, c: int) returns (x, y: int; ok: bool);
let
  assert a >= 0 and a <= 3 and b >= 0 and b <= 2;
  x = 0 -> if a = 3 and b = 2 then pre x + 3
      else if c > 100 and a = 2 then pre x + 2 else pre x + (if a = 1 then 1 else 0);
  y = 0 -> if b = 1 then pre y + x mod 7 else pre y;
  ok = x + y < 30;
  check \"ok\" ok;
  check \"ok2\" x < 16;
tel
";

/// The step of each failure, and whether it is said to be the first.
fn steps(run: &Run) -> BTreeMap<String, (u64, bool)> {
    let verdicts = run.events("verdict").into_iter();
    let one = |v: serde_json::Value| {
        let step = v["step"].as_u64().expect("it fails");
        (v["property"].as_str().unwrap().to_string(), (step, v["first"].as_bool().unwrap()))
    };
    verdicts.map(one).collect()
}

#[test]
fn the_first_step_is_said_to_be_the_first() {
    let scratch = Scratch::new();
    let known = steps(&scratch.check(LATE, &["--engine", "bmc"]).expect(40));
    assert!(known.values().all(|(_, first)| *first), "{known:?}");
    for args in [&["--engine", "simulation"][..], &[]] {
        let found = steps(&scratch.check(LATE, args).expect(40));
        assert_eq!(found.len(), known.len());
        for (name, (step, first)) in &found {
            let (least, _) = known[name];
            assert!(if *first { *step == least } else { *step >= least }, "{name}: {found:?}");
        }
    }
}

/// With the time that there is for it, nobody looks for an earlier failure; and it is not said that there is none.
#[test]
fn what_is_not_known_to_be_first_is_said_so() {
    let scratch = Scratch::new();
    let late = LATE.replace("x < 16", "x < 900");
    scratch.write("late.lus", &late);
    let args = ["check", "--engine", "simulation", "--timeout", "20", "late.lus"];
    let text = scratch.lustral(&args).stdout;
    let line = text.lines().find(|line| line.contains("ok2")).unwrap_or_default();
    // 300 steps are too many for the short search.
    assert!(line.contains("(fails at or before step "), "{text}");
}

#[test]
fn the_text_of_a_property_and_the_values_of_its_parts() {
    let program = "\
node main(x: int) returns (y: int; ok: bool);
let
  y = 0 -> pre y + 1;
  ok = y + 2 * x < 7 or x > 5;
  --%PROPERTY ok;
  check y <
    3;
  check y >= 0;
tel
";
    let scratch = Scratch::new();
    let run = scratch.check(program, &["--engine", "bmc", "--engine", "k-induction"]).expect(40);
    let verdicts = run.events("verdict");
    let of = |name: &str| verdicts.iter().find(|v| v["property"] == name).unwrap();
    assert_eq!(of("line 6")["expression"], "y < 3");
    assert_eq!(of("line 8")["expression"], "y >= 0");
    assert_eq!(of("ok")["expression"], "ok");
    let parts = of("ok")["parts"].as_array().unwrap();
    assert_eq!(parts[0]["value"], false, "the whole comes first: {parts:?}");
    // Each value is what the flows at that step give.
    let trace = &of("ok")["trace"];
    let (step, rows) = (of("ok")["step"].as_u64().unwrap() as usize, &trace["instances"][0]);
    let value = |name: &str| {
        let rows = rows["streams"].as_array().unwrap();
        rows.iter().find(|r| r["name"] == name).unwrap()["values"][step].as_i64().unwrap()
    };
    let sum = value("y") + 2 * value("x");
    assert!(parts.iter().any(|p| p["value"] == sum), "y + 2 * x = {sum}: {parts:?}");
    scratch.write("p.lus", program);
    let text = scratch.lustral(&["check", "p.lus"]).expect(40).stdout;
    assert!(text.contains("\n  y < 3\n"), "{text}");
}

#[test]
fn the_text_of_a_property_has_its_parentheses() {
    let text = "node main(a, b: bool) returns (c: bool);\n\
                let c = a; check \"p\" (a => b) and (b or c); tel\n";
    let run = Scratch::new().check(text, &[]).expect(40);
    assert_eq!(run.events("verdict")[0]["expression"], "(a => b) and (b or c)");
}

/// A quantifier is a part of it, whatever becomes of its variable.
#[test]
fn the_text_of_a_property_has_its_quantifiers() {
    let text = "node main(x: int; a: int^2) returns (y: int);\n\
                let y = x; check \"free\" forall (i: int) exists (j: int) i + x < j;\n\
                check \"few\" forall (i: subrange [0, 1] of int) a[i] = a[i]; tel\n";
    let run = Scratch::new().check(text, &[]).expect(0);
    let found = run.events("verdict");
    let of = |name: &str| &found.iter().find(|v| v["property"] == name).unwrap()["expression"];
    assert_eq!(of("free"), "forall (i: int) exists (j: int) i + x < j");
    assert_eq!(of("few"), "forall (i: subrange [0, 1] of int) a[i] = a[i]");
}
