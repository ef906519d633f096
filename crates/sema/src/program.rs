//! The typed program: ids for names, scalar expressions, nothing desugared.

use std::ops::Index;
use std::sync::Arc;

use lustral_syntax::Span;
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::types::Type;

pub use lustral_base::ids::{CallId, ConstId, EnumId, ExprId, NodeId, StreamId};

/// A checked program.
#[derive(Clone, Default, Debug)]
pub struct Program {
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
}

/// An enumeration type.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its values.
    pub values: Vec<Arc<str>>,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Arc<str>,
    /// Its value, an expression of [`Program::const_exprs`].
    pub expr: ExprId,
}

/// A node or function.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// Whether it is a function, which has no state.
    pub is_function: bool,
    /// Whether it is marked as a node to be checked.
    pub is_main: bool,
    /// All flows: inputs, then outputs, then locals.
    pub streams: Vec<Stream>,
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// The expressions.
    pub exprs: Exprs,
    /// The calls, in the order of the text.
    pub calls: Vec<Call>,
    /// The assertions.
    pub asserts: Vec<Assertion>,
    /// The stated properties.
    pub properties: Vec<Property>,
    /// What may be an invariant.
    pub candidates: Candidates,
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
    /// What may hold, an expression of [`Candidates::exprs`].
    pub expr: ExprId,
    /// Where it stands, perhaps in a file of candidates.
    pub span: Span,
}

impl Node {
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

    /// A flow.
    #[must_use]
    pub fn stream(&self, id: StreamId) -> &Stream {
        &self.streams[id.index()]
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
    /// Where it stands.
    pub span: Span,
}

/// `assert e;`
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What is assumed at every step.
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// A stated property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name: as given, or the flow's, or `line N`.
    pub name: Arc<str>,
    /// What should hold at every step.
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// A scalar expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(BigInt),
    /// A decimal number.
    Real(BigRational),
    /// A value of an enumeration.
    Enum(EnumId, u32),
    /// A declared constant.
    Const(ConstId),
    /// A flow of the node.
    Stream(StreamId),
    /// An output of a call.
    Output(CallId, u32),
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `if c then a else b`
    If(ExprId, ExprId, ExprId),
    /// `#(a, b, c)`
    AtMostOne(Vec<ExprId>),
    /// `pre e`
    Pre(ExprId),
    /// `a -> b`
    Arrow(ExprId, ExprId),
    /// `a fby b`
    Fby(ExprId, ExprId),
}

/// A combinational operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `not`
    Not,
    /// `-`
    Minus,
    /// `int` or `floor`: round down
    Floor,
    /// `real`
    ToReal,
}

/// A combinational operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // each is named after the operator that it is
pub enum BinaryOp {
    And,
    Or,
    Xor,
    Implies,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Div,
    Mod,
}

/// An arena of expressions; an operand has a smaller id than its user.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    list: Vec<Expr>,
}

impl Exprs {
    /// Adds an expression whose operands are already there.
    pub fn push(&mut self, kind: ExprKind, ty: Type, span: Span) -> ExprId {
        self.list.push(Expr { kind, ty, span });
        ExprId(self.list.len() as u32 - 1)
    }

    /// Takes back the last additions, which nothing may use.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// The number of expressions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All expressions with their ids, operands first.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.list.iter().enumerate().map(|(i, e)| (ExprId(i as u32), e))
    }

    /// Hands each operand to `visit` that matters at the present step: not
    /// those of `pre`, nor the right side of `fby`, nor the arguments of calls.
    pub fn present_operands(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match &self[id].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Enum(..)
            | ExprKind::Const(_)
            | ExprKind::Stream(_)
            | ExprKind::Output(..)
            | ExprKind::Pre(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Fby(a, _) => visit(*a),
            ExprKind::Binary(_, a, b) | ExprKind::Arrow(a, b) => {
                visit(*a);
                visit(*b);
            }
            ExprKind::If(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            ExprKind::AtMostOne(list) => list.iter().copied().for_each(visit),
        }
    }

    /// All expressions that matter for the value of some roots at the present
    /// step, operands first, each once.
    #[must_use]
    pub fn present_closure(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExprId> = roots.into_iter().collect();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                self.present_operands(id, |operand| stack.push(operand));
            }
        }
        // Operands have smaller ids: the order of ids is an order of evaluation.
        found.sort_unstable();
        found
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.list[id.index()]
    }
}

impl Program {
    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
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
            Type::Subrange(bounds) => format!("subrange [{}, {}] of int", bounds.low, bounds.high),
            Type::Enum(id) => self.enums[id.0 as usize].name.to_string(),
        }
    }

    /// How a value of a type is written.
    #[must_use]
    pub fn show_value(&self, ty: &Type, value: &crate::Value) -> String {
        match (ty, value) {
            (Type::Enum(id), crate::Value::Enum(i)) => {
                let names = &self.enums[id.0 as usize].values;
                names.get(*i as usize).map_or_else(|| value.to_string(), ToString::to_string)
            }
            _ => value.to_string(),
        }
    }
}
