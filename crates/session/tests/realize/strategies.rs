//! Strategies as nodes. That they keep their contracts was checked before they are shown; here
//! it is seen that they are shown at all, and what they look like.

use lustral_session::report::ContractOutcome;

use crate::verdict;

/// The program with a body for the one node without one.
fn strategy(text: &str) -> String {
    let found = verdict(text);
    match found.outcome() {
        ContractOutcome::Realizable { node: Some(text), .. } => text.clone(),
        _ => panic!("{found:?}\n{text}"),
    }
}

#[test]
fn a_body_takes_the_place_of_none() {
    let text = "-- before\nnode imported f(x: int) returns (y: int);\n\
                con guarantee y = x + 1; noc\n-- after\n";
    let expected = "-- before\nnode f(x: int) returns (y: int);\n\
                    con guarantee y = x + 1; noc\nlet\n  y = 1 + x;\ntel\n-- after\n";
    assert_eq!(strategy(text), expected);
    let empty = "node f(x: int) returns (y: int);\n(*@contract guarantee y = x + 1; *)\nlet\ntel";
    let found = strategy(empty);
    assert!(found.contains("*)\nlet\n") && found.contains("  y = 1 + x;\ntel"), "{found}");
}

#[test]
fn what_the_contract_remembers_is_remembered() {
    let text = "node imported f(x: bool) returns (y: int);
        con var n: int = 0 -> pre n + (if x then 1 else 0); guarantee y = 2 * n; noc";
    let found = strategy(text);
    assert!(found.contains("-> pre "), "{found}");
    // The stock is never empty: the region matters.
    let text = "node imported f(x: bool) returns (y: int);
        con var s: int = y -> pre s + y - (if x then 1 else 0);
        guarantee 0 <= y and y <= 1; guarantee s >= 0; guarantee s <= 10; noc";
    strategy(text);
}

#[test]
fn outputs_of_all_types() {
    let text = "type pair = struct { a: int; b: bool };
        type color = enum { red, green };
        node imported f(x: int; r: real) returns (p: pair; v: int^2; c: color; z: real; m: uint8);
        con
          guarantee p.a > x and (p.b = (x > 0));
          guarantee v[0] + v[1] = x;
          guarantee (c = red) => z > r;
          guarantee (c = green) = (x > 0 -> pre (c = red));
          guarantee m = ((uint8 3) -> pre m);
        noc";
    let found = strategy(text);
    assert!(found.contains("p = pair { a = ") && found.contains("v = ["), "{found}");
}

#[test]
fn functions_and_modes() {
    let text = "function imported f(x: int) returns (y: int);
        con assume x > 0; guarantee y > x and y < x + 2; noc";
    assert!(strategy(text).contains("function f(x: int)"));
    // That some mode applies is not for the node to see to.
    let text = "node imported f(x: int) returns (y: int);
        con mode up (require x > 0; ensure y > x;); mode down (require x < 0; ensure y < x;); noc";
    strategy(text);
}
