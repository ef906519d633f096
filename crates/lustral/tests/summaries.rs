//! What `invariants --modular` says where something is missing, and of what.

#![allow(clippy::unwrap_used)]

mod common;

use common::Scratch;

/// What assertions exclude is no guarantee, however summaries are found.
#[test]
fn nodes_that_allow_no_execution_are_told() {
    let scratch = Scratch::new();
    scratch.write(
        "now.lus",
        "node main(x: int) returns (n: int);\nlet n = x; assert false; check n <= 6; tel\n",
    );
    scratch.write(
        "late.lus",
        "node main(x: int) returns (n: int);\nlet n = 0 -> pre n + 1; assert n < 3; check n <= 6; \
         tel\n",
    );
    for (file, step) in [("late.lus", 3), ("now.lus", 0)] {
        let told = format!("the assertions of main allow no execution with a step {step}");
        scratch.lustral(&["check", "--certificate", "proofs", file]);
        for more in [&[][..], &["--minimise"], &["--from", "proofs"]] {
            let run = scratch.lustral(&[&["invariants", "--modular", file], more].concat());
            let run = run.expect(30);
            assert!(run.stderr.contains(&told), "{more:?}: {}", run.stderr);
        }
    }
}

/// Of what has no execution nothing is listed, and callers are told why.
#[test]
fn callers_of_what_blocks_are_told_why() {
    let scratch = Scratch::new();
    let low = |assertion: &str| {
        format!(
            "node low(x: int) returns (y: int);\nlet y = 0 -> pre y + 1; assert {assertion}; tel\n\
             node main(x: int) returns (y: int);\nlet y = low(x); assert x < 0; check y >= 0; tel\n"
        )
    };
    scratch.write("never.lus", low("false"));
    scratch.write("late.lus", low("y < 3"));
    // Only together do they allow nothing.
    scratch.write("both.lus", low("x > 0"));
    for file in ["never.lus", "both.lus"] {
        for format in ["text", "lustre", "contract"] {
            let args = ["invariants", "--modular", "--format", format, file];
            let run = scratch.lustral(&args).expect(30);
            assert!(!run.stdout.contains("false"), "{}", run.stdout);
            assert!(run.stdout.contains("contradict each other"), "{}", run.stdout);
        }
    }
    for (file, what) in [("never.lus", "contradict each other"), ("late.lus", "a step 3")] {
        let run = scratch.lustral(&["invariants", file]).expect(30);
        let told = run.stderr.lines().find(|line| line.contains("node main")).unwrap();
        assert!(told.contains("`low`, which it calls") && told.contains(what), "{}", run.stderr);
        assert!(!run.stderr.contains("did not pass"), "{}", run.stderr);
    }
}

/// Values of enumerations have their names, in the states of calls too, and
/// that they are one of them is not said.
#[test]
fn values_of_enumerations_are_named() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "type mode = enum { Idle, Heat, Cool };\n\
         node control(t: int) returns (hot: bool; m: mode);\nlet\n  \
         m = Idle -> if t < 10 then Heat else if t > 20 then Cool else if pre m = Cool then Idle \
         else pre m;\n  hot = m = Heat;\ntel\n\
         node main(t: int) returns (ok: bool);\nvar a, b: bool; m, n: mode;\nlet\n  \
         a, m = control(t);\n  b, n = control(t);\n  ok = a = b;\n  check ok;\n  \
         check \"named\" m <> Heat or a;\ntel\n",
    );
    let run = scratch.lustral(&["invariants", "--modular", "p.lus"]).expect(0);
    assert!(run.stdout.contains("(control[1].pre m)"), "{}", run.stdout);
    let numbered = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let of_mode = |word: &str| word.starts_with("m)") || word == "m";
        let compared = words.windows(3).filter(|w| of_mode(w[0]) || of_mode(w[2]));
        let mut sides = compared.flat_map(|w| [w[0], w[2]]);
        sides.any(|word| word.parse::<i64>().is_ok())
    };
    let wrong: Vec<&str> = run.stdout.lines().filter(numbered).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(!run.stdout.contains("m = Idle or m = Heat or m = Cool"), "{}", run.stdout);
    let run = scratch.lustral(&["check", "--compositional", "p.lus"]).expect(0);
    assert!(!run.stdout.contains("m = Idle or m = Heat or m = Cool"), "{}", run.stdout);
}

