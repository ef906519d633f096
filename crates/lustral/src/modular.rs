//! `lustral invariants --modular`: definitions of the predicates of each node.

use std::time::{Duration, Instant};

use lustral_certify::{ProofChecker, Rejected};
use lustral_engines::{
    LearnOptions, Modelled, NodeSystem, Summary, Survey, learn_nodes, spacer_model, summaries,
    survey, thin,
};
use lustral_horn::{About, Definition, Model, ModularClauses, Place, Selection, restate};
use lustral_report::{LustreWriter, ModularInvariants, Part, note_line, printable};
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program};
use lustral_smt::Cancel;
use lustral_syntax::SourceMap;
use lustral_system::{Modular, StreamRole};
use lustral_term::{TermId, Terms, Translation, VarId, show_term};

use crate::cli::{InvariantFormat, InvariantsOptions, limit};
use crate::exit::Exit;
use crate::horn::modular_system;
use crate::invariants::learning;
use crate::output::{Output, eprint_line};
use crate::signals;
use crate::worker;

/// What longer formulas are cut to.
const LONGEST: usize = 300;

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
    let mut exit = Exit::Valid;
    for root in roots {
        let wanted = Wanted { called_nodes: true };
        let modular = match modular_system(program, sources, *root, wanted) {
            Ok(modular) => modular,
            Err(message) => {
                eprint_line(&format!("error: {}", printable(&message)));
                return Exit::Rejected;
            }
        };
        let mut notes = Vec::new();
        match find(options, modular, cancel, &mut notes) {
            Ok(found) => show(options, &found, &mut output),
            Err(reason) => notes.push(format!("nothing passed its check: {reason}")),
        }
        let name = &program.node(*root).name;
        for note in notes {
            exit = Exit::Unknown;
            if options.json {
                let file = options.file.display().to_string();
                output.write(&note_line(&file, &format!("node {name}: {note}")));
            }
            eprint_line(&format!("unknown: node {}: {}", printable(name), printable(&note)));
        }
    }
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// Finds definitions and has them validated; notes what is missing.
fn find(
    options: &InvariantsOptions,
    modular: Modular,
    cancel: &Cancel,
    notes: &mut Vec<String>,
) -> Result<Found, String> {
    let learning = learning(options, cancel);
    for node in &modular.nodes {
        let blocked = survey(&node.system, &learning.solver, &learning.options, cancel);
        if let Survey::BlocksAt(step) = blocked {
            let name = &node.name;
            notes.push(format!("the assertions of {name} allow no execution with a step {step}"));
        }
    }
    let clauses = ModularClauses::new(&modular, &Selection::all(&modular), true);
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
    let (summaries, from_learning) = summaries(&modular, &clauses, &learned, &learning);
    let time = match limit(options.timeout) {
        Some(all) => all.saturating_sub(started.elapsed()).mul_f64(0.5),
        None => Duration::MAX / 4,
    };
    let spacer = spacer(options, &clauses, time, cancel, notes);
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
                let spacer = Some(spacer);
                return Ok(Found { modular, clauses, summaries, spacer, model, learning });
            }
            Err(rejected) => notes.push(format!("the model of Spacer is not used: {rejected}")),
        }
    }
    valid(&from_learning, false).map_err(|rejected| rejected.to_string())?;
    Ok(Found { modular, clauses, summaries, spacer: None, model: from_learning, learning })
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

/// What Spacer says, which proves the properties of the program.
fn spacer(
    options: &InvariantsOptions,
    clauses: &ModularClauses,
    time: Duration,
    cancel: &Cancel,
    notes: &mut Vec<String>,
) -> Option<Model> {
    let Some(command) = worker::horn_command() else {
        notes.push("the properties are not proved: there is no worker".into());
        return None;
    };
    match spacer_model(&clauses.clauses, &command, options.seed, time, cancel) {
        Modelled::Model(model) => Some(model),
        Modelled::Refuted => {
            notes.push("the properties are not proved: one fails (see `lustral check`)".into());
            None
        }
        Modelled::Unknown(reason) => {
            notes.push(format!("the properties are not proved: {reason}"));
            None
        }
    }
}

fn show(options: &InvariantsOptions, found: &Found, output: &mut Output) {
    if options.format == InvariantFormat::Smt2 && !options.json {
        return output.write(&found.model.smt2(&found.clauses.clauses));
    }
    for (node, known) in found.modular.nodes.iter().enumerate() {
        if !options.nodes.is_empty() && !options.nodes.contains(&known.name) {
            continue;
        }
        let shown = found.node(node);
        output.write(&match (options.json, options.format) {
            (true, _) => shown.json(&options.file.display().to_string()),
            (false, InvariantFormat::Lustre) => shown.lustre(),
            (false, InvariantFormat::Contract) => shown.contract(),
            (false, _) => shown.text(),
        });
    }
}

