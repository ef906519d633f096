//! Finding definitions that pass their validation.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{ProofChecker, Rejected};
use lustral_horn::{Definition, Model, ModularClauses};
use lustral_kernel::Program as Kernel;
use lustral_sema::NodeId;
use lustral_syntax::SourceMap;
use lustral_system::{Modular, Predicate};
use lustral_term::{TermId, Translation, VarId};

use super::certified::Certified;
use super::choose::{Choosing, Chosen};
use super::rank::minimise;
use super::spacer::Asking;
use super::{Found, Setup};
use crate::{NodeSystem, learn_nodes, summaries};

/// The most time for a question of minimisation.
const EACH: Duration = Duration::from_secs(2);

impl Setup {
    /// How Spacer is asked, if so much time is left: for half of it.
    fn asking(&self, left: Option<Duration>) -> Asking {
        Asking {
            worker: self.worker.clone(),
            seed: self.learning.options.seed,
            limit: left.map_or(Duration::MAX / 4, |left| left.mul_f64(0.5)),
            cancel: self.learning.cancel.clone(),
        }
    }
}

/// Finds definitions and has them validated; notes what is missing.
///
/// # Errors
/// If none passed its check.
pub fn find(setup: &Setup, modular: Modular, notes: &mut Vec<String>) -> Result<Found, String> {
    let learning = &setup.learning;
    let started = Instant::now();
    let systems: Vec<NodeSystem> = modular
        .nodes
        .iter()
        .map(|n| NodeSystem { system: n.system.clone(), calls: n.calls.clone() })
        .collect();
    let learned = learn_nodes(&systems.into(), learning);
    for (node, result) in modular.nodes.iter().zip(&learned) {
        if let Err(reason) = result {
            notes.push(format!("nothing was learned of {}: {reason}", node.name));
        }
    }
    let time = setup.time.map(|all| all.saturating_sub(started.elapsed()));
    let asking = setup.asking(time);
    let choosing = Choosing { modular: &modular, asking: &asking };
    let Chosen { clauses, model: spacer, notes: missing } = choosing.choose();
    notes.extend(missing);
    let facts = learned.iter().map(|known| known.as_ref().map_or(&[][..], |k| &k.inductive));
    let facts: Vec<&[Predicate]> = facts.collect();
    let (summaries, from_learning) = summaries(&modular, &clauses, &facts, learning);
    let mut proofs = ProofChecker::new(&learning.cancel).map_err(|r| r.to_string())?;
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
                return Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew });
            }
            Err(rejected) => notes.push(format!("the model of Spacer is not used: {rejected}")),
        }
    }
    valid(&from_learning, false).map_err(not_passed)?;
    let (spacer, model, minimised, anew) = (None, from_learning, None, None);
    Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew })
}

fn not_passed(rejected: Rejected) -> String {
    format!("nothing passed its check: {rejected}")
}

/// Where models are looked for that say little.
pub enum Source<'s> {
    /// What Spacer says.
    Spacer,
    /// Certificates of an earlier run.
    Certificates {
        /// The folder that has them, or below which they are.
        folder: &'s Path,
        /// The program that they must be about.
        kernel: &'s Arc<Kernel>,
        /// Its texts.
        sources: &'s SourceMap,
        /// The node that they must be about.
        root: NodeId,
    },
}

/// Finds definitions from certificates or by Spacer alone, has them validated,
/// and makes them say less of the state if that is asked for.
///
/// # Errors
/// If there are none, with the reason.
pub fn find_small(
    setup: &Setup,
    source: &Source<'_>,
    smaller: bool,
    modular: Modular,
    notes: &mut Vec<String>,
) -> Result<Found, String> {
    let learning = &setup.learning;
    let asking = setup.asking(setup.time);
    let time = asking.limit;
    let (clauses, mut model, anew) = match source {
        Source::Certificates { folder, kernel, sources, root } => {
            let certified = Certified::read(folder, kernel, sources, *root)?;
            let selection = certified.selection(&modular)?;
            notes.extend(certified.missing());
            let clauses = ModularClauses::new(&modular, &selection, true);
            // There are up to three questions.
            let each = asking.within(time.mul_f64(0.6));
            let (model, anew) = certified.model(&modular, &clauses, &each)?;
            (clauses, model, anew)
        }
        Source::Spacer => {
            let choosing = Choosing { modular: &modular, asking: &asking };
            let Chosen { clauses, model, notes: missing } = choosing.choose();
            let model = model.ok_or_else(|| missing.join("; "))?;
            notes.extend(missing);
            (clauses, model, None)
        }
    };
    let mut proofs = ProofChecker::new(&learning.cancel).map_err(|r| r.to_string())?;
    proofs.check_model(&clauses.clauses, &model, true).map_err(not_passed)?;
    let asking = asking.within(time.min(EACH));
    let minimised =
        smaller.then(|| minimise(&modular, &clauses, &mut model, &mut proofs, &asking, learning));
    let nothing: Vec<&[Predicate]> = vec![&[]; modular.nodes.len()];
    let (summaries, _) = summaries(&modular, &clauses, &nothing, learning);
    let spacer = Some(model.clone());
    Ok(Found { modular, clauses, summaries, spacer, model, minimised, anew })
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
