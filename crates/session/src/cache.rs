//! A folder that keeps invariants from run to run.
//!
//! There is a file for each node, with a name made of a hash of what the node does
//! and of all that this depends on: a node that is changed has none. What is read
//! is never trusted, so neither a stale file nor a wrong one does any harm.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lustral_syntax::ast;
use lustral_syntax::identity::{NodeIdentity, identities};

use crate::candidates::{Invariants, block};

/// What identifies each node, by its name.
pub type Keys = BTreeMap<String, String>;

/// The most invariants that are kept of a node.
const MOST_KEPT: usize = 200;

/// A key for each node: what it does, by content. A cache of guesses need not
/// mind properties and candidates, which say nothing of what the node does.
pub(crate) fn keys(tree: &ast::Program) -> Keys {
    let key = |node: NodeIdentity| (node.name.to_string(), node.behaviour.short());
    identities(tree).into_iter().map(key).collect()
}

fn path(folder: &Path, node: &str, key: &str) -> PathBuf {
    // A quote is part of names in Lustre and of nothing else in file systems.
    folder.join(format!("{}-{key}.candidates", node.replace('\'', "_")))
}

/// The files of the nodes of a program; they need not exist.
pub(crate) fn files(folder: &Path, keys: &Keys) -> Vec<PathBuf> {
    keys.iter().map(|(node, key)| path(folder, node, key)).collect()
}

/// Keeps the invariants of a run, with those that were there before.
///
/// # Errors
/// If the folder cannot be written.
pub fn keep(folder: &Path, keys: &Keys, found: &Invariants) -> std::io::Result<()> {
    if !found.by_node.is_empty() {
        std::fs::create_dir_all(folder)?;
    }
    for (node, list) in &found.by_node {
        let Some(key) = keys.get(node) else { continue };
        let path = path(folder, node, key);
        let mut list = list.clone();
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        for line in before.lines() {
            if let Some(text) = line.strip_prefix("  ").and_then(|l| l.strip_suffix(';'))
                && !list.iter().any(|known| known == text)
            {
                list.push(text.to_string());
            }
        }
        list.truncate(MOST_KEPT);
        write_whole(&path, &block(node, &list))?;
    }
    Ok(())
}

/// Writes a file under another name first: a run at the same time must not
/// read half of it.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, path)
}
