//! Certificates as folders: one SMT-LIB 2 file for each obligation and a
//! manifest, for any solver to check.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use lustral_base::{Cancel, Digest};
use lustral_smt::{Dialogue, Outcome};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};
use serde::{Deserialize, Serialize};

use crate::obligations::{Expected, Obligation, inductive, obligations};
use crate::script::Script;
use crate::{Answer, Checked, CutSystem, invariant, source};

/// How long it may take to find out that a query is satisfiable.
const SATISFIABLE: Duration = Duration::from_secs(2);

/// The version of the format of folders.
pub(crate) const FORMAT: u32 = 2;

/// How the names of folders begin that hold what a proof rests on.
const PART: &str = "guarantee-";

/// The name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";

/// What a folder holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this format.
    pub format: u32,
    /// The program that wrote it.
    pub lustral: String,
    /// The solver that accepted it.
    pub solver: String,
    /// The node that was checked.
    pub node: String,
    /// The property.
    pub property: String,
    /// What kind of proof it is: `induction`, `exhausted`, `guarantee`, an
    /// induction that is about nothing but its invariants, or `protocol`, for all sizes of a protocol.
    pub proof: String,
    /// The k of the induction, or the number of steps explored.
    pub k: usize,
    /// Whether the step case considers steps in different states only.
    #[serde(default)]
    pub compression: bool,
    /// The invariants, as a person would write them.
    pub invariants: Vec<String>,
    /// The memories that make up a state, where the proof tells states apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<String>,
    /// The transitions, of a protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<String>,
    /// The source files and the SHA-256 of each.
    pub sources: Vec<HashedFile>,
    /// The obligations, one file each.
    pub obligations: Vec<ObligationFile>,
    /// Obligations that do not apply, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<String>,
    /// The folders, below this one, of what the proof was given of called
    /// nodes: certificates of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
}

/// A file and its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashedFile {
    /// Its name.
    pub name: String,
    /// The hash of its content, in hexadecimal.
    pub sha256: String,
}

/// An obligation in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ObligationFile {
    /// The file.
    #[serde(flatten)]
    pub file: HashedFile,
    /// What it says.
    pub meaning: String,
    /// `unsat` or `sat`.
    pub expected: String,
}

/// Why a folder is not a certificate.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The manifest cannot be understood.
    #[error("{0}: {1}")]
    Manifest(String, String),
    /// The solver cannot be started.
    #[error("{0}")]
    Solver(lustral_smt::Fault),
}

/// What a solver said of an obligation.
#[derive(Clone, Debug)]
pub struct ObligationResult {
    /// The file.
    pub name: String,
    /// What it says.
    pub meaning: String,
    /// Nothing if it holds, else why not.
    pub problem: Option<String>,
}

/// Writes a checked proof as a folder, which is made if need be. What it was
/// given of called nodes has folders below.
///
/// # Errors
/// If a file cannot be written, or the answer is no proof.
pub fn write_folder(
    folder: &Path,
    system: &TransitionSystem,
    answer: &Checked<Answer>,
    sources: &[(String, &[u8])],
) -> Result<(), FolderError> {
    let Answer::Valid(certificate) = answer.get() else {
        return Err(FolderError::Manifest(folder.display().to_string(), "not a proof".into()));
    };
    clear_parts(folder).map_err(|e| FolderError::Io(folder.display().to_string(), e))?;
    let rests_on = match answer.cut() {
        Some(cut) => write_summaries(folder, cut, sources)?,
        None => Vec::new(),
    };
    let property = Some(answer.property());
    let part = Part { system, certificate, property, rests_on, below: false };
    write_part(folder, &part, sources)
}

/// A proof on its own.
struct Part<'a> {
    system: &'a TransitionSystem,
    certificate: &'a Certificate,
    /// What it is a proof of, if of anything but its invariants.
    property: Option<PropId>,
    rests_on: Vec<String>,
    /// Whether another proof rests on it, and has what it rests on.
    below: bool,
}

/// What every obligation says about what else its proof needs, so that no part
/// of a proof passes for a whole one.
pub(crate) fn ties(below: bool, rests_on: &[String]) -> String {
    if below {
        "; part of the proof in the folder above\n".into()
    } else {
        rests_on.iter().map(|name| format!("; rests on {name}\n")).collect()
    }
}

