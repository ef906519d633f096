//! `lustral check` on protocols (`.pyv`).

use std::path::Path;

use lustral_smt::Solver;

use crate::common::{Scratch, lustral};

/// An example, by its name in the folder.
fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/protocols");
    folder.join(name).display().to_string()
}

/// A counter of tokens that must stay where they are.
const TOKENS: &str = "\
sort node
mutable relation token(node)
init token(X) & token(Y) -> X = Y
transition pass(n: node, m: node)
  modifies token
  token(n) & (new(token(X)) <-> X = m)
safety [one] token(X) & token(Y) -> X = Y
";

#[test]
fn a_protocol_is_proved_for_all_sizes() {
    let run = lustral(&["check", &example("printer.pyv")]).expect(0);
    assert!(run.stdout.starts_with("valid       one_prints  (for all sizes"), "{}", run.stdout);
    assert!(run.stdout.contains("  by the inductive invariant\n    forall "), "{}", run.stdout);
    assert!(run.stdout.ends_with(" s\n") && run.stdout.contains("\n1 valid"), "{}", run.stdout);
}

#[test]
fn a_mistake_is_shown_as_an_execution() {
    let run = lustral(&["check", &example("printer-wrong.pyv")]).expect(40);
    let said = &run.stdout;
    assert!(said.starts_with("falsifiable one_prints  (after "), "{said}");
    assert!(said.contains(" steps with client = 2, "), "{said}");
    // The last step is what makes two print.
    let last = said.rfind("\n  state ").expect("states");
    assert!(said[last..].contains(": start(client"), "{said}");
    assert!(said[last..].contains("\n    prints = {client0, client1}\n"), "{said}");
    assert!(said.contains("  state 0: first state\n    asks = {}\n"), "{said}");
}

#[test]
fn verdicts_are_lines() {
    let scratch = Scratch::new();
    scratch.write("tokens.pyv", TOKENS);
    let run = scratch.lustral(&["check", "--json", "tokens.pyv"]).expect(0);
    let verdicts = run.events("protocol");
    assert_eq!(verdicts.len(), 1);
    assert_eq!(verdicts[0]["verdict"], "valid");
    assert_eq!(verdicts[0]["property"], "one");
    assert_eq!((&verdicts[0]["line"], &verdicts[0]["column"]), (&7.into(), &1.into()));
    assert_eq!(verdicts[0]["solvers"], serde_json::json!(["z3-builtin"]));
    assert_eq!(run.events("summary")[0]["valid"], 1);
    let wrong = TOKENS.replace("X = m)", "token(X) | X = m)");
    scratch.write("wrong.pyv", &wrong);
    let run = scratch.lustral(&["check", "--json", "wrong.pyv"]).expect(40);
    let verdict = &run.events("protocol")[0];
    assert_eq!(verdict["verdict"], "falsifiable");
    assert_eq!(verdict["sizes"], serde_json::json!([{ "sort": "node", "size": 2 }]));
    let states = verdict["execution"]["states"].as_array().unwrap();
    assert_eq!(states.len(), verdict["step"].as_u64().unwrap() as usize + 1);
    assert_eq!(states.last().unwrap()["tables"][0]["rows"].as_array().unwrap().len(), 2);
}

/// What was asked of one size is not said of all.
#[test]
fn a_size_is_named() {
    let scratch = Scratch::new();
    scratch.write("tokens.pyv", TOKENS);
    let run = scratch.lustral(&["check", "--size", "node=3", "tokens.pyv"]).expect(0);
    assert!(run.stdout.starts_with("holds       one  (with node = 3 only"), "{}", run.stdout);
    let run = scratch.lustral(&["check", "--json", "--size", "node=3", "tokens.pyv"]).expect(0);
    assert_eq!(run.events("protocol")[0]["verdict"], "holds_at_size");
    let run = scratch.lustral(&["check", "--size", "nodes=3", "tokens.pyv"]).expect(3);
    assert!(
        run.stderr.contains("there is no sort `nodes`: the sorts are `node`"),
        "{}",
        run.stderr
    );
    let run = scratch.lustral(&["check", "--size", "node=3,node=2", "tokens.pyv"]).expect(3);
    assert!(run.stderr.contains("says twice how many elements `node` has"), "{}", run.stderr);
    scratch.lustral(&["check", "--size", "node=0", "tokens.pyv"]).expect(2);
    scratch.lustral(&["check", "--size", "node=3", "a.lus"]).expect(2);
    scratch.lustral(&["check", "--compositional", "tokens.pyv"]).expect(2);
}

