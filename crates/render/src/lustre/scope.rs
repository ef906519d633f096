//! What an instance can name.

use std::collections::BTreeMap;

use lustral_system::{InstanceId, Origin, Role, Stream, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Translation, Value, VarId};

/// What a predicate speaks of.
#[derive(Default)]
pub(super) struct Leaves {
    /// Flows, of any instance.
    pub flows: Vec<VarId>,
    /// The instances in whose text its memories stand.
    pub delays: Vec<InstanceId>,
}

/// By variable: the one that it is by definition, or itself.
pub(super) fn definitions(system: &TransitionSystem) -> Vec<VarId> {
    let mut same: Vec<VarId> = system.variables().map(|(id, _)| id).collect();
    // Definitions come after those that they use.
    for var in &system.definitions {
        if let Role::Defined(term) = system.variable(*var).role
            && let Some(other) = system.terms.var(term)
        {
            same[var.index()] = same[other.index()];
        }
    }
    same
}

/// What each flow is after the first step, over inputs and memories.
pub(super) fn flows(system: &TransitionSystem, terms: &mut Terms) -> BTreeMap<TermId, Vec<VarId>> {
    let mut translation = Translation::new();
    let mut inlined: Vec<Option<TermId>> = vec![None; system.variables.len()];
    let mut flows: BTreeMap<TermId, Vec<VarId>> = BTreeMap::new();
    for var in &system.definitions {
        let Role::Defined(definition) = system.variable(*var).role else { continue };
        let term = translation.apply(&system.terms, terms, definition, |terms, var, sort| {
            match (system.variable(var).origin, inlined[var.index()]) {
                (Origin::First, _) => Terms::FALSE,
                (_, Some(term)) => term,
                (_, None) => terms.variable(var, sort),
            }
        });
        inlined[var.index()] = Some(term);
        // What is short or a name already needs no other name.
        if terms.value(term).is_none() && terms.var(term).is_none() {
            flows.entry(term).or_default().push(*var);
        }
    }
    flows
}

/// How an instance calls a flow, which may be another's.
pub(super) fn name<'s>(
    system: &'s TransitionSystem,
    same: &[VarId],
    instance: InstanceId,
    var: VarId,
) -> Option<&'s str> {
    // Modes, and what else only contracts can speak of, have no names for others.
    // A selector says less than the flow of a field: it is another value where another
    // constructor made the whole.
    let alone = |(tag, _): &(VarId, u32)| matches!(system.variable(*tag).sort, Sort::Enum(of) if of.size == 1);
    let is_name = |s: &&Stream| !s.hidden && !s.name.starts_with(':') && s.counts.iter().all(alone);
    let streams = system.instance(instance).streams.iter().filter(is_name);
    let own = streams.clone().find(|s| s.var == var);
    let meant = same[var.index()];
    let stream = own.or_else(|| streams.clone().find(|s| same[s.var.index()] == meant))?;
    Some(&stream.name)
}

/// How an instance calls a value of an enumeration. A flow of the same name
/// hides it.
pub(super) fn value<'s>(
    system: &'s TransitionSystem,
    instance: InstanceId,
    value: &Value,
) -> Option<&'s str> {
    let name = system.value_name(value)?;
    let streams = &system.instance(instance).streams;
    (!streams.iter().any(|s| s.name == name)).then_some(name)
}

/// An instance that can name all: one that has the text of a delay if there
/// is one (a function has no `pre`), then one whose flows are meant, then the
/// nearest to the root.
pub(super) fn choose(
    system: &TransitionSystem,
    same: &[VarId],
    leaves: &Leaves,
) -> Option<InstanceId> {
    let can = |instance: InstanceId| {
        leaves.flows.iter().all(|v| name(system, same, instance, *v).is_some())
    };
    let owners = leaves.flows.iter().filter_map(|v| match system.variable(*v).origin {
        Origin::Stream { instance, .. } => Some(instance),
        _ => None,
    });
    let delays = leaves.delays.iter().copied();
    let near = delays.chain(owners.clone()).find(|i| can(*i));
    near.or_else(|| {
        // Somebody between the owners: the callers of one of them, or those it calls.
        let owner = owners.min()?;
        let children = (0..system.instances.len() as u32)
            .map(InstanceId)
            .filter(|i| system.instance(*i).parent == Some(owner));
        let callers = std::iter::successors(Some(owner), |i| system.instance(*i).parent);
        callers.chain(children).find(|i| can(*i))
    })
    .or_else(|| leaves.flows.is_empty().then_some(InstanceId::ROOT))
}
