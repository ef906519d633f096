//! Who is to blame for an execution in which a contract does not hold.
//!
//! What a call owes its node is a property at the call, so the execution itself says whether a
//! node was given what it assumes. Who was not is excused, from then on, and who called it is asked
//! the same; at the root nothing is owed but by the environment, which keeps to it.

use lustral_certify::{Answer, Checked, Unit};
use lustral_report::Blame;
use lustral_sema::obligations::{ObligationKind, ObligationRole, obligations};
use lustral_sema::{InstanceId, PropertyInstance};
use lustral_system::{Goal, PropId, Role, StreamRole, Trace};
use lustral_term::Value;

/// Who is to blame where an answer about the whole of a node is a counterexample, if a contract has a part
/// in it.
pub(super) fn blame(unit: &Unit, answer: &Checked<Answer>) -> Option<Blame> {
    let Answer::Falsifiable(trace) = answer.get() else { return None };
    let position = answer.property();
    let property = &unit.properties[position.index()];
    if property.goal != Goal::Always || answer.cut().is_some() {
        return None;
    }
    let (kind, role) = obligation(unit, property)?;
    let (mut at, mut broken) = (property.instance, None);
    if role == ObligationRole::Given {
        let caller = unit.tree.instance(at).parent?.0;
        broken = Some((at, own_name(unit, property), trace.len() - 1));
        at = caller;
    }
    // Whoever was not given what it assumes, by then, is excused.
    let mut until = trace.len() - 1;
    while let Some((name, step)) = first_broken(unit, trace, at, until) {
        let Some((caller, _)) = unit.tree.instance(at).parent else { break };
        broken = Some((at, name, step));
        (at, until) = (caller, step);
    }
    let node = |id: InstanceId| unit.tree.node(&unit.program, id).name.to_string();
    let path = |id: InstanceId| unit.tree.path(&unit.program, id);
    if let Some((call, broken, step)) = broken {
        return Some(Blame::Caller { node: node(at), call: path(call), broken, step });
    }
    let of = without_body(unit, position, at);
    if !of.is_empty() {
        return Some(Blame::Contract { node: node(at), of });
    }
    let is_of_contract = matches!(
        kind,
        ObligationKind::Guarantee | ObligationKind::Ensure | ObligationKind::OneMode
    );
    let call = (at != InstanceId::ROOT).then(|| path(at));
    is_of_contract.then(|| Blame::Node { node: node(at), call })
}

/// What a property is for its node.
fn obligation(
    unit: &Unit,
    property: &PropertyInstance,
) -> Option<(ObligationKind, ObligationRole)> {
    let node = unit.tree.instance(property.instance).node;
    let all = obligations(&unit.program, node).into_iter();
    all.filter(|o| o.source == property.source).map(|o| (o.kind, o.role)).next()
}

/// The name of a property in its node.
fn own_name(unit: &Unit, property: &PropertyInstance) -> String {
    let path = unit.tree.path(&unit.program, property.instance);
    let own = property.name.strip_prefix(&path).and_then(|rest| rest.strip_prefix('.'));
    own.unwrap_or(&property.name).to_string()
}

/// What was owed to an instance and is broken first, up to a step.
fn first_broken(
    unit: &Unit,
    trace: &Trace,
    id: InstanceId,
    until: usize,
) -> Option<(String, usize)> {
    let owed = |property: &&(PropId, &PropertyInstance)| {
        let given = |(_, role)| role == ObligationRole::Given;
        property.1.instance == id && obligation(unit, property.1).is_some_and(given)
    };
    let all: Vec<(PropId, &PropertyInstance)> = (0..).map(PropId).zip(&unit.properties).collect();
    let owed: Vec<&(PropId, &PropertyInstance)> = all.iter().filter(owed).collect();
    (0..=until).find_map(|step| {
        let fails = |position: PropId| {
            let term = unit.system.property(position).term;
            trace.eval(&unit.system, step, term) == Value::Bool(false)
        };
        let broken = owed.iter().find(|(position, _)| fails(*position))?;
        Some((own_name(unit, broken.1), step))
    })
}

/// The nodes without a body, called below an instance, that a property depends on.
fn without_body(unit: &Unit, property: PropId, from: InstanceId) -> Vec<String> {
    let cone = unit.system.cone(unit.system.property(property).term);
    let is_below = |id: InstanceId| {
        let parent = |id: &InstanceId| unit.tree.instance(*id).parent.map(|(caller, _)| caller);
        std::iter::successors(Some(id), parent).any(|at| at == from)
    };
    let mut found: Vec<String> = Vec::new();
    for id in unit.tree.ids().filter(|id| is_below(*id) && *id != from) {
        let node = unit.tree.node(&unit.program, id);
        let streams = &unit.system.instance(id).streams;
        let mut outputs = streams.iter().filter(|s| s.role == StreamRole::Output);
        let open = |s: &lustral_system::Stream| {
            cone[s.var.index()] && !matches!(unit.system.variable(s.var).role, Role::Memory)
        };
        if node.imported && outputs.any(open) && !found.contains(&node.name.to_string()) {
            found.push(node.name.to_string());
        }
    }
    found
}
