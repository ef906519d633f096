//! From tokens to a tree. Total: it returns a tree for every text, a diagnostic
//! for every part that it had to skip, and a gap for what that part may have said.
//!
//! A file is parsed by itself ([`parse_file`]); which files are a program is
//! the business of [`crate::program`].

mod declarations;
mod data;
mod types;
mod nodes;
mod external;
mod packages;
mod contracts;
mod variables;
mod body;
mod blocks;
mod choices;
mod scade;
mod statements;
mod frames;
mod automata;
mod binders;
mod expressions;
mod structures;
mod statics;
mod machine;
mod clocks;
mod dialects;
mod candidates;
mod unsupported;

use std::sync::Arc;

use rustc_hash::FxHashSet;

pub use candidates::parse_candidates;

use crate::ast::{
    Contract, Declaration, Exprs, Gap, GapKind, Ident, Include, Item, NodeGaps, Tree,
};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::dialect::Wish;
use crate::lexer::{Lexed, lex};
use crate::source::{FileId, Span};
use crate::token::{Token, TokenKind};
use packages::Packages;

/// Parses the text of one file; of its dialect, `wish` is what is known.
#[must_use]
pub fn parse_file(file: FileId, text: &Arc<str>, wish: Wish) -> Tree {
    let mut lexed = lex(file, text, wish);
    let comments = std::mem::take(&mut lexed.comments);
    let mut parser = Parser::new(text, lexed);
    parser.file();
    let Parser { exprs, declarations, includes, gaps, diagnostics, .. } = parser;
    let text = text.clone();
    Tree { file, text, wish, declarations, exprs, includes, comments, gaps, diagnostics }
}

/// A part could not be parsed; the diagnostic is already there.
pub(crate) struct Skipped;

pub(crate) type Parsed<T> = Result<T, Skipped>;

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// The end of the text was not read, which has its diagnostic.
    cut_short: bool,
    names: FxHashSet<Arc<str>>,
    exprs: Exprs,
    declarations: Vec<Declaration>,
    includes: Vec<Include>,
    gaps: Vec<Gap>,
    /// The gaps of the node that is being parsed.
    node_gaps: NodeGaps,
    /// The header of the node ended without `;`, as in Heptagon and Vélus.
    terse_header: bool,
    /// How many blocks are open.
    depth: usize,
    /// What is parsed stands in a `reset` block.
    in_reset: bool,
    /// The nodes of the file that have the name of an operator on clocks.
    own: FxHashSet<&'a str>,
    /// The last values that declarations of flows give, until they become a part of a body.
    lasts: Vec<Item>,
    /// Contracts that stand before the node which they are about.
    said_before: Vec<Contract>,
    /// How many types stand around what is being parsed.
    types_around: usize,
    packages: Packages,
    /// The token at which something was wrong last.
    wrong: Option<usize>,
    diagnostics: Diagnostics,
}

/// The most tokens after a mistake that are looked at for the end of a record.
const LONGEST_RECORD: usize = 200;

