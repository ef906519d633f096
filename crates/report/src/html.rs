//! Verdicts as one self-contained page: its head, its groups and its style.
//!
//! The page needs nothing from elsewhere and works without its script, which
//! only adds a search field and a marker that follows the pointer.

mod lane;
mod property;
mod trace;

use std::fmt::Write;

use crate::escape::escape_html;
use crate::model::{Outcome, Summary, Verdict};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The page may load nothing at all, whatever a name in it says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                      form-action 'none'";

/// With more counterexamples than this, all of them are folded away at first.
const MOST_OPEN: usize = 6;

/// The page.
#[must_use]
pub fn html(verdicts: &[Verdict], summary: &Summary) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{} – Lustral</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        headline(summary)
    );
    switches(&mut out);
    head(&mut out, verdicts, summary);
    groups(&mut out, verdicts);
    let _ = write!(
        out,
        "<footer>Lustral {}</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    out
}

/// A number with its noun.
fn quantity(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The whole result in one sentence.
fn headline(summary: &Summary) -> String {
    let all = summary.valid + summary.falsifiable + summary.unknown;
    let properties = |n| quantity(n, "property", "properties");
    match (summary.falsifiable, summary.unknown) {
        _ if all == 0 => "Nothing to check".into(),
        (0, 0) if all == 1 => "The property is valid".into(),
        (0, 0) => format!("All {all} properties are valid"),
        (0, unknown) => format!("No answer for {unknown} of {}", properties(all)),
        (1, _) => format!("1 of {} is falsifiable", properties(all)),
        (fail, _) => format!("{fail} of {} are falsifiable", properties(all)),
    }
}

/// The kinds of verdicts, with the class of the style sheet for each.
const KINDS: [&str; 3] = ["falsifiable", "valid", "unknown"];

/// One switch per kind of verdict. They stand before everything that they
/// hide, so that the style sheet can do it; their labels are the counts.
fn switches(out: &mut String) {
    for kind in KINDS {
        let _ = writeln!(
            out,
            "<input type=\"checkbox\" class=\"switch\" id=\"show-{kind}\" checked \
             aria-label=\"Show {kind} properties\">"
        );
    }
}

fn head(out: &mut String, verdicts: &[Verdict], summary: &Summary) {
    let mut files: Vec<&str> = verdicts.iter().map(|v| v.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let files = quantity(files.len(), "file", "files");
    let _ = write!(
        out,
        "<header>\n<p class=\"brand\">Lustral</p>\n<h1>{}</h1>\n\
         <p class=\"took\">{files}, {:.2} s</p>\n<div class=\"counts\">\n",
        headline(summary),
        summary.seconds
    );
    let counts = [summary.falsifiable, summary.valid, summary.unknown];
    for (kind, count) in KINDS.iter().zip(counts) {
        let _ = writeln!(
            out,
            "<label for=\"show-{kind}\" class=\"{kind}\" title=\"Show or hide\">\
             <b>{count}</b> {kind}</label>"
        );
    }
    out.push_str("<input type=\"search\" id=\"search\" placeholder=\"Find a property\" ");
    out.push_str("aria-label=\"Find a property\" hidden>\n</div>\n<div class=\"bar\">");
    for (kind, count) in KINDS.iter().zip(counts).filter(|(_, count)| *count > 0) {
        let _ = write!(out, "<i class=\"{kind}\" style=\"flex-grow:{count}\"></i>");
    }
    out.push_str("</div>\n</header>\n");
}

/// A verdict and its number on the page.
type Entry<'a> = (usize, &'a Verdict);

/// The entries by a key, the keys in the order of their first entries.
fn grouped<'a>(
    entries: &[Entry<'a>],
    key: fn(&'a Verdict) -> &'a str,
) -> Vec<(&'a str, Vec<Entry<'a>>)> {
    let mut places = std::collections::HashMap::new();
    let mut groups: Vec<(&str, Vec<Entry<'_>>)> = Vec::new();
    for (number, verdict) in entries {
        let name = key(verdict);
        let place = *places.entry(name).or_insert(groups.len());
        if place == groups.len() {
            groups.push((name, Vec::new()));
        }
        groups[place].1.push((*number, verdict));
    }
    groups
}

/// All properties, by file and node.
fn groups(out: &mut String, verdicts: &[Verdict]) {
    let failures = |v: &&Verdict| matches!(v.outcome, Outcome::Falsifiable { .. });
    let open = verdicts.iter().filter(failures).count() <= MOST_OPEN;
    let entries: Vec<Entry<'_>> = (1..).zip(verdicts).collect();
    out.push_str("<main>\n");
    for (file, entries) in grouped(&entries, |v| &v.file) {
        let _ =
            writeln!(out, "<section class=\"file\">\n<h2><code>{}</code></h2>", escape_html(file));
        for (node, entries) in grouped(&entries, |v| &v.node) {
            let _ = writeln!(
                out,
                "<section class=\"node\">\n<h3><span>node</span> <code>{}</code></h3>",
                escape_html(node)
            );
            for (number, verdict) in entries {
                property::property(out, number, verdict, open);
            }
            out.push_str("</section>\n");
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::{Choice, Division, InstanceRows, Row, RunInfo, TraceTable};

    fn verdict(file: &str, node: &str, property: &str, outcome: Outcome) -> Verdict {
        Verdict {
            file: file.into(),
            node: node.into(),
            property: property.into(),
            line: 12,
            column: 3,
            outcome,
            run: RunInfo { engine: Some("bmc"), seconds: 0.25, ..RunInfo::default() },
        }
    }

    fn page(verdicts: &[Verdict]) -> String {
        let mut summary = Summary { seconds: 1.5, ..Summary::default() };
        verdicts.iter().for_each(|v| summary.count(v));
        html(verdicts, &summary)
    }

    fn row(name: &str, role: &'static str, ty: &'static str, values: Vec<Value>) -> Row {
        Row { name: name.into(), role, ty, relevant: true, values }
    }

    fn failing(streams: Vec<Row>) -> Outcome {
        let steps = streams.first().map_or(0, |row| row.values.len());
        let instance = InstanceRows { path: String::new(), node: "top".into(), streams };
        let trace =
            TraceTable { steps, instances: vec![instance], choices: vec![], divisions: vec![] };
        Outcome::Falsifiable { step: steps.saturating_sub(1), trace }
    }

    fn valid(k: usize, exhausted: bool, invariants: &[&str]) -> Outcome {
        let invariants = invariants.iter().map(ToString::to_string).collect();
        Outcome::Valid { k, exhausted, invariants }
    }

    fn unknown(reason: &str, vacuous: bool, internal_error: bool) -> Outcome {
        Outcome::Unknown { reason: reason.into(), vacuous, internal_error }
    }
}
