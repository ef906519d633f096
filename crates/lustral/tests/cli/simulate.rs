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

/// What a node without a body gives keeps its contract, where that is found; and if not, that is said.
#[test]
fn nodes_without_a_body_keep_their_contracts() {
    let text = |guarantee: &str| {
        format!(
            "node imported dev(d: int) returns (o: int);\ncon guarantee {guarantee}; noc\n\
             node top(x: int) returns (y: int);\nlet y = dev(x); check \"p\" y > x; tel\n"
        )
    };
    let scratch = Scratch::new();
    scratch.write("p.lus", text("o > d and o <= d + 2"));
    let run = scratch.lustral(&["simulate", "p.lus", "--steps", "30", "--format", "csv"]).expect(0);
    assert_eq!(run.stdout.lines().count(), 31);
    for line in run.stdout.lines().skip(1) {
        let cells: Vec<i64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let [.., x, y] = cells[..] else { panic!("{line}") };
        assert!(x < y && y <= x + 2, "{line}");
    }
    assert!(!run.stderr.contains("no execution"), "{}", run.stderr);
    scratch.write("p.lus", text("o * o = 1000003"));
    let run = scratch.lustral(&["simulate", "p.lus"]).expect(0);
    let words = "no outputs were found at step 0 that keep the guarantee at line 2";
    assert_eq!(run.stderr.matches(words).count(), 1, "{}", run.stderr);
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

const CLOCKED: &str = "\
type mode = enum { Low, High };
node main(c: bool; (x: int; m: mode) when c; y: real when High(m)) returns (z: int; w: real when c);
let
  z = merge c (true -> x) (false -> 0);
  w = merge m (Low -> 0.5) (High -> y);
tel
";

/// What `simulate` writes of inputs that have no value at some steps, it reads.
#[test]
fn inputs_on_clocks() {
    let scratch = Scratch::new();
    scratch.write("p.lus", CLOCKED);
    let csv = |args: &[&str]| {
        scratch
            .lustral(&[&["simulate", "p.lus", "--format", "csv"], args].concat())
            .expect(0)
            .stdout
    };
    let random = csv(&["--seed", "3", "--steps", "40"]);
    let absent = |column: usize| {
        random.lines().filter(|line| line.split(',').nth(column) == Some("")).count()
    };
    assert!(0 < absent(2) && absent(2) < absent(4) && absent(4) < 40, "{random}");
    scratch.write("in.csv", &random);
    assert_eq!(csv(&["--inputs", "in.csv"]), random);
    scratch.write(
        "in.json",
        r#"[{"c":false},{"c":true,"x":3,"m":"Low","y":null},{"c":false,"x":null}]"#,
    );
    assert_eq!(
        csv(&["--inputs", "in.json"]),
        "step,c,x,m,y,z,w\n0,false,,,,0,\n1,true,3,Low,,3,0.5\n2,false,,,,0,\n"
    );
    let wrong = |inputs: &str, message: &str| {
        scratch.write("in.csv", format!("c,x,m,y\n{inputs}\n"));
        let run = scratch.lustral(&["simulate", "p.lus", "--inputs", "in.csv"]).expect(1);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    };
    wrong("false,,,\nfalse,4,,", "step 1, input `x`: its clock is false there, and `4` is given");
    wrong("true,1,Low,1.0", "step 0, input `y`: its clock is false there");
    wrong("true,,Low,", "step 0, input `x`: `` is not of type int");
}

/// Files that `tests` writes have the outputs, too: what comes out is compared with them.
#[test]
fn expected_outputs_are_compared() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let args = ["simulate", "p.lus", "--format", "csv", "--inputs"];
    let run = |name: &str, text: &str| {
        scratch.write(name, text);
        scratch.lustral(&[&args[..], &[name]].concat())
    };
    // What was written comes out again, and an empty cell says nothing.
    assert!(run("same.csv", RESULT).expect(0).stderr.is_empty());
    assert!(run("gap.csv", &RESULT.replace("0.25,red,true", "0.25,,")).expect(0).stderr.is_empty());
    let changed = RESULT.replace("2,true,4,0.25,green,3,3,", "2,true,4,0.25,green,3,4,");
    let differs = run("changed.csv", &changed).expect(40);
    let message = "error: the output `sum` is 3 at step 2, where the inputs come with 4\n";
    assert_eq!(differs.stderr, message);
    assert_eq!(differs.stdout, RESULT, "it is shown all the same");
    let other = run("other.csv", &RESULT.replace("0.25,red,true", "0.25,blue,true")).expect(40);
    assert!(other.stderr.contains("`d` is red at step 0"), "{}", other.stderr);
    // The local `same` is no output.
    assert!(run("local.csv", &RESULT.replace("red,true", "red,false")).expect(0).stderr.is_empty());
    // Where the execution has ended nothing is compared.
    let ended = RESULT.replace("true,1,0.5,red,1,1,", "true,9,0.5,red,1,1,");
    let ended = run("ended.csv", &ended).expect(0);
    assert!(ended.stderr.contains("no execution"), "{}", ended.stderr);
    let json = r#"[{"b": true, "n": 1, "r": 0.5, "c": "red", "s": 1, "sum": 7, "h": "1/4"}]"#;
    let differs = run("in.json", json).expect(40);
    assert!(differs.stderr.contains("`sum` is 1 at step 0"), "{}", differs.stderr);
}

/// What is nested in JSON gives the same inputs as scalars do by their names.
#[test]
fn inputs_may_be_nested() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "type r = struct { x: int; a: bool^2 };\n\
         node main(p: r; t: [int, bool]; m: int^2^2) returns (y: int);\nlet\n  \
         y = if p.a[1] and t[1] then p.x + t[0] + m[1][0] else 0;\ntel\n",
    );
    let flat = r#"[{"p.x": 1, "p.a[0]": false, "p.a[1]": true, "t[0]": 2, "t[1]": true,
        "m[0][0]": 1, "m[0][1]": 2, "m[1][0]": 30, "m[1][1]": 4}]"#;
    let nested = r#"[{"p": {"x": 1, "a": [false, true]}, "t": [2, true], "m": [[1, 2], [30, 4]]}]"#;
    scratch.write("flat.json", flat);
    scratch.write("nested.json", nested);
    let shown = |file| scratch.lustral(&["simulate", "p.lus", "--inputs", file]).expect(0).stdout;
    assert_eq!(shown("flat.json"), shown("nested.json"));
    assert!(shown("nested.json").contains("33"));
    scratch.write("short.json", nested.replace("[2, true]", "[2]"));
    let run = scratch.lustral(&["simulate", "p.lus", "--inputs", "short.json"]);
    assert!(run.stderr.contains("there is no input `t[1]`"), "{}", run.stderr);
}
