//! Why a property fails: the few values that matter, in the text, in JSON and on the page.

use std::fmt::Write;

use crate::common::Scratch;

const TWO_COUNTERS: &str = "\
node main(a, b, unread: bool; x: int) returns (n, m: int);
let
  n = (0 -> pre n) + (if a then 1 else 0);
  m = (0 -> pre m) + (if b then 1 else 0);
  check \"few\" n < 2 or x <> 7;
tel
";

#[test]
fn what_matters_comes_first() {
    let scratch = Scratch::new();
    scratch.write("p.lus", TWO_COUNTERS);
    let text = scratch.lustral(&["check", "--engine", "bmc", "p.lus"]).expect(40).stdout;
    let expected = "\
  because of these values; in every execution with them it fails at step 1:
    step     0     1
    a     true  true
    x              7
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("\n  it would have held with "), "{text}");
    let run = scratch.check(TWO_COUNTERS, &["--engine", "bmc"]).expect(40);
    let [verdict] = &run.events("verdict")[..] else { panic!("one line") };
    let cause = &verdict["cause"];
    assert_eq!(cause["minimal"], true);
    let rows = cause["values"]["instances"][0]["streams"].as_array().unwrap();
    let rows: Vec<String> = rows.iter().map(|r| format!("{} {}", r["name"], r["values"])).collect();
    assert_eq!(rows, [r#""a" [true,true]"#, r#""x" [null,7]"#]);
    assert_eq!(cause["saved_by"].as_array().unwrap().len(), 1);
    scratch.lustral(&["check", "--engine", "bmc", "--html", "page.html", "p.lus"]).expect(40);
    let page = std::fs::read_to_string(scratch.path().join("page.html")).unwrap();
    assert!(
        page.contains("<p class=\"note cause\">because of these values;"),
        "no cause on the page"
    );
}

#[test]
fn nothing_matters_where_it_always_fails() {
    let scratch = Scratch::new();
    let program = "node main(x: int) returns (n: int);\nlet n = 0 -> pre n + 1; check n < 2; tel\n";
    scratch.write("p.lus", program);
    let text = scratch.lustral(&["check", "p.lus"]).expect(40).stdout;
    assert!(text.contains("\n  it fails at step 2 whatever the inputs are\n"), "{text}");
}

/// About three hundred lines: stages of filters, of which the property reads the last.
fn large() -> String {
    let (mut text, stages) = (String::new(), 30);
    for i in 0..stages {
        let _ = write!(
            text,
            "node stage{i}(x: int; go, hold: bool) returns (y: int; over: bool);\nvar kept, rise, fall: int;\nlet\n  \
             kept = 0 -> if hold then pre kept else x;\n  rise = if go then kept + 1 else kept;\n  \
             fall = if hold then rise else rise - 0;\n  y = fall;\n  over = y > 1000;\ntel\n"
        );
    }
    let list =
        |name: &str| (0..stages).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (going, holding, over) = (list("go"), list("hold"), list("over"));
    let levels = list("level");
    let _ = write!(
        text,
        "node main(x: int; {going}, {holding}: bool) returns (out: int; ok: bool);\n\
         var {levels}: int; {over}: bool;\nlet\n"
    );
    for i in 0..stages {
        let from = if i == 0 { "x".to_string() } else { format!("level{}", i - 1) };
        let _ = writeln!(text, "  (level{i}, over{i}) = stage{i}({from}, go{i}, hold{i});");
    }
    let last = stages - 1;
    let _ = write!(
        text,
        "  out = level{last};\n  ok = out <= 3 or pre (out > 2);\n  --%PROPERTY ok;\ntel\n"
    );
    text
}

#[test]
fn of_a_large_program_a_screen_is_enough() {
    let scratch = Scratch::new();
    let program = large();
    assert!(program.lines().count() >= 300);
    scratch.write("p.lus", program);
    let folded = scratch.lustral(&["check", "p.lus"]).expect(40).stdout;
    assert!(folded.contains("because of these values"), "{folded}");
    assert!(folded.contains("more flows (see --json or --html)"), "{folded}");
    assert!(folded.lines().count() <= 60, "{}:\n{folded}", folded.lines().count());
    let cause: Vec<&str> = folded
        .lines()
        .skip_while(|l| !l.contains("because of"))
        .take_while(|l| !l.is_empty())
        .collect();
    assert!(cause.len() <= 24, "{cause:?}");
    let all = scratch.lustral(&["check", "--all-rows", "p.lus"]).expect(40).stdout;
    assert!(all.lines().count() > 100, "{all}");
}
