//! Iterators over arrays say what they say when they are written out by hand, on random
//! inputs; and what is wrong with one is said where it stands.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;
use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceId, Value};
use lustral_testing::frontend::accepted;
use lustral_testing::{Dice, seeds};

/// Nodes of two inputs, of which the second has a memory.
const NODES: &str = "\
function weigh(a, b: int) returns (c: int);
let c = 2 * a - b; tel
node since(a, b: int) returns (c: int);
let c = a + (0 -> pre (c + b)); tel
";

/// What makes one value of two, the first of which has the type of the result.
enum Op {
    Base(&'static str),
    Map(Box<Op>, usize),
    Red(Box<Op>, usize),
}

impl Op {
    fn random(dice: &mut Dice, depth: usize) -> Op {
        let names = ["+", "-", "*", "Lustre::iminus", "weigh", "since", "since"];
        if depth == 0 {
            return Op::Base(dice.pick::<&str>(&names));
        }
        let (inner, size) = (Box::new(Op::random(dice, depth - 1)), 1 + dice.below(3));
        if dice.chance(50) { Op::Map(inner, size) } else { Op::Red(inner, size) }
    }

    /// The types of its two arguments.
    fn types(&self) -> [String; 2] {
        match self {
            Op::Base(_) => ["int".into(), "int".into()],
            Op::Map(inner, n) => inner.types().map(|ty| format!("{ty}^{n}")),
            Op::Red(inner, n) => {
                let [a, b] = inner.types();
                [a, format!("{b}^{n}")]
            }
        }
    }

    fn sizes(&self) -> [usize; 2] {
        match self {
            Op::Base(_) => [1, 1],
            Op::Map(inner, n) => inner.sizes().map(|size| size * n),
            Op::Red(inner, n) => [inner.sizes()[0], inner.sizes()[1] * n],
        }
    }

    /// As it is written between `<<` and `>>`.
    fn text(&self) -> String {
        match self {
            Op::Base(name) => (*name).to_string(),
            Op::Map(inner, n) => format!("map<<{}, {n}>>", inner.text()),
            Op::Red(inner, n) => format!("red<<{}, {n}>>", inner.text()),
        }
    }

