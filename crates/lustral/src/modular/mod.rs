//! `lustral invariants --modular`: definitions of the predicates of each node.

mod several;

use std::sync::Arc;

use lustral_base::Cancel;
use lustral_flow::called_first;
use lustral_kernel::Program as Kernel;
use lustral_modular::Blocked;
use lustral_modular::model::{Found, Setup, Source, find, find_small};
use lustral_render::printable;
use lustral_report::Event;
use lustral_report::event::NoteSeverity;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program, select};
use lustral_syntax::SourceMap;
use lustral_system::{Modular, ModularNode};

use crate::cli::{InvariantsOptions, limit};
use crate::exit::Exit;
use crate::horn::modular_system;
use crate::invariants::learning;
use crate::output::{Output, eprint_line};
use crate::{signals, worker};

use several::Shown;

/// Runs the command.
pub fn run(
    options: &InvariantsOptions,
    kernel: &Arc<Kernel>,
    sources: &SourceMap,
    roots: &[NodeId],
    cancel: &Cancel,
    mut output: Output,
) -> Exit {
    let program = &*kernel.typed;
    if let Some(folder) = options.from.as_ref().filter(|folder| !folder.is_dir()) {
        let folder = folder.display().to_string();
        eprint_line(&format!("error: {}: there is no such folder", printable(&folder)));
        return Exit::Failure;
    }
    let roots = match &options.from {
        // Certificates are about the node that was asked for.
        Some(_) => roots.to_vec(),
        None => around(program, roots, &options.nodes),
    };
    let mut exit = Exit::Valid;
    let setup = Setup {
        learning: learning(options, cancel),
        worker: worker::horn_command(),
        time: limit(options.timeout),
    };
    let mut shown = Shown::below(roots.len());
    for root in &roots {
        let wanted = Wanted::ALL;
        let modular = match modular_system(kernel, sources, *root, wanted) {
            Ok(modular) => Arc::new(modular),
            Err(error) => {
                let file = options.file.display();
                eprint_line(&printable(&format!("error: {file}: {error}")));
                return Exit::Rejected;
            }
        };
        let blocked = Blocked::by_node(kernel, &modular, &setup.learning);
        let mut notes = blocking(&modular, &blocked);
        let mut missing = Vec::new();
        let found = if options.from.is_some() || options.minimise {
            let source = options.from.as_ref().map_or(Source::Spacer, |folder| {
                Source::Certificates { folder, kernel, sources, root: *root }
            });
            find_small(&setup, &source, options.minimise, &modular, &mut missing)
        } else {
            find(&setup, &modular, &mut missing)
        };
        notes.extend(missing.iter().map(ToString::to_string));
        if let Ok(Found { anew: Some(why), .. }) = &found {
            let note = format!("found anew, not from the certificate: {why}");
            tell(options, (NoteSeverity::Note, &program.node(*root).name), &note, &mut output);
        }
        match found {
            Ok(found) => notes.extend(shown.add(options, (&found, &setup), &blocked, &mut output)),
            Err(reason) => notes.push(reason.to_string()),
        }
        for note in notes {
            exit = Exit::Unknown;
            tell(options, (NoteSeverity::Unknown, &program.node(*root).name), &note, &mut output);
        }
    }
    shown.write(options, &mut output);
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// Says something about what was found below a root.
fn tell(
    options: &InvariantsOptions,
    (severity, root): (NoteSeverity, &str),
    note: &str,
    output: &mut Output,
) {
    if options.json {
        let file = options.file.display().to_string();
        output.write(&Event::note(&file, severity, &format!("node {root}: {note}")).line());
    }
    let (word, root) = (severity.word(), printable(root));
    eprint_line(&format!("{word}: node {root}: {}", printable(note)));
}

/// The roots of the program below which the nodes are that were asked for, and
/// those of these that no root calls. A node in a program is no root: what it
/// returns is no property.
fn around(program: &Program, asked: &[NodeId], names: &[String]) -> Vec<NodeId> {
    if names.is_empty() {
        return asked.to_vec();
    }
    let mut roots = select::roots(program, &[]).unwrap_or_default();
    roots.retain(|root| called_first(program, &[*root]).iter().any(|node| asked.contains(node)));
    let reached = called_first(program, &roots);
    roots.extend(asked.iter().filter(|node| !reached.contains(node)));
    roots
}

/// The nodes whose assertions allow no execution.
fn blocking(modular: &Modular, blocked: &[Option<Blocked>]) -> Vec<String> {
    let own = |(node, ends): (&ModularNode, &Option<Blocked>)| {
        let Blocked { node: culprit, step } = ends.as_ref()?;
        (*culprit == node.name)
            .then(|| format!("the assertions of {culprit} allow no execution with a step {step}"))
    };
    modular.nodes.iter().zip(blocked).filter_map(own).collect()
}
