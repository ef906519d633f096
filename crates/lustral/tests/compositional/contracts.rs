//! Calls of nodes that assume something: known by what they guarantee as long as they are
//! given it.

use serde_json::{Value, json};

use super::common::Scratch;
use super::{abstracted, check, verdict};

/// Follows what it is given by steps of one, and assumes that this is in range.
const FOLLOW: &str = "node follow(x: int) returns (y: int);
con
  assume \"in\" 0 <= x and x <= 10;
  guarantee \"out\" 0 <= y and y <= 10;
noc
let
  y = x -> if x > pre y then pre y + 1 else if x < pre y then pre y - 1 else pre y;
tel
";

#[test]
fn calls_of_nodes_that_assume_something_are_cut() {
    let text = format!(
        "{FOLLOW}node twice(x: int) returns (y: int);
con
  assume \"small\" 0 <= x and x <= 5;
  guarantee \"low\" y <= 10;
noc
let y = follow(follow(x)); tel
node main(x: int) returns (y: int);
let
  y = twice(if x < 0 then 0 else if x > 5 then 5 else x);
  check \"bounded\" y <= 10;
tel
"
    );
    let run = check(&text, &[]).expect(0);
    let bounded = verdict(&run, "main", "bounded");
    assert_eq!(
        (&bounded["verdict"], abstracted(&bounded)),
        (&"valid".into(), vec!["twice".into()])
    );
    let kept = verdict(&run, "main", "twice.small");
    assert_eq!((&kept["verdict"], abstracted(&kept)), (&"valid".into(), vec!["twice".into()]));
    // What it was given of the call is said with what that depends on.
    let guarantee = &bounded["composition"]["guarantees"][0];
    assert_eq!((&guarantee["node"], &guarantee["given"]), (&"twice".into(), &json!(["small"])));
    assert_eq!(bounded["composition"]["given"], json!([]));
    assert_eq!(verdict(&run, "follow", "out")["composition"]["given"], json!(["in"]));
    // Of all calls, because all are given what they should be.
    for (node, property) in [("follow", "out"), ("twice", "low"), ("twice", "follow[2].in")] {
        let found = verdict(&run, node, property);
        assert_eq!(found["verdict"], "valid", "{node}.{property}");
        assert_eq!(found["composition"]["every_call"], true, "{node}.{property}");
    }
}

/// What a node guarantees may not be used to show what the guarantee rests on: here the
/// input is the output of the same call, at the same step.
#[test]
fn a_guarantee_is_no_excuse_for_its_own_assumption() {
    let text = "node copy(x, u: int) returns (y, z: int);
con
  assume \"in\" x >= 0 and x = u;
  guarantee \"out\" y >= 0;
noc
let y = u; z = x; tel
node main(u: int) returns (y, z: int);
let
  y, z = copy(y, u);
  check \"low\" y >= 0;
tel
";
    let run = check(text, &[]).expect(40);
    for property in ["low", "copy.in", "copy.out"] {
        let found = verdict(&run, "main", property);
        assert_eq!((&found["verdict"], &found["step"]), (&"falsifiable".into(), &0.into()));
    }
}

#[test]
fn what_was_guaranteed_before_keeps_the_assumption() {
    let text = format!(
        "{FOLLOW}node main(up: bool) returns (y: int);
let
  y = follow(0 -> if up then pre y else 10 - pre y);
  check \"bounded\" y <= 10;
tel
"
    );
    let run = check(&text, &[]).expect(0);
    for property in ["bounded", "follow.in"] {
        let found = verdict(&run, "main", property);
        assert_eq!(
            (&found["verdict"], abstracted(&found)),
            (&"valid".into(), vec!["follow".into()])
        );
    }
}

