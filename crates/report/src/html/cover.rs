//! What the page says besides verdicts: what was run on what, what the properties need of the program and what
//! none needs, and what they do not notice, marked in the text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::escape::escape_html;
use crate::assurance::{Assurance, Input, RunFacts};
use crate::event::Event;
use crate::mutants::Mutants;
use crate::needs::{Coverage, Element, Needs};

/// Longer texts are not shown whole.
const MOST_LINES: usize = 5_000;

/// A text by the name of its file.
pub type Texts = BTreeMap<String, String>;

/// What was run on what; for a report.
pub(super) fn run_facts(out: &mut String, report: &Assurance) {
    let RunFacts { version, solvers, options } = &report.run;
    out.push_str("<section class=\"ran\">\n<h2>What was run</h2>\n<table>\n");
    let mut row = |name: &str, value: &str| {
        let value = escape_html(value);
        let _ =
            writeln!(out, "<tr><th scope=\"row\">{name}</th><td><code>{value}</code></td></tr>");
    };
    row("Lustral", version);
    for solver in solvers {
        row(&escape_html(&solver.role), &format!("{} {}", solver.name, solver.version));
    }
    row("options", &options.join(" "));
    for Input { file, sha256 } in &report.inputs {
        row(&format!("input <code>{}</code>", escape_html(file)), &format!("sha256 {sha256}"));
    }
    out.push_str("</table>\n</section>\n");
}

/// What the properties need, and the texts with marks; nothing if nobody looked.
pub(super) fn coverage(out: &mut String, said: &[Event], texts: &Texts) {
    let needs: Vec<&Needs> = said
        .iter()
        .filter_map(|event| if let Event::Core(needs) = event { Some(&**needs) } else { None })
        .collect();
    let coverage: Vec<&Coverage> = said
        .iter()
        .filter_map(|event| if let Event::Coverage(found) = event { Some(found) } else { None })
        .collect();
    let mutants: Vec<&Mutants> = said
        .iter()
        .filter_map(|event| if let Event::Mutants(found) = event { Some(&**found) } else { None })
        .collect();
    if needs.is_empty() && coverage.is_empty() && mutants.is_empty() {
        return;
    }
    out.push_str("<section class=\"coverage\">\n");
    if !needs.is_empty() {
        needed(out, &needs, &coverage);
    }
    for found in &mutants {
        survivors(out, found);
    }
    let marks = Marks::new(&needs, &coverage, &mutants);
    for (file, text) in texts {
        marks.listing(out, file, text);
    }
    out.push_str("</section>\n");
}

fn needed(out: &mut String, needs: &[&Needs], coverage: &[&Coverage]) {
    out.push_str("<h2>What the properties need</h2>\n<ul>\n");
    for needed in needs {
        let name = escape_html(&needed.property);
        let _ = write!(out, "<li><code>{name}</code>: ");
        match needed.cores() {
            [] => {
                let reason = needed.reason.as_deref().unwrap_or("none was found");
                let _ = write!(out, "unknown ({})", escape_html(reason));
            }
            cores => {
                let sentences: Vec<String> =
                    cores.iter().map(|core| escape_html(&needed.sentence(core))).collect();
                out.push_str(&sentences.join("; or "));
            }
        }
        out.push_str("</li>\n");
    }
    for found in coverage {
        let node = escape_html(&found.node);
        let sentence = escape_html(&found.sentence());
        let _ = writeln!(out, "<li>node <code>{node}</code>: {sentence}</li>");
    }
    out.push_str("</ul>\n");
}

/// What was changed, and what no property noticed.
fn survivors(out: &mut String, found: &Mutants) {
    let (node, sentence) = (escape_html(&found.node), escape_html(&found.sentence()));
    let _ = write!(
        out,
        "<h2>What the properties notice</h2>\n<p>Of small changes of node <code>{node}</code> and \
         what it calls, {sentence}.</p>\n<ul>\n"
    );
    for killer in &found.properties {
        let name = escape_html(&killer.property);
        let _ = writeln!(out, "<li><code>{name}</code> noticed {} first</li>", killer.killed);
    }
    out.push_str("</ul>\n");
    for (title, list) in [("Not noticed", &found.survivors), ("Undecided", &found.undecided)] {
        if !list.is_empty() {
            let _ = writeln!(out, "<h3>{title}</h3>\n<ul>");
        }
        for mutant in list {
            let said = escape_html(&mutant.sentence(&found.file, &found.node));
            let _ = writeln!(out, "<li><code>{said}</code></li>");
        }
        if !list.is_empty() {
            out.push_str("</ul>\n");
        }
    }
}

/// By file and line: the properties that need something there, whether something there is in no core, and how many changes
/// there nothing notices.
struct Marks<'a> {
    needed: BTreeMap<(&'a str, u32), BTreeSet<&'a str>>,
    uncovered: BTreeSet<(&'a str, u32)>,
    survivors: BTreeMap<(&'a str, u32), usize>,
}

impl<'a> Marks<'a> {
    fn new(needs: &[&'a Needs], coverage: &[&'a Coverage], mutants: &[&'a Mutants]) -> Marks<'a> {
        let lines = |e: &'a Element| (e.line..=e.last_line).map(|line| (e.file.as_str(), line));
        let mut needed: BTreeMap<(&str, u32), BTreeSet<&str>> = BTreeMap::new();
        for by in needs {
            for place in by.cores().iter().flatten().flat_map(lines) {
                needed.entry(place).or_default().insert(&by.property);
            }
        }
        let uncovered = coverage.iter().flat_map(|c| &c.uncovered).flat_map(lines).collect();
        let mut survivors: BTreeMap<(&str, u32), usize> = BTreeMap::new();
        for mutant in mutants.iter().flat_map(|found| &found.survivors) {
            for line in mutant.line..=mutant.last_line {
                *survivors.entry((&mutant.file, line)).or_default() += 1;
            }
        }
        Marks { needed, uncovered, survivors }
    }

    fn listing(&self, out: &mut String, file: &str, text: &str) {
        let has = |known: &str| known == file;
        let marked = self.needed.keys().any(|(known, _)| has(known))
            || self.uncovered.iter().any(|(known, _)| has(known))
            || self.survivors.keys().any(|(known, _)| has(known));
        if !marked {
            return;
        }
        let name = escape_html(file);
        let _ = write!(
            out,
            "<details open><summary><code>{name}</code>, marked: <span class=\"needed\">needed by a \
             property</span>, <span class=\"bare\">in no core</span>, <span class=\"survives\">changes \
             that nothing notices</span></summary>\n<table class=\"source\">\n"
        );
        for (number, line) in (1..).zip(text.lines()).take(MOST_LINES) {
            let place = (file, number);
            let by = self.needed.get(&place);
            let class = match (by, self.uncovered.contains(&place)) {
                (_, true) => "bare",
                (Some(_), false) => "needed",
                (None, false) => "",
            };
            let title = by.map(|by| by.iter().copied().collect::<Vec<_>>().join(", "));
            let title = escape_html(&title.unwrap_or_default());
            let unseen = match self.survivors.get(&place) {
                None => String::new(),
                Some(count) => format!(" <span class=\"survives\">{count} not noticed</span>"),
            };
            let line = escape_html(line);
            let _ = writeln!(
                out,
                "<tr class=\"{class}\" title=\"{title}\"><th>{number}</th><td><code>{line}</code>{unseen}</td></tr>"
            );
        }
        out.push_str("</table></details>\n");
    }
}
