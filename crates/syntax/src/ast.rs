//! The syntax tree.
//!
//! Expressions live in one arena, operands before the expressions that use
//! them. So a pass over a program is a loop, dropping a tree is dropping a
//! vector, and no nesting, however deep, can exhaust the stack.

use std::ops::Index;
use std::sync::Arc;

use crate::source::Span;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole program: the declarations of the file and of all that it includes.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The declarations in the order of the text.
    pub declarations: Vec<Declaration>,
    /// All expressions.
    pub exprs: Exprs,
    /// Candidates for invariants from other files.
    pub candidates: Vec<CandidateBlock>,
}

/// `node name e; e;`: candidates for a node from another file. They are guesses,
/// perhaps about an earlier version of the program: what does not fit is skipped.
#[derive(Clone, Debug)]
pub struct CandidateBlock {
    /// The node.
    pub node: Ident,
    /// What may hold at every step.
    pub list: Vec<ExprId>,
}

/// A declaration at the top of a file.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `type t = …;`
    Type(TypeDeclaration),
    /// `const c : t = e;`
    Const(ConstDeclaration),
    /// `node …` or `function …`
    Node(NodeDeclaration),
}

/// `type name = definition;`
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub definition: Type,
}

/// `const name : type = value;`
#[derive(Clone, Debug)]
pub struct ConstDeclaration {
    /// The name.
    pub name: Ident,
    /// Its type, if given.
    pub ty: Option<Type>,
    /// Its value.
    pub value: ExprId,
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
    /// `subrange [low, high] of int`
    Subrange(ExprId, ExprId),
    /// `enum { A, B }`
    Enum(Vec<Ident>),
    /// A declared name.
    Named(Arc<str>),
    /// Something wrong that has its diagnostic.
    Error,
}

/// A node or a function.
#[derive(Clone, Debug)]
pub struct NodeDeclaration {
    /// The name.
    pub name: Ident,
    /// Whether it was declared as a `function`: it may have no state.
    pub is_function: bool,
    /// The inputs in order.
    pub inputs: Vec<Variable>,
    /// The outputs in order.
    pub outputs: Vec<Variable>,
    /// The local flows.
    pub locals: Vec<Variable>,
    /// The body.
    pub items: Vec<Item>,
}

/// A declared flow.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// The type.
    pub ty: Type,
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
    Candidate(ExprId),
    /// `--%MAIN`
    Main(Span),
}

/// `left = right;`
#[derive(Clone, Debug)]
pub struct Equation {
    /// The flows it defines.
    pub left: Vec<Ident>,
    /// Their definition.
    pub right: ExprId,
    /// The place of the whole equation.
    pub span: Span,
}

/// `check "name" e;` or `--%PROPERTY "name" e;`
#[derive(Clone, Debug)]
pub struct Property {
    /// The name, if given.
    pub name: Option<Arc<str>>,
    /// What should always hold.
    pub expr: ExprId,
    /// Whether it was written as an annotation in a comment.
    pub annotation: bool,
    /// The place of the whole property.
    pub span: Span,
}

/// An expression of an [`Exprs`] arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub u32);

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `true` or `false`
    Bool(bool),
    /// A whole number, as written.
    Int(Arc<str>),
    /// A number with a point or exponent, as written.
    Decimal(Arc<str>),
    /// A flow, a constant or an enumeration value.
    Name(Arc<str>),
    /// `f(a, b)`
    Call(Ident, Vec<ExprId>),
    /// `(a, b)`, two or more, or none
    Tuple(Vec<ExprId>),
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `if c then a else b`
    If(ExprId, ExprId, ExprId),
    /// `#(a, b, c)`: at most one is true
    AtMostOne(Vec<ExprId>),
    /// Something wrong that has its diagnostic.
    Error,
}

/// An operator with one operand. All bind more than every binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `not`
    Not,
    /// `-`
    Minus,
    /// `pre`
    Pre,
    /// `int`: round down
    Int,
    /// `real`
    Real,
}

impl UnaryOp {
    /// How it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            UnaryOp::Not => "not",
            UnaryOp::Minus => "-",
            UnaryOp::Pre => "pre",
            UnaryOp::Int => "int",
            UnaryOp::Real => "real",
        }
    }
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `->`
    Arrow,
    /// `fby`
    Fby,
    /// `=>`
    Implies,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, of reals
    Divide,
    /// `div`, of integers
    Div,
    /// `mod`
    Mod,
}

impl BinaryOp {
    /// How it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Arrow => "->",
            BinaryOp::Fby => "fby",
            BinaryOp::Implies => "=>",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::And => "and",
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "<>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Plus => "+",
            BinaryOp::Minus => "-",
            BinaryOp::Times => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
        }
    }

    /// How much it binds (more is tighter), as in Kind 2. `if … else` binds
    /// less than all of them, and prefix operators more.
    #[must_use]
    pub fn strength(self) -> u8 {
        match self {
            BinaryOp::Arrow | BinaryOp::Fby => 1,
            BinaryOp::Implies => 2,
            BinaryOp::Or | BinaryOp::Xor => 3,
            BinaryOp::And => 4,
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => 5,
            BinaryOp::Plus | BinaryOp::Minus => 6,
            BinaryOp::Times | BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod => 7,
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`.
    #[must_use]
    pub fn groups_right(self) -> bool {
        self.strength() <= 2
    }
}

/// The arena of expressions; an operand has a smaller id than its user.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    list: Vec<Expr>,
}

impl Exprs {
    /// Adds an expression whose operands are already there.
    pub fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.list.push(Expr { kind, span });
        ExprId(self.list.len() as u32 - 1)
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

    /// The direct operands of an expression, in the order of the text.
    #[must_use]
    pub fn operands(&self, id: ExprId) -> Vec<ExprId> {
        match &self[id].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Name(_)
            | ExprKind::Error => Vec::new(),
            ExprKind::Call(_, list) | ExprKind::Tuple(list) | ExprKind::AtMostOne(list) => {
                list.clone()
            }
            ExprKind::Unary(_, a) => vec![*a],
            ExprKind::Binary(_, a, b) => vec![*a, *b],
            ExprKind::If(a, b, c) => vec![*a, *b, *c],
        }
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.list[id.0 as usize]
    }
}
