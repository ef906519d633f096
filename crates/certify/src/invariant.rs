//! The invariant of a proof by induction in a file, for others to start from.
//!
//! It is no obligation: whoever reads it has to check what is made of it.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lustral_horn::Definition;
use lustral_smt::smtlib::{SExpr, parse_sexprs, parse_term};
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::{Terms, VarId};
use rustc_hash::FxHashMap;

use crate::folder::{FolderError, Manifest};
use crate::verify;

/// The name of the file.
pub(crate) const FILE: &str = "invariant.txt";

/// The text of predicates: a function of SMT-LIB 2 without arguments for each,
/// over constants `a1`, `a2`, …, which are the variables of the system.
fn text(system: &TransitionSystem, list: &[Predicate]) -> String {
    let mut out = String::from("; what holds at every step\n");
    let mut variables: Vec<VarId> = list.iter().flat_map(|p| p.terms.variables([p.term])).collect();
    variables.sort_unstable();
    variables.dedup();
    for var in variables {
        let name: String = system.variable(var).name.replace(char::is_control, " ");
        let _ = writeln!(out, "; a{} is {name}", var.0 + 1);
    }
    for (i, predicate) in list.iter().enumerate() {
        let definition = Definition { terms: (*predicate.terms).clone(), term: predicate.term };
        let _ = writeln!(out, "(define-fun invariant{} () Bool {})", i + 1, definition.smt2());
    }
    out
}

/// Writes the predicates that are inductive together.
pub(crate) fn write(
    folder: &Path,
    system: &TransitionSystem,
    list: &[Predicate],
) -> Result<(), FolderError> {
    let path = folder.join(FILE);
    fs::write(&path, text(system, list))
        .map_err(|error| FolderError::Io(path.display().to_string(), error))
}

/// The manifest of a folder and the invariant of its proof, over the variables
/// of the system that the proof is about; none if it is no proof by induction.
/// None of it is checked.
///
/// # Errors
/// If the folder has none, or it is about another system.
pub fn read_invariant(
    folder: &Path,
    system: &TransitionSystem,
) -> Result<(Manifest, Vec<Predicate>), FolderError> {
    let manifest = verify::read_manifest(folder)?;
    if manifest.proof != "induction" {
        return Ok((manifest, Vec::new()));
    }
    let path = folder.join(FILE);
    let name = path.display().to_string();
    let text = fs::read_to_string(&path).map_err(|e| FolderError::Io(name.clone(), e))?;
    let bad = |reason: &str| FolderError::Manifest(name.clone(), reason.into());
    let list = parse_sexprs(&text).ok_or_else(|| bad("it is no text of SMT-LIB 2"))?;
    let mut terms = Terms::new();
    let names: Vec<String> = (1..=system.variables.len()).map(|i| format!("a{i}")).collect();
    let mut variables = FxHashMap::default();
    for ((id, variable), name) in system.variables().zip(&names) {
        variables.insert(name.as_str(), terms.variable(id, variable.sort));
    }
    let mut found = Vec::new();
    for function in &list {
        let body = match function {
            SExpr::List(parts) if parts.len() == 5 => &parts[4],
            _ => return Err(bad("a function has five parts")),
        };
        let term = parse_term(body, &mut terms, &variables);
        found.push(term.ok_or_else(|| bad("it is not about this program"))?);
    }
    let terms = Arc::new(terms);
    let of = |term| Predicate { terms: terms.clone(), term };
    Ok((manifest, found.into_iter().map(of).collect()))
}
