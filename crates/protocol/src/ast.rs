//! The tree of a protocol, as it is written.

use lustral_syntax::Span;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A variable or parameter, with its sort if that is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    /// Its name.
    pub name: Name,
    /// Its sort.
    pub sort: Option<Name>,
}

/// An expression: a formula or a term, which the parser does not tell apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Binary {
    Implies,
    Iff,
    Equal,
    NotEqual,
}

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `true` or `false`.
    Constant(bool),
    /// A name alone, or with arguments in parentheses.
    Apply(Name, Vec<Expr>),
    /// `!`
    Not(Box<Expr>),
    /// `&`
    And(Vec<Expr>),
    /// `|`
    Or(Vec<Expr>),
    /// `->`, `<->`, `=`, `!=`
    Binary(Binary, Box<(Expr, Expr)>),
    /// `distinct(…)`
    Distinct(Vec<Expr>),
    /// `if … then … else …`
    If(Box<(Expr, Expr, Expr)>),
    /// `forall` if true, else `exists`.
    Quantified(bool, Vec<Binder>, Box<Expr>),
    /// `new(…)`
    New(Box<Expr>),
    /// `let x = … in …`
    Let(Binder, Box<(Expr, Expr)>),
}

/// What a symbol does over time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// It may change.
    Mutable,
    /// It stays as it is.
    Immutable,
    /// It is defined by the others in each state.
    Derived(Expr),
}

/// A declaration of a relation, a function or a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDeclaration {
    /// Its name.
    pub name: Name,
    /// The sorts of its arguments.
    pub arguments: Vec<Name>,
    /// The sort of its values; a relation has none.
    pub result: Option<Name>,
    /// What it does over time.
    pub change: Change,
}

/// What a formula is stated as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statement {
    /// It always holds, of what never changes.
    Axiom,
    /// It holds in the first state.
    Init,
    /// It is to be shown of every state.
    Safety,
    /// It is believed of every state, as a help.
    Invariant,
    /// It is to be shown of all that never changes.
    ZeroStateTheorem,
    /// It is to be shown of every structure.
    Theorem,
    /// It is to be shown of every pair of structures.
    TwoStateTheorem,
}

/// A formula that is stated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// As what.
    pub statement: Statement,
    /// The name in brackets.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Expr,
    /// The place of the whole.
    pub span: Span,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionDeclaration {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Binder>,
    /// What it may change.
    pub modifies: Vec<Name>,
    /// How it is related to the state before.
    pub body: Expr,
}

/// An argument of a transition in a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceArgument {
    /// `*`: any.
    Any,
    /// This one.
    Term(Expr),
}

/// A transition in a trace, with its arguments if they are given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceCall {
    /// The transition.
    pub name: Name,
    /// The arguments.
    pub arguments: Option<Vec<TraceArgument>>,
}

/// A part of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TracePart {
    /// The state is an initial one.
    AssertInit,
    /// This holds.
    Assert(Expr),
    /// A step by any transition.
    AnyTransition,
    /// A step by one of these.
    Step(Vec<TraceCall>),
}

/// A trace that is said to be possible or impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceDeclaration {
    /// Whether it is said to be possible.
    pub possible: bool,
    /// Its parts.
    pub parts: Vec<TracePart>,
    /// Its place.
    pub span: Span,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// `sort`
    Sort(Name),
    /// A relation, function or constant.
    Symbol(SymbolDeclaration),
    /// An axiom, a property and the like.
    Stated(Stated),
    /// `transition`
    Transition(TransitionDeclaration),
    /// `sat trace`, `unsat trace`
    Trace(TraceDeclaration),
}

/// A protocol as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// The declarations, in their order.
    pub declarations: Vec<Declaration>,
}
