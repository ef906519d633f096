//! Houdini for nodes: what each node guarantees, learned on the node alone.
//!
//! Calls are cut: of a called node only the interface is there, and what was
//! learned of it before. So the cost grows with the number of different nodes
//! and not with the number of their instances. What is learned holds in every
//! instance: it was shown for arbitrary inputs, and a cut call can do more
//! than the called node. What more can be said of the inputs that nodes are
//! really given is found afterwards: see [`crate::preconditions`].

use std::sync::Arc;

use lustral_certify::{Nodes, assume_of_call};
use lustral_engines::{LearnOptions, SystemInvariants, learn_with, unprepared};
use lustral_system::TransitionSystem;

use crate::failure::Unlearned;
use crate::schedule;

/// Learns what nodes guarantee, called nodes first, and side by side where none
/// waits for another. A node of which nothing could be learned, with the reason,
/// guarantees nothing to its callers.
#[must_use]
pub fn learn_nodes(
    nodes: &Arc<Nodes>,
    options: &LearnOptions,
) -> Vec<Result<SystemInvariants, Unlearned>> {
    let calls = nodes.all_calls().to_vec();
    let (nodes, options) = (nodes.clone(), options.clone());
    let one = move |node: usize, called: &[Arc<Result<SystemInvariants, Unlearned>>]| {
        let mut system = TransitionSystem::from(unprepared(nodes.system(node)).system);
        for (call, (callee, known)) in nodes.calls(node).iter().zip(called).enumerate() {
            if let Ok(known) = &**known {
                assume_of_call(&mut system, call, &known.inductive, nodes.system(*callee));
            }
        }
        Ok(learn_with(system, nodes.unit(node).candidates(), &options)?)
    };
    schedule::run(&calls, one).into_iter().map(|result| (*result).clone()).collect()
}
