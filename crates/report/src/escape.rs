//! Names and texts of programs, made harmless for a terminal.

/// A text without control characters: each is shown by its escape.
#[must_use]
pub fn printable(text: &str) -> String {
    let harmless = |c: char| !c.is_control() && !is_direction_mark(c);
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

/// Characters that make a terminal or a browser show text in another order.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text as part of an HTML page.
pub(crate) fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(printable("caf\u{e9}"), "caf\u{e9}");
        assert_eq!(escape_html("<script>\"'&"), "&lt;script&gt;&quot;&#39;&amp;");
    }
}