/// What was proved of a node in a caller that is itself given what it should not be is
/// no verdict.
#[test]
fn a_broken_assumption_reaches_all_that_rests_on_it() {
    let text = format!(
        "{FOLLOW}node middle(x: int) returns (y: int);
con
  assume \"small\" 0 <= x and x <= 5;
  guarantee \"low\" y <= 10;
noc
let y = follow(x); tel
node main(x: int) returns (y, z: int);
let
  y = middle(3);
  z = middle(x);
  check \"bounded\" y <= 10;
tel
"
    );
    let run = check(&text, &[]).expect(40);
    let said = |property: &str| verdict(&run, "main", property)["verdict"].clone();
    assert_eq!(said("bounded"), "valid");
    for (call, word) in [(1, "valid"), (2, "falsifiable")] {
        for property in ["small", "low", "follow.in", "follow.out"] {
            assert_eq!(said(&format!("middle[{call}].{property}")), word, "{call}, {property}");
        }
    }
}

/// What a contract assumes may be said with nodes of its own, which remember something.
#[test]
fn contracts_that_call_nodes_and_look_back() {
    let text = "node always(p: bool) returns (so_far: bool);
let so_far = p -> p and pre so_far; tel
node sum(x: int) returns (y: int);
con
  var positive: bool = always(x > 0);
  assume \"slow\" positive and (true -> x - pre x <= 1 and pre y >= 0);
  guarantee \"grows\" true -> y > pre y;
noc
let y = x -> pre y + x; tel
node main(b: bool) returns (y: int);
var n: int;
let
  n = 1 -> if b then pre n + 1 else 1;
  y = sum(n);
  check \"grows\" true -> y > pre y;
tel
";
    let run = check(text, &[]).expect(0);
    for property in ["grows", "sum.slow"] {
        let found = verdict(&run, "main", property);
        assert_eq!(found["verdict"], "valid", "{property}: {found}");
    }
    assert_eq!(abstracted(&verdict(&run, "main", "grows")), ["sum"]);
}

/// A wrong contract is blamed at the right side, with and without `--compositional`.
#[test]
fn who_is_to_blame() {
    let text = "node imported sensor(r: int) returns (v: int);
con assume \"range\" r >= 0; guarantee \"sign\" v >= 0; noc
node inner(x: int) returns (y: int);
con assume \"small\" x <= 100; guarantee \"less\" y <= x; noc
let y = x + 1; tel
node outer(x: int) returns (y: int);
con assume \"tiny\" x <= 10; guarantee \"out\" y < 50; noc
let y = inner(x * x); tel
node main(a: int) returns (z, s: int);
con assume 0 <= a and a <= 20; guarantee \"seen\" s >= 1; noc
let
  z = outer(0 -> a);
  s = sensor(a);
tel
";
    let none = Value::Null;
    let caller = |node: &str, call: &str, broken: &str, step: u32| json!({"side": "caller", "node": node, "call": call, "broken": broken, "step": step});
    let expected = [
        // The environment gives `main` what it assumes, and it does not hand that on.
        ("outer.tiny", caller("main", "outer", "tiny", 1)),
        // Whoever was given what it excludes is excused.
        ("outer.out", caller("main", "outer", "tiny", 1)),
        ("outer.inner.small", caller("main", "outer", "tiny", 1)),
        ("outer.inner.less", json!({"side": "node", "node": "inner", "call": "outer.inner"})),
        ("seen", json!({"side": "contract", "node": "main", "of": ["sensor"]})),
        ("sensor.range", none),
    ];
    assert_blamed(text, &expected);
    let scratch = Scratch::new();
    scratch.write("p.lus", text);
    let shown = scratch.lustral(&["check", "p.lus", "--html", "page.html"]).expect(40).stdout;
    let sentence = "to blame: the caller `main`, which breaks `tiny` of `outer` at step 1";
    let page = std::fs::read_to_string(scratch.path().join("page.html")).unwrap();
    assert!(shown.contains(sentence) && page.contains(sentence), "{shown}");
    // A node by itself is given what it assumes.
    let alone = scratch.lustral(&["check", "p.lus", "--node", "outer"]).expect(40).stdout;
    assert!(alone.contains("the caller `outer`, which breaks `small` of `inner`"), "{alone}");
}

