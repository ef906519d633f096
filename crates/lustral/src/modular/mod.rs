//! `lustral invariants --modular`: definitions of the predicates of each node.

mod choose;
mod several;
mod show;

use std::time::{Duration, Instant};

use lustral_certify::{ProofChecker, Rejected};
use lustral_engines::{LearnOptions, NodeInvariants, NodeSystem, Summary, learn_nodes, summaries};
use lustral_flow::called_first;
use lustral_horn::{Definition, Model, ModularClauses};
use lustral_report::{Values, enumerations, note_line, printable};
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program, select};
use lustral_smt::Cancel;
use lustral_syntax::SourceMap;
use lustral_system::{Modular, ModularNode};
use lustral_term::{TermId, Translation, VarId};

use crate::blocked::Blocked;
use crate::cli::{InvariantsOptions, limit};
use crate::exit::Exit;
use crate::from::{Asking, Certified};
use crate::horn::modular_system;
use crate::invariants::learning;
use crate::output::{Output, eprint_line};
use crate::rank::{Minimised, minimise};
use crate::signals;

use choose::{Choosing, Chosen};
use several::Shown;

/// The most time for a question of minimisation.
const EACH: Duration = Duration::from_secs(2);

/// What was found for the nodes below one root.
struct Found {
    modular: Modular,
    clauses: ModularClauses,
    /// By node, what was learned of it alone.
    summaries: Vec<Summary>,
    /// What Spacer found, if it was used.
    spacer: Option<Model>,
    /// All of it, validated.
    model: Model,
    /// How much of the states is spoken of, if that is asked for.
    minimised: Option<Minimised>,
    /// Why certificates that were given have no part in it, if that is so.
    anew: Option<String>,
    /// By node and variable: the names of its values.
    values: Vec<Vec<Option<Values>>>,
    learning: LearnOptions,
}

