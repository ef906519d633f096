//! `check(input, stage, expect)`: what a stage makes of a text, compared with
//! what is expected, both written in the test.

use std::fmt::Write;

/// Runs a stage on a text and compares its text with the expected one. Of both
/// texts neither the common indentation counts, nor empty lines around them.
///
/// # Panics
/// If the texts differ; it shows where.
#[track_caller]
pub fn check(input: &str, stage: impl FnOnce(&str) -> String, expect: &str) {
    let input = unindented(input);
    let found = unindented(&stage(&input));
    let expected = unindented(expect);
    assert!(
        found == expected,
        "for\n{input}\n\nfound (+) instead of expected (-):\n{}",
        difference(&expected, &found)
    );
}

/// A text without the indentation that all its lines have, and without empty
/// lines before and after it.
#[must_use]
pub fn unindented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let written = |line: &&str| !line.is_empty();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|l| written(l)).map(|l| indent(l)).min().unwrap_or(0);
    let first = lines.iter().position(&written).unwrap_or(0);
    let end = lines.iter().rposition(written).map_or(0, |last| last + 1);
    let lines = lines[first.min(end)..end].iter();
    let lines: Vec<&str> = lines.map(|line| line.get(common..).unwrap_or("")).collect();
    lines.join("\n")
}

/// The lines of both texts, common ones at the beginning and the end once.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let after = old[before..].iter().rev().zip(new[before..].iter().rev());
    let after = after.take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    let mut put = |mark: char, lines: &[&str]| {
        for line in lines {
            let _ = writeln!(out, "{mark} {line}");
        }
    };
    put(' ', &old[..before]);
    put('-', &old[before..old.len() - after]);
    put('+', &new[before..new.len() - after]);
    put(' ', &old[old.len() - after..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_around_a_text_does_not_count() {
        check("\n    a\n      b\n\n    c\n", str::to_string, "a\n  b\n\nc");
        assert_eq!(unindented(""), "");
        assert_eq!(unindented("\n  \n"), "");
    }

    #[test]
    #[should_panic(expected = "- two\n+ 2\n  three")]
    fn a_difference_is_shown_with_what_surrounds_it() {
        check("", |_| "one\n2\nthree".into(), "one\ntwo\nthree");
    }
}
