//! The tables as Markdown.

use std::fmt::Write;

use super::Measured;
use super::figures::{Figures, errors, faults, figures, only, solved_by_some};
use super::groups::{Configuration, EASY, Paper};

/// The whole text.
pub fn markdown(command: &str, open: usize, measured: &[Measured<'_>]) -> String {
    let mut text = format!(
        "```console\n$ {command}\n```\n\nEasy is what the first configuration solves within \
         {EASY:.0} s; hard is what else any of them\nsolves. Times are sums over what was solved. \
         {open} programs of the folder that nobody has\ndecided are left out.\n"
    );
    for group in measured {
        let _ = write!(text, "\n### {}\n\n{}", group.group.name, table(group));
        text += &remarks(group);
    }
    text
}

fn table(measured: &Measured<'_>) -> String {
    let depth = measured.group.depth;
    let mut text = format!(
        "| | programs | solved | easy | time | hard | time | {depth} |\n|---|---|---|---|---|---|---|---|\n"
    );
    for (configuration, figures) in measured.group.configurations.iter().zip(figures(measured)) {
        if let Some(paper) = &configuration.paper {
            text += &published(configuration, paper);
        }
        text += &ours(measured, configuration, &figures);
    }
    text
}

fn published(configuration: &Configuration, paper: &Paper) -> String {
    let Paper { programs, solved, easy, easy_time, hard, hard_time, depth } = paper;
    let name = configuration.name;
    format!(
        "| Kind, {name} (2008) | {programs} | {solved} | {easy} | {easy_time} | {hard} | \
         {hard_time} | {depth} |\n"
    )
}

fn ours(measured: &Measured<'_>, configuration: &Configuration, figures: &Figures) -> String {
    let Figures { easy, hard, depth } = figures;
    let depth = depth.map(|depth| depth.to_string()).unwrap_or_default();
    format!(
        "| Lustral, {} | {} | {} | {} | {:.1} s | {} | {:.1} s | {depth} |\n",
        configuration.name,
        measured.programs,
        easy.solved + hard.solved,
        easy.solved,
        easy.seconds,
        hard.solved,
        hard.seconds,
    )
}

/// What the table does not show.
fn remarks(measured: &Measured<'_>) -> String {
    let mut text = String::new();
    let configurations = measured.group.configurations;
    for (one, first) in configurations.iter().enumerate() {
        for (not, second) in configurations.iter().enumerate().filter(|(not, _)| *not != one) {
            let files = only(measured, one, not);
            if !files.is_empty() {
                let _ = writeln!(
                    text,
                    "- solved by \u{201c}{}\u{201d} and not by \u{201c}{}\u{201d}: {}",
                    first.name,
                    second.name,
                    some(&files)
                );
            }
        }
    }
    let unsolved = measured.programs - solved_by_some(measured);
    let _ = writeln!(text, "- solved by none: {unsolved}");
    for error in errors(measured) {
        let _ = writeln!(text, "- failed: {error}");
    }
    for fault in faults(measured) {
        let _ = writeln!(text, "- WRONG: {fault}");
    }
    format!("\n{text}")
}

/// A number of files, with the names of the first few.
fn some(files: &[&str]) -> String {
    const NAMED: usize = 8;
    let short =
        |file: &&str| file.rsplit('/').next().unwrap_or(file).trim_end_matches(".lus").to_string();
    let names: Vec<String> =
        files.iter().take(NAMED).map(|file| format!("`{}`", short(file))).collect();
    let more = if files.len() > NAMED { ", …" } else { "" };
    format!("{} ({}{more})", files.len(), names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::groups::GROUPS;
    use super::*;

    #[test]
    fn the_figures_of_the_paper_stand_beside_ours() {
        let runs = GROUPS[0].configurations.iter().map(|_| Vec::new()).collect();
        let measured = Measured { group: &GROUPS[0], programs: 7, runs };
        let text = markdown("command", 3, &[measured]);
        assert!(text.contains("| Kind, bounded model checking (2008) | 447 | 447 | 404 | 32 s |"));
        assert!(text.contains("| Lustral, bounded model checking | 7 | 0 | 0 | 0.0 s |"), "{text}");
        assert!(text.contains("- solved by none: 7"));
    }

    #[test]
    fn few_names_stand_for_many() {
        assert_eq!(some(&["a/b.lus"]), "1 (`b`)");
        assert!(some(&["x.lus"; 20]).ends_with(", …)"));
    }
}
