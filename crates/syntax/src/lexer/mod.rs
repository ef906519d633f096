//! From text to tokens. Never fails: what is no token becomes a diagnostic.
//!
//! Comments are `-- …` and `// …` to the end of the line, `(* … *)` and `/* … */`
//! (neither nests). A property or a main mark inside another comment is a comment.
//! What stands in a comment that is an annotation or a contract is read as usual,
//! with comments of its own, to [`TokenKind::Close`].

mod comments;
mod foreign;

use std::fmt::Write;

pub(crate) use comments::LINES;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::dialect::{Dialect, Reading, Wish};
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Token, TokenKind};

/// The tokens of a text, ending with [`TokenKind::End`].
pub fn tokenize(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let lexed = lex(file, text, Wish::default());
    lexed.diagnostics.iter().for_each(|d| diagnostics.push(d.clone()));
    lexed.tokens
}

/// The tokens of a file as text, one a line, for people and for snapshot tests.
#[must_use]
pub fn show_tokens(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> String {
    let text = &sources.file(file).text;
    let mut shown = String::new();
    for token in tokenize(file, text, diagnostics) {
        let place = sources.line_column(token.span);
        let word = &text[token.span.range()];
        let _ = writeln!(shown, "{}:{} {:?} {word:?}", place.line, place.column, token.kind);
    }
    shown
}

/// All that a text is made of.
pub(crate) struct Lexed {
    /// The tokens, ending with [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The places of the comments that are no annotations.
    pub comments: Vec<Span>,
    /// Where a comment begins that is never closed: what follows is not read.
    pub unread: Option<Span>,
    /// The dialect that the file is written in, and whether the text leaves no
    /// doubt of it.
    pub dialect: Reading,
    pub diagnostics: Diagnostics,
}

/// The tokens of a text. The operators of its dialect are those of Lustre then;
/// what `wish` says is heard where the text says nothing else.
pub(crate) fn lex(file: FileId, text: &str, wish: Wish) -> Lexed {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        comments: Vec::new(),
        unread: None,
        annotation: None,
        mark: None,
        wish,
        diagnostics: Diagnostics::new(),
    };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    // A byte order mark is no part of the program.
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    loop {
        let token = lexer.next();
        // An unknown character has its diagnostic; the parser need not see it.
        if token.kind != TokenKind::Unknown {
            tokens.push(token);
        }
        if token.kind == TokenKind::End {
            let sign = sign_of_lustrec(text, &tokens);
            let dialect = wish.reading(lexer.mark, sign.is_some());
            if let Some(Sign::Operator(place)) = sign
                && dialect.written().is_none()
                && wish.surroundings != Some(Dialect::Lustrec)
            {
                lexer.warn_of_sign(place);
            }
            lexer.settle_foreign(&mut tokens, dialect.dialect);
            let Lexer { comments, unread, diagnostics, .. } = lexer;
            return Lexed { tokens, comments, unread, dialect, diagnostics };
        }
    }
}

/// What says that a text is lustrec's.
enum Sign {
    /// `#open`
    Library,
    /// This operator. Who writes it may not know that it says so.
    Operator(Span),
}