impl Found {
    /// What there is to show of a node.
    fn node(&self, node: usize) -> ModularInvariants {
        let known = &self.modular.nodes[node];
        let predicates = &self.clauses.nodes[node];
        let summary = &self.summaries[node];
        let mut writer = LustreWriter::new(&known.system);
        let invariant = predicates.invariant.unwrap_or(predicates.initial);
        let flows = predicates.initial_places.len() - known.state.len();
        let mut given = Definition::always();
        let mut list = |about: About, of: usize, learned: &[TermId]| {
            let mut all = Definition::always();
            let mut parts = copy(&mut all.terms, (&summary.terms, learned), 0);
            if let Some(spacer) = self.spacer.as_ref().map(|model| &model.definitions[of]) {
                parts.extend(copy(&mut all.terms, (&spacer.terms, &spacer.conjuncts()), 0));
            }
            // What holds of reached states is said of them once.
            let states = match about {
                About::Later => copy(&mut all.terms, (&given.terms, &given.conjuncts()), flows),
                _ => Vec::new(),
            };
            let parts = thin(&all.terms, &parts, &states, &self.learning);
            if about == About::State {
                let copies = copy(&mut given.terms, (&all.terms, &parts), 0);
                given.term = given.terms.and(copies);
            }
            let mut shown: Vec<Part> = Vec::new();
            for part in parts {
                let part = self.part(&mut writer, node, about, (&all.terms, part));
                // Different arguments may be one flow.
                if part.lustre.is_none() || shown.iter().all(|p| p.lustre != part.lustre) {
                    shown.push(part);
                }
            }
            shown
        };
        let states = list(About::State, invariant, &summary.states);
        ModularInvariants {
            node: known.name.clone(),
            place: known.place.clone(),
            number: node + 1,
            first: list(About::First, predicates.initial, &summary.first),
            later: list(About::Later, predicates.step, &summary.later),
            states,
        }
    }

    fn part(
        &self,
        writer: &mut LustreWriter<'_>,
        node: usize,
        about: About,
        (terms, term): (&Terms, TermId),
    ) -> Part {
        let restated = restate(&self.modular, &self.clauses, node, about, (terms, term));
        let lustre = restated.and_then(|predicate| writer.expression(&predicate));
        let lustre = lustre.filter(|(instance, _)| *instance == 0).map(|(_, text)| text);
        let name = |var: VarId| self.argument_name(node, about, var);
        let formula = show_term(terms, term, LONGEST, &name);
        let interface = lustre.as_ref().is_some_and(|text| self.is_interface(node, text));
        Part { lustre, formula, interface }
    }

    fn argument_name(&self, node: usize, about: About, argument: VarId) -> String {
        let known = &self.modular.nodes[node];
        let predicates = &self.clauses.nodes[node];
        let place = match about {
            About::First => predicates.initial_places[argument.index()],
            About::Later => predicates.step_places[argument.index()],
            About::State => Place::Before(argument.index()),
        };
        let slot = |slot: usize| self.modular.slot_name(node, known.state[slot]);
        match place {
            Place::Flow(var) => known.system.variable(var).name.clone(),
            Place::Flag => "(the properties hold)".into(),
            Place::Before(i) => format!("({})", slot(i)),
            Place::After(i) => format!("({})'", slot(i)),
        }
    }

    /// Whether an expression of a node names no local.
    fn is_interface(&self, node: usize, text: &str) -> bool {
        let system = &self.modular.nodes[node].system;
        let locals = system.instances[0].streams.iter().filter(|s| s.role == StreamRole::Local);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let words: Vec<&str> = text.split(|c: char| !is_part(c)).collect();
        !locals.into_iter().any(|local| words.contains(&local.name.as_str()))
    }
}

/// Terms in another arena, about arguments from some position on.
fn copy(target: &mut Terms, (source, list): (&Terms, &[TermId]), from: usize) -> Vec<TermId> {
    let mut translation = Translation::new();
    let mut one = |term: &TermId| {
        translation.apply(source, target, *term, |terms, var, sort| {
            terms.variable(VarId(var.0 + from as u32), sort)
        })
    };
    list.iter().map(&mut one).collect()
}