    /// What it makes of two arguments, written out.
    fn written_out(&self, a: &str, b: &str) -> String {
        match self {
            Op::Base("Lustre::iminus") => format!("({a} - {b})"),
            Op::Base(name @ ("weigh" | "since")) => format!("{name}({a}, {b})"),
            Op::Base(symbol) => format!("({a} {symbol} {b})"),
            Op::Map(inner, n) => {
                let one = |i| inner.written_out(&format!("{a}[{i}]"), &format!("{b}[{i}]"));
                let all: Vec<String> = (0..*n).map(one).collect();
                format!("[{}]", all.join(", "))
            }
            Op::Red(inner, n) => {
                (0..*n).fold(a.to_string(), |sum, i| inner.written_out(&sum, &format!("{b}[{i}]")))
            }
        }
    }
}

/// The values of the output of a program at each step.
fn run(text: &str, inputs: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let unit = accepted(text).unwrap_or_else(|failure| panic!("{}\n{text}", failure.text));
    let mut machine = Machine::new(&unit.program, &unit.tree);
    let node = unit.tree.node(&unit.program, InstanceId::ROOT);
    let y = node.stream_named("y").expect("the output");
    let leaves = node.stream(y).ty.leaves() as usize;
    let mut found = Vec::new();
    for step in inputs {
        machine.step(step, &mut Zeros);
        let value = |leaf| machine.value(InstanceId::ROOT, y, leaf).expect("a value").clone();
        found.push((0..leaves).map(|leaf| value(leaf as _)).collect());
    }
    found
}

/// As Heptagon writes them, with the accumulator last.
#[test]
fn late_accumulators_are_what_is_written_out() {
    let program = |right: &str| {
        format!(
            "{NODES}node main(a: int; b: int^3) returns (y: int);\nlet y = {right}; --%MAIN;\ntel\n"
        )
    };
    seeds::for_each(40, |seed| {
        let mut dice = Dice::new(seed);
        let op = Op::Base(dice.pick::<&str>(&["+", "-", "weigh", "since"]));
        let of = match &op {
            Op::Base(name @ ("weigh" | "since")) => (*name).to_string(),
            other => format!("({})", other.text()),
        };
        let long = (0..3).fold("a".to_string(), |sum, i| op.written_out(&format!("b[{i}]"), &sum));
        let mut number = || Value::Int(dice.between(-3, 3).into());
        let inputs: Vec<Vec<Value>> = (0..4).map(|_| (0..4).map(|_| number()).collect()).collect();
        let short = format!("fold<<3>> {of} (b, a)");
        let (found, wanted) = (run(&program(&short), &inputs), run(&program(&long), &inputs));
        assert_eq!(found, wanted, "{short} and {long}");
    });
}

#[test]
fn iterators_are_what_is_written_out() {
    seeds::for_each(600, |seed| {
        let mut dice = Dice::new(seed);
        let depth = 1 + dice.below(3);
        let op = Op::random(&mut dice, depth);
        let [a, b] = op.types();
        let program = |right: &str| {
            format!(
                "{NODES}node main(a: {a}; b: {b}) returns (y: {a});\nlet y = {right}; --%MAIN;\ntel\n"
            )
        };
        let text = op.text();
        let (short, long) = (format!("{text}(a, b)"), op.written_out("a", "b"));
        let short = if depth == 0 { long.clone() } else { short };
        let count: usize = op.sizes().iter().sum();
        let mut number = || Value::Int(dice.between(-3, 3).into());
        let inputs: Vec<Vec<Value>> =
            (0..4).map(|_| (0..count).map(|_| number()).collect()).collect();
        let (found, wanted) = (run(&program(&short), &inputs), run(&program(&long), &inputs));
        assert_eq!(found, wanted, "seed {seed}: {text} and {long}");
    });
}

/// What is said first of a program whose only equation is this.
#[track_caller]
fn said(right: &str, expected: &str) {
    let text = format!(
        "function two(a: int) returns (b, c: int);\nlet b = a; c = a; tel\n\
         function none(a: int) returns ();\nlet tel\n\
         const free: int;\n\
         node main(x: int; a: int^3) returns (y: int);\nlet y = {right}; tel\n"
    );
    let checked = check_text(&text);
    let first = checked.errors.first().map(|error| error.message.clone());
    assert_eq!(first.as_deref(), Some(expected), "{checked}");
}

#[test]
fn mistakes_are_said_once() {
    said("red<<+, 2>>(x, a)", "this array has 3 elements, the iterator goes over 2");
    said("red<<+, 3>>(x, x)", "this is of type int, which is no array");
    said(
        "red<<+>>(x, a)",
        "`red` takes an operator and a size between `<<` and `>>`, not 1 argument",
    );
    said("red<<+, x>>(x, a)", "`x` is a flow here, no constant");
    // Too many for any of the first numbers that it may be.
    said("red<<+, free + 9>>(x, a)", "this array has 3 elements, the iterator goes over 10");
    said("red<<+, 0>>(x, a)", "an array cannot have 0 elements");
    said("red<<3, 3>>(x, a)", "this is no node and no operator");
    said("red<<nothing, 3>>(x, a)", "there is no node `nothing`");
    said("red<<not, 3>>(x, a)", "`not` takes 1 argument, 2 given");
    said("red<<and, 3>>(x, a)", "`and` takes a bool, this is an int");
    said("red<<=, 3>>(x, a)", "the accumulator takes an int, this is a bool");
    said("red<<Lustre::rplus, 3>>(x, a)", "`+` takes a real, this is an int");
    said("red<<two<<3>>, 3>>(x, a)", "the node `two` has no static parameters");
    said("fill<<two, 100000000>>(x)", "the iterators of a node go over at most 200000 elements");
    said("boolred<<2, 1, 3>>(a)", "from 2 to 1 of 3 cannot be true");
    said("fold<<3>> two ()", "`mapfold` takes an accumulator as its last argument");
    said("mapi<<3>> two (a)", "`two` takes 1 argument, 2 given");
    said(
        "map<<3>> two <(x)> (a)",
        "arguments of an iterator that are the same for all elements, `<(c)>`, are not supported yet",
    );
    said(
        "mapi<<two, 3>>(a)",
        "`mapi` takes a size and a node between `<<` and `>>`, not 2 arguments",
    );
    said("nothing<<3>>(x)", "there is no node `nothing`");
    said("map<<two, 3>>(a)", "the equation defines 1 flow, its right side has 2 values");
}
