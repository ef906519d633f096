//! What each engine is worth: the portfolio without it.

use std::fmt::Write;

use super::run::{Plan, Row};
use super::summary::Digest;
use super::tool::Tool;

/// The arguments that choose all engines, or all but one.
pub fn arguments(engines: &[String], without: Option<&str>) -> Vec<String> {
    let chosen = engines.iter().filter(|engine| Some(engine.as_str()) != without);
    chosen.flat_map(|engine| ["--engine".to_string(), engine.clone()]).collect()
}

/// Runs everything with all engines, and again without each of them.
pub fn table(
    plan: &Plan<'_, '_>,
    engines: &[String],
    timeout: f64,
    tool: impl Fn(Vec<String>) -> Tool,
) -> String {
    let all = plan.with(&tool(arguments(engines, None))).run(|_| {});
    let mut text = format!(
        "{:14} {:>6} {:>5} {:>7} {:>9} {:>9}  lost\n",
        "without", "solved", "lost", "gained", "PAR-2 s", "median s"
    );
    line(&mut text, "(none)", &all, &all, timeout);
    for engine in engines {
        let rows = plan.with(&tool(arguments(engines, Some(engine)))).run(|_| {});
        line(&mut text, engine, &all, &rows, timeout);
    }
    text
}

fn line(text: &mut String, name: &str, all: &[Row<'_>], rows: &[Row<'_>], timeout: f64) {
    let digest = Digest::of(rows.iter().map(|row| &row.ours), timeout);
    let solved = |rows: &[Row<'_>], name: &str| {
        rows.iter().any(|row| row.program.name == name && row.ours.status.solved())
    };
    let only = |some: &[Row<'_>], others: &[Row<'_>]| -> Vec<String> {
        let names = some.iter().filter(|row| row.ours.status.solved());
        let names = names.map(|row| row.program.name.clone());
        names.filter(|name| !solved(others, name)).collect()
    };
    let (lost, gained) = (only(all, rows), only(rows, all));
    let _ = writeln!(
        text,
        "{name:14} {:6} {:5} {:7} {:9.3} {:9.3}  {}",
        digest.solved(),
        lost.len(),
        gained.len(),
        digest.par2,
        digest.median_wall,
        lost.join(" ")
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_one() {
        let engines = ["a", "b", "c"].map(String::from);
        assert_eq!(arguments(&engines, Some("b")), ["--engine", "a", "--engine", "c"]);
        assert_eq!(arguments(&engines, None).len(), 6);
    }
}
