//! Who wins the game of a node: found, checked, and what there is to say besides.

use std::time::{Duration, Instant};

use lustral_certify::{Checked, ProofChecker, Realizability, Rejected, game};
use lustral_coordinator::Unit;
use lustral_realize::{
    Conflict, Equations, Options, Shown, Winner, conflict, equations, play, solve, stuck,
};
use lustral_report::ConflictEvent;
use lustral_sema::program::ASSUMPTIONS_SO_FAR;
use lustral_system::{Game, Outcome, Reason};
use lustral_term::VarId;

/// How long the search for guarantees that contradict each other may take.
const FOR_CONFLICTS: Duration = Duration::from_secs(10);

/// How long the search for a play that leaves the environment no input may take.
const FOR_ENDS: Duration = Duration::from_secs(2);

/// What was found out about a node.
pub(super) struct Found {
    pub unit: Unit,
    pub game: Option<Game>,
    pub checked: Checked<Realizability>,
    pub conflict: Option<ConflictEvent>,
    pub equations: Option<Equations>,
    /// A play that leaves the environment no input.
    pub stuck: Option<Shown>,
}

impl Found {
    /// Nothing but this.
    pub fn nothing(unit: Unit, checked: Checked<Realizability>) -> Found {
        Found { unit, game: None, checked, conflict: None, equations: None, stuck: None }
    }
}

/// Finds out who wins the game of a node, and checks it.
pub(super) fn look_at(unit: Unit, options: &Options) -> Found {
    let game = match game(&unit) {
        Ok(game) => game,
        Err(reason) => {
            let checked = Realizability::unknown(&unit.system.root().node, reason);
            return Found::nothing(unit, checked);
        }
    };
    let checked = decide(&game, &unit, options)
        .unwrap_or_else(|reason| Realizability::unknown(&unit.system.root().node, reason));
    let conflict = match checked.get() {
        Realizability::Unrealizable { .. } => Some(contradiction(&game, &unit, options)),
        _ => None,
    };
    let equations = match checked.get() {
        Realizability::Realizable(strategy) => {
            let streams = unit.system.root().streams.iter();
            let given = streams.filter(|stream| stream.name == ASSUMPTIONS_SO_FAR);
            let given: Vec<VarId> = given.map(|stream| stream.var).collect();
            Some(equations(&game, strategy, &given, options))
        }
        _ => None,
    };
    let stuck = match checked.get() {
        Realizability::Realizable(_) => without_input(&game, options),
        _ => None,
    };
    Found { unit, game: Some(game), checked, conflict, equations, stuck }
}

/// A play after which the assumptions leave the environment no input, if one is found soon.
fn without_input(game: &Game, options: &Options) -> Option<Shown> {
    let cancel = options.cancel.child_until(until(options, FOR_ENDS));
    stuck(game, &Options { cancel, ..options.clone() }).ok().flatten()
}

/// The end of so much time, or of half of what is left: what is known is to be told in time.
fn until(options: &Options, time: Duration) -> Option<Instant> {
    let now = Instant::now();
    let left = options.cancel.deadline().map(|d| d.saturating_duration_since(now) / 2);
    now.checked_add(left.map_or(time, |left| left.min(time)))
}

/// What to say of a play that leaves the environment no input.
pub(super) fn warning(play: &Shown) -> String {
    let step = |(number, flows): (usize, &Vec<(String, String)>)| {
        let flows: Vec<String> =
            flows.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        format!("step {number}: {}", flows.join(", "))
    };
    let steps: Vec<String> = play.iter().enumerate().map(step).collect();
    format!(
        "the assumptions can be left without any input, which the system wins; no input keeps them after {}",
        steps.join("; ")
    )
}

/// Who wins a game: found, and checked.
fn decide(game: &Game, unit: &Unit, options: &Options) -> Result<Checked<Realizability>, Reason> {
    let outcome = solve(game, options)?;
    let failed = |rejected: Rejected| match options.cancel.cause() {
        Some(cause) => cause.into(),
        None => match rejected {
            Rejected::NoAnswer(_, why) => Reason::Solver(why),
            other => Reason::CheckFailed(other.to_string()),
        },
    };
    let mut checker = ProofChecker::new(&options.cancel).map_err(failed)?;
    match outcome {
        Outcome::System(strategy) => checker.check_system_wins(game, strategy).map_err(failed),
        Outcome::Environment(refutation) => {
            let play = play(game, &refutation, options)?;
            let system = &unit.system;
            checker.check_environment_wins(game, system, refutation, &play).map_err(failed)
        }
    }
}

/// The guarantees that cannot be kept together, each answer on the way checked.
fn contradiction(game: &Game, unit: &Unit, options: &Options) -> ConflictEvent {
    let cancel = options.cancel.child_until(until(options, FOR_CONFLICTS));
    let options = Options { cancel, ..options.clone() };
    let winner = |part: &Game| match decide(part, unit, &options).ok()?.get() {
        Realizability::Realizable(_) => Some(Winner::System),
        Realizability::Unrealizable { .. } => Some(Winner::Environment),
        Realizability::Unknown(_) => None,
    };
    let Conflict { guarantees, minimal } = conflict(game, winner);
    let name = |at: &usize| game.guarantees[*at].name.clone();
    ConflictEvent { guarantees: guarantees.iter().filter_map(name).collect(), minimal }
}

/// Whether it is certain that nobody can keep the contract of a unit's root.
pub(crate) fn is_unrealizable(unit: &Unit, options: &Options) -> bool {
    let decided = game(unit).and_then(|game| decide(&game, unit, options));
    decided.is_ok_and(|found| matches!(found.get(), Realizability::Unrealizable { .. }))
}
