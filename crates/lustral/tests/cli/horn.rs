//! `lustral horn`.

use lustral_base::Cancel;
use lustral_smt::{Dialogue, Outcome, Z3Text};

use crate::common::{Run, Scratch, cases};

const PROGRAM: &str = "type mode = enum { Off, On };
type small = subrange [0, 3] of int;
node step(x: small; m: mode) returns (y: int; z: mode);
let
  (y, z) = (if m = On then x else 0, if pre y > 2 then Off else m);
  assert m = On => x > 0;
  check \"small\" y < 4;
tel
node main(a: small; m: mode) returns (ok: bool);
var p, q: int; r, s: mode;
let
  (p, r) = step(a, m);
  (q, s) = step(a, r);
  ok = p >= q - 3;
  check \"sum\" p + q >= 0;
  check \"less\" true -> p < 3;
tel
";

fn horn(args: &[&str]) -> Run {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    scratch.lustral(&[&["horn", "p.lus"], args].concat())
}

/// What a solver that reads the text says.
fn solved(text: &str) -> Outcome {
    let mut solver = Z3Text::new(Cancel::new()).unwrap();
    let text = text.strip_suffix("(check-sat)\n").unwrap();
    solver.tell(text).unwrap();
    solver.query("(check-sat)")
}

#[test]
fn a_solver_of_horn_clauses_gives_the_verdict() {
    let answers = [
        ("sum", Outcome::Sat),
        ("less", Outcome::Unsat),
        ("step[1].small", Outcome::Sat),
        ("step[2].small", Outcome::Sat),
        ("step[2].subrange(x)", Outcome::Sat),
    ];
    for (property, expected) in answers {
        for inline in [&["--inline"][..], &[]] {
            let run = horn(&[&["--property", property], inline].concat()).expect(0);
            assert_eq!(solved(&run.stdout), expected, "{property} {inline:?}");
        }
    }
    for inline in [&["--inline"][..], &[]] {
        assert_eq!(solved(&horn(inline).expect(0).stdout), Outcome::Unsat, "{inline:?}");
    }
}

#[test]
fn which_properties() {
    for inline in [&["--inline"][..], &[]] {
        let run = horn(&[&["--property", "nothing"], inline].concat()).expect(3);
        let message = "error: p.lus: there is no property `nothing`; there are: ";
        let names = run
            .stderr
            .lines()
            .last()
            .and_then(|line| line.strip_prefix(message))
            .unwrap_or_else(|| panic!("{run:?}"));
        for name in names.split(", ") {
            horn(&[&["--property", name], inline].concat()).expect(0);
        }
        assert!(names.contains("step[2].small"), "{names}");
    }
    let run = horn(&["--property", "step[1].small", "--called-nodes", "off"]).expect(3);
    assert!(run.stdout.is_empty());
    assert!(horn(&["--node", "stop"]).expect(3).stderr.contains("is `step` meant?"));
}

/// What states nothing has no clauses that would be `sat` for nothing.
#[test]
fn nothing_to_check() {
    let scratch = Scratch::new();
    scratch.write("p.lus", "node a(x: int) returns (y: int); let y = x; tel\n");
    for inline in [&["horn", "p.lus", "--inline"][..], &["horn", "p.lus"]] {
        let run = scratch.lustral(inline).expect(3);
        let message = "error: p.lus: node `a` has nothing to check: no property, no contract";
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
        assert!(run.stdout.is_empty(), "{}", run.stdout);
    }
}

#[test]
fn which_file_and_node() {
    let scratch = Scratch::new();
    let node = |name| format!("node {name}(x: bool) returns (y: bool); let y = x; tel\n");
    scratch.write("two.lus", node("a") + &node("b"));
    scratch.write("empty.lus", "");
    let run = scratch.lustral(&["horn", "two.lus"]).expect(3);
    let message = "error: two.lus: several nodes could be meant: a, b; choose one with --node\n";
    assert_eq!(run.stderr, message);
    for command in ["horn", "invariants", "check"] {
        let run = scratch.lustral(&[command, "empty.lus"]).expect(3);
        assert!(run.stderr.ends_with("error: empty.lus: the program has no node\n"), "{run:?}");
    }
}

#[test]
fn the_rules_of_z3() {
    for inline in [&["--inline"][..], &[]] {
        let run = horn(&[&["--format", "z3-rules"], inline].concat()).expect(0);
        for word in ["(declare-rel ", "(declare-var ", "(rule ", "(query failure)"] {
            assert!(run.stdout.contains(word), "{word}");
        }
    }
}

