//! Names and texts of programs, made harmless for a terminal.

/// A text without control characters: each is shown by its escape.
#[must_use]
pub fn printable(text: &str) -> String {
    let harmless = |c: char| !c.is_control() && !is_invisible(c);
    if text.chars().all(harmless) {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if harmless(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

/// Characters that nobody sees, or that make a terminal or a browser show text
/// in another order or on another line: names that differ must look different.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(printable("caf\u{e9}"), "caf\u{e9}");
        for c in "\u{61c}\u{200b}\u{200f}\u{2028}\u{202e}\u{2060}\u{2069}\u{feff}\u{ad}".chars() {
            let shown = format!("a\\u{{{:x}}}b", u32::from(c));
            assert_eq!(printable(&format!("a{c}b")), shown);
        }
    }
}