/// Who is blamed for each property, with all calls unfolded and node by node.
#[track_caller]
fn assert_blamed(text: &str, expected: &[(&str, Value)]) {
    for options in [&[][..], &["--compositional"]] {
        let scratch = Scratch::new();
        let lines = scratch.check(text, options).expect(40).events("verdict");
        for (property, blame) in expected {
            let found = lines.iter().find(|line| line["property"] == *property);
            assert_eq!(found.unwrap_or(&Value::Null)["blame"], *blame, "{property} {options:?}");
        }
    }
}

/// A node without a body that was not given what it assumes has nothing to answer for; and which
/// modes there are is the business of the contract, whoever keeps it.
#[test]
fn who_broke_an_assumption_before_is_to_blame() {
    let text = "node imported f(x: int) returns (y: int);
con assume \"in\" x >= 0; guarantee \"out\" y = x; noc
node middle(x: int) returns (y: int);
con assume \"positive\" x > 0; noc
let y = f(x - 1); tel
node top(x: int) returns (a, b: int);
con
  guarantee \"later\" x >= 0 => a = x;
  guarantee \"far\" true -> x > 0 => b = x - 1;
  mode small (require x < 5; ensure a <= b or true;);
noc
let
  a = f(x);
  b = middle(x);
tel
";
    let caller = |call: &str, broken: &str| json!({"side": "caller", "node": "top", "call": call, "broken": broken, "step": 0});
    let expected = [
        ("later", caller("f", "in")),
        ("far", caller("middle", "positive")),
        ("one mode active", json!({"side": "modes", "node": "top"})),
    ];
    assert_blamed(text, &expected);
}

/// What rests on a contract that nobody can keep is proved, and there is a warning.
#[test]
fn contracts_that_nobody_can_keep_are_told() {
    let text = |most: &str| {
        format!(
            "node imported f(x: int) returns (y: int);\ncon guarantee y > x; guarantee {most}; noc\n\
             node main(x: int) returns (y: int);\nlet y = f(x); check \"above\" y > x; tel\n"
        )
    };
    for options in [&[][..], &["--compositional"]] {
        let scratch = Scratch::new();
        let run = scratch.check(&text("y < 10"), options).expect(0);
        let told = run.json().iter().any(|line| line.to_string().contains("no body can keep"));
        assert!(told, "{options:?}: {}", run.stdout);
        let run = scratch.check(&text("y < x + 10"), options).expect(0);
        let told = run.json().iter().any(|line| line.to_string().contains("no body can keep"));
        assert!(!told, "{options:?}: {}", run.stdout);
    }
}

/// What a proof takes for granted is named, also where it was given what called nodes guarantee.
#[test]
fn proofs_name_the_assumptions_they_rest_on() {
    let text = format!(
        "{FOLLOW}node pump(u: int) returns (v: int);
let
  assert u > 0;
  v = u;
  check \"on\" v > 0;
tel
node main(x: int) returns (y, v: int);
con
  assume 0 <= x and x <= 10;
  guarantee \"in range\" y <= 10;
  guarantee \"on\" v > 0;
noc
let y = follow(x); v = pump(x + 1); tel
"
    );
    let run = check(&text, &[]).expect(0);
    let rests = |node: &str, property: &str| -> Vec<(String, u64)> {
        let found = verdict(&run, node, property);
        let list = found["rests_on"]["statements"].as_array().unwrap().iter();
        list.map(|s| (s["kind"].as_str().unwrap().into(), s["line"].as_u64().unwrap())).collect()
    };
    assert!(rests("main", "follow.in").contains(&("assumption".into(), 17)));
    assert_eq!(rests("follow", "out"), [("assumption".into(), 3)]);
    assert_eq!(rests("pump", "on"), [("assertion".into(), 11)]);
    // The proof was given what `pump` guarantees, which rests on its assertion.
    assert!(rests("main", "on").contains(&("assertion".into(), 11)));
}

