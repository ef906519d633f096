//! Comments, and the annotations and contracts that are written as comments.

use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::lexer::Lexer;
use crate::source::Span;
use crate::token::TokenKind;

impl Lexer<'_> {
    /// Notes the place of a comment that was just read.
    pub(super) fn comment(&mut self, start: usize) {
        let mut span = self.span(start);
        // The end of the line is no part of the comment, whatever ends lines here.
        if self.text[span.range()].ends_with('\r') {
            span.end -= 1;
        }
        self.comments.push(span);
    }

    pub(super) fn begins_comment(&self) -> bool {
        matches!((self.byte(0), self.byte(1)), (b'-', b'-') | (b'(', b'*') | (b'/', b'*' | b'/'))
    }

    /// A comment, unless it is an annotation.
    pub(super) fn skip_comment(&mut self) -> Option<TokenKind> {
        match self.byte(0) {
            b'(' => self.block_comment("*)"),
            b'/' if self.byte(1) == b'*' => self.block_comment("*/"),
            b'/' => {
                self.skip_line();
                None
            }
            _ => self.line_comment(),
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Whether the annotation that is being read ends here; passes its end.
    pub(super) fn closes_annotation(&mut self) -> bool {
        let Some((start, close)) = self.annotation else { return false };
        if self.text[self.at..].starts_with(close) {
            self.at += close.len();
            self.annotation = None;
            return true;
        }
        if self.at >= self.text.len() {
            // The end of the text is read once.
            self.annotation = None;
            let begin = Span { file: self.file, start: start as u32, end: start as u32 + 2 };
            self.never_closed(begin, close);
        }
        false
    }

    fn never_closed(&mut self, begin: Span, close: &str) {
        self.diagnostics.push(
            Diagnostic::error(Code::Syntax, begin, "this comment is never closed")
                .label("begins here")
                .help(format!("close it with `{close}`")),
        );
    }

    /// A comment to the end of the line, unless it is an annotation.
    fn line_comment(&mut self) -> Option<TokenKind> {
        let rest = &self.text[self.at + 2..];
        if let Some(annotation) = rest.strip_prefix('%').or_else(|| rest.strip_prefix('!')) {
            let word = annotation.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            let kind = match word {
                Some("PROPERTY") => Some((TokenKind::Property, "--%PROPERTY".len())),
                Some("CANDIDATE") => Some((TokenKind::Candidate, "--%CANDIDATE".len())),
                Some("MAIN") => Some((TokenKind::Main, "--%MAIN".len())),
                Some("REALIZABLE") => Some((TokenKind::Realizable, "--%REALIZABLE".len())),
                _ => None,
            };
            if let Some((kind, length)) = kind {
                self.at += length;
                return Some(kind);
            }
            if word == Some("DIALECT") {
                self.dialect_mark(&annotation["DIALECT".len()..]);
            }
            if let Some(word) = word
                && ["property", "candidate", "main", "realizable", "dialect"]
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known) && word != known.to_uppercase())
            {
                let start = self.at as u32;
                let span = Span { file: self.file, start, end: start + 3 + word.len() as u32 };
                let right = word.to_uppercase();
                self.diagnostics.push(
                    Diagnostic::warning(Code::Unused, span, "this is a comment without an effect")
                        .help(format!("an annotation is written in capitals: `--%{right}`")),
                );
            }
        }
        self.skip_line();
        rest.starts_with('@').then_some(TokenKind::ContractLine)
    }

    /// `--%DIALECT name`
    fn dialect_mark(&mut self, rest: &str) {
        let line = rest.lines().next().unwrap_or_default();
        let name = line.trim().trim_end_matches(';').trim();
        let start = self.at as u32;
        let end = start + 3 + ("DIALECT".len() + line.len()) as u32;
        let span = Span { file: self.file, start, end };
        match Dialect::named(name) {
            Some(dialect) if self.mark.is_none_or(|before| before == dialect) => {
                self.mark = Some(dialect);
            }
            Some(_) => self.diagnostics.push(Diagnostic::error(
                Code::Dialect,
                span,
                "a file has one dialect, and this is another than before",
            )),
            None => self.diagnostics.push(
                Diagnostic::error(Code::Dialect, span, format!("there is no dialect `{name}`"))
                    .help(format!("the dialects are {}", Dialect::list())),
            ),
        }
    }

    /// A comment, unless it is an annotation or a contract: of these, the beginning.
    fn block_comment(&mut self, close: &'static str) -> Option<TokenKind> {
        let start = self.at;
        let body = &self.text[start + 2..];
        // Inside of an annotation there are comments only.
        if self.annotation.is_none()
            && let Some((kind, word)) = annotation(body)
        {
            self.at += 2 + word;
            self.annotation = Some((start, close));
            return Some(kind);
        }
        let Some(length) = body.find(close) else {
            self.at = start + 2;
            let begin = self.span(start);
            self.at = self.text.len();
            self.unread = Some(self.span(start));
            self.annotation = None;
            self.never_closed(begin, close);
            return None;
        };
        self.at += 2 + length + close.len();
        None
    }
}

/// The annotation or contract that the text after `(*` begins, and the length of its
/// first word.
fn annotation(body: &str) -> Option<(TokenKind, usize)> {
    let sign = body.chars().next()?;
    let rest = &body[sign.len_utf8()..];
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let word = &rest[..length];
    let kind = match (sign, word) {
        ('@', _) => TokenKind::Contract,
        ('%' | '!', "PROPERTY") => TokenKind::Property,
        ('%' | '!', "CANDIDATE") => TokenKind::Candidate,
        ('%' | '!', "MAIN") => TokenKind::Main,
        ('%' | '!', "REALIZABLE") => TokenKind::Realizable,
        _ => return None,
    };
    // `(*@contract` is one word; what else follows `@` is the contract itself.
    let contract = kind == TokenKind::Contract && word != "contract";
    Some((kind, if contract { 1 } else { 1 + length }))
}
