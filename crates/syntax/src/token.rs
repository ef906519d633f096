//! Tokens.

use crate::source::Span;

/// What a token is. Words that only some places reserve (`check`, `include`,
/// `floor`, …) are identifiers here; the parser looks at their text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// A name.
    Identifier,
    /// A whole number.
    Integer,
    /// A number with a point or an exponent.
    Decimal,
    /// A text in double quotes.
    String,
    /// `--%PROPERTY` or `--!PROPERTY`
    Property,
    /// `--%CANDIDATE` or `--!CANDIDATE`
    Candidate,
    /// `--%MAIN` or `--!MAIN`
    Main,
    /// `--%REALIZABLE`
    Realizable,
    /// `(*@contract`, `/*@contract`: the beginning of a contract in a comment, which
    /// [`TokenKind::Close`] ends
    Contract,
    /// `--@…`: a line of a contract in a comment
    ContractLine,
    /// `*)` or `*/` after an annotation or a contract in a comment
    Close,
    /// `node`
    Node,
    /// `function`
    Function,
    /// `returns`
    Returns,
    /// `var`
    Var,
    /// `let`
    Let,
    /// `tel`
    Tel,
    /// `type`
    Type,
    /// `const`
    Const,
    /// `assert`
    Assert,
    /// `true`
    True,
    /// `false`
    False,
    /// `not`
    Not,
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `div`
    Div,
    /// `mod`
    Mod,
    /// `pre`
    Pre,
    /// `fby`
    Fby,
    /// `if`
    If,
    /// `then`
    Then,
    /// `else`
    Else,
    /// `when`
    When,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `::`
    DoubleColon,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=>`
    Implies,
    /// `==>`
    LazyImplies,
    /// `->`
    Arrow,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `#`
    Hash,
    /// `^`
    Caret,
    /// `|`
    Bar,
    /// `@`
    At,
    /// `?` right behind a name
    Question,
    /// `:=`
    Becomes,
    /// `'` before a parenthesis
    Quote,
    /// `%`
    Percent,
    /// `&`, of Heptagon
    Ampersand,
    /// `++`
    PlusPlus,
    /// `&&`: of bits; of truth values in C and lustrec
    DoubleAmpersand,
    /// `||`: of bits; of truth values in C and lustrec
    DoubleBar,
    /// `==`, of C
    DoubleEqual,
    /// `!=`, of C and lustrec
    BangEqual,
    /// `!`: of bits; of truth values in C
    Bang,
    /// Characters that no token begins with.
    Unknown,
    /// The end of the text.
    End,
}

impl TokenKind {
    /// The keyword that a word is, if any.
    #[must_use]
    pub fn keyword(word: &str) -> Option<TokenKind> {
        Some(match word {
            "node" => TokenKind::Node,
            "function" => TokenKind::Function,
            "returns" => TokenKind::Returns,
            "var" => TokenKind::Var,
            "let" => TokenKind::Let,
            "tel" => TokenKind::Tel,
            "type" => TokenKind::Type,
            "const" => TokenKind::Const,
            "assert" => TokenKind::Assert,
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "not" => TokenKind::Not,
            "and" => TokenKind::And,
            "or" => TokenKind::Or,
            "xor" => TokenKind::Xor,
            "div" => TokenKind::Div,
            "mod" => TokenKind::Mod,
            "pre" => TokenKind::Pre,
            "fby" => TokenKind::Fby,
            "if" => TokenKind::If,
            "then" => TokenKind::Then,
            "else" => TokenKind::Else,
            "when" => TokenKind::When,
            "bool" => TokenKind::Bool,
            "int" => TokenKind::Int,
            "real" => TokenKind::Real,
            _ => return None,
        })
    }