#[test]
fn stated_invariants_are_checked_and_used() {
    let scratch = Scratch::new();
    let wrong = format!(
        "{TOKENS}invariant [never] !token(X)\ninvariant [same] token(X) & token(Y) -> Y = X\n"
    );
    scratch.write("tokens.pyv", &wrong);
    let run = scratch.lustral(&["check", "--json", "tokens.pyv"]).expect(40);
    let mut words: Vec<(String, String)> = run
        .events("protocol")
        .iter()
        .map(|v| (v["property"].as_str().unwrap().into(), v["verdict"].as_str().unwrap().into()))
        .collect();
    words.sort();
    let expected = [("never", "falsifiable"), ("one", "valid"), ("same", "valid")];
    assert_eq!(words, expected.map(|(a, b)| (a.to_string(), b.to_string())));
    let run = scratch.lustral(&["check", "--stated-invariants", "off", "tokens.pyv"]).expect(0);
    assert!(run.stdout.contains("1 valid"), "{}", run.stdout);
}

#[test]
fn mistakes_have_places() {
    let scratch = Scratch::new();
    scratch.write("typo.pyv", TOKENS.replace("new(token(X)) <->", "new(tokn(X)) <->"));
    let run = scratch.lustral(&["check", "typo.pyv"]).expect(3);
    assert!(run.stderr.contains("typo.pyv:6:") && run.stderr.contains("tokn"), "{}", run.stderr);
    let forgotten = "safety [one]";
    scratch
        .write("cut.pyv", TOKENS.replace("safety [one] token(X) & token(Y) -> X = Y", forgotten));
    scratch.lustral(&["check", "cut.pyv"]).expect(3);
    scratch.write("none.pyv", "sort node\n");
    let run = scratch.lustral(&["check", "none.pyv"]).expect(0);
    assert!(run.stderr.contains("nothing to check"), "{}", run.stderr);
    scratch.lustral(&["check", "missing.pyv"]).expect(1);
}

