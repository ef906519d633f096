//! `lustral certify`: certificate folders checked by any solver.

use std::path::Path;

use lustral_base::Cancel;
use lustral_certify::check_folder;
use lustral_modular::model::certificates_below;
use lustral_render::printable;
use lustral_smt::SolverOptions;

use crate::cli::{CertifyOptions, limit};
use crate::exit::Exit;
use crate::output::{Output, eprint_line};
use crate::signals;

/// Runs the command: exit code 0 if every certificate is accepted, 1 if not.
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
            let word = if accepted { "accepted" } else { "REJECTED" };
            let property = printable(&manifest.property);
            let count = results.len();
            output.write(&format!(
                "{word}  {property}  ({count} obligations, {})  {name}\n",
                options.solver.name()
            ));
            for result in results {
                if let Some(problem) = result.problem {
                    let (file, meaning) = (printable(&result.name), printable(&result.meaning));
                    output.write(&format!("  {file}: {meaning}: {}\n", printable(&problem)));
                }
            }
            accepted
        }
    }
}
