//! Verdicts as one self-contained page: its head, its groups and its style.
//!
//! The page needs nothing from elsewhere and works without its script, which
//! only adds a search field and a marker that follows the pointer.

mod cover;
pub(crate) mod escape;
mod graph;
mod houdini;
mod lane;
mod layout;
mod message;
mod note;
mod property;
mod protocol;
mod trace;

use std::fmt::Write;

use crate::assurance::Assurance;
use crate::event::Event;
use crate::model::{Summary, Verdict};
use crate::profile::{ProfileRow, profile_html};
use crate::protocol::ProtocolVerdict;
use escape::escape_html;
use message::{Message, messages};

pub use cover::Texts;
pub use houdini::houdini_html;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The page may load nothing at all, whatever a name in it says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                      form-action 'none'";

/// With more counterexamples than this, all of them are folded away at first.
const MOST_TRACES_OPEN: usize = 6;

/// What a page shows.
#[derive(Clone, Copy, Default)]
pub struct Page<'a> {
    /// The verdicts on programs.
    pub verdicts: &'a [Verdict],
    /// Those on protocols.
    pub protocols: &'a [ProtocolVerdict],
    /// What else was said of the files.
    pub said: &'a [Event],
    /// The counts.
    pub summary: Summary,
    /// Where the time went, if that is asked for.
    pub profile: &'a [ProfileRow],
    /// The texts, for marks of what is needed in them.
    pub texts: Option<&'a Texts>,
    /// For a report: what was run on what.
    pub report: Option<&'a Assurance>,
}

/// The page.
#[must_use]
pub fn html(page: &Page<'_>) -> String {
    let Page { verdicts, protocols, summary, .. } = *page;
    let said: Vec<Message<'_>> = page.said.iter().filter_map(Message::of).collect();
    let mut out = String::new();
    open_page(&mut out, &headline(&summary));
    switches(&mut out);
    let files = verdicts.iter().map(|v| &*v.file).chain(protocols.iter().map(|v| &*v.file));
    head(&mut out, files, &said, &summary);
    if let Some(report) = page.report {
        cover::run_facts(&mut out, report);
    }
    out.push_str("<main>\n");
    groups(&mut out, verdicts, protocols, &said);
    of_protocols(&mut out, protocols, &said);
    out.push_str("</main>\n");
    if let Some(texts) = page.texts {
        cover::coverage(&mut out, page.said, texts);
    }
    profile_html(&mut out, page.profile);
    close_page(&mut out);
    out
}

/// The beginning of every page.
fn open_page(out: &mut String, title: &str) {
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title} – Lustral</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
}