/// What a proof says of several calls has their paths, and the names of values.
#[test]
fn what_a_proof_says_of_calls_is_named() {
    let scratch = Scratch::new();
    scratch.write("p.lus", MODES);
    let run = scratch.lustral(&["check", "--engine", "horn", "p.lus"]).expect(0);
    let help = run.stdout.split("with the help of").nth(1).unwrap();
    assert!(help.contains("pre one.m") && help.contains("pre two."), "{help}");
    let named = |line: &&str| ["Idle", "Heat", "Cool"].iter().any(|value| line.contains(value));
    let of_mode = |line: &&str| line.contains("one.m");
    assert!(help.lines().filter(of_mode).all(|line| named(&line)), "{help}");
}

const MODES: &str = "\
type mode = enum { Idle, Heat, Cool };
node one(t: int) returns (hot: bool);
var m: mode;
let
  m = Idle -> if t < 10 then Heat else if t > 20 then Cool else pre m;
  hot = m = Heat;
tel
node two(t: int) returns (hot: bool);
var cold, k: bool;
let
  cold = false -> t >= 10 and (t > 20 or pre cold);
  k = true -> t >= 10 and t <= 20 and pre k;
  hot = not cold and not k;
tel
node main(t: int) returns (ok: bool);
let
  ok = t > 12 or one(t) = two(t);
  check \"ok\" ok;
tel
";

/// What a property of a called node says is not said again in other words.
#[test]
fn guarantees_do_not_repeat_each_other() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node less(x: int) returns (y: int);\nlet\n  y = x - 1;\n  check \"a\" y + 1 = x;\n  \
         assert x < 8;\n  assert x <= 7;\ntel\n\
         node main(x: int) returns (y: int);\nlet\n  y = less(x);\n  check \"b\" y < x;\ntel\n",
    );
    let run = scratch.lustral(&["check", "--compositional", "--json", "p.lus"]).expect(0);
    let of_main = run.events("verdict").into_iter().find(|v| v["node"] == "main").unwrap();
    let said = &of_main["composition"]["guarantees"][0]["expressions"];
    assert_eq!(said.as_array().unwrap().len(), 2, "{said}");
}