/// What the text has that only lustrec knows: `#open`, `!=`, or an operator of C beside its
/// automata (`state A:`) or flows that it declares as clocks (`c: bool clock`). Of these two by
/// themselves it is not said who else may have them one day.
fn sign_of_lustrec(text: &str, tokens: &[Token]) -> Option<Sign> {
    let is_word = |token: &Token, word| {
        token.kind == TokenKind::Identifier && &text[token.span.range()] == word
    };
    let first = |kinds: &[TokenKind]| {
        tokens.iter().find(|t| kinds.contains(&t.kind)).map(|t| Sign::Operator(t.span))
    };
    let opens = |pair: &[Token]| pair[0].kind == TokenKind::Hash && is_word(&pair[1], "open");
    let declares = |three: &[Token]| {
        let state = is_word(&three[0], "state")
            && three[1].kind == TokenKind::Identifier
            && three[2].kind == TokenKind::Colon;
        let clock = three[0].kind == TokenKind::Colon && is_word(&three[2], "clock");
        state || clock
    };
    if tokens.windows(2).any(opens) {
        return Some(Sign::Library);
    }
    first(&[TokenKind::BangEqual]).or_else(|| {
        first(&[TokenKind::DoubleAmpersand, TokenKind::DoubleBar])
            .filter(|_| tokens.windows(3).any(declares))
    })
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    comments: Vec<Span>,
    unread: Option<Span>,
    /// The annotation in a block comment that is being read: where it begins, and
    /// what ends it.
    annotation: Option<(usize, &'static str)>,
    /// The dialect that `--%DIALECT` names.
    mark: Option<Dialect>,
    wish: Wish,
    diagnostics: Diagnostics,
}

impl Lexer<'_> {
    fn byte(&self, offset: usize) -> u8 {
        // 0 stands for the end: a NUL in the text is an unknown character anyway.
        self.text.as_bytes().get(self.at + offset).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn next(&mut self) -> Token {
        loop {
            let start = self.at;
            let kind = match self.byte(0) {
                _ if self.closes_annotation() => TokenKind::Close,
                0 if self.at >= self.text.len() => TokenKind::End,
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => {
                    self.at += 1;
                    continue;
                }
                b'-' | b'(' | b'/' if self.begins_comment() => match self.skip_comment() {
                    Some(kind) => kind,
                    None => {
                        self.comment(start);
                        continue;
                    }
                },
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
                b'0'..=b'9' => self.number(),
                b'.' if self.byte(1).is_ascii_digit() => self.number(),
                b'"' => self.string(),
                _ => self.symbol(),
            };
            return Token { kind, span: self.span(start) };
        }
    }

    fn word(&mut self) -> TokenKind {
        let start = self.at;
        let part = |byte| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'\'');
        // JKind's names may have `~` and `!` inside.
        while part(self.byte(0)) || matches!(self.byte(0), b'~' | b'!') && part(self.byte(1)) {
            self.at += 1;
        }
        TokenKind::keyword(&self.text[start..self.at]).unwrap_or(TokenKind::Identifier)
    }

    /// `12`, `0x1f`, `1.5`, `1.`, `.5`, `1e-3`, `1.5E10`; but `1..2` is a range.
    fn number(&mut self) -> TokenKind {
        let start = self.at;
        let mut kind = TokenKind::Integer;
        let radix = match (self.byte(0), self.byte(1)) {
            (b'0', b'x' | b'X') => 16,
            (b'0', b'o' | b'O') => 8,
            (b'0', b'b' | b'B') => 2,
            _ => 10,
        };
        if radix != 10 && (self.byte(2) as char).is_digit(radix) {
            self.at += 2;
            while (self.byte(0) as char).is_digit(radix) {
                self.at += 1;
            }
            return self.end_of_number(start, kind);
        }
        self.digits();
        if self.byte(0) == b'.' && self.byte(1) != b'.' {
            kind = TokenKind::Decimal;
            self.at += 1;
            self.digits();
        }
        if matches!(self.byte(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
            if self.byte(1 + sign).is_ascii_digit() {
                kind = TokenKind::Decimal;
                self.at += 1 + sign;
                self.digits();
            }
        }
        self.end_of_number(start, kind)
    }

    /// What a number is; with a letter or a digit too many it is no number.
    fn end_of_number(&mut self, start: usize, kind: TokenKind) -> TokenKind {
        if self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' {
            self.word();
            let span = self.span(start);
            self.diagnostics.push(
                Diagnostic::error(Code::Syntax, span, "a name cannot begin with a digit")
                    .help("put an operator between the number and the name, or rename it"),
            );
            return TokenKind::Identifier;
        }
        kind
    }

    fn digits(&mut self) {
        while self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
    }

    /// A text in quotes; it ends at the end of the line at the latest.
    fn string(&mut self) -> TokenKind {
        let start = self.at;
        let body = &self.text[start + 1..];
        // A name may go on in the next line. What ends a statement is no part of it then:
        // where a text is never closed, no more than its line is lost.
        let closed = body.find('"').filter(|length| {
            let inside = &body[..*length];
            !inside.contains('\n') || !inside.contains(';')
        });
        match closed {
            Some(length) => self.at += length + 2,
            None => {
                self.at += 1 + body.find('\n').unwrap_or(body.len());
                let span = self.span(start);
                self.diagnostics.push(
                    Diagnostic::error(Code::Syntax, span, "this text is never closed")
                        .help("close it with `\"` on the same line"),
                );
            }
        }
        TokenKind::String
    }

    /// Whether this is the second of `<<`, behind which an operator may follow: `<<=, 3>>`.
    fn opens_statics(&self) -> bool {
        let before = &self.text[..self.at];
        before.ends_with('<') && !before.ends_with("<<")
    }

    /// Whether the `?` here is that of `C?(e)`, and not that of `c ? a : b`.
    fn begins_test(&self) -> bool {
        let before = self.text.as_bytes()[..self.at].last().copied().unwrap_or(0);
        let follows = self.text[self.at + 1..].trim_start();
        (before.is_ascii_alphanumeric() || matches!(before, b'_' | b'\''))
            && follows.starts_with('(')
    }

    fn symbol(&mut self) -> TokenKind {
        let (kind, length) = match (self.byte(0), self.byte(1)) {
            (b'-', b'>') => (TokenKind::Arrow, 2),
            (b'=', b'>') => (TokenKind::Implies, 2),
            (b'<', _) if self.opens_statics() => (TokenKind::Less, 1),
            (b'<', b'>') => (TokenKind::NotEqual, 2),
            (b'<', b'=') => (TokenKind::LessEqual, 2),
            (b'>', b'=') => (TokenKind::GreaterEqual, 2),
            (b'.', b'.') => (TokenKind::DotDot, 2),
            (b':', b'=') => (TokenKind::Becomes, 2),
            (b'\'', b'(') => (TokenKind::Quote, 1),
            (b'\'', b'a'..=b'z' | b'A'..=b'Z' | b'_') => (TokenKind::Quote, 1),
            (b'%', _) => (TokenKind::Percent, 1),
            (b'+', b'+') => (TokenKind::PlusPlus, 2),
            (b'&', b'&') => (TokenKind::DoubleAmpersand, 2),
            (b'|', b'|') => (TokenKind::DoubleBar, 2),
            (b'=', b'=') if self.byte(2) == b'>' => (TokenKind::LazyImplies, 3),
            (b'=', b'=') => (TokenKind::DoubleEqual, 2),
            (b'!', b'=') => (TokenKind::BangEqual, 2),
            (b':', b':') => (TokenKind::DoubleColon, 2),
            (b'&', _) => (TokenKind::Ampersand, 1),
            (b'!', _) => (TokenKind::Bang, 1),
            (b'(', _) => (TokenKind::LeftParen, 1),
            (b')', _) => (TokenKind::RightParen, 1),
            (b'[', _) => (TokenKind::LeftBracket, 1),
            (b']', _) => (TokenKind::RightBracket, 1),
            (b'{', _) => (TokenKind::LeftBrace, 1),
            (b'}', _) => (TokenKind::RightBrace, 1),
            (b';', _) => (TokenKind::Semicolon, 1),
            (b':', _) => (TokenKind::Colon, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b'.', _) => (TokenKind::Dot, 1),
            (b'=', _) => (TokenKind::Equal, 1),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'*', _) => (TokenKind::Star, 1),
            (b'/', _) => (TokenKind::Slash, 1),
            (b'#', _) => (TokenKind::Hash, 1),
            (b'^', _) => (TokenKind::Caret, 1),
            (b'|', _) => (TokenKind::Bar, 1),
            (b'@', _) => (TokenKind::At, 1),
            (b'?', _) if self.begins_test() => (TokenKind::Question, 1),
            _ => return self.unknown(),
        };
        self.at += length;
        kind
    }

    /// A run of characters that begin no token, as one diagnostic.
    fn unknown(&mut self) -> TokenKind {
        let start = self.at;
        for c in self.text[start..].chars() {
            let known = c.is_ascii_whitespace()
                || c.is_ascii_alphanumeric()
                || "_()[]{};:,.=<>+-*/#^|@&!%\"".contains(c);
            if known {
                break;
            }
            self.at += c.len_utf8();
        }
        let span = self.span(start);
        let shown: String =
            self.text[start..self.at].chars().take(8).flat_map(char::escape_debug).collect();
        let help = match &self.text[start..self.at] {
            "?" => "write `if c then a else b` for `c ? a : b`",
            _ => "names are made of the letters a to z and A to Z, digits, `_` and `'`",
        };
        let what =
            if self.text[start..self.at].chars().count() == 1 { "character" } else { "characters" };
        self.diagnostics.push(
            Diagnostic::error(
                Code::Syntax,
                span,
                format!("no part of Lustre begins with the {what} `{shown}`"),
            )
            .help(help),
        );
        TokenKind::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> (Vec<TokenKind>, usize) {
        let mut diagnostics = Diagnostics::new();
        let tokens = tokenize(FileId(0), text, &mut diagnostics);
        (tokens.iter().map(|t| t.kind).collect(), diagnostics.errors())
    }

    #[test]
    fn comments_hide_properties_and_annotations_do_not() {
        use TokenKind::{Candidate, End, Identifier, Main, Property, Semicolon};
        assert_eq!(kinds("--%PROPERTY x;").0, [Property, Identifier, Semicolon, End]);
        assert_eq!(kinds("--!PROPERTY x;").0, [Property, Identifier, Semicolon, End]);
        assert_eq!(kinds("--%MAIN").0, [Main, End]);
        assert_eq!(kinds("--!CANDIDATE x;").0, [Candidate, Identifier, Semicolon, End]);
        assert_eq!(kinds("--%CANDIDATES x;").0, [End]);
        assert_eq!(kinds("-- --%PROPERTY x;").0, [End]);
        assert_eq!(kinds("(* --%PROPERTY x; *)").0, [End]);
        assert_eq!(kinds("/* --%MAIN\n */").0, [End]);
        assert_eq!(kinds("---%PROPERTY x;").0, [End]);
        assert_eq!(kinds("-- %PROPERTY x;").0, [End]);
        assert_eq!(kinds("--%PROPERTIES x;").0, [End]);
    }

    #[test]
    fn numbers() {
        use TokenKind::{Decimal, DotDot, End, Integer};
        assert_eq!(
            kinds("1 1.5 1. .5 1e3 1.5E-10"),
            (vec![Integer, Decimal, Decimal, Decimal, Decimal, Decimal, End], 0)
        );
        assert_eq!(kinds("1..2"), (vec![Integer, DotDot, Integer, End], 0));
        assert_eq!(kinds("0x1F 0b101 0o17"), (vec![Integer, Integer, Integer, End], 0));
        assert_eq!(kinds("1abc").1, 1);
        assert_eq!(kinds("0x1g").1, 1);
        assert_eq!(kinds("0b12").1, 1);
    }

    #[test]
    fn operators_of_other_languages_are_named_and_understood() {
        use TokenKind::*;
        for (text, kind, meant) in [
            ("&&", And, "`and`"),
            ("&", And, "`and`"),
            ("||", Or, "`or`"),
            ("==", Equal, "`=`"),
            ("!=", NotEqual, "`<>`"),
            ("!", Not, "`not`"),
        ] {
            // Kind 2 has some of them for machine integers.
            let wish = Wish { option: Some(Dialect::V6), ..Wish::default() };
            let lexed = lex(FileId(0), &format!("a {text} b"), wish);
            let kinds: Vec<TokenKind> = lexed.tokens.iter().map(|t| t.kind).collect();
            assert_eq!(kinds, [Identifier, kind, Identifier, End], "{text}");
            let found = lexed.diagnostics.sorted();
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].help.as_ref().is_some_and(|h| h.contains(meant)), "{text}");
        }
        assert_eq!(kinds("a <= b => c = d").1, 0);
        let of_bits = [DoubleAmpersand, DoubleBar, Bang, Identifier, End];
        assert_eq!(kinds("&& || ! a"), (of_bits.to_vec(), 0));
    }

    #[test]
    fn what_is_no_token_is_one_diagnostic() {
        assert_eq!(kinds("x \u{1f600}\u{1f600} y").1, 1);
        assert_eq!(kinds("x \0 y").1, 1);
        assert_eq!(kinds("(* never").1, 1);
        assert_eq!(kinds("\"never").1, 1);
        assert_eq!(kinds("\u{feff}node"), (vec![TokenKind::Node, TokenKind::End], 0));
    }
}
