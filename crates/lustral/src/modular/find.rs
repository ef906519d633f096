//! Finding definitions that pass their validation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{ProofChecker, Rejected};
use lustral_engines::{NodeInvariants, NodeSystem, learn_nodes, summaries};
use lustral_horn::{Definition, Model, ModularClauses};
use lustral_kernel::Program as Kernel;
use lustral_sema::NodeId;
use lustral_syntax::SourceMap;
use lustral_system::Modular;
use lustral_term::{TermId, Translation, VarId};

use super::Found;
use super::choose::{Choosing, Chosen};
use crate::cli::{InvariantsOptions, limit};
use crate::from::{Asking, Certified};
use crate::invariants::learning;
use crate::rank::minimise;

/// The most time for a question of minimisation.
const EACH: Duration = Duration::from_secs(2);

/// Finds definitions and has them validated; notes what is missing.
pub fn find(
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
                return Ok(Found {
                    modular,
                    clauses,
                    summaries,
                    spacer,
                    model,
                    minimised,
                    anew,
                    learning,
                });
            }
            Err(rejected) => notes.push(format!("the model of Spacer is not used: {rejected}")),
        }
    }
    valid(&from_learning, false).map_err(not_passed)?;
    let (spacer, model, minimised, anew) = (None, from_learning, None, None);
    Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew, learning })
}

fn not_passed(rejected: Rejected) -> String {
    format!("nothing passed its check: {rejected}")
}

/// Finds definitions from certificates or by Spacer alone, has them validated,
/// and makes them say less of the state if that is asked for.
pub fn find_small(
    options: &InvariantsOptions,
    (kernel, sources, root): (&Arc<Kernel>, &SourceMap, NodeId),
    modular: Modular,
    cancel: &Cancel,
    notes: &mut Vec<String>,
) -> Result<Found, String> {
    let learning = learning(options, cancel);
    let time = limit(options.timeout).map_or(Duration::MAX / 4, |all| all.mul_f64(0.5));
    let asking = Asking { seed: options.seed, limit: time, cancel: cancel.clone() };
    let (clauses, mut model, anew) = match &options.from {
        Some(folder) => {
            let certified = Certified::read(folder, kernel, sources, root)?;
            let selection = certified.selection(&modular)?;
            notes.extend(certified.missing());
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
    let spacer = Some(model.clone());
    Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew, learning })
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
