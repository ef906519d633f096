//! Which dialect a text is read in, and what that changes.

use lustral_syntax::dialect::{Dialect, Reading};
use lustral_syntax::loader::Loaded;
use lustral_syntax::{
    Diagnostics, Forest, LoadError, Loader, NoFiles, Program, Severity, SourceMap, printer,
};

struct Read {
    program: Program,
    errors: Vec<String>,
    warnings: Vec<String>,
}

fn read(name: &str, text: &str, option: Option<Dialect>) -> Read {
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let mut diagnostics = Diagnostics::new();
    let program = Forest::new(option).program(&mut sources, main, &NoFiles, &mut diagnostics);
    let of = |severity| {
        let found = diagnostics.iter().filter(|d| d.severity == severity);
        found.map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    Read { program, errors: of(Severity::Error), warnings: of(Severity::Warning) }
}

/// How an expression is grouped: the printer writes what dialects group differently
/// with parentheses.
fn grouped(expr: &str, option: Option<Dialect>) -> (String, usize) {
    let text = format!("node f() returns (y: bool); let y = {expr}; tel");
    let read = read("f.lus", &text, option);
    assert_eq!(read.errors, [""; 0], "{expr}");
    let printed = printer::print_program(&read.program);
    let line = printed.lines().find(|line| line.contains("y = ")).expect("an equation").trim();
    let expr = line.trim_start_matches("y = ").trim_end_matches(';').to_string();
    (expr, read.warnings.len())
}

#[test]
fn fby_binds_most_but_for_lustrec() {
    assert_eq!(grouped("0 fby x + 1", None), ("(0 fby x) + 1".into(), 1));
    assert_eq!(grouped("0 fby x + 1", Some(Dialect::V6)), ("(0 fby x) + 1".into(), 0));
    assert_eq!(grouped("0 fby x + 1", Some(Dialect::Lustrec)), ("0 fby (x + 1)".into(), 0));
    assert_eq!(grouped("1 + 0 fby x", None), ("1 + (0 fby x)".into(), 1));
    assert_eq!(grouped("1 + 0 fby x", Some(Dialect::Lustrec)), ("(1 + 0) fby x".into(), 0));
    // All dialects agree on these.
    for same in ["0 fby (1 fby x)", "a -> (b fby c)", "pre a fby b", "(0 fby x) + 1"] {
        let (kind2, warnings) = grouped(same, None);
        assert_eq!(warnings, 0, "{same}");
        assert_eq!(kind2, grouped(same, Some(Dialect::Lustrec)).0, "{same}");
    }
    assert_eq!(grouped("a fby b -> c", None), ("(a fby b) -> c".into(), 1));
}

#[test]
fn minus_not_and_xor() {
    assert_eq!(grouped("- a mod 3 = b", None), ("(- a) mod 3 = b".into(), 1));
    assert_eq!(grouped("(- a) mod 3 = b", None), ("(- a) mod 3 = b".into(), 0));
    assert_eq!(grouped("-7 div 2 = b", None).1, 1);
    // Kind 2 and JKind share a dialect, and read this differently.
    assert_eq!(grouped("-7 div 2 = b", Some(Dialect::Kind2)).1, 1);
    assert_eq!(grouped("-7 div 2 = b", Some(Dialect::V6)).1, 0);
    assert_eq!(grouped("-7 * 2 = b", None).1, 0);
    assert_eq!(grouped("a or b xor c", None), ("(a or b) xor c".into(), 1));
    assert_eq!(grouped("a or b xor c", Some(Dialect::Velus)), ("a or (b xor c)".into(), 0));
    assert_eq!(grouped("a xor b or c", None).1, 0);
    assert_eq!(grouped("not a = b", None), ("(not a) = b".into(), 0));
    assert_eq!(grouped("not a = b", Some(Dialect::Lustrec)), ("not (a = b)".into(), 0));
    assert_eq!(grouped("not a and b", Some(Dialect::Lustrec)), ("not a and b".into(), 0));
}

#[test]
fn what_says_which_dialect_is_meant() {
    let reading = |name, text, option| read(name, text, option).program.trees[0].exprs.reading();
    let seems = |dialect| Reading { dialect, certain: true, marked: false };
    let certain = |dialect| Reading { dialect, certain: true, marked: true };
    assert_eq!(reading("f.lus", "", None), Reading::default());
    assert_eq!(reading("f.ept", "", None), seems(Dialect::Heptagon));
    assert_eq!(reading("f.lus", "#open <conv>", None), seems(Dialect::Lustrec));
    for text in ["x != y", "state A: a && b", "c: bool clock; a || b"] {
        assert_eq!(reading("f.lus", text, None), seems(Dialect::Lustrec), "{text}");
        // Who writes them may not know that integers are divided otherwise then.
        let warned = |name, option| {
            let warnings = read(name, text, option).warnings;
            warnings.iter().filter(|w| w.contains("read as lustrec reads it")).count()
        };
        assert_eq!(warned("f.lus", None), 1, "{text}");
        assert_eq!(warned("f.lus", Some(Dialect::Lustrec)), 0, "{text}");
    }
    assert_eq!(read("f.lus", "#open <conv> const a: bool = 1 != 2;", None).warnings, [""; 0]);
    // Kind 2 has these for machine integers.
    assert_eq!(reading("f.lus", "a && b || !c; state: bool; clock: t", None), Reading::default());
    assert_eq!(reading("f.lus", "--%DIALECT velus", None), certain(Dialect::Velus));
    assert_eq!(reading("f.lus", "--%DIALECT V6;\n#open <conv>", None), certain(Dialect::V6));
    let option = Some(Dialect::Kind2);
    assert_eq!(reading("f.ept", "--%DIALECT v6", option), certain(Dialect::Kind2));

    assert_eq!(read("f.lus", "--%DIALECT pascal", None).errors.len(), 1);
    assert_eq!(read("f.lus", "--%DIALECT v6\n--%DIALECT velus", None).errors.len(), 1);
    assert_eq!(read("f.lus", "--%dialect v6", None).warnings.len(), 1);
}

/// What more than one dialect has, or may have tomorrow, decides nothing: division would
/// silently mean something else.
#[test]
fn syntax_that_is_shared_says_nothing() {
    let states = "A do y = 0 fby 1; until true then A end";
    let automaton = |head: &str| {
        format!("node f(c: bool) returns (y: int)\nlet automaton {head} {states}; tel\n")
    };
    let lustrec = "node f(c: bool clock) returns (y: int);\nlet automaton a state A: \
                   unless c restart A let y = 0; tel tel\n";
    for text in [&automaton("initially A state"), &automaton("state"), lustrec] {
        let read = read("f.lus", text, None);
        assert_eq!(read.errors, [""; 0], "{text}");
        assert_eq!(read.program.trees[0].exprs.reading(), Reading::default(), "{text}");
    }
}

/// One file, whatever it is asked for as.
struct Other(&'static str);

impl Loader for Other {
    fn load(&self, _from: &str, path: &str) -> Result<Loaded, LoadError> {
        let name = path.to_string();
        Ok(Loaded { identity: name.clone(), name, text: self.0.into() })
    }
}

#[test]
fn a_mark_counts_for_all_that_is_included() {
    let dialects = |text: &str, path: &str, included| {
        let mut sources = SourceMap::new();
        let main = sources.add("main.lus", format!("{text}\ninclude \"{path}\"\n"));
        let mut diagnostics = Diagnostics::new();
        let program =
            Forest::default().program(&mut sources, main, &Other(included), &mut diagnostics);
        program.trees.iter().map(|tree| tree.exprs.reading().dialect).collect::<Vec<_>>()
    };
    use Dialect::{Heptagon, Kind2, Lustrec, V6, Velus};
    let marked = "--%DIALECT kind2";
    assert_eq!(dialects(marked, "b.lus", "#open <conv>"), [Kind2, Kind2]);
    assert_eq!(dialects(marked, "b.ept", ""), [Kind2, Kind2]);
    assert_eq!(dialects(marked, "b.lus", "--%DIALECT velus"), [Kind2, Velus]);
    assert_eq!(dialects("--%DIALECT v6", "b.lus", "#open <conv>"), [V6, V6]);
    // What the outer file only seems to be gives way.
    assert_eq!(dialects("#open <conv>", "b.ept", ""), [Lustrec, Heptagon]);
    assert_eq!(dialects("#open <conv>", "b.lus", ""), [Lustrec, Lustrec]);
    assert_eq!(dialects("", "b.lus", "#open <conv>"), [Kind2, Lustrec]);
}

#[test]
fn operators_of_a_dialect_are_errors_elsewhere() {
    let text = "node f(a, b: bool) returns (y: bool); let y = a && b || a != b; tel";
    assert_eq!(read("f.lus", text, Some(Dialect::Lustrec)).errors, [""; 0]);
    assert_eq!(read("f.lus", text, Some(Dialect::V6)).errors.len(), 3);
    // Kind 2 has two of them for machine integers.
    assert_eq!(read("f.lus", text, Some(Dialect::Kind2)).errors.len(), 1);
    // Nobody but lustrec has the third.
    assert_eq!(read("f.lus", text, None).errors, [""; 0]);
}

#[test]
fn annotations_in_block_comments() {
    let text = "node f(a: bool) returns (y: bool);\nlet\n  y = a;\n\
                (*%PROPERTY \"first\" y; *)\n(*!PROPERTY : a; *)\n/*%PROPERTY a = y */\n\
                (*%MAIN*)\n(* a comment *)\ntel";
    let read = read("f.lus", text, None);
    assert_eq!(read.errors, [""; 0]);
    let printed = printer::print_program(&read.program);
    assert_eq!(printed.matches("--%PROPERTY").count(), 3);
    assert_eq!(printed.matches("--%MAIN").count(), 1);
}

#[test]
fn comments_do_not_end_a_contract() {
    let text = "node f(a: bool) returns (y: bool);\n(*@contract\n  (* first *)\n  guarantee a; -- one\n\
                // two\n  /* three */ guarantee y;\n*)\nlet y = a; tel";
    let read = read("f.lus", text, None);
    assert_eq!(read.errors, [""; 0]);
    assert_eq!(printer::print_program(&read.program).matches("guarantee").count(), 2);
    let never = self::read("f.lus", "node f() returns (); (*@contract (* x *) let tel", None);
    assert_eq!(never.errors.iter().filter(|e| e.contains("never closed")).count(), 1);
}

#[test]
fn names_of_jkind() {
    let text = "node f~1(a!b: bool) returns (y~2!c: bool); let y~2!c = a!b; tel";
    let read = read("f.lus", text, None);
    assert_eq!(read.errors, [""; 0]);
    assert!(printer::print_program(&read.program).contains("y~2!c = a!b;"));
}