/// Without time nothing is said but that.
#[test]
fn no_time_is_plainly_told() {
    let scratch = Scratch::new();
    scratch.write("p.lus", ROOTS);
    let args = ["check", "--compositional", "--timeout", "0.001", "p.lus"];
    let run = scratch.lustral(&args).expect(30);
    assert!(run.stdout.contains("the time limit was reached"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

const TWO: &str = "node main(up: bool) returns (n: int);\nlet\n  \
                   n = 0 -> if up then pre n + 1 else pre n;\n  \
                   check \"a\" n >= 0;\n  check \"b\" n >= -1;\n  check \"c\" n < 9;\ntel\n";

#[test]
fn a_folder_may_hold_certificates_of_other_programs() {
    let scratch = Scratch::new();
    let stated = "node main(x: bool) returns (ok: bool);\nlet ok = true -> pre ok; check ok; tel\n";
    scratch.write("p.lus", stated);
    scratch.write("two.lus", TWO);
    for file in ["p.lus", "two.lus"] {
        scratch.lustral(&["check", "--certificate", &format!("proofs/{file}"), file]);
    }
    scratch.lustral(&["invariants", "--modular", "--from", "proofs", "p.lus"]).expect(0);
    // Properties without a certificate are named, and nothing was checked.
    let run = scratch.lustral(&["invariants", "--modular", "--from", "proofs", "two.lus"]);
    let run = run.expect(30);
    assert!(run.stderr.contains("certificates of `a`, `b`, but none of `c`"), "{}", run.stderr);
    assert!(!run.stderr.contains("check"), "{}", run.stderr);
    let run = scratch.lustral(&["invariants", "--modular", "--from", "nowhere", "p.lus"]);
    assert!(run.expect(1).stderr.contains("nowhere: there is no such folder"));
}

/// What is left of the state is a comment where the rest is to be pasted.
#[test]
fn minimal_summaries_can_be_pasted() {
    let scratch = Scratch::new();
    scratch.write("p.lus", TWO.replace("  check \"c\" n < 9;\n", ""));
    let args = ["invariants", "--modular", "--minimise", "p.lus", "--format"];
    for (format, line) in [("text", "main: the"), ("contract", "-- main: the")] {
        let run = scratch.lustral(&[&args[..], &[format]].concat()).expect(0);
        let line = format!("\n{line} summaries speak of 1 of 1 number in the state\n");
        assert!(run.stdout.contains(&line), "{}", run.stdout);
    }
}

/// One property that fails does not cost the others their summaries.
#[test]
fn what_does_not_fail_is_summarised() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node count(up: bool) returns (n: int);\nlet\n  n = 0 -> if up then pre n + 1 else pre n;\n  \
         check \"low\" n >= 0;\n  check \"small\" n < 7;\ntel\n\
         node main(up: bool) returns (n: int);\nlet\n  n = count(up);\n  \
         check \"a\" n >= 0;\n  check \"c\" n < 9;\ntel\n",
    );
    for more in [&[][..], &["--minimise"]] {
        let args = [&["invariants", "--modular", "p.lus"], more].concat();
        let run = scratch.lustral(&args).expect(30);
        assert!(run.stderr.contains("`c` is left out: by the word of Spacer it fails"), "{run:?}");
        assert!(run.stderr.contains("`small` of count is left out"), "{run:?}");
        let main = run.stdout.split("Main at every step").nth(1).unwrap();
        assert!(main.contains("the properties hold: a, low of count"), "{run:?}");
        // The flag of the property and the flow itself say the same.
        assert!(!run.stdout.contains("n > -1 -> true"), "{run:?}");
    }
}

/// A proof by two steps says nothing of one; what is found instead is called that.
#[test]
fn what_is_not_from_the_certificate_is_told() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node main(u: bool) returns (a: bool);\nvar b: bool;\nlet\n  a = true -> pre b;\n  \
         b = u or (true -> pre a);\n  check a;\ntel\n",
    );
    let engines = ["--engine", "k-induction", "--certificate", "proofs", "p.lus"];
    let run = scratch.lustral(&[&["check", "--json"][..], &engines].concat()).expect(0);
    assert_eq!(run.events("verdict")[0]["k"], 2);
    let run = scratch.lustral(&["invariants", "--modular", "--from", "proofs", "p.lus"]).expect(0);
    assert!(run.stderr.contains("note: node main: found anew"), "{}", run.stderr);
}

/// Two bits say what two numbers say too: numbers are left out first, and what
/// is restored is the least that refutes spurious traces.
#[test]
fn of_the_state_the_part_of_the_lowest_rank_is_spoken_of() {
    let scratch = Scratch::new();
    let text = "node both(x: bool) returns (a, b: bool; n, m: int);\nlet\n  \
                a = false -> not pre a;\n  b = true -> not pre b;\n  \
                n = 0 -> 1 - pre n;\n  m = if n = 0 then 1 else 0;\ntel\n\
                node main(x: bool) returns (ok: bool);\nvar a, b: bool; n, m: int;\nlet\n  \
                a, b, n, m = both(x);\n  ok = a <> b or n = m;\n  check ok;\ntel\n";
    scratch.write("p.lus", text);
    let args = ["invariants", "--modular", "--minimise", "p.lus"];
    let run = scratch.lustral(&args).expect(0);
    assert!(
        run.stdout.contains("\nmain: for this `Main`, less of the states would not do\n"),
        "{}",
        run.stdout
    );
    let run = scratch.lustral(&[&args[..], &["--json"]].concat()).expect(0);
    for rank in run.events("rank") {
        assert_eq!(rank["state"], serde_json::json!([1, 2]), "{rank}");
        assert_eq!(rank["said"], serde_json::json!([0, 2]), "{rank}");
        assert_eq!(rank["smallest"], true, "{rank}");
    }
}

