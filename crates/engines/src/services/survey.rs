//! A look at the constraints before the engines start: is there an execution
//! at all, and does every execution end early?

use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Outcome, Solver, SolverOptions};
use lustral_system::TransitionSystem;

use crate::metered;
use crate::model::Model;
use crate::prepare::prepare;
use crate::task::logic;
use crate::unroll::{Start, Unroller};

/// Steps that are looked at, and the time for it.
const STEPS: usize = 16;
const TIME: Duration = Duration::from_millis(250);

/// What the survey found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survey {
    /// No execution has a step with this number (0: there is none at all).
    BlocksAt(usize),
    /// The executions that the solver found have values that are no fractions
    /// at this step, so they are none; there may be others.
    Inexact(usize),
    /// Nothing of the kind within the steps looked at.
    Open,
}

/// Looks at the constraints of a system. Cheap, and free without constraints.
/// What it says is as little trusted as what an engine finds.
#[must_use]
pub fn survey(
    system: &TransitionSystem,
    solver: &Solver,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Survey {
    if system.constraints.is_empty() {
        return Survey::Open;
    }
    // The properties do not matter here.
    let mut bare = system.clone();
    bare.properties.clear();
    let bare = prepare(&bare).system;
    if bare.constraints.is_empty() {
        return Survey::Open;
    }
    let logic = logic(&bare);
    let Ok(mut session) = metered::open(solver, logic, options, cancel, "query") else {
        return Survey::Open;
    };
    let mut unroller = Unroller::new(&bare, Start::Initial);
    let start = Moment::now();
    for step in 0..STEPS {
        for fact in unroller.extend() {
            session.assert(&unroller.terms, fact);
        }
        match session.check(&unroller.terms, &[]) {
            Outcome::Unsat => return Survey::BlocksAt(step),
            Outcome::Unknown(_) => return Survey::Open,
            // Solvers take reals for those of mathematics, with all roots.
            Outcome::Sat if logic.reals && logic.nonlinear => {
                if matches!(Model::read(&mut *session, &unroller), Err(Fault::Irrational)) {
                    return Survey::Inexact(step);
                }
            }
            Outcome::Sat => {}
        }
        // Without state, all steps are alike.
        if bare.memories.is_empty() || start.elapsed() > TIME {
            return Survey::Open;
        }
    }
    Survey::Open
}