/// Theorems and traces have verdicts, and a false one is an error as a false property is.
#[test]
fn theorems_and_traces_have_verdicts() {
    let scratch = Scratch::new();
    let right = format!(
        "{TOKENS}theorem [t] token(X) | !token(X)\nsat trace {{ assert init\n pass(*, *)\n any transition }}\n"
    );
    scratch.write("tokens.pyv", &right);
    let run = scratch.lustral(&["check", "tokens.pyv"]).expect(0);
    assert!(run.stdout.contains("valid       t  (for all sizes"), "{}", run.stdout);
    let possible = "possible    sat trace at line 9  (2 steps with node = 1";
    assert!(run.stdout.contains(possible), "{}", run.stdout);
    assert!(run.stdout.contains("  state 1: pass(node0, node0)\n"), "{}", run.stdout);
    let wrong = format!("{right}twostate theorem [stays] token(X) -> new(token(X))\n");
    scratch.write("tokens.pyv", wrong);
    let run = scratch.lustral(&["check", "tokens.pyv"]).expect(40);
    assert!(run.stdout.contains("falsifiable stays  (with node = 1"), "{}", run.stdout);
    assert!(run.stdout.contains("  state 1: another state\n"), "{}", run.stdout);
    assert!(!run.stdout.contains("taken"), "what is not of the protocol is not shown");
    let run = scratch.lustral(&["check", "--json", "tokens.pyv"]).expect(40);
    let about: Vec<String> = run
        .events("protocol")
        .iter()
        .map(|verdict| verdict["about"].as_str().unwrap_or("property").to_string())
        .collect();
    assert_eq!(about, ["theorem", "theorem", "trace", "property"]);
    let run = scratch.lustral(&["check", "--size", "node=2", "tokens.pyv"]).expect(0);
    let said = "2 theorems and 1 trace of the protocol are not checked: with --size";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

/// A proof can be written down, is complete as it stands, and is checked again from there.
#[test]
fn a_certificate_is_a_folder_of_scripts() {
    let scratch = Scratch::new();
    scratch.write("tokens.pyv", format!("{TOKENS}safety [one] token(X) & token(Y) -> Y = X\n"));
    let run = scratch.lustral(&["check", "--certificate", "proofs", "tokens.pyv"]).expect(0);
    // Two properties of one name have two folders.
    let folders = ["1-one", "2-one"].map(|name| format!("proofs/tokens.pyv/protocol/{name}"));
    for folder in &folders {
        assert!(run.stdout.contains(&format!("written to {folder}\n")), "{}", run.stdout);
    }
    let folder = scratch.path().join(&folders[0]);
    let text = std::fs::read_to_string(folder.join("kept-0-0.smt2")).unwrap();
    assert!(text.contains("(set-logic UF)") && text.ends_with("(check-sat)\n(exit)\n"), "{text}");
    let run = scratch.lustral(&["certify", "proofs"]).expect(0);
    assert_eq!(run.stdout.matches("accepted  one").count(), 2, "{}", run.stdout);
    assert!(run.stdout.contains("of the protocol in tokens.pyv as it is now"), "{}", run.stdout);
    if Solver::named("cvc5").is_ok_and(|solver| solver.is_there()) {
        let run = scratch.lustral(&["certify", "--solver", "cvc5", "proofs"]).expect(0);
        assert_eq!(run.stdout.matches("accepted  one").count(), 2, "{}", run.stdout);
        scratch.lustral(&["check", "--solver", "cvc5", "tokens.pyv"]).expect(0);
    }
    // A part that is left out is missed, and so is one that says something else.
    let manifest = folder.join("manifest.json");
    let whole = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, whole.replace("kept-0-0.smt2", "kept-0-9.smt2")).unwrap();
    let run = scratch.lustral(&["certify", "proofs"]).expect(1);
    assert!(run.stderr.contains("`kept-0-0.smt2` is missing"), "{}", run.stderr);
    std::fs::write(&manifest, whole).unwrap();
    std::fs::write(folder.join("kept-0-0.smt2"), text.replace("(assert", "(assert-not")).unwrap();
    let run = scratch.lustral(&["certify", "proofs"]).expect(1);
    assert!(run.stdout.contains("REJECTED  one"), "{}", run.stdout);
    // What no longer holds has no certificate.
    scratch.write("tokens.pyv", TOKENS.replace("X = m)", "token(X) | X = m)"));
    scratch.lustral(&["check", "--certificate", "proofs", "tokens.pyv"]).expect(40);
    assert!(!folder.exists());
}

/// What looks like a mistake is warned of, by lints.
#[test]
fn mistakes_that_have_a_meaning_are_warned_of() {
    let scratch = Scratch::new();
    let forgotten = TOKENS.replace("(new(token(X)) <-> X = m)", "(token(X) <-> token(X) & X != n)");
    scratch.write("dead.pyv", &forgotten);
    let run = scratch.lustral(&["check", "dead.pyv"]).expect(0);
    let said = &run.stderr;
    assert!(said.contains("`pass` is never possible: it contradicts itself"), "{said}");
    assert!(said.contains("warning[unconstrained]: `pass` modifies `token`"), "{said}");
    scratch.lustral(&["check", "--deny", "dead-transition", "dead.pyv"]).expect(3);
    let run = scratch
        .lustral(&["check", "--allow", "dead-transition,unconstrained", "dead.pyv"])
        .expect(0);
    assert_eq!(run.stderr, "");
    let run = scratch.lustral(&["simulate", "dead.pyv"]);
    assert!(run.stderr.contains("it is a protocol, which `lustral check`"), "{}", run.stderr);
}

