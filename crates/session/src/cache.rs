//! A folder that keeps invariants from run to run.
//!
//! There is a file for each node, with a name made of a hash of the text of the
//! node and of all that it calls: a node that is changed has none. What is read
//! is never trusted, so neither a stale file nor a wrong one does any harm.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use lustral_syntax::ast::{self, Declaration, ExprKind, Item, NodeDeclaration};
use lustral_syntax::printer::print_node;
use sha2::{Digest, Sha256};

use crate::candidates::{Invariants, block};

/// What identifies each node, by its name.
pub type Keys = BTreeMap<String, String>;

/// The most invariants that are kept of a node.
const MOST_KEPT: usize = 200;

/// A key for each node: the hash of its text and of that of all it calls.
pub(crate) fn keys(tree: &ast::Program) -> Keys {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut calls: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for declaration in &tree.declarations {
        let Declaration::Node(node) = declaration else { continue };
        let mut text = String::new();
        print_node(tree, node, &mut text);
        texts.insert(&node.name.name, text);
        calls.insert(&node.name.name, called(tree, node));
    }
    texts.keys().map(|name| ((*name).to_string(), key(name, &texts, &calls))).collect()
}

fn key(root: &str, texts: &BTreeMap<&str, String>, calls: &BTreeMap<&str, Vec<&str>>) -> String {
    let mut reached = BTreeSet::new();
    let mut pending = vec![root];
    while let Some(name) = pending.pop() {
        if texts.contains_key(name) && reached.insert(name) {
            pending.extend(calls.get(name).into_iter().flatten());
        }
    }
    let mut hash = Sha256::new();
    hash.update(root);
    reached.iter().for_each(|name| hash.update(&texts[name]));
    let mut text = String::new();
    for byte in hash.finalize().iter().take(12) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The names of the nodes that a node calls.
fn called<'t>(tree: &'t ast::Program, node: &'t NodeDeclaration) -> Vec<&'t str> {
    let mut pending: Vec<ast::ExprId> = Vec::new();
    for item in &node.items {
        match item {
            Item::Equation(equation) => pending.push(equation.right),
            Item::Assert(expr, _) | Item::Candidate(expr) => pending.push(*expr),
            Item::Property(property) => pending.push(property.expr),
            Item::Main(_) => {}
        }
    }
    let mut names = Vec::new();
    while let Some(expr) = pending.pop() {
        if let ExprKind::Call(name, _) = &tree.exprs[expr].kind {
            names.push(&*name.name);
        }
        pending.extend(tree.exprs.operands(expr));
    }
    names
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
