//! The cases: programs whose first lines say what the verdicts are.

use std::path::{Path, PathBuf};

/// A program and what is expected of it.
pub struct Case {
    pub path: PathBuf,
    /// The name of the file without its ending.
    pub name: String,
    pub expected: Vec<(String, Expected)>,
    /// The step that no execution has.
    pub blocks: Option<usize>,
}

/// What is expected of a property, or of the whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    Valid,
    Falsified(u64),
    Vacuous,
    Reached(u64),
    Unreachable,
    Error(String),
}

/// The folder of the project's own cases.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The programs of a folder, in order.
pub fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "lus")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no program", folder.display());
    paths
}

/// The cases of a folder, in order.
pub fn read_all(folder: &Path) -> Vec<Case> {
    programs(folder).iter().map(|path| read(path)).collect()
}

/// The case of this name.
pub fn named(name: &str) -> Case {
    read(&folder().join(format!("{name}.lus")))
}

fn read(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).unwrap();
    let mut case = Case {
        path: path.to_path_buf(),
        name: path.file_stem().unwrap().to_str().unwrap().to_string(),
        expected: Vec::new(),
        blocks: None,
    };
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("-- expect: ") {
            let (property, verdict) = rest.split_once(" = ").unwrap();
            case.expected.push((property.to_string(), verdict_of(verdict)));
        } else if let Some(rest) = line.strip_prefix("-- warning: ") {
            case.blocks = rest.strip_prefix("blocks at step ").map(|step| step.parse().unwrap());
        }
    }
    assert!(!case.expected.is_empty(), "{} says nothing", path.display());
    case
}

fn verdict_of(text: &str) -> Expected {
    match text {
        "valid" => Expected::Valid,
        "vacuous" => Expected::Vacuous,
        "unreachable" => Expected::Unreachable,
        _ => {
            let step = |words| Some(text.strip_prefix(words)?.parse().unwrap());
            let kind = text.strip_prefix("error: ").map(|kind| Expected::Error(kind.to_string()));
            step("falsified at step ")
                .map(Expected::Falsified)
                .or(step("reached at step ").map(Expected::Reached))
                .or(kind)
                .unwrap_or_else(|| panic!("`{text}` is no verdict"))
        }
    }
}
