//! An explanation as a tree of lines.
//!
//! What a fact needs stands below it, once: where it comes up again, the line
//! says where to look.

use std::collections::HashSet;

use crate::explanation::Explanation;
use lustral_render::printable;

/// A fact keeps at least this many characters, however deep it stands.
const LEAST_TEXT: usize = 24;

/// The lines, none longer than the width where that is possible.
pub(crate) fn tree(explanation: &Explanation, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut shown = HashSet::new();
    // The facts above the current one, and what is left to show of each.
    let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut next = Some(0);
    while let Some(fact) = next {
        let above = path.iter().any(|(other, _)| *other == fact);
        let leaf = explanation.others(fact).next().is_none();
        let again = !leaf && !shown.insert(fact);
        let mark = match (above, again) {
            (true, _) => "(in a circle)".into(),
            (false, true) => "(see above)".into(),
            (false, false) => own_mark(explanation, fact, leaf),
        };
        lines.push(line(&branches(&path), &explanation.facts[fact].text, &mark, width));
        if !again {
            let mut below: Vec<usize> = explanation.others(fact).collect();
            below.reverse();
            path.push((fact, below));
        }
        while path.last().is_some_and(|(_, left)| left.is_empty()) {
            path.pop();
        }
        next = path.last_mut().and_then(|(_, left)| left.pop());
    }
    lines
}

/// How a fact follows, besides what stands below it.
fn own_mark(explanation: &Explanation, fact: usize, leaf: bool) -> String {
    match (explanation.needs_itself(fact), leaf) {
        (true, true) => "(by itself)".into(),
        (true, false) => "(with itself)".into(),
        (false, true) => format!("({})", explanation.ground()),
        (false, false) => String::new(),
    }
}

/// The strokes before a fact: its own branch, and those that go on beside it.
fn branches(path: &[(usize, Vec<usize>)]) -> String {
    let mut text = String::new();
    for (depth, (_, left)) in path.iter().enumerate() {
        text.push_str(match (depth + 1 == path.len(), left.is_empty()) {
            (true, false) => "├─ ",
            (true, true) => "└─ ",
            (false, false) => "│  ",
            (false, true) => "   ",
        });
    }
    text
}

fn line(branches: &str, fact: &str, mark: &str, width: usize) -> String {
    let mark = if mark.is_empty() { String::new() } else { format!("  {mark}") };
    let taken = branches.chars().count() + mark.chars().count();
    let room = width.saturating_sub(taken).max(LEAST_TEXT);
    let fact = printable(fact);
    if fact.chars().count() <= room {
        return format!("{branches}{fact}{mark}");
    }
    // Facts of one proof often begin alike, so the end tells more.
    let head = (room - 1) / 3;
    let begin: String = fact.chars().take(head).collect();
    let end: String = fact.chars().skip(fact.chars().count() - (room - 1 - head)).collect();
    format!("{branches}{begin}…{end}{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::Fact;

    fn explanation(facts: &[(&str, &[usize])]) -> Explanation {
        let fact = |(text, needs): &(&str, &[usize])| Fact {
            text: text.to_string(),
            needs: needs.to_vec(),
        };
        Explanation { facts: facts.iter().map(fact).collect(), minimal: true, constrained: false }
    }

    fn shown(facts: &[(&str, &[usize])], width: usize) -> String {
        tree(&explanation(facts), width).join("\n")
    }

    #[test]
    fn a_fact_that_needs_no_other_is_a_line() {
        assert_eq!(shown(&[("p", &[0])], 80), "p  (by itself)");
        assert_eq!(shown(&[("p", &[])], 80), "p  (from the program alone)");
    }

    #[test]
    fn what_comes_up_again_is_not_shown_again() {
        let facts: &[(&str, &[usize])] =
            &[("p", &[1, 2]), ("a", &[3]), ("b", &[1, 2, 3]), ("c", &[3])];
        let lines = [
            "p",
            "├─ a",
            "│  └─ c  (by itself)",
            "└─ b  (with itself)",
            "   ├─ a  (see above)",
            "   └─ c  (by itself)",
        ];
        assert_eq!(shown(facts, 80), lines.join("\n"));
    }

    #[test]
    fn circles_end() {
        let facts: &[(&str, &[usize])] = &[("p", &[1]), ("a", &[2]), ("b", &[0, 1])];
        let lines =
            ["p", "└─ a", "   └─ b", "      ├─ p  (in a circle)", "      └─ a  (in a circle)"];
        assert_eq!(shown(facts, 80), lines.join("\n"));
    }

    #[test]
    fn long_facts_are_cut_and_control_characters_are_not_sent() {
        let long = "x + ".repeat(40);
        let long = format!("y{long}z");
        let text = shown(&[("p", &[1]), (&long, &[1])], 60);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        assert!(text.contains("─ yx + ") && text.ends_with("x + z  (by itself)"), "{text}");
        assert!(text.contains('…'), "{text}");
        assert!(!shown(&[("\u{1b}[2J", &[0])], 60).contains('\u{1b}'));
    }
}
