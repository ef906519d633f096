//! What a part of a block reads of a flow that the part defines itself. A flow that several parts
//! define is the merge of what they say (Colaço, Pagano and Pouzet), and what a part reads is that
//! merge, sampled where the part is chosen: which is what the part itself says. So where one part
//! defines y by x and another x by y, neither depends on itself, although the merges do. Where flows
//! of a node go around in such a circle, reads in parts are made to name what the part says, as
//! a flow of its own; nodes without circles stay as they were written.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::NodeState;
use crate::program::{
    Condition, Expr, ExprId, ExprKind, Exprs, Node, Program, ScopeId, Stream, StreamId, StreamKind,
    closure,
};
use crate::resolve::unique_name;
use crate::types::Type;

/// Does so in all nodes that are whole.
pub(crate) fn read_inside(program: &mut Program, states: &mut [NodeState]) {
    for (node, state) in program.nodes.iter_mut().zip(states) {
        if !state.broken && !node.choosing.is_empty() && is_circular(node) {
            let first = node.streams.len();
            name_what_parts_say(node);
            state.types.extend(node.streams[first..].iter().map(|stream| Some(stream.ty.clone())));
        }
    }
}

/// What a part says of a flow, if that is the merge of what parts say.
fn said_by(node: &Node, stream: StreamId, part: Condition) -> Option<ExprId> {
    let ExprKind::Merge(by, said) = &node.exprs[node.stream(stream).definition?].kind else {
        return None;
    };
    let is_by = matches!(node.exprs[*by].kind, ExprKind::Stream(flow) if flow == part.flow);
    is_by.then(|| said.get(part.value as usize).copied())?
}

/// Whether a flow may depend on itself at the same step. Clocks and what is called are not known yet:
/// an output of a call counts as depending on all arguments.
fn is_circular(node: &Node) -> bool {
    let mut open = Vec::new();
    let mut users = vec![Vec::new(); node.streams.len()];
    let mut needs = Needs::new(node);
    for user in node.stream_ids() {
        let needed = needs.of(user);
        needed.iter().for_each(|flow| users[flow.index()].push(user));
        open.push(needed.len());
    }
    let mut ready: Vec<usize> = (0..open.len()).filter(|flow| open[*flow] == 0).collect();
    let mut ordered = 0;
    while let Some(flow) = ready.pop() {
        ordered += 1;
        for user in &users[flow] {
            open[user.index()] -= 1;
            if open[user.index()] == 0 {
                ready.push(user.index());
            }
        }
    }
    ordered < open.len()
}

/// What flows need at the same step.
struct Needs<'a> {
    node: &'a Node,
    /// What is chosen by a flow begins anew with another one.
    resets: FxHashMap<StreamId, StreamId>,
    /// By expression, the flow for which it was looked at last.
    seen: Vec<Option<StreamId>>,
}

