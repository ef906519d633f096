//! Structured expressions as scalar ones: each leaf of an expression of the typed
//! program that something needs becomes an expression of the kernel, once.
//!
//! Only what is needed is made: an element of an array of n elements costs one
//! expression, whole arrays n, and an element whose index is not known n too (a
//! balanced tree of `if`s on the index, whose comparisons all elements share).

use lustral_sema::program as typed;
use lustral_sema::program::{BinaryOp, LeafId, UnaryOp};
use lustral_syntax::Span;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::clocked::Extra;
use crate::expr::{Expr, ExprKind, Exprs};
use crate::ids::{ExprId, FlowId};
use crate::layout::Layout;
use crate::program::Flow;
use crate::types::{Sort, Type, enumeration};

/// An arena of the typed program while it is translated.
pub(crate) struct Expansion<'t> {
    pub(crate) typed: &'t typed::Exprs,
    pub(crate) layout: Layout<'t>,
    pub(crate) exprs: Exprs,
    pub(crate) extra: Extra,
    /// The flows of the translation for leaves that other scopes read.
    pub(crate) named: FxHashMap<LeafId, FlowId>,
    done: FxHashMap<LeafId, ExprId>,
    /// Comparisons of an index with a number.
    comparisons: FxHashMap<(BinaryOp, ExprId, u32), ExprId>,
}

