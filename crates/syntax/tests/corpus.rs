//! The parser is total, and the printer is its inverse, on the programs of the
//! whole project's tests and on texts made of them.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use lustral_syntax::lexer::tokenize;
use lustral_syntax::printer::print_program;
use lustral_syntax::token::TokenKind;
use lustral_syntax::{Diagnostics, FileId, NoFiles, Program, SourceMap, parse_program};
use proptest::prelude::*;

fn programs() -> Vec<(String, String)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lustral/tests");
    let mut paths: Vec<PathBuf> = ["cases", "programs", "unsupported"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "lus"))
        .collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    paths.iter().map(read).collect()
}

fn parse(text: &str) -> (Program, Diagnostics) {
    let mut sources = SourceMap::new();
    let main = sources.add("test.lus", text);
    let mut diagnostics = Diagnostics::new();
    let program = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    (program, diagnostics)
}

#[track_caller]
fn printing_is_stable(text: &str) {
    let (program, diagnostics) = parse(text);
    if diagnostics.has_errors() {
        return;
    }
    let printed = print_program(&program);
    let (again, complaints) = parse(&printed);
    assert!(!complaints.has_errors(), "{printed}");
    assert_eq!(print_program(&again), printed);
}

/// All places of a tree are in the text, operands inside of their users' node.
fn places_are_in_the_text(text: &str) {
    let (program, diagnostics) = parse(text);
    let inside = |span: lustral_syntax::Span| {
        assert!(span.start <= span.end && text.get(span.range()).is_some(), "{span:?} of {text}");
    };
    diagnostics.iter().for_each(|d| inside(d.primary.span));
    for (tree, node) in program.nodes() {
        [node.span, node.header, node.body, node.name.span].into_iter().for_each(inside);
        assert!(node.span.covers(node.header) && node.span.covers(node.body), "{text}");
        tree.comments.iter().for_each(|c| inside(*c));
        tree.gaps.iter().for_each(|g| inside(g.span));
    }
}

#[test]
fn printing_the_corpus_is_stable() {
    let all = programs();
    assert!(all.len() > 80, "the programs are not where they were");
    all.iter().for_each(|(_, text)| printing_is_stable(text));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Tokens of a program, some left out, doubled, exchanged or cut off.
    #[test]
    fn any_text_has_a_tree(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5usize), 1..6),
        separator in prop::sample::select(vec![" ", "\n", "\t--x\n"]),
    ) {
        let all = programs();
        let (_, text) = which.get(&all);
        let tokens = tokenize(FileId(0), text, &mut Diagnostics::new());
        let words = tokens.iter().filter(|t| t.kind != TokenKind::End);
        let mut words: Vec<&str> = words.map(|t| &text[t.span.range()]).collect();
        for (at, other, edit) in edits {
            if words.is_empty() {
                break;
            }
            let (at, other) = (at.index(words.len()), other.index(words.len()));
            match edit {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                2 => words[at] = words[other],
                3 => words.swap(at, other),
                _ => words.truncate(at + 1),
            }
        }
        let mutant = words.join(separator);
        places_are_in_the_text(&mutant);
        printing_is_stable(&mutant);
    }

    #[test]
    fn any_characters_have_a_tree(text in "[a-c0-2 .,;:=<>()\\[\\]{}+*/#|@\"'%!\n\u{e9}-]{0,80}") {
        places_are_in_the_text(&text);
        printing_is_stable(&text);
    }
}
