//! A node of the typed program: its flows, equations, calls, contract and properties.

use std::sync::Arc;

use lustral_base::ScopeId;
use lustral_base::ids::{ConstId, ExprId, NodeId, StreamId};
use lustral_syntax::Span;
use lustral_syntax::ast::CandidateRole;

use crate::exprs::{Exprs, Function};
use crate::program::Use;
use crate::types::Type;

/// A node or function.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// The place of the whole node, to its `tel`.
    pub whole: Span,
    /// The place of its name, inputs and outputs.
    pub header: Span,
    /// The place from `let` to `tel`.
    pub body: Span,
    /// Whether it is a function, which has no state.
    pub is_function: bool,
    /// Whether it has no body, and is known by its contract only.
    pub imported: bool,
    /// The node that it is made from, where that has constant inputs and this is the
    /// node for some of their values.
    pub of: Option<NodeId>,
    /// Whether it has no meaning without the values of its constant inputs or its static
    /// parameters.
    pub template: bool,
    /// Whether it is one of the nodes for all values that the constant inputs of the node
    /// that it is made from can have, and is checked in place of that.
    pub for_all: bool,
    /// Where there are such nodes for some of the values only, because there is no end of
    /// them: which values these are (`n = 1 to 4`). Of the others nothing is known.
    pub only: Option<Arc<str>>,
    /// Whether it has static parameters.
    pub has_statics: bool,
    /// Whether it is another name for something else, and so nothing by itself.
    pub is_alias: bool,
    /// The node that it is another name for, if it is one.
    pub stands_for: Option<NodeId>,
    /// The inputs that the environment chooses, where it is asked whether the others can
    /// be chosen so that the properties hold.
    pub realizable: Option<Vec<StreamId>>,
    /// Whether it is marked as a node to be checked.
    pub is_main: bool,
    /// All flows: inputs, then outputs, then locals.
    pub streams: Vec<Stream>,
    /// Whether inputs and outputs that are declared without a clock have that of their uses and
    /// equations, as in lustrec and Heptagon; else they are on the clock of the node.
    pub open_interface: bool,
    /// Whether a branch of `merge` may be a flow on the clock of the merge, as in Kind 2.
    pub bare_branches: bool,
    /// The flows that say which part of a block is chosen, or which state of an automaton runs.
    pub choosing: Vec<StreamId>,
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// The clocks: parents first, the first is that of the node's own call.
    pub scopes: Vec<Scope>,
    /// Where a part of the node that takes a step where a flow has a certain value begins
    /// anew: for that flow, another that says so.
    pub resets: Vec<(StreamId, StreamId)>,
    /// The expressions.
    pub exprs: Exprs,
    /// The functions of its own of which nothing is known.
    pub functions: Functions,
    /// The calls, in the order of the text.
    pub calls: Vec<Call>,
    /// The assertions.
    pub asserts: Vec<Assertion>,
    /// The stated properties.
    pub properties: Vec<Property>,
    /// What its contracts say.
    pub clauses: Vec<Clause>,
    /// The modes of its contracts: flows that say when each applies.
    pub modes: Vec<StreamId>,
    /// The flows that number its steps, for bounds on the steps of queries.
    pub step_numbers: Vec<StreamId>,
    /// What may be an invariant.
    pub candidates: Candidates,
    /// The indices of its definitions by index: their names and places.
    pub indices: Vec<(Arc<str>, Span)>,
    /// Where its body and the types of its local flows use names, in the order of
    /// the text.
    pub uses: Vec<Use>,
}

/// The functions of which nothing is known but that they are functions, of a node: those
/// that its outputs are, where it is one without a body, and those by which it chooses.
#[derive(Clone, Default, Debug)]
pub struct Functions {
    /// The number of the first of them in the whole program. Each leaf of a result is a
    /// function by itself.
    pub first: u32,
    /// The types of their results.
    pub results: Vec<Type>,
}

/// The candidates of a node. They have an arena of their own and call nothing:
/// what the node is and does must not depend on them.
#[derive(Clone, Default, Debug)]
pub struct Candidates {
    /// Their expressions.
    pub exprs: Exprs,
    /// The candidates.
    pub list: Vec<Candidate>,
}

/// A candidate: it may hold at every step, and nobody relies on it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is to the node.
    pub role: CandidateRole,
    /// What may hold, an expression of [`Candidates::exprs`].
    pub expr: ExprId,
    /// Where it stands, perhaps in a file of candidates.
    pub span: Span,
}

impl Node {
    /// The number in the whole program of the function that a leaf of an application is.
    #[must_use]
    pub fn function_number(&self, function: Function, leaf: u32) -> u32 {
        match function {
            Function::Library(i) => i,
            Function::Own(i) => {
                let before = self.functions.results[..i as usize].iter().map(Type::leaves);
                self.functions.first + before.sum::<u32>() + leaf
            }
        }
    }

    /// The inputs.
    pub fn input_ids(&self) -> impl Iterator<Item = StreamId> + use<> {
        (0..self.inputs as u32).map(StreamId)
    }

    /// The outputs.
    pub fn output_ids(&self) -> impl Iterator<Item = StreamId> + use<> {
        (self.inputs as u32..(self.inputs + self.outputs) as u32).map(StreamId)
    }

    /// All flows.
    pub fn stream_ids(&self) -> impl Iterator<Item = StreamId> + use<> {
        (0..self.streams.len() as u32).map(StreamId)
    }

