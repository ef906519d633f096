//! `lustral realize`.

use std::path::Path;

use crate::common::{Scratch, lustral};

/// An example, by its name in the folder.
fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/realizability");
    folder.join(name).display().to_string()
}

#[test]
fn the_heater_is_unrealizable_until_it_is_repaired() {
    let found = lustral(&["realize", &example("heater.lus")]).expect(40);
    assert!(found.stdout.starts_with("unrealizable heater  (no outputs are right at step 1"));
    assert!(found.stdout.contains("cannot be kept together: R1, R2, R3\n"), "{}", found.stdout);
    let found = lustral(&["realize", &example("heater-repaired.lus")]).expect(0);
    assert!(found.stdout.starts_with("realizable   heater  ("), "{}", found.stdout);
}

#[test]
fn verdicts_are_lines() {
    let scratch = Scratch::new();
    let text = "node imported f(x: int) returns (y: int);\ncon guarantee y > x; noc\n\
                node imported g(x: bool) returns (y: bool);\n\
                con guarantee \"one\" y = x; guarantee \"two\" not y; noc\n\
                node imported h(x: int) returns (y: int);\n\
                con assume x > 0 and x < 0; guarantee y = x; noc\n";
    scratch.write("contracts.lus", text);
    let run = scratch.lustral(&["realize", "--json", "contracts.lus"]).expect(40);
    let lines = run.json();
    let words: Vec<_> = lines.iter().map(|line| line["verdict"].as_str().unwrap()).collect();
    assert_eq!(words, ["realizable", "unrealizable", "unknown"]);
    assert_eq!(lines[1]["conflict"]["guarantees"], serde_json::json!(["one", "two"]));
    assert_eq!(lines[1]["step"], 0);
    assert_eq!(lines[2]["reason_code"], "vacuous");
    scratch.lustral(&["realize", "contracts.lus", "--node", "f"]).expect(0);
    scratch.lustral(&["realize", "contracts.lus", "--node", "h"]).expect(30);
    scratch.lustral(&["realize", "contracts.lus", "--node", "k"]).expect(3);
}

/// The contract of a node that has a body, and contract nodes by themselves.
#[test]
fn contracts_by_themselves() {
    let scratch = Scratch::new();
    let text = "contract spec(const K: int; x: int) returns (y: int);
let assume K > 0; guarantee \"up\" y > x; guarantee \"down\" y < x + K; tel
node helper(x: int) returns (y: int);
con guarantee \"no\" y > x and y < x; noc
let y = x; tel
node good(x: int) returns (y: int);
con guarantee \"next\" y > helper(x); noc
let y = x - 1; tel
";
    scratch.write("p.lus", text);
    let one = |name: &str, code: i32, word: &str| {
        let run = scratch.lustral(&["realize", "p.lus", "--node", name, "--json"]).expect(code);
        let lines = run.events("verdict");
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0]["verdict"], word, "{lines:?}");
        assert_eq!(lines[0]["node"], name, "{lines:?}");
    };
    // The helper of the contract keeps its body: what is asked of it does not count.
    one("good", 0, "realizable");
    one("helper", 40, "unrealizable");
    one("spec", 40, "unrealizable");
    let both = ["realize", "p.lus", "--node", "good", "--node", "helper", "--json"];
    let words: Vec<_> = scratch.lustral(&both).expect(40).events("verdict");
    let words: Vec<_> = words.iter().map(|line| line["verdict"].as_str().unwrap()).collect();
    assert_eq!(words, ["realizable", "unrealizable"]);
    // Without a name, and without a node that has no body: all that have a contract.
    let run = scratch.lustral(&["realize", "p.lus", "--json"]).expect(40);
    assert_eq!(run.events("verdict").len(), 2);
    let run = scratch.lustral(&["realize", "p.lus", "--node", "good", "--strategy", "n"]).expect(0);
    assert!(run.stdout.contains("only a node without a body gets one"), "{}", run.stdout);
}

#[test]
fn what_is_wrong_is_said() {
    let scratch = Scratch::new();
    let text = "node imported f(x: int) returns (y: int);\ncon guarantee y > z; noc\n";
    scratch.write("wrong.lus", text);
    scratch.lustral(&["realize", "wrong.lus"]).expect(3);
    let text = "node f(x: int) returns (y: int); let y = x; --%REALIZABLE z;\ntel\n";
    scratch.write("unknown-input.lus", text);
    let run = scratch.lustral(&["realize", "unknown-input.lus"]).expect(3);
    assert!(run.stderr.contains("there is no flow `z`"), "{}", run.stderr);
    let text = "node f(x: int) returns (y: int); let y = x; --%REALIZABLE y;\ntel\n";
    scratch.write("output.lus", text);
    let run = scratch.lustral(&["realize", "output.lus"]).expect(3);
    assert!(run.stderr.contains("`y` is no input of the node"), "{}", run.stderr);
}

/// What is written passes a check of its own; what cannot be written is said.
#[test]
fn strategies_are_nodes() {
    let scratch = Scratch::new();
    let repaired = example("heater-repaired.lus");
    scratch.lustral(&["realize", &repaired, "--strategy", "nodes"]).expect(0);
    let run = scratch.lustral(&["check", "nodes/heater.lus"]).expect(0);
    assert!(run.stdout.contains("4 valid"), "{}", run.stdout);
    let text = "node imported f(x: bool) returns (y: bool);\ncon guarantee y = pre x; noc\n\
                node imported g(x: bool) returns (y: bool);\ncon guarantee y and not y; noc\n";
    scratch.write("contracts.lus", text);
    let run = scratch.lustral(&["realize", "contracts.lus", "--strategy", "others"]).expect(40);
    let why = "the strategy depends on the first value of a `pre`";
    assert!(run.stdout.contains(why), "{}", run.stdout);
    assert!(!scratch.path().join("others").exists());
    let run = scratch.lustral(&["realize", &repaired, "--strategy", "nodes", "--json"]).expect(0);
    let lines = run.json();
    let text = lines[0]["node_with_body"].as_str().unwrap();
    assert!(text.contains("node heater(") && text.contains("heat = "), "{text}");
    // Nodes of two programs may have one name.
    let simple = "node imported f(x: int) returns (y: int);\ncon guarantee y > x; noc\n";
    for name in ["one.lus", "two.lus"] {
        scratch.write(name, simple);
    }
    let both = ["realize", "one.lus", "two.lus", "--strategy", "both"];
    let run = scratch.lustral(&both).expect(0);
    for name in ["both/one_lus/f.lus", "both/two_lus/f.lus"] {
        assert!(run.stdout.contains(&format!("written to {name}")), "{}", run.stdout);
        scratch.lustral(&["check", name]).expect(0);
    }
    // A folder that cannot be made.
    scratch.write("file", "");
    let run = scratch.lustral(&["realize", &repaired, "--strategy", "file/nodes"]).expect(1);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
}
