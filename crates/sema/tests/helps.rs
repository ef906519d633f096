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
const MISTAKES: [(&str, &str, &str, &str, &str); 17] = [
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