/// Writes the proofs of all summaries that a cut system rests on, each in a
/// folder below; the names of the folders.
fn write_summaries(
    folder: &Path,
    cut: &CutSystem,
    sources: &[(String, &[u8])],
) -> Result<Vec<String>, FolderError> {
    let mut names = Vec::new();
    let mut write = |part: Part<'_>| {
        let name = format!("{PART}{}", names.len() + 1);
        write_part(&folder.join(&name), &part, sources)?;
        names.push(name);
        Ok::<(), FolderError>(())
    };
    for summary in cut.summaries() {
        for answer in summary.properties() {
            if let (Answer::Valid(certificate), Some(cut)) = (answer.get(), answer.cut()) {
                let (system, property) = (&cut.system, Some(answer.property()));
                write(Part { system, certificate, property, rests_on: Vec::new(), below: true })?;
            }
        }
        let certificate = &summary.inductive();
        let system = &summary.cut().system;
        let (property, rests_on) = (None, Vec::new());
        write(Part { system, certificate, property, rests_on, below: true })?;
    }
    Ok(names)
}

fn write_part(
    folder: &Path,
    part: &Part<'_>,
    sources: &[(String, &[u8])],
) -> Result<(), FolderError> {
    let &Part { system, certificate, property, .. } = part;
    let io = |path: &Path| {
        let name = path.display().to_string();
        move |e| FolderError::Io(name, e)
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    clear(folder).map_err(io(folder))?;
    let mut files = Vec::new();
    let mut omitted = Vec::new();
    let facts = certificate.states().into_iter().flat_map(|states| states.facts.iter().cloned());
    let predicates: Vec<Predicate> =
        certificate.inductive(system).into_iter().chain(facts).collect();
    let logic = Script::logic(system, &predicates).name();
    let list: Vec<Obligation> = match property {
        Some(property) => obligations(system, property, certificate).collect(),
        None => inductive(system, &predicates).collect(),
    };
    for obligation in list {
        let text = format!(
            "; {}\n{}; expected answer: {}\n(set-logic {})\n(set-info :status {})\n{}(check-sat)\n(exit)\n",
            obligation.meaning,
            ties(part.below, &part.rests_on),
            obligation.expected.as_str(),
            logic,
            obligation.expected.as_str(),
            obligation.text,
        );
        // That a property can fail at all, or that a state has a successor, is
        // not so for every program: it is an obligation only where it is so.
        if obligation.expected == Expected::Sat {
            let reason = match satisfiable(&obligation.text) {
                Outcome::Sat => None,
                Outcome::Unsat => Some("it is not so in this program"),
                Outcome::Unknown(_) => Some("the solver could not tell"),
            };
            if let Some(reason) = reason {
                omitted.push(format!("{}: {reason}", obligation.meaning));
                continue;
            }
        }
        let name = format!("{}.smt2", obligation.name);
        let path = folder.join(&name);
        fs::write(&path, &text).map_err(io(&path))?;
        files.push(ObligationFile {
            file: HashedFile { name, sha256: Digest::of(&text).to_string() },
            meaning: obligation.meaning,
            expected: obligation.expected.as_str().to_string(),
        });
    }
    if let (Some(_), Proof::Induction { .. }) = (property, &certificate.proof) {
        invariant::write(folder, system, &certificate.inductive(system))?;
    }
    // A part of a proof, or one that has parts, is about no whole program.
    if let (Some(property), false, []) = (property, part.below, &part.rests_on[..]) {
        source::write(folder, system, property, certificate)?;
    }
    let manifest = Manifest {
        format: FORMAT,
        lustral: env!("CARGO_PKG_VERSION").to_string(),
        solver: format!("Z3 {}", lustral_smt::z3_version()),
        node: system.root().node.clone(),
        property: property.map(|p| system.property(p).name.clone()).unwrap_or_default(),
        proof: match (property, &certificate.proof) {
            (None, _) => "guarantee".into(),
            (_, Proof::Induction { .. }) => "induction".into(),
            (_, Proof::Exhausted { .. }) => "exhausted".into(),
        },
        k: certificate.k(),
        compression: certificate.is_compressed(),
        invariants: show_invariants(system, property, certificate),
        state: show_state(system, certificate),
        transitions: Vec::new(),
        sources: hashed(sources),
        obligations: files,
        omitted,
        rests_on: part.rests_on.clone(),
    };
    let path = folder.join(MANIFEST);
    let text = serde_json::to_string_pretty(&manifest).expect("plain data can be written");
    fs::write(&path, text + "\n").map_err(io(&path))
}

/// Files with their hashes.
pub(crate) fn hashed(sources: &[(String, &[u8])]) -> Vec<HashedFile> {
    let hashed = |(name, bytes): &(String, &[u8])| HashedFile {
        name: name.clone(),
        sha256: Digest::of(bytes).to_string(),
    };
    sources.iter().map(hashed).collect()
}

/// What a proof is by, besides the property itself, in the user's own names.
#[must_use]
pub fn show_invariants(
    system: &TransitionSystem,
    property: Option<PropId>,
    certificate: &Certificate,
) -> Vec<String> {
    let facts = certificate.states().map_or(&[][..], |states| &states.facts);
    let (properties, invariants) = match &certificate.proof {
        Proof::Induction { properties, invariants, .. } => (&properties[..], &invariants[..]),
        Proof::Exhausted { .. } => (&[][..], &[][..]),
    };
    // The facts about the state are often among the invariants.
    let new = |fact: &&Predicate| !invariants.iter().any(|known| known.same_as(fact));
    let facts = facts.iter().filter(new);
    let others = properties.iter().filter(|p| Some(**p) != property);
    let others = others.map(|p| format!("property {}", system.property(*p).name));
    let show = |p: &Predicate| lustral_term::show_term(&p.terms, p.term, 2_000, system);
    others.chain(invariants.iter().chain(facts).map(show)).collect()
}

/// The memories that make up a state, where a proof tells states apart.
fn show_state(system: &TransitionSystem, certificate: &Certificate) -> Vec<String> {
    let memories = certificate.states().map_or(&[][..], |states| &states.memories);
    memories.iter().map(|var| system.variable(*var).name.clone()).collect()
}

/// Removes the files of an earlier certificate in the same folder.
pub(crate) fn clear(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ours = path.extension().is_some_and(|e| e == "smt2")
            || path.ends_with(MANIFEST)
            || path.ends_with(invariant::FILE)
            || path.ends_with(source::FILE);
        if ours && path.is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Removes all certificates of earlier runs in and below a folder, and folders
/// that are empty then. What is not ours stays.
///
/// # Errors
/// If something cannot be read or removed.
pub fn discard_certificates(folder: &Path) -> std::io::Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        // A folder that is a link is somebody else's.
        if !fs::symlink_metadata(&folder).is_ok_and(|data| data.is_dir()) {
            continue;
        }
        if folder.join(MANIFEST).is_file() {
            clear(&folder)?;
        }
        for entry in fs::read_dir(&folder)? {
            folders.push(entry?.path());
        }
    }
    // Those inside come after those that they are in.
    for folder in folders.iter().rev().filter(|folder| folder.is_dir()) {
        if fs::read_dir(folder)?.next().is_none() {
            fs::remove_dir(folder)?;
        }
    }
    Ok(())
}

/// Removes the parts of an earlier certificate in the same folder: there may
/// have been more of them. What is not ours in them stays.
fn clear_parts(folder: &Path) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_prefix(PART).filter(|rest| rest.parse::<usize>().is_ok());
        if number.is_some() && path.join(MANIFEST).is_file() {
            clear(&path)?;
            if fs::read_dir(&path)?.next().is_none() {
                fs::remove_dir(&path)?;
            }
        }
    }
    Ok(())
}

fn satisfiable(text: &str) -> Outcome {
    let unknown = |f: lustral_smt::Fault| Outcome::Unknown(f.into());
    let cancel = Cancel::with_deadline(Some(Instant::now() + SATISFIABLE));
    let mut solver = match lustral_smt::Z3Text::new(cancel) {
        Ok(solver) => solver,
        Err(fault) => return unknown(fault),
    };
    match solver.tell(text) {
        Ok(()) => solver.query("(check-sat)"),
        Err(fault) => unknown(fault),
    }
}
