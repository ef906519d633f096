//! The programs of a benchmark, and the table of what is expected of them.
//!
//! The table has the columns `file`, `expected`, `step`, separated by tabs; its
//! paths start at the folder where it lies.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const HEADER: &str = "file\texpected\tstep";

/// What a table says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// All its properties hold.
    Valid,
    /// A property fails, first at this step (from 0) where that is known.
    Falsifiable(Option<u64>),
    /// Nobody knows.
    Open,
}

impl Expected {
    /// As the table spells it.
    pub fn word(self) -> &'static str {
        match self {
            Expected::Valid => "valid",
            Expected::Falsifiable(_) => "falsifiable",
            Expected::Open => "open",
        }
    }
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How results name it: its path from the table, or from the folder.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Without a table, nothing is expected.
    pub expected: Option<Expected>,
}

impl Program {
    /// The folder part of its name.
    pub fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// The programs of a table that lie below a folder, in the order of the table.
///
/// # Errors
/// If the table cannot be read, or names a file that is not there.
pub fn from_table(table: &Path, folder: &Path) -> Result<Vec<Program>, String> {
    let shown = table.display();
    let text = fs::read_to_string(table).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let here = table.parent().unwrap_or(Path::new(""));
    let folder = absolute(folder)?;
    let mut programs = Vec::new();
    for (name, expected) in parse(&text).map_err(|e| format!("{shown}: {e}"))? {
        let path = here.join(&name);
        if absolute(&path)?.starts_with(&folder) {
            programs.push(Program { name, path, expected: Some(expected) });
        }
    }
    Ok(programs)
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))
}

/// The rows of a table.
fn parse(text: &str) -> Result<Vec<(String, Expected)>, String> {
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some(HEADER) {
        return Err("the first line must be `file`, `expected`, `step`, tabs between them".into());
    }
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for (index, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row = parse_row(line).map_err(|e| format!("line {}: {e}", index + 2))?;
        if !seen.insert(row.0.clone()) {
            return Err(format!("line {}: `{}` stands there twice", index + 2, row.0));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn parse_row(line: &str) -> Result<(String, Expected), String> {
    let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
    let (file, word, step) = match cells[..] {
        [file, word] => (file, word, ""),
        [file, word, step] => (file, word, step),
        _ => return Err(format!("{} columns instead of 3", cells.len())),
    };
    if file.is_empty() {
        return Err("no file".into());
    }
    let expected = match (word, step) {
        ("valid", "") => Expected::Valid,
        ("open", "") => Expected::Open,
        ("falsifiable", "") => Expected::Falsifiable(None),
        ("falsifiable", step) => {
            let number = step.parse().map_err(|_| format!("`{step}` is no step"))?;
            Expected::Falsifiable(Some(number))
        }
        ("valid" | "open", _) => return Err(format!("`{word}` has no step")),
        _ => return Err(format!("`{word}` is none of valid, falsifiable, open")),
    };
    Ok((file.to_string(), expected))
}

/// All `*.lus` files below a folder, sorted.
///
/// # Errors
/// If a folder cannot be read.
pub fn from_folder(folder: &Path) -> Result<Vec<Program>, String> {
    let mut paths = Vec::new();
    collect(folder, &mut paths).map_err(|e| format!("{}: {e}", folder.display()))?;
    paths.sort();
    let program = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        Program { name, path, expected: None }
    };
    Ok(paths.into_iter().map(program).collect())
}

/// Links to folders are not followed: they could form a circle.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "lus") && path.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &str) -> Result<Vec<(String, Expected)>, String> {
        parse(&format!("{HEADER}\n{lines}"))
    }

    #[test]
    fn rows_are_read() {
        let text =
            "a/x.lus\tfalsifiable\t6\nb.lus\tfalsifiable\t\nc.lus\tvalid\t\r\n\nd.lus\topen\n";
        let expected = [
            ("a/x.lus", Expected::Falsifiable(Some(6))),
            ("b.lus", Expected::Falsifiable(None)),
            ("c.lus", Expected::Valid),
            ("d.lus", Expected::Open),
        ];
        assert_eq!(rows(text).unwrap(), expected.map(|(file, e)| (file.to_string(), e)));
    }

    #[test]
    fn bad_tables_are_refused_with_the_line() {
        for (lines, complaint) in [
            ("a.lus\tvalid\t\nb.lus\tperhaps\t", "line 3: `perhaps` is none of"),
            ("a.lus\tfalsifiable\t-1", "line 2: `-1` is no step"),
            ("a.lus\tvalid\t3", "line 2: `valid` has no step"),
            ("a.lus", "line 2: 1 columns"),
            ("\tvalid\t", "line 2: no file"),
            ("a.lus\tvalid\t\na.lus\topen\t", "line 3: `a.lus` stands there twice"),
        ] {
            let error = rows(lines).unwrap_err();
            assert!(error.starts_with(complaint), "{error}");
        }
        assert!(parse("").is_err());
        assert!(parse("file\tverdict\na.lus\tvalid\n").is_err());
    }

    #[test]
    fn the_folder_of_a_program() {
        let program = |name: &str| Program { name: name.into(), path: name.into(), expected: None };
        assert_eq!(program("a/b/c.lus").folder(), "a/b");
        assert_eq!(program("c.lus").folder(), "");
    }
}
