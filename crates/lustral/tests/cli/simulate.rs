//! `lustral simulate`: inputs read, values computed, results in every form.

use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

use crate::common::{LIMIT, Run, Scratch, finish};

const PROGRAM: &str = "\
type colour = enum { red, green };
type low = subrange [0, 3] of int;
node half(x: real) returns (y: real);
let
  y = x / 2.0;
tel
node main(b: bool; n: int; r: real; c: colour; s: low) returns (sum: int; h: real; d: colour);
var same: bool;
let
  sum = n -> pre sum + n;
  h = half(r);
  d = if b then c else red;
  same = true -> c = pre c;
  assert n < 5;
  assert s <> 0 or not b;
tel
";

const CSV: &str = "\
b,n,r,c,s
true,1,0.5,red,1
false,-2,1/3,green,2
1,4,2.5e-1,green,3
0,3,-7,red,0
";

fn simulate(inputs: (&str, &str), args: &[&str]) -> Run {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    scratch.write(inputs.0, inputs.1);
    scratch.lustral(&[&["simulate", "p.lus", "--inputs", inputs.0], args].concat())
}

const RESULT: &str = "\
step,b,n,r,c,s,sum,h,d,same
0,true,1,0.5,red,1,1,0.25,red,true
1,false,-2,1/3,green,2,-1,1/6,red,false
2,true,4,0.25,green,3,3,0.125,green,true
3,false,3,-7.0,red,0,6,-3.5,red,false
";

#[test]
fn inputs_as_csv() {
    let run = simulate(("in.csv", CSV), &["--format", "csv"]).expect(0);
    assert_eq!(run.stdout, RESULT);
    let moved = "s,other,c,r,n,b\n1,?,red,0.5,1,true\n";
    let run = simulate(("in.csv", moved), &["--format", "csv"]).expect(0);
    assert_eq!(run.stdout, RESULT.lines().take(2).map(|l| format!("{l}\n")).collect::<String>());
    let windows = format!("\u{feff}{}", CSV.replace('\n', "\r\n"));
    assert_eq!(simulate(("in.csv", &windows), &["--format", "csv"]).expect(0).stdout, RESULT);
}

#[test]
fn inputs_as_json() {
    let rows = r#"[{"b":true,"n":1,"r":"1/2","c":"red","s":1},
        {"b":false,"n":-2,"r":"1/3","c":"green","s":2},
        {"b":true,"n":4,"r":0.25,"c":"green","s":3},
        {"b":false,"n":"3","r":-7,"c":"red","s":0}]"#;
    let columns = r#"{"b":[true,false,true,false],"n":[1,-2,4,3],"r":[0.5,"1/3","0.25",-7],
        "c":["red","green","green","red"],"s":[1,2,3,0]}"#;
    for inputs in [rows, columns] {
        let run = simulate(("in.json", inputs), &["--format", "csv"]).expect(0);
        assert_eq!(run.stdout, RESULT);
    }
}