    /// Whether it is an operator that can be named without operands: `map<<+, 3>>`.
    #[must_use]
    pub fn is_symbol(self) -> bool {
        matches!(
            self,
            TokenKind::Not
                | TokenKind::And
                | TokenKind::Or
                | TokenKind::Xor
                | TokenKind::Implies
                | TokenKind::Equal
                | TokenKind::NotEqual
                | TokenKind::Less
                | TokenKind::LessEqual
                | TokenKind::Greater
                | TokenKind::GreaterEqual
                | TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Star
                | TokenKind::Slash
                | TokenKind::Div
                | TokenKind::Mod
                | TokenKind::Pre
                | TokenKind::Arrow
                | TokenKind::Fby
                | TokenKind::If
                | TokenKind::Hash
        )
    }

    /// How a message names it where it was expected.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            TokenKind::Identifier => "a name",
            TokenKind::Integer | TokenKind::Decimal => "a number",
            TokenKind::String => "a text in quotes",
            TokenKind::Property => "`--%PROPERTY`",
            TokenKind::Candidate => "`--%CANDIDATE`",
            TokenKind::Main => "`--%MAIN`",
            TokenKind::Realizable => "`--%REALIZABLE`",
            TokenKind::Contract => "a contract",
            TokenKind::ContractLine => "`--@`",
            TokenKind::Close => "the end of the comment",
            TokenKind::Node => "`node`",
            TokenKind::Function => "`function`",
            TokenKind::Returns => "`returns`",
            TokenKind::Var => "`var`",
            TokenKind::Let => "`let`",
            TokenKind::Tel => "`tel`",
            TokenKind::Type => "`type`",
            TokenKind::Const => "`const`",
            TokenKind::Assert => "`assert`",
            TokenKind::True => "`true`",
            TokenKind::False => "`false`",
            TokenKind::Not => "`not`",
            TokenKind::And => "`and`",
            TokenKind::Or => "`or`",
            TokenKind::Xor => "`xor`",
            TokenKind::Div => "`div`",
            TokenKind::Mod => "`mod`",
            TokenKind::Pre => "`pre`",
            TokenKind::Fby => "`fby`",
            TokenKind::If => "`if`",
            TokenKind::Then => "`then`",
            TokenKind::Else => "`else`",
            TokenKind::When => "`when`",
            TokenKind::Bool => "`bool`",
            TokenKind::Int => "`int`",
            TokenKind::Real => "`real`",
            TokenKind::LeftParen => "`(`",
            TokenKind::RightParen => "`)`",
            TokenKind::LeftBracket => "`[`",
            TokenKind::RightBracket => "`]`",
            TokenKind::LeftBrace => "`{`",
            TokenKind::RightBrace => "`}`",
            TokenKind::Semicolon => "`;`",
            TokenKind::Colon => "`:`",
            TokenKind::DoubleColon => "`::`",
            TokenKind::Comma => "`,`",
            TokenKind::Dot => "`.`",
            TokenKind::DotDot => "`..`",
            TokenKind::Equal => "`=`",
            TokenKind::NotEqual => "`<>`",
            TokenKind::Less => "`<`",
            TokenKind::LessEqual => "`<=`",
            TokenKind::Greater => "`>`",
            TokenKind::GreaterEqual => "`>=`",
            TokenKind::Implies => "`=>`",
            TokenKind::LazyImplies => "`==>`",
            TokenKind::Arrow => "`->`",
            TokenKind::Plus => "`+`",
            TokenKind::Minus => "`-`",
            TokenKind::Star => "`*`",
            TokenKind::Slash => "`/`",
            TokenKind::Hash => "`#`",
            TokenKind::Caret => "`^`",
            TokenKind::Bar => "`|`",
            TokenKind::At => "`@`",
            TokenKind::Question => "`?`",
            TokenKind::Becomes => "`:=`",
            TokenKind::Quote => "`'`",
            TokenKind::Percent => "`%`",
            TokenKind::PlusPlus => "`++`",
            TokenKind::Ampersand => "`&`",
            TokenKind::DoubleAmpersand => "`&&`",
            TokenKind::DoubleBar => "`||`",
            TokenKind::DoubleEqual => "`==`",
            TokenKind::BangEqual => "`!=`",
            TokenKind::Bang => "`!`",
            TokenKind::Unknown => "an unknown character",
            TokenKind::End => "the end of the file",
        }
    }
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}
