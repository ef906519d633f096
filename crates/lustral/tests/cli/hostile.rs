//! Files that nobody would write: none may crash the program or hold it up.

use std::fmt::Write;
use std::time::Duration;

use crate::common::{GRACE, Run, Scratch, node, run};

/// Checks a file; the time is far more than is needed, on a busy machine too.
#[track_caller]
fn check(content: impl AsRef<[u8]>) -> Run {
    let scratch = Scratch::new();
    scratch.write("p.lus", content);
    let mut command = scratch.command(&["check", "--json", "--timeout", "60", "p.lus"]);
    command.env("RUST_BACKTRACE", "0");
    let run = run(command, Duration::from_secs(120));
    assert!([0, 40, 30, 3].contains(&run.code), "{}: {}", run.code, run.stderr);
    assert_eq!(run.json().last().unwrap()["event"], "summary");
    run
}

const SMALL: &str = "  ok = b or not b;\n  --%PROPERTY ok;";

/// The one equation of a program.
fn equation(right: &str) -> String {
    node(&format!("  ok = {right};\n  --%PROPERTY ok;"))
}

#[test]
fn files_without_a_program() {
    for text in ["", "\n\n", "-- a comment", "(* a comment *)", ";", "\u{feff}"] {
        check(text).expect(3);
    }
}

#[test]
fn bytes_that_are_no_text() {
    let latin = node(SMALL).replace("tel", "  -- caf\u{e9}\ntel");
    let bytes: Vec<u8> = latin.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let run = check(bytes).expect(0);
    assert!(run.stderr.contains("p.lus is not UTF-8"), "{}", run.stderr);
    check(node(SMALL).replace("or", "\u{e9}or")).expect(3);
    check(node(SMALL).replace("or", "\0 or")).expect(3);
    check(node(SMALL).replace("tel", "-- \0\ntel")).expect(0);
    check((0..=255u8).cycle().take(100_000).collect::<Vec<u8>>()).expect(3);
}

#[test]
fn marks_and_line_ends_of_other_systems() {
    check(format!("\u{feff}{}", node(SMALL))).expect(0);
    let run = check(node(SMALL).replace('\n', "\r\n")).expect(0);
    assert_eq!(run.events("verdict")[0]["line"], 4);
    check(node(SMALL).replace('\n', "\r")).expect(0);
}

#[test]
fn comments_and_texts_that_never_end() {
    for end in ["(* no end", "/* no end", "(*", "(* * )", "--%PROPERTY \"no end", "/*/"] {
        let run = check(format!("{}{end}", node(SMALL))).expect(3);
        assert_eq!(run.events("diagnostic")[0]["code"], "syntax");
        assert_eq!(run.events("diagnostic")[0]["line"], 6);
    }
}

#[test]
fn deep_nesting() {
    let n = 100_000;
    check(equation(&format!("{}b{}", "(".repeat(n), ")".repeat(n)))).expect(40);
    check(equation(&format!("{}b", "not ".repeat(n)))).expect(40);
    check(equation(&format!("{}i = i", "- ".repeat(n)))).expect(0);
    check(equation(&format!("{}b", "pre ".repeat(n)))).expect(40);
    check(equation(&"(".repeat(n))).expect(3);
    check(equation(&")".repeat(n))).expect(3);
    check(equation(&"if b then ".repeat(n))).expect(3);
    check(equation(&format!("{}b", "if b then b else ".repeat(n)))).expect(40);
    check("node ".repeat(n)).expect(3);
    check("(*".repeat(n)).expect(3);
    check(equation(&format!("{}b{}", "(b, ".repeat(n), ")".repeat(n)))).expect(3);
    check(equation(&format!("{}b{}", "(".repeat(n), ", b)".repeat(n)))).expect(3);
}

#[test]
fn long_expressions() {
    let many = |term: &str, operator: &str| equation(&vec![term; 10_000].join(operator));
    check(many("(b or true)", " and ")).expect(0);
    check(many("b", " and ")).expect(40);
    check(many("b", " => ")).expect(0);
    check(many("b", " xor ")).expect(40);
    check(many("b", " -> ")).expect(40);
    check(many("b", " or true -> pre ")).expect(40);
    check(equation(&format!("{} = 10000 * i", vec!["i"; 10_000].join(" + ")))).expect(0);
}

/// Flows `a0` to `a9999`, each defined from the one before.
fn chain(first: &str, next: impl Fn(usize) -> String) -> String {
    let names: Vec<String> = (0..10_000).map(|i| format!("a{i}")).collect();
    let mut text = format!(
        "node main(b: bool; i: int) returns (ok: bool);\nvar {}: int;\nlet\n  a0 = {first};\n",
        names.join(", ")
    );
    for i in 1..10_000 {
        let _ = writeln!(text, "  a{i} = {};", next(i));
    }
    text + "  ok = a9999 = i + 9999;\n  --%PROPERTY ok;\ntel\n"
}

