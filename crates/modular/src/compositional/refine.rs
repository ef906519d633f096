//! Whether an execution of a cut system is one of the program; and if not,
//! which calls are to blame.

use std::collections::HashMap;

use lustral_coordinator::Unit;
use lustral_sema::InstanceId;
use lustral_sema::program::CallId;
use lustral_system::{Origin, PropId, StreamRole, Trace};
use lustral_term::{Value, VarId};

/// What became of an execution of a cut system.
pub enum Tried {
    /// The program has an execution with the same inputs, at the last step of
    /// which the property fails for the first time.
    Real(Trace),
    /// It has not: these calls do something else in it.
    Spurious(Vec<InstanceId>),
}

/// Runs the whole program on the inputs of an execution of a cut system.
pub fn replay(cut: &Unit, whole: &Unit, failing: (PropId, PropId), trace: &Trace) -> Tried {
    let (_, property) = failing;
    let run = run(cut, whole, trace);
    let system = &whole.system;
    let holds = |step, term| run.eval(system, step, term) == Value::Bool(true);
    for step in 0..run.len() {
        if let Some(broken) = system.constraints.iter().find(|c| !holds(step, c.term)) {
            // Only the assertions of what is cut can fail in it.
            let calls = whole.tree.calls(broken.source.instance());
            let blamed = differing(cut, whole, trace, &run);
            return Tried::Spurious(if blamed.is_empty() {
                cut_on_the_way(cut, &calls).into_iter().collect()
            } else {
                blamed
            });
        }
        if !holds(step, system.property(property).term) {
            let steps = run.steps[..=step].to_vec();
            return Tried::Real(Trace { steps, answers: run.answers });
        }
    }
    Tried::Spurious(differing(cut, whole, trace, &run))
}

/// The execution of the program with the inputs and the first values of an
/// execution of the cut system. What is cut begins with plain values.
fn run(cut: &Unit, whole: &Unit, trace: &Trace) -> Trace {
    let mut here: HashMap<VarId, VarId> = HashMap::new();
    let by_origin: HashMap<Origin, VarId> =
        cut.system.variables().map(|(id, v)| (v.origin, id)).collect();
    for (id, variable) in whole.system.variables() {
        let origin = match variable.origin {
            origin @ Origin::Stream { instance: InstanceId::ROOT, .. } => Some(origin),
            Origin::FirstValue { instance, expr, leaf } => {
                let calls = whole.tree.calls(instance);
                let at = cut.tree.follow(InstanceId::ROOT, &calls);
                at.map(|at| Origin::FirstValue { instance: at, expr, leaf })
            }
            Origin::Any { instance, expr, leaf } => {
                let calls = whole.tree.calls(instance);
                let at = cut.tree.follow(InstanceId::ROOT, &calls);
                at.map(|at| Origin::Any { instance: at, expr, leaf })
            }
            _ => None,
        };
        if let Some(known) = origin.and_then(|origin| by_origin.get(&origin)) {
            here.insert(id, *known);
        }
    }
    Trace::run(&whole.system, trace.len(), trace.answers.clone(), |step, var| {
        match here.get(&var) {
            Some(known) => trace.value(step, *known).clone(),
            None => whole.system.plain(var),
        }
    })
}

/// The cut calls whose outputs are others in the program, at the first step at
/// which there are some: those whose inputs are the same up to there. Where a
/// call is given what depends on its own outputs there may be none of these,
/// and then all whose outputs are others.
fn differing(cut: &Unit, whole: &Unit, trace: &Trace, run: &Trace) -> Vec<InstanceId> {
    let mut calls: Vec<(InstanceId, InstanceId)> = cut
        .tree
        .cut_ids()
        .filter_map(|id| {
            let there = whole.tree.follow(InstanceId::ROOT, &cut.tree.calls(id))?;
            Some((id, there))
        })
        .collect();
    let all = calls.clone();
    let mut others = Vec::new();
    for step in 0..trace.len() {
        let same = |(here, there): &(InstanceId, InstanceId), role: StreamRole| {
            let ours = &cut.system.instances[here.index()].streams;
            let theirs = &whole.system.instances[there.index()].streams;
            let mut flows = ours.iter().zip(theirs).filter(|(s, _)| s.role == role);
            flows.all(|(a, b)| trace.value(step, a.var) == run.value(step, b.var))
        };
        calls.retain(|call| same(call, StreamRole::Input));
        let differ = |calls: &[(InstanceId, InstanceId)]| -> Vec<InstanceId> {
            let calls = calls.iter().filter(|call| !same(call, StreamRole::Output));
            calls.map(|(here, _)| *here).collect()
        };
        let blamed = differ(&calls);
        if !blamed.is_empty() {
            return blamed;
        }
        if others.is_empty() {
            others = differ(&all);
        }
    }
    others
}

/// The cut instance on the way to an instance of the whole program.
fn cut_on_the_way(cut: &Unit, calls: &[CallId]) -> Option<InstanceId> {
    let mut at = InstanceId::ROOT;
    for call in calls {
        if cut.tree.is_cut(at) {
            break;
        }
        at = cut.tree.child(at, *call);
    }
    cut.tree.is_cut(at).then_some(at)
}