/// Spacer finds no invariant here; what was learned is shown alone.
#[test]
fn what_was_learned_is_shown_without_spacer() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node main() returns (a, b, c: int);\nlet\n  a = 0 -> pre (a + b);\n  \
         b = 0 -> pre (b + c);\n  c = 0 -> pre (c + 1);\n  check a >= 0;\ntel\n",
    );
    let run = scratch.lustral(&["invariants", "--modular", "--timeout", "10", "p.lus"]);
    assert!(run.stdout.contains("true -> pre (1 + c) >= 1"), "{}{}", run.stdout, run.stderr);
}

/// A flow's definition beside its name is spelled out, and `true` is no fact.
#[test]
fn no_fact_is_a_tautology() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node count(u: bool) returns (n: int);\nlet\n  n = 0 -> pre n + 1;\n  \
         check \"low\" n >= 0;\ntel\n\nnode main(u: bool) returns (m: int);\nlet\n  \
         m = count(u);\n  check \"high\" true -> m > pre m;\ntel\n",
    );
    let run = scratch.lustral(&["check", "--compositional", "p.lus"]).expect(0);
    assert!(run.stdout.contains("count: true -> 1 + pre n = n"), "{}", run.stdout);
    let run = scratch.lustral(&["invariants", "--modular", "p.lus"]).expect(0);
    let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
    assert!(!lines.contains(&"true -> n = n") && !lines.contains(&"true"), "{}", run.stdout);
    // Which properties hold at every step of the program.
    assert!(run.stdout.contains("low of count"), "{}", run.stdout);
}

/// Where nothing is known from outside, there is no contract to paste.
#[test]
fn no_contract_guarantees_nothing() {
    let scratch = Scratch::new();
    scratch.write("p.lus", "node main(x: real) returns (y: real);\nlet y = x; check true; tel\n");
    let run = scratch.lustral(&["invariants", "--format", "contract", "p.lus"]).expect(0);
    assert!(!run.stdout.contains("guarantee true;"), "{}", run.stdout);
}

/// Calls that are never cut bring what they call: those are no calls of the node.
#[test]
fn calls_of_calls_are_no_ghosts() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node once(x: bool) returns (y: bool);\nlet y = x or (false -> pre y); tel\n\
         node same(a: bool) returns (x: bool);\n\
         con assume once(a) or not once(a); guarantee once(x) or not x; noc\nlet x = a; tel\n\
         node main(a, b: bool) returns (x, y: bool);\n\
         con guarantee once(x) or not x; noc\nlet x = same(a); y = same(b); tel\n",
    );
    let run = scratch.lustral(&["invariants", "--format", "contract", "p.lus"]).expect(0);
    assert!(run.stdout.contains("-- node main\n"), "{}", run.stdout);
}

const ROOTS: &str = "node c(r: bool) returns (n: int; ok: bool);\nlet\n  \
                     n = 0 -> if r then 0 else pre n + 1;\n  ok = n < 5;\ntel\n\n\
                     node a(r: bool) returns (n: int);\nvar ok: bool;\nlet\n  \
                     n, ok = c(r);\n  check n >= 0;\ntel\n\n\
                     node b(r: bool) returns (n: int);\nvar ok: bool;\nlet\n  \
                     n, ok = c(not r);\n  check n + 1 >= 1;\ntel\n";

