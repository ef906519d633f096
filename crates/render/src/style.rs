//! Colours, or none.

/// With or without colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Escape sequences for a terminal.
    Colour,
    /// None.
    Plain,
}

impl Style {
    /// The codes of ANSI escape sequences for what is good.
    pub const GREEN: &str = "1;32";
    /// For what is bad.
    pub const RED: &str = "1;31";
    /// For what deserves a look.
    pub const YELLOW: &str = "1;33";
    /// For names.
    pub const BOLD: &str = "1";
    /// For what is beside the point.
    pub const DIM: &str = "2";

    /// A text in one of these colours.
    #[must_use]
    pub fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Colour => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Style::Plain => text.to_string(),
        }
    }
}
