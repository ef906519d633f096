//! Names of two programs that become one: which declarations they share, and how those of the
//! second that differ are called.
//!
//! A program in which *every* occurrence of a name is replaced by another one, which occurs nowhere,
//! means the same, whatever the name stands for at each of its places. So names are replaced in the
//! text, token by token, and nobody has to know what they mean. What words of the language do that are
//! names elsewhere is seen to: the text must still have the tree that it had ([`Renaming::keeps`]).

use std::collections::{BTreeMap, BTreeSet};

use lustral_syntax::ast::{Declaration, Program, TypeKind};
use lustral_syntax::lexer::tokenize;
use lustral_syntax::printer::{print_declaration, print_program};
use lustral_syntax::token::TokenKind;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};

/// A declaration as text, with the names that it declares.
pub(super) struct Declared {
    pub names: Vec<String>,
    pub text: String,
}

/// The declarations of a program.
pub(super) fn declarations(program: &Program) -> Vec<Declared> {
    let one = |(exprs, declaration): (_, &Declaration)| {
        let mut text = String::new();
        print_declaration(exprs, declaration, &mut text);
        Declared { names: declared(declaration), text }
    };
    program.declarations().map(|(tree, d)| one((&tree.exprs, d))).collect()
}

/// The names that a declaration declares.
fn declared(declaration: &Declaration) -> Vec<String> {
    let mut names = vec![declaration.name().name.to_string()];
    if let Declaration::Type(d) = declaration {
        match &d.definition.kind {
            TypeKind::Enum(values) => names.extend(values.iter().map(|v| v.name.to_string())),
            TypeKind::Data(makers) => names.extend(makers.iter().map(|m| m.name.name.to_string())),
            _ => {}
        }
    }
    names
}

/// The names that occur in a text.
pub(super) fn words(text: &str) -> BTreeSet<&str> {
    places(text).into_iter().map(|range| &text[range]).collect()
}

/// Where names stand in a text.
fn places(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut sources = SourceMap::new();
    let file = sources.add("", text);
    let tokens = tokenize(file, text, &mut Diagnostics::new());
    let names = tokens.iter().filter(|token| token.kind == TokenKind::Identifier);
    names.map(|token| token.span.range()).collect()
}

/// The texts of declarations that both programs have, and in which no name stands that they declare
/// differently: these are the same thing in both. (Names are looked at by themselves, so that a
/// declaration may be left out that could be shared; then there are two of it.)
pub(super) fn shared(old: &[Declared], new: &[Declared]) -> BTreeSet<String> {
    let texts = |list: &[Declared]| list.iter().map(|d| d.text.clone()).collect::<BTreeSet<_>>();
    let mut shared: BTreeSet<String> = texts(old).intersection(&texts(new)).cloned().collect();
    loop {
        let others = old.iter().chain(new).filter(|d| !shared.contains(&d.text));
        let differ: BTreeSet<&str> =
            others.flat_map(|d| d.names.iter().map(String::as_str)).collect();
        let keep = |text: &String| words(text).is_disjoint(&differ);
        let kept: BTreeSet<String> = shared.iter().filter(|text| keep(text)).cloned().collect();
        if kept.len() == shared.len() {
            return shared;
        }
        shared = kept;
    }
}

/// New names for some.
#[derive(Default)]
pub(super) struct Renaming {
    names: BTreeMap<String, String>,
}

impl Renaming {
    /// Names that occur nowhere for the names that the second program declares for itself.
    pub fn new(
        new: &[Declared],
        shared: &BTreeSet<String>,
        taken: &mut BTreeSet<String>,
    ) -> Renaming {
        let own = new.iter().filter(|d| !shared.contains(&d.text)).flat_map(|d| &d.names);
        Renaming { names: own.map(|name| (name.clone(), fresh(name, taken))).collect() }
    }

    /// A text with the new names.
    pub fn of(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for range in places(text) {
            if let Some(new) = self.names.get(&text[range.clone()]) {
                out.push_str(&text[at..range.start]);
                out.push_str(new);
                at = range.end;
            }
        }
        out.push_str(&text[at..]);
        out
    }

    /// Whether the program has the same tree with the new names: none of them was a word
    /// of the language at one of its places.
    pub fn keeps(&self, program: &Program) -> bool {
        let renamed = self.of(&print_program(program));
        let mut sources = SourceMap::new();
        let file = sources.add("", renamed.clone());
        let mut diagnostics = Diagnostics::new();
        let again = parse_program(&mut sources, file, &NoFiles, &mut diagnostics);
        !diagnostics.has_errors() && print_program(&again) == renamed
    }
}

/// A name that is not taken, for something of the new version.
pub(super) fn fresh(name: &str, taken: &mut BTreeSet<String>) -> String {
    untaken(format!("{name}_new"), taken)
}

/// A name that is not taken.
pub(super) fn untaken(mut name: String, taken: &mut BTreeSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}
