//! `lustral invariants`: what each node of a program guarantees, as it is heard.

mod summaries;

use lustral_certify::smt2_definitions;
use lustral_render::printable;
use lustral_report::{Event as Line, Invariants as Shown};
use lustral_session::{Event, Learn, LearnOptions, NodeGuarantees, Remark, SummaryOptions};
use lustral_smt::SolverOptions;

use crate::cli::{InvariantFormat, InvariantsOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, lines};
use crate::{signals, worker};
use summaries::Summaries;

/// Runs the command.
pub fn run(options: &InvariantsOptions) -> Exit {
    signals::watch();
    let mut output = Output::new();
    let learn = Learn::new(options.reading.request(&options.file), learning(options));
    signals::stop_with(learn.cancel());
    let channel = if options.json { Channel::Json } else { Channel::People };
    let (mut exit, mut summaries) = (Exit::Valid, Summaries::default());
    for event in learn {
        match event {
            Event::Diagnostics(found) => {
                frontend::show(&found.sources, &found.list, channel, &mut output);
                if found.list.has_errors() {
                    exit = exit.min(Exit::Rejected);
                }
            }
            Event::Remark { remark, .. } => {
                exit = exit.min(Exit::of(&remark));
                say(options, &remark, channel, &mut output);
            }
            Event::Guarantees(found) => show(options, &mut output, &found),
            Event::Models(found) => summaries.add(options, *found, &mut output),
            Event::Node(_)
            | Event::Verdict(_)
            | Event::Needs(_)
            | Event::Coverage(_)
            | Event::Mutants(_)
            | Event::Contract(_)
            | Event::Candidates(_)
            | Event::Protocol(_)
            | Event::Progress(_)
            | Event::Invariants(_)
            | Event::Ended(_) => {}
        }
    }
    summaries.write(options, &mut output);
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// The options as the library takes them.
fn learning(options: &InvariantsOptions) -> LearnOptions {
    let modular = options.modular || options.format == InvariantFormat::Contract;
    LearnOptions {
        nodes: options.nodes.clone(),
        candidates: options.candidates.clone(),
        all: options.all,
        summaries: modular.then(|| SummaryOptions {
            certificates: options.from.clone(),
            model: options.model.clone(),
            minimise: options.minimise,
            describe: options.json || options.format != InvariantFormat::Smt2,
            worker: worker::horn_command(),
        }),
        solver: options.solver.clone(),
        solver_options: SolverOptions { seed: options.seed, ..SolverOptions::default() },
        time: limit(options.timeout),
    }
}

/// Says something that is no invariant.
fn say(options: &InvariantsOptions, remark: &Remark, channel: Channel, output: &mut Output) {
    let (severity, message) = (remark.severity(), remark.to_string());
    match remark {
        // What is not known of nodes is for people, whoever reads the output;
        Remark::Unlearned { .. } | Remark::NoFolder(_) => {}
        // and so that nobody misses it, for programs too where all is searched at once.
        Remark::Anew { .. } | Remark::Unsummarised { .. } => {
            if options.json {
                let file = options.file.display().to_string();
                output.write(&Line::note(&file, severity, &message).line());
            }
        }
        Remark::Unreadable(_) | Remark::Latin => {
            return frontend::remark(&options.file, remark, channel, output);
        }
        _ => return frontend::remark(&options.file, remark, Channel::People, output),
    }
    eprint_line(&format!("{}: {}", severity.word(), printable(&message)));
}

fn show(options: &InvariantsOptions, output: &mut Output, found: &NodeGuarantees) {
    let NodeGuarantees { number, known, .. } = found;
    let shown = Shown::new(known);
    output.write(&match (options.json, options.format) {
        (true, _) => lines(&shown.events(&options.file.display().to_string())),
        (false, InvariantFormat::Text) => shown.text(),
        // Contracts are summaries.
        (false, InvariantFormat::Lustre | InvariantFormat::Contract) => shown.lustre(),
        (false, InvariantFormat::Smt2) => smt2_definitions(*number, known),
    });
}
