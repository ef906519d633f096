//! The rules of the house that no compiler knows. (Functions are clippy's
//! business: `too_many_lines` in `clippy.toml`.)

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// No file is longer: it is asking to be split along a noun.
const LONGEST: usize = 500;

/// All sources of the workspace.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = ["crates", "fuzz", "xtask"].map(|folder| root.join(folder)).to_vec();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn no_file_is_too_long() {
    let sources = sources();
    assert!(sources.len() > 300, "where are they?");
    for path in sources {
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines", path.display());
    }
}

/// What every module is for stands at its head.
#[test]
fn every_file_says_what_it_owns() {
    for path in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let shown = path.display();
        assert!(text.starts_with("//!") || text.starts_with("#!"), "{shown} has no head");
    }
}
