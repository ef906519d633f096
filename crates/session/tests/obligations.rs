//! What tests shall reach, and tests that do.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::time::Duration;

use lustral_session::report::Outcome;
use lustral_session::{
    Analysed, Asking, Check, CheckOptions, EngineChoice, Event, Inputs, NoFiles, Request,
    SearchOptions, Seen, Selection, SimulateOptions, Test, asking, cover, simulate,
};
use lustral_testing::{Failure, Parentheses, Profile, each_program};

struct Found {
    asking: Asking,
    asked: Analysed,
    tests: Vec<Test>,
    unreachable: BTreeSet<usize>,
}

fn find(text: &str) -> Option<Found> {
    let request = Request::text("a.lus", text);
    let original = request.analyse(&NoFiles).unwrap();
    let asking = asking(&request, &NoFiles).ok()?;
    let asked = asking.request().analyse(&NoFiles).unwrap();
    let engines = ["bmc", "k-induction"].map(|name| EngineChoice::named(name).unwrap());
    let options = CheckOptions {
        selection: Selection { nodes: vec!["main".into()], ..Selection::default() },
        search: SearchOptions { engines: engines.to_vec(), ..SearchOptions::default() },
        time: Some(Duration::from_secs(1)),
        ..CheckOptions::default()
    };
    let (mut executions, mut unreachable, mut others) =
        (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for event in Check::new(asking.request(), options) {
        let Event::Verdict(verdict) = event else { continue };
        let Some(number) = asking.number(&verdict.property) else { continue };
        match verdict.outcome() {
            Outcome::Valid { .. } => unreachable.insert(number),
            Outcome::Falsifiable { trace, .. } => {
                executions.push(trace.clone());
                others.insert(number)
            }
            Outcome::Unknown { .. } => others.insert(number),
        };
    }
    let unreachable = &unreachable - &others;
    let (tests, complete) = cover(&asking, &asked, &original, "main", &executions, &|| false);
    assert!(complete);
    Some(Found { asking, asked, tests, unreachable })
}

/// Tests reach these, and nothing reaches those.
#[track_caller]
fn expect(text: &str, reached: &[&str], unreachable: &[&str]) {
    let found = find(text).unwrap();
    let name = |i: &usize| {
        let obligation = &found.asking.obligations[*i];
        format!("{}: {} {}", obligation.line, obligation.kind.word(), obligation.text)
    };
    let by_tests: BTreeSet<usize> =
        found.tests.iter().flat_map(|test| &test.reached).map(|(i, _)| *i).collect();
    let mut names: Vec<String> = by_tests.iter().map(name).collect();
    names.sort();
    assert_eq!(names, reached);
    let mut names: Vec<String> = found.unreachable.iter().map(name).collect();
    names.sort();
    assert_eq!(names, unreachable);
}

#[test]
fn branches_on_the_way_to_them() {
    // The inner condition counts only where the outer one fails; what stands right of `->` is not
    // reached at the first step.
    expect(
        "node main(a: bool) returns (y: int);
let
  y = 0 -> if a then 1 else if a then 2 else 3;
tel",
        &["3: branch `a` is false", "3: branch `a` is false", "3: branch `a` is true"],
        &["3: branch `a` is true"],
    );
    expect(
        "node main(a: bool) returns (y: int);
let
  y = (if true -> false then 1 else 2) -> 3;
tel",
        &["3: branch `true -> false` is true"],
        &["3: branch `true -> false` is false"],
    );
}

#[test]
fn conditions_that_decide_alone() {
    expect(
        "node main(a, b: bool) returns (y: bool);
let
  y = a and (a or b);
tel",
        &[
            "3: mcdc `a` is false and decides about `a and (a or b)`",
            "3: mcdc `a` is true and decides about `a and (a or b)`",
            "3: mcdc `a` is true and decides about `a and (a or b)`",
        ],
        &[
            // `b` would have to decide where `a` is true, and then `a or b` is.
            "3: mcdc `a` is false and decides about `a and (a or b)`",
            "3: mcdc `b` is false and decides about `a and (a or b)`",
            "3: mcdc `b` is true and decides about `a and (a or b)`",
        ],
    );
}

#[test]
fn states_transitions_and_modes() {
    expect(
        "node main(a: bool) returns (y: int);
con mode on (require a; ensure true;); mode never (require a and not a; ensure true;); noc
let
  automaton
    state A do y = 0; until a then B;
    state B do y = 1; until y > 1 then A;
  end
tel",
        &["2: mode `on`", "5: state `A`", "5: transition from `A` to `B` by `a`", "6: state `B`"],
        &["2: mode `never`", "6: transition from `B` to `A` by `y > 1`"],
    );
}

#[test]
fn few_tests_that_satisfy_the_assertions() {
    let text = "node main(a, b: bool) returns (y: int);
let
  y = if a then 1 else if b then 2 else 3;
  assert not (a and b);
tel";
    let found = find(text).unwrap();
    assert_eq!(found.unreachable.len(), 0);
    // One execution has all four; each condition by itself has one of a single step.
    assert_eq!(found.tests.len(), 1, "{:?}", found.tests);
    assert_eq!(found.tests[0].reached.len(), 4);
    assert!(found.tests[0].csv.starts_with("step,a,b,y\n0,"), "{}", found.tests[0].csv);
}

/// What is said to be unreachable is not reached in random runs.
/// An input whose clock is false has no value to be written, and the step is reached all the same.
#[test]
fn inputs_on_clocks() {
    let text = "\
node main(c: bool; x: int when c) returns (z: int)
let
  z = merge c (true -> x) (false -> 0);
tel
";
    expect(text, &["3: branch `c` is false, of `merge`", "3: branch `c` is true, of `merge`"], &[]);
}

#[test]
fn random_programs() {
    each_program("obligations", 12, Profile::mixed, |program, _seed| {
        let Some(found) = find(&program.text(Parentheses::Needed)) else { return Ok(()) };
        for seed in 0..20 {
            let options = SimulateOptions {
                node: Some("main".into()),
                inputs: Inputs::Random { seed },
                ..SimulateOptions::default()
            };
            let Ok(run) = simulate(&found.asked, &options) else { continue };
            for seen in run.seen {
                if let Seen::Reached { name, .. } = &seen
                    && let Some(number) = found.asking.number(name)
                    && found.unreachable.contains(&number)
                {
                    let what = &found.asking.obligations[number].text;
                    return Err(Failure::new("it is reached", what));
                }
            }
        }
        Ok(())
    });
}
