//! Branches of `merge` that are not sampled. Kind 2 takes `merge(c; x; y)` with flows on the clock
//! of `c` for the choice that it is, and exports of CoCoSim have such branches. They are on the
//! clock of the merge then: what they remember goes by its steps, as all local flows of Kind 2 do.
//! Where the clocks of a node do not agree so, each branch is on the clock of its value.

use rustc_hash::FxHashSet;

use super::unify::ClockId;
use super::{Inference, changes_clock};
use crate::program::{ExprId, ExprKind, Exprs, Node, StreamId, StreamKind};

/// Whether a node may have such branches, and `merge` at all.
pub(super) fn may_be_bare(node: &Node) -> bool {
    node.bare_branches && node.exprs.iter().any(|(_, e)| matches!(e.kind, ExprKind::Merge(..)))
}

impl Inference<'_> {
    /// Whether a branch of a `merge` by some flow, of which the clock is `own`, is taken to be on
    /// that clock. A call would run at every step there, and in Kind 2 where its branch is chosen:
    /// there is none in such a branch.
    pub(super) fn is_bare(
        &self,
        exprs: &Exprs,
        (flow, own): (StreamId, ClockId),
        (branch, found): (ExprId, ClockId),
    ) -> bool {
        if !self.bare {
            return false;
        }
        let (mut streams, mut samples, mut calls) = (Vec::new(), false, false);
        let (mut pending, mut seen) = (vec![branch], FxHashSet::default());
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &exprs[id].kind {
                // What never changes is on every clock.
                ExprKind::Stream(stream) if self.node.stream(*stream).constant.is_some() => {}
                ExprKind::Stream(stream) => streams.push(*stream),
                ExprKind::Output(..) => calls = true,
                kind => samples |= changes_clock(kind),
            }
            if let ExprKind::Pre(operand) | ExprKind::Fby(_, operand) = exprs[id].kind {
                pending.push(operand);
            }
            exprs.present_operands(id, |operand| pending.push(operand));
        }
        // The merges of blocks are sampled, and what their parts read from outside is.
        let is_plain = !samples && !streams.is_empty() && !self.node.stream(flow).hidden;
        !calls
            && (self.clocks.are_same(found, own)
                || is_plain && !streams.iter().any(|stream| self.is_slow(*stream)))
    }

    /// Whether a flow is declared on a slower clock, or made from what is sampled or from what a call
    /// returns that does not run at every step.
    fn is_slow(&self, stream: StreamId) -> bool {
        let (mut flows, mut pending) = (vec![stream], Vec::new());
        let (mut known, mut seen) = (FxHashSet::default(), FxHashSet::default());
        while let Some(stream) = flows.pop() {
            let flow = self.node.stream(stream);
            if flow.clock.is_some() {
                return true;
            }
            if known.insert(stream) && flow.kind == StreamKind::Local {
                pending.extend(flow.definition);
            }
            while let Some(id) = pending.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match &self.node.exprs[id].kind {
                    ExprKind::When(..) => return true,
                    // These lead back from slower clocks.
                    ExprKind::Merge(..) | ExprKind::Held(..) => {}
                    ExprKind::Stream(stream) => flows.push(*stream),
                    ExprKind::Output(call, output) => {
                        let call = &self.node.calls[call.index()];
                        let callee = self.program.node(call.callee);
                        let result = &callee.streams[callee.inputs + *output as usize];
                        if call.clock.is_some() || result.clock.is_some() {
                            return true;
                        }
                        if callee.streams.iter().all(|stream| stream.clock.is_none()) {
                            pending.extend(&call.args);
                        }
                    }
                    ExprKind::Pre(operand) => pending.push(*operand),
                    ExprKind::Fby(first, later) => pending.extend([*first, *later]),
                    _ => {
                        self.node.exprs.present_operands(id, |operand| pending.push(operand));
                    }
                }
            }
        }
        false
    }
}
