//! Constructs that only show where the parser cannot go on: what stands there, and before
//! it, tells which they are, and what to write instead. Names that they use as words stay
//! names everywhere else.

use crate::diagnostic::Diagnostic;
use crate::parser::Parser;
use crate::token::TokenKind;

/// What is not supported, in the plural, and what to write.
type Foreign = (&'static str, &'static str);

/// Iterators of SCADE, whose names stand before that of an operator.
const ITERATORS: [&str; 10] =
    ["map", "fold", "mapfold", "mapi", "foldi", "mapfoldi", "mapw", "foldw", "mapwi", "foldwi"];

/// The most tokens that are looked at for the name of an operator.
const BACK: usize = 12;

impl Parser<'_> {
    /// What is not supported and stands where a syntax error would be reported.
    pub(in crate::parser) fn foreign(&self) -> Option<Diagnostic> {
        let (what, help) = self.foreign_word().or_else(|| self.foreign_sign())?;
        Some(Diagnostic::unsupported(self.span(), what).help(help))
    }

    /// The text of the token that stands some tokens before this one.
    fn word_before(&self, offset: usize) -> &str {
        let token = self.at.checked_sub(offset).map(|at| self.tokens[at]);
        token.map_or("", |token| &self.text[token.span.range()])
    }

    fn kind_before(&self, offset: usize) -> TokenKind {
        self.at.checked_sub(offset).map_or(TokenKind::End, |at| self.tokens[at].kind)
    }

    fn foreign_word(&self) -> Option<Foreign> {
        let name_follows = self.peek_after(1) == TokenKind::Identifier;
        let (before, next) = (self.word_before(1), self.peek_after(1));
        if self.peek() == TokenKind::Fby && next == TokenKind::LeftParen {
            return Some((
                "delays by a number of steps, `fby(x; n; i)`,",
                "write a `fby` for each step: `i fby (i fby x)` for two",
            ));
        }
        if self.peek() == TokenKind::Semicolon && before == "auto" {
            return Some(("proof hints such as `auto`", "leave it out"));
        }
        if matches!(before, "float64" | "float32" | "float") {
            return Some(("floating-point numbers", "write `real`, whose arithmetic is exact"));
        }
        if self.peek() != TokenKind::Identifier {
            return None;
        }
        Some(match self.word() {
            "lemma" if name_follows => (
                "lemmas",
                "state it as a property of the node that needs it: `check …;`, which proofs use",
            ),
            "with" if matches!(next, TokenKind::Dot | TokenKind::LeftBracket) => {
                ("updates by `with`", "write `p[x := 1]` or `a[0 := 3]`")
            }
            "times" => (
                "`times` expressions",
                "count in a flow: `n = (if b then 1 else 0) + (0 -> pre n);`, and `b and n = 3`",
            ),
            "foreach" => {
                ("array comprehensions with `foreach`", "define the array by index: `a[i] = …;`")
            }
            _ if ITERATORS.contains(&before) => (
                "iterators written as in SCADE",
                "write `map<<f, 3>>(a)`, with the operator and the size between `<<` and `>>`",
            ),
            _ if before == "make" => {
                ("`make` expressions", "write `t { x = 1; y = 2 }`, with the names of the fields")
            }
            _ if before == "flatten" => ("`flatten` expressions", "write `(r.x, r.y)`"),
            _ if before == "reverse" => (
                "`reverse` expressions",
                "define the array by index: `b[i] = a[n - 1 - i];` for n elements",
            ),
            _ => return None,
        })
    }

    fn foreign_sign(&self) -> Option<Foreign> {
        let (before, next) = (self.kind_before(1), self.peek_after(1));
        let named = before == TokenKind::Identifier;
        Some(match self.peek() {
            TokenKind::Star if before == TokenKind::Star => ("powers, `**`,", "multiply: `x * x`"),
            TokenKind::Greater if before == TokenKind::LeftBracket => (
                "elements at the nearest index, `a[>i<]`,",
                "write `if i < 0 then a[0] else if i < n then a[i] else a[n - 1]`",
            ),
            TokenKind::Dot if next == TokenKind::LeftBracket => (
                "elements with a default, `a.[i] default d`,",
                "write `if 0 <= i and i < n then a[i] else d`",
            ),
            TokenKind::Dot if next == TokenKind::Identifier && named => (
                "names with a `.`",
                "where a tool wrote the flow of a called node, give it a name such as `st0_y`; of a \
                 record, define and declare the whole",
            ),
            TokenKind::DoubleColon if named => (
                "names of packages, `P::f`,",
                "write the node `f` outside of a package, and its name alone",
            ),
            TokenKind::Less if before == TokenKind::Identifier && self.is_instance_of_node() => (
                "nodes that are others with types, `node g = f<int>;`,",
                "call `f@<int>(x)` where `g` is called, or `f(x)`: types are found by themselves",
            ),
            TokenKind::LeftParen if self.closes_operator() => (
                "operators with two lists of arguments, `map(f)(a)`,",
                "write `map<<f, 3>>(a)`, `boolred<<0, 1, 3>>(a)`, with what is known before the \
                 program runs between `<<` and `>>`",
            ),
            TokenKind::Semicolon if (2..BACK).any(|i| self.word_before(i) == "transpose") => {
                ("`transpose` expressions", "define the array by index: `b[i][j] = a[j][i];`")
            }
            _ => return None,
        })
    }

    /// Whether `map(f)`, `boolred(0, 1, 3)` or `mapfold<<3>>(f)` stands before.
    fn closes_operator(&self) -> bool {
        let mut depth = 0usize;
        for offset in 1..BACK {
            match self.kind_before(offset) {
                TokenKind::RightParen => depth += 1,
                TokenKind::LeftParen if depth == 1 => {
                    let name = self.word_before(offset + 1);
                    return ITERATORS.contains(&name)
                        || ["red", "fill", "fillred", "boolred"].contains(&name)
                        || self.kind_before(offset + 1) == TokenKind::Greater;
                }
                _ if depth == 0 => return false,
                TokenKind::LeftParen => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Whether `node g = f` stands before.
    fn is_instance_of_node(&self) -> bool {
        self.kind_before(2) == TokenKind::Equal
            && matches!(self.kind_before(4), TokenKind::Node | TokenKind::Function)
    }
}
