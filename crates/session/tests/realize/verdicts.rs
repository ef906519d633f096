//! Small contracts with their verdicts.

use lustral_session::report::{ConflictEvent, ContractOutcome};
use lustral_session::{Ending, Event, Remark};

use crate::{realize, verdict};

/// A node without a body, with some inputs, outputs and clauses.
fn imported(inputs: &str, outputs: &str, clauses: &str) -> String {
    format!("node imported main({inputs}) returns ({outputs});\ncon {clauses} noc\n")
}

fn word(inputs: &str, outputs: &str, clauses: &str) -> &'static str {
    verdict(&imported(inputs, outputs, clauses)).word()
}

#[test]
fn outputs_are_chosen_after_the_inputs_are_seen() {
    assert_eq!(word("x: int", "y: int", "guarantee y = x + 1;"), "realizable");
    // But not before the next ones are.
    let early = "guarantee true -> pre y = x;";
    assert_eq!(word("x: int", "y: int", early), "unrealizable");
    assert_eq!(word("x: bool", "y: bool", "guarantee true -> pre y = x;"), "unrealizable");
}

#[test]
fn integers_are_no_reals() {
    assert_eq!(word("x: int", "y: int", "guarantee 2 * y = x;"), "unrealizable");
    assert_eq!(word("x: real", "y: real", "guarantee 2.0 * y = x;"), "realizable");
    let half = "guarantee 2 * y <= x; guarantee x <= 2 * y + 1;";
    assert_eq!(word("x: int", "y: int", half), "realizable");
    let between = "assume a < b; guarantee a < y and y < b;";
    assert_eq!(word("a, b: int", "y: int", between), "unrealizable");
    assert_eq!(word("a, b: real", "y: real", between), "realizable");
}

#[test]
fn functions_choose_by_their_inputs() {
    let function = |clauses: &str| {
        let text = format!(
            "function imported main(x: int) returns (y: int; z: bool);\ncon {clauses} noc\n"
        );
        verdict(&text).word()
    };
    assert_eq!(function("guarantee y > x; guarantee z = (y > 0);"), "realizable");
    assert_eq!(function("guarantee 2 * y = x;"), "unrealizable");
    assert_eq!(function("assume x mod 2 = 0; guarantee 2 * y = x;"), "realizable");
    // What no output can be is not shown as a choice beside the play either.
    let text = "function imported main(x: int) returns (y: int); con guarantee 2 * y = x; noc";
    let found = verdict(text);
    let ContractOutcome::Unrealizable { play, .. } = found.outcome() else { panic!("{found:?}") };
    assert!(play.choices.is_empty(), "{:?}", play.choices);
}

#[test]
fn modes_bind_where_their_requirements_hold() {
    let modes = "mode up (require x > 0; ensure y > 0;); mode down (require x < 5; ensure y < 0;);";
    assert_eq!(word("x: int", "y: int", modes), "unrealizable");
    let apart = "mode up (require x > 0; ensure y > 0;); mode down (require x < 0; ensure y < 0;);";
    assert_eq!(word("x: int", "y: int", apart), "realizable");
}

#[test]
fn what_comes_later_counts() {
    // The stock may grow without a bound, but must not be empty after three steps of demand.
    let stock = "var s: int = y -> pre s + y - (if x then 1 else 0);
        guarantee 0 <= y and y <= 1; guarantee s >= 0; guarantee s <= 10;";
    assert_eq!(word("x: bool", "y: int", stock), "realizable");
    let slow = "var s: int = 3 -> pre s + y - (if x then 2 else 0);
        guarantee 0 <= y and y <= 1; guarantee s >= 0;";
    let found = verdict(&imported("x: bool", "y: int", slow));
    let ContractOutcome::Unrealizable { play, .. } = found.outcome() else { panic!("{found:?}") };
    // From 3, with 2 asked for and 1 given at each step, nothing is left at the fifth.
    assert_eq!(play.steps, 5, "{found:?}");
}

#[test]
fn first_values_are_not_chosen_by_the_system() {
    let open = "guarantee pre x => y; guarantee pre x => not y;";
    assert_eq!(word("x: bool", "y: bool", open), "unrealizable");
    let guarded = "guarantee y = (false -> pre x);";
    assert_eq!(word("x: bool", "y: bool", guarded), "realizable");
}

#[test]
fn guarantees_in_conflict_are_named() {
    let clauses =
        "guarantee \"low\" y < 3; guarantee \"odd\" y <> 7; guarantee \"high\" x => y > 5;";
    let found = verdict(&imported("x: bool", "y: int", clauses));
    let ContractOutcome::Unrealizable { conflict, .. } = found.outcome() else {
        panic!("{found:?}")
    };
    let guarantees = vec!["low".to_string(), "high".to_string()];
    assert_eq!(*conflict, Some(ConflictEvent { guarantees, minimal: true }));
}

