//! A play that the environment wins, to be shown: its choices, some answers of the system,
//! and in the end a choice without an answer.

use lustral_projection::Valuation;
use lustral_smt::Session;
use lustral_system::{Game, Play, Reason, Refutation};
use lustral_term::{TermId, Value, VarId};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::arena::{Arena, Substitution};

/// A play of a refutation. Layers come in rounds, so it is as short as they allow.
///
/// # Errors
/// If the solver gives up.
pub fn play(game: &Game, refutation: &Refutation, options: &Options) -> Result<Play, Reason> {
    let mut arena = Arena::with(game, (*refutation.terms).clone(), options);
    let mut session = arena.session()?;
    let good = arena.guarantee;
    let initial = game.system.memories.iter().map(|m| (m.var, m.initial.clone()));
    let mut state: FxHashMap<VarId, Value> = initial.collect();
    let mut play = Play::default();
    for _ in 0..refutation.layers.len() {
        let mut values = state.clone();
        let here = Valuation { values: state, ..Valuation::default() };
        let mut at = here.evaluator(&arena.terms);
        let layer = refutation.layers.iter();
        let layer = layer.filter(|layer| layer.states.iter().all(|term| at.holds(*term)));
        let Some(layer) = layer.min_by_key(|layer| layer.before) else {
            return Err(Reason::Solver("a play left the layers".into()));
        };
        let choice: Vec<(VarId, Value)> =
            layer.choice.iter().map(|(var, term)| (*var, at.of(*term))).collect();
        values.extend(choice.iter().cloned());
        play.steps.push(choice);
        let known = Valuation { values: values.clone(), ..Valuation::default() };
        let variables = arena.before_the_answer();
        let here = arena.at(&known, &variables);
        let here = arena.terms.and([here, good]);
        let here = arena.named(&mut *session, here);
        if !longest(&mut arena, &mut *session, here, refutation, layer.before)? {
            return Ok(play);
        }
        let controlled = arena.controlled.clone();
        let answer = arena.model(&mut *session, &controlled)?;
        values.extend(answer.values.clone());
        if let Some(step) = play.steps.last_mut() {
            step.extend(answer.values);
        }
        let all = Valuation { values, ..Valuation::default() };
        let mut now = all.evaluator(&game.system.terms);
        state = game.system.memories.iter().map(|m| (m.var, now.of(m.next))).collect();
    }
    Err(Reason::Solver("a play has no end".into()))
}

/// Looks for an answer after which the play is longest, by the rounds of the layers; the
/// session has it as its model. Nothing if there is no answer at all.
fn longest(
    arena: &mut Arena,
    session: &mut dyn Session,
    here: TermId,
    refutation: &Refutation,
    before: usize,
) -> Result<bool, Reason> {
    let mut rounds: Vec<usize> = refutation.layers[..before].iter().map(|l| l.before).collect();
    rounds.dedup();
    let next = arena.next(&Substitution::default());
    for round in rounds.into_iter().rev() {
        let mut outside = Vec::with_capacity(round);
        for layer in &refutation.layers[..round] {
            let states = arena.terms.and(layer.states.iter().copied());
            let states = arena.insert(states, &next);
            outside.push(arena.terms.not(states));
        }
        let outside = arena.terms.and(outside);
        let outside = arena.named(session, outside);
        if arena.ask(session, &[here, outside])? {
            return Ok(true);
        }
    }
    arena.ask(session, &[here])
}