/// The end of every page.
fn close_page(out: &mut String) {
    let _ = write!(
        out,
        "<footer>Lustral {}</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
}

/// A number with its noun.
fn quantity(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The whole result in one sentence.
fn headline(summary: &Summary) -> String {
    let rejected = match summary.rejected {
        0 => return judged(summary),
        1 => "1 file was rejected".to_string(),
        many => format!("{many} files were rejected"),
    };
    let rest = judged(summary);
    if summary.is_without_verdicts() { rejected } else { format!("{rejected}. The rest: {rest}") }
}

/// What was found out about the properties.
fn judged(summary: &Summary) -> String {
    let [good, bad, unknown] = summary.ratings();
    let all = good + bad + unknown;
    // Where things shall be reached, "valid" is not the word for it.
    if summary.reachable + summary.unreachable > 0 {
        return match (bad, unknown) {
            (0, 0) => format!("All {all} are as wanted"),
            (0, unknown) => format!("No answer for {unknown} of {all} properties"),
            (bad, _) => format!("{bad} of {all} are not as wanted"),
        };
    }
    match (bad, unknown) {
        _ if all == 0 => "Nothing to check".into(),
        (0, 0) if all == 1 => "The property is valid".into(),
        (0, 0) => format!("All {all} properties are valid"),
        (0, _) if all == 1 => "No answer for the property".into(),
        (0, unknown) => format!("No answer for {unknown} of {all} properties"),
        (_, _) if all == 1 => "The property is falsifiable".into(),
        (1, _) => format!("1 of {all} properties is falsifiable"),
        (fail, _) => format!("{fail} of {all} properties are falsifiable"),
    }
}

/// The kinds of verdicts, with the class of the style sheet for each.
const KINDS: [&str; 3] = ["falsifiable", "valid", "unknown"];

/// The kind of a verdict: what is reachable and shall be counts with what is valid.
fn kind(verdict: &Verdict) -> &'static str {
    match verdict.is_as_wanted() {
        Some(false) => KINDS[0],
        Some(true) => KINDS[1],
        None => KINDS[2],
    }
}

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

fn head<'a>(
    out: &mut String,
    files: impl Iterator<Item = &'a str>,
    said: &[Message<'a>],
    summary: &Summary,
) {
    let mut files: Vec<&str> = files.chain(said.iter().map(|message| message.file)).collect();
    files.sort_unstable();
    files.dedup();
    let files = quantity(files.len(), "file", "files");
    let _ = write!(
        out,
        "<header>\n<p class=\"brand\">Lustral</p>\n<h1>{}</h1>\n\
         <p class=\"took\">{files}{}</p>\n<div class=\"counts\">\n",
        headline(summary),
        summary.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default()
    );
    let [good, bad, unknown] = summary.ratings();
    let counts = [bad, good, unknown];
    let words = match summary.reachable + summary.unreachable {
        0 => KINDS,
        _ => ["falsifiable or unreachable", "valid or reachable", "unknown"],
    };
    for ((kind, count), word) in KINDS.iter().zip(counts).zip(words) {
        let _ = writeln!(
            out,
            "<label for=\"show-{kind}\" class=\"{kind}\" title=\"Show or hide\">\
             <b>{count}</b> {word}</label>"
        );
    }
    out.push_str("<input type=\"search\" id=\"search\" placeholder=\"Find a property\" ");
    out.push_str("aria-label=\"Find a property\" hidden>\n</div>\n<div class=\"bar\">");
    // A bar that is all green must not stand over files of which nothing is known.
    if summary.rejected > 0 {
        let files = summary.rejected;
        let _ = write!(out, "<i class=\"rejected\" style=\"flex-grow:{files}\"></i>");
    }
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

/// All properties, by file and node; first the files without any.
fn groups(
    out: &mut String,
    verdicts: &[Verdict],
    protocols: &[ProtocolVerdict],
    said: &[Message<'_>],
) {
    let failures = |v: &&Verdict| v.is_as_wanted() == Some(false);
    let open = verdicts.iter().filter(failures).count() <= MOST_TRACES_OPEN;
    let entries: Vec<Entry<'_>> = (1..).zip(verdicts).collect();
    let by_file = grouped(&entries, |v| &v.file);
    let mut files: Vec<(&str, Vec<Entry<'_>>)> = Vec::new();
    for Message { file, .. } in said {
        let is_here = |(known, _): &(&str, Vec<Entry<'_>>)| known == file;
        let is_protocol = protocols.iter().any(|verdict| verdict.file == *file);
        if !is_protocol && !by_file.iter().any(is_here) && !files.iter().any(is_here) {
            files.push((file, Vec::new()));
        }
    }
    files.extend(by_file);
    for (file, entries) in files {
        let _ =
            writeln!(out, "<section class=\"file\">\n<h2><code>{}</code></h2>", escape_html(file));
        messages(out, said.iter().filter(|message| message.file == file));
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
}

/// Verdicts on protocols, by file.
fn of_protocols(out: &mut String, verdicts: &[ProtocolVerdict], said: &[Message<'_>]) {
    let failures = verdicts.iter().filter(|v| v.is_as_wanted() == Some(false)).count();
    let entries: Vec<(usize, &ProtocolVerdict)> = (1..).zip(verdicts).collect();
    for file in entries.chunk_by(|a, b| a.1.file == b.1.file) {
        let name = &file[0].1.file;
        let _ =
            writeln!(out, "<section class=\"file\">\n<h2><code>{}</code></h2>", escape_html(name));
        messages(out, said.iter().filter(|message| message.file == name));
        out.push_str("<section class=\"node\">\n<h3><span>protocol</span></h3>");
        for (number, verdict) in file {
            let open = verdict.is_as_wanted() == Some(false) && failures <= MOST_TRACES_OPEN;
            protocol::protocol(out, *number, verdict, open);
        }
        out.push_str("</section>\n</section>\n");
    }
}

#[cfg(test)]
mod tests;
