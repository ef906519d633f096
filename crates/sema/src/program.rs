//! The typed program: ids for names, structured expressions. Only what is said by
//! repeating (definitions by index, slices) has been written out.

use std::sync::Arc;

use lustral_syntax::Span;

pub use lustral_base::ScopeId;
pub use lustral_base::ids::{CallId, ConstId, EnumId, ExprId, NodeId, StreamId, TypeId};

pub use crate::exprs::{BinaryOp, Expr, ExprKind, Exprs, Function, LeafId, UnaryOp, closure};
use crate::types::{FieldId, Type};

/// A checked program.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The types that have a name.
    pub types: Vec<NamedType>,
    /// The fields of the record types outside of nodes, those of a type side by
    /// side.
    pub fields: Vec<Field>,
    /// The variables that the conditions of types outside of nodes are about, and those
    /// quantified there: their names and places.
    pub variables: Vec<(Arc<str>, Span)>,
    /// The enumerations.
    pub enums: Vec<Enumeration>,
    /// The constants, each after those that it uses.
    pub consts: Vec<Constant>,
    /// The expressions of the constants.
    pub const_exprs: Exprs,
    /// The nodes in the order of the text.
    pub nodes: Vec<Node>,
    /// All nodes, each after those that it calls.
    pub callees_first: Vec<NodeId>,
    /// Where names are used outside of bodies: in types, in constants and in the
    /// headers of nodes.
    pub uses: Vec<Use>,
}

/// A type that has a name.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// The place of the whole declaration.
    pub whole: Span,
    /// What it is; `None` where that has an error.
    pub ty: Option<Type>,
}

/// A field of a record type.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

/// An enumeration type.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its values.
    pub values: Vec<Arc<str>>,
    /// Where the values are declared.
    pub value_spans: Vec<Span>,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, as declared or else that of its value.
    pub ty: Type,
    /// Its value, an expression of [`Program::const_exprs`]; none where it is free.
    pub expr: Option<ExprId>,
    /// Whether it is free, or made of a constant that is: each node then has an input
    /// for the free ones ([`Stream::constant`]), and the expressions of nodes name
    /// those.
    pub open: bool,
    /// Where its name stands.
    pub span: Span,
    /// The place of the whole declaration.
    pub whole: Span,
}

/// A place where a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where the name stands.
    pub span: Span,
    /// What it means there.
    pub meaning: Meaning,
    /// What is done with it.
    pub role: Role,
}

/// What a name means in a node or outside of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// A type.
    Type(TypeId),
    /// A constant.
    Const(ConstId),
    /// A value of an enumeration.
    Value(EnumId, u32),
    /// A node.
    Node(NodeId),
    /// A flow of the node around.
    Stream(StreamId),
    /// A field of a record type.
    Field(FieldId),
    /// An index of the node around, by its position.
    Index(u32),
    /// A variable of a type outside of nodes.
    Variable(u32),
}

/// What a place does with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It stands on the left of an equation.
    Definition,
    /// It is mentioned.
    Mention,
}

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
    /// Whether it has no meaning without the values of its constant inputs.
    pub template: bool,
    /// The inputs that the environment chooses, where it is asked whether the others can
    /// be chosen so that the properties hold.
    pub realizable: Option<Vec<StreamId>>,
    /// Whether it is marked as a node to be checked.
    pub is_main: bool,
    /// All flows: inputs, then outputs, then locals.
    pub streams: Vec<Stream>,
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// The clocks: parents first, the first is that of the node's own call.
    pub scopes: Vec<Scope>,
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

/// The functions that are known by name in every program that does not declare them, with
/// the numbers of their arguments: of reals, to reals.
pub const LIBRARY: [(&str, usize); 21] = [
    ("acos", 1),
    ("acosh", 1),
    ("asin", 1),
    ("asinh", 1),
    ("atan", 1),
    ("atan2", 2),
    ("atanh", 1),
    ("cbrt", 1),
    ("cos", 1),
    ("cosh", 1),
    ("erf", 1),
    ("exp", 1),
    ("fmod", 2),
    ("log", 1),
    ("log10", 1),
    ("pow", 2),
    ("sin", 1),
    ("sinh", 1),
    ("sqrt", 1),
    ("tan", 1),
    ("tanh", 1),
];

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
    /// An assumption of a contract: it restricts the environment of the node that is
    /// checked, and at calls nothing.
    pub given: bool,
    /// Where it stands.
    pub span: Span,
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

impl Program {
    /// Numbers the functions of all nodes.
    pub(crate) fn number_functions(&mut self) {
        let mut next = LIBRARY.len() as u32;
        for node in &mut self.nodes {
            node.functions.first = next;
            next += node.functions.results.iter().map(Type::leaves).sum::<u32>();
        }
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node with this name.
    #[must_use]
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().position(|n| &*n.name == name).map(|i| NodeId(i as u32))
    }

    /// How a type is written.
    #[must_use]
    pub fn show_type(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".into(),
            Type::Int => "int".into(),
            Type::Real => "real".into(),
            Type::Subrange(bounds) => format!("subrange [{bounds}] of int"),
            Type::Enum(id) => self.enums[id.0 as usize].name.to_string(),
            Type::Abstract(known) => known.name.to_string(),
            Type::Machine(shape) => shape.to_string(),
            Type::Record(record) => match &record.name {
                Some(name) => name.to_string(),
                None => {
                    let fields = record.names.iter().zip(record.fields.types());
                    let fields = fields.map(|(name, ty)| format!("{name}: {}", self.show_type(ty)));
                    format!("struct {{ {} }}", fields.collect::<Vec<_>>().join("; "))
                }
            },
            Type::Tuple(tuple) => {
                let types = tuple.types().iter().map(|ty| self.show_type(ty));
                format!("[{}]", types.collect::<Vec<_>>().join(", "))
            }
            Type::Array(array) => {
                // The outermost dimension is written last.
                format!("{}^{}", self.show_type(&array.element), array.length)
            }
        }
    }

    /// How a value of a scalar type is written.
    #[must_use]
    pub fn show_value(&self, ty: &Type, value: &crate::Value) -> String {
        match (ty, value) {
            (Type::Enum(id), crate::Value::Enum(i)) => {
                let names = &self.enums[id.0 as usize].values;
                names.get(*i as usize).map_or_else(|| value.to_string(), ToString::to_string)
            }
            (Type::Abstract(known), value) => format!("{}#{value}", known.name),
            _ => value.to_string(),
        }
    }
}
