//! Declarations: types, constants, and nodes with their bodies.

use std::sync::Arc;

use lustral_base::sort::BitVec;

use crate::ast::{
    Block, Constructor, Contract, ContractDeclaration, ExprId, Ident, NodeGaps, Operator, Sampling,
    StaticParameter,
};
use crate::source::Span;

/// A declaration at the top of a file.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `type t = …;`
    Type(TypeDeclaration),
    /// `const c : t = e;`
    Const(ConstDeclaration),
    /// `node …` or `function …`
    Node(NodeDeclaration),
    /// `contract …`
    Contract(ContractDeclaration),
}

impl Declaration {
    /// The name that it declares; empty where it is missing.
    #[must_use]
    pub fn name(&self) -> &Ident {
        match self {
            Declaration::Type(d) => &d.name,
            Declaration::Const(d) => &d.name,
            Declaration::Node(d) => &d.name,
            Declaration::Contract(d) => &d.name,
        }
    }

    /// The names that stand for types in it.
    #[must_use]
    pub fn type_parameters(&self) -> &[Ident] {
        match self {
            Declaration::Type(d) => &d.parameters,
            Declaration::Const(_) => &[],
            Declaration::Node(d) => &d.type_parameters,
            Declaration::Contract(d) => &d.type_parameters,
        }
    }

    /// The place of the whole declaration.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Declaration::Type(d) => d.span,
            Declaration::Const(d) => d.span,
            Declaration::Node(d) => d.span,
            Declaration::Contract(d) => d.span,
        }
    }
}

/// `type name = definition;`, or `datatype name = …;`
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// The name.
    pub name: Ident,
    /// `t` and `u` of `type p<t; u> = …`, which stand for types.
    pub parameters: Vec<Ident>,
    /// What it stands for.
    pub definition: Type,
    /// The place of the whole declaration; of several in one, that of all.
    pub span: Span,
}

/// `const name : type = value;`, outside of nodes or between the header and the body of
/// one.
#[derive(Clone, Debug)]
pub struct ConstDeclaration {
    /// The name.
    pub name: Ident,
    /// Its type, if given.
    pub ty: Option<Type>,
    /// Its value; without one it is free: any value of its type, and always the same.
    pub value: Option<ExprId>,
    /// The place of the whole declaration.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `subrange [low, high] of int`, where `*` is no bound.
    Subrange(Option<ExprId>, Option<ExprId>),
    /// `enum { A, B }`
    Enum(Vec<Ident>),
    /// A declared name.
    Named(Arc<str>),
    /// `p<int; bool>`: a declared name with types for its parameters.
    Applied(Ident, Vec<Type>),
    /// The definition of a `datatype`.
    Data(Vec<Constructor>),
    /// The definition of `type t;`: nothing is known of its values.
    Abstract,
    /// `uint<12>`, `sint<12>`; `uint8` and others are names
    Machine(BitVec),
    /// `struct { a: t; b: u }`
    Record(Vec<Variable>),
    /// `[t, u]`
    Tuple(Vec<Type>),
    /// `t^n^m`, the outermost dimension last. Types are nested at most
    /// [`DEEPEST`] deep, all dimensions counted.
    Array(Box<Type>, Vec<ExprId>),
    /// `subtype { x: t | p }`: the values of a type of which something holds.
    Refinement(Box<Variable>, ExprId),
    /// Something wrong that has its diagnostic.
    Error,
}

/// How deep types may be nested, so that walks over them may recurse.
pub const DEEPEST: usize = 64;

/// A node or a function.
#[derive(Clone, Debug)]
pub struct NodeDeclaration {
    /// The name.
    pub name: Ident,
    /// Whether it was declared as a `function`: it may have no state.
    pub is_function: bool,
    /// Whether it has no body: it is known by its contract only.
    pub imported: bool,
    /// `t` and `u` of `node f<t; u>(…)`, which stand for types.
    pub type_parameters: Vec<Ident>,
    /// What it is given before the flows: `node f<<const n: int>>(…)`.
    pub statics: Vec<StaticParameter>,
    /// What it is another name for: `node g = f<<3>>;`. Without inputs and outputs of its
    /// own it has those of that, and no body.
    pub alias: Option<Operator>,
    /// The inputs in order.
    pub inputs: Vec<Variable>,
    /// The outputs in order.
    pub outputs: Vec<Variable>,
    /// The local flows.
    pub locals: Vec<Variable>,
    /// The local constants.
    pub constants: Vec<ConstDeclaration>,
    /// The body.
    pub items: Vec<Item>,
    /// What of it could not be read.
    pub gaps: NodeGaps,
    /// The place of the whole node, to its `tel`.
    pub span: Span,
    /// The place of its name, inputs and outputs.
    pub header: Span,
    /// The place from `let` to `tel`; empty where there is none.
    pub body: Span,
}

