//! `lustral invariants`: what each node of a program guarantees.

use std::time::Instant;

use lustral_base::Cancel;
use lustral_certify::{Checked, NodeInvariants, smt2_definitions};
use lustral_engines::{LearnOptions, Templates};
use lustral_modular::invariants::Found;
use lustral_render::printable;
use lustral_report::Invariants as Shown;
use lustral_session::{Analysed, roots};
use lustral_smt::SolverOptions;

use crate::cli::{InvariantFormat, InvariantsOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::modular;
use crate::output::{Output, eprint_line, lines};
use crate::signals;

/// Runs the command.
pub fn run(options: &InvariantsOptions) -> Exit {
    signals::watch();
    let mut output = Output::new();
    let cancel = Cancel::with_deadline(limit(options.timeout).map(|t| Instant::now() + t));
    signals::stop_with(&cancel);
    let channel = if options.json { Channel::Json } else { Channel::People };
    let Analysed { program, kernel, sources, .. } =
        match frontend::load(&options.file, &options.reading, channel, &mut output) {
            Ok(accepted) => accepted,
            Err(exit) => return exit,
        };
    let wanted = match roots(&program, &options.nodes) {
        Ok(wanted) => wanted,
        Err(message) => {
            let file = options.file.display();
            eprint_line(&printable(&format!("error: {file}: {message}")));
            return Exit::Rejected;
        }
    };
    if options.modular || options.format == InvariantFormat::Contract {
        return modular::run(options, &kernel, &sources, &wanted, &cancel, output);
    }
    let found =
        match lustral_modular::invariants::find(&kernel, &wanted, &learning(options, &cancel)) {
            Ok(found) => found,
            Err(clocked) => {
                eprint_line(&printable(&format!("error: {}: {clocked}", options.file.display())));
                return Exit::Rejected;
            }
        };
    let mut exit = Exit::Valid;
    for (i, Found { node, result }) in found.iter().enumerate() {
        if !options.nodes.is_empty() && !wanted.contains(node) {
            continue;
        }
        match result {
            Ok(known) => show(options, &mut output, i, known),
            Err(reason) => {
                exit = exit.min(Exit::Unknown);
                let name = printable(&program.node(*node).name);
                let reason = printable(&reason.to_string());
                eprint_line(&format!("unknown: node {name}: {reason}"));
            }
        }
    }
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// How to learn.
pub fn learning(options: &InvariantsOptions, cancel: &Cancel) -> LearnOptions {
    LearnOptions {
        solver: options.solver.clone(),
        options: SolverOptions { seed: options.seed, ..SolverOptions::default() },
        templates: Templates { names: true, ..Templates::ALL },
        cancel: cancel.clone(),
    }
}

fn show(
    options: &InvariantsOptions,
    output: &mut Output,
    number: usize,
    known: &Checked<NodeInvariants>,
) {
    let shown = Shown::new(known);
    output.write(&match (options.json, options.format) {
        (true, _) => lines(&shown.events(&options.file.display().to_string())),
        (false, InvariantFormat::Text) => shown.text(),
        // Contracts have gone another way.
        (false, InvariantFormat::Lustre | InvariantFormat::Contract) => shown.lustre(),
        (false, InvariantFormat::Smt2) => smt2_definitions(number + 1, known),
    });
}
