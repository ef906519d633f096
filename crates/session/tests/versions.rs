//! Two versions of a node, compared.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lustral_session::report::Outcome;
use lustral_session::{
    Analysed, Check, CheckOptions, EngineChoice, Event, Incomparable, Inputs, NoFiles, Pair,
    Product, Replayed, Request, SearchOptions, Selection, SimulateOptions, Simulated, Version,
    product, replay, simulate,
};
use lustral_testing::{Failure, Parentheses, Profile, each_program};

struct Program {
    request: Request,
    analysed: Analysed,
}

impl Program {
    fn new(text: &str) -> Program {
        let request = Request::text("a.lus", text);
        let analysed = request.analyse(&NoFiles).unwrap();
        Program { request, analysed }
    }

    fn version(&self) -> Version<'_> {
        Version { request: &self.request, analysed: &self.analysed, node: Some("main") }
    }
}

/// What is known of each output, and what a replay gives.
fn compare(old: &Program, new: &Program) -> Result<Vec<(String, &'static str)>, Incomparable> {
    let product = product(&old.version(), &new.version(), &NoFiles)?;
    let mut found = Vec::new();
    for (output, outcome) in outcomes(&product) {
        let word = match outcome {
            Outcome::Valid { .. } => "equivalent",
            Outcome::Unknown { .. } => "unknown",
            Outcome::Falsifiable { trace, .. } => {
                match replay(&product, &old.version(), &new.version(), &trace) {
                    Replayed::Differ => "different",
                    Replayed::Open => "open",
                    Replayed::Otherwise(_) => "wrong",
                }
            }
        };
        found.push((output, word));
    }
    found.sort();
    Ok(found)
}

fn outcomes(product: &Product) -> Vec<(String, Outcome)> {
    let engines = ["bmc", "k-induction", "sorcar"].map(|name| EngineChoice::named(name).unwrap());
    let options = CheckOptions {
        selection: Selection {
            nodes: vec![product.node.clone()],
            called_nodes: false,
            ..Selection::default()
        },
        search: SearchOptions { engines: engines.to_vec(), ..SearchOptions::default() },
        time: Some(Duration::from_secs(1)),
        ..CheckOptions::default()
    };
    let check = Check::new(product.request(), options);
    let is_output = |name: &str| product.outputs.iter().any(|pair: &Pair| pair.name == name);
    let verdicts = check.filter_map(|event| match event {
        Event::Verdict(verdict) => Some((verdict.property.clone(), verdict.outcome().clone())),
        _ => None,
    });
    verdicts.filter(|(name, _)| is_output(name)).collect()
}

#[track_caller]
fn expect(old: &str, new: &str, words: &[&str]) {
    let found = compare(&Program::new(old), &Program::new(new)).unwrap();
    let found: Vec<&str> = found.iter().map(|(_, word)| *word).collect();
    assert_eq!(found, words);
}

#[track_caller]
fn expect_refused(old: &str, new: &str, message: &str) {
    let error = compare(&Program::new(old), &Program::new(new)).unwrap_err();
    assert_eq!(error.to_string(), message);
}

const OLD: &str = "
const limit = 3;
node sum(x: int) returns (y: int); let y = x + (0 -> pre y); tel
node main(x: int) returns (n: int; over: bool);
var s: int;
let
  s = sum(if x > 0 then 1 else 0);
  n = if s > 7 then 7 else s;
  over = s > limit;
tel";

#[test]
fn versions_agree_or_differ() {
    expect(OLD, OLD, &["equivalent", "equivalent"]);
    // Names of the two that mean different things, flows in another order.
    let other = OLD.replace("limit = 3", "limit = 4").replace("s > limit", "s >= limit");
    expect(OLD, &other, &["equivalent", "equivalent"]);
    // The sum of the old version is not that of the new one.
    let wrong = OLD.replace("x + (0 -> pre y)", "x + (1 -> pre y)");
    expect(OLD, &wrong, &["different", "different"]);
    let swapped = OLD.replace("(n: int; over: bool)", "(over: bool; n: int)");
    expect(OLD, &swapped, &["equivalent", "equivalent"]);
    // Inputs in another order are matched by name.
    let two = "node main(a: int; b: int) returns (y: int); let y = a - b; tel";
    expect(two, "node main(b: int; a: int) returns (y: int); let y = a - b; tel", &["equivalent"]);
    expect(two, "node main(b: int; a: int) returns (y: int); let y = b - a; tel", &["different"]);
}

