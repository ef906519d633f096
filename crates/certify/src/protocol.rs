//! Certificates of protocols: scripts with quantifiers, and a manifest that says which there have to be.
//!
//! What the scripts say is the business of whoever writes them; here they are files. A proof for all
//! sizes consists, for each of its facts, of one script that it holds of first states and of one for each
//! transition that keeps it, and of one that the facts imply the property.

use std::fs;
use std::path::Path;

use lustral_base::Digest;

use crate::folder::{
    FORMAT, FolderError, HashedFile, MANIFEST, Manifest, ObligationFile, clear, hashed,
};

/// The kind of proof that a manifest names.
pub(crate) const KIND: &str = "protocol";

/// Scripts that must have no model.
pub struct ProtocolCertificate<'a> {
    /// The property.
    pub property: &'a str,
    /// Who showed it.
    pub solver: String,
    /// The facts, as a person would write them.
    pub facts: Vec<String>,
    /// The names of the transitions.
    pub transitions: Vec<String>,
    /// What each script is for, its name (see [`needed`]), and its text without the query.
    pub scripts: Vec<(&'a str, &'a str, &'a str)>,
}

/// The names of the scripts that a proof with so many facts about so many transitions needs.
pub(crate) fn needed(facts: usize, transitions: usize) -> impl Iterator<Item = String> {
    let initial = (0..facts).map(|fact| format!("initial-{fact}"));
    let steps = (0..transitions)
        .flat_map(move |step| (0..facts).map(move |fact| format!("kept-{step}-{fact}")));
    initial.chain(steps).chain(["property".to_string()])
}

/// Writes a proof about a protocol as a folder, which is made if need be.
///
/// # Errors
/// If a file cannot be written.
pub fn write_protocol_folder(
    folder: &Path,
    certificate: &ProtocolCertificate<'_>,
    sources: &[(String, &[u8])],
) -> Result<(), FolderError> {
    let io = |path: &Path| {
        let name = path.display().to_string();
        move |e| FolderError::Io(name, e)
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    clear(folder).map_err(io(folder))?;
    let mut obligations = Vec::new();
    for (meaning, name, script) in &certificate.scripts {
        let text = format!(
            "; {meaning}\n; expected answer: unsat\n(set-logic UF)\n(set-info :status unsat)\n\
             {script}(check-sat)\n(exit)\n"
        );
        let name = format!("{name}.smt2");
        let path = folder.join(&name);
        fs::write(&path, &text).map_err(io(&path))?;
        obligations.push(ObligationFile {
            file: HashedFile { name, sha256: Digest::of(&text).to_string() },
            meaning: (*meaning).to_string(),
            expected: "unsat".into(),
        });
    }
    let manifest = Manifest {
        format: FORMAT,
        lustral: env!("CARGO_PKG_VERSION").to_string(),
        solver: certificate.solver.clone(),
        node: KIND.into(),
        property: certificate.property.to_string(),
        proof: KIND.into(),
        k: 1,
        compression: false,
        invariants: certificate.facts.clone(),
        state: Vec::new(),
        transitions: certificate.transitions.clone(),
        sources: hashed(sources),
        obligations,
        omitted: Vec::new(),
        rests_on: Vec::new(),
    };
    let path = folder.join(MANIFEST);
    let text = serde_json::to_string_pretty(&manifest).expect("plain data can be written");
    fs::write(&path, text + "\n").map_err(io(&path))
}
