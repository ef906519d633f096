//! From text to tree: a parser by recursive descent that always returns a tree, and says what is
//! wrong with the text. After a mistake it goes on at the next declaration.
//!
//! The grammar is that of mypyvy's protocols: a declaration ends where the next begins.

mod declarations;
mod expressions;

use lustral_base::similar;
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::ast::{Binder, Name, Tree};
use crate::token::{Kind, Token, WORDS, tokenize};

/// Parses a file.
pub fn parse(sources: &SourceMap, file: FileId, found: &mut Diagnostics) -> Tree {
    let text = sources.file(file).text.clone();
    let tokens = tokenize(&text, file, found);
    let mut parser = Parser { tokens, at: 0, depth: 0, found };
    let mut tree = Tree::default();
    while parser.peek().kind != Kind::End {
        let start = parser.at;
        match parser.declaration() {
            Ok(declaration) => tree.declarations.push(declaration),
            Err(Wrong) => parser.skip_to_declaration(start),
        }
    }
    tree
}

/// A mistake that was said.
struct Wrong;

type Parsed<T> = Result<T, Wrong>;

struct Parser<'t, 'd> {
    tokens: Vec<Token<'t>>,
    at: usize,
    /// How deep the expression is that is being parsed.
    depth: usize,
    found: &'d mut Diagnostics,
}

/// The words that begin a declaration.
const BEGINNINGS: [&str; 17] = [
    "sort",
    "mutable",
    "immutable",
    "derived",
    "axiom",
    "init",
    "transition",
    "safety",
    "invariant",
    "sketch",
    "zerostate",
    "onestate",
    "twostate",
    "theorem",
    "sat",
    "unsat",
    "definition",
];

impl<'t> Parser<'t, '_> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this word or sign.
    fn is(&self, text: &str) -> bool {
        let token = self.peek();
        matches!(token.kind, Kind::Word | Kind::Sign) && token.text == text
    }

    /// Takes this word or sign if it is next.
    fn take(&mut self, text: &str) -> Option<Span> {
        self.is(text).then(|| self.next().span)
    }

    /// Takes this word or sign, which must be next.
    fn expect(&mut self, text: &str, why: &str) -> Parsed<Span> {
        match self.take(text) {
            Some(span) => Ok(span),
            None => Err(self.unexpected(&format!("expected `{text}` {why}"))),
        }
    }

    /// Takes a name, which must be next.
    fn name(&mut self, of: &str) -> Parsed<Name> {
        let token = self.peek();
        if token.kind == Kind::Name {
            self.next();
            return Ok(Name { text: token.text.to_string(), span: token.span });
        }
        let diagnostic = self.about_next(&format!("expected the name of {of}"));
        let help = format!("`{}` is a word of the language: take another name", token.text);
        self.found.push(if token.kind == Kind::Word && WORDS.contains(&token.text) {
            diagnostic.help(help)
        } else {
            diagnostic
        });
        Err(Wrong)
    }

    /// One or more of something, separated by commas.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![one(self)?];
        while self.take(",").is_some() {
            list.push(one(self)?);
        }
        Ok(list)
    }

    /// A variable or parameter, perhaps with its sort.
    fn binder(&mut self, of: &str) -> Parsed<Binder> {
        let name = self.name(of)?;
        let sort = self.take(":").map(|_| self.name("a sort")).transpose()?;
        Ok(Binder { name, sort })
    }

    fn about_next(&self, message: &str) -> Diagnostic {
        let token = self.peek();
        let shown = if token.kind == Kind::End {
            "the end of the text".to_string()
        } else {
            format!("`{}`", token.text)
        };
        let wrong =
            Diagnostic::error(Code::Syntax, token.span, format!("{message}, found {shown}"));
        match self.other_spelling() {
            Some(help) => wrong.help(help),
            None => wrong,
        }
    }

    /// What other languages call the operator that perhaps was meant by what is next.
    fn other_spelling(&self) -> Option<&'static str> {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let joined = before.is_some_and(|before| before.span.end == self.peek().span.start);
        match (self.peek().text, before.map(|before| before.text)) {
            ("and", _) => Some("and is written `&`"),
            ("or", _) => Some("or is written `|`"),
            ("implies", _) => Some("implication is written `->`"),
            ("iff", _) => Some("equivalence is written `<->`"),
            ("=", Some("=")) if joined => Some("equality is written `=`"),
            _ => None,
        }
    }

    fn unexpected(&mut self, message: &str) -> Wrong {
        let diagnostic = self.about_next(message);
        self.found.push(diagnostic);
        Wrong
    }

    fn wrong(&mut self, diagnostic: Diagnostic) -> Wrong {
        self.found.push(diagnostic);
        Wrong
    }

    /// Goes on where the next declaration may begin.
    fn skip_to_declaration(&mut self, start: usize) {
        self.depth = 0;
        // What was no declaration where it stood is none now.
        if self.at == start {
            self.next();
        }
        while self.peek().kind != Kind::End {
            let token = self.peek();
            let begins = token.kind == Kind::Word && BEGINNINGS.contains(&token.text);
            // `assert init` in a trace is none.
            let before = self.at.checked_sub(1).map(|at| self.tokens[at].text);
            if begins && !matches!(before, Some("assert" | "any")) {
                return;
            }
            self.next();
        }
    }

    /// The word that was perhaps meant.
    fn meant<'w>(&self, words: &[&'w str]) -> Option<&'w str> {
        similar(self.peek().text, words.iter().copied())
    }
}