    /// The flow with this name.
    #[must_use]
    pub fn stream_named(&self, name: &str) -> Option<StreamId> {
        self.streams.iter().position(|s| &*s.name == name).map(|i| StreamId(i as u32))
    }

    /// A scope.
    #[must_use]
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// A flow.
    #[must_use]
    pub fn stream(&self, id: StreamId) -> &Stream {
        &self.streams[id.index()]
    }

    /// The leaves of some flows, each with its position among those of its flow.
    pub fn leaves(
        &self,
        streams: impl Iterator<Item = StreamId>,
    ) -> impl Iterator<Item = (StreamId, u32)> {
        streams.flat_map(|id| (0..self.stream(id).ty.leaves()).map(move |leaf| (id, leaf)))
    }
}

/// A flow.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Its name.
    pub name: Arc<str>,
    /// Its type as declared.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
    /// What it is.
    pub kind: StreamKind,
    /// Its definition; inputs have none.
    pub definition: Option<ExprId>,
    /// When it has a value, where its declaration says so.
    pub clock: Option<Condition>,
    /// The clock that it is on.
    pub scope: ScopeId,
    /// What its type says of it beyond the bounds of its leaves.
    pub condition: Option<ExprId>,
    /// The free constant that this input hands on: callers hand on their own, and for
    /// the node that is checked it is any value, always the same.
    pub constant: Option<ConstId>,
    /// Whether it is of no interest to readers: it stands in no declaration, and says how
    /// something that is written otherwise is done.
    pub hidden: bool,
}

impl Stream {
    /// Whether its type says more of it than what its values are.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        self.condition.is_some() || self.ty.has_bounds()
    }
}

/// A flow has a value: when another flow is sampled. Of truth values, `false` is 0 and
/// `true` is 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// The flow.
    pub flow: StreamId,
    /// The position of its value.
    pub value: u32,
}

/// A clock scope: when a part of a node takes a step, and which step is its first. It is
/// active at a step if its parent is and its activation is true there; its first step
/// is the first active one after a reset, its own at an active step or its parent's.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The scope around it, which has a smaller id; none for the node's own.
    pub parent: Option<ScopeId>,
    /// When it is active, an expression of the parent; none for always.
    pub activation: Option<ExprId>,
    /// When it begins anew, an expression of the parent or of a scope around that;
    /// none for never.
    pub reset: Option<ExprId>,
    /// Where what it comes from stands in the text.
    pub span: Span,
}

impl Scope {
    /// The clock of a node's own call.
    #[must_use]
    pub fn own(span: Span) -> Scope {
        Scope { parent: None, activation: None, reset: None, span }
    }
}

/// What a flow is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamKind {
    /// Given by the caller.
    Input,
    /// Given to the caller.
    Output,
    /// Known inside only.
    Local,
}

/// A call of a node: an instance with a state of its own.
#[derive(Clone, Debug)]
pub struct Call {
    /// The node.
    pub callee: NodeId,
    /// One argument for each input.
    pub args: Vec<ExprId>,
    /// When it runs; none for whenever its arguments are there.
    pub clock: Option<ExprId>,
    /// When it begins anew; none for never.
    pub reset: Option<ExprId>,
    /// The part of a block that it stands in, by when that takes a step: this is when the
    /// call runs if nothing else says so.
    pub part: Option<Condition>,
    /// Where the instance lives: this is the callee's own scope.
    pub scope: ScopeId,
    /// Where it stands.
    pub span: Span,
}

/// `assert e;`
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What is assumed at every step.
    pub expr: ExprId,
    /// By what right.
    pub premise: Premise,
    /// Where it stands.
    pub span: Span,
}

/// By what right something is assumed at every step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Premise {
    /// The program asserts it.
    Asserted,
    /// The contract of the node assumes it.
    Assumed,
    /// The type of an input says it.
    Typed,
    /// An input is constant.
    Constant,
    /// The contract, or the type of an output, of a node without a body says it.
    Guaranteed,
    /// The value of an expression is chosen so.
    Chosen,
}

impl Premise {
    /// Whether it restricts the environment of the node that is checked, and at calls
    /// nothing.
    #[must_use]
    pub fn is_given(self) -> bool {
        matches!(self, Premise::Assumed | Premise::Typed | Premise::Constant)
    }

    /// Whether somebody states it, who may be wrong. That a constant does not change is
    /// what the word means.
    #[must_use]
    pub fn is_stated(self) -> bool {
        self != Premise::Constant
    }
}

/// Something that a contract says.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// Its name: as given, or the flow's, or `line N`.
    pub name: Arc<str>,
    /// What holds, or should, at every step.
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Clause`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    /// What the node is owed by its environment or its callers.
    Assume,
    /// What it owes them.
    Guarantee,
    /// What a mode ensures, where its requirements hold.
    Mode,
    /// That the requirements of some mode hold.
    OneMode,
}

/// A stated property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name: as given, or the flow's, or `line N`.
    pub name: Arc<str>,
    /// What is asked of it.
    pub kind: PropertyKind,
    /// What holds at every step, or shall not.
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// What is asked of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// That it always holds.
    Always,
    /// That its opposite is reachable.
    Reachable,
    /// The same, of a condition that something else depends on: the condition of
    /// a property, or a mode. That is asked of the node by itself only: a caller need not
    /// use all that a node can do.
    Occurs,
}
