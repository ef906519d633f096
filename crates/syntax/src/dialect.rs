//! Dialects: the same text means different things to different tools, so a file
//! is read as one of them. Which one, an option says, or a mark in the text, or a mark in
//! the file that includes it; else a sign that only lustrec has, or the ending of the file's
//! name, or what the file that includes it seems to be; where nothing does, it is Kind 2's,
//! and what others read otherwise has a warning.

use crate::token::TokenKind;

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Dialect {
    /// That of Kind 2 and JKind.
    #[default]
    Kind2,
    /// That of lustrec and CoCoSim.
    Lustrec,
    /// Lustre V6 (and V4), of Verimag.
    V6,
    /// That of Vélus.
    Velus,
    /// That of Heptagon.
    Heptagon,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 5] =
        [Dialect::Kind2, Dialect::Lustrec, Dialect::V6, Dialect::Velus, Dialect::Heptagon];

    /// Its name, as options and marks give it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Kind2 => "kind2",
            Dialect::Lustrec => "lustrec",
            Dialect::V6 => "v6",
            Dialect::Velus => "velus",
            Dialect::Heptagon => "heptagon",
        }
    }

    /// The dialect of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.as_str().eq_ignore_ascii_case(name))
    }

    /// All names, for a message.
    #[must_use]
    pub fn list() -> String {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).collect();
        names.join(", ")
    }

    /// The dialect that the ending of a file's name stands for.
    #[must_use]
    pub fn of_file(name: &str) -> Option<Dialect> {
        name.ends_with(".ept").then_some(Dialect::Heptagon)
    }

    /// Whether `/`, `div` and `mod` on integers round towards zero, as in C. In
    /// Kind 2 they are Euclidean: the remainder is never negative.
    #[must_use]
    pub fn truncates(self) -> bool {
        matches!(self, Dialect::Lustrec | Dialect::V6 | Dialect::Velus | Dialect::Heptagon)
    }

    /// Whether an input or output that is declared without a clock has the clock that its uses, or
    /// its equation, give it. (In the others it has a value at every step of its node.)
    #[must_use]
    pub fn infers_clocks_of_interfaces(self) -> bool {
        matches!(self, Dialect::Lustrec | Dialect::Heptagon)
    }

    /// Whether a branch of `merge` that is not sampled is sampled there, as if by `when`.
    #[must_use]
    pub fn samples_branches(self) -> bool {
        self == Dialect::Kind2
    }

    /// Whether `a fby b + 1` is `a fby (b + 1)`.
    pub(crate) fn fby_is_loose(self) -> bool {
        self == Dialect::Lustrec
    }

    /// Whether `not a < b` is `not (a < b)`.
    pub(crate) fn not_is_loose(self) -> bool {
        self == Dialect::Lustrec
    }

    /// Whether `a or b xor c` is `a or (b xor c)`.
    pub(crate) fn xor_is_tighter(self) -> bool {
        self == Dialect::Velus
    }

    /// Whether a symbol is an operator on the bits of machine integers.
    pub(crate) fn has_bitwise(self, symbol: TokenKind) -> bool {
        self == Dialect::Kind2
            && matches!(symbol, TokenKind::DoubleAmpersand | TokenKind::DoubleBar | TokenKind::Bang)
    }

    /// Whether an operator that Lustre does not have belongs to it.
    pub(crate) fn has_operator(self, foreign: TokenKind) -> bool {
        match foreign {
            TokenKind::DoubleAmpersand | TokenKind::DoubleBar | TokenKind::BangEqual => {
                self == Dialect::Lustrec
            }
            TokenKind::Ampersand | TokenKind::At | TokenKind::Percent => self == Dialect::Heptagon,
            _ => false,
        }
    }
}

/// What is known of a file's dialect before its text is read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wish {
    /// What the user asked for: it counts whatever the text says.
    pub option: Option<Dialect>,
    /// What a mark in the file that includes it says: it counts whatever this file seems to be.
    pub marked: Option<Dialect>,
    /// The dialect of the file's ending, or of the file that includes it.
    pub surroundings: Option<Dialect>,
}

impl Wish {
    /// The dialect of a text that has a mark or the sign of lustrec.
    pub(crate) fn reading(self, mark: Option<Dialect>, is_lustrec: bool) -> Reading {
        let marked = self.option.or(mark).or(self.marked);
        let sign = is_lustrec.then_some(Dialect::Lustrec);
        let known = marked.or(sign).or(self.surroundings);
        Reading {
            dialect: known.unwrap_or_default(),
            certain: known.is_some(),
            marked: marked.is_some(),
        }
    }
}

/// The dialect in which a text was read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reading {
    /// The dialect.
    pub dialect: Dialect,
    /// Whether something says so; else it is a guess, and warnings are due.
    pub certain: bool,
    /// Whether somebody wrote so: an option or a mark, here or in a file around it.
    pub marked: bool,
}

impl Reading {
    /// The dialect, where something says that it is meant.
    #[must_use]
    pub fn known(self) -> Option<Dialect> {
        self.certain.then_some(self.dialect)
    }

    /// The dialect, where somebody wrote that it is meant.
    #[must_use]
    pub fn written(self) -> Option<Dialect> {
        self.marked.then_some(self.dialect)
    }
}
