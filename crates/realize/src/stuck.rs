//! Where the assumptions leave no input: what the environment must keep to may rest on what the
//! system did, and then the system may win by leaving it no choice. Plays of a few steps are looked
//! at, in which both keep to what they must, whatever the strategy is; nothing found says nothing.

use lustral_projection::Valuation;
use lustral_smt::Session;
use lustral_system::{Game, Reason, StreamRole};
use lustral_term::{TermId, Value, VarId, show_value};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::arena::{Arena, Slot, Substitution};

/// The longest plays.
const DEEPEST: usize = 6;

/// How many inputs are tried for the states after so many steps.
const TRIES: usize = 60;

/// The inputs and outputs of each step of a play: names and values.
pub type Shown = Vec<Vec<(String, String)>>;

/// A shortest play after which no input keeps the assumptions, if one is found.
///
/// # Errors
/// If the solver gives up.
pub fn stuck(game: &Game, options: &Options) -> Result<Option<Shown>, Reason> {
    let mut arena = Arena::new(game, options);
    let (mut session, mut inputs) = (arena.session()?, arena.session()?);
    inputs.assert(&arena.terms, arena.assumption);
    let slots = arena.memories.clone();
    let mut step = arena.copies();
    let initial = arena.equations(slots.iter().map(|slot| (step[&slot.var], slot.initial)));
    session.assert(&arena.terms, initial);
    let mut steps = Vec::new();
    for _ in 0..DEEPEST {
        let after = arena.copies();
        let next = arena.next(&step);
        let pairs = slots.iter().map(|slot| (after[&slot.var], next[&slot.var]));
        let follows = arena.equations(pairs);
        let assumed = arena.insert(arena.assumption, &step);
        let kept = arena.insert(arena.guarantee, &step);
        for fact in [follows, assumed, kept] {
            session.assert(&arena.terms, fact);
        }
        steps.push(std::mem::replace(&mut step, after));
        if dead_end(&mut arena, &mut *session, &mut *inputs, &slots, &step)? {
            return shown(game, &arena, &mut *session, &steps).map(Some);
        }
    }
    Ok(None)
}

/// Looks for a state after the last step for which there is no input; the session has a play that
/// leads there as its model. Inputs that are found for one state are there for others, too.
fn dead_end(
    arena: &mut Arena,
    session: &mut dyn Session,
    inputs: &mut dyn Session,
    slots: &[Slot],
    after: &Substitution,
) -> Result<bool, Reason> {
    let mut left = Vec::new();
    for _ in 0..TRIES {
        if !arena.ask(session, &left)? {
            return Ok(false);
        }
        let copies: Vec<TermId> = slots.iter().map(|slot| after[&slot.var]).collect();
        let model = arena.model(session, &copies)?;
        let value = |arena: &Arena, copy: TermId| {
            let var = arena.terms.var(copy)?;
            model.values.get(&var).cloned()
        };
        let mut here = Vec::with_capacity(slots.len());
        for (slot, copy) in slots.iter().zip(&copies) {
            if let Some(value) = value(arena, *copy) {
                here.push((slot.term, arena.terms.constant(value)));
            }
        }
        let here = arena.equations(here);
        let here = arena.named(inputs, here);
        if !arena.ask(inputs, &[here])? {
            return Ok(true);
        }
        let environment = arena.environment.clone();
        let found = arena.model(inputs, &environment)?.values.into_iter();
        let mut by: Substitution = slots.iter().map(|slot| (slot.var, after[&slot.var])).collect();
        for (var, value) in found {
            by.insert(var, arena.terms.constant(value));
        }
        let goes_on = arena.insert(arena.assumption, &by);
        let ends = arena.terms.not(goes_on);
        left.push(arena.named(session, ends));
    }
    Ok(false)
}

/// The play that is the model of a session, step by step, by the definitions of the flows.
fn shown(
    game: &Game,
    arena: &Arena,
    session: &mut dyn Session,
    steps: &[Substitution],
) -> Result<Shown, Reason> {
    let system = &game.system;
    let initial = system.memories.iter().map(|m| (m.var, m.initial.clone()));
    let mut state: FxHashMap<VarId, Value> = initial.collect();
    let chosen: Vec<VarId> = game.environment.iter().chain(&game.controlled).copied().collect();
    let mut play = Shown::new();
    for step in steps {
        let mut values = state;
        for var in &chosen {
            let Some(copy) = step.get(var) else { continue };
            let model = arena.model(session, &[*copy])?;
            values.extend(model.values.into_values().map(|value| (*var, value)));
        }
        let all = Valuation { values, ..Valuation::default() };
        let mut now = all.evaluator(&system.terms);
        let flows = system.root().streams.iter().filter(|flow| flow.role != StreamRole::Local);
        let known = flows.filter_map(|flow| {
            let value = match system.variable(flow.var).role {
                lustral_system::Role::Defined(term) => now.of(term),
                _ => all.values.get(&flow.var)?.clone(),
            };
            Some((flow.name.clone(), show_value(&value, &**system)))
        });
        play.push(known.collect());
        state = system.memories.iter().map(|m| (m.var, now.of(m.next))).collect();
    }
    Ok(play)
}
