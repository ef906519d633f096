//! Where the certificates of a run are written.

use std::path::{Path, PathBuf};

/// The folder of a property's certificate: its number keeps names apart that
/// look alike once they are made fit for a file system.
pub fn folder(base: &Path, file: &Path, node: &str, number: usize, property: &str) -> PathBuf {
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    base.join(fit(&stem)).join(fit(node)).join(format!("{number}-{}", fit(property)))
}

fn fit(name: &str) -> String {
    let ok = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
    let text: String = name.chars().map(|c| if ok(c) { c } else { '_' }).take(80).collect();
    if text.is_empty() || text.starts_with('.') { format!("_{text}") } else { text }
}
