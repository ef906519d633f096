//! `--in-range` and `--overflow`: properties that nobody has stated.

use crate::common::{Run, Scratch};

/// Property and verdict, sorted.
fn verdicts(run: &Run) -> Vec<String> {
    let line = |v: &serde_json::Value| {
        let part = |name: &str| v[name].as_str().unwrap().to_string();
        format!("{}: {}", part("property"), part("verdict"))
    };
    let mut list: Vec<String> = run.events("verdict").iter().map(line).collect();
    list.sort();
    list
}

const INDICES: &str = "\
const N = 4;
node read(a: int^N; i, j: int) returns (x, y, z: int);
let
  x = a[i];
  y = if 0 <= j and j < N then a[j] else 0;
  z = 0 -> if pre i = 2 then a[pre i] else a[3 - i];
tel
node main(i: subrange [0, 3] of int; j, k: int; c: bool) returns (x, y, z: int; ok: bool);
var a: int^N; r: int when c;
let
  a = (0^N -> pre a)[i := i];
  (x, y, z) = read(a, i, j);
  r = (a when c)[k when c];
  ok = forall (j: int) 0 <= j and j < N => 0 <= k - j and k - j < N => a[k - j] >= 0;
  check ok;
tel
";

#[test]
fn indices_are_inside_where_elements_are_used() {
    let run = Scratch::new().check(INDICES, &["--in-range"]);
    assert_eq!(
        verdicts(&run),
        [
            "in range((0^N -> pre a)[i := i]) at line 11: valid",
            "in range((a when c)[k when c]) at line 13: falsifiable",
            "in range(a[k - j]) at line 14: valid",
            "ok: valid",
            "read.in range(a[3 - i]) at line 6: valid",
            "read.in range(a[i]) at line 4: valid",
            "read.in range(a[j]) at line 5: valid",
            "read.in range(a[pre i]) at line 6: valid",
        ]
    );
    let wrong = run.events("verdict").into_iter().find(|v| v["verdict"] == "falsifiable");
    assert_eq!(wrong.unwrap()["step"], 0);
    let alone = Scratch::new().check(INDICES, &["--in-range", "--node", "read"]);
    let falsifiable: Vec<String> =
        verdicts(&alone).into_iter().filter(|line| line.ends_with("falsifiable")).collect();
    assert_eq!(
        falsifiable,
        ["in range(a[3 - i]) at line 6: falsifiable", "in range(a[i]) at line 4: falsifiable"]
    );
    // Nobody asks unless told to.
    assert_eq!(verdicts(&Scratch::new().check(INDICES, &[])), ["ok: valid"]);
}

const OVERFLOWS: &str = "\
node main(x, y: uint8; s: int8; n: int; c: bool)
returns (z: uint8; t: int8; u: uint8; w: uint8 when c; k: uint8; d: int8);
let
  z = if x < (uint8 100) and y < (uint8 100) then x + y else x - y;
  t = -s;
  u = uint8 n;
  w = (x when c) * (uint8 2);
  k = (uint8 0) -> if pre k >= (uint8 200) then (uint8 0) else pre k + (uint8 1);
  d = s div (int8 -1);
tel
";

#[test]
fn operations_on_machine_integers_do_not_overflow() {
    let run = Scratch::new().check(OVERFLOWS, &["--overflow"]);
    assert_eq!(
        verdicts(&run),
        [
            "no overflow((x when c) * (uint8 2)) at line 7: falsifiable",
            "no overflow(-s) at line 5: falsifiable",
            "no overflow(pre k + (uint8 1)) at line 8: valid",
            "no overflow(s div (int8 -1)) at line 9: falsifiable",
            "no overflow(uint8 n) at line 6: falsifiable",
            "no overflow(x + y) at line 4: valid",
            "no overflow(x - y) at line 4: falsifiable",
        ]
    );
}
