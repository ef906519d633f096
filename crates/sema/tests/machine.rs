//! Machine integers: what is accepted, what is refused and how, and values by the
//! interpreter.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;
use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceId, InstanceTree, NodeId, StreamId};

/// A node with inputs of several types that defines one flow.
fn node(ty: &str, expr: &str) -> String {
    format!(
        "node f(a, b: uint8; s: int8; w: uint16; n: int; r: real; p: bool) returns (y: {ty});\n\
         let\ny = {expr};\ntel\n"
    )
}

/// What the interpreter makes of an expression where all inputs are zero.
fn value(ty: &str, expr: &str) -> String {
    let text = format!("node f() returns (y: {ty});\nlet\ny = {expr};\ntel\n");
    let checked = check_text(&text);
    assert!(checked.errors.is_empty(), "{text}\n{checked}");
    let program = checked.analysis.program();
    let tree = InstanceTree::new(program, NodeId(0)).unwrap();
    let mut machine = Machine::new(program, &tree);
    machine.step(&[], &mut Zeros);
    machine.value(InstanceId(0), StreamId(0), 0).unwrap().to_string()
}

#[test]
fn expressions_have_their_values() {
    for (ty, expr, expected) in [
        ("uint8", "uint8 300", "44"),
        ("int8", "int8 -129", "127"),
        ("uint8", "uint8 200 + 100", "44"),
        ("uint8", "(uint8 200) + (uint8 100)", "44"),
        ("int", "int (int8 200) + 1", "-55"),
        ("int8", "-(int8 -128)", "-128"),
        ("uint8", "!(uint8 1)", "254"),
        ("int8", "!(int8 1)", "-2"),
        ("int8", "(int8 -7) / (int8 2)", "-3"),
        ("int8", "(int8 -7) mod (int8 2)", "-1"),
        ("int8", "(int8 -7) rsh (uint8 1)", "-4"),
        ("uint8", "(uint8 1) + (uint8 6) && (uint8 3)", "3"),
        ("uint8", "(uint8 4) || (uint8 1) lsh (uint8 1)", "6"),
        ("uint<12>", "(uint@<4> 10) ++ (uint8 255)", "2815"),
        ("uint<3>", "(uint8 180)[6:4]", "3"),
        ("int16", "int16 (int8 -1)", "-1"),
        ("uint16", "uint16 (uint8 255)", "255"),
        ("uint8", "uint8 if true then 7 else 8", "7"),
        ("bool", "(int8 -1) < (int8 1)", "true"),
        ("bool", "(uint8 -1) < (uint8 1)", "false"),
        ("bool", "forall (k: uint<3>) k <= (uint@<3> 7)", "true"),
        ("bool", "exists (k: uint16) k < (uint16 9) and k * k = (uint16 64)", "true"),
        ("sint<70>", "(sint@<70> 2) * (sint@<70> 590295810358705651711)", "-2"),
    ] {
        assert_eq!(value(ty, expr), expected, "{expr}");
    }
}

#[test]
fn mistakes_have_one_message_at_their_place() {
    for (ty, expr, code, message) in [
        ("uint8", "a + w", "type", "the sides of `+` have different types"),
        ("uint8", "a + 1", "type", "the sides of `+` have different types"),
        ("uint8", "a div s", "type", "the sides of `div` have different types"),
        ("uint8", "uint8 s", "type", "`uint8` does not convert from int8"),
        ("uint8", "uint8 r", "type", "`uint8` takes an int, this is a real"),
        ("uint8", "uint8 p", "type", "`uint8` takes an int, this is a bool"),
        ("bool", "uint8 n = a", "type", "`uint8` converts all that follows, also the `=`"),
        ("bool", "p && p", "type", "`&&` takes machine integers, this begins with bool"),
        ("bool", "!p", "type", "`!` takes machine integers, this is bool"),
        ("uint8", "a && n", "type", "`&&` takes machine integers, this is int"),
        ("uint8", "a lsh w", "type", "a shift of uint8 takes an uint8, this is an uint16"),
        ("int8", "s lsh s", "type", "a shift of int8 takes an uint8, this is an int8"),
        (
            "uint<4>",
            "s[3:0]",
            "type",
            "`[…:…]` takes machine integers without a sign, this is int8",
        ),
        ("uint<4>", "a[8:5]", "index", "the number of a bit is a constant from 0 to 7"),
        ("uint<4>", "a[n:5]", "index", "the number of a bit is a constant from 0 to 7"),
        ("uint<4>", "a[3:5]", "index", "there are no bits from 3 down to 5"),
        ("real", "real a", "type", "`real` takes an int, this is an uint8"),
        ("uint<0>", "a", "type", "a machine integer has 1 to 4096 bits"),
        ("uint8", "uint@<4097> n", "type", "a machine integer has 1 to 4096 bits"),
        (
            "bool",
            "forall (k: uint32) k + k = k",
            "unsupported",
            "quantifiers over unboundedly many values in this place are not supported yet",
        ),
    ] {
        let checked = check_text(&node(ty, expr));
        let found: Vec<_> = checked.errors.iter().map(|e| (e.code, &*e.message)).collect();
        assert_eq!(found, [(code, message)], "{expr}");
    }
}

#[test]
fn numbers_that_wrap_around_are_warned_of() {
    let codes = |expr: &str| -> Vec<&'static str> {
        let checked = check_text(&node("uint8", expr));
        assert!(checked.errors.is_empty(), "{expr}\n{checked}");
        checked.warnings.into_iter().map(|warning| warning.code).collect()
    };
    assert_eq!(codes("uint8 255"), [""; 0]);
    assert_eq!(codes("uint8 256"), ["overflow"]);
    assert_eq!(codes("uint8 -1"), ["overflow"]);
    assert_eq!(codes("uint8 n"), [""; 0]);
    assert_eq!(codes("a div (uint8 0)"), ["division-by-zero"]);
    assert_eq!(codes("a div (uint8 256)"), ["division-by-zero", "overflow"]);
}

/// The names of the types are no keywords.
#[test]
fn programs_may_have_the_names_for_other_things() {
    let ours = "type int8 = subrange [0, 9] of int;\nnode f(uint8: int8) returns (lsh: int);\n\
                let lsh = uint8 + 1; tel\n";
    let checked = check_text(ours);
    assert!(checked.errors.is_empty(), "{checked}");
}

/// However many conversions stand before a divisor, its value is known and nothing is too deep.
#[test]
fn a_divisor_behind_many_conversions() {
    let conversions = "uint8 ".repeat(20_000);
    let text = format!(
        "node main(x: uint8) returns (y: uint8);\nlet\n  y = x div ({conversions}3);\ntel\n"
    );
    let checked = check_text(&text);
    assert!(checked.errors.is_empty(), "{}", checked.errors.len());
}