#[test]
fn inputs_from_the_standard_input() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let mut command = scratch.command(&["simulate", "p.lus", "--inputs", "-", "--format", "csv"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(CSV.as_bytes()).unwrap();
    assert_eq!(finish(child, started, LIMIT).expect(0).stdout, RESULT);
}

#[test]
fn a_table() {
    let expected = "\
step       0      1      2      3
-- main
  b     true  false   true  false
  n        1     -2      4      3
  r      0.5    1/3   0.25   -7.0
  c      red  green  green    red
  s        1      2      3      0
  sum      1     -1      3      6
  h     0.25    1/6  0.125   -3.5
  d      red    red  green    red
  same  true  false   true  false
-- half
  x      0.5    1/3   0.25   -7.0
  y     0.25    1/6  0.125   -3.5
";
    assert_eq!(simulate(("in.csv", CSV), &["--all"]).expect(0).stdout, expected);
    let short = simulate(("in.csv", CSV), &[]).expect(0).stdout;
    assert_eq!(short, expected[..expected.find("-- half").unwrap()]);
}

#[test]
fn json() {
    let run = simulate(("in.csv", CSV), &["--format", "json", "--all"]).expect(0);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = serde_json::json!({ "node": "main", "streams": {
        "b": [true, false, true, false],
        "n": [1, -2, 4, 3],
        "r": ["0.5", "1/3", "0.25", "-7.0"],
        "c": ["red", "green", "green", "red"],
        "s": [1, 2, 3, 0],
        "sum": [1, -1, 3, 6],
        "h": ["0.25", "1/6", "0.125", "-3.5"],
        "d": ["red", "red", "green", "red"],
        "same": [true, false, true, false],
        "half.x": ["0.5", "1/3", "0.25", "-7.0"],
        "half.y": ["0.25", "1/6", "0.125", "-3.5"],
    } });
    assert_eq!(found, expected);
}

#[test]
fn a_value_change_dump() {
    let run = simulate(("in.csv", CSV), &["--format", "vcd"]).expect(0);
    let (head, body) = run.stdout.split_once("$enddefinitions $end\n").unwrap();
    let code = |name: &str| {
        let line = head.lines().find(|line| line.ends_with(&format!(" {name} $end"))).unwrap();
        line.split(' ').nth(3).unwrap().to_string()
    };
    assert_eq!(head.matches("$scope").count(), head.matches("$upscope").count());
    let steps: Vec<&str> = body.split("\n#").collect();
    assert_eq!(steps.len(), 5, "four steps and the end of the last");
    let has = |step: usize, change: &str| steps[step].lines().any(|line| line == change);
    assert!(has(0, &format!("1{}", code("b"))));
    assert!(has(1, &format!("0{}", code("b"))));
    assert!(has(0, &format!("b1 {}", code("n"))));
    assert!(has(1, &format!("b{:b} {}", -2i64, code("n"))));
    assert!(has(2, &format!("b100 {}", code("n"))));
    assert!(has(3, &format!("r-3.5 {}", code("h"))));
    assert!(has(1, &format!("sgreen {}", code("c"))));
    assert!(!steps[2].contains("sgreen ") || !has(2, &format!("sgreen {}", code("c"))));
}

#[test]
fn the_same_seed_gives_the_same_inputs() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let run = |seed: &str| {
        let args = ["simulate", "p.lus", "--seed", seed, "--steps", "20", "--format", "csv"];
        scratch.lustral(&args).expect(0).stdout
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
    assert_eq!(run("1").lines().count(), 21);
    for line in run("3").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert!((0..=3).contains(&cells[5].parse::<i32>().unwrap()), "{line}");
        assert!(["red", "green"].contains(&cells[4]), "{line}");
    }
    let default = scratch.lustral(&["simulate", "p.lus", "--format", "csv"]).expect(0).stdout;
    assert_eq!(default.lines().count(), 11);
}

#[test]
fn assertions_that_fail_are_told() {
    let inputs = "b,n,r,c,s\nfalse,1,0,red,0\nfalse,9,0,red,0\ntrue,1,0,red,0\n";
    let run = simulate(("in.csv", inputs), &[]).expect(0);
    assert!(run.stderr.contains("the assertion at line 14 does not hold at step 1"));
    // What comes after that is no execution.
    assert_eq!(run.stderr.matches("does not hold").count(), 1, "{}", run.stderr);
}

#[test]
fn fewer_steps_than_inputs_and_not_more() {
    let run = simulate(("in.csv", CSV), &["--steps", "2", "--format", "csv"]).expect(0);
    assert_eq!(run.stdout.lines().count(), 3);
    let run = simulate(("in.csv", CSV), &["--steps", "5"]).expect(1);
    assert!(run.stderr.contains("4 steps of inputs are given, 5 asked for"), "{}", run.stderr);
}

#[track_caller]
fn assert_wrong(file: &str, inputs: &str, message: &str) {
    let run = simulate((file, inputs), &[]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("error: {file}: ")), "{}", run.stderr);
}

#[test]
fn wrong_csv_says_where() {
    assert_wrong("in.csv", "", "there is no column `b`");
    assert_wrong("in.csv", "b,n,r,c\ntrue,1,1,red\n", "there is no column `s`");
    let one =
        |row: &str, message: &str| assert_wrong("in.csv", &format!("b,n,r,c,s\n{row}\n"), message);
    one("yes,1,1,red,1", "step 0, input `b`: `yes` is not of type bool");
    one("true,1.5,1,red,1", "step 0, input `n`: `1.5` is not of type int");
    one("true,1,1/0,red,1", "step 0, input `r`: `1/0` is not of type real");
    one("true,1,x,red,1", "step 0, input `r`: `x` is not of type real");
    one("true,1,1,blue,1", "step 0, input `c`: `blue` is not of type colour");
    one("true,1,1,red,4", "step 0, input `s`: `4` is not of type subrange [0, 3] of int");
    one("true,1,1,red", "line: 2");
    one("true,1,1,red,1\ntrue,,1,red,1", "step 1, input `n`: `` is not of type int");
}