impl<'a> Parser<'a> {
    fn new(text: &'a str, lexed: Lexed) -> Parser<'a> {
        let gap = |span| Gap { kind: GapKind::Text, span };
        let tokens = packages::join_names(text, lexed.tokens);
        let own = own_nodes(text, &tokens);
        Parser {
            text,
            tokens,
            at: 0,
            cut_short: lexed.unread.is_some(),
            names: FxHashSet::default(),
            exprs: Exprs::new(lexed.dialect),
            declarations: Vec::new(),
            includes: Vec::new(),
            gaps: lexed.unread.map(gap).into_iter().collect(),
            node_gaps: NodeGaps::default(),
            terse_header: false,
            depth: 0,
            in_reset: false,
            own,
            lasts: Vec::new(),
            said_before: Vec::new(),
            types_around: 0,
            packages: Packages::new(),
            wrong: None,
            diagnostics: lexed.diagnostics,
        }
    }

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

    /// What stands some tokens on.
    fn word_after(&self, offset: usize) -> &str {
        self.tokens.get(self.at + offset).map_or("", |token| &self.text[token.span.range()])
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
        self.complain(diagnostic);
        Err(Skipped)
    }

    /// Reports what is wrong here, once for each token, and not that the text
    /// ends where an unclosed comment began.
    fn complain(&mut self, diagnostic: Diagnostic) {
        let known = self.wrong.replace(self.at) == Some(self.at);
        let unread = self.cut_short && self.peek() == TokenKind::End;
        if !known && !unread {
            let plain = diagnostic.code == Code::Syntax;
            let foreign = if plain { self.foreign() } else { None };
            self.diagnostics.push(foreign.unwrap_or(diagnostic));
        }
    }

    /// Whether the token that stands here is the first of its line.
    fn begins_line(&self) -> bool {
        let between = self.last_span().end as usize..self.span().start as usize;
        self.at == 0 || self.text[between].contains('\n')
    }

    /// Notes what could not be read, from a place to the last token taken.
    fn gap(&mut self, kind: GapKind, start: Span) {
        let span = if self.last_span().end > start.start {
            start.to(self.last_span())
        } else {
            Span { end: start.start, ..start }
        };
        self.gaps.push(Gap { kind, span });
    }

    /// A name that is missing here.
    fn missing(&mut self) -> Ident {
        let span = self.span();
        Ident { name: self.intern(""), span: Span { end: span.start, ..span } }
    }

    /// Whether a declaration begins here, or the text ends.
    fn at_declaration(&self) -> bool {
        match self.peek() {
            TokenKind::Node | TokenKind::Function => self.at_node(),
            TokenKind::Type => self.peek_after(1) == TokenKind::Identifier,
            TokenKind::Const => {
                self.peek_after(1) == TokenKind::Identifier && !self.constants_inside()
            }
            TokenKind::End => true,
            TokenKind::Identifier => {
                self.is_word("include") && self.peek_after(1) == TokenKind::String
                    || self.begins_line() && (self.at_contract_node() || self.at_data_type())
                    || self.begins_line() && (self.at_external() || self.at_open())
                    || self.begins_line() && self.at_marked_node()
                    || self.at_fun()
                    || self.at_package()
                    || self.at_package_end()
                    || self.at_visibility()
            }
            _ => false,
        }
    }

    /// Whether the word `node` or `function` that stands here begins one, and is
    /// not a mistake in the middle of something else.
    fn at_node(&self) -> bool {
        use TokenKind::{Colon, Comma, Equal, Semicolon, Tel};
        let after = matches!(self.tokens[self.at.saturating_sub(1)].kind, Tel | Semicolon);
        (after || self.begins_line())
            && !matches!(self.peek_after(1), Equal | Comma)
            && (!matches!(self.peek_after(2), Equal | Comma | Colon | Semicolon) || self.at_alias())
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
            let diagnostic = Diagnostic::error(Code::Syntax, place, message);
            let unexpected = self.span();
            let help = self.meant_operator().unwrap_or_else(|| "add a `;` here".into());
            self.complain(diagnostic.also(unexpected, "unexpected").help(help));
            return Err(Skipped);
        }
        self.fail(&expected, None)
    }

    /// What to write for an operator of another language that stands here.
    fn meant_operator(&self) -> Option<String> {
        let operators = ["and", "or", "xor", "div", "mod", "fby", "when"];
        match self.peek() {
            TokenKind::Percent => Some("write `mod` for the remainder".into()),
            TokenKind::Identifier => {
                let word = self.word().to_ascii_lowercase();
                operators.contains(&&*word).then(|| format!("write `{word}`"))
            }
            _ => None,
        }
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

    /// Whether the `;` that stands here is one between the fields of a record, or its updates:
    /// the next bracket that matches no other after it closes something.
    fn is_inside_brackets(&self) -> bool {
        let mut depth = 0usize;
        for ahead in 1..LONGEST_RECORD {
            match self.peek_after(ahead) {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    match depth.checked_sub(1) {
                        Some(less) => depth = less,
                        None => return true,
                    }
                }
                TokenKind::Let | TokenKind::Tel | TokenKind::Node | TokenKind::End => return false,
                _ => {}
            }
        }
        false
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

/// The nodes of a file that have the name of an operator on clocks: where there is one, the
/// name before a `(` is a call.
fn own_nodes<'a>(text: &'a str, tokens: &[Token]) -> FxHashSet<&'a str> {
    let declared = tokens.windows(2).filter(|pair| {
        matches!(pair[0].kind, TokenKind::Node | TokenKind::Function)
            && pair[1].kind == TokenKind::Identifier
    });
    let names = declared.map(|pair| &text[pair[1].span.range()]);
    names
        .filter(|name| ["condact", "current", "inlined", "merge", "reset"].contains(name))
        .collect()
}
