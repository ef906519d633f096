//! Expressions: an arena with operands before the expressions that use them.

use std::ops::{Index, Range, RangeInclusive};
use std::sync::Arc;

use lustral_base::sort::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{
    Activation, Arms, BinaryOp, Case, Ident, Pattern, Sampling, StaticArgument, Type, UnaryOp,
    Variable,
};
use crate::dialect::Reading;
use crate::source::Span;

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
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true` or `false`
    Bool(bool),
    /// A whole number, as written.
    Int(Arc<str>),
    /// A number with a point or exponent, as written.
    Decimal(Arc<str>),
    /// A flow, a constant or an enumeration value.
    Name(Arc<str>),
    /// `last x`: the value of a flow at the step before, wherever it was defined.
    Last(Ident),
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
    /// `when c then a else b`: of the branches only the chosen one takes a step
    Lazy(ExprId, ExprId, ExprId),
    /// `with c then a else b`: chosen before the program runs, and the other side means
    /// nothing
    With(ExprId, ExprId, ExprId),
    /// `(e: t)`
    Ascribed(ExprId, Box<Type>),
    /// `#(a, b, c)`: at most one is true
    AtMostOne(Vec<ExprId>),
    /// `t { a = 1; b = true }`
    Record(Ident, Vec<(Ident, ExprId)>),
    /// `[a, b, c]`
    Array(Vec<ExprId>),
    /// `{a, b}`, or `{}@<t>`
    Set(Vec<ExprId>),
    /// `map[]@<t, u>`, or the `map` of `map[a := b]`, which is an update of it
    EmptyMap,
    /// `'(a, b)`: one value, unlike `(a, b)`
    TupleValue(Vec<ExprId>),
    /// `r.a`
    Field(ExprId, Ident),
    /// `t.%0`, the number as written
    Component(ExprId, Ident),
    /// `a[i]`
    Element(ExprId, ExprId),
    /// `a[i..j]`
    Slice(ExprId, ExprId, ExprId),
    /// `x[7:0]`: some bits of a machine integer, the highest first
    Bits(ExprId, ExprId, ExprId),
    /// `uint8 e`
    Convert(BitVec, ExprId),
    /// `a[i := e]`, `r[a := e; b := f]`, `r{a := e}`
    Update(UpdateForm, ExprId, Vec<(Selector, ExprId)>),
    /// `e^n`
    Repeat(ExprId, ExprId),
    /// `any@<t>` or `choose@<t>`
    Arbitrary(Choice, Box<Type>),
    /// `forall (i: int; b: bool) e`, `any { x: t | p }`
    Quantified(Quantifier, Vec<Variable>, ExprId),
    /// `condact(c, f(x), d)` and its like
    Activated(Activation),
    /// `e when c`
    When(ExprId, Sampling),
    /// `fby(e; n; i)`: the value of e n steps before, and at the first n steps i
    Delayed(ExprId, ExprId, ExprId),
    /// `merge c (true -> a) (false -> b)`
    Merge(Ident, Vec<(Case, ExprId)>),
    /// `match e with | A : a | B(x) : b end`, `case e of (A => a) (_ => b)`
    Match(Arms, ExprId, Vec<(Pattern, ExprId)>),
    /// `C?(e)`: whether a constructor made a value
    Tester(Ident, ExprId),
    /// Something wrong that has its diagnostic.
    Error,
}

/// Whether something holds of all or of some; or some value of which it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// `forall`
    All,
    /// `exists`
    Some,
    /// `any { x: t | p }` or `choose { x: t | p }`
    Chosen(Choice),
}

/// How a value is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// `any`: at each step anew.
    Any,
    /// `choose`: by a function of what its condition names.
    Choose,
}

impl Choice {
    /// How it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Choice::Any => "any",
            Choice::Choose => "choose",
        }
    }
}

/// How an update is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdateForm {
    /// `[` and `]`
    Brackets,
    /// `{` and `}`
    Braces,
}

/// What an update changes.
#[derive(Clone, PartialEq, Debug)]
pub enum Selector {
    /// A name: a field of a record; of an array, an index that is a flow or a
    /// constant.
    Name(Ident),
    /// An index.
    Index(ExprId),
}

/// The arena of expressions; an operand has a smaller id than its user.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    list: Vec<Expr>,
    reading: Reading,
    /// Those that stand in parentheses of their own.
    enclosed: FxHashSet<ExprId>,
    /// Runs of the arena that are the bounds, sizes and conditions of one type, or the
    /// static arguments of a call, by their ends. They may stand inside of the run of an
    /// expression that names them, but are operands of nothing.
    in_types: Vec<Range<u32>>,
    /// The types that calls of polymorphic nodes and records name: `f@<int; bool>(x)`,
    /// `p@<int> { a = 1 }`.
    type_arguments: FxHashMap<ExprId, Vec<Type>>,
    /// The static arguments of calls: `f<<3>>(x)`.
    static_arguments: FxHashMap<ExprId, Vec<StaticArgument>>,
}

impl Exprs {
    /// An empty arena for a text of a dialect.
    #[must_use]
    pub fn new(reading: Reading) -> Exprs {
        Exprs { reading, ..Exprs::default() }
    }

    /// The dialect of the text.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Notes that an expression stands in parentheses of its own.
    pub(crate) fn enclose(&mut self, id: ExprId) {
        if matches!(self[id].kind, ExprKind::Unary(..) | ExprKind::Binary(..)) {
            self.enclosed.insert(id);
        }
    }

    /// Whether an operator stands in parentheses of its own, so that all dialects
    /// read it alike.
    #[must_use]
    pub fn is_enclosed(&self, id: ExprId) -> bool {
        self.enclosed.contains(&id)
    }

