//! Static parameters and other names for nodes: what is wrong with them is said where it
//! stands, and which nodes they make.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;
use lustral_sema::select::roots;

const NODES: &str = "\
node sum<<const n: int>>(a: int^n) returns (s: int);
let s = red<<+, n>>(0, a); tel
node twice<<node f(x: int) returns (y: int)>>(x: int) returns (y: int);
let y = f(f(x)); tel
node held<<type t>>(x: t) returns (y: t);
let y = x -> pre x; tel
node forever<<const n: int>>(x: int) returns (y: int);
let y = forever<<n + 1>>(x); tel
node loop = pool;
node pool = loop;
const free: int;
";

/// What is said first of a program whose only equation is this.
#[track_caller]
fn said(right: &str, expected: &str) {
    let text = format!(
        "{}node main(x: int; a: int^3) returns (y: int);\nlet y = {right}; tel\n",
        NODES.replace("node loop = pool;\nnode pool = loop;\n", "")
    );
    let checked = check_text(&text);
    let first = checked.errors.first().map(|error| error.message.clone());
    assert_eq!(first.as_deref(), Some(expected), "{checked}");
}

#[test]
fn mistakes_are_said_where_a_node_is_given_something() {
    said("sum(a)", "`sum` has 1 static parameter, 0 given");
    said("sum<<3, 4>>(a)", "`sum` has 1 static parameter, 2 given");
    said("sum<<2>>(a)", "this input of `sum<<2>>` takes an int^2, this is an int^3");
    said("sum<<true>>(a)", "`n` is of type int, and is given true");
    said("sum<<x>>(a)", "`x` is a flow here, no constant");
    said("sum<<free>>(a)", "the value of a static argument is known before the program runs");
    said("sum<<int>>(a)", "this is no constant");
    said(
        "sum<<[1, 2]>>(a)",
        "records, tuples and arrays as static arguments are not supported yet",
    );
    said("twice<<3>>(x)", "this is no node and no operator");
    said("twice<<and>>(x)", "`and` takes 2 arguments, 1 given");
    said("held<<3>>(x)", "this is no type");
    said("held<<unknown>>(x)", "there is no type `unknown`");
    said("held<<bool>>(x)", "this input of `held<<bool>>` takes a bool, this is an int");
    said("main<<3>>(x, a)", "the node `main` has no static parameters");
    said("forever<<0>>(x)", "`forever` is called with too many different constants");
    said("with x = 1 then 0 else 1", "`x` is a flow here, no constant");
    said("with 1 then 0 else 1", "the condition of `with` is a bool, this is of type int");
}

#[test]
fn names_for_each_other_are_no_nodes() {
    let checked = check_text(NODES);
    let codes: Vec<&str> = checked.errors.iter().map(|error| error.code).collect();
    assert_eq!(codes, ["recursion", "recursion"], "{checked}");
}

#[test]
fn other_names_are_checked() {
    let names = "node three = sum<<3>>;\nfunction add = map<<+, 2>>;\nnode again = three;\n\
                 node plain(x: int) returns (y: int) = twice<<held<<int>>>>;\n";
    let text = NODES.replace("node loop = pool;\nnode pool = loop;\n", names);
    let text = text
        + "function all<<const n: int; function f(a, b: int) returns (c: int)>>(a: int^n) \
                       returns (s: int);\nlet s = red<<f, n>>(0, a); tel\nnode main(a: int^2) \
                       returns (b: bool);\nlet b = all<<2, +>>(a) = all<<2, Lustre::iminus>>(a); tel\n";
    let text = text.replace("let y = forever<<n + 1>>(x); tel", "let y = x; tel");
    let checked = check_text(&text);
    assert!(checked.errors.is_empty(), "{checked}");
    let program = checked.analysis.program();
    let named = |list: Vec<_>| -> Vec<String> {
        list.into_iter().map(|id| program.node(id).name.to_string()).collect()
    };
    assert_eq!(named(roots(program, &[]).unwrap()), ["sum<<3>>", "plain", "main"]);
    assert_eq!(named(roots(program, &["again".to_string()]).unwrap()), ["sum<<3>>"]);
}
