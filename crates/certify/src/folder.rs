//! Certificates as folders: one SMT-LIB 2 file for each obligation and a
//! manifest, for any solver to check.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use lustral_smt::{Cancel, Dialogue, Outcome, Solver, SolverOptions, open_dialogue};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::obligations::{Expected, obligations};
use crate::script::Script;
use crate::{Answer, Checked};

/// How long it may take to find out that a query is satisfiable.
const SATISFIABLE: Duration = Duration::from_secs(2);

/// The version of the format of folders.
const FORMAT: u32 = 1;

/// The name of the manifest.
const MANIFEST: &str = "manifest.json";

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
    /// What kind of proof it is: `induction` or `exhausted`.
    pub proof: String,
    /// The k of the induction, or the number of steps explored.
    pub k: usize,
    /// Whether the step case considers steps in different states only.
    #[serde(default)]
    pub compression: bool,
    /// The invariants, as a person would write them.
    pub invariants: Vec<String>,
    /// The source files and the SHA-256 of each.
    pub sources: Vec<HashedFile>,
    /// The obligations, one file each.
    pub obligations: Vec<ObligationFile>,
    /// Obligations that do not apply, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<String>,
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

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// Writes a checked proof as a folder, which is made if need be.
///
/// # Errors
/// If a file cannot be written, or the answer is no proof.
pub fn write_folder(
    folder: &Path,
    system: &TransitionSystem,
    answer: &Checked<Answer>,
    sources: &[(String, &[u8])],
) -> Result<(), FolderError> {
    let property = answer.property();
    let Answer::Valid(certificate) = answer.get() else {
        return Err(FolderError::Manifest(folder.display().to_string(), "not a proof".into()));
    };
    let io = |path: &Path| {
        let name = path.display().to_string();
        move |e| FolderError::Io(name, e)
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    clear(folder).map_err(io(folder))?;
    let mut files = Vec::new();
    let mut omitted = Vec::new();
    let logic = Script::logic(system, &certificate.inductive(system)).name();
    for obligation in obligations(system, property, certificate) {
        let text = format!(
            "; {}\n; expected answer: {}\n(set-logic {})\n(set-info :status {})\n{}(check-sat)\n(exit)\n",
            obligation.meaning,
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
            file: HashedFile { name, sha256: sha256(text.as_bytes()) },
            meaning: obligation.meaning,
            expected: obligation.expected.as_str().to_string(),
        });
    }
    let hashed =
        |(name, bytes): &(String, &[u8])| HashedFile { name: name.clone(), sha256: sha256(bytes) };
    let manifest = Manifest {
        format: FORMAT,
        lustral: env!("CARGO_PKG_VERSION").to_string(),
        solver: format!("Z3 {}", lustral_smt::z3_version()),
        node: system.instances[0].node.clone(),
        property: system.property(property).name.clone(),
        proof: match certificate.proof {
            Proof::Induction { .. } => "induction".into(),
            Proof::Exhausted { .. } => "exhausted".into(),
        },
        k: certificate.k(),
        compression: matches!(certificate.proof, Proof::Induction { compression: true, .. }),
        invariants: show_invariants(system, property, certificate),
        sources: sources.iter().map(hashed).collect(),
        obligations: files,
        omitted,
    };
    let path = folder.join(MANIFEST);
    let text = serde_json::to_string_pretty(&manifest).expect("plain data can be written");
    fs::write(&path, text + "\n").map_err(io(&path))
}

/// What a proof is by, besides the property itself, in the user's own names.
#[must_use]
pub fn show_invariants(
    system: &TransitionSystem,
    property: PropId,
    certificate: &Certificate,
) -> Vec<String> {
    let Proof::Induction { properties, invariants, .. } = &certificate.proof else {
        return Vec::new();
    };
    let name = |var: lustral_term::VarId| system.variable(var).name.clone();
    let others = properties.iter().filter(|p| **p != property);
    let others = others.map(|p| format!("property {}", system.property(*p).name));
    let show = |p: &Predicate| lustral_term::show_term(&p.terms, p.term, 2_000, &name);
    others.chain(invariants.iter().map(show)).collect()
}