    /// Notes the types that a call or a record names.
    pub(crate) fn instantiate(&mut self, call: ExprId, types: Vec<Type>) {
        if !types.is_empty() {
            self.type_arguments.insert(call, types);
        }
    }

    /// The types that a call or a record names.
    #[must_use]
    pub fn type_arguments(&self, call: ExprId) -> &[Type] {
        self.type_arguments.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Notes the static arguments of a call.
    pub(crate) fn give(&mut self, call: ExprId, arguments: Vec<StaticArgument>) {
        if !arguments.is_empty() {
            self.static_arguments.insert(call, arguments);
        }
    }

    /// The static arguments of a call.
    #[must_use]
    pub fn static_arguments(&self, call: ExprId) -> &[StaticArgument] {
        self.static_arguments.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Notes that all expressions from some number on belong to a type.
    pub(crate) fn belong_to_type(&mut self, from: usize) {
        if from < self.list.len() {
            self.in_types.push(from as u32..self.list.len() as u32);
        }
    }

    /// The parts of a run of the arena that belong to types which are named in it; the
    /// run itself may belong to another.
    pub fn in_types(&self, run: RangeInclusive<u32>) -> impl Iterator<Item = Range<u32>> + '_ {
        let (first, last) = (*run.start(), *run.end());
        let end = self.in_types.partition_point(|range| range.end <= last);
        let inside = self.in_types[..end].iter().rev().take_while(move |r| r.end > first);
        inside.filter(move |range| range.start >= first).cloned()
    }

    /// Adds an expression whose operands are already there.
    pub fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.list.push(Expr { kind, span });
        ExprId(self.list.len() as u32 - 1)
    }

    /// The same expression, to be given other names.
    pub(crate) fn expr_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.list[id.0 as usize]
    }

    /// The types and the static arguments of a call, to be given other names.
    pub(crate) fn arguments_mut(&mut self, call: ExprId) -> (&mut [Type], &mut [StaticArgument]) {
        (
            self.type_arguments.get_mut(&call).map_or(&mut [], Vec::as_mut_slice),
            self.static_arguments.get_mut(&call).map_or(&mut [], Vec::as_mut_slice),
        )
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

    /// The first of the direct operands of an expression.
    #[must_use]
    pub fn first_operand(&self, id: ExprId) -> Option<ExprId> {
        match &self[id].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Name(_)
            | ExprKind::Last(_)
            | ExprKind::Arbitrary(..)
            | ExprKind::EmptyMap
            | ExprKind::Error => None,
            ExprKind::Call(_, list)
            | ExprKind::Tuple(list)
            | ExprKind::Array(list)
            | ExprKind::Set(list)
            | ExprKind::TupleValue(list)
            | ExprKind::AtMostOne(list) => list.first().copied(),
            ExprKind::Record(_, fields) => fields.first().map(|(_, value)| *value),
            ExprKind::Merge(_, branches) => branches.first().map(|(_, value)| *value),
            ExprKind::Activated(activation) => activation.operands().first().copied(),
            ExprKind::Unary(_, a)
            | ExprKind::Binary(_, a, _)
            | ExprKind::If(a, ..)
            | ExprKind::Lazy(a, ..)
            | ExprKind::With(a, ..)
            | ExprKind::Ascribed(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Component(a, _)
            | ExprKind::Element(a, _)
            | ExprKind::Slice(a, ..)
            | ExprKind::Bits(a, ..)
            | ExprKind::Delayed(a, ..)
            | ExprKind::Convert(_, a)
            | ExprKind::Update(_, a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::When(a, _)
            | ExprKind::Match(_, a, _)
            | ExprKind::Tester(_, a)
            | ExprKind::Quantified(_, _, a) => Some(*a),
        }
    }

    /// The direct operands of an expression, in the order of the text.
    #[must_use]
    pub fn operands(&self, id: ExprId) -> Vec<ExprId> {
        match &self[id].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Name(_)
            | ExprKind::Last(_)
            | ExprKind::Arbitrary(..)
            | ExprKind::EmptyMap
            | ExprKind::Error => Vec::new(),
            ExprKind::Call(_, list)
            | ExprKind::Tuple(list)
            | ExprKind::Array(list)
            | ExprKind::Set(list)
            | ExprKind::TupleValue(list)
            | ExprKind::AtMostOne(list) => list.clone(),
            ExprKind::Record(_, fields) => fields.iter().map(|(_, value)| *value).collect(),
            ExprKind::Merge(_, branches) => branches.iter().map(|(_, value)| *value).collect(),
            ExprKind::Activated(activation) => activation.operands(),
            ExprKind::Unary(_, a)
            | ExprKind::Convert(_, a)
            | ExprKind::Ascribed(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Component(a, _)
            | ExprKind::When(a, _)
            | ExprKind::Tester(_, a)
            | ExprKind::Quantified(_, _, a) => vec![*a],
            ExprKind::Match(_, value, arms) => {
                [*value].into_iter().chain(arms.iter().map(|(_, arm)| *arm)).collect()
            }
            ExprKind::Binary(_, a, b) | ExprKind::Element(a, b) | ExprKind::Repeat(a, b) => {
                vec![*a, *b]
            }
            ExprKind::If(a, b, c)
            | ExprKind::Lazy(a, b, c)
            | ExprKind::With(a, b, c)
            | ExprKind::Slice(a, b, c)
            | ExprKind::Bits(a, b, c)
            | ExprKind::Delayed(a, b, c) => vec![*a, *b, *c],
            ExprKind::Update(_, whole, changes) => {
                let mut all = vec![*whole];
                for (selector, value) in changes {
                    if let Selector::Index(index) = selector {
                        all.push(*index);
                    }
                    all.push(*value);
                }
                all
            }
        }
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.list[id.0 as usize]
    }
}
