//! Expressions: an arena with operands before the expressions that use them. An
//! expression of a structured type is one expression with a value for each leaf
//! of its type.

use std::hash::Hash;
use std::ops::Index;

use lustral_base::Limit;
use lustral_base::sort::BitVec;
use lustral_syntax::Span;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashSet;

use crate::program::{CallId, Condition, ConstId, ExprId, ScopeId, StreamId};
use crate::types::{EnumId, Type};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// The clock that it is on: it has a value at the active steps of this scope.
    pub scope: ScopeId,
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
    /// A machine integer, by its number.
    Machine(BitVec, BigInt),
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
    /// A record, tuple or array of all its parts.
    Compose(Vec<ExprId>),
    /// An array whose elements are all the same: `e^n`.
    Repeat(ExprId),
    /// A field, a component, or an element whose index is known.
    Part(ExprId, u32),
    /// `a[i]`: an element; outside of the bounds the last operand, or where there is none
    /// an arbitrary value, at each step and for each such expression.
    Element(ExprId, ExprId, Option<ExprId>),
    /// An arbitrary value of the type, at each step and for each such expression: an
    /// output of a node without a body, an element whose index is known to be outside of
    /// the bounds.
    Any,
    /// A function of which nothing is known but that it is one, of some arguments.
    Apply(Function, Vec<ExprId>),
    /// The first with another value in one of its parts.
    With(ExprId, u32, ExprId),
    /// `a[i := e]`: the array with another value at an index; outside of the
    /// bounds the array itself.
    WithElement(ExprId, ExprId, ExprId),
    /// The value that a key has in a leaf of a set or map.
    At(ExprId, ExprId),
    /// A leaf of a set or map where a key has another value.
    Put(ExprId, ExprId, ExprId),
    /// A leaf of a set or map where all keys have the same value.
    Everywhere(ExprId),
    /// For each key the value of the second where the first has `true`, and else of the third;
    /// where the first has sets, for each key of these.
    ByKey(ExprId, ExprId, ExprId),
    /// Whether the keys of a set are within a limit; its operands, which are leaves.
    Within(Limit, Vec<ExprId>),
    /// `e when c`: a value of a faster clock, when a flow of that has a value.
    When(ExprId, Condition),
    /// `merge c …`: for each value of the first the value of a slower clock, in the
    /// order of the values; `false` is before `true`.
    Merge(ExprId, Vec<ExprId>),
    /// A value of a slower clock, and while that is not active its last value. Before
    /// it has one it is the second, or where there is none an arbitrary value.
    Held(ExprId, Option<ExprId>),
}

impl ExprKind {
    /// The same kind of expression with other operands.
    #[must_use]
    pub fn with_operands(&self, of: impl Fn(ExprId) -> ExprId) -> ExprKind {
        match *self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Enum(..)
            | ExprKind::Machine(..)
            | ExprKind::Const(_)
            | ExprKind::Stream(_)
            | ExprKind::Output(..)
            | ExprKind::Any => self.clone(),
            ExprKind::Unary(op, a) => ExprKind::Unary(op, of(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, of(a), of(b)),
            ExprKind::If(c, a, b) => ExprKind::If(of(c), of(a), of(b)),
            ExprKind::AtMostOne(ref list) => {
                ExprKind::AtMostOne(list.iter().map(|e| of(*e)).collect())
            }
            ExprKind::Pre(a) => ExprKind::Pre(of(a)),
            ExprKind::Arrow(a, b) => ExprKind::Arrow(of(a), of(b)),
            ExprKind::Fby(a, b) => ExprKind::Fby(of(a), of(b)),
            ExprKind::Compose(ref list) => ExprKind::Compose(list.iter().map(|e| of(*e)).collect()),
            ExprKind::Repeat(a) => ExprKind::Repeat(of(a)),
            ExprKind::Part(a, part) => ExprKind::Part(of(a), part),
            ExprKind::Element(a, index, outside) => {
                ExprKind::Element(of(a), of(index), outside.map(of))
            }
            ExprKind::Apply(function, ref list) => {
                ExprKind::Apply(function, list.iter().map(|e| of(*e)).collect())
            }
            ExprKind::With(a, part, b) => ExprKind::With(of(a), part, of(b)),
            ExprKind::WithElement(a, index, b) => ExprKind::WithElement(of(a), of(index), of(b)),
            ExprKind::At(a, key) => ExprKind::At(of(a), of(key)),
            ExprKind::Put(a, key, b) => ExprKind::Put(of(a), of(key), of(b)),
            ExprKind::Everywhere(a) => ExprKind::Everywhere(of(a)),
            ExprKind::ByKey(c, a, b) => ExprKind::ByKey(of(c), of(a), of(b)),
            ExprKind::Within(limit, ref list) => {
                ExprKind::Within(limit, list.iter().map(|e| of(*e)).collect())
            }
            ExprKind::When(a, condition) => ExprKind::When(of(a), condition),
            ExprKind::Merge(clock, ref list) => {
                ExprKind::Merge(of(clock), list.iter().map(|e| of(*e)).collect())
            }
            ExprKind::Held(a, default) => ExprKind::Held(of(a), default.map(of)),
        }
    }
}

