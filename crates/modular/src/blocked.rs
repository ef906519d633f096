//! Nodes whose assertions end every execution: what holds of them says little.

use lustral_certify::CutProgram;
use lustral_coordinator::{Assertions, Options};
use lustral_engines::LearnOptions;
use lustral_flow::encode;
use lustral_kernel::Program as Kernel;
use lustral_sema::{InstanceTree, NodeId};
use lustral_system::TransitionSystem;

/// In a program with more instances than this, only nodes by themselves are
/// looked at.
const MOST_INSTANCES: usize = 2000;

/// A node whose assertions end every execution, its own and those of its callers.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// The node.
    pub node: String,
    /// The first step that there is not.
    pub step: usize,
}

impl Blocked {
    /// Whether a node has a last step: by its assertions, or because what it
    /// calls has one, whatever it is given. `calls` are what is known of those.
    #[must_use]
    pub fn find(
        name: &str,
        system: &TransitionSystem,
        calls: impl Iterator<Item = Option<Blocked>>,
        options: &LearnOptions,
    ) -> Option<Blocked> {
        let (solver, solver_options) = (options.solver.clone(), options.options.clone());
        let setup = Options { solver, solver_options, ..Options::default() };
        let own = match Assertions::survey(system, &setup, &options.cancel) {
            Assertions::BlockAt(step) => Some(Blocked { node: name.into(), step }),
            Assertions::Open | Assertions::Inexact(_) => None,
        };
        own.into_iter().chain(calls.flatten()).min_by_key(|ends| ends.step)
    }

    /// Whether a node has a last step because of what the nodes that it calls do
    /// together, which no node by itself shows.
    #[must_use]
    pub fn whole(kernel: &Kernel, root: NodeId, options: &LearnOptions) -> Option<Blocked> {
        let tree = InstanceTree::new(kernel, root).ok()?;
        if !(2..=MOST_INSTANCES).contains(&tree.len()) {
            return None;
        }
        let system = encode(kernel, &tree, &[]);
        Blocked::find(&kernel.node(root).name, &system, std::iter::empty(), options)
    }

    /// By node of a program: what ends its executions.
    #[must_use]
    pub fn by_node(
        kernel: &Kernel,
        program: &CutProgram,
        options: &LearnOptions,
    ) -> Vec<Option<Blocked>> {
        let mut found: Vec<Option<Blocked>> = Vec::with_capacity(program.nodes.len());
        // Callers come after what they call.
        for node in &program.nodes {
            let calls = node.calls.iter().map(|callee| found[*callee].clone());
            let ends = Blocked::find(&node.name, &node.system, calls, options);
            found.push(ends);
        }
        let root = program.root();
        let together = Blocked::whole(kernel, program.cut_nodes().order()[root], options);
        let ends = found[root].take().into_iter().chain(together);
        found[root] = ends.min_by_key(|ends| ends.step);
        found
    }

    /// Why nothing is said of a node: itself, or one that calls it.
    #[must_use]
    pub fn reason(&self, of: &str) -> String {
        let node = &self.node;
        let whose = if *node == of {
            "the assertions".into()
        } else {
            format!("the assertions of `{node}`, which it calls,")
        };
        match self.step {
            0 => format!("{whose} contradict each other: there is no execution"),
            step => format!("{whose} allow no execution with a step {step}"),
        }
    }
}