/// Every node of a file, each with its own assumptions, by one command.
#[test]
fn every_node_by_itself() {
    let text = "node sub(x: int) returns (y: int);
con assume x > 0; guarantee \"positive\" y > 0; noc
let y = x; tel
node never(x: int) returns (y: int);
con assume x > 0; assume x < 0; guarantee \"anything\" false; noc
let y = x; tel
node main(x: int) returns (y: int);
let y = sub(if x > 0 then x else 1) + never(x); check \"on\" true; tel
";
    for options in [&["--every-node"][..], &["--every-node", "--compositional"]] {
        let scratch = Scratch::new();
        let lines = scratch.check(text, options).events("verdict");
        let known = |node: &str, property: &str| {
            let line = lines.iter().find(|l| l["node"] == node && l["property"] == property);
            line.cloned().unwrap_or_default()
        };
        assert_eq!(known("sub", "positive")["verdict"], "valid", "{options:?}");
        // A node whose assumptions exclude every input is never valid.
        assert_eq!(known("never", "anything")["vacuous"], true, "{options:?}");
        assert_eq!(known("main", "sub.line 2")["verdict"], "valid", "{options:?}");
    }
}

/// What is inductive with what was learned needs no engines, unless others were asked for.
#[test]
fn what_was_learned_is_a_proof() {
    let text = format!(
        "{FOLLOW}node main(x: int) returns (y: int);\nlet\n  \
         y = follow(if x < 0 then 0 else if x > 10 then 10 else x);\n  check \"low\" y <= 10;\ntel\n"
    );
    let run = check(&text, &[]).expect(0);
    assert_eq!(verdict(&run, "follow", "out")["engine"], "houdini");
    let run = check(&text, &["--engine", "k-induction"]).expect(0);
    assert_eq!(verdict(&run, "follow", "out")["engine"], "k-induction");
}

/// Counterexamples have their causes node by node, too; and where the values of a node without a body have no part
/// in the cause, neither has its contract in the blame.
#[test]
fn causes_and_blame_are_those_of_the_whole() {
    let text = "node imported open(x: int) returns (y: int);
con guarantee \"up\" y >= x; noc
node main(x: int) returns (y: int);
con
  guarantee \"from the start\" y > x;
  guarantee \"later\" true -> y < 100;
noc
let y = 0 -> open(x); tel
";
    let run = check(text, &[]).expect(40);
    let own = verdict(&run, "main", "from the start");
    assert_eq!(own["blame"], json!({ "side": "node", "node": "main" }), "{own}");
    assert!(own["cause"].is_object(), "{own}");
    let theirs = verdict(&run, "main", "later");
    let blame = json!({ "side": "contract", "node": "main", "of": ["open"] });
    assert_eq!(theirs["blame"], blame, "{theirs}");
}

/// A guarantee that says nothing has its warning node by node, too.
#[test]
fn guarantees_that_say_nothing() {
    let text = "node low(x: int) returns (y: int);
con
  assume x >= 0;
  guarantee \"never\" x < 0 => y = 100;
  guarantee \"sometimes\" x < 5 => y < 5;
noc
let y = x; tel
node main(x: int) returns (y: int);
let y = low(if x < 0 then 0 else x); check \"y\" y >= 0; tel
";
    let run = check(text, &[]).expect(0);
    let warnings = |name: &str| verdict(&run, "low", name)["warnings"].as_array().map(Vec::len);
    assert_eq!((warnings("never"), warnings("sometimes")), (Some(1), Some(0)));
}

/// Calls on slower clocks whose nodes assume something are not cut: that says nothing of their contracts.
#[test]
fn calls_that_cannot_be_cut_are_not_held_against_their_contracts() {
    let text = format!(
        "{FOLLOW}node main(c: bool; x: int) returns (y: int);\nlet\n  \
         y = condact(c, follow(if x < 0 then 0 else if x > 10 then 10 else x), 0);\n  \
         check \"low\" y <= 10;\ntel\n"
    );
    let run = check(&text, &[]).expect(0);
    let low = verdict(&run, "main", "low");
    assert!(low["composition"]["inlined"].as_array().is_none_or(Vec::is_empty), "{low}");
}
