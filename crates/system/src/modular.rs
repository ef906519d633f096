//! A program node by node: each node alone, with the interfaces of its calls.
//!
//! All instances of a program begin together and take every step together, so
//! whether a step is the first is the same for all of them: a node has one
//! relation for the first step and one for the later ones, and the flag that
//! tells them apart is no part of its state. A program in which that is not so,
//! because parts of it have a clock of their own, is not made node by node:
//! `certify::CutProgram` declines it, and nobody else makes one of these.

use lustral_term::VarId;

use crate::transition::{Memory, Origin, StreamRole, TransitionSystem, Variable};

/// The nodes that a root calls, directly or not, and the root.
#[derive(Clone, Debug)]
pub struct Modular {
    /// Each after those that it calls; the root is the last.
    pub nodes: Vec<ModularNode>,
}

/// A node with its calls cut, as clauses need it: its system, as `certify::Nodes`
/// have it, with the layout of its state.
#[derive(Clone, Debug)]
pub struct ModularNode {
    /// Its name.
    pub name: String,
    /// Where it stands in the text, for people.
    pub place: String,
    /// Its system. The node is the first instance and its calls are the
    /// others, in their order: the inputs of a call are defined by the
    /// arguments, its outputs are inputs of the system, of which only the
    /// types are known. The properties are the node's own. Inputs have the
    /// ranges of enumerations; those of subranges too in the root, where the
    /// environment keeps to them.
    pub system: TransitionSystem,
    /// By call: the position of the called node, which comes before this one.
    pub calls: Vec<usize>,
    /// By variable of the system: where it stands in the text, for people.
    pub places: Vec<String>,
    /// The state: what the node remembers itself, then the states of its calls.
    pub state: Vec<Slot>,
}

/// A part of the state of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// A memory of the node itself.
    Own(VarId),
    /// A part of the state of a call.
    Called {
        /// The call.
        call: usize,
        /// The position in the state of the called node.
        slot: usize,
    },
}

/// The states of the nodes have more parts than anybody can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the states of the nodes have more than {MOST_SLOTS} parts")]
pub struct TooLarge;

/// The most parts that the states of all nodes may have together.
pub const MOST_SLOTS: usize = 1_000_000;

impl Modular {
    /// The states of the nodes, once their systems and calls are there.
    ///
    /// # Errors
    /// If there are more than [`MOST_SLOTS`] parts: the states of calls are
    /// parts of the state of the caller, so their number can double from node
    /// to node.
    pub fn lay_out(&mut self) -> Result<(), TooLarge> {
        let mut all = 0_usize;
        for i in 0..self.nodes.len() {
            let node = &self.nodes[i];
            let own = node.memories().map(|m| Slot::Own(m.var));
            let called = node.calls.iter().map(|callee| self.nodes[*callee].state.len());
            all += node.system.memories.len() + called.clone().sum::<usize>();
            if all > MOST_SLOTS {
                return Err(TooLarge);
            }
            let called = called.enumerate();
            let called = called.flat_map(|(call, n)| (0..n).map(move |s| (call, s)));
            let called = called.map(|(call, slot)| Slot::Called { call, slot });
            self.nodes[i].state = own.chain(called).collect();
        }
        Ok(())
    }

    /// The position of the root.
    #[must_use]
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The memory that a part of a node's state is: the node that remembers
    /// it, by position, and its variable there.
    #[must_use]
    pub fn memory(&self, node: usize, slot: Slot) -> (usize, VarId) {
        let (mut node, mut slot) = (node, slot);
        while let Slot::Called { call, slot: below } = slot {
            node = self.nodes[node].calls[call];
            slot = self.nodes[node].state[below];
        }
        match slot {
            Slot::Own(var) => (node, var),
            Slot::Called { .. } => unreachable!("the loop ends with an own memory"),
        }
    }

    /// The name of a part of a node's state for people, with the path of calls.
    #[must_use]
    pub fn slot_name(&self, node: usize, slot: Slot) -> String {
        let mut path = String::new();
        let (mut node, mut slot) = (node, slot);
        while let Slot::Called { call, slot: below } = slot {
            path += &self.nodes[node].system.instances[call + 1].path;
            path.push('.');
            node = self.nodes[node].calls[call];
            slot = self.nodes[node].state[below];
        }
        match slot {
            Slot::Own(var) => path + &self.nodes[node].system.variable(var).name,
            Slot::Called { .. } => unreachable!("the loop ends with an own memory"),
        }
    }

    /// The same name, made short where the path is long: for comments, of which there are as many
    /// as there are parts of states, so that whole paths would be most of a text.
    #[must_use]
    pub fn short_slot_name(&self, node: usize, slot: Slot) -> String {
        const ENDS: usize = 2;
        let mut path: Vec<&str> = Vec::new();
        let mut depth = 0;
        let (mut node, mut slot) = (node, slot);
        while let Slot::Called { call, slot: below } = slot {
            // The first calls of the path, and the last ones.
            if path.len() == 2 * ENDS {
                path.remove(ENDS);
            }
            path.push(&self.nodes[node].system.instances[call + 1].path);
            depth += 1;
            node = self.nodes[node].calls[call];
            slot = self.nodes[node].state[below];
        }
        if depth > 2 * ENDS {
            path.insert(ENDS, "…");
        }
        if let Slot::Own(var) = slot {
            path.push(&self.nodes[node].system.variable(var).name);
        }
        path.join(".")
    }

    /// The variable that a part of a node's state is, in the node that
    /// remembers it.
    #[must_use]
    pub fn slot_variable(&self, node: usize, slot: Slot) -> &Variable {
        let (owner, var) = self.memory(node, slot);
        self.nodes[owner].system.variable(var)
    }
}

impl ModularNode {
    /// The memories without the flag of the first step.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> + Clone {
        let is_flag = |m: &&Memory| self.system.variable(m.var).origin == Origin::First;
        self.system.memories.iter().filter(move |m| !is_flag(m))
    }

    /// The memory of a variable, if it is one.
    #[must_use]
    pub fn memory_of(&self, var: VarId) -> Option<&Memory> {
        self.system.memories.iter().find(|m| m.var == var)
    }

    /// The flows of the node with a role.
    pub fn flows(&self, role: StreamRole) -> impl Iterator<Item = VarId> + '_ {
        self.system.root().streams.iter().filter(move |s| s.role == role).map(|s| s.var)
    }

    /// The flows of a call with a role.
    pub fn call_flows(&self, call: usize, role: StreamRole) -> impl Iterator<Item = VarId> + '_ {
        let streams = &self.system.instances[call + 1].streams;
        streams.iter().filter(move |s| s.role == role).map(|s| s.var)
    }
}