/// A property of all states needs no invariant, and that is said.
#[test]
fn a_property_of_all_states_needs_no_invariant() {
    let scratch = Scratch::new();
    let text = TOKENS.replace(
        "safety [one] token(X) & token(Y) -> X = Y",
        "safety [every] token(X) | !token(X)",
    );
    scratch.write("any.pyv", &text);
    let run = scratch.lustral(&["check", "any.pyv"]).expect(0);
    assert!(
        run.stdout.contains("\n  of every state, whether it can be reached or not\n"),
        "{}",
        run.stdout
    );
}

/// Of large tables only what changes is shown again.
#[test]
fn large_tables_are_not_repeated() {
    let scratch = Scratch::new();
    let text = "sort node
mutable relation link(node, node)
init link(X, Y)
transition cut(n: node, m: node)
  modifies link
  link(n, m) & (new(link(X, Y)) <-> link(X, Y) & !(X = n & Y = m))
safety [some] link(X, X)
";
    scratch.write("links.pyv", text);
    let run = scratch.lustral(&["check", "--size", "node=4", "links.pyv"]).expect(40);
    assert!(run.stdout.contains("    link: gone {("), "{}", run.stdout);
    assert!(run.stdout.contains("}; 15 rows stay\n"), "{}", run.stdout);
}

#[test]
fn a_page_shows_executions_as_tables_and_arrows() {
    let scratch = Scratch::new();
    let ring = "sort node
immutable relation next(node, node)
mutable relation link(node, node)
init !link(X, Y)
transition join(n: node, m: node)
  modifies link
  n != m & (new(link(X, Y)) <-> link(X, Y) | X = n & Y = m)
safety [none] !link(X, Y)
safety [no_loop] !link(X, X)
";
    scratch.write("ring.pyv", ring);
    scratch.lustral(&["check", "--html", "page.html", "ring.pyv"]).expect(40);
    let page = std::fs::read_to_string(scratch.path().join("page.html")).expect("a page");
    assert!(page.contains("<h2><code>ring.pyv</code></h2>"), "{page}");
    assert!(page.contains("1 of 2 properties is falsifiable"), "{page}");
    assert!(page.contains("<summary>Execution, 2 states</summary>"), "{page}");
    // The state that is entered, what it changes, and that as a picture.
    assert!(page.contains("join(node"), "{page}");
    assert!(page.contains("<td class=\"changed\"><code>node"), "{page}");
    assert!(page.contains("aria-label=\"link as arrows\""), "{page}");
    assert!(page.contains("Inductive invariant, 1 formula"), "{page}");
}

#[test]
fn primal_dual_houdini_says_what_has_no_proof_of_its_width() {
    let scratch = Scratch::new();
    scratch.write("tokens.pyv", TOKENS);
    let run = scratch.lustral(&["check", "--engine", "pdh", "tokens.pyv"]).expect(0);
    assert!(run.stdout.starts_with("valid       one  (for all sizes"), "{}", run.stdout);
    let swap = "mutable relation p
mutable relation q
init p & q
transition swap()
  modifies p, q
  (new(p) <-> q) & (new(q) <-> p)
safety [both] p
";
    scratch.write("swap.pyv", swap);
    let run = scratch.lustral(&["check", "--engine", "pdh", "swap.pyv"]).expect(30);
    assert!(run.stdout.contains("not provable by steps of width 1"), "{}", run.stdout);
    let run = scratch.lustral(&["check", "--json", "--engine", "pdh", "swap.pyv"]).expect(30);
    assert_eq!(run.events("protocol")[0]["reason_code"], "unprovable");
    // Others prove it.
    scratch.lustral(&["check", "swap.pyv"]).expect(0);
}