/// Removes the files of an earlier certificate in the same folder.
fn clear(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ours = path.extension().is_some_and(|e| e == "smt2") || path.ends_with(MANIFEST);
        if ours && path.is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn satisfiable(text: &str) -> Outcome {
    let unknown = |f: lustral_smt::Fault| Outcome::Unknown(f.to_string());
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

/// Checks a folder with a solver: the hashes, and each obligation.
///
/// # Errors
/// If the folder cannot be read or the solver cannot be started.
pub fn check_folder(
    folder: &Path,
    solver: &Solver,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Result<(Manifest, Vec<ObligationResult>), FolderError> {
    let path = folder.join(MANIFEST);
    let name = path.display().to_string();
    let text = fs::read_to_string(&path).map_err(|e| FolderError::Io(name.clone(), e))?;
    let bad = |reason: String| FolderError::Manifest(name.clone(), reason);
    let manifest: Manifest = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
    complete(&manifest).map_err(bad)?;
    let mut results = Vec::new();
    for obligation in &manifest.obligations {
        let problem = check_file(folder, &manifest, obligation, solver, options, cancel)?;
        results.push(ObligationResult {
            name: obligation.file.name.clone(),
            meaning: obligation.meaning.clone(),
            problem,
        });
    }
    Ok((manifest, results))
}

/// Whether a manifest lists what its kind of proof needs: leaving out an
/// obligation must not make a proof.
fn complete(manifest: &Manifest) -> Result<(), String> {
    if manifest.format != FORMAT {
        let found = manifest.format;
        return Err(format!("its format is {found}; this version reads format {FORMAT}"));
    }
    let bases = (0..manifest.k).map(|depth| format!("base-{depth}.smt2"));
    let rest: &[&str] = match manifest.proof.as_str() {
        "induction" if manifest.k > 0 => &["step.smt2", "implication.smt2"],
        "exhausted" => &["exhausted.smt2"],
        other => {
            return Err(format!("`{other}` with k = {} is no known kind of proof", manifest.k));
        }
    };
    for needed in bases.chain(rest.iter().map(ToString::to_string)) {
        let found = manifest.obligations.iter().find(|o| o.file.name == needed);
        match found {
            Some(o) if o.expected == "unsat" => {}
            Some(_) => return Err(format!("`{needed}` must be expected to be unsat")),
            None => return Err(format!("the obligation `{needed}` is missing")),
        }
    }
    // A proof about no execution at all is no proof of anything.
    match manifest.obligations.iter().find(|o| o.file.name == "initial.smt2") {
        Some(o) if o.expected == "sat" => Ok(()),
        Some(_) => Err("`initial.smt2` must be expected to be sat".into()),
        None => Err("the obligation `initial.smt2` is missing".into()),
    }
}

/// Whether an obligation is about as many steps as its place in the proof
/// asks for: a step case of another k is no step case of this one.
fn steps_fit(manifest: &Manifest, name: &str, text: &str) -> bool {
    let last = match name.strip_prefix("base-").and_then(|n| n.strip_suffix(".smt2")) {
        Some(depth) => match depth.parse() {
            Ok(depth) => depth,
            Err(_) => return false,
        },
        None if name == "step.smt2" || name == "exhausted.smt2" => manifest.k,
        None => return true,
    };
    let steps = text.lines().filter_map(|line| line.strip_prefix("; step "));
    steps.eq((0..=last).map(|step| step.to_string()))
}

fn check_file(
    folder: &Path,
    manifest: &Manifest,
    obligation: &ObligationFile,
    solver: &Solver,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Result<Option<String>, FolderError> {
    let name = &obligation.file.name;
    if Path::new(name).components().count() != 1 || name.starts_with('.') {
        return Ok(Some("the name of the file leaves the folder".into()));
    }
    let bytes = match fs::read(folder.join(name)) {
        Ok(bytes) => bytes,
        Err(e) => return Ok(Some(format!("cannot be read: {e}"))),
    };
    if sha256(&bytes) != obligation.file.sha256 {
        return Ok(Some("the file is not the one that the manifest describes".into()));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Some("the file is not a text".into()));
    };
    // A fresh solver for each file, as if it were called on the file.
    let cancel = cancel.child_until(options.patience.map(|patience| Instant::now() + patience));
    let mut dialogue = open_dialogue(solver, options, &cancel).map_err(FolderError::Solver)?;
    if !steps_fit(manifest, name, &text) {
        return Ok(Some("it is not about the steps that the manifest asks for".into()));
    }
    let Some(commands) = text.strip_suffix("(check-sat)\n(exit)\n") else {
        return Ok(Some("the file does not end with its query".into()));
    };
    // The file's own word on its answer is compared here: solvers complain each
    // in their own way where the answer is another.
    let status = text.lines().find_map(|line| line.strip_prefix("(set-info :status "));
    let status = status.map_or("nothing", |status| status.trim_end_matches(')'));
    let is_status = |line: &&str| line.starts_with("(set-info :status ");
    let commands: Vec<&str> = commands.lines().filter(|line| !is_status(line)).collect();
    let commands = &commands.join("\n");
    let told =
        dialogue.tell("(set-option :print-success false)").and_then(|()| dialogue.tell(commands));
    if let Err(fault) = told {
        return Ok(Some(fault.to_string()));
    }
    let answer = match dialogue.query("(check-sat)") {
        Outcome::Sat => "sat".to_string(),
        Outcome::Unsat => "unsat".to_string(),
        Outcome::Unknown(reason) => return Ok(Some(format!("no answer: {reason}"))),
    };
    if answer != obligation.expected {
        return Ok(Some(format!("the answer is {answer}, expected {}", obligation.expected)));
    }
    Ok((status != answer)
        .then(|| format!("the answer is {answer}, as expected, but the file says {status}")))
}