#[test]
fn wrong_json_says_where() {
    assert_wrong("in.json", "{", "line 1");
    assert_wrong("in.json", "3", "expected an array of objects or an object of arrays");
    assert_wrong("in.json", "[1]", "in.json: ");
    assert_wrong("in.json", r#"[{"b":null,"n":1,"r":1,"c":"red","s":1}]"#, "input `b`: `null`");
}

#[test]
fn a_number_has_one_sign() {
    assert_wrong("in.csv", "b,n,r,c,s\ntrue,1,--3,red,1\n", "`--3` is not of type real");
}

#[test]
fn columns_of_different_length_are_an_error() {
    let short = r#"{"b":[true,false],"n":[1,2],"r":[1],"c":["red","red"],"s":[1,2]}"#;
    assert_wrong("in.json", short, "`r`");
}

#[test]
fn missing_columns_are_an_error() {
    assert_wrong("in.json", "{}", "`b`");
}

#[test]
fn only_values_that_are_made_up_are_told() {
    assert_eq!(simulate(("in.csv", CSV), &[]).expect(0).stderr, "");
}

#[test]
fn values_that_are_made_up_are_told() {
    let scratch = Scratch::new();
    scratch.write("p.lus", "node main(x: int) returns (y: int);\nlet\n  y = pre x;\ntel\n");
    let run = scratch.lustral(&["simulate", "p.lus"]).expect(0);
    assert!(run.stderr.contains("the first value of this `pre` is arbitrary"), "{}", run.stderr);
}

#[test]
fn what_is_open_is_told_by_its_name() {
    let scratch = Scratch::new();
    let head = "node main(x: int) returns (y: int);\nvar a: int^2;\nlet\n  a = [x, x];\n";
    let told = |y: &str| {
        scratch.write("p.lus", format!("{head}  y = {y};\ntel\n"));
        scratch.lustral(&["simulate", "p.lus", "--seed", "1"]).expect(0).stderr
    };
    let (outside, open) = ("an element outside of its array", "what no equation defines");
    let any = told("any int");
    assert!(any.contains(open) && !any.contains(outside), "{any}");
    let element = told("a[x + 100]");
    assert!(element.contains(outside) && !element.contains(open), "{element}");
}

#[test]
fn nodes_to_run() {
    let scratch = Scratch::new();
    let two = "node a(x: bool) returns (y: bool);\nlet\n  y = not x;\ntel\n\
               node b(x: bool) returns (y: bool);\nlet\n  y = x;\ntel\n";
    scratch.write("two.lus", two);
    let run = scratch.lustral(&["simulate", "two.lus"]).expect(3);
    assert!(run.stderr.contains("several nodes could run: a, b; choose one with --node"));
    scratch.lustral(&["simulate", "two.lus", "--node", "b"]).expect(0);
    scratch.lustral(&["simulate", "two.lus", "--node", "c"]).expect(3);
    scratch.lustral(&["simulate", "none.lus"]).expect(1);
    scratch.lustral(&["simulate", "two.lus", "--node", "a", "--inputs", "none.csv"]).expect(1);
}

#[test]
fn more_steps_than_memory_is_no_crash() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let run = scratch.lustral(&["simulate", "p.lus", "--steps", "99999999999999"]);
    assert!([1, 2].contains(&run.code), "{}", run.code);
}

/// A free constant is chosen once.
#[test]
fn constants_do_not_change() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "const n: int;\nnode main(x: int) returns (y: bool);\nlet\n  y = x < n;\n  check y or not y;\ntel\n",
    );
    let run = scratch.lustral(&["simulate", "p.lus", "--steps", "6"]).expect(0);
    let row = run.stdout.lines().find(|line| line.trim_start().starts_with("n ")).unwrap();
    let values: Vec<&str> = row.split_whitespace().skip(1).collect();
    assert_eq!(values.len(), 6, "{}", run.stdout);
    assert!(values.iter().all(|value| *value == values[0]), "{}", run.stdout);
    assert!(!run.stderr.contains("no execution"), "{}", run.stderr);
}