/// A node below two roots is shown once, and numbered once.
#[test]
fn a_node_below_two_roots_is_one() {
    let scratch = Scratch::new();
    scratch.write("p.lus", ROOTS);
    let run = scratch.lustral(&["invariants", "--modular", "p.lus"]).expect(0);
    assert_eq!(run.stdout.matches("node c, ").count(), 1, "{}", run.stdout);
    assert_eq!(run.stdout.matches("I_1 ").count(), 1, "{}", run.stdout);
    let run = scratch.lustral(&["invariants", "--format", "contract", "p.lus"]).expect(0);
    assert_eq!(run.stdout.matches("-- node c\n").count(), 1, "{}", run.stdout);
    // Functions of each root are in a scope of their own.
    let run = scratch.lustral(&["invariants", "--modular", "--format", "smt2", "p.lus"]).expect(0);
    assert_eq!(run.stdout.matches("(push 1)").count(), 2, "{}", run.stdout);
    assert_eq!(run.stdout.matches("(pop 1)").count(), 2, "{}", run.stdout);
}

/// One node of a program is shown as it is there: what it returns is no property.
#[test]
fn a_node_that_is_asked_for_is_no_root() {
    let scratch = Scratch::new();
    scratch.write("p.lus", ROOTS);
    let args = ["invariants", "--modular", "--node", "c", "p.lus"];
    let run = scratch.lustral(&args).expect(0);
    assert!(run.stdout.starts_with("node c, ") && !run.stdout.contains("Main"), "{}", run.stdout);
    assert!(!run.stdout.contains("node a, "), "{}", run.stdout);
}

/// No node by itself says that there is no execution.
#[test]
fn what_nodes_do_together_can_leave_no_execution() {
    let scratch = Scratch::new();
    scratch.write(
        "a.lus",
        "node never(a: bool) returns (x: bool);\nlet x = false -> pre x; tel\n\
         node copy(i: int) returns (y: int);\nlet y = i; tel\n\
         node main(i: bool) returns (ok: bool);\nvar z: int;\n\
         let\n  z = copy(if i then 0 else 0);\n  assert never(i) or z >= 2;\n  \
         ok = z <> 7;\n  check \"p\" ok;\n  --%MAIN;\ntel\n",
    );
    for args in [&["invariants"][..], &["invariants", "--modular"]] {
        let run = scratch.lustral(&[args, &["a.lus"]].concat()).expect(30);
        let all = run.stdout + &run.stderr;
        assert!(all.contains("there is no execution"), "{all}");
        assert!(!all.contains("ok"), "{all}");
    }
}

#[test]
fn a_certificate_of_one_property_is_none_of_another() {
    let scratch = Scratch::new();
    scratch.write(
        "a.lus",
        "node main(a: bool) returns (n: int);\n\
         let\n  n = 0 -> if a and pre n < 7 then pre n + 1 else pre n;\n  \
         check \"p\" n <= 5;\n  check \"q\" n >= 0;\ntel\n",
    );
    scratch.lustral(&["check", "--certificate", "c", "a.lus"]).expect(40);
    let run = scratch.lustral(&["invariants", "--modular", "--from", "c", "a.lus"]).expect(30);
    assert!(run.stderr.contains("`p`: left out, there is no certificate"), "{}", run.stderr);
}

