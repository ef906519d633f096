//! `lustral certify`: certificate folders checked by any solver.

use std::path::Path;

use lustral_base::{Cancel, Digest};
use lustral_certify::{HashedFile, check_folder};
use lustral_modular::model::certificates_below;
use lustral_render::printable;
use lustral_session::read;
use lustral_smt::SolverOptions;

use crate::cli::{CertifyOptions, limit};
use crate::exit::Exit;
use crate::output::{Output, eprint_line};
use crate::signals;

/// Runs the command: exit code 0 if every certificate is accepted and none is of a
/// program that has changed since, 1 if not.
pub fn run(options: &CertifyOptions) -> Exit {
    if !options.solver.is_there() {
        eprint_line(&format!(
            "error: {}",
            printable(&crate::check::missing_solver(&options.solver))
        ));
        return Exit::Failure;
    }
    signals::watch();
    let mut output = Output::new();
    let mut exit = Exit::Valid;
    for given in &options.folders {
        let folders = certificates_below(given);
        if folders.is_empty() {
            let name = printable(&given.display().to_string());
            eprint_line(&format!("error: {name}: there is no certificate (no manifest.json)"));
            exit = Exit::Failure;
        }
        for folder in folders {
            if !check(&folder, options, &mut output) {
                exit = Exit::Failure;
            }
        }
    }
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

fn check(folder: &Path, options: &CertifyOptions, output: &mut Output) -> bool {
    let name = printable(&folder.display().to_string());
    let cancel = Cancel::new();
    signals::stop_with(&cancel);
    let solver = SolverOptions { patience: limit(options.timeout), ..SolverOptions::default() };
    match check_folder(folder, &options.solver, &solver, &cancel) {
        Err(error) => {
            eprint_line(&format!("error: {}", printable(&error.to_string())));
            false
        }
        Ok((manifest, results)) => {
            let accepted = results.iter().all(|r| r.problem.is_none());
            let sources = Sources::compare(&manifest.sources);
            let word = match accepted {
                true if sources.changed.is_empty() => "accepted",
                true => "OUTDATED",
                false => "REJECTED",
            };
            let (node, property) = (printable(&manifest.node), printable(&manifest.property));
            let (count, solver) = (results.len(), options.solver.name());
            let node = if manifest.proof == "protocol" {
                "of the protocol".into()
            } else {
                format!("of node {node}")
            };
            output.write(&format!(
                "{word}  {property}  ({count} obligations, {solver})  {node}{}  {name}\n",
                sources.text()
            ));
            for result in results {
                if let Some(problem) = result.problem {
                    let (file, meaning) = (printable(&result.name), printable(&result.meaning));
                    output.write(&format!("  {file}: {meaning}: {}\n", printable(&problem)));
                }
            }
            accepted && sources.changed.is_empty()
        }
    }
}

/// The files that a certificate is about, and whether they are what they were.
#[derive(Default)]
struct Sources {
    same: Vec<String>,
    changed: Vec<String>,
    /// Not to be found from here.
    missing: Vec<String>,
}

impl Sources {
    fn compare(files: &[HashedFile]) -> Sources {
        let mut sources = Sources::default();
        for file in files {
            // What came from the standard input is not to be had again.
            let now = if file.name == "-" { None } else { read(Path::new(&file.name)).ok() };
            let list = match now {
                Some(now) if Digest::of(&*now.text).to_string() == file.sha256 => &mut sources.same,
                Some(_) => &mut sources.changed,
                None => &mut sources.missing,
            };
            list.push(printable(&file.name));
        }
        sources
    }

    fn text(&self) -> String {
        let part = |files: &Vec<String>, what: &str| match &files[..] {
            [] => None,
            _ => Some(format!("{} {what}", files.join(", "))),
        };
        let parts = [
            part(&self.same, "as it is now"),
            part(&self.changed, "as it was: it has changed"),
            part(&self.missing, "which is not here to compare"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!(" in {}", parts.join("; ")) }
    }
}