impl<'a> Needs<'a> {
    fn new(node: &'a Node) -> Needs<'a> {
        Needs {
            node,
            resets: node.resets.iter().copied().collect(),
            seen: vec![None; node.exprs.len()],
        }
    }

    fn of(&mut self, flow: StreamId) -> Vec<StreamId> {
        let stream = self.node.stream(flow);
        let mut found = Vec::new();
        let mut clocks: Vec<StreamId> = stream.clock.iter().map(|clock| clock.flow).collect();
        let mut pending: Vec<ExprId> = stream.definition.into_iter().collect();
        while let Some(id) = pending.pop() {
            if self.seen[id.index()].replace(flow) == Some(flow) {
                continue;
            }
            match &self.node.exprs[id].kind {
                ExprKind::Stream(stream) => found.push(*stream),
                ExprKind::When(_, condition) => clocks.push(condition.flow),
                ExprKind::Output(call, _) => {
                    let call = &self.node.calls[call.index()];
                    pending.extend(call.args.iter().chain(&call.clock).chain(&call.reset));
                }
                _ => {}
            }
            self.node.exprs.present_operands(id, |operand| pending.push(operand));
        }
        for clock in clocks {
            found.push(clock);
            found.extend(self.resets.get(&clock));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The operands of an expression, at whatever step they matter.
fn operands(exprs: &Exprs, id: ExprId, mut visit: impl FnMut(ExprId)) {
    exprs.present_operands(id, &mut visit);
    if let ExprKind::Pre(before) | ExprKind::Fby(_, before) = exprs[id].kind {
        visit(before);
    }
}

/// The expressions that flows or calls are made of. On what is only stated or asserted nothing
/// depends, so that reads there are in no circle: they name the flow that is written.
fn made_of(node: &Node) -> FxHashSet<ExprId> {
    let definitions = node.streams.iter().filter_map(|stream| stream.definition);
    let calls = node.calls.iter();
    let calls = calls.flat_map(|call| call.args.iter().chain(&call.clock).chain(&call.reset));
    let found = closure(definitions.chain(calls.copied()), |id, stack| {
        operands(&node.exprs, id, |operand| stack.push(operand));
    });
    found.into_iter().collect()
}

/// Gives what parts say of flows that they read flows of their own.
fn name_what_parts_say(node: &mut Node) {
    let choosing: FxHashSet<StreamId> = node.choosing.iter().copied().collect();
    let written = node.exprs.len();
    let made_of = made_of(node);
    let mut users = vec![0; written];
    for (id, _) in node.exprs.iter() {
        operands(&node.exprs, id, |operand| users[operand.index()] += 1);
    }
    let mut named: FxHashMap<(StreamId, Condition), StreamId> = FxHashMap::default();
    // Operands come first: of a flow that a part of a part reads, what the outer one says has its
    // name already. What is added on the way may be such a read, too.
    let mut next = 0;
    while next < node.exprs.len() {
        let id = ExprId(next as u32);
        next += 1;
        if id.index() < written && !made_of.contains(&id) {
            continue;
        }
        let ExprKind::When(sampled, part) = node.exprs[id].kind else { continue };
        let ExprKind::Stream(stream) = node.exprs[sampled].kind else { continue };
        if !choosing.contains(&part.flow) {
            continue;
        }
        let Some(said) = said_by(node, stream, part) else { continue };
        let own = *named.entry((stream, part)).or_insert_with(|| {
            // Parts could share only what is on no clock.
            let alone = users.get(said.index()) == Some(&1);
            name_what_is_said(node, (stream, part), said, alone)
        });
        // It may be what is said itself, and then it is that already.
        if matches!(node.exprs[id].kind, ExprKind::When(..)) {
            node.exprs.replace(id, ExprKind::Stream(own));
        }
    }
}

/// A flow for what a part says of another. Where that stands `alone`, the merge names the flow
/// from then on, so that what is said is said once: who takes it away for a trial takes all of it.
fn name_what_is_said(
    node: &mut Node,
    (stream, part): (StreamId, Condition),
    said: ExprId,
    alone: bool,
) -> StreamId {
    let Stream { name, ty, span, .. } = node.stream(stream).clone();
    let own = StreamId(node.streams.len() as u32);
    let mut definition = said;
    if alone {
        // Its operands are before it, and those who use it after: only its copy can be the last.
        let Expr { kind, ty, span, .. } = node.exprs[said].clone();
        definition = node.exprs.push(kind, ty, span);
        node.exprs.replace(said, ExprKind::Stream(own));
    }
    // The branches of a condition are in the order of the text: first where it holds.
    let number = match node.stream(part.flow).ty {
        Type::Bool => 2 - part.value,
        _ => part.value + 1,
    };
    node.streams.push(Stream {
        name: unique_name(node, &format!("{name} in part {number}")),
        ty,
        span,
        kind: StreamKind::Local,
        definition: Some(definition),
        clock: Some(part),
        scope: ScopeId::NODE,
        condition: None,
        constant: None,
        hidden: true,
    });
    own
}