impl NodeDeclaration {
    /// Whether it is a name for something else, and nothing besides.
    #[must_use]
    pub fn is_alias(&self) -> bool {
        self.alias.is_some() && self.items.is_empty()
    }

    /// The parameters that it must be given values or nodes for, to mean anything.
    pub fn values(&self) -> impl Iterator<Item = &StaticParameter> {
        self.statics.iter().filter(|parameter| !parameter.is_type())
    }
}

/// A declared flow, or a field of a record type.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// The type.
    pub ty: Type,
    /// Whether it is an input whose value is a constant: `const n: int`.
    pub constant: bool,
    /// When it has a value: `x: int when c`; none for always.
    pub clock: Option<Sampling>,
}

/// What a candidate is to its node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CandidateRole {
    /// `e`: an invariant of the node.
    Invariant,
    /// `requires e`: what every call gives the node; about its inputs.
    Requires,
    /// `ensures e`: what callers may rely on; about its inputs and outputs.
    Ensures,
}

impl CandidateRole {
    /// The word before the expression, if there is one.
    #[must_use]
    pub fn word(self) -> Option<&'static str> {
        match self {
            CandidateRole::Invariant => None,
            CandidateRole::Requires => Some("requires"),
            CandidateRole::Ensures => Some("ensures"),
        }
    }
}

/// A part of a node's body.
#[derive(Clone, Debug)]
pub enum Item {
    /// `a, b = e;`
    Equation(Equation),
    /// `assert e;`
    Assert(ExprId, Span),
    /// A property.
    Property(Property),
    /// `--%CANDIDATE e;`: what may be an invariant; a help for proofs.
    Candidate(CandidateRole, ExprId, Span),
    /// `--%MAIN`
    Main(Span),
    /// `--%REALIZABLE a, b;`: the inputs that the environment chooses, where it is asked
    /// whether the others can be chosen so that the properties hold.
    Realizable(Vec<Ident>, Span),
    /// `con … noc` or `(*@contract … *)`
    Contract(Contract),
    /// `last x = e;`: the last value of a flow before there is one
    Last(Ident, ExprId, Span),
    /// A part with equations of its own.
    Block(Block),
}

/// `left = right;`
#[derive(Clone, Debug)]
pub struct Equation {
    /// The flows it defines.
    pub left: Vec<Ident>,
    /// `i` and `j` of `a[i][j] = e;`, which defines all elements of one array.
    pub indices: Vec<Ident>,
    /// Their definition.
    pub right: ExprId,
    /// The place of the whole equation.
    pub span: Span,
}

/// `check "name" e;` or `--%PROPERTY "name" e;`
#[derive(Clone, Debug)]
pub struct Property {
    /// The name, if given, with the place of its quotes.
    pub name: Option<Ident>,
    /// What is asked of its expression.
    pub question: Question,
    /// The expression.
    pub expr: ExprId,
    /// Whether it was written as an annotation in a comment.
    pub annotation: bool,
    /// The place of the whole property.
    pub span: Span,
}

/// What a property asks of its expression.
#[derive(Clone, Debug)]
pub enum Question {
    /// `check e`: whether it always holds.
    Always,
    /// `check e provided c`: whether it holds wherever a condition does, which must
    /// happen at all.
    Provided(ExprId),
    /// `check reachable e`: whether it holds at some step of some execution, perhaps
    /// among certain steps.
    Reachable(Vec<Bound>),
}

/// A bound on the steps at which something shall be reached. Steps count from 0.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Which side.
    pub kind: BoundKind,
    /// The step, a constant.
    pub step: ExprId,
}

/// The kinds of bounds on steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundKind {
    /// `from n`: not before it.
    From,
    /// `within n`: not after it.
    Within,
    /// `at n`: exactly there.
    At,
}

impl BoundKind {
    /// All of them.
    pub const ALL: [BoundKind; 3] = [BoundKind::From, BoundKind::Within, BoundKind::At];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            BoundKind::From => "from",
            BoundKind::Within => "within",
            BoundKind::At => "at",
        }
    }
}

impl Question {
    /// The expressions besides that of the property.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        let (condition, bounds) = match self {
            Question::Always => (None, &[][..]),
            Question::Provided(condition) => (Some(*condition), &[][..]),
            Question::Reachable(bounds) => (None, &bounds[..]),
        };
        condition.into_iter().chain(bounds.iter().map(|bound| bound.step))
    }
}
