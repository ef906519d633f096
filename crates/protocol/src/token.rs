//! Tokens of the language, and the text cut into them.

use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Diagnostics, FileId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A name that is no word of the language.
    Name,
    /// A word of the language.
    Word,
    /// An annotation: `@` and a name.
    Annotation,
    /// An operator or a parenthesis.
    Sign,
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// The words of the language; no name is one of them.
pub const WORDS: [&str; 41] = [
    "any",
    "assert",
    "assume",
    "automaton",
    "axiom",
    "constant",
    "definition",
    "derived",
    "distinct",
    "else",
    "exists",
    "false",
    "forall",
    "function",
    "global",
    "if",
    "immutable",
    "in",
    "init",
    "invariant",
    "let",
    "modifies",
    "mutable",
    "new",
    "old",
    "onestate",
    "phase",
    "relation",
    "safety",
    "sat",
    "self",
    "sketch",
    "sort",
    "then",
    "theorem",
    "trace",
    "transition",
    "true",
    "twostate",
    "unsat",
    "zerostate",
];

/// The signs, longer ones first.
const SIGNS: [&str; 20] = [
    "<->", "->", "!=", ":=", "(", ")", "[", "]", "{", "}", ".", ":", ";", "!", "|", "=", ",", "&",
    "*", "@",
];

/// Cuts a text into tokens; the last is [`Kind::End`]. What fits nothing is left out and said.
pub fn tokenize<'t>(text: &'t str, file: FileId, found: &mut Diagnostics) -> Vec<Token<'t>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let (kind, length) = match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            byte if begins_name(byte) => {
                let length = name_length(&bytes[at..]);
                let is_word = WORDS.contains(&&text[at..at + length]);
                (if is_word { Kind::Word } else { Kind::Name }, length)
            }
            b'@' if bytes.get(at + 1).is_some_and(|b| in_annotation(*b)) => {
                let rest = bytes[at + 1..].iter();
                (Kind::Annotation, 1 + rest.take_while(|b| in_annotation(**b)).count())
            }
            _ => match SIGNS.iter().find(|sign| text[at..].starts_with(**sign)) {
                Some(sign) => (Kind::Sign, sign.len()),
                None => {
                    at += text[at..].chars().next().map_or(1, char::len_utf8);
                    found.push(strange(text, file, start, at));
                    continue;
                }
            },
        };
        at += length;
        let span = Span { file, start: start as u32, end: at as u32 };
        tokens.push(Token { kind, text: &text[start..at], span });
    }
    let end = text.len() as u32;
    let span = Span { file, start: end, end };
    tokens.push(Token { kind: Kind::End, text: "", span });
    tokens
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn name_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

fn in_annotation(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// A character that begins no token.
fn strange(text: &str, file: FileId, start: usize, end: usize) -> Diagnostic {
    let span = Span { file, start: start as u32, end: end as u32 };
    let shown = &text[start..end];
    let diagnostic =
        Diagnostic::error(Code::Syntax, span, format!("`{shown}` means nothing in a protocol"));
    match shown {
        "/" => diagnostic.help("comments begin with `#`"),
        "<" | ">" => diagnostic.help("sorts have no order: declare a relation, and axioms of it"),
        "~" => diagnostic.help("negation is written `!`"),
        "\u{2200}" => diagnostic.help("write `forall`"),
        "\u{2203}" => diagnostic.help("write `exists`"),
        _ if shown.chars().all(char::is_numeric) => {
            diagnostic.help("there are no numbers: declare a constant")
        }
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_what_is_none() {
        let mut found = Diagnostics::new();
        let text = "axiom X!=y<->p # all\n@a-b ~7";
        let tokens = tokenize(text, FileId(0), &mut found);
        let texts: Vec<&str> = tokens.iter().map(|t| t.text).collect();
        assert_eq!(texts, ["axiom", "X", "!=", "y", "<->", "p", "@a-b", ""]);
        assert_eq!(tokens[0].kind, Kind::Word);
        assert_eq!(found.errors(), 2);
    }
}
