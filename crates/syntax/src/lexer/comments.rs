//! Comments, and the annotations and contracts that are written as comments.

use crate::diagnostic::{Code, Diagnostic};
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

    /// A comment to the end of the line, unless it is an annotation.
    pub(super) fn line_comment(&mut self) -> Option<TokenKind> {
        let rest = &self.text[self.at + 2..];
        if let Some(annotation) = rest.strip_prefix('%').or_else(|| rest.strip_prefix('!')) {
            let word = annotation.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            let kind = match word {
                Some("PROPERTY") => Some((TokenKind::Property, "--%PROPERTY".len())),
                Some("CANDIDATE") => Some((TokenKind::Candidate, "--%CANDIDATE".len())),
                Some("MAIN") => Some((TokenKind::Main, "--%MAIN".len())),
                _ => None,
            };
            if let Some((kind, length)) = kind {
                self.at += length;
                return Some(kind);
            }
            if let Some(word) = word
                && ["property", "candidate", "main"]
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known))
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
        self.at += 2 + rest.find('\n').unwrap_or(rest.len());
        rest.starts_with('@').then_some(TokenKind::Contract)
    }

    /// A comment, unless it is an annotation; of a contract that only has
    /// guarantees, the beginning.
    pub(super) fn block_comment(&mut self, close: &str) -> Option<TokenKind> {
        let start = self.at;
        let body = &self.text[start + 2..];
        match body.find(close) {
            Some(length) => self.at += 2 + length + 2,
            None => {
                self.at = start + 2;
                let span = self.span(start);
                self.at = self.text.len();
                self.unread = Some(self.span(start));
                self.diagnostics.push(
                    Diagnostic::error(Code::Syntax, span, "this comment is never closed")
                        .label("begins here")
                        .help(format!("close it with `{close}`")),
                );
                return None;
            }
        }
        if body.starts_with('@') {
            let contract = &body[..self.at - start - 4];
            if close == "*)" && only_guarantees(contract) {
                // What is inside is read as usual, to the `*` and `)` at its end.
                self.at = start + CONTRACT.len();
                return Some(TokenKind::Guarantees);
            }
            return Some(TokenKind::Contract);
        }
        if body.starts_with("%PROPERTY") || body.starts_with("!PROPERTY") {
            let span = self.span(start);
            self.diagnostics.push(
                Diagnostic::unsupported(span, "properties in block comments")
                    .help("write `check e;` or `--%PROPERTY e;`"),
            );
        } else if body.starts_with("%CANDIDATE") || body.starts_with("!CANDIDATE") {
            let span = self.span(start);
            self.diagnostics.push(
                Diagnostic::unsupported(span, "candidates in block comments")
                    .help("write `--%CANDIDATE e;`"),
            );
        } else if body.starts_with("%MAIN") || body.starts_with("!MAIN") {
            return Some(TokenKind::Main);
        }
        None
    }
}

/// How a contract begins.
const CONTRACT: &str = "(*@contract";

/// Whether the text of a contract has guarantees and nothing else.
fn only_guarantees(contract: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "assume",
        "weakly",
        "mode",
        "require",
        "ensure",
        "import",
        "var",
        "const",
        "assumption_vars",
    ];
    let Some(rest) = contract.strip_prefix(&CONTRACT[2..]) else { return false };
    let lines = rest.lines().map(|line| line.split("--").next().unwrap_or_default());
    let mut words = lines
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| !word.is_empty());
    rest.starts_with(char::is_whitespace)
        && words.next() == Some("guarantee")
        && words.all(|word| !OTHERS.contains(&word))
}
