//! Candidates of templates as text, so that they are tried like those of the user: what no
//! step of random executions of a node refutes, and what is left of it in the end. (In between,
//! bounds move from constant to constant, which would be many candidates.)

use std::collections::BTreeMap;
use std::sync::Arc;

use lustral_certify::Nodes;
use lustral_engines::{LearnOptions, LeftOut, propose_system, unprepared};
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_modular::learn_nodes;
use lustral_render::LustreWriter;
use lustral_sema::NodeId;
use lustral_system::TransitionSystem;

use crate::candidates::{block, in_node};

/// What stands for the file of these candidates.
pub(super) const NAME: &str = "templates";

/// What templates propose for each node, as a file of candidates, and what limits leave out of it,
/// by node.
///
/// # Errors
/// If a node has parts with a clock of their own.
pub(super) fn by_templates(
    kernel: &Arc<Kernel>,
    roots: &[NodeId],
    options: &LearnOptions,
) -> Result<(String, Vec<(String, LeftOut)>), Clocked> {
    let nodes = Arc::new(Nodes::below(kernel, roots, |_, _| Vec::new())?);
    let learned = learn_nodes(&nodes, options);
    let mut left_out = Vec::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (node, learned) in learned.iter().enumerate() {
        let system = nodes.system(node);
        let mut writer = LustreWriter::new(system);
        let inlined = TransitionSystem::from(unprepared(system).system);
        let (proposed, limits) = propose_system(inlined, options).unwrap_or_default();
        if !limits.is_empty() {
            left_out.push((nodes.name(node).into(), limits));
        }
        let left = learned.as_ref().map(|known| known.inductive.as_slice()).unwrap_or_default();
        let list = texts.entry(nodes.name(node).into()).or_default();
        for said in proposed.iter().chain(left) {
            let text = in_node(&mut writer, said);
            if let Some(text) = text.filter(|text| text != "true" && !list.contains(text)) {
                list.push(text);
            }
        }
    }
    Ok((texts.iter().map(|(node, list)| block(node, list)).collect(), left_out))
}
