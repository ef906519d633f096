//! Sizes for which a program has no meaning, `bool^(n - 1)` with n = 1. Where there is no
//! end of sizes (`Node::only`), the nodes for such sizes are left out as long as there are
//! others, and it is said for which sizes that is so. Where the values are all that there
//! are, each of them counts and the error stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use lustral_syntax::{Diagnostics, Span};

use crate::program::{Node, NodeId};
use crate::resolve::{Specialised, but_not, shown_values};

/// A node that was made for values or types of another.
pub(crate) struct Made {
    pub special: Arc<Specialised>,
    /// What is wrong with it.
    pub wrong: Diagnostics,
    /// What its contracts say that was left out.
    pub dropped: Option<Span>,
}

/// Makes nodes templates that are not to be looked at, and says of each whether it is one. Those that
/// were made are the last ones; what each node asks for is there even if an error keeps it from
/// calling it.
pub(crate) fn leave_out(nodes: &mut [Node], asked: &[Vec<NodeId>], made: &[Made]) -> Vec<bool> {
    let declared = nodes.len() - made.len();
    let edges: Vec<Vec<usize>> =
        nodes.iter().zip(asked).map(|(n, asked)| below(n, asked)).collect();
    let mut wrong = vec![false; nodes.len()];
    for (i, made) in made.iter().enumerate() {
        wrong[declared + i] = made.wrong.has_errors();
    }
    let wrong = above(&edges, wrong);
    let tried = |node: &Node| node.for_all && node.only.is_some();
    let base = |i: usize| nodes[i].of.filter(|_| tried(&nodes[i]));
    let good: Vec<NodeId> = (declared..nodes.len())
        .filter(|i| !wrong[*i] && !nodes[*i].template)
        .filter_map(base)
        .collect();
    let skipped = |i: usize| wrong[i] && base(i).is_some_and(|of| good.contains(&of));
    let skipped: Vec<usize> = (declared..nodes.len()).filter(|i| skipped(*i)).collect();
    let others = (0..nodes.len()).filter(|i| {
        let root = *i < declared || nodes[*i].for_all;
        root && !skipped.contains(i)
    });
    let (below, needed) = (reached(&edges, skipped.clone()), reached(&edges, others.collect()));
    let mut refused: BTreeMap<NodeId, Vec<String>> = BTreeMap::new();
    for i in skipped {
        let special = &made[i - declared].special;
        let (Some(of), Some(node)) = (nodes[i].of, special.interface.declaration()) else {
            continue;
        };
        refused.entry(of).or_default().push(shown_values(node, &special.values));
    }
    for node in nodes.iter_mut().filter(|node| tried(node)) {
        if let (Some(only), Some(of)) = (&node.only, node.of)
            && let Some(refused) = refused.get(&of)
        {
            node.only = Some(but_not(only, refused));
        }
    }
    let left_out: Vec<bool> = below.iter().zip(needed).map(|(below, n)| *below && !n).collect();
    for (node, left_out) in nodes.iter_mut().zip(&left_out) {
        node.template |= left_out;
    }
    left_out
}

/// What a node calls, or asks for.
fn below(node: &Node, asked: &[NodeId]) -> Vec<usize> {
    let called = node.calls.iter().map(|call| call.callee);
    called.chain(node.stands_for).chain(asked.iter().copied()).map(|id| id.index()).collect()
}

/// Some nodes, and all above them.
fn above(edges: &[Vec<usize>], mut found: Vec<bool>) -> Vec<bool> {
    loop {
        let before = found.clone();
        for (i, below) in edges.iter().enumerate() {
            found[i] |= below.iter().any(|below| found[*below]);
        }
        if found == before {
            return found;
        }
    }
}

/// Some nodes, and all below them.
fn reached(edges: &[Vec<usize>], mut stack: Vec<usize>) -> Vec<bool> {
    let mut found = vec![false; edges.len()];
    while let Some(i) = stack.pop() {
        if !std::mem::replace(&mut found[i], true) {
            stack.extend(&edges[i]);
        }
    }
    found
}
