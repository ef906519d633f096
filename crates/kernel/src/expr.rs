//! Expressions: an arena in which operands come before their users (a
//! topological order), so that every pass is a loop.

use std::ops::Index;

use lustral_base::Limit;
use lustral_base::sort::{ArraySort, BitVec};
use lustral_sema::program::{BinaryOp, CallId, ConstId, LeafId, UnaryOp, closure};
use lustral_syntax::Span;
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::ids::{ExprId, FlowId};
use crate::types::{Enumeration, Type};

/// A scalar expression. It belongs to the scope of what uses it.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// The leaf of an expression of the typed program that it is, or is a part of;
    /// none if only the translation knows it.
    pub source: Option<LeafId>,
    /// Where that stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(BigInt),
    /// A decimal number.
    Real(BigRational),
    /// A value of an enumeration.
    Enum(Enumeration, u32),
    /// A machine integer, by its number.
    Machine(BitVec, BigInt),
    /// A constant of the program.
    Const(ConstId),
    /// A flow of the expression's own scope or of one around it.
    Flow(FlowId),
    /// A flow of another scope, which must be active wherever the value counts:
    /// below an `if` on its activation. Elsewhere the value is unspecified.
    Present(FlowId),
    /// An output of a call in the expression's own scope or in one around it.
    Output(CallId, u32),
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `if c then a else b`
    If(ExprId, ExprId, ExprId),
    /// `#(a, b, c)`: at most one of them is true.
    AtMostOne(Vec<ExprId>),
    /// The value at the previous active step of the scope; at the first one
    /// arbitrary, a value of the type.
    Pre(ExprId),
    /// The left side at the first step of the scope, the right side later.
    Arrow(ExprId, ExprId),
    /// The element of an array at an index of some scalars.
    At(ExprId, Vec<ExprId>),
    /// An array with another element at an index.
    Put(ExprId, Vec<ExprId>, ExprId),
    /// An array with the same element everywhere.
    Everywhere(ArraySort, ExprId),
    /// The array with the elements of the second where the first has `true`, and else of the
    /// third.
    ByKey(ExprId, ExprId, ExprId),
    /// Whether the keys of a set are within a limit; its operands.
    Within(Limit, Vec<ExprId>),
    /// An arbitrary value of the type, at each step another one.
    Any,
    /// A function of which nothing is known but that it is one, by its number in the
    /// program, of some arguments.
    Apply(u32, Vec<ExprId>),
}

/// An arena of expressions; an operand has a smaller id than its user.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    list: Vec<Expr>,
}

impl Exprs {
    /// Adds an expression whose operands are already there.
    pub fn push(&mut self, expr: Expr) -> ExprId {
        self.list.push(expr);
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

    /// All expressions with their ids, operands first.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.list.iter().enumerate().map(|(i, e)| (ExprId(i as u32), e))
    }

    /// Hands each operand to `visit`, in the order of the text.
    pub fn operands(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match &self[id].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Enum(..)
            | ExprKind::Machine(..)
            | ExprKind::Const(_)
            | ExprKind::Flow(_)
            | ExprKind::Present(_)
            | ExprKind::Output(..)
            | ExprKind::Any => {}
            ExprKind::Unary(_, a) | ExprKind::Pre(a) | ExprKind::Everywhere(_, a) => visit(*a),
            ExprKind::At(a, index) => [a].into_iter().chain(index).copied().for_each(visit),
            ExprKind::Put(a, index, b) => {
                [a].into_iter().chain(index).chain([b]).copied().for_each(visit);
            }
            ExprKind::Binary(_, a, b) | ExprKind::Arrow(a, b) => {
                visit(*a);
                visit(*b);
            }
            ExprKind::If(a, b, c) | ExprKind::ByKey(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            ExprKind::AtMostOne(list) | ExprKind::Within(_, list) | ExprKind::Apply(_, list) => {
                list.iter().copied().for_each(visit);
            }
        }
    }

    /// All expressions below some roots, operands first, each once.
    #[must_use]
    pub fn closure(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        closure(roots, |id, stack| self.operands(id, |operand| stack.push(operand)))
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.list[id.index()]
    }
}
