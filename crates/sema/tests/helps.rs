//! What to write instead: the help of usual mistakes.

#![allow(clippy::unwrap_used)]

use lustral_sema::analyse;
use lustral_syntax::{Diagnostics, NoFiles, Severity, SourceMap, parse_program};

/// The code and the helps of the errors of a text, the help or else the message.
fn helps(text: &str) -> Vec<(&'static str, String)> {
    let mut sources = SourceMap::new();
    let main = sources.add("test.lus", text);
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    analyse(&sources, &tree, &mut diagnostics);
    let errors = diagnostics.sorted().into_iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| (d.code.as_str(), d.help.clone().unwrap_or(d.message.clone()))).collect()
}

/// Inputs, output, equation; the code of an error and a part of its help.
const MISTAKES: [(&str, &str, &str, &str, &str); 38] = [
    ("x: int", "z: real", "z = x * 2.0;", "type", "write `real(…)`"),
    ("x: int", "z: real", "z = 2.0 * x;", "type", "write `real(…)`"),
    ("x, y: int", "z: bool", "z = not x = y;", "type", "write `not (… = …)`"),
    ("x, y: real", "z: bool", "z = not x < y;", "type", "write `not (… = …)`"),
    ("x: int", "z: int", "z := x;", "syntax", "write `=`"),
    ("x: int; c: bool", "z: int", "z = c ? x : 0;", "syntax", "`if c then a else b`"),
    ("x: int", "z: int", "z = x % 3;", "syntax", "write `mod`"),
    ("a, b: bool", "z: bool", "z = a AND b;", "syntax", "write `and`"),
    ("a: bool", "z: bool", "z = a = True;", "undeclared", "write `true`"),
    ("x: int", "z: int", "z = abs(x);", "undeclared", "if x < 0 then -x else x"),
    ("x, y: int", "z: int", "z = max(x, y);", "undeclared", "if x >= y then x else y"),
    ("x: boolean", "z: int", "z = 0;", "undeclared", "write `bool`"),
    ("x: integer", "z: int", "z = 0;", "undeclared", "write `int`"),
    ("x: unsigned", "z: int", "z = 0;", "undeclared", "write `uint32`"),
    ("x: float", "z: int", "z = 0;", "undeclared", "write `real`"),
    ("x: float64", "z: int", "z = 0;", "undeclared", "not supported yet: write `real`"),
    ("x: real", "z: real", "z = x ** 2.0;", "unsupported", "`x * x`"),
    ("x: int", "z: int", "z = {a = x; b = 2}.a;", "unsupported", "`t { a = 1; b = 2 }`"),
    ("a: int^3", "z: int^3", "z = (a with [0] = 3);", "syntax", "`[a with [i] = e]`"),
    ("a: int^3; x: int", "z: int", "z = a[>x<];", "unsupported", "a[n - 1]"),
    ("a: int^3; x: int", "z: int", "z = (a.[x] default 0);", "unsupported", "else d"),
    ("a: int^3", "z: int^3", "z = (map f <<3>>)(a);", "unsupported", "`map<<f, 3>>(a)`"),
    ("a: bool^3", "z: bool", "z = boolred(0, 1, 3)(a);", "unsupported", "boolred<<0, 1, 3>>"),
    ("x: int", "z: int^3", "z = (i * x foreach i)^3;", "unsupported", "by index"),
    ("b: bool", "z: bool", "z = b times 3;", "unsupported", "count in a flow"),
    ("a: int^2^2", "z: int^2^2", "z = transpose(a; 1; 2);", "unsupported", "a[j][i]"),
    ("a: int^3", "z: int^3", "z = reverse a;", "unsupported", "a[n - 1 - i]"),
    ("a: int^2^2", "z: int", "z = a[0, 1];", "unsupported", "write `a[i][j]`"),
    ("x: int", "z: real", "z = float64 x;", "unsupported", "write `real`"),
    (
        "x: int",
        "z: bool",
        "z = match x with | 1 : true | _ : false end;",
        "unsupported",
        "if x = 1",
    ),
    ("x: int", "z: int", "z.a = x;", "unsupported", "the whole record"),
    ("x: int", "z: int", "assume A: x > 0; z = x;", "unsupported", "con assume"),
    ("x: int", "z: int", "auto; z = x;", "unsupported", "leave it out"),
    ("x: subrange [0, 3] of uint8", "z: int", "z = 0;", "unsupported", "subtype"),
    ("a, b: int^3", "z: int^3", "z = a + b;", "type", "map<<+, 3>>"),
    ("a: bool^3", "z: bool^3", "z = not a;", "type", "map<<not, 3>>"),
    ("a: int^3", "z: int^3", "z = a[2..0];", "index", "a[2 - i]"),
    ("x: string", "z: int", "z = 0;", "undeclared", "an enumeration"),
];

#[test]
fn usual_mistakes_are_told_what_to_write() {
    for (inputs, output, equation, code, help) in MISTAKES {
        let text = format!("node main({inputs}) returns ({output});\nlet\n  {equation}\ntel\n");
        let found = helps(&text);
        let told = found.iter().any(|(c, h)| *c == code && h.contains(help));
        assert!(told, "{equation}: {found:?}");
    }
}

#[test]
fn what_is_not_supported_hides_no_other_mistake() {
    let text = "node main(a: int^3) returns (z: int^3; y: bool);\nlet\n  \
                z = a[0..2 step 1];\n  y = a[0];\ntel\n";
    let codes: Vec<&str> = helps(text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["unsupported", "type"]);
}

#[test]
fn bits_may_begin_what_is_reachable() {
    let text = "node main(x: uint8) returns (y: uint8);\nlet\n  y = x;\n  \
                check reachable !x = y;\ntel\n";
    assert_eq!(helps(text), []);
}

#[test]
fn arrays_may_be_compared_after_every() {
    let text = "node main(a: bool) returns (x: int);\nlet\n  reset\n    x = 0 -> pre x + 1;\n  \
                every [a] = [true];\ntel\n";
    assert_eq!(helps(text), []);
}

#[test]
fn what_stands_outside_of_nodes_is_told_once() {
    let texts = [
        ("lemma l(x: int) returns ();\n", "property"),
        ("type c = { re: real = 0.; im: real };\n", "all fields"),
        ("datatype d = X (int, bool) | Y;\n", "name them"),
        ("node id<t>(x: t) returns (y: t);\nlet y = x; tel\nnode g = id<int>;\n", "f@<int>(x)"),
    ];
    for (text, help) in texts {
        let text = format!("{text}node main(x: int) returns (z: int);\nlet z = x; tel\n");
        let found = helps(&text);
        let [(_, told)] = &found[..] else { panic!("{text}: {found:?}") };
        assert!(told.contains(help), "{text}: {found:?}");
    }
    let found = helps("function f(x: int) returns (y: int);\nlet y = x; tel\nconst c = f(1);\n");
    assert!(found.iter().any(|(code, _)| *code == "not-constant"), "{found:?}");
}