/// Runs the command.
pub fn run(
    options: &InvariantsOptions,
    program: &Program,
    sources: &SourceMap,
    roots: &[NodeId],
    cancel: &Cancel,
    mut output: Output,
) -> Exit {
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
    let mut shown = Shown::below(roots.len());
    for root in &roots {
        let wanted = Wanted { called_nodes: true };
        let modular = match modular_system(program, sources, *root, wanted) {
            Ok(modular) => modular,
            Err(message) => {
                let file = options.file.display();
                eprint_line(&printable(&format!("error: {file}: {message}")));
                return Exit::Rejected;
            }
        };
        let blocked = blocked(options, &modular, cancel);
        let mut notes = blocking(&modular, &blocked);
        let found = match options.from.is_some() || options.minimise {
            true => find_small(options, (program, sources, *root), modular, cancel, &mut notes),
            false => find(options, modular, cancel, &mut notes),
        };
        if let Ok(Found { anew: Some(why), .. }) = &found {
            let note = format!("found anew, not from the certificate: {why}");
            tell(options, ("note", &program.node(*root).name), &note, &mut output);
        }
        match found {
            Ok(found) => notes.extend(shown.add(options, found, &blocked, &mut output)),
            Err(reason) => notes.push(reason),
        }
        for note in notes {
            exit = Exit::Unknown;
            tell(options, ("unknown", &program.node(*root).name), &note, &mut output);
        }
    }
    shown.write(options, &mut output);
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// Says something about what was found below a root.
fn tell(options: &InvariantsOptions, (word, root): (&str, &str), note: &str, output: &mut Output) {
    if options.json {
        let file = options.file.display().to_string();
        output.write(&note_line(&file, &format!("node {root}: {note}")));
    }
    eprint_line(&format!("{word}: node {}: {}", printable(root), printable(note)));
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

/// By node: what ends its executions. Callers come after what they call.
fn blocked(
    options: &InvariantsOptions,
    modular: &Modular,
    cancel: &Cancel,
) -> Vec<Option<Blocked>> {
    let learning = learning(options, cancel);
    let mut found: Vec<Option<Blocked>> = Vec::with_capacity(modular.nodes.len());
    for node in &modular.nodes {
        let calls = node.calls.iter().map(|callee| found[*callee].clone());
        let ends = Blocked::find(&node.name, &node.system, calls, &learning);
        found.push(ends);
    }
    found
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

/// Finds definitions and has them validated; notes what is missing.
fn find(
    options: &InvariantsOptions,
    modular: Modular,
    cancel: &Cancel,
    notes: &mut Vec<String>,
) -> Result<Found, String> {
    let learning = learning(options, cancel);
    let started = Instant::now();
    let systems: Vec<NodeSystem> = modular
        .nodes
        .iter()
        .map(|n| NodeSystem { system: n.system.clone(), calls: n.calls.clone() })
        .collect();
    let learned = learn_nodes(&systems.into(), &learning);
    for (node, result) in modular.nodes.iter().zip(&learned) {
        if let Err(reason) = result {
            notes.push(format!("nothing was learned of {}: {reason}", node.name));
        }
    }
    let time = match limit(options.timeout) {
        Some(all) => all.saturating_sub(started.elapsed()).mul_f64(0.5),
        None => Duration::MAX / 4,
    };
    let choosing = Choosing { modular: &modular, seed: options.seed, time, cancel };
    let Chosen { clauses, model: spacer, notes: missing } = choosing.choose();
    notes.extend(missing);
    let (summaries, from_learning) = summaries(&modular, &clauses, &learned, &learning);
    let mut proofs = ProofChecker::new(cancel).map_err(|r| r.to_string())?;
    let mut valid = |model: &Model, properties: bool| -> Result<(), Rejected> {
        proofs.check_model(&clauses.clauses, model, properties)
    };
    if let Some(mut spacer) = spacer {
        let both = |spacer: &Model| {
            let mut model = from_learning.clone();
            for (all, more) in model.definitions.iter_mut().zip(&spacer.definitions) {
                all.conjoin(more);
            }
            model
        };
        // What Spacer says of the states of the program is often inductive for
        // the root, of whose states it says nothing.
        let stronger = with_root_states(&modular, &clauses, &spacer);
        if valid(&both(&stronger), true).is_ok() {
            spacer = stronger;
        }
        let model = both(&spacer);
        match valid(&model, true) {
            Ok(()) => {
                let (spacer, minimised, anew) = (Some(spacer), None, None);
                let values = values(&modular);
                return Ok(Found {
                    modular,
                    clauses,
                    summaries,
                    spacer,
                    model,
                    minimised,
                    anew,
                    values,
                    learning,
                });
            }
            Err(rejected) => notes.push(format!("the model of Spacer is not used: {rejected}")),
        }
    }
    valid(&from_learning, false).map_err(not_passed)?;
    let (spacer, model, minimised, anew) = (None, from_learning, None, None);
    let values = values(&modular);
    Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew, values, learning })
}

/// By node and variable: the names of its values, if it is of an enumeration.
fn values(modular: &Modular) -> Vec<Vec<Option<Values>>> {
    modular.nodes.iter().map(|node| enumerations(&node.system)).collect()
}

fn not_passed(rejected: Rejected) -> String {
    format!("nothing passed its check: {rejected}")
}

/// Finds definitions from certificates or by Spacer alone, has them validated,
/// and makes them say less of the state if that is asked for.
fn find_small(
    options: &InvariantsOptions,
    (program, sources, root): (&Program, &SourceMap, NodeId),
    modular: Modular,
    cancel: &Cancel,
    notes: &mut Vec<String>,
) -> Result<Found, String> {
    let learning = learning(options, cancel);
    let time = limit(options.timeout).map_or(Duration::MAX / 4, |all| all.mul_f64(0.5));
    let asking = Asking { seed: options.seed, limit: time, cancel: cancel.clone() };
    let (clauses, mut model, anew) = match &options.from {
        Some(folder) => {
            let certified = Certified::read(folder, program, sources, root)?;
            let selection = certified.selection(&modular)?;
            let clauses = ModularClauses::new(&modular, &selection, true);
            // There are up to three questions.
            let each = Asking { limit: time.mul_f64(0.6), ..asking.clone() };
            let (model, anew) = certified.model(&modular, &clauses, &each)?;
            (clauses, model, anew)
        }
        None => {
            let choosing = Choosing { modular: &modular, seed: options.seed, time, cancel };
            let Chosen { clauses, model, notes: missing } = choosing.choose();
            let model = model.ok_or_else(|| missing.join("; "))?;
            notes.extend(missing);
            (clauses, model, None)
        }
    };
    let mut proofs = ProofChecker::new(cancel).map_err(|r| r.to_string())?;
    proofs.check_model(&clauses.clauses, &model, true).map_err(not_passed)?;
    let asking = Asking { limit: time.min(EACH), ..asking };
    let minimised = options
        .minimise
        .then(|| minimise(&modular, &clauses, &mut model, &mut proofs, &asking, &learning));
    let nothing: Vec<Result<NodeInvariants, String>> =
        modular.nodes.iter().map(|_| Err(String::new())).collect();
    let (summaries, _) = summaries(&modular, &clauses, &nothing, &learning);
    let (spacer, values) = (Some(model.clone()), values(&modular));
    Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew, values, learning })
}

/// The parts of `Main` that speak of the state only, for the states of the root.
fn with_root_states(modular: &Modular, clauses: &ModularClauses, model: &Model) -> Model {
    let mut model = model.clone();
    let root = modular.root();
    let size = modular.nodes[root].state.len();
    let flows = clauses.nodes[root].initial_places.len() - size;
    let main = model.definitions[clauses.main].clone();
    let about_state =
        |part: &TermId| main.terms.variables([*part]).iter().all(|v| v.index() >= flows);
    let mut states = Definition::always();
    let parts = main.conjuncts().into_iter().filter(about_state).collect::<Vec<_>>();
    let mut translation = Translation::new();
    for part in parts {
        let part = translation.apply(&main.terms, &mut states.terms, part, |terms, var, sort| {
            terms.variable(VarId(var.0 - flows as u32), sort)
        });
        states.term = states.terms.and([states.term, part]);
    }
    if let Some(invariant) = clauses.nodes[root].invariant {
        model.definitions[invariant] = states;
    }
    model
}