#[test]
fn chains_of_equations() {
    check(chain("i", |i| format!("a{} + 1", i - 1))).expect(0);
    let run = check(chain("a9999", |i| format!("a{} + 1", i - 1))).expect(3);
    assert_eq!(run.events("diagnostic")[0]["code"], "causality");
    check(chain("i", |i| format!("0 -> pre a{} + 1", i - 1))).expect(40);
}

#[test]
fn chains_of_calls() {
    let mut deep = "node n0(x: bool) returns (y: bool);\nlet\n  y = x;\ntel\n".to_string();
    let mut wide = deep.clone();
    for i in 1..2_000 {
        let head = format!("node n{i}(x: bool) returns (y: bool);\nlet\n");
        let _ = write!(deep, "{head}  y = n{}(x);\ntel\n", i - 1);
        let _ = write!(wide, "{head}  y = n{0}(x) and n{0}(x);\ntel\n", i - 1);
    }
    let stated = |text: String| text.replace("  y = n1998", "  check y;\n  y = n1998");
    check(stated(deep)).expect(40);
    check(stated(wide)).expect(3);
}

#[test]
fn large_files() {
    let comment = format!("-- {}\n", "x".repeat(96));
    check(node(SMALL) + &comment.repeat(200_000)).expect(0);
    check(node(SMALL) + &" ".repeat(20_000_000)).expect(0);
    check(node(SMALL) + &"-- x".repeat(5_000_000)).expect(0);
}

#[test]
fn one_long_line() {
    let scratch = Scratch::new();
    scratch.write("p.lus", equation(&vec!["b"; 300_000].join(" and ")));
    let run = scratch.lustral(&["dump", "--stage", "tokens", "p.lus"]).expect(0);
    assert!(run.time < Duration::from_secs(20), "{:?}", run.time);
}

/// The time limit holds from the first byte that is read.
#[test]
fn a_file_too_large_for_the_time() {
    let scratch = Scratch::new();
    let equation = |i: usize| format!("  a{i} = if b then a{} + {i} else 0 -> pre a{i};\n", i - 1);
    let names: Vec<String> = (0..200_000).map(|i| format!("a{i}")).collect();
    let mut text = format!(
        "node main(b: bool) returns (ok: bool);\nvar {}: int;\nlet\n  a0 = 1;\n",
        names.join(", ")
    );
    (1..names.len()).for_each(|i| text.push_str(&equation(i)));
    scratch.write("p.lus", text + "  ok = a0 = a1;\n  --%PROPERTY ok;\ntel\n");
    for limit in [0.1, 0.3, 1.0] {
        let args = ["check", "--json", "--timeout", &limit.to_string(), "p.lus"];
        let run = scratch.lustral(&args).expect(30);
        assert!(run.time < Duration::from_secs_f64(limit) + GRACE, "{limit}: {:?}", run.time);
        assert_eq!(run.json().last().unwrap()["event"], "summary");
        assert!(run.stdout.contains("the time limit was reached"), "{}", run.stdout);
    }
}

#[test]
fn a_large_file_of_mistakes() {
    let run = check("\u{e9} ".repeat(2_000_000)).expect(3);
    let left_out = &run.events("note")[0]["message"];
    assert!(left_out.as_str().unwrap().ends_with(" more diagnostics are not shown"), "{left_out}");
    check("node x; ".repeat(200_000)).expect(3);
    check(node(&"ok = missing; ".repeat(100_000))).expect(3);
}

/// Many warnings hide no error.
#[test]
fn why_a_program_is_rejected_is_always_said() {
    let run = check(node(&format!("{} ok = missing;", "assert pre ok; ".repeat(300)))).expect(3);
    let errors = run.events("diagnostic").into_iter().filter(|d| d["severity"] == "error");
    let said: Vec<_> = errors.map(|d| d["message"].clone()).collect();
    assert_eq!(said, ["nothing declares `missing`"], "{}", run.stdout);
}

#[test]
fn long_numbers_and_names() {
    let digits = "9".repeat(10_000);
    check(equation(&format!("i < {digits}"))).expect(40);
    check(equation(&format!("{digits} + 1 > {digits}"))).expect(0);
    check(equation(&format!("r < {digits}.{digits}"))).expect(40);
    check(equation(&format!("r < 0.{digits}e-5000 or true"))).expect(0);
    check(equation("r < 1.0e999999999")).expect(3);
    check(equation("r < 1.0e-99999999999999999999999")).expect(3);
    check(equation("b").replace("main", &"m".repeat(100_000))).expect(40);
    check(equation("b").replace("b: bool; ", &format!("b: bool; {}: int; ", "x".repeat(100_000))))
        .expect(40);
    check(format!("type t = subrange [0, {digits}] of int;\n{}", equation("i >= 0"))).expect(40);
}

/// Each constant is the square of the one before: the last has too many digits
/// for any machine, whatever the limit of time.
#[test]
fn constants_too_large_to_compute() {
    let mut text = "const a0 = 10;\n".to_string();
    for i in 1..40 {
        let _ = writeln!(text, "const a{i} = a{0} * a{0};", i - 1);
    }
    check(text + &equation("i < a39"));
}
