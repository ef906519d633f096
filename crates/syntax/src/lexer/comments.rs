//! Comments, and the annotations and contracts that are written as comments.

use lustral_base::similar;

use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::lexer::Lexer;
use crate::lint::WORDS;
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
        let start = self.at;
        let rest = &self.text[start + 2..];
        if let Some((kind, length)) =
            annotation(rest).filter(|(kind, _)| *kind != TokenKind::Contract)
        {
            self.at += 2 + length;
            return Some(kind);
        }
        let mark = rest.strip_prefix(['%', '!']).and_then(|text| text.strip_prefix("DIALECT"));
        if let Some(words) = mark.filter(|words| !words.starts_with(is_word)) {
            self.dialect_mark(words);
        }
        self.skip_line();
        self.perhaps_meant(start, &self.text[start + 2..self.at], "--%");
        rest.starts_with('@').then_some(TokenKind::ContractLine)
    }

    /// Warns of a comment that was perhaps meant as an annotation, which would be left out
    /// without a word otherwise: `--%PROPRETY`, `-- %PROPERTY`, `--PROPERTY x;`.
    fn perhaps_meant(&mut self, start: usize, body: &str, opening: &str) {
        let text = body.trim_start_matches([' ', '\t']);
        let signed = text.strip_prefix(['%', '!']);
        let after_sign = signed.unwrap_or(text);
        let words = after_sign.trim_start_matches([' ', '\t']);
        let apart = words.len() < after_sign.len();
        let length = words.find(|c: char| !is_word(c)).unwrap_or(words.len());
        let (word, after) = words.split_at(length);
        let levels = WORDS.iter().map(|(word, _)| *word);
        let stating = ANNOTATIONS.iter().map(|(word, _)| *word).chain(["DIALECT"]);
        let known = stating.clone().chain(levels);
        let meant = match signed {
            // After a blank it may be prose.
            Some(_) if apart => known.into_iter().find(|known| word == *known),
            // Whatever is written in this way is meant for some tool; not all are ours.
            Some(_) => {
                let begun = |known: &&str| word.len() >= SHORTEST && known.starts_with(word);
                let begun = known.clone().find(begun);
                begun.or_else(|| similar(word, known))
            }
            // Prose has such words too; a statement ends as one.
            None => {
                let states = word == "MAIN" && after.trim().is_empty()
                    || word != "MAIN" && after.trim_end().ends_with(';');
                states.then(|| stating.into_iter().find(|known| word == *known)).flatten()
            }
        };
        let at_once = signed.is_some() && text.len() == body.len() && !apart;
        let Some(meant) = meant.filter(|meant| !(at_once && word == *meant)) else { return };
        let end = start + 2 + (body.len() - words.len()) + length;
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        self.diagnostics.push(
            Diagnostic::warning(
                Code::MisspeltAnnotation,
                span,
                "this is a comment without an effect",
            )
            .help(format!("an annotation is written `{opening}{meant}`")),
        );
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
        let Some(length) = self.length_of_comment(body, close) else {
            self.at = start + 2;
            let begin = self.span(start);
            self.at = self.text.len();
            self.unread = Some(self.span(start));
            self.annotation = None;
            self.never_closed(begin, close);
            return None;
        };
        self.at += 2 + length + close.len();
        let opening = format!("{}%", &self.text[start..start + 2]);
        self.perhaps_meant(start, &body[..length], &opening);
        None
    }
}

/// The fewest letters of a word that is taken for the beginning of another.
const SHORTEST: usize = 4;

impl Lexer<'_> {
    /// How long the text of a comment is. In Heptagon comments are nested, as in OCaml.
    fn length_of_comment(&self, body: &str, close: &str) -> Option<usize> {
        let heptagon = self.wish.reading(self.mark, false).dialect == Dialect::Heptagon;
        if !heptagon || close != "*)" {
            return body.find(close);
        }
        let (mut at, mut depth) = (0, 1);
        loop {
            let end = at + body[at..].find(close)?;
            match body[at..end].find("(*") {
                Some(inner) => {
                    depth += 1;
                    at += inner + 2;
                }
                None => {
                    depth -= 1;
                    at = end + close.len();
                }
            }
            if depth == 0 {
                return Some(end);
            }
        }
    }
}

/// The words of annotations.
const ANNOTATIONS: [(&str, TokenKind); 4] = [
    ("PROPERTY", TokenKind::Property),
    ("CANDIDATE", TokenKind::Candidate),
    ("MAIN", TokenKind::Main),
    ("REALIZABLE", TokenKind::Realizable),
];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The annotation or contract that the text after `--` or `(*` begins, and the length of
/// its first word.
fn annotation(body: &str) -> Option<(TokenKind, usize)> {
    let sign = body.chars().next()?;
    let rest = &body[sign.len_utf8()..];
    let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let word = &rest[..length];
    match sign {
        // `(*@contract` is one word; what else follows `@` is the contract itself.
        '@' => Some((TokenKind::Contract, if word == "contract" { 1 + length } else { 1 })),
        '%' | '!' => {
            let known = ANNOTATIONS.iter().find(|(known, _)| *known == word);
            known.map(|(_, kind)| (*kind, 1 + length))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Diagnostics;
    use crate::lexer::tokenize;
    use crate::source::FileId;

    /// The help of the one warning, if there is a warning.
    fn warned(text: &str) -> Option<String> {
        let mut diagnostics = Diagnostics::new();
        tokenize(FileId(0), text, &mut diagnostics);
        let mut found = diagnostics.sorted();
        assert!(found.len() < 2, "{text}");
        found.pop().and_then(|warning| warning.help.clone())
    }

    #[test]
    fn comments_that_were_perhaps_annotations() {
        for (text, meant) in [
            ("--%PROPRETY x;", "`--%PROPERTY`"),
            ("--%PROPERTIES x;", "`--%PROPERTY`"),
            ("--%property x;", "`--%PROPERTY`"),
            ("-- %PROPERTY x;", "`--%PROPERTY`"),
            ("--% PROPERTY x;", "`--%PROPERTY`"),
            ("--%PROP x;", "`--%PROPERTY`"),
            ("--%ALOW x;", "`--%ALLOW`"),
            ("--\t!PROPERTY x;", "`--%PROPERTY`"),
            ("--PROPERTY x;", "`--%PROPERTY`"),
            ("-- PROPERTY x; ", "`--%PROPERTY`"),
            ("--MAIN", "`--%MAIN`"),
            ("--%MIAN", "`--%MAIN`"),
            ("--%DIALCT v6", "`--%DIALECT`"),
            ("(* %PROPERTY x; *)", "`(*%PROPERTY`"),
            ("(*PROPERTY x;*)", "`(*%PROPERTY`"),
            ("/*%PROPRETY x; */", "`/*%PROPERTY`"),
        ] {
            let help = warned(text).unwrap_or_default();
            assert!(help.contains(meant), "{text}: {help}");
        }
    }

    #[test]
    fn comments_that_are_comments() {
        for text in [
            "--%PROPERTY x;",
            "--%MAIN",
            "--%DIALECT v6",
            "-- --%PROPERTY x;",
            "---%PROPERTY x;",
            "-- PROPERTY of the year",
            "-- MAIN loop",
            "-- main",
            "-- property x;",
            "--%IVC x, y;",
            "--! k: v;",
            "-- 100 %",
            "--% main loop",
            "--%PRO x;",
            "--%ALLOW dead-node;",
            "-- ALLOW it;",
            "(* (*%PROPERTY x; *)",
            "(* % *)",
        ] {
            assert_eq!(warned(text), None, "{text}");
        }
    }
}