/// What has a clock of its own is left out, and said; what it calls is looked at all the same.
#[test]
fn parts_with_clocks_are_left_out() {
    let scratch = Scratch::new();
    let text = "node count(up: bool) returns (n: int);\nlet n = 0 -> if up then pre n + 1 else pre n; tel\n\
                node slow(c: bool) returns (o: int);\nlet o = condact(c, count(c), 0); check o >= 0; tel\n\
                node plain(up: bool) returns (m: int);\nlet m = count(up); check m >= 0; tel\n";
    scratch.write("p.lus", text);
    let run = scratch.lustral(&["invariants", "--format", "contract", "p.lus"]).expect(30);
    assert!(run.stderr.contains("node slow: parts of the node `slow`"), "{}", run.stderr);
    for node in ["-- node count\n", "-- node plain\n"] {
        assert_eq!(run.stdout.matches(node).count(), 1, "{}", run.stdout);
    }
    assert!(!run.stdout.contains("-- node slow"), "{}", run.stdout);
    // There is nothing else.
    scratch.write("one.lus", "node one(c: bool; x: int) returns (o: int);\nlet o = merge c (x when c) (0 when not c); check o = o; tel\n");
    scratch.lustral(&["invariants", "--format", "contract", "one.lus"]).expect(3);
}

/// What a proof says of the state is said of the program where nothing else says it.
#[test]
fn what_certificates_say_of_the_state_is_shown() {
    let scratch = Scratch::new();
    let text = "node main(u: bool) returns (ok: bool);\nvar a, b: int;\nlet\n  \
         a = 0 -> if u and pre a < 9 then pre a + 1 else 0;\n  \
         b = 0 -> if u and pre a < 9 then pre b + 3 else 0;\n  \
         ok = b <= 27;\n  check ok;\ntel\n";
    scratch.write("p.lus", text);
    let learner = ["check", "--engine", "sorcar", "--certificate", "proofs", "p.lus"];
    scratch.lustral(&learner).expect(0);
    let run = scratch.lustral(&["invariants", "--modular", "--from", "proofs", "p.lus"]).expect(0);
    let (_, main) = run.stdout.split_once("Main at every step").unwrap();
    assert!(main.contains("ok") && main.contains("3 * a"), "{}", run.stdout);
}

/// Spacer does not end here, and what was learned of the node proves the property.
#[test]
fn what_was_learned_proves_without_spacer() {
    let scratch = Scratch::new();
    let text = "node main() returns (a, b, c: int);\nlet\n  a = 0 -> pre (a + b);\n  \
         b = 0 -> pre (b + c);\n  c = 0 -> pre (c + 1);\n  check a >= 0;\ntel\n";
    scratch.write("p.lus", text);
    let run = scratch.lustral(&["invariants", "--modular", "--timeout", "8", "p.lus"]).expect(0);
    assert!(!run.stderr.contains("not proved"), "{}", run.stderr);
    let (_, main) = run.stdout.split_once("Main at every step").unwrap();
    assert!(main.contains("a >= 0"), "{}", run.stdout);
}

/// A model of another solver is read back, and counts only if it passes.
#[test]
fn models_of_others_are_validated() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node count(up: bool) returns (n: int);\nlet n = 0 -> if up and pre n < 9 then pre n + 1 else \
         0; tel\nnode main(up: bool) returns (ok: bool);\nvar n: int;\nlet n = count(up); ok = n >= 0;\n  \
         check ok; tel\n",
    );
    let written =
        scratch.lustral(&["invariants", "--modular", "--format", "smt2", "p.lus"]).expect(0);
    let again = |text: &str| {
        scratch.write("model.smt2", text);
        scratch.lustral(&["invariants", "--modular", "--model", "model.smt2", "p.lus"])
    };
    let run = again(&format!("sat\n(model\n{})\n", written.stdout)).expect(0);
    assert!(run.stdout.contains("node main"), "{}", run.stdout);
    // One predicate alone shows nothing.
    let second = written.stdout.match_indices("(define-fun").nth(1).unwrap().0;
    for (model, told) in [
        (&written.stdout[..second], "nothing passed its check"),
        ("(define-fun I_1 () Bool true)", "as arguments"),
        ("(define-fun other () Bool true)", "no predicate `other`"),
        ("(define-fun I_1", "no `(define-fun"),
    ] {
        let run = again(model).expect(30);
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
}
