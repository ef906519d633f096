//! Where the leaves of the typed program's flows and constants are in the kernel:
//! those of one flow stand side by side, in the order of the flows.

use lustral_sema::program as typed;
use lustral_sema::program::{CallId, ConstId, Function, ScopeId};
use lustral_sema::{NodeId, StreamId};

use crate::ids::FlowId;

/// The positions of all leaves of a program.
pub(crate) struct Positions {
    /// The first kernel constant of each constant.
    constants: Vec<u32>,
    /// By node, the first kernel flow of each flow, and their number at the end.
    flows: Vec<Vec<u32>>,
}

/// The positions, as they are seen from a node; outside of nodes there are only
/// constants.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'t> {
    positions: &'t Positions,
    pub program: &'t typed::Program,
    node: Option<(NodeId, &'t typed::Node)>,
}

fn first_leaves(leaves: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut next = 0;
    let mut first = vec![0];
    for count in leaves {
        next += count;
        first.push(next);
    }
    first
}

impl Positions {
    pub fn new(program: &typed::Program) -> Positions {
        let flows = program.nodes.iter();
        let flows = flows.map(|node| first_leaves(node.streams.iter().map(|s| s.ty.leaves())));
        Positions {
            // What is open is a flow of each node that needs it.
            constants: first_leaves(
                program.consts.iter().map(|c| if c.open { 0 } else { c.ty.leaves() }),
            ),
            flows: flows.collect(),
        }
    }

    /// What constants see.
    pub fn outside<'t>(&'t self, program: &'t typed::Program) -> Layout<'t> {
        Layout { positions: self, program, node: None }
    }

    /// What a node sees.
    pub fn inside<'t>(&'t self, program: &'t typed::Program, id: NodeId) -> Layout<'t> {
        Layout { positions: self, program, node: Some((id, program.node(id))) }
    }

    /// How many flows the first flows of a node have become.
    pub fn count(&self, id: NodeId, streams: usize) -> usize {
        self.flows[id.index()][streams] as usize
    }
}

impl Layout<'_> {
    pub fn constant(self, id: ConstId, leaf: u32) -> ConstId {
        ConstId(self.positions.constants[id.index()] + leaf)
    }

    pub fn flow(self, stream: StreamId, leaf: u32) -> FlowId {
        let (node, ..) = self.node.expect("flows are named in nodes only");
        FlowId(self.positions.flows[node.index()][stream.index()] + leaf)
    }

    /// The number of the function that a leaf of an application is.
    pub fn function(self, function: Function, leaf: u32) -> u32 {
        match (function, self.node) {
            (_, Some((_, node))) => node.function_number(function, leaf),
            (Function::Library(i), None) => i,
            (Function::Own(_), None) => unreachable!("constants have no functions of their own"),
        }
    }

    /// A scope of the node; outside of nodes there is one.
    pub fn scope(&self, id: ScopeId) -> &typed::Scope {
        let (_, node) = self.node.expect("scopes are those of nodes");
        node.scope(id)
    }

    /// All scopes of the node.
    pub fn scopes(self) -> Vec<typed::Scope> {
        self.node.map(|(_, node)| node.scopes.clone()).unwrap_or_default()
    }

    /// A call of the node.
    pub fn call(&self, id: CallId) -> &typed::Call {
        let (_, node) = self.node.expect("calls stand in nodes only");
        &node.calls[id.index()]
    }

    /// The scope of each flow of the node.
    pub fn flow_scopes(self) -> Vec<ScopeId> {
        let streams = self.node.map(|(_, node)| node.streams.iter()).into_iter().flatten();
        streams.flat_map(|s| (0..s.ty.leaves()).map(|_| s.scope)).collect()
    }

    /// The position of a leaf of an output among the outputs of a call.
    pub fn output(self, call: CallId, output: u32, leaf: u32) -> u32 {
        let (_, node) = self.node.expect("calls stand in nodes only");
        let callee = node.calls[call.index()].callee;
        let first = &self.positions.flows[callee.index()];
        let inputs = self.program.node(callee).inputs;
        first[inputs + output as usize] - first[inputs] + leaf
    }
}
