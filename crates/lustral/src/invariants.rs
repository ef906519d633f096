//! `lustral invariants`: what each node of a program guarantees.

use std::time::Instant;

use lustral_base::Cancel;
use lustral_certify::smt2_definitions;
use lustral_engines::{LearnOptions, SystemInvariants, Templates};
use lustral_modular::Refined;
use lustral_modular::invariants::Found;
use lustral_render::printable;
use lustral_report::Invariants as Shown;
use lustral_session::{Analysed, roots};
use lustral_smt::SolverOptions;
use lustral_system::TransitionSystem;

use crate::cli::{InvariantFormat, InvariantsOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::modular;
use crate::output::{Output, eprint_line, lines};
use crate::signals;

/// A node with what was learned of it.
struct Learned<'a> {
    name: &'a str,
    system: &'a TransitionSystem,
    result: Result<&'a SystemInvariants, String>,
    /// What is known of the inputs that it is given, and what follows.
    refined: Option<&'a Refined>,
}

/// Runs the command.
pub fn run(options: &InvariantsOptions) -> Exit {
    signals::watch();
    let mut output = Output::new();
    let cancel = Cancel::with_deadline(limit(options.timeout).map(|t| Instant::now() + t));
    signals::stop_with(&cancel);
    let channel = if options.json { Channel::Json } else { Channel::People };
    let Analysed { program, kernel, sources, .. } =
        match frontend::load(&options.file, channel, &mut output) {
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
    let Found { order, nodes, learned, refined } = &found;
    let mut exit = Exit::Valid;
    for (i, id) in order.iter().enumerate() {
        if !options.nodes.is_empty() && !wanted.contains(id) {
            continue;
        }
        let result = learned[i].as_ref().map_err(ToString::to_string);
        if result.is_err() {
            exit = exit.min(Exit::Unknown);
        }
        let name = &*program.node(*id).name;
        let refined = refined.get(i);
        show(options, &mut output, i, &Learned { name, system: &nodes[i].system, result, refined });
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

fn show(options: &InvariantsOptions, output: &mut Output, number: usize, learned: &Learned<'_>) {
    let known = match &learned.result {
        Ok(known) => known,
        Err(reason) => {
            let name = printable(learned.name);
            return eprint_line(&format!("unknown: node {name}: {}", printable(reason)));
        }
    };
    // Where nothing is given, what its calls guarantee holds of the node always.
    let (always, given, within) = match learned.refined {
        None => (&known.invariants, &[][..], &[][..]),
        Some(refined) if refined.inductive.is_empty() => (&known.invariants, &[][..], &[][..]),
        Some(refined) if refined.given.is_empty() => (&refined.invariants, &[][..], &[][..]),
        Some(refined) => (&known.invariants, &refined.shown_given[..], &refined.invariants[..]),
    };
    let system = learned.system;
    let shown = Shown::new(learned.name, system, always, given, within);
    output.write(&match (options.json, options.format) {
        (true, _) => lines(&shown.events(&options.file.display().to_string())),
        (false, InvariantFormat::Text) => shown.text(),
        // Contracts have gone another way.
        (false, InvariantFormat::Lustre | InvariantFormat::Contract) => shown.lustre(),
        (false, InvariantFormat::Smt2) => {
            smt2_definitions(number + 1, learned.name, system, always, given, within)
        }
    });
}