/// A function of which nothing is known but that equal arguments give equal results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// One of a library, by its position in [`crate::program::LIBRARY`].
    Library(u32),
    /// One of the node around, by its position in [`crate::program::Functions::results`].
    Own(u32),
}

/// A leaf of an expression.
pub type LeafId = (ExprId, u32);

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
    /// `!`: all bits
    BitNot,
    /// `uint8`, of an integer or of a machine integer: modulo the width
    ToMachine(BitVec),
    /// `int`, of a machine integer
    ToInt,
    /// `x[high:low]`
    Bits {
        /// The highest bit.
        high: u16,
        /// The lowest bit.
        low: u16,
    },
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
    Join,
    BitOr,
    BitAnd,
    ShiftLeft,
    ShiftRight,
}

/// An arena of expressions; an operand has a smaller id than its user.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    list: Vec<Expr>,
}

impl Exprs {
    /// Adds an expression whose operands are already there.
    pub fn push(&mut self, kind: ExprKind, ty: Type, span: Span) -> ExprId {
        self.list.push(Expr { kind, ty, span, scope: ScopeId::NODE });
        ExprId(self.list.len() as u32 - 1)
    }

    /// Takes back the last additions, which nothing may use.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// Names other constants.
    pub(crate) fn map_constants(&mut self, of: impl Fn(ConstId) -> ConstId) {
        for expr in &mut self.list {
            if let ExprKind::Const(id) = &mut expr.kind {
                *id = of(*id);
            }
        }
    }

    /// Puts an expression at another place of the text.
    pub(crate) fn set_span(&mut self, id: ExprId, span: Span) {
        self.list[id.index()].span = span;
    }

    /// Puts another kind of expression in the place of one, of the same type and clock and of operands that were there
    /// before it.
    pub(crate) fn replace(&mut self, id: ExprId, kind: ExprKind) {
        self.list[id.index()].kind = kind;
    }

    /// Says which clock an expression is on.
    pub(crate) fn set_scope(&mut self, id: ExprId, scope: ScopeId) {
        self.list[id.index()].scope = scope;
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
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ExprId, &Expr)> {
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
            | ExprKind::Machine(..)
            | ExprKind::Const(_)
            | ExprKind::Stream(_)
            | ExprKind::Output(..)
            | ExprKind::Any
            | ExprKind::Pre(_) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Fby(a, _)
            | ExprKind::Repeat(a)
            | ExprKind::Everywhere(a)
            | ExprKind::When(a, _)
            | ExprKind::Part(a, _) => visit(*a),
            ExprKind::Held(a, default) => {
                visit(*a);
                default.iter().copied().for_each(visit);
            }
            ExprKind::Merge(clock, branches) => {
                visit(*clock);
                branches.iter().copied().for_each(visit);
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Arrow(a, b)
            | ExprKind::At(a, b)
            | ExprKind::With(a, _, b) => {
                visit(*a);
                visit(*b);
            }
            ExprKind::Element(a, index, outside) => {
                visit(*a);
                visit(*index);
                outside.iter().copied().for_each(visit);
            }
            ExprKind::If(a, b, c)
            | ExprKind::WithElement(a, b, c)
            | ExprKind::Put(a, b, c)
            | ExprKind::ByKey(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            ExprKind::AtMostOne(list)
            | ExprKind::Compose(list)
            | ExprKind::Within(_, list)
            | ExprKind::Apply(_, list) => {
                list.iter().copied().for_each(visit);
            }
        }
    }

    /// The same for one leaf of an expression: the leaves that its value needs at
    /// the present step, whatever the values are.
    pub fn present_leaves(&self, (id, leaf): LeafId, mut visit: impl FnMut(LeafId)) {
        let leaves = |of: ExprId| self[of].ty.leaves();
        match &self[id].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Enum(..)
            | ExprKind::Machine(..)
            | ExprKind::Const(_)
            | ExprKind::Stream(_)
            | ExprKind::Output(..)
            | ExprKind::Any
            | ExprKind::Pre(_) => {}
            ExprKind::Unary(_, a) => visit((*a, 0)),
            ExprKind::Fby(a, _) | ExprKind::When(a, _) => visit((*a, leaf)),
            ExprKind::Held(a, default) => {
                visit((*a, leaf));
                default.iter().for_each(|default| visit((*default, leaf)));
            }
            ExprKind::Merge(clock, branches) => {
                visit((*clock, 0));
                branches.iter().for_each(|branch| visit((*branch, leaf)));
            }
            ExprKind::At(table, key) => {
                visit((*table, 0));
                (0..leaves(*key)).for_each(|leaf| visit((*key, leaf)));
            }
            ExprKind::Put(table, key, value) => {
                visit((*table, 0));
                (0..leaves(*key)).for_each(|leaf| visit((*key, leaf)));
                visit((*value, 0));
            }
            ExprKind::Everywhere(value) => visit((*value, 0)),
            ExprKind::ByKey(c, a, b) => [c, a, b].into_iter().for_each(|e| visit((*e, 0))),
            // Of structures, `=` and `<>` compare all leaves.
            ExprKind::Binary(_, a, b) => {
                for leaf in 0..leaves(*a) {
                    visit((*a, leaf));
                    visit((*b, leaf));
                }
            }
            ExprKind::Arrow(a, b) => {
                visit((*a, leaf));
                visit((*b, leaf));
            }
            ExprKind::If(c, a, b) => {
                visit((*c, 0));
                visit((*a, leaf));
                visit((*b, leaf));
            }
            ExprKind::AtMostOne(list) | ExprKind::Within(_, list) => {
                list.iter().for_each(|e| visit((*e, 0)));
            }
            ExprKind::Apply(..) => self.arguments(id).for_each(visit),
            ExprKind::Compose(_) | ExprKind::Repeat(_) | ExprKind::Part(..) => {
                visit(self.selected((id, leaf)));
            }
            ExprKind::With(whole, part, value) => match self[id].ty.at(leaf) {
                Some((changed, inside)) if changed == *part => visit((*value, inside)),
                _ => visit((*whole, leaf)),
            },
            ExprKind::Element(array, index, outside) => {
                visit((*index, 0));
                let size = leaves(id);
                let count = self[*array].ty.part_count();
                (0..count).for_each(|i| visit((*array, i * size + leaf)));
                outside.iter().for_each(|outside| visit((*outside, leaf)));
            }
            ExprKind::WithElement(array, index, value) => {
                visit((*array, leaf));
                visit((*index, 0));
                let (_, inside) = self[id].ty.at(leaf).unwrap_or((0, leaf));
                visit((*value, inside));
            }
        }
    }

