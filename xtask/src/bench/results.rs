//! The table of results: written as the rows come, read again as a baseline.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::judge::Judged;
use super::run::Row;

const COLUMNS: [&str; 8] =
    ["file", "verdict", "k_or_step", "engine", "wall_seconds", "peak_mb", "expected", "status"];

/// The same for the other tool, without what both share.
const OTHER_COLUMNS: [&str; 6] = [
    "other_verdict",
    "other_k_or_step",
    "other_engine",
    "other_wall_seconds",
    "other_peak_mb",
    "other_status",
];

/// A table that is being written.
pub struct Writer {
    path: PathBuf,
    file: File,
    header: String,
}

impl Writer {
    /// Begins a table. A stopped benchmark leaves the rows it has.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, two_tools: Tools) -> Result<Writer, String> {
        let mut columns = COLUMNS.to_vec();
        if matches!(two_tools, Tools::Two) {
            columns.extend(OTHER_COLUMNS);
        }
        let header = columns.join("\t") + "\n";
        let failed = |e| format!("cannot write {}: {e}", path.display());
        let mut file = File::create(path).map_err(failed)?;
        file.write_all(header.as_bytes()).map_err(failed)?;
        Ok(Writer { path: path.to_path_buf(), file, header })
    }

    /// Adds a row, in the order in which they end.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, row: &Row<'_>) -> Result<(), String> {
        let written = self.file.write_all(line(row).as_bytes());
        written.map_err(|e| format!("cannot write {}: {e}", self.path.display()))
    }

    /// Writes the table anew, in the order of the programs.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self, rows: &[Row<'_>]) -> Result<(), String> {
        let text: String = rows.iter().map(line).collect();
        fs::write(&self.path, self.header + &text)
            .map_err(|e| format!("cannot write {}: {e}", self.path.display()))
    }
}

/// How many tools a table is about.
#[derive(Clone, Copy)]
pub enum Tools {
    /// Lustral alone.
    One,
    /// Lustral and another one.
    Two,
}

fn line(row: &Row<'_>) -> String {
    let [verdict, depth, engine, wall, peak, status] = cells(&row.ours);
    let expected = row.program.expected.map_or("", |expected| expected.word()).to_string();
    let name = row.program.name.clone();
    let mut line = vec![name, verdict, depth, engine, wall, peak, expected, status];
    line.extend(row.other.iter().flat_map(cells));
    let clean = line.iter().map(|cell| cell.replace(['\t', '\n', '\r'], " "));
    clean.collect::<Vec<_>>().join("\t") + "\n"
}

fn cells(judged: &Judged) -> [String; 6] {
    let measure = &judged.measure;
    let answer = measure.answer.as_ref();
    [
        answer.map_or("", |answer| answer.verdict.word()).to_string(),
        answer.and_then(|answer| answer.depth).map_or(String::new(), |depth| depth.to_string()),
        answer.map_or(String::new(), |answer| answer.engine.clone()),
        format!("{:.3}", measure.wall),
        format!("{:.1}", measure.peak),
        judged.status.text(),
    ]
}

/// The wall time of each file of an earlier table, `None` where it was not
/// solved.
pub type Past = HashMap<String, Option<f64>>;

/// Reads an earlier table.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Past, String> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    parse(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Columns are found by their names: others may stand beside them.
fn parse(text: &str) -> Result<Past, String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let found = header.iter().position(|cell| *cell == name);
        found.ok_or_else(|| format!("no column `{name}` in the first line"))
    };
    let (file, wall, status) = (column("file")?, column("wall_seconds")?, column("status")?);
    let mut past = Past::new();
    for (index, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        let seconds = cell(wall).parse::<f64>().ok().filter(|seconds| seconds.is_finite());
        let seconds =
            seconds.ok_or_else(|| format!("line {}: `{}` is no time", index + 2, cell(wall)))?;
        let solved = matches!(cell(status), "ok" | "new");
        past.insert(cell(file).to_string(), solved.then_some(seconds));
    }
    Ok(past)
}

#[cfg(test)]
mod tests {
    use super::super::answer::{Answer, Verdict};
    use super::super::judge::Measure;
    use super::super::table::{Expected, Program};
    use super::*;

    fn program(name: &str) -> Program {
        let expected = Some(Expected::Falsifiable(Some(6)));
        Program { name: name.into(), path: name.into(), expected }
    }

    fn row<'a>(program: &'a Program, failure: Option<&str>) -> Row<'a> {
        let answer = Answer { verdict: Verdict::Falsifiable, depth: Some(6), engine: "bmc".into() };
        let answer = failure.is_none().then_some(answer);
        let measure = Measure {
            answer,
            failure: failure.map(str::to_string),
            wall: 0.1236,
            peak: 20.04,
            shares: Vec::new(),
        };
        let ours = Judged::new(measure, program.expected);
        Row { index: 0, program, ours, other: None }
    }

    #[test]
    fn lines() {
        let program = program("a/x.lus");
        let good = row(&program, None);
        assert_eq!(line(&good), "a/x.lus\tfalsifiable\t6\tbmc\t0.124\t20.0\tfalsifiable\tok\n");
        let bad = row(&program, Some("signal 6: a\tb"));
        let text = "a/x.lus\t\t\t\t0.124\t20.0\tfalsifiable\terror: signal 6: a b\n";
        assert_eq!(line(&bad), text);
        let both = Row { other: Some(bad.ours), ..good };
        assert_eq!(line(&both).split('\t').count(), COLUMNS.len() + OTHER_COLUMNS.len());
    }

    #[test]
    fn what_is_written_can_be_read() {
        let (solved, failed) = (program("a.lus"), program("b.lus"));
        let lines = line(&row(&solved, None)) + &line(&row(&failed, Some("overrun")));
        let past = parse(&(COLUMNS.join("\t") + "\n" + &lines)).unwrap();
        assert_eq!(past["a.lus"], Some(0.124));
        assert_eq!(past["b.lus"], None);
        assert_eq!(past.len(), 2);
    }

    #[test]
    fn other_tables_are_refused() {
        assert!(parse("").unwrap_err().contains("no column `file`"));
        assert!(parse("file\twall_seconds\tstatus\nx\tsoon\tok").unwrap_err().contains("line 2"));
    }
}
