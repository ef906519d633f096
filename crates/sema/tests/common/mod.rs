//! Texts to programs, and the programs that all tests use.

#![allow(dead_code)] // each test file uses its part
#![allow(clippy::unwrap_used)]

use std::fmt;
use std::path::Path;

use lustral_sema::Analysis;
use lustral_syntax::{Diagnostics, NoFiles, Severity, SourceMap, ast, parse_program};

/// An error, by what tests compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub code: &'static str,
    pub line: usize,
    pub message: String,
}

/// A text with all that was made of it.
pub struct Checked {
    pub sources: SourceMap,
    pub ast: ast::Program,
    pub analysis: Analysis,
    pub errors: Vec<Found>,
    pub warnings: Vec<Found>,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.errors {
            writeln!(f, "  {}: {}: {}", error.line, error.code, error.message)?;
        }
        Ok(())
    }
}

/// Parses and analyses a text.
pub fn check_text(text: &str) -> Checked {
    let mut sources = SourceMap::new();
    let main = sources.add("test.lus", text);
    let mut diagnostics = Diagnostics::new();
    let ast = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    let analysis = Analysis::new(&sources, &ast);
    analysis.diagnostics().iter().for_each(|d| diagnostics.push(d.clone()));
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for diagnostic in diagnostics.sorted() {
        let found = Found {
            code: diagnostic.code.as_str(),
            line: sources.line_column(diagnostic.primary.span).line as usize,
            message: diagnostic.message.clone(),
        };
        match diagnostic.severity {
            Severity::Error => errors.push(found),
            Severity::Warning => warnings.push(found),
        }
    }
    Checked { sources, ast, analysis, errors, warnings }
}

/// The programs of the whole project's tests, by name.
pub fn corpus() -> Vec<(String, String)> {
    let found = programs(&["cases", "programs"]);
    assert!(found.len() > 80, "the programs are not where they were");
    found
}

/// The programs of some folders of the whole project's tests, by name.
pub fn programs(folders: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lustral/tests").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "lus") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
