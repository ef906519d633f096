//! What a proof rests on besides the equations is said with its verdict.

use serde_json::Value;

use crate::common::{Run, Scratch};

/// What each property that was proved rests on: kind, node and line.
fn grounds(run: &Run) -> Vec<String> {
    let statement = |s: &Value| {
        format!(
            "{} of {} at {}",
            s["kind"].as_str().unwrap(),
            s["node"].as_str().unwrap(),
            s["line"]
        )
    };
    let verdict = |v: &Value| {
        let list = v["rests_on"]["statements"].as_array().unwrap();
        let list: Vec<String> = list.iter().map(statement).collect();
        assert_eq!(v["rests_on"]["minimal"], true, "{v}");
        format!("{}: {}", v["property"].as_str().unwrap(), list.join(", "))
    };
    let mut list: Vec<String> = run.events("verdict").iter().map(verdict).collect();
    list.sort();
    list
}

const ASSERTED: &str = "\
node sub(x: int) returns (y: int);
let
  assert x > 3;
  y = x + 1;
tel
node main(valve: bool; x: int) returns (ok: bool; z: int);
let
  assert not valve;
  assert x < 100;
  z = sub(x);
  ok = true -> pre ok;
  check \"valve\" not valve;
  check \"input\" x > 3;
  check \"free\" ok;
  check \"both\" z > 4 and z < 101;
tel
";

#[test]
fn assertions_do_not_prove_in_silence() {
    let scratch = Scratch::new();
    let run = scratch.check(ASSERTED, &[]).expect(0);
    assert_eq!(
        grounds(&run),
        [
            "both: assertion of sub at 3, assertion of main at 9",
            "free: ",
            "input: assertion of sub at 3",
            "valve: assertion of main at 8",
        ]
    );
    scratch.write("p.lus", ASSERTED);
    let text = scratch.lustral(&["check", "p.lus", "--explain"]).expect(0).stdout;
    assert!(text.contains("rests on the assertion at 8:3\n"), "{text}");
    assert!(text.contains("rests on the assertion at 3:3 in node `sub`\n"), "{text}");
    assert_eq!(text.matches("rests on").count(), 3, "{text}");
    scratch.lustral(&["check", "p.lus", "--html", "page.html"]).expect(0);
    let page = std::fs::read_to_string(scratch.path().join("page.html")).unwrap();
    assert!(page.contains("<p class=\"note grounds\">rests on the assertion at 8:3</p>"));
}

/// Whoever takes away what is not named still has a proof, and whoever takes away what is
/// named has none.
#[test]
fn what_is_named_is_what_is_needed() {
    let scratch = Scratch::new();
    for (line, lost) in [(3, &["both", "input"][..]), (8, &["valve"]), (9, &["both"])] {
        let number = |text: &str| text.lines().nth(line - 1).unwrap().to_string();
        let without = ASSERTED.replace(&number(ASSERTED), "");
        let run = scratch.check(&without, &[]);
        for verdict in run.events("verdict") {
            let property = verdict["property"].as_str().unwrap();
            let expected = if lost.contains(&property) { "falsifiable" } else { "valid" };
            assert_eq!(verdict["verdict"], expected, "{property} without line {line}");
        }
    }
}

#[test]
fn assumptions_types_guarantees_and_choices_are_statements() {
    let program = "\
type nat = subtype { n: int | n >= 0 };
node imported lib(x: int) returns (y: int);
(*@contract guarantee y > x; *)
node main(a, b: int; n: nat) returns (c, d, e: int);
(*@contract
  assume a > 5;
  assume b > 5;
  guarantee \"a\" c > 5;
*)
let
  c = a;
  d = lib(n);
  e = any { v: int | v > n };
  check \"type\" n >= 0;
  check \"lib\" d > n;
  check \"any\" e > n;
tel
";
    let run = Scratch::new().check(program, &[]).expect(0);
    assert_eq!(
        grounds(&run),
        [
            "a: assumption of main at 6",
            "any: choice of main at 13",
            "lib: guarantee of lib at 3",
            "type: type of main at 4",
        ]
    );
}

/// Of many assertions, few are needed; those of all instances are one statement.
#[test]
fn few_of_many() {
    let many: String = (0..40).map(|i| format!("  assert x <> {i};\n")).collect();
    let program = format!(
        "node sub(x: int) returns (y: int);\nlet\n  assert x < 7;\n  y = x;\ntel\n\
         node main(x: int) returns (y, z: int);\nlet\n{many}  y = sub(x);\n  z = sub(y);\n  \
         check \"few\" x <> 3 and z <> 30;\ntel\n"
    );
    let run = Scratch::new().check(&program, &[]).expect(0);
    let found = grounds(&run);
    assert!(
        found == ["few: assertion of sub at 3, assertion of main at 11"]
            || found == ["few: assertion of main at 11, assertion of main at 38"],
        "{found:?}"
    );
}