#[test]
fn inputs_that_the_environment_does_not_choose() {
    let node = |chosen: &str| {
        format!(
            "node main(x, y, z: int) returns (ok: bool);\nlet\n  assert x < y - 1;\n  \
             ok = x < z and z < y;\n  --%PROPERTY ok;\n  --%REALIZABLE {chosen};\ntel\n"
        )
    };
    assert_eq!(verdict(&node("x, y")).word(), "realizable");
    assert_eq!(verdict(&node("x, y, z")).word(), "unrealizable");
    // The assertion binds the system, which chooses y here.
    assert_eq!(verdict(&node("x")).word(), "realizable");
    // It may not win by breaking it.
    let ranged = "node main(x, y: int) returns (ok: bool);\nlet\n  assert 0 <= y and y <= 3;\n  \
                  assert 0 <= x and x <= 4;\n  ok = y >= x;\n  --%PROPERTY ok;\n  --%REALIZABLE x;\ntel\n";
    let found = verdict(ranged);
    let ContractOutcome::Unrealizable { conflict, .. } = found.outcome() else {
        panic!("{found:?}")
    };
    let guarantees = vec!["assertion 1".to_string(), "ok".to_string()];
    assert_eq!(*conflict, Some(ConflictEvent { guarantees, minimal: true }));
}

#[test]
fn an_environment_that_cannot_begin_is_no_excuse() {
    let clauses = "assume x > 0; assume x < 0; guarantee y = x;";
    let found = verdict(&imported("x: int", "y: int", clauses));
    let ContractOutcome::Unknown { code, .. } = found.outcome() else { panic!("{found:?}") };
    assert_eq!(code, "vacuous");
}

#[test]
fn a_program_may_have_nothing_to_choose() {
    let events = realize("node main(x: int) returns (y: int); let y = x; tel");
    let [Event::Remark { remark, .. }, Event::Ended(Ending::Complete)] = &events[..] else {
        panic!("{events:?}")
    };
    assert!(matches!(remark, Remark::NothingToRealize { node: None }));
}

/// FRET writes contract nodes and no others: those that no contract imports are looked at.
#[test]
fn contract_nodes_by_themselves() {
    let events = realize(
        "contract part(x: int) returns (y: int); let guarantee y > x; tel
         contract all(x: int) returns (y: int); let import part(x) returns (y); guarantee y < x + 2; tel",
    );
    let words = events.iter().filter_map(|event| match event {
        Event::Contract(verdict) => Some((verdict.node.to_string(), verdict.word())),
        _ => None,
    });
    assert_eq!(words.collect::<Vec<_>>(), [("all".to_string(), "realizable")]);
}

/// What a node with a body chooses is asked for too: whatever the inputs are, and whatever was chosen
/// before, there must be a value to choose.
#[test]
fn values_that_are_chosen() {
    let node =
        |body: &str| format!("node main(x: int) returns (y: int);\nvar z: int;\nlet {body} tel\n");
    let known = |body: &str| {
        let found = verdict(&node(body));
        match found.outcome() {
            ContractOutcome::Unknown { code, .. } => code.clone(),
            _ => found.word().to_string(),
        }
    };
    let one = "z = 0; y = any { v: int | x < v and v < x + 2 };";
    assert_eq!(known(one), "realizable");
    let none = "z = 0; y = any { v: int | x < v and v < x + 1 };";
    assert_eq!(known(none), "unrealizable");
    // The environment keeps to what is asserted; that the node claims something is not asked here.
    let between = "z = 0; y = any { v: int | 0 <= v and v < x };";
    assert_eq!(known(between), "unrealizable");
    assert_eq!(known(&format!("assert x > 0; {between} check y > 5;")), "realizable");
    // What was chosen may leave nothing to choose: unless it is chosen with foresight.
    let later = "z = 0 -> pre y; y = any { v: int | 0 <= v and v <= 3 and (true -> v > z) };";
    assert_eq!(known(later), "unrealizable");
    let ahead = "z = 0 -> pre y; y = any { v: int | 0 <= v and v <= 3 and (true -> v >= z) };";
    assert_eq!(known(ahead), "realizable");
    // Who would keep an assertion about what is chosen?
    assert_eq!(
        known("z = any { v: int | v > x }; y = z; assert z < 10;"),
        "assumption_about_outputs"
    );
}

/// Where inputs are multiplied, the environment's choices of some of them make the rest linear.
#[test]
fn products_of_inputs() {
    let sum = "assume t > 0.0; guarantee \"sum\" y = (x -> t * (x + pre x) + pre y);";
    assert_eq!(word("t, x: real", "y: real", sum), "realizable");
    let bounded = format!("{sum} assume low <= high; guarantee true -> low <= y and y <= high;");
    assert_eq!(word("t, x, low, high: real", "y: real", &bounded), "unrealizable");
}
