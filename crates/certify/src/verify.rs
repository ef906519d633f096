//! Checking the folders of certificates.

use std::fs;
use std::path::Path;
use std::time::Instant;

use lustral_base::{Cancel, Digest};
use lustral_smt::{Outcome, Solver, SolverOptions, open_dialogue};

use crate::folder::{
    FORMAT, FolderError, MANIFEST, Manifest, ObligationFile, ObligationResult, ties,
};
use crate::protocol;
use crate::script::DIFFERENT;

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
    let manifest = read_manifest(folder)?;
    let bad =
        |reason: String| FolderError::Manifest(folder.join(MANIFEST).display().to_string(), reason);
    if manifest.proof == "guarantee" {
        return Err(bad("a guarantee is a part of other proofs, and none of a property".into()));
    }
    let mut results = check_part(folder, "", &manifest, solver, options, cancel)?;
    for name in &manifest.rests_on {
        if Path::new(name).components().count() != 1 || name.starts_with('.') {
            return Err(bad(format!("`{name}` leaves the folder")));
        }
        let below = folder.join(name);
        let part = read_manifest(&below)?;
        if part.sources != manifest.sources {
            return Err(bad(format!("`{name}` is about another program")));
        }
        results.extend(check_part(&below, name, &part, solver, options, cancel)?);
    }
    Ok((manifest, results))
}

/// The manifest of a folder, which lists all that its kind of proof needs.
///
/// # Errors
///
/// If there is none, or if it is not complete.
pub fn read_manifest(folder: &Path) -> Result<Manifest, FolderError> {
    let path = folder.join(MANIFEST);
    let name = path.display().to_string();
    let text = fs::read_to_string(&path).map_err(|e| FolderError::Io(name.clone(), e))?;
    let bad = |reason: String| FolderError::Manifest(name.clone(), reason);
    let manifest: Manifest = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
    complete(&manifest).map_err(bad)?;
    Ok(manifest)
}

/// Checks the obligations of a folder.
fn check_part(
    folder: &Path,
    below: &str,
    manifest: &Manifest,
    solver: &Solver,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Result<Vec<ObligationResult>, FolderError> {
    let mut results = Vec::new();
    for obligation in &manifest.obligations {
        let ties = ties(!below.is_empty(), &manifest.rests_on);
        let problem = check_file(folder, manifest, obligation, (&ties, solver), options, cancel)?;
        let file = &obligation.file.name;
        let name = if below.is_empty() { file.clone() } else { format!("{below}/{file}") };
        results.push(ObligationResult { name, meaning: obligation.meaning.clone(), problem });
    }
    Ok(results)
}

/// Whether a manifest lists what its kind of proof needs: leaving out an
/// obligation must not make a proof.
fn complete(manifest: &Manifest) -> Result<(), String> {
    if manifest.format != FORMAT {
        let found = manifest.format;
        return Err(format!("its format is {found}; this version reads format {FORMAT}"));
    }
    if manifest.proof == protocol::KIND {
        let (facts, transitions) = (manifest.invariants.len(), manifest.transitions.len());
        let names = protocol::needed(facts, transitions).map(|name| format!("{name}.smt2"));
        return all_unsat(manifest, names);
    }
    // What makes it sound to leave out executions that repeat a state.
    let states: &[&str] = if manifest.compression || manifest.proof == "exhausted" {
        &["facts-initial.smt2", "facts-step.smt2", "state.smt2"]
    } else {
        &[]
    };
    let bases = (0..manifest.k).map(|depth| format!("base-{depth}.smt2"));
    let rest: &[&str] = match manifest.proof.as_str() {
        "induction" if manifest.k > 0 => &["step.smt2", "implication.smt2"],
        "exhausted" => &["exhausted.smt2"],
        "guarantee" if manifest.k == 1 => &["step.smt2"],
        other => {
            return Err(format!("`{other}` with k = {} is no known kind of proof", manifest.k));
        }
    };
    all_unsat(manifest, bases.chain(rest.iter().chain(states).map(ToString::to_string)))?;
    // A proof about no execution at all is no proof of anything; but what a
    // called node guarantees is a part of another proof, which says that.
    match manifest.obligations.iter().find(|o| o.file.name == "initial.smt2") {
        Some(o) if o.expected == "sat" => Ok(()),
        Some(_) => Err("`initial.smt2` must be expected to be sat".into()),
        None if manifest.proof == "guarantee" => Ok(()),
        None => Err("the obligation `initial.smt2` is missing".into()),
    }
}

/// Whether all these obligations are there, and have no model.
fn all_unsat(manifest: &Manifest, names: impl Iterator<Item = String>) -> Result<(), String> {
    for needed in names {
        let found = manifest.obligations.iter().find(|o| o.file.name == needed);
        match found {
            Some(o) if o.expected == "unsat" => {}
            Some(_) => return Err(format!("`{needed}` must be expected to be unsat")),
            None => return Err(format!("the obligation `{needed}` is missing")),
        }
    }
    Ok(())
}

/// Whether an obligation is about as many steps as its place in the proof
/// asks for: a step case of another k is no step case of this one, nor is one
/// that leaves out repeated states where nothing else is there to justify it.
fn steps_fit(manifest: &Manifest, name: &str, text: &str) -> bool {
    let last = match name.strip_prefix("base-").and_then(|n| n.strip_suffix(".smt2")) {
        Some(depth) => match depth.parse() {
            Ok(depth) => depth,
            Err(_) => return false,
        },
        None if name == "step.smt2" || name == "exhausted.smt2" => manifest.k,
        None if name == "facts-initial.smt2" => 0,
        None if name == "facts-step.smt2" || name == "state.smt2" => 1,
        None => return true,
    };
    let compressed = text.lines().any(|line| line == DIFFERENT);
    if compressed && !manifest.compression && name != "exhausted.smt2" {
        return false;
    }
    let steps = text.lines().filter_map(|line| line.strip_prefix("; step "));
    steps.eq((0..=last).map(|step| step.to_string()))
}

fn check_file(
    folder: &Path,
    manifest: &Manifest,
    obligation: &ObligationFile,
    (ties, solver): (&str, &Solver),
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
    if Digest::of(&bytes).to_string() != obligation.file.sha256 {
        return Ok(Some("the file is not the one that the manifest describes".into()));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Some("the file is not a text".into()));
    };
    let tie = |line: &&str| line.starts_with("; rests on ") || line.starts_with("; part of ");
    if !text.lines().filter(tie).eq(ties.lines()) {
        return Ok(Some("its proof rests on other parts than the manifest says".into()));
    }
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
    // Without it cvc5 gives up where no instance of a quantifier suggests itself; it changes how a solver
    // searches, not what is asked.
    let search = match solver.name() {
        "cvc5" if manifest.proof == protocol::KIND => "(set-option :full-saturate-quant true)",
        _ => "",
    };
    let options = format!("(set-option :print-success false)\n{search}");
    let told = dialogue.tell(&options).and_then(|()| dialogue.tell(commands));
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
