//! Warnings by name, and how much each matters.

use crate::common::{Run, Scratch, lustral};

const PROGRAM: &str = "\
const limit: int = 5;
node helper(x: int) returns (y: int);
let y = x; tel
node main(a, b, _c: int) returns (y: int);
var n, spare, limit: int;
let
  y = 0 -> pre (a + n);
  n = pre y;
  spare = 0 -> pre spare + 1;
  limit = a;
  check true -> y = pre limit + n or true;
tel
";

/// The names of the warnings and errors, in the order of the text.
fn names(run: &Run) -> Vec<String> {
    let code = |line: &serde_json::Value| line["code"].as_str().unwrap().to_string();
    run.events("diagnostic").iter().map(code).collect()
}

#[track_caller]
fn told(args: &[&str]) -> Vec<String> {
    names(&Scratch::new().check(PROGRAM, args).expect(0))
}

#[test]
fn levels_on_the_command_line() {
    assert_eq!(told(&[]), ["unguarded-pre"]);
    assert_eq!(
        told(&["--warn", "all"]),
        ["dead-node", "unread-input", "unused-flow", "shadowing", "unguarded-pre"]
    );
    assert_eq!(
        told(&["--warn=all", "--allow=unused-flow,shadowing,dead-node,unread-input"]),
        ["unguarded-pre"]
    );
    assert!(told(&["--deny", "unguarded-pre", "--allow", "unguarded-pre"]).is_empty());
    let denied = Scratch::new().check(PROGRAM, &["--deny", "unguarded-pre"]).expect(3);
    assert_eq!(denied.events("diagnostic")[0]["severity"], "error");
    assert!(denied.events("verdict").is_empty());
    let wrong = Scratch::new().check(PROGRAM, &["--deny", "unguarded-per"]).expect(2);
    assert!(wrong.stderr.contains("is `unguarded-pre` meant?"), "{}", wrong.stderr);
}

#[test]
fn levels_in_the_text_go_before_the_command_line() {
    let quiet = format!("--%ALLOW unguarded-pre, dead-node;\n{PROGRAM}");
    assert!(
        names(&Scratch::new().check(&quiet, &["--deny", "unguarded-pre"]).expect(0)).is_empty()
    );
    let strict = format!("{PROGRAM}--%DENY unused-flow;\n--%DENY unusedflow;\n");
    let run = Scratch::new().check(&strict, &[]).expect(3);
    assert_eq!(names(&run), ["unused-flow", "unguarded-pre", "unknown-lint"]);
}

#[test]
fn warnings_about_no_place_have_names_too() {
    let program = "node other(x: int) returns (ok: bool);
        let ok = x > 0; check ok; tel
        node main(x: int) returns (y: bool); let --%MAIN;
        y = x = x; check y; tel";
    let scratch = Scratch::new();
    let file = scratch.write("left.lus", program);
    let file = file.to_str().unwrap();
    let run = lustral(&["check", file]).expect(0);
    assert!(run.stderr.contains("warning[unchecked-properties]: "), "{}", run.stderr);
    let run = lustral(&["check", "--deny", "unchecked-properties", file]).expect(3);
    assert!(run.stderr.contains("error[unchecked-properties]: "), "{}", run.stderr);
    assert_eq!(lustral(&["check", "--allow", "unchecked-properties", file]).expect(0).stderr, "");
}

#[test]
fn misspelt_annotations_can_be_denied() {
    let program = "node main(x: int) returns (ok: bool); let ok = x > 0; --% PROPERTY ok;
        --%PROP ok;
        tel";
    let run = Scratch::new().check(program, &["--deny", "misspelt-annotation"]).expect(3);
    assert_eq!(names(&run), ["misspelt-annotation", "misspelt-annotation"]);
}

/// The page lists all lints with their levels, and nothing else.
#[test]
fn the_page_about_lints_is_complete() {
    let page = include_str!("../../../../docs/lints.md");
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let known = lustral_syntax::lint::LINTS.iter().map(|lint| {
        let level = format!("{:?}", lint.level).to_lowercase();
        format!("| `{}` | {} | {level} |", lint.name, lint.about)
    });
    assert_eq!(listed, known.collect::<Vec<_>>());
}

/// Valid properties that say nothing have a warning of their own.
#[test]
fn what_says_nothing_is_told() {
    let program = r#"
node low(x: int) returns (y: int);
let
  y = if x < 0 then 0 else x;
  check "unused" x < 0 => y = 0;
tel
node main(x: int) returns (n: int);
var impossible: bool; z: int;
let
  n = 0 -> if pre n < 10 then pre n + 1 else 0;
  impossible = n > 20;
  z = low(n);
  check "imp" impossible => x = 42;
  check "same" x = x;
  check "bound" x > 3 => n <= 10;
  check "asked" n >= 0 provided n > 20;
tel
"#;
    let warnings = |run: &Run| -> Vec<(String, String)> {
        let text = |v: &serde_json::Value| v.as_str().unwrap().to_string();
        let of = |v: &serde_json::Value| {
            let warnings = v["warnings"].as_array().unwrap().iter();
            warnings.map(|w| (text(&v["property"]), text(w))).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = run.events("verdict").iter().flat_map(of).collect();
        all.sort();
        all
    };
    let told = warnings(&Scratch::new().check(program, &[]).expect(40));
    let never = "it says nothing: what stands before `=>` is never true (says-nothing)";
    let always = "it says nothing: it holds whatever the flows are (says-nothing)";
    let wanted = [("imp", never), ("same", always)].map(|(p, w)| (p.to_string(), w.to_string()));
    // A caller need not use all that a node can do, and `provided` has a verdict of its own.
    assert_eq!(told, wanted);
    assert!(warnings(&Scratch::new().check(program, &["--allow", "says-nothing"])).is_empty());
    let quiet = format!("--%ALLOW says-nothing;\n{program}");
    assert!(warnings(&Scratch::new().check(&quiet, &[])).is_empty());
    let valid = program.replace("  check \"asked\" n >= 0 provided n > 20;\n", "");
    let denied = Scratch::new().check(&valid, &["--deny", "says-nothing"]).expect(3);
    assert!(denied.stdout.contains("of `imp`: it says nothing"), "{}", denied.stdout);
}
