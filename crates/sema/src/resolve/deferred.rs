//! Operators of which a side takes a step only where it is chosen: `when c then a else b`,
//! `a and then b`, `a or else b`, `a ==> b`. Where nothing in that side has steps or
//! obligations of its own, the value is all there is to it, and they are what `if`, `and`,
//! `or` and `=>` are. Otherwise they are blocks in small: what is chosen is a flow of its
//! own, and the side is resolved where that has its value (`lazy.rs`). So what a function
//! asks of its arguments is asked only there.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp as A, ExprKind as Ast, Quantifier, UnaryOp};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashSet;

use super::polarity::Stance;
use super::scope::ScopeKind;
use super::{Components, Resolver};
use crate::program::{Condition, ExprId, ExprKind, Node, ScopeId, Stream, StreamId, StreamKind};
use crate::types::Type;

/// How deep the sides of lazy operators, and blocks around them, may be nested.
pub(super) const DEEPEST: usize = 96;

impl Resolver<'_> {
    /// The lazy operators in a run of the arena whose sides are resolved by themselves.
    pub(super) fn deferred(&self, first: u32, root: u32) -> FxHashSet<ast::ExprId> {
        let ids = || (first..=root).map(ast::ExprId);
        let ast = self.ast;
        if self.scope.kind == ScopeKind::Constant || !ids().any(|id| sides(ast, id).is_some()) {
            return FxHashSet::default();
        }
        // How many of those before each expression take steps, or ask for something where
        // they are evaluated.
        let mut before = vec![0_u32];
        for id in ids() {
            let counts = self.takes_steps(id) || self.is_selector(id);
            before.push(before[before.len() - 1] + u32::from(counts));
        }
        let at = |id: u32| before[(id - first) as usize];
        let deferred = |id: &ast::ExprId| {
            sides(ast, *id).is_some_and(|(first, last)| at(last + 1) > at(first))
        };
        ids().filter(deferred).collect()
    }

    /// A lazy operator whose sides are still to be resolved.
    pub(super) fn lazily(&mut self, id: ast::ExprId, condition: Components) -> Components {
        let span = self.ast[id].span;
        let stance = self.stance.take();
        let (first, last) = sides(self.ast, id)?;
        let steps = (first..=last).any(|inside| self.takes_steps(ast::ExprId(inside)));
        if self.scope.closed && steps {
            let what = "lazy operators with calls, memory or types of expressions here";
            self.push(Diagnostic::unsupported(span, what));
            return None;
        }
        if self.scope.sampled.len() >= DEEPEST || self.choices_around >= DEEPEST {
            self.too_deep(span);
            return None;
        }
        self.choices_around += 1;
        let found = self.lazily_inside(id, condition, (steps, stance));
        self.choices_around -= 1;
        found
    }

    /// Says that choices are nested too deeply.
    pub(super) fn too_deep(&mut self, span: Span) {
        let message = format!("lazy operators and `match` are nested at most {DEEPEST} deep");
        self.push(Diagnostic::error(Code::Syntax, span, message));
    }

    fn lazily_inside(
        &mut self,
        id: ast::ExprId,
        condition: Components,
        (steps, stance): (bool, Option<Stance>),
    ) -> Components {
        let span = self.ast[id].span;
        // What it is where the condition is false, and where it is true.
        let (word, branches) = match self.ast[id].kind {
            Ast::Lazy(_, then, other) => ("when", [Ok(other), Ok(then)]),
            Ast::Binary(A::AndThen, _, b) => ("and then", [Err(false), Ok(b)]),
            Ast::Binary(A::OrElse, _, b) => ("or else", [Ok(b), Err(true)]),
            Ast::Binary(A::LazyImplies, _, b) => ("==>", [Err(true), Ok(b)]),
            ref other => unreachable!("not lazy: {other:?}"),
        };
        let condition = condition.and_then(|list| self.chooses(&list, word, span));
        if !steps {
            return self.by_value((word, stance), condition, branches, span);
        }
        let flow = self.choice(condition, span);
        let mut values = Vec::new();
        for (value, branch) in (0..).zip(branches) {
            let found = match branch {
                Err(known) => Some(self.scalar(ExprKind::Bool(known), Type::Bool, span)),
                Ok(branch) => {
                    let side = Condition { flow, value };
                    self.stance = stance;
                    let found = self.inside(side, |this| this.expr(branch));
                    found.filter(|list| word == "when" || self.chooses(list, word, span).is_some())
                }
            };
            values.push(found);
        }
        let [no, yes] = <[Components; 2]>::try_from(values).ok()?;
        let pairs = self.pairs(word, yes?, no?, span)?;
        condition?;
        let clock = self.scope.exprs.push(ExprKind::Stream(flow), Type::Bool, span);
        let exprs = &mut self.scope.exprs;
        let one = |(yes, no, ty)| exprs.push(ExprKind::Merge(clock, vec![no, yes]), ty, span);
        Some(pairs.into_iter().map(one).collect())
    }

    /// A lazy operator whose sides take no steps: it is known in each what was chosen.
    fn by_value(
        &mut self,
        (word, stance): (&str, Option<Stance>),
        condition: Option<ExprId>,
        branches: [Result<ast::ExprId, bool>; 2],
        span: Span,
    ) -> Components {
        let mut values = Vec::new();
        for (truth, branch) in [false, true].into_iter().zip(branches) {
            let guards: Vec<(ExprId, bool)> = condition.map(|c| (c, truth)).into_iter().collect();
            let found = match branch {
                Err(known) => Some(self.scalar(ExprKind::Bool(known), Type::Bool, span)),
                Ok(branch) => {
                    self.stance = stance;
                    self.guarded_by(&guards, |this| this.expr(branch))
                }
            };
            let found =
                found.filter(|list| word == "when" || self.chooses(list, word, span).is_some());
            values.push(found);
        }
        let [no, yes] = <[Components; 2]>::try_from(values).ok()?;
        self.conditional(vec![condition?], yes?, no?, span)
    }

    /// Whether it makes a difference at which steps an expression is evaluated.
    pub(super) fn takes_steps(&self, id: ast::ExprId) -> bool {
        match &self.ast[id].kind {
            // A value that is made has no state.
            Ast::Call(name, _) => {
                self.env.nodes.contains_key(&name.name) || !self.is_constructor(&name.name)
            }
            kind => takes_steps(kind),
        }
    }

    /// One truth value; reports if it is none.
    fn chooses(&mut self, list: &[ExprId], word: &str, span: Span) -> Option<ExprId> {
        let [one] = *list else {
            self.several(word, list.len(), span);
            return None;
        };
        self.expect(one, &Type::Bool, &format!("`{word}`")).then_some(one)
    }

    /// A flow that says which side is chosen.
    pub(super) fn choice(&mut self, condition: Option<ExprId>, span: Span) -> StreamId {
        self.pending_flow("chosen", Type::Bool, condition, span)
    }

    /// A flow that an expression makes, on the clock of the part around. It becomes one of the
    /// node when that is at hand ([`Resolver::settle`]).
    pub(super) fn pending_flow(
        &mut self,
        name: &str,
        ty: Type,
        definition: Option<ExprId>,
        span: Span,
    ) -> StreamId {
        let id = StreamId(self.scope.types.len() as u32);
        self.scope.pending.push(Stream {
            name: name.into(),
            ty: ty.clone(),
            span,
            kind: StreamKind::Local,
            definition,
            clock: self.scope.sampled.last().copied(),
            scope: ScopeId::NODE,
            condition: None,
            constant: None,
            hidden: true,
        });
        self.scope.types.push(Some(ty));
        self.scope.levels.insert(id, self.scope.sampled.len());
        id
    }

    /// Gives the node the flows that expressions made. All that adds flows to a node does
    /// this first, so that they keep their numbers.
    pub(super) fn settle(&mut self, node: &mut Node) {
        for flow in std::mem::take(&mut self.scope.pending) {
            let name = unique_name(node, &flow.name);
            node.streams.push(Stream { name, ..flow });
        }
    }
}

