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
        if begins_contract_line(rest) {
            self.at += 3;
            return Some(TokenKind::ContractLine);
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
        // One sign is an annotation's; more are a slip.
        let after_sign = text.trim_start_matches(['%', '!']);
        let signs = text.len() - after_sign.len();
        let signed = signs > 0;
        let words = after_sign.trim_start_matches([' ', '\t']);
        let apart = words.len() < after_sign.len();
        let length = words.find(|c: char| !is_word(c)).unwrap_or(words.len());
        let (word, after) = words.split_at(length);
        let levels = WORDS.iter().map(|(word, _)| *word);
        let stating = ANNOTATIONS.iter().map(|(word, _)| *word).chain(["DIALECT"]);
        let foreign = FOREIGN.iter().map(|(word, _)| *word);
        let known = stating.clone().chain(levels).chain(foreign);
        let meant = match signed {
            // After a blank it may be prose.
            true if apart => known.into_iter().find(|known| word == *known),
            // Whatever is written in this way is meant for some tool; not all are ours.
            true => {
                let begun = |known: &&str| word.len() >= SHORTEST && known.starts_with(word);
                let begun = known.clone().find(begun);
                begun.or_else(|| similar(word, known))
            }
            // Prose has such words too; a statement ends as one.
            false => {
                let states = match word {
                    "MAIN" => after.trim().is_empty(),
                    _ if word.eq_ignore_ascii_case("PROPERTY") && word != "PROPERTY" => {
                        is_expression(after)
                    }
                    _ => after.trim_end().ends_with(';'),
                };
                let same = |known: &&str| {
                    word == *known || *known == "PROPERTY" && word.eq_ignore_ascii_case(known)
                };
                states.then(|| stating.into_iter().find(same)).flatten()
            }
        };
        let foreign = FOREIGN.iter().find(|(word, _)| Some(*word) == meant).map(|(_, help)| *help);
        let at_once = signs == 1 && text.len() == body.len() && !apart && foreign.is_none();
        let Some(meant) = meant.filter(|meant| !(at_once && word == *meant)) else { return };
        let help = foreign.map_or_else(
            || format!("an annotation is written `{opening}{meant}`"),
            ToString::to_string,
        );
        let end = start + 2 + (body.len() - words.len()) + length;
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        self.diagnostics.push(
            Diagnostic::warning(
                Code::MisspeltAnnotation,
                span,
                "this is a comment without an effect",
            )
            .help(help),
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

const CONTRACT: &str = "contract";

/// What a line of a contract can say: `--@ requires e;`.
pub(crate) const LINES: [&str; 4] = ["assume", "guarantee", "requires", "ensures"];

/// Whether the text after `--` is a line of a contract that can be read: what follows is read
/// as usual. `--@ contract` by itself only begins one.
fn begins_contract_line(rest: &str) -> bool {
    let Some(line) = rest.strip_prefix('@').and_then(|rest| rest.lines().next()) else {
        return false;
    };
    let line = line.trim();
    let word = &line[..line.find(|c: char| !is_word(c)).unwrap_or(line.len())];
    LINES.contains(&word) || line == CONTRACT
}

/// What is written like an annotation and is none here, with what does the same.
const FOREIGN: [(&str, &str); 6] = [
    ("IVC", "what a proof needs is shown with the option `--ivc`"),
    ("SUPPORT", "what a proof needs is shown with the option `--ivc`"),
    ("ASSERT", "an assertion is a statement, `assert e;`, and no comment"),
    ("ASSUME", "an assumption is a statement, `assume e;`, and no comment"),
    ("GUARANTEE", "a guarantee is a statement, `guarantee e;`, and no comment"),
    ("CHECK", "a property is a statement, `check e;`, or an annotation, `--%PROPERTY e;`"),
];

/// Operators that are words.
const OPERATORS: [&str; 20] = [
    "and", "or", "xor", "not", "pre", "fby", "if", "then", "else", "when", "current", "div", "mod",
    "nor", "forall", "exists", "let", "in", "true", "false",
];

/// Whether the rest of a comment, with a colon before it perhaps, is the expression of a statement and not prose: it
/// ends with a semicolon, and no two names in it follow one another.
fn is_expression(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix(':').unwrap_or(text);
    let Some(text) = text.strip_suffix(';') else { return false };
    let mut after_name = false;
    let mut names = 0;
    for part in text.split_whitespace() {
        let begins = part.starts_with(|c: char| is_word(c));
        if after_name && begins && !OPERATORS.contains(&part) {
            return false;
        }
        names += usize::from(begins);
        after_name = part.ends_with(is_word) && !OPERATORS.contains(&part);
    }
    names > 0
}

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
        // `(*@contract` is one word, with or without a blank; what else follows `@` is the
        // contract itself.
        '@' => {
            let blank = rest.len() - rest.trim_start().len();
            let is_word =
                rest[blank..].strip_prefix(CONTRACT).is_some_and(|r| !r.starts_with(is_word));
            Some((TokenKind::Contract, if is_word { 1 + blank + CONTRACT.len() } else { 1 }))
        }
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
            ("--%%PROPERTY ok;", "`--%PROPERTY`"),
            ("--%!PROPERTY ok;", "`--%PROPERTY`"),
            ("--Property : ok;", "`--%PROPERTY`"),
            ("-- property ok;", "`--%PROPERTY`"),
            ("-- property not a or b => pre c;", "`--%PROPERTY`"),
            ("--%check ok;", "`check e;`"),
            ("--%ASERT x > 0;", "`assert e;`"),
            ("--%ASSERT x > 0;", "`assert e;`"),
            ("--%SUPORT x;", "`--ivc`"),
            ("--%IVC x, y;", "`--ivc`"),
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
            "-- property",
            "-- property of the year;",
            "-- property x holds;",
            "-- property: see below",
            "-- Properties of the valve;",
            "-- check ok;",
            "-- 50 %% of it;",
            "--%% main loop",
            "-- assert x;",
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
