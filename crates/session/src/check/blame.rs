//! Who is to blame for an execution in which a contract does not hold.
//!
//! What a call owes its node is a property at the call, so the execution itself says whether a
//! node was given what it assumes. Who was not is excused, from then on, and who called it is asked
//! the same; at the root nothing is owed but by the environment, which keeps to it.

use lustral_certify::{Answer, Checked, Unit};
use lustral_report::{Blame, ContractItem};
use lustral_sema::obligations::{ObligationKind, ObligationRole, obligations};
use lustral_sema::{InstanceId, PropertyInstance};
use lustral_system::{Goal, Origin, PropId, Role, StreamRole, Trace};
use lustral_term::{Value, VarId};

/// A call that was not given what its node assumes: what that is, and at which step.
type Broken = (InstanceId, String, usize);

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
    let last = trace.len() - 1;
    let excused = |at: &mut InstanceId, until: usize, broken: &mut Option<Broken>| {
        // Whoever was not given what it assumes, by then, is excused.
        let mut until = until;
        while let Some((name, step)) = first_broken(unit, trace, *at, until) {
            let Some((caller, _)) = unit.tree.instance(*at).parent else { break };
            *broken = Some((*at, name, step));
            (*at, until) = (caller, step);
        }
    };
    excused(&mut at, last, &mut broken);
    let mut open = without_body(unit, position, at);
    if let Some(cause) = answer.cause() {
        // With the values of the cause it fails whatever the others are.
        open.retain(|id| cause.values().iter().any(|(_, var)| is_of(unit, *var, *id)));
    }
    if broken.is_none() {
        // What a node without a body was not given, it need not answer for.
        let first = |id: &InstanceId| Some((first_broken(unit, trace, *id, last)?.1, *id));
        if let Some((_, mut callee)) = open.iter().filter_map(first).min() {
            excused(&mut callee, last, &mut broken);
            at = callee;
        }
    }
    let node = |id: InstanceId| unit.tree.node(&unit.program, id).name.to_string();
    let path = |id: InstanceId| unit.tree.path(&unit.program, id);
    if let Some((call, broken, step)) = broken {
        return Some(Blame::Caller { node: node(at), call: path(call), broken, step });
    }
    let mut of: Vec<String> = Vec::new();
    for name in open.into_iter().map(node) {
        if !of.contains(&name) {
            of.push(name);
        }
    }
    if !of.is_empty() {
        return Some(Blame::Contract { node: node(at), of });
    }
    if kind == ObligationKind::OneMode {
        // Which modes there are is the business of the contract.
        return Some(Blame::Modes { node: node(at) });
    }
    let is_of_contract = matches!(kind, ObligationKind::Guarantee | ObligationKind::Ensure);
    let call = (at != InstanceId::ROOT).then(|| path(at));
    is_of_contract.then(|| Blame::Node { node: node(at), call })
}

/// What a property is for its node.
pub(super) fn obligation(
    unit: &Unit,
    property: &PropertyInstance,
) -> Option<(ObligationKind, ObligationRole)> {
    let node = unit.tree.instance(property.instance).node;
    let all = obligations(&unit.program, node).into_iter();
    all.filter(|o| o.source == property.source).map(|o| (o.kind, o.role)).next()
}

/// What of a contract a property is, if it is part of one.
pub(super) fn item(unit: &Unit, property: PropId) -> Option<ContractItem> {
    let property = &unit.properties[property.index()];
    let node = unit.tree.node(&unit.program, property.instance);
    let is_mode = || node.modes.iter().any(|mode| node.stream(*mode).span == property.span);
    let (kind, _) = obligation(unit, property)?;
    Some(match kind {
        ObligationKind::Assume => ContractItem::Assumption,
        ObligationKind::Guarantee => ContractItem::Guarantee,
        ObligationKind::Ensure => ContractItem::Mode,
        ObligationKind::OneMode => ContractItem::Modes,
        ObligationKind::Occurs if is_mode() => ContractItem::ModeReachable,
        ObligationKind::Occurs
        | ObligationKind::Stated
        | ObligationKind::Range
        | ObligationKind::Output
        | ObligationKind::Reachable => return None,
    })
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

/// Whether a value that is open is one of an instance.
fn is_of(unit: &Unit, var: VarId, id: InstanceId) -> bool {
    match unit.system.variable(var).origin {
        Origin::Stream { instance, .. }
        | Origin::FirstValue { instance, .. }
        | Origin::Any { instance, .. }
        | Origin::Kernel { instance } => instance == id,
        _ => false,
    }
}

/// The calls of nodes without a body, below an instance, that a property depends on.
fn without_body(unit: &Unit, property: PropId, from: InstanceId) -> Vec<InstanceId> {
    let cone = unit.system.cone(unit.system.property(property).term);
    let is_below = |id: InstanceId| {
        let parent = |id: &InstanceId| unit.tree.instance(*id).parent.map(|(caller, _)| caller);
        std::iter::successors(Some(id), parent).any(|at| at == from)
    };
    let is_open = |id: &InstanceId| {
        let id = *id;
        let node = unit.tree.node(&unit.program, id);
        let streams = &unit.system.instance(id).streams;
        let mut outputs = streams.iter().filter(|s| s.role == StreamRole::Output);
        let open = |s: &lustral_system::Stream| {
            cone[s.var.index()] && !matches!(unit.system.variable(s.var).role, Role::Memory)
        };
        node.imported && outputs.any(open)
    };
    unit.tree.ids().filter(|id| is_below(*id) && *id != from).filter(is_open).collect()
}
