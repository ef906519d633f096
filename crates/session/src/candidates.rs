//! Candidates for invariants from files, and invariants back to files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use lustral_certify::{Answer, Checked};
use lustral_coordinator::Unit;
use lustral_render::LustreWriter;
use lustral_sema::Program;
use lustral_syntax::{Diagnostics, FileId, SourceMap, ast, parse_candidates};
use lustral_system::{Certificate, InstanceId, Predicate, Proof, TransitionSystem};

use crate::cache::{self, Keys};
use crate::files::read;
use crate::load::{Unreadable, read_named};

/// Where candidates come from, beside the program.
#[derive(Clone, Default, Debug)]
pub struct Origins {
    /// Files of the user, who wants to know what is wrong with them.
    pub files: Vec<PathBuf>,
    /// Texts by name, of which nobody wants to know what is wrong with them.
    pub texts: Vec<(String, Arc<str>)>,
    /// A file of an earlier run.
    pub earlier: Option<PathBuf>,
    /// The folder of a cache.
    pub cache: Option<PathBuf>,
}

/// Files that an earlier run wrote, with the number of candidates in each.
#[derive(Default)]
pub struct Quiet {
    files: Vec<(FileId, usize)>,
}

impl Origins {
    /// Reads all candidates into a program that is not yet analysed.
    pub(crate) fn add(
        &self,
        keys: &Keys,
        sources: &mut SourceMap,
        tree: &mut ast::Program,
        diagnostics: &mut Diagnostics,
    ) -> Result<Quiet, Unreadable> {
        for path in &self.files {
            let source = read_named(path)?;
            let file = sources.add(path.display().to_string(), source.text);
            parse_candidates(sources, file, tree, diagnostics);
        }
        let mut quiet = Quiet::default();
        for (name, text) in &self.texts {
            let file = sources.add(name.clone(), text.clone());
            let count = parse_candidates(sources, file, tree, diagnostics);
            quiet.files.push((file, count));
        }
        let earlier = self.earlier.clone();
        let cached =
            self.cache.as_deref().map(|folder| cache::files(folder, keys)).unwrap_or_default();
        for path in earlier.into_iter().chain(cached) {
            // There is nothing to read before the first run.
            let Ok(source) = read(&path) else { continue };
            let file = sources.add(path.display().to_string(), source.text);
            let count = parse_candidates(sources, file, tree, diagnostics);
            quiet.files.push((file, count));
        }
        Ok(quiet)
    }
}

impl Quiet {
    /// Forgets the remarks about these files.
    pub(crate) fn remove_from(&self, diagnostics: Diagnostics) -> Diagnostics {
        let mut kept = Diagnostics::new();
        for diagnostic in diagnostics.iter() {
            let file = diagnostic.primary.span.file;
            if !self.files.iter().any(|(quiet, _)| *quiet == file) {
                kept.push(diagnostic.clone());
            }
        }
        kept
    }

    /// Notes how many of their candidates fit the program.
    pub fn count(&self, program: &Program) {
        if self.files.is_empty() {
            return;
        }
        let all: usize = self.files.iter().map(|(_, count)| count).sum();
        let spans = program.nodes.iter().flat_map(|n| &n.candidates.list).map(|c| c.span);
        let used = spans.filter(|s| self.files.iter().any(|(f, _)| *f == s.file)).count();
        tracing::info!(read = all, skipped = all - used, "invariants of earlier runs");
    }
}

/// The invariants of proofs, by node, as Lustre text.
#[derive(Clone, Default, Debug)]
pub struct Invariants {
    /// The texts, by the name of the node in whose scope they stand.
    pub by_node: BTreeMap<String, Vec<String>>,
}

impl Invariants {
    /// Adds what proofs rest on, as far as it can be said in Lustre: their
    /// invariants, and what they were given of called nodes.
    pub fn add(&mut self, unit: &Unit, answers: &[Checked<Answer>]) {
        let mut unsaid = self.state(&unit.system, answers.iter().flat_map(rests_on));
        let proved = answers.iter().filter(|answer| matches!(answer.get(), Answer::Valid(_)));
        for (summary, stated) in proved.filter_map(Checked::cut).flat_map(|cut| cut.guarantees()) {
            unsaid += self.state(&summary.cut().system, stated);
        }
        if unsaid > 0 {
            tracing::info!(unsaid, "invariants that no node can state");
        }
    }

    /// Adds predicates over a system; how many cannot be said.
    fn state<'p>(
        &mut self,
        system: &TransitionSystem,
        predicates: impl IntoIterator<Item = &'p Predicate>,
    ) -> usize {
        let mut predicates = predicates.into_iter().peekable();
        // The writer looks at the whole system, which is much for nothing.
        if predicates.peek().is_none() {
            return 0;
        }
        let (mut writer, mut unsaid) = (LustreWriter::new(system), 0);
        for predicate in predicates {
            match writer.expression(predicate) {
                Some((instance, text)) => self.insert(&system.instance(instance).node, text),
                None => unsaid += 1,
            }
        }
        unsaid
    }

    /// Adds an invariant of a node.
    pub fn insert(&mut self, node: &str, text: String) {
        let list = self.by_node.entry(node.to_string()).or_default();
        if !list.contains(&text) {
            list.push(text);
        }
    }

    /// Adds those of another program.
    pub fn extend(&mut self, others: Invariants) {
        for (node, list) in others.by_node {
            list.into_iter().for_each(|text| self.insert(&node, text));
        }
    }

    /// As a file of candidates.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::from("-- Invariants found by lustral\n");
        for (node, list) in &self.by_node {
            out += &block(node, list);
        }
        out
    }
}

/// What strengthens the properties in a proof.
fn rests_on(answer: &Checked<Answer>) -> &[Predicate] {
    match answer.get() {
        Answer::Valid(Certificate { proof: Proof::Induction { invariants, .. } }) => invariants,
        _ => &[],
    }
}

/// The candidates of a node as text.
pub(crate) fn block(node: &str, list: &[String]) -> String {
    let mut out = format!("node {node}\n");
    for text in list {
        let _ = writeln!(out, "  {text};");
    }
    out
}

/// A predicate as an expression of its node, if it is one.
pub(crate) fn in_node(writer: &mut LustreWriter<'_>, said: &Predicate) -> Option<String> {
    let (instance, text) = writer.expression(said)?;
    (instance == InstanceId::ROOT).then_some(text)
}
