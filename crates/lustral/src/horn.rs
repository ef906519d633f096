//! `lustral horn`: a program as constrained Horn clauses.

use std::sync::Arc;
use std::time::Instant;

use lustral_base::{Cancel, Goal};
use lustral_horn::{Clauses, Flat, ModularClauses, NoProperty, Selection, smt2, z3_rules};
use lustral_kernel::Program as Kernel;
use lustral_render::printable;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program};
use lustral_session::{Analysed, FileLoader, Remark, cut_program, roots, tried};

use crate::cli::{HornFormat, HornOptions, Switch, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line};
use lustral_coordinator::{NoResult, Unit, within};

/// The most properties that are named where one does not exist.
const MOST_NAMES: usize = 20;

/// Runs the command.
pub fn run(options: &HornOptions) -> Exit {
    let mut output = Output::new();
    let end = limit(options.timeout).and_then(|time| Instant::now().checked_add(time));
    let cancel = Cancel::with_deadline(end);
    let request = options.reading.request(&options.file);
    let analysed = match within(&cancel, move || request.analyse(&FileLoader)) {
        Ok(analysed) => analysed,
        Err(why) => return unwritten(options, why),
    };
    let accepted = match frontend::accept(&options.file, analysed, Channel::People, &mut output) {
        Ok(accepted) => accepted,
        Err(exit) => return exit,
    };
    let wish = options.clone();
    let text = match within(&cancel, move || text(&wish, accepted)) {
        Ok(Ok(text)) => text,
        Ok(Err(message)) => {
            let file = options.file.display();
            eprint_line(&printable(&format!("error: {file}: {message}")));
            return Exit::Rejected;
        }
        Err(why) => return unwritten(options, why),
    };
    match &options.output {
        None => output.finish_with(&text),
        Some(path) => match std::fs::write(path, text) {
            Ok(()) => Exit::Valid,
            Err(error) => {
                let path = printable(&path.display().to_string());
                eprint_line(&format!("error: cannot write {path}: {error}"));
                Exit::Failure
            }
        },
    }
}

/// Says why there is no text.
fn unwritten(options: &HornOptions, why: NoResult) -> Exit {
    let file = options.file.display();
    let (message, exit) = match why {
        NoResult::Stopped => {
            ("the time limit was reached before all was written".into(), Exit::Unknown)
        }
        broken => (format!("internal error: {broken}"), Exit::Failure),
    };
    eprint_line(&printable(&format!("error: {file}: {message}")));
    exit
}

fn text(options: &HornOptions, accepted: Analysed) -> Result<String, String> {
    let Analysed { program, kernel, sources, .. } = accepted;
    let wanted =
        Wanted { called_nodes: options.called_nodes == Switch::On, outputs: options.outputs };
    let root = one_root(&program, options.node.as_ref())?;
    let name = program.node(root).name.clone();
    let clauses = if options.inline {
        monolithic(options, &kernel, root, wanted)?
    } else {
        let modular = cut_program(&kernel, &sources, root, wanted);
        let clocked = kernel.nodes.iter().any(|node| node.scopes.len() > 1);
        let help = if clocked { "; `--inline` writes clauses of the whole program" } else { "" };
        let modular = modular.map_err(|error| format!("{error}{help}"))?;
        let all = Selection::all(&modular);
        if !all.is_flagged(modular.root()) {
            return Err(nothing_to_check(&name));
        }
        let selection = match &options.property {
            None => all,
            Some(name) => Selection::one(&modular, name)
                .map_err(|missing| no_property(&missing, all.names(&modular, MOST_NAMES + 1)))?,
        };
        ModularClauses::new(&modular, &selection, false).clauses
    };
    let mut text = header(options, &name, &clauses);
    text += &match options.format {
        HornFormat::Smt2 => smt2(&clauses),
        HornFormat::Z3Rules => z3_rules(&clauses, true) + "\n",
    };
    Ok(text)
}

/// What the text is, in comments.
fn header(options: &HornOptions, node: &str, clauses: &Clauses) -> String {
    // Printable text has no line ends.
    let file = printable(&options.file.display().to_string());
    let (node, version) = (printable(node), env!("CARGO_PKG_VERSION"));
    let mut text = format!("; node {node} of {file}, by Lustral {version}\n");
    if let Some(property) = &options.property {
        text += &format!("; property {}\n", printable(property));
    }
    text += match options.format {
        HornFormat::Smt2 => "; sat: the properties are valid; unsat: one is not\n",
        HornFormat::Z3Rules => "; unsat: the properties are valid; sat: one is not\n",
    };
    if clauses.approximate {
        text += "; There is a division by a variable, or a function without a body. Where the variable is\n\
                 ; zero, and of the function, any value is taken here, at each place and step: what is\n\
                 ; valid here is valid, the rest may not be.\n";
    }
    text
}

/// The node that is meant.
fn one_root(program: &Program, asked: Option<&String>) -> Result<NodeId, String> {
    let asked: Vec<String> = asked.cloned().into_iter().collect();
    let found = roots(program, &asked).map_err(|none| none.to_string())?;
    match &found[..] {
        [one] if tried(program, &asked, &found).is_empty() => Ok(*one),
        several => {
            let names: Vec<&str> = several.iter().map(|id| &*program.node(*id).name).collect();
            let names = names.join(", ");
            Err(format!("several nodes could be meant: {names}; choose one with --node"))
        }
    }
}

fn monolithic(
    options: &HornOptions,
    kernel: &Arc<Kernel>,
    root: NodeId,
    wanted: Wanted,
) -> Result<Clauses, String> {
    let unit = Unit::new(kernel, root, wanted).map_err(|e| e.to_string())?;
    let system = &unit.system;
    // Clauses say what holds always; what shall be reachable is another question.
    let stated = || system.property_ids().filter(|p| system.property(*p).goal == Goal::Always);
    if stated().next().is_none() {
        return Err(nothing_to_check(&unit.program.node(root).name));
    }
    let meant = |name: &String| {
        let found = stated().find(|p| system.property(*p).name == *name);
        found.map(|p| vec![p]).ok_or_else(|| {
            let names = stated().take(MOST_NAMES + 1).map(|p| system.property(p).name.clone());
            no_property(&NoProperty(name.clone()), names.collect())
        })
    };
    let properties = match &options.property {
        None => stated().collect(),
        Some(name) => meant(name)?,
    };
    let flat = Flat::any(system, &properties).map_err(|unsupported| unsupported.to_string())?;
    Ok(flat.clauses)
}

/// That a property does not exist, and the first of those that do.
fn no_property(NoProperty(name): &NoProperty, mut names: Vec<String>) -> String {
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    names.truncate(MOST_NAMES);
    format!("there is no property `{name}`; there are: {}{more}", names.join(", "))
}

fn nothing_to_check(node: &str) -> String {
    Remark::NothingToCheck { node: Some(node.into()) }.to_string()
}
