//! Trees by themselves: what is kept of files, comments, outlines, identities.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use lustral_syntax::dialect::Wish;
use lustral_syntax::identity::{NodeIdentity, identities};
use lustral_syntax::loader::Loaded;
use lustral_syntax::symbols::{SymbolKind, symbols};
use lustral_syntax::{
    Diagnostics, FileId, Forest, LoadError, Loader, NoFiles, Program, SourceMap, parse_file,
    parse_program,
};

/// Files in memory.
#[derive(Default)]
struct Memory(BTreeMap<&'static str, String>);

impl Loader for Memory {
    fn load(&self, _from: &str, path: &str) -> Result<Loaded, LoadError> {
        let text = self.0.get(path).ok_or(LoadError::Missing)?;
        let name = path.to_string();
        Ok(Loaded { identity: name.clone(), name, text: text.as_str().into() })
    }
}

fn parse(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let main = sources.add("test.lus", text);
    parse_program(&mut sources, main, &NoFiles, &mut Diagnostics::new())
}

fn id(text: &str) -> String {
    format!("node {text}(x: int) returns (y: int);\nlet\n  y = x;\ntel\n")
}

#[test]
fn a_file_whose_text_is_the_same_is_not_parsed_again() {
    let mut files = Memory::default();
    files.0.insert("b.lus", id("b"));
    files.0.insert("c.lus", id("c"));
    let mut sources = SourceMap::new();
    let main = sources.add("a.lus", "include \"b.lus\"\ninclude \"c.lus\"\n");
    let mut forest = Forest::default();
    let mut diagnostics = Diagnostics::new();
    let before = forest.program(&mut sources, main, &files, &mut diagnostics);
    files.0.insert("c.lus", id("c") + "nod");
    let after = forest.program(&mut sources, main, &files, &mut diagnostics);
    let same: Vec<bool> =
        before.trees.iter().zip(&after.trees).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
    assert_eq!(same, [true, true, false]);
    assert_eq!(diagnostics.errors(), 1);
    assert_eq!(sources.files().count(), 3, "a file keeps its id");
    let wrong = &after.trees[2].diagnostics;
    assert!(wrong.iter().all(|d| sources.file(d.primary.span.file).name == "c.lus"));
    assert_eq!(before.trees[1].diagnostics.errors(), 0);
}

#[test]
fn a_program_that_misses_a_file_says_so() {
    let mut sources = SourceMap::new();
    let main = sources.add("a.lus", "include \"b.lus\"\n");
    let mut diagnostics = Diagnostics::new();
    let program = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    assert!(program.incomplete && diagnostics.errors() == 1);
}

#[test]
fn comments_and_the_outline() {
    let text: Arc<str> = "-- not of it\n\n-- Colours.\n(* Both. *)\ntype t = enum { A, B };\n\
                          const c = 1; -- beside\nconst d = 2;\n\
                          node f(x: int) returns (y: int);\nvar z: t;\nlet\n  y = x;\n  \
                          check \"named\" true;\ntel\n"
        .into();
    let tree = parse_file(FileId(0), &text, Wish::default());
    let comments: Vec<&str> = tree.comments.iter().map(|c| &text[c.range()]).collect();
    assert_eq!(comments, ["-- not of it", "-- Colours.", "(* Both. *)", "-- beside"]);
    let outline = symbols(&tree);
    let names: Vec<&str> = outline.iter().map(|s| &*s.name).collect();
    assert_eq!(names, ["t", "c", "d", "f"]);
    let above: Vec<&str> = outline[0].documentation.iter().map(|c| &text[c.range()]).collect();
    assert_eq!(above, ["-- Colours.", "(* Both. *)"]);
    let children = |i: usize| -> Vec<(SymbolKind, &str)> {
        outline[i].children.iter().map(|s| (s.kind, &*s.name)).collect()
    };
    use SymbolKind::{EnumerationValue, Input, Local, Output, Property};
    assert_eq!(children(0), [(EnumerationValue, "A"), (EnumerationValue, "B")]);
    assert_eq!(children(3), [(Input, "x"), (Output, "y"), (Local, "z"), (Property, "named")]);
    assert_eq!(&text[outline[3].whole.range()][..6], "node f");
    assert_eq!(&text[outline[1].whole.range()], "const c = 1;");
}

fn identity(text: &str, node: &str) -> NodeIdentity {
    identities(&parse(text)).into_iter().find(|i| &*i.name == node).unwrap()
}

const PROGRAM: &str = "\
type t = enum { A, B };
const n = 3;
const other = 4;
node g(x: int) returns (y: int);
let
  y = x + n;
tel
node f(x: int) returns (y: int);
var m: t;
let
  m = A;
  y = g(x);
  check y > 0;
  --%CANDIDATE y > 1;
tel
";

#[test]
fn layout_comments_order_and_guesses_are_no_part_of_a_node() {
    let before = identity(PROGRAM, "f");
    let moved = {
        let at = PROGRAM.find("node f").unwrap();
        format!("{}{}", &PROGRAM[at..], &PROGRAM[..at])
    };
    for same in [
        PROGRAM.replace("  y = g(x);", "  -- a remark\n  y =   (g( x ));"),
        PROGRAM.replace("--%CANDIDATE y > 1;", ""),
        PROGRAM.replace("  check y > 0;", "  check y > 0;\n  --%MAIN;"),
        PROGRAM.replace("other = 4", "other = 5"),
        moved,
    ] {
        let after = identity(&same, "f");
        assert_eq!(after.behaviour, before.behaviour, "{same}");
        assert_eq!(after.stated, before.stated, "{same}");
    }
}

#[test]
fn what_a_node_depends_on_is_part_of_it() {
    let before = identity(PROGRAM, "f");
    for other in [
        PROGRAM.replace("y = x + n", "y = n + x"),
        PROGRAM.replace("n = 3", "n = 2"),
        PROGRAM.replace("enum { A, B }", "enum { B, A }"),
        PROGRAM.replace("m = A", "m = B"),
        PROGRAM.replace("node g", "function g"),
        PROGRAM.replace("  m = A;", "  m = A;\n  assert x > 0;"),
    ] {
        let after = identity(&other, "f");
        assert_ne!(after.behaviour, before.behaviour, "{other}");
        assert_ne!(after.stated, before.stated, "{other}");
    }
    // Properties are no behaviour, and those of a called node are stated too.
    for other in [
        PROGRAM.replace("check y > 0", "check y > 1"),
        PROGRAM.replace("  y = x + n;", "  y = x + n;\n  check y > x;"),
    ] {
        let after = identity(&other, "f");
        assert_eq!(after.behaviour, before.behaviour, "{other}");
        assert_ne!(after.stated, before.stated, "{other}");
    }
}

#[test]
fn identities_of_broken_programs_do_not_hang() {
    let recursive = PROGRAM.replace("y = x + n", "y = f(x)").replace("n = 3", "n = n");
    assert_eq!(identities(&parse(&recursive)).len(), 2);
}

/// That callers see the body of a node is so without the word as well.
#[test]
fn a_transparent_node_is_a_node() {
    let [plain, transparent] = ["", "transparent "].map(|word| {
        let mut sources = SourceMap::new();
        let main = sources.add("test.lus", format!("{word}{}", id("f")));
        let mut diagnostics = Diagnostics::new();
        let program = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
        assert!(!diagnostics.has_errors());
        let list = identities(&program);
        list.iter().map(|node| (node.behaviour, node.stated)).collect::<Vec<_>>()
    });
    assert_eq!(plain, transparent);
    assert_eq!(plain.len(), 1);
}
