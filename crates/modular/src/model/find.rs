//! Finding definitions that pass their validation.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{Checked, CutProgram, NodeClauses, NodeModel, ProofChecker};
use lustral_engines::LearnOptions;
use lustral_horn::{Definition, Model, ModularClauses, Selection};
use lustral_kernel::Program as Kernel;
use lustral_sema::NodeId;
use lustral_syntax::SourceMap;
use lustral_system::{Modular, Predicate};
use lustral_term::{TermId, Translation, VarId};

use super::certified::Certified;
use super::choose::{Choosing, Chosen};
use super::learned::properties_hold;
use super::rank::minimise;
use super::spacer::Asking;
use super::{Found, Missing, NoModel, Setup};
use crate::{learn_nodes, summaries};

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
pub fn find(
    setup: &Setup,
    program: &Arc<CutProgram>,
    missing: &mut Vec<Missing>,
) -> Result<Found, NoModel> {
    let learning = &setup.learning;
    let started = Instant::now();
    let learned = learn_nodes(program.cut_nodes(), learning);
    for (node, result) in program.nodes.iter().zip(&learned) {
        if let Err(reason) = result {
            missing.push(Missing::Unlearned(node.name.clone(), reason.clone()));
        }
    }
    let facts = learned.iter().map(|known| known.as_ref().map_or(&[][..], |k| &k.inductive));
    let facts: Vec<&[Predicate]> = facts.collect();
    let mut proofs = ProofChecker::new(&learning.cancel).map_err(NoModel::NoChecker)?;
    // What was learned often shows all that is stated, and then nobody else is asked.
    if let Some(found) = find_learned(learning, program, &facts, &mut proofs) {
        return Ok(found);
    }
    let time = setup.time.map(|all| all.saturating_sub(started.elapsed()));
    let asking = setup.asking(time);
    let choosing = Choosing { program, asking: &asking };
    let Chosen { clauses, model: spacer, missing: more } = choosing.choose();
    missing.extend(more);
    let (summaries, from_learning) = summaries(program, &clauses, &facts, learning);
    let mut valid = |model: Model, properties: bool| clauses.check(&mut proofs, model, properties);
    let found = |spacer: Option<Model>, model: Checked<NodeModel>| {
        let (clauses, minimised, anew) = (clauses.clone(), None, None);
        Found { clauses, summaries: summaries.clone(), spacer, model, minimised, anew }
    };
    if let Some(spacer) = spacer {
        let both = |spacer: &Model| joined(&from_learning, spacer);
        // What Spacer says of the states of the program is often inductive for
        // the root, of whose states it says nothing.
        let stronger = with_root_states(program, &clauses, &spacer);
        if let Ok(model) = valid(both(&stronger), true) {
            return Ok(found(Some(stronger), model));
        }
        match valid(both(&spacer), true) {
            Ok(model) => return Ok(found(Some(spacer), model)),
            Err(rejected) => missing.push(Missing::Spacer(rejected)),
        }
    }
    let model = valid(from_learning.clone(), false).map_err(NoModel::Rejected)?;
    Ok(found(None, model))
}

/// Definitions from what was learned alone, if they show all properties.
fn find_learned(
    learning: &LearnOptions,
    program: &Arc<CutProgram>,
    facts: &[&[Predicate]],
    proofs: &mut ProofChecker,
) -> Option<Found> {
    let clauses = NodeClauses::new(program, &Selection::all(program));
    let (summaries, learned) = summaries(program, &clauses, facts, learning);
    let more = properties_hold(program, &clauses, &learned);
    let model = clauses.check(proofs, joined(&learned, &more), true).ok()?;
    Some(Found { clauses, summaries, spacer: Some(more), model, minimised: None, anew: None })
}

/// What two models say together.
fn joined(one: &Model, other: &Model) -> Model {
    let mut model = one.clone();
    for (all, more) in model.definitions.iter_mut().zip(&other.definitions) {
        all.conjoin(more);
    }
    model
}

/// Where models are looked for that say little.
pub enum Source<'s> {
    /// What Spacer says.
    Spacer,
    /// A file with a function of SMT-LIB for each predicate, such as other solvers of Horn clauses
    /// write.
    Functions(&'s Path),
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

/// Finds definitions from certificates, from a file or by Spacer alone, has them validated,
/// and makes them say less of the state if that is asked for.
///
/// # Errors
/// If there are none, with the reason.
pub fn find_small(
    setup: &Setup,
    source: &Source<'_>,
    smaller: bool,
    program: &Arc<CutProgram>,
    missing: &mut Vec<Missing>,
) -> Result<Found, NoModel> {
    let learning = &setup.learning;
    let asking = setup.asking(setup.time);
    let time = asking.limit;
    let (clauses, model, anew) = match source {
        Source::Certificates { folder, kernel, sources, root } => {
            let certified = Certified::read(folder, kernel, sources, *root)?;
            let selection = certified.selection(program)?;
            missing.extend(certified.missing());
            let clauses = NodeClauses::new(program, &selection);
            // There are up to three questions.
            let each = asking.within(time.mul_f64(0.6));
            let (model, anew) = certified.model(program, &clauses, &each)?;
            (clauses, model, anew)
        }
        Source::Functions(file) => {
            let clauses = NodeClauses::new(program, &Selection::all(program));
            let model = Model::of_functions(&clauses.clauses, &std::fs::read_to_string(file)?)?;
            (clauses, model, None)
        }
        Source::Spacer => {
            let choosing = Choosing { program, asking: &asking };
            let Chosen { clauses, model, missing: more } = choosing.choose();
            let Some(model) = model else { return Err(NoModel::Missing(more)) };
            missing.extend(more);
            (clauses, model, None)
        }
    };
    let mut proofs = ProofChecker::new(&learning.cancel).map_err(NoModel::NoChecker)?;
    let mut model = clauses.check(&mut proofs, model, true).map_err(NoModel::Rejected)?;
    let asking = asking.within(time.min(EACH));
    let minimised = smaller.then(|| minimise(&clauses, &mut model, &mut proofs, &asking, learning));
    let nothing: Vec<&[Predicate]> = vec![&[]; program.nodes.len()];
    let (summaries, _) = summaries(program, &clauses, &nothing, learning);
    let spacer = Some(model.get().model().clone());
    Ok(Found { clauses, summaries, spacer, model, minimised, anew })
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