/// A name for a flow that no declaration has. By number and not by place, so that a flow
/// keeps its name when lines are added.
pub(crate) fn unique_name(node: &Node, name: &str) -> Arc<str> {
    let taken = |name: &str| node.streams.iter().any(|s| &*s.name == name);
    let mut unique = name.to_string();
    for number in 2.. {
        if !taken(&unique) {
            break;
        }
        unique = format!("{name} {number}");
    }
    unique.into()
}

/// The run of the arena with all sides of a lazy operator that it may not need.
pub(super) fn sides(ast: &ast::Exprs, id: ast::ExprId) -> Option<(u32, u32)> {
    match ast[id].kind {
        Ast::Lazy(condition, _, last) => Some((condition.0 + 1, last.0)),
        Ast::Binary(op, left, right) if op.is_lazy() => Some((left.0 + 1, right.0)),
        _ => None,
    }
}

/// Whether it makes a difference at which steps an expression that calls nothing is evaluated.
fn takes_steps(kind: &Ast) -> bool {
    match kind {
        Ast::Last(_)
        | Ast::Activated(_)
        | Ast::When(..)
        | Ast::Delayed(..)
        | Ast::Merge(..)
        | Ast::Arbitrary(..)
        | Ast::EmptyMap
        | Ast::Ascribed(..)
        | Ast::Quantified(Quantifier::Chosen(_), ..) => true,
        Ast::Unary(op, _) => matches!(op, UnaryOp::Pre | UnaryOp::Current),
        Ast::Binary(op, ..) => matches!(op, A::Arrow | A::Fby),
        _ => false,
    }
}
