//! `lustral check` on protocols (`.pyv`).

use std::path::Path;

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
    scratch.lustral(&["check", "--size", "node=0", "tokens.pyv"]).expect(2);
    scratch.lustral(&["check", "--size", "node=3", "a.lus"]).expect(2);
    scratch.lustral(&["check", "--html", "page.html", "tokens.pyv"]).expect(2);
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

/// Theorems and traces are read; that nobody looks at them is said.
#[test]
fn what_is_not_checked_is_said() {
    let scratch = Scratch::new();
    scratch.write("tokens.pyv", format!("{TOKENS}onestate theorem [t] token(X) | !token(X)\n"));
    let run = scratch.lustral(&["check", "tokens.pyv"]).expect(0);
    assert!(run.stderr.contains("1 theorem of the protocol is not checked"), "{}", run.stderr);
}

/// A proof can be written down, and is complete as it stands.
#[test]
fn a_certificate_is_a_folder_of_scripts() {
    let scratch = Scratch::new();
    scratch.write("tokens.pyv", TOKENS);
    let run = scratch.lustral(&["check", "--certificate", "proofs", "tokens.pyv"]).expect(0);
    assert!(run.stdout.contains("certificate written to proofs/tokens/one"), "{}", run.stdout);
    let folder = scratch.path().join("proofs/tokens/one");
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name()).collect();
    names.sort();
    // It holds at first, it is kept, and it is the property.
    assert_eq!(names, ["000.smt2", "001.smt2", "002.smt2"]);
    for name in names {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(text.contains("(set-logic UF)") && text.ends_with("(check-sat)\n"), "{text}");
    }
}