#[test]
fn to_a_file() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let run = scratch.lustral(&["horn", "p.lus", "-o", "p.smt2"]).expect(0);
    assert!(run.stdout.is_empty());
    let written = std::fs::read_to_string(scratch.path().join("p.smt2")).unwrap();
    assert_eq!(written, scratch.lustral(&["horn", "p.lus"]).expect(0).stdout);
    let run = scratch.lustral(&["horn", "p.lus", "-o", "missing/p.smt2"]).expect(1);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
}

/// Names stand in comments only, and no comment ends before its line.
#[test]
fn names_are_mapped() {
    let scratch = Scratch::new();
    let file = "p\n(assert false).lus";
    let called = PROGRAM.find("node main").unwrap();
    scratch.write("c\r(assert false).lus", &PROGRAM[..called]);
    let main = &PROGRAM[called..];
    scratch.write(file, format!("include \"c\r(assert false).lus\"\n{main}"));
    for args in [&["horn", file][..], &["horn", file, "--format", "z3-rules"]] {
        let run = scratch.lustral(args).expect(0);
        assert!(run.stdout.contains("assert false"), "the name is in a comment");
        assert!(!run.stdout.contains('\r'));
        for line in run.stdout.lines().filter(|line| !line.starts_with(';')) {
            for name in ["assert false", "step", "main", "mode", "small", "sum"] {
                assert!(!line.contains(name), "{line}");
            }
        }
    }
}

/// A quotient by a variable is not left to the solver where that is zero: it
/// could choose what makes the clauses hold.
#[test]
fn division_by_zero() {
    let scratch = Scratch::new();
    let text = |property: &str| {
        format!(
            "node main(x, y: int) returns (ok: bool);\nlet\n  ok = {property};\n  \
             --%PROPERTY ok;\ntel\n"
        )
    };
    let cases = [
        ("x div 0 = 7", Outcome::Unsat),
        ("x mod y = 7 or y <> 0", Outcome::Unsat),
        ("y = 0 or x = y * (x div y) + x mod y", Outcome::Sat),
    ];
    for (property, expected) in cases {
        scratch.write("p.lus", text(property));
        for inline in [&["horn", "p.lus", "--inline"][..], &["horn", "p.lus"]] {
            let run = scratch.lustral(inline).expect(0);
            assert!(run.stdout.contains("division by a variable"), "{property}");
            let found = solved(&run.stdout);
            // Products of variables are hard; the wrong answer is the mistake.
            let allowed = found == expected || matches!(found, Outcome::Unknown(_));
            assert!(allowed, "{property}: {found:?}");
        }
    }
}

/// Whatever the language has: clauses, or a message that says why not.
#[test]
fn clauses_of_every_case() {
    let scratch = Scratch::new();
    for case in cases::read_all(&cases::folder()) {
        if matches!(case.expected[0].1, cases::Expected::Error(_)) {
            continue;
        }
        for inline in [&["--inline"][..], &[]] {
            let path = case.path.to_str().unwrap();
            let run = scratch.lustral(&[&["horn", path], inline].concat());
            match run.code {
                0 => assert!(run.stdout.ends_with("(check-sat)\n"), "{}", case.name),
                3 => assert!(run.stderr.contains("error: "), "{}", case.name),
                code => panic!("{} {inline:?}: exit {code}\n{}", case.name, run.stderr),
            }
        }
    }
}

/// Of a function nothing is known but that in one step its results are the same for the same
/// arguments: no clause can say more.
#[test]
fn functions_without_a_body() {
    let scratch = Scratch::new();
    let program = |property: &str| {
        format!(
            "function imported f(x: int) returns (y: int);\n\
             node main(x, z: int) returns (a: int);\n\
             let a = f(x); check {property}; tel\n"
        )
    };
    let same = ("x = z => a = f(z)", Outcome::Sat);
    let later = ("true -> x = pre x => a = pre a", Outcome::Unsat);
    for (property, expected) in [same, later, ("a > 0", Outcome::Unsat)] {
        scratch.write("p.lus", program(property));
        for inline in [&["--inline"][..], &[]] {
            let run = scratch.lustral(&[&["horn", "p.lus"], inline].concat()).expect(0);
            assert!(run.stdout.contains("a function without a body"), "{}", run.stdout);
            assert_eq!(solved(&run.stdout), expected, "{property} {inline:?}");
        }
    }
    scratch.write("p.lus", program("x = z => a = f(z)"));
    scratch.lustral(&["invariants", "--modular", "p.lus"]).expect(0);
    scratch.write("p.lus", program("true -> x = pre x => a = pre a"));
    let run = scratch.lustral(&["invariants", "--modular", "p.lus"]);
    assert!(run.code != 101 && run.stderr.contains("function without a body"), "{}", run.stderr);
}
