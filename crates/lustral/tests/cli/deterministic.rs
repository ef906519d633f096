//! `--deterministic`: the same bytes in every run.

use crate::common::{HARD, Scratch};

const RUNS: usize = 20;

/// Programs for all engines: proofs by induction, compression, exhaustion and
/// learned invariants; failures early and late; several nodes.
const CASES: [&str; 6] = [
    include_str!("../cases/several-verdicts.lus"),
    include_str!("../cases/needs-invariant.lus"),
    include_str!("../cases/needs-distinct-states.lus"),
    include_str!("../cases/falsified-at-thirty.lus"),
    include_str!("../cases/property-in-called-node.lus"),
    include_str!("../cases/thermostat.lus"),
];

/// What every run says of a program.
#[track_caller]
fn same(program: &str, args: &[&str]) -> String {
    let scratch = Scratch::new();
    scratch.write("a.lus", program);
    let args = [&["check", "--deterministic", "--timeout", "55", "a.lus"], args].concat();
    let run = || scratch.lustral(&args).stdout;
    let first = run();
    assert!(!first.contains("time limit"), "only the time may make a difference: {first}");
    for _ in 1..RUNS {
        assert_eq!(run(), first, "{args:?}");
    }
    first
}

#[test]
fn text_is_the_same_in_every_run() {
    for program in CASES {
        assert!(!same(program, &["--explain"]).contains(" s)"), "no times");
    }
}

#[test]
fn json_is_the_same_in_every_run() {
    for program in CASES {
        assert!(!same(program, &["--json"]).contains("seconds"));
    }
}

#[test]
fn node_by_node_is_the_same_in_every_run() {
    for program in [CASES[0], CASES[4], include_str!("../cases/assert-in-called-node.lus")] {
        assert!(!same(program, &["--compositional", "--json"]).contains("seconds"));
    }
}

#[test]
fn so_is_what_is_said_where_there_is_no_answer() {
    let text = same(HARD, &["--max-k", "4", "--engine", "bmc", "--engine", "k-induction"]);
    assert!(text.contains("unknown     ok  (no engine"), "{text}");
    assert!(text.ends_with("1 valid, 1 falsifiable, 1 unknown\n"), "{text}");
}

#[test]
fn a_profile_names_stages_engines_and_queries() {
    let scratch = Scratch::new();
    scratch.write("a.lus", CASES[1]);
    let run = scratch.lustral(&["check", "--profile", "--html", "a.html", "a.lus"]).expect(40);
    for word in ["front end", "k-induction", "certify", "step"] {
        assert!(run.stderr.contains(word), "{word} in {}", run.stderr);
    }
    let page = std::fs::read_to_string(scratch.path().join("a.html")).unwrap();
    assert!(page.contains("Where the time went"));
    let run = scratch.lustral(&["check", "--profile", "--json", "a.lus"]).expect(40);
    let shares = run.events("profile")[0]["shares"].as_array().unwrap().clone();
    let find = |who: &str, what: &str| {
        shares.iter().find(|s| s["who"] == who && s["what"] == what).unwrap().clone()
    };
    assert!(find("k-induction", "step")["count"].as_u64() > Some(0));
    let (part, all) = (find("stages", "engines"), find("stages", "all"));
    assert!(part["seconds"].as_f64() <= all["seconds"].as_f64());
    assert_eq!(scratch.lustral(&["check", "--json", "a.lus"]).events("profile").len(), 0);
}

#[test]
fn solvers_that_do_not_count_are_refused() {
    let scratch = Scratch::new();
    scratch.write("a.lus", CASES[0]);
    for other in [["--solver", "cvc5"], ["--bmc-solver", "cvc5"], ["--abduction", "cvc5"]] {
        let args = ["check", "--deterministic", other[0], other[1], "a.lus"];
        let run = scratch.lustral(&args).expect(2);
        assert!(run.stderr.contains("built-in solver"), "{}", run.stderr);
    }
    let run = scratch.lustral(&["check", "--deterministic", "--jobs", "3", "a.lus"]).expect(2);
    assert!(run.stderr.contains("--jobs"), "{}", run.stderr);
}
