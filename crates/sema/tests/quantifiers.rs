//! Quantifiers over unboundedly many values say what they say when all values that count
//! are written out, on random inputs; and what is wrong with one is said where it stands.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;
use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceId, Value};
use lustral_testing::frontend::accepted;
use lustral_testing::{Dice, seeds};

/// A truth value made of comparisons in which some variables have whole factors.
fn body(dice: &mut Dice, variables: &[&str], depth: usize, real: bool) -> String {
    if depth == 0 {
        return atom(dice, variables, real);
    }
    let mut inner = || body(dice, variables, depth - 1, real);
    let (a, b, c) = (inner(), inner(), inner());
    match dice.below(7) {
        0 => format!("({a} and {b})"),
        1 => format!("({a} or {b})"),
        2 => format!("({a} => {b})"),
        3 => format!("({a} xor {b})"),
        4 => format!("({a} = {b})"),
        5 => format!("(not {a})"),
        _ => format!("(if {a} then {b} else {c})"),
    }
}

fn atom(dice: &mut Dice, variables: &[&str], real: bool) -> String {
    let dot = if real { ".0" } else { "" };
    let mut sum = format!("{}{dot}", dice.below(4));
    let several = variables.len() > 1;
    for variable in variables {
        // With several variables the points stay near to 0 only if factors are 1.
        let factor = if several { 1 } else { 1 + dice.below(2) };
        match dice.below(4) {
            0 => {}
            1 => sum += &format!(" - {factor}{dot} * {variable}"),
            _ => sum += &format!(" + {factor}{dot} * {variable}"),
        }
    }
    let other = if real { ["p", "q"] } else { ["a", "b"] };
    let other = dice.pick::<&str>(&other);
    if !real && !several && dice.chance(20) {
        let by = 2 + dice.below(2);
        return format!("(({sum} + {other}) mod {by} = {})", dice.below(by));
    }
    let op = dice.pick::<&str>(&["<", "<=", ">", ">=", "=", "<>"]);
    format!("({sum} {op} {other})")
}

/// The values of the truth value `y` of a program whose node has the inputs that are given.
fn run(right: &str, inputs: &[Vec<Value>]) -> Vec<Value> {
    let text = format!(
        "node main(a, b: int; p, q: real) returns (y: bool);\nlet y = {right};\n--%MAIN;\n--%PROPERTY y;\ntel\n"
    );
    let unit = accepted(&text).unwrap_or_else(|failure| panic!("{}\n{text}", failure.text));
    let mut machine = Machine::new(&unit.program, &unit.tree);
    let y = unit.tree.node(&unit.program, InstanceId::ROOT).stream_named("y").unwrap();
    let step = |step: &Vec<Value>| {
        machine.step(step, &mut Zeros);
        machine.value(InstanceId::ROOT, y, 0).unwrap().clone()
    };
    inputs.iter().map(step).collect()
}

fn inputs(dice: &mut Dice) -> Vec<Vec<Value>> {
    let mut number = || dice.below(7) as i64 - 3;
    let step = |_| {
        let whole = [number(), number()].map(|n| Value::Int(n.into()));
        let real = [number(), number()]
            .map(|n| Value::Real(num_rational::BigRational::from(num_bigint::BigInt::from(n))));
        whole.into_iter().chain(real).collect()
    };
    (0..12).map(step).collect()
}

#[test]
fn integers_are_what_is_written_out() {
    seeds::for_each(150, |seed| {
        let mut dice = Dice::new(seed);
        let word = dice.pick::<&str>(&["forall", "exists"]);
        let (then, depth) = (if *word == "forall" { "=>" } else { "and" }, dice.below(3));
        let body = body(&mut dice, &["x"], depth, false);
        let inputs = inputs(&mut dice);
        let open = run(&format!("{word} (x: int) {body}"), &inputs);
        let all = format!("{word} (x: int) -40 <= x and x <= 40 {then} {body}");
        assert_eq!(open, run(&all, &inputs), "{word} (x: int) {body}");
    });
}

#[test]
fn two_variables_are_what_is_written_out() {
    seeds::for_each(8, |seed| {
        let mut dice = Dice::new(seed);
        let mut words = || {
            let word = dice.pick::<&str>(&["forall", "exists"]);
            (word, if *word == "forall" { "=>" } else { "and" })
        };
        let ((one, then), (other, and)) = (words(), words());
        let body = body(&mut dice, &["x", "z"], 1, false);
        let inputs = inputs(&mut dice);
        let open = run(&format!("{one} (x: int) {other} (z: int) {body}"), &inputs);
        let all = format!(
            "{one} (x: int) -25 <= x and x <= 25 {then} \
             ({other} (z: int) -50 <= z and z <= 50 {and} {body})"
        );
        assert_eq!(open, run(&all, &inputs), "{one} x {other} z {body}");
    });
}

#[test]
fn reals_are_what_is_written_out() {
    seeds::for_each(60, |seed| {
        let mut dice = Dice::new(seed);
        let word = dice.pick::<&str>(&["forall", "exists"]);
        let (then, depth) = (if *word == "forall" { "=>" } else { "and" }, dice.below(3));
        let body = body(&mut dice, &["x"], depth, true);
        let inputs = inputs(&mut dice);
        let open = run(&format!("{word} (x: real) {body}"), &inputs);
        // All points are at halves.
        let quarters = body.replace('x', "(real(n) / 4.0)").replace("(real(n) / 4.0)or", "xor");
        let all = format!("{word} (n: int) -60 <= n and n <= 60 {then} {quarters}");
        assert_eq!(open, run(&all, &inputs), "{word} (x: real) {body}");
    });
}

fn said(body: &str, message: &str) {
    let text = format!(
        "node held(x: int) returns (y: int);\nlet y = 0 -> pre x; tel\n\
         function twice(x: int) returns (y: int);\nlet y = x + x; tel\n\
         node main(a: int; m: int^3) returns (b: bool);\nlet b = {body};\ntel\n"
    );
    let found = check_text(&text).to_string();
    assert!(found.contains(message), "{body}:\n{found}");
}

#[test]
fn what_cannot_be_treated_is_said() {
    let here = "quantifiers over unboundedly many values in this place are not supported yet";
    said("exists (i: int) i * i = a", here);
    said("exists (i: int) m[i] = a", here);
    said("exists (i: int) twice(i) = a", here);
    said("forall (i: int) held(i) = a", here);
    said("forall (i: int) (i > 0 -> pre (i > a))", here);
    said("exists (i: int) (choose { k: int | k > i }) = a", here);
    said("exists (i: int) i > a => a", "`=>` takes a bool");
}
