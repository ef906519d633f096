//! Where the certificates of a run are written.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Component, Path, PathBuf};

/// The longest name of a folder; file systems take 255 bytes.
const LONGEST: usize = 160;

/// The folder of a node's certificates. The whole path of the program is in
/// its name: two programs of one run may have the same file name.
pub fn folder(base: &Path, file: &Path, node: &str) -> PathBuf {
    let parts = file.components().filter_map(|part| match part {
        // The root and what is below it are told apart by an empty part.
        Component::RootDir => Some(String::new()),
        Component::CurDir => None,
        other => Some(fit(other.as_os_str().as_encoded_bytes())),
    });
    base.join(shorten(parts.collect::<Vec<_>>().join("+"))).join(shorten(fit(node.as_bytes())))
}

/// The folder, in that of a node, of proofs for all calls of it.
pub const CALLS: &str = "calls";

/// The folder of a property's certificate: its number keeps properties apart
/// whatever becomes of their names.
pub fn of_property(folder: &Path, number: usize, property: &str) -> PathBuf {
    folder.join(shorten(format!("{number}-{}", fit(property.as_bytes()))))
}

/// A name with only such characters as every file system takes and no tool
/// treats in a special way. Different names stay different: all others are
/// written as `%` and their number.
fn fit(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for (i, byte) in name.iter().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"_-".contains(byte) || *byte == b'.' && i > 0;
        match plain {
            true => text.push(char::from(*byte)),
            false => text.push_str(&format!("%{byte:02x}")),
        }
    }
    text
}

/// A name that is too long ends with a hash of all of it.
fn shorten(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    // All is ASCII here. No short name has a `~`.
    format!("{}~{:016x}", &name[..LONGEST - 17], hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_files_have_different_folders() {
        let long = "x".repeat(300);
        let files = [
            "a/p.lus",
            "a-p.lus",
            "a+p.lus",
            "a_p.lus",
            "a p.lus",
            "../a/p.lus",
            "/a/p.lus",
            "a/p",
            "a/p.ec",
            "a/../p.lus",
            "..a/p.lus",
            "a/p%.lus",
            "a/p%25.lus",
            "A/p.lus",
            "\u{e9}.lus",
            "\u{e8}.lus",
            &format!("{long}1.lus"),
            &format!("{long}2.lus"),
            &long,
            "%2e./a/p.lus",
        ];
        let mut folders: Vec<PathBuf> =
            files.iter().map(|file| folder(Path::new("out"), Path::new(file), "main")).collect();
        for folder in &folders {
            assert_eq!(folder.components().count(), 3, "{}", folder.display());
            let name = folder.components().nth(1).unwrap().as_os_str().to_str().unwrap();
            assert!(name.len() <= LONGEST && !name.starts_with('.'), "{name}");
        }
        folders.sort();
        folders.dedup();
        assert_eq!(folders.len(), files.len());
        let node = |name| folder(Path::new("out"), Path::new("p.lus"), name);
        assert_ne!(node("a'"), node("a_"));
    }
}