    /// The leaves of a key, in order.
    pub fn key_leaves(&self, key: ExprId) -> impl Iterator<Item = LeafId> + use<> {
        (0..self[key].ty.leaves()).map(move |leaf| (key, leaf))
    }

    /// The leaves of all arguments of a function, in order.
    pub fn arguments(&self, id: ExprId) -> impl Iterator<Item = LeafId> + '_ {
        let list = match &self[id].kind {
            ExprKind::Apply(_, list) => &list[..],
            _ => &[],
        };
        list.iter().flat_map(|e| (0..self[*e].ty.leaves()).map(|leaf| (*e, leaf)))
    }

    /// The leaf of an operand that a leaf of a `Compose`, `Repeat` or `Part` is.
    #[must_use]
    pub fn selected(&self, (id, leaf): LeafId) -> LeafId {
        let ty = &self[id].ty;
        match (&self[id].kind, ty.at(leaf)) {
            (ExprKind::Compose(parts), Some((part, inside))) => (parts[part as usize], inside),
            (ExprKind::Repeat(element), Some((_, inside))) => (*element, inside),
            (ExprKind::Part(whole, part), _) => (*whole, self[*whole].ty.first_leaf(*part) + leaf),
            (kind, _) => unreachable!("selects nothing: {kind:?}"),
        }
    }

    /// All leaves that matter for the value of some leaves at the present step,
    /// operands first, each once.
    #[must_use]
    pub fn present_leaf_closure(&self, roots: impl IntoIterator<Item = LeafId>) -> Vec<LeafId> {
        closure(roots, |leaf, stack| self.present_leaves(leaf, |operand| stack.push(operand)))
    }

    /// All expressions that matter for the value of some roots at the present
    /// step, operands first, each once.
    #[must_use]
    pub fn present_closure(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        closure(roots, |id, stack| self.present_operands(id, |operand| stack.push(operand)))
    }
}

/// All that some roots need, each once (a worklist), in the order of ids: in an arena
/// operands have smaller ids than their users, so that is an order of evaluation.
pub fn closure<T: Copy + Ord + Hash>(
    roots: impl IntoIterator<Item = T>,
    operands: impl Fn(T, &mut Vec<T>),
) -> Vec<T> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<T> = roots.into_iter().collect();
    let mut found = Vec::new();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            found.push(id);
            operands(id, &mut stack);
        }
    }
    found.sort_unstable();
    found
}

impl Index<ExprId> for Exprs {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.list[id.index()]
    }
}
