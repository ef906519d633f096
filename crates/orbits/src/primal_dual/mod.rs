//! Primal-dual Houdini on protocols, for all sizes: the algorithm of `lustral-duality` with states and predicates as the
//! paper has them for its evaluation (section 5).
//!
//! Counterexamples to induction are looked for with few elements, the fewest first; only where there is none a
//! solver with quantifiers is asked whether there is none at all. Every state that is found is a whole state of
//! an instance, and every transition one step between two of them: so *unsafe* comes with an execution. (The paper's
//! prototype takes substructures for steps as well.) What a clause may look like is bounded by the states that
//! it separates, and by nothing else.
//!
//! The width of induction steps is 1, as in the paper.

mod domain;
mod instances;
mod separate;

use lustral_base::Cancel;
use lustral_duality::{Answer, InductionStep, PredicateId, Predicates, PrimalDualHoudini, StateId};
use lustral_first_order::{Formula, Universe};
use lustral_protocol::Protocol;
use lustral_protocol::instance::Execution;
use lustral_quantified::{Limits, Steps};

use crate::frames::Stopped;
use crate::pattern::Pattern;
use domain::Structures;

/// What may be said of a state.
pub(crate) enum Predicate {
    /// The property that is asked about, by number.
    Property(usize),
    /// A clause.
    Clause(Pattern),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    Stopped,
    /// Whether an induction step holds is not known, and the sizes that are looked at show nothing.
    Sizes,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

/// The answers of the paper's Corollary 4.6, for width 1.
#[derive(Clone, Debug)]
pub enum PrimalDual {
    /// The property has an incremental proof: each of these is inductive relative to those before it.
    Provable(Vec<Formula>),
    /// These are inductive together, and the property is one of them.
    Safe(Vec<Formula>),
    /// At the end of an execution the property fails.
    Unsafe(Box<Execution>),
    /// So many states satisfy all that has an incremental proof, and in one of them the property fails.
    Unprovable(usize),
    /// It was stopped.
    Stopped,
    /// Whether an induction step holds is not known.
    Unknown,
}

/// Searches for a proof of a safety property and for what speaks against one.
#[must_use]
pub fn primal_dual(
    protocol: &Protocol,
    property: usize,
    smallest: &Universe,
    limits: &Limits,
) -> PrimalDual {
    match searched(protocol, property, smallest, limits) {
        Ok(answer) => answer,
        Err(Halt::Stopped) => PrimalDual::Stopped,
        Err(Halt::Sizes) => PrimalDual::Unknown,
    }
}

fn searched(
    protocol: &Protocol,
    property: usize,
    smallest: &Universe,
    limits: &Limits,
) -> Result<PrimalDual, Halt> {
    let cancel: &Cancel = &limits.cancel;
    let steps = Steps::new(protocol, limits).ok_or(Halt::Stopped)?;
    let mut domain = Structures::new(protocol, property, smallest.clone(), steps, cancel)?;
    let mut search = PrimalDualHoudini::new(PredicateId(0), Predicates::new(), 1);
    loop {
        let answer = search.round(&mut domain)?;
        let (tally, numbers) = (search.tally(), domain.numbers());
        tracing::debug!(?tally, ?numbers, "primal-dual Houdini");
        let Some(answer) = answer else { continue };
        return Ok(match answer {
            Answer::Provable(steps) => {
                let adds = steps.iter().flat_map(|step: &InductionStep| &step.adds);
                PrimalDual::Provable(adds.map(|id| domain.formula(*id)).collect())
            }
            Answer::Safe(set) => {
                PrimalDual::Safe(set.iter().map(|id| domain.formula(*id)).collect())
            }
            Answer::Unsafe(path) => PrimalDual::Unsafe(Box::new(execution(&mut domain, &path)?)),
            Answer::Unprovable(states) => PrimalDual::Unprovable(states.len()),
        });
    }
}

/// The execution along some states.
fn execution(domain: &mut Structures<'_>, path: &[StateId]) -> Result<Execution, Halt> {
    let mut chosen = Vec::new();
    for pair in path.windows(2) {
        chosen.push(domain.chosen(pair[0], pair[1])?.ok_or(Halt::Sizes)?);
    }
    let first = path.first().ok_or(Halt::Sizes)?;
    let (state, instance) = domain.shown_state(*first);
    Ok(instance.frames.system.execution(state, &chosen))
}
