//! Where the certificates of a run are written.

use std::path::{Path, PathBuf};

/// The folder of a node's certificates. The whole path of the program is in
/// its name: two programs of one run may have the same file name.
pub fn folder(base: &Path, file: &Path, node: &str) -> PathBuf {
    let path = file.with_extension("");
    let parts = path.components().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(fit(&name.to_string_lossy())),
        _ => None,
    });
    base.join(parts.collect::<Vec<_>>().join("-")).join(fit(node))
}

/// The folder of a property's certificate: its number keeps names apart that
/// look alike once they are made fit for a file system.
pub fn of_property(folder: &Path, number: usize, property: &str) -> PathBuf {
    folder.join(format!("{number}-{}", fit(property)))
}

fn fit(name: &str) -> String {
    let ok = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
    let text: String = name.chars().map(|c| if ok(c) { c } else { '_' }).take(80).collect();
    if text.is_empty() || text.starts_with('.') { format!("_{text}") } else { text }
}
