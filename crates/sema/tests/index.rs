//! Positions to things, and things to places.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Checked, check_text, corpus};
use lustral_sema::index::{Index, Part, PlaceRole, Thing};
use lustral_syntax::FileId;
use lustral_syntax::ast;
use lustral_syntax::lexer::tokenize;
use lustral_syntax::token::TokenKind;

const PROGRAM: &str = "\
type colour = enum { Red, Green };
type small = subrange [0, limit] of int;
const limit = 3;

-- Counts.
node count(reset: bool) returns (n: small);
let
  n = if reset then 0 else (0 -> pre n);
tel

node main(c: colour) returns (ok: bool);
var k: small;
let
  k = count(c = Red);
  ok = k <= limit;
  assert c <> Green;
  check \"bound\" ok;
tel
";

/// The byte at which the `nth` occurrence of a text begins.
fn find(text: &str, nth: usize) -> u32 {
    PROGRAM.match_indices(text).nth(nth).unwrap().0 as u32
}

/// What the places of a thing are, as `line:column role`.
fn places(checked: &Checked, index: &Index<'_>, thing: Thing) -> Vec<String> {
    let show = |place: lustral_sema::index::Place| {
        let at = checked.sources.line_column(place.span);
        format!("{}:{} {:?}", at.line, at.column, place.role)
    };
    index.places_of(thing).map(show).collect()
}

#[track_caller]
fn check(byte: u32, expected: &[&str], ty: Option<&str>) {
    let checked = check_text(PROGRAM);
    assert!(checked.errors.is_empty(), "{checked}");
    let index = Index::new(&checked.analysis);
    let name = index.at(FileId(0), byte).name.expect("a name stands there");
    assert_eq!(places(&checked, &index, name.thing), expected);
    let found = index.type_of(name.thing);
    let found = found.map(|ty| checked.analysis.program().show_type(&ty));
    assert_eq!(found.as_deref(), ty);
    assert_eq!(
        index.declaration(name.thing),
        index
            .places_of(name.thing)
            .find_map(|p| { (p.role == PlaceRole::Declaration).then_some(p.span) })
    );
}

#[test]
fn names_of_all_kinds() {
    let n = ["6:34 Declaration", "8:3 Definition", "8:38 Mention"];
    check(find("n = if", 0), &n, Some("subrange [0, 3] of int"));
    check(find("pre n", 0) + 5, &n, Some("subrange [0, 3] of int"));
    check(find("count", 0), &["6:6 Declaration", "14:7 Mention"], None);
    check(find("colour", 1), &["1:6 Declaration", "11:14 Mention"], Some("colour"));
    check(find("Red", 1), &["1:22 Declaration", "14:17 Mention"], Some("colour"));
    check(find("limit", 0), &["2:27 Mention", "3:7 Declaration", "15:13 Mention"], Some("int"));
    check(
        find("small", 2),
        &["2:6 Declaration", "6:37 Mention", "12:8 Mention"],
        Some("subrange [0, 3] of int"),
    );
}

#[test]
fn what_is_around_a_position() {
    let checked = check_text(PROGRAM);
    let index = Index::new(&checked.analysis);
    let program = checked.analysis.program();
    let at = |byte| index.at(FileId(0), byte);
    let inside = at(find("<= limit", 0));
    let (span, ty) = inside.expression.unwrap();
    assert_eq!(checked.sources.text(span), "k <= limit");
    assert_eq!(program.show_type(&ty), "bool");
    assert_eq!(&*program.node(inside.node.unwrap()).name, "main");
    assert_eq!(inside.name, None);
    let call = at(find("count(c", 0)).call.unwrap();
    let main = program.node(program.node_named("main").unwrap());
    assert_eq!(checked.sources.text(main.calls[call.index()].span), "count(c = Red)");
    assert_eq!(at(find("assert", 0)).part, Some(Part::Assertion(0)));
    assert_eq!(at(find("check", 0)).part, Some(Part::Property(0)));
    assert_eq!(at(find("-- Counts", 0)).node, None);
    assert_eq!(checked.sources.text(main.header), "node main(c: colour) returns (ok: bool);");
    assert!(checked.sources.text(main.body).starts_with("let\n  k"));
    assert!(checked.sources.text(main.whole).ends_with("tel"));
    assert!(main.whole.covers(main.header) && main.whole.covers(main.body));
}

/// Words of the language that are names elsewhere.
const WORDS: &str = "subrange of enum check floor struct forall exists any imported con noc weakly assume \
                     guarantee mode require ensure reachable invariant provided from within at \
                     subtype condact activate every initial default restart merge current \
                     uint8 uint16 uint32 int8 int16 int32 uint sint lsh rsh frame fi elsif last choose sqrt \
                     when end cond otherwise switch do done reset automaton state until unless \
                     continue resume initially in map red fill fillred fold boolred Lustre iplus \
                     plus impl iminus with datatype match _ case on external \
                     extern unsafe open Mathext inlined r \
                     requires ensures clock prototype C lib m fun mapi foldi mapfold set";

/// In a program without errors, every name that is an identifier and no word of
/// the language is in the index. (Not yet the names of contract nodes and of packages.)
#[test]
fn every_name_of_the_corpus_is_in_the_index() {
    for (name, text) in corpus() {
        let checked = check_text(&text);
        let contract = |d: &ast::Declaration| matches!(d, ast::Declaration::Contract(_));
        let packages = checked.ast.declarations().any(|(_, d)| d.name().name.contains("::"));
        if !checked.errors.is_empty()
            || packages
            || checked.ast.declarations().any(|(_, d)| contract(d))
        {
            continue;
        }
        let index = Index::new(&checked.analysis);
        let file = FileId(0);
        for token in tokenize(file, &text, &mut lustral_syntax::Diagnostics::new()) {
            let word = &text[token.span.range()];
            let reserved = WORDS.split(' ').any(|reserved| reserved == word);
            if token.kind != TokenKind::Identifier || reserved {
                continue;
            }
            let found = index.name_at(file, token.span.start);
            assert_eq!(found.map(|p| p.span), Some(token.span), "{name}: {word}");
            assert!(index.declaration(found.unwrap().thing).is_some(), "{name}: {word}");
        }
    }
}

/// What is broken elsewhere does not keep names from being found.
#[test]
fn names_are_found_in_broken_programs() {
    let broken = PROGRAM.replace("k <= limit", "k <= + limit");
    let checked = check_text(&broken);
    assert_eq!(checked.errors.len(), 1, "{checked}");
    let index = Index::new(&checked.analysis);
    let byte = broken.find("k = count").unwrap() as u32;
    let name = index.name_at(FileId(0), byte).unwrap();
    assert_eq!(name.role, PlaceRole::Definition);
    assert_eq!(places(&checked, &index, name.thing), ["12:5 Declaration", "14:3 Definition"]);
}