impl<'t> Expansion<'t> {
    /// All scalar expressions of an arena, and what they need.
    pub fn new(typed: &'t typed::Exprs, layout: Layout<'t>) -> Expansion<'t> {
        let mut expansion = Expansion {
            typed,
            layout,
            exprs: Exprs::default(),
            extra: Extra::default(),
            named: FxHashMap::default(),
            done: FxHashMap::default(),
            comparisons: FxHashMap::default(),
        };
        expansion.extra.declared = layout.flow_scopes();
        expansion.extra.first = expansion.extra.declared.len() as u32;
        for (id, expr) in typed.iter() {
            if expr.ty.is_scalar() {
                expansion.leaf((id, 0));
            }
        }
        expansion
    }

    /// The expressions made so far, and the flows that only the translation knows.
    pub fn finish(self) -> (Exprs, Vec<Flow>) {
        (self.exprs, self.extra.flows)
    }

    /// An expression that is one scalar.
    pub fn scalar(&mut self, id: typed::ExprId) -> ExprId {
        self.leaf((id, 0))
    }

    /// All leaves of an expression.
    pub fn leaves(&mut self, id: typed::ExprId) -> Vec<ExprId> {
        (0..self.typed[id].ty.leaves()).map(|leaf| self.leaf((id, leaf))).collect()
    }

    /// A leaf of an expression, with an explicit stack of what waits for its
    /// operands.
    pub fn leaf(&mut self, root: LeafId) -> ExprId {
        let mut stack = vec![root];
        while let Some(&leaf) = stack.last() {
            if self.done.contains_key(&leaf) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let done = &self.done;
            let mut need = |operand: LeafId| {
                if !done.contains_key(&operand) {
                    stack.push(operand);
                }
            };
            match self.typed[leaf.0].kind {
                typed::ExprKind::Pre(a) => need((a, leaf.1)),
                typed::ExprKind::Fby(a, b) => {
                    need((a, leaf.1));
                    need((b, leaf.1));
                }
                typed::ExprKind::Held(value, _) => {
                    self.typed.present_leaves(leaf, &mut need);
                    let scope = self.layout.scope(self.typed[value].scope);
                    scope.activation.into_iter().for_each(|e| need((e, 0)));
                }
                _ => self.typed.present_leaves(leaf, need),
            }
            if stack.len() == before {
                let made = self.make(leaf);
                self.done.insert(leaf, made);
                stack.pop();
            }
        }
        self.done[&root]
    }

    /// The kernel's type of a leaf.
    pub fn ty(&self, ty: &lustral_sema::Type) -> Type {
        Type::of(self.layout.program, ty)
    }

    pub(crate) fn push(&mut self, (id, leaf): LeafId, kind: ExprKind, ty: Type) -> ExprId {
        let span: Span = self.typed[id].span;
        self.exprs.push(Expr { kind, ty, source: Some((id, leaf)), span })
    }

    /// A leaf whose operands are made.
    fn make(&mut self, (id, leaf): LeafId) -> ExprId {
        let typed = self.typed;
        let expr = &typed[id];
        let at = |id: &typed::ExprId, leaf: u32| self.done[&(*id, leaf)];
        let kind = match &expr.kind {
            typed::ExprKind::Bool(b) => ExprKind::Bool(*b),
            typed::ExprKind::Int(n) => ExprKind::Int(n.clone()),
            typed::ExprKind::Real(r) => ExprKind::Real(r.clone()),
            typed::ExprKind::Enum(e, i) => ExprKind::Enum(enumeration(self.layout.program, *e), *i),
            typed::ExprKind::Machine(shape, n) => ExprKind::Machine(*shape, n.clone()),
            typed::ExprKind::Const(c) => ExprKind::Const(self.layout.constant(*c, leaf)),
            typed::ExprKind::Stream(s) => ExprKind::Flow(self.layout.flow(*s, leaf)),
            typed::ExprKind::Output(call, i) => {
                let position = self.layout.output(*call, *i, leaf);
                return self.output((id, leaf), *call, position);
            }
            typed::ExprKind::When(sampled, _) => return self.read((*sampled, leaf), expr.scope),
            typed::ExprKind::Merge(clock, branches) => {
                return self.merge((id, leaf), *clock, branches);
            }
            typed::ExprKind::Held(value, default) => {
                return self.held((id, leaf), *value, *default);
            }
            typed::ExprKind::Unary(op, a) => ExprKind::Unary(*op, at(a, 0)),
            typed::ExprKind::Binary(op, a, b) if typed[*a].ty.is_scalar() => {
                ExprKind::Binary(*op, at(a, 0), at(b, 0))
            }
            typed::ExprKind::Binary(op, a, b) => return self.same((id, leaf), *op, *a, *b),
            typed::ExprKind::If(c, a, b) => ExprKind::If(at(c, 0), at(a, leaf), at(b, leaf)),
            typed::ExprKind::AtMostOne(list) => {
                ExprKind::AtMostOne(list.iter().map(|e| at(e, 0)).collect())
            }
            typed::ExprKind::Pre(a) => ExprKind::Pre(at(a, leaf)),
            typed::ExprKind::Arrow(a, b) => ExprKind::Arrow(at(a, leaf), at(b, leaf)),
            // `a fby b` is `a -> pre b`.
            typed::ExprKind::Fby(a, b) => {
                let (a, delayed) = (at(a, leaf), ExprKind::Pre(at(b, leaf)));
                let delayed = self.push((id, leaf), delayed, self.ty(typed[*b].ty.leaf(leaf)));
                ExprKind::Arrow(a, delayed)
            }
            typed::ExprKind::At(..)
            | typed::ExprKind::Put(..)
            | typed::ExprKind::Everywhere(_)
            | typed::ExprKind::Within(..)
            | typed::ExprKind::ByKey(..) => self.keyed(id),
            typed::ExprKind::Any => ExprKind::Any,
            typed::ExprKind::Apply(function, _) => {
                let arguments = typed.arguments(id).map(|(e, leaf)| at(&e, leaf)).collect();
                ExprKind::Apply(self.layout.function(*function, leaf), arguments)
            }
            typed::ExprKind::Compose(parts) => {
                let (part, inside) = expr.ty.at(leaf).expect("what is composed has parts");
                return at(&parts[part as usize], inside);
            }
            typed::ExprKind::Repeat(element) => {
                return at(element, leaf % typed[*element].ty.leaves());
            }
            typed::ExprKind::Part(whole, part) => {
                return at(whole, typed[*whole].ty.first_leaf(*part) + leaf);
            }
            typed::ExprKind::With(whole, part, value) => {
                let (first, size) = (expr.ty.first_leaf(*part), expr.ty.part(*part).leaves());
                let changed = leaf.checked_sub(first).filter(|inside| *inside < size);
                return changed.map_or_else(|| at(whole, leaf), |inside| at(value, inside));
            }
            typed::ExprKind::WithElement(array, index, value) => {
                let size = expr.ty.part(0).leaves();
                let (index, old) = (at(index, 0), at(array, leaf));
                let new = at(value, leaf % size);
                let here = self.compare((id, leaf), BinaryOp::Equal, index, leaf / size);
                ExprKind::If(here, new, old)
            }
            typed::ExprKind::Element(array, index, outside) => {
                let outside = outside.map(|outside| at(&outside, leaf));
                return self.element((id, leaf), (*array, *index), outside);
            }
        };
        self.push((id, leaf), kind, self.ty(expr.ty.leaf(leaf)))
    }

    /// An expression on a leaf of a set or map, whose operands are made.
    fn keyed(&self, id: typed::ExprId) -> ExprKind {
        let typed = self.typed;
        let at = |id: &typed::ExprId, leaf: u32| self.done[&(*id, leaf)];
        let index = |key: typed::ExprId| -> Vec<ExprId> {
            typed.key_leaves(key).map(|leaf| self.done[&leaf]).collect()
        };
        match &typed[id].kind {
            typed::ExprKind::At(table, key) => ExprKind::At(at(table, 0), index(*key)),
            typed::ExprKind::Put(table, key, value) => {
                ExprKind::Put(at(table, 0), index(*key), at(value, 0))
            }
            typed::ExprKind::Within(limit, list) => {
                ExprKind::Within(*limit, list.iter().map(|operand| at(operand, 0)).collect())
            }
            typed::ExprKind::ByKey(c, a, b) => ExprKind::ByKey(at(c, 0), at(a, 0), at(b, 0)),
            typed::ExprKind::Everywhere(value) => match self.ty(&typed[id].ty).sort {
                Sort::Array(sort) => ExprKind::Everywhere(sort, at(value, 0)),
                _ => unreachable!("types were checked: values for all keys of no set or map"),
            },
            kind => unreachable!("no expression on keys: {kind:?}"),
        }
    }

    /// Whether two structures are the same, or are not.
    fn same(&mut self, of: LeafId, op: BinaryOp, a: typed::ExprId, b: typed::ExprId) -> ExprId {
        let typed = self.typed;
        let same = self.same_parts(of, &typed[a].ty, [(a, 0), (b, 0)]);
        match op {
            BinaryOp::Equal => same,
            _ => self.push(of, ExprKind::Unary(UnaryOp::Not, same), Type::BOOL),
        }
    }

    /// Whether two parts of a type are the same, by the first leaves of both. Of a data
    /// type those fields count that the constructor has which made the value.
    fn same_parts(
        &mut self,
        of: LeafId,
        ty: &lustral_sema::Type,
        [(a, first), (b, other)]: [LeafId; 2],
    ) -> ExprId {
        if !ty.has_variants() {
            let mut all: Vec<ExprId> = Vec::new();
            for leaf in 0..ty.leaves() {
                let (a, b) = (self.done[&(a, first + leaf)], self.done[&(b, other + leaf)]);
                all.push(self.push(of, ExprKind::Binary(BinaryOp::Equal, a, b), Type::BOOL));
            }
            return self.all_of(of, all);
        }
        let part = |this: &mut Self, i: u32| {
            let inside = ty.first_leaf(i);
            this.same_parts(of, ty.part(i), [(a, first + inside), (b, other + inside)])
        };
        let Some(variants) = ty.variants() else {
            let all = (0..ty.part_count()).map(|i| part(self, i)).collect();
            return self.all_of(of, all);
        };
        let mut all = vec![part(self, 0)];
        let tag = self.done[&(a, first)];
        for constructor in 0..variants.count() {
            let fields: Vec<ExprId> = variants.fields(constructor).map(|i| part(self, i)).collect();
            if fields.is_empty() {
                continue;
            }
            let fields = self.all_of(of, fields);
            let known = enumeration(self.layout.program, variants.tag);
            let ty = self.ty(&lustral_sema::Type::Enum(variants.tag));
            let made = self.push(of, ExprKind::Enum(known, constructor), ty);
            let made = ExprKind::Binary(BinaryOp::Equal, tag, made);
            let made = self.push(of, made, Type::BOOL);
            let implied = ExprKind::Binary(BinaryOp::Implies, made, fields);
            all.push(self.push(of, implied, Type::BOOL));
        }
        self.all_of(of, all)
    }

    /// Whether all of some truth values hold, of which there is one at least.
    fn all_of(&mut self, of: LeafId, mut all: Vec<ExprId>) -> ExprId {
        // A balanced tree, so that it is not as deep as there are leaves.
        while all.len() > 1 {
            let pairs: Vec<Vec<ExprId>> = all.chunks(2).map(<[ExprId]>::to_vec).collect();
            let both = |pair: Vec<ExprId>| match pair[..] {
                [a, b] => self.push(of, ExprKind::Binary(BinaryOp::And, a, b), Type::BOOL),
                _ => pair[0],
            };
            all = pairs.into_iter().map(both).collect();
        }
        all[0]
    }

    /// An index compared with a number, once for all that ask.
    fn compare(&mut self, of: LeafId, op: BinaryOp, index: ExprId, number: u32) -> ExprId {
        if let Some(known) = self.comparisons.get(&(op, index, number)) {
            return *known;
        }
        let constant = self.push(of, ExprKind::Int(BigInt::from(number)), Type::INT);
        let made = self.push(of, ExprKind::Binary(op, index, constant), Type::BOOL);
        self.comparisons.insert((op, index, number), made);
        made
    }

    /// `if 0 <= i and i < n then (the element) else (what is outside, or anything)`
    fn element(
        &mut self,
        (id, leaf): LeafId,
        (array, index): (typed::ExprId, typed::ExprId),
        outside: Option<ExprId>,
    ) -> ExprId {
        let of = (id, leaf);
        let size = self.typed[id].ty.leaves();
        let count = self.typed[array].ty.part_count();
        let ty = self.ty(self.typed[id].ty.leaf(leaf));
        let index = self.done[&(index, 0)];
        // Runs of elements, each with the first of its indices; two neighbours
        // become one until one is left.
        let element = |i: u32| (i, self.done[&(array, i * size + leaf)]);
        let mut runs: Vec<(u32, ExprId)> = (0..count).map(element).collect();
        while runs.len() > 1 {
            let mut halved = Vec::with_capacity(runs.len().div_ceil(2));
            for pair in runs.chunks(2) {
                halved.push(match *pair {
                    [(first, low), (middle, high)] => {
                        let below = self.compare(of, BinaryOp::Less, index, middle);
                        (first, self.push(of, ExprKind::If(below, low, high), ty.clone()))
                    }
                    _ => pair[0],
                });
            }
            runs = halved;
        }
        let above = self.compare(of, BinaryOp::GreaterEqual, index, 0);
        let below = self.compare(of, BinaryOp::Less, index, count);
        let inside = self.push(of, ExprKind::Binary(BinaryOp::And, above, below), Type::BOOL);
        let outside = outside.unwrap_or_else(|| self.push(of, ExprKind::Any, ty.clone()));
        self.push(of, ExprKind::If(inside, runs[0].1, outside), ty)
    }
}
