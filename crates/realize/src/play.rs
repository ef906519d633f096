//! A play that the environment wins, to be shown: its choices, some answers of the system,
//! and in the end a choice without an answer.

use lustral_projection::Valuation;
use lustral_system::{Game, Play, Reason, Refutation};
use lustral_term::{TermId, Value, VarId};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::arena::Arena;

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
        let mut pairs: Vec<(TermId, Value)> = Vec::new();
        for term in arena.before_the_answer() {
            let value = arena.terms.var(term).and_then(|var| values.get(&var));
            pairs.extend(value.map(|value| (term, value.clone())));
        }
        let pairs: Vec<(TermId, TermId)> =
            pairs.into_iter().map(|(term, value)| (term, arena.terms.constant(value))).collect();
        let here = arena.equations(pairs);
        let here = arena.terms.and([here, good]);
        let here = arena.named(&mut *session, here);
        if !arena.ask(&mut *session, &[here])? {
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