#[test]
fn functions_without_a_body_are_the_same_and_nodes_need_not_agree() {
    let function = "function imported f(x: int) returns (y: int);
        node main(x: int) returns (y: int); let y = f(x); tel";
    expect(function, &function.replace("f(x); tel", "f(x + 1 - 1); tel"), &["equivalent"]);
    let node = "node imported f(x: int) returns (y: int); con guarantee true; noc
        node main(x: int) returns (y: int); let y = f(x); tel";
    expect(node, node, &["open"]);
    let first = "node main(x: int) returns (y: int); let y = pre x; tel";
    expect(first, first, &["open"]);
}

#[test]
fn assumptions_of_the_old_version_count() {
    let old = "node main(x: int) returns (y: int); con assume x > 0; noc let y = x; tel";
    let new = "node main(x: int) returns (y: int); let y = if x > 0 then x else 7; tel";
    expect(old, new, &["equivalent"]);
    expect(new, old, &["different"]);
}

#[test]
fn what_cannot_be_compared() {
    let old = "node main(x: int) returns (y: int); let y = x; tel";
    expect_refused(
        old,
        "node main(x: int; z: bool) returns (y: int); let y = x; tel",
        "the versions have different inputs: (x: int) and (x: int; z: bool)",
    );
    let clocked = "node main(c: bool; x: int when c) returns (y: bool); let y = c; tel";
    expect_refused(
        clocked,
        clocked,
        "the old version: node `main` has inputs or outputs on clocks, which are not compared yet: \
         compare a node that calls it",
    );
    // The enumerations have one name, and are two.
    let red = "type c = enum { red, green }; node main(x: c) returns (y: c); let y = x; tel";
    let error = compare(&Program::new(red), &Program::new(&red.replace("green", "blue")));
    assert!(matches!(error, Err(Incomparable::Rejected(_))), "{error:?}");
}

/// A constant without a value is the same in both, and given to the runs that confirm a difference.
#[test]
fn constants_without_a_value_are_given_to_both() {
    let of = |operator: &str| {
        let node = format!("node main(x: int) returns (y: int); let y = x {operator}; tel");
        Program::new(&format!("const C: int;\n{node}"))
    };
    let found = |old: &str, new: &str| compare(&of(old), &of(new)).unwrap();
    assert_eq!(found("+ C", "- C"), [("y".to_string(), "different")]);
    assert_eq!(found("+ C", "+ 1"), [("y".to_string(), "different")]);
    assert_eq!(found("+ C", "+ C"), [("y".to_string(), "equivalent")]);
}

/// A run with random inputs: its outputs, unless something in it was left open.
fn run(program: &Program, seed: u64) -> Option<Vec<String>> {
    let options = SimulateOptions {
        node: Some("main".into()),
        inputs: Inputs::Random { seed },
        ..SimulateOptions::default()
    };
    let Simulated { execution, seen } = simulate(&program.analysed, &options).ok()?;
    let mut shown: Vec<String> = execution.instances[0]
        .streams
        .iter()
        .filter(|row| row.role.word() == "output")
        .map(|row| format!("{}: {:?}", row.name, row.values))
        .collect();
    shown.sort();
    seen.is_empty().then_some(shown)
}

/// A program and the same with one operator changed: executions are those of both versions, and what
/// is proved is seen in random runs.
#[test]
fn random_changes() {
    each_program("versions", 12, Profile::mixed, |program, seed| {
        let text = program.text(Parentheses::Needed);
        let old = Program::new(&text);
        let changes = [(" and ", " or "), (" + ", " - "), (" < ", " <= "), ("", "")];
        let (from, to) = changes[(seed % 4) as usize];
        let new = Program::new(&text.replacen(from, to, 1));
        if old.analysed.diagnostics.has_errors() || new.analysed.diagnostics.has_errors() {
            return Ok(());
        }
        let Ok(found) = compare(&old, &new) else { return Ok(()) };
        if let Some(wrong) = found.iter().find(|(_, word)| *word == "wrong") {
            return Err(Failure::new("the execution is none of the versions", &wrong.0));
        }
        if found.iter().all(|(_, word)| *word == "equivalent") {
            for seed in 0..5 {
                let (Some(a), Some(b)) = (run(&old, seed), run(&new, seed)) else { continue };
                if a != b {
                    return Err(Failure::new("they differ", format!("{a:?} {b:?}")));
                }
            }
        }
        Ok(())
    });
}
