//! Where the certificates of a run are written, and what writes them.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lustral_certify::{Answer, Checked, Unit, discard_certificates, write_folder};
use sha2::{Digest, Sha256};

/// The longest name of a folder; file systems take 255 bytes.
const LONGEST: usize = 160;

/// The folder, in that of a node, of proofs for all calls of it.
const CALLS: &str = "calls";

/// The texts of a program, by the names of its files.
pub type Texts = Arc<[(String, Arc<str>)]>;

/// What certificates are about: a node by itself, or every call of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The node, with what its inputs are declared to be.
    Node,
    /// Every call of the node.
    Calls,
}

/// Where the certificates of a program go.
#[derive(Clone, Debug)]
pub struct Certificates {
    /// Below this folder.
    pub base: PathBuf,
    /// The program's file, which names a folder there.
    pub file: PathBuf,
    /// The program: its hashes are part of each certificate.
    pub texts: Texts,
}

/// Why a certificate was not written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot write the certificate: {0}")]
pub struct Unwritten(pub String);

/// A certificate of an earlier run that is still there.
#[derive(Debug, thiserror::Error)]
#[error("an earlier certificate in {} cannot be removed: {error}", folder.display())]
pub struct NotRemoved {
    /// Where it is.
    pub folder: PathBuf,
    /// Why.
    pub error: std::io::Error,
}

/// Writes the certificates of one system.
#[derive(Clone, Debug)]
pub struct Store {
    certificates: Certificates,
    /// By property of the system: its number among all of the node.
    numbers: Vec<usize>,
}

impl Certificates {
    fn folder(&self, node: &str, scope: Scope) -> PathBuf {
        let folder = folder(&self.base, &self.file, node);
        match scope {
            Scope::Node => folder,
            // A proof for all calls is another one than that for the node by itself.
            Scope::Calls => folder.join(CALLS),
        }
    }

    /// Removes the certificates of a node that earlier runs wrote: they may be
    /// of properties that do not hold any more.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn discard(&self, node: &str, scope: Scope) -> Result<(), NotRemoved> {
        let folder = self.folder(node, scope);
        discard_certificates(&folder).map_err(|error| NotRemoved { folder, error })
    }

    /// The folder for a property of something else than a node, by its number from 0.
    #[must_use]
    pub fn of_property(&self, node: &str, number: usize, property: &str) -> PathBuf {
        of_property(&self.folder(node, Scope::Node), number + 1, property)
    }

    /// What writes the certificates of a system whose properties have these
    /// numbers among those of its node.
    #[must_use]
    pub fn store(&self, numbers: Vec<usize>) -> Store {
        Store { certificates: self.clone(), numbers }
    }
}

impl Store {
    /// Writes the certificate of an answer; the folder, or nothing if the answer
    /// needs none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        unit: &Unit,
        answer: &Checked<Answer>,
    ) -> Option<Result<PathBuf, Unwritten>> {
        let Answer::Valid(_) = answer.get() else { return None };
        // What holds of the calls that are given what they are owed is no proof about all calls,
        // and a folder would pass for one.
        if answer.is_conditional() {
            return None;
        }
        let system = &unit.system;
        let scope = if unit.tree.is_called() { Scope::Calls } else { Scope::Node };
        let folder = self.certificates.folder(&system.root().node, scope);
        let property = answer.property();
        // What nobody asked for has no number.
        let number = self.numbers.get(property.index())? + 1;
        let folder = of_property(&folder, number, &system.property(property).name);
        let texts = self.certificates.texts.iter();
        let texts: Vec<(String, &[u8])> =
            texts.map(|(name, text)| (name.clone(), text.as_bytes())).collect();
        let written = write_folder(&folder, system, answer, &texts);
        Some(written.map(|()| folder).map_err(|error| Unwritten(error.to_string())))
    }
}

/// The folder of a node's certificates. The whole path of the program is in
/// its name: two programs of one run may have the same file name.
fn folder(base: &Path, file: &Path, node: &str) -> PathBuf {
    let parts = file.components().filter_map(|part| match part {
        // The root and what is below it are told apart by an empty part.
        Component::RootDir => Some(String::new()),
        Component::CurDir => None,
        other => Some(fit(other.as_os_str().as_encoded_bytes())),
    });
    base.join(shorten(parts.collect::<Vec<_>>().join("+"))).join(shorten(fit(node.as_bytes())))
}

/// The folder of a property's certificate: its number keeps properties apart
/// whatever becomes of their names.
fn of_property(folder: &Path, number: usize, property: &str) -> PathBuf {
    folder.join(shorten(format!("{number}-{}", fit(property.as_bytes()))))
}

/// A name with only such characters as every file system takes and no tool
/// treats in a special way. Different names stay different: all others are
/// written as `%` and their number.
fn fit(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for (i, byte) in name.iter().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"_-".contains(byte) || *byte == b'.' && i > 0;
        if plain { text.push(char::from(*byte)) } else { text.push_str(&format!("%{byte:02x}")) }
    }
    text
}

/// A name that is too long ends with a hash of all of it.
fn shorten(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    // All is ASCII here. No short name has a `~`.
    let mut short = format!("{}~", &name[..LONGEST - 17]);
    for byte in Sha256::digest(&name).iter().take(8) {
        let _ = write!(short, "{byte:02x}");
    }
    short
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
