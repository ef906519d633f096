//! From tokens to a tree. Total: it returns a tree for every text, and a
//! diagnostic for every part that it had to skip.

mod candidates;
mod declarations;
mod expressions;
mod unsupported;

use std::collections::HashSet;
use std::sync::Arc;

pub use candidates::parse_candidates;

use crate::ast::{Ident, Program};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::lexer::tokenize;
use crate::loader::Loader;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Token, TokenKind};

/// Parses a file and all that it includes.
pub fn parse_program(
    sources: &mut SourceMap,
    main: FileId,
    loader: &dyn Loader,
    diagnostics: &mut Diagnostics,
) -> Program {
    let mut program = Program::default();
    let mut names = HashSet::new();
    let mut included = HashSet::new();
    let main_name = sources.file(main).name.clone();
    if let Ok(itself) = loader.load("", &main_name) {
        included.insert(itself.identity);
    }
    // Files still to be parsed; an include adds to the end, so no recursion.
    let mut pending = std::collections::VecDeque::from([main]);
    while let Some(file) = pending.pop_front() {
        let text = sources.file(file).text.clone();
        let tokens = tokenize(file, &text, diagnostics);
        let mut parser = Parser {
            text: &text,
            tokens,
            at: 0,
            names: &mut names,
            program: &mut program,
            diagnostics,
            includes: Vec::new(),
        };
        parser.file();
        let includes = std::mem::take(&mut parser.includes);
        for include in includes {
            let from = sources.file(file).name.clone();
            match loader.load(&from, &include.name) {
                Ok(loaded) if loaded.text.len() > SourceMap::LARGEST => {
                    diagnostics.push(Diagnostic::error(
                        Code::Include,
                        include.span,
                        "the included file is too large",
                    ))
                }
                Ok(loaded) => {
                    if included.insert(loaded.identity) {
                        pending.push_back(sources.add(loaded.name, loaded.text));
                    }
                }
                Err(error) => diagnostics.push(
                    Diagnostic::error(
                        Code::Include,
                        include.span,
                        format!("cannot include `{}`", include.name),
                    )
                    .label(error.0),
                ),
            }
        }
    }
    program
}

/// A part could not be parsed; the diagnostic is already there.
pub(crate) struct Skipped;

pub(crate) type Parsed<T> = Result<T, Skipped>;

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    names: &'a mut HashSet<Arc<str>>,
    program: &'a mut Program,
    diagnostics: &'a mut Diagnostics,
    includes: Vec<Ident>,
}

impl Parser<'_> {
    fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn peek_after(&self, offset: usize) -> TokenKind {
        self.tokens.get(self.at + offset).map_or(TokenKind::End, |t| t.kind)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The place of the token just taken.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn word(&self) -> &str {
        &self.text[self.span().range()]
    }

    /// Whether a word that only some places reserve stands here.
    fn is_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Identifier && self.word() == word
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.names.insert(name.clone());
        name
    }

    fn ident_of(&mut self, token: Token) -> Ident {
        let text = self.text;
        Ident { name: self.intern(&text[token.span.range()]), span: token.span }
    }

    /// What stands here, for a message.
    fn found(&self) -> String {
        match self.peek() {
            TokenKind::Identifier | TokenKind::Integer | TokenKind::Decimal | TokenKind::String => {
                let word = self.word();
                if word.len() > 40 {
                    self.peek().describe().to_string()
                } else {
                    format!("`{word}`")
                }
            }
            kind => kind.describe().to_string(),
        }
    }

    fn fail<T>(&mut self, expected: &str, help: Option<&str>) -> Parsed<T> {
        let message = format!("expected {expected}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(Code::Syntax, self.span(), message);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.diagnostics.push(diagnostic);
        Err(Skipped)
    }

    fn expect(&mut self, kind: TokenKind, context: &str) -> Parsed<Token> {
        if self.peek() == kind {
            return Ok(self.bump());
        }
        let expected = format!("{} {context}", kind.describe());
        // A forgotten `;` is best shown where it belongs: after the last token.
        if kind == TokenKind::Semicolon && self.at > 0 {
            let end = self.last_span();
            let place = Span { start: end.end, end: end.end, ..end };
            let message = format!("expected {expected}, found {}", self.found());
            self.diagnostics.push(
                Diagnostic::error(Code::Syntax, place, message)
                    .also(self.span(), "unexpected")
                    .help("add a `;` here"),
            );
            return Err(Skipped);
        }
        self.fail(&expected, None)
    }

    fn ident(&mut self, context: &str) -> Parsed<Ident> {
        if self.peek() == TokenKind::Identifier {
            let token = self.bump();
            return Ok(self.ident_of(token));
        }
        let keyword = TokenKind::keyword(self.word()).is_some();
        let expected = format!("a name {context}");
        self.fail(&expected, keyword.then_some("this word is reserved: choose another name"))
    }

    /// Skips a bracketed group that begins here, whatever is in it.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Semicolon | TokenKind::Tel | TokenKind::End if depth == 0 => return,
                TokenKind::Let | TokenKind::Tel | TokenKind::Node | TokenKind::End => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }
}
