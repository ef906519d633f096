//! Quantifiers over more values than can be written out. Where it is known that what they
//! say is to be shown, or is assumed (`polarity.rs`), the variable is a flow that has any
//! value at each step, which a counterexample shows; elsewhere it is eliminated
//! (`elimination.rs`). What can be treated in neither way is not supported, and said so.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Quantifier};
use lustral_syntax::diagnostic::Diagnostic;
use rustc_hash::FxHashSet;

use super::Resolver;
use super::scope::{Mark, ScopeKind};
use crate::program::{Condition, ExprId, ExprKind, ScopeId, Stream, StreamId, StreamKind};
use crate::types::Type;

/// What depends on the value of a quantified variable.
pub(super) struct Dependents {
    /// The first expression that may: the variable itself.
    first: u32,
    exprs: Vec<bool>,
    flows: FxHashSet<StreamId>,
}

impl Dependents {
    pub(super) fn has(&self, expr: ExprId) -> bool {
        let position = expr.0.checked_sub(self.first);
        position.is_some_and(|i| self.exprs.get(i as usize).copied().unwrap_or(false))
    }
}

impl<'a> Resolver<'a> {
    /// The value that a variable with many values stands for: that of a flow where it may
    /// be chosen, or else of an expression that is to be eliminated.
    pub(super) fn open_value(
        &mut self,
        variable: &ast::Variable,
        ty: &Type,
        chosen: bool,
    ) -> ExprId {
        let (ty, span) = (ty.without_bounds(), variable.name.span);
        let any = self.scope.exprs.push(ExprKind::Any, ty.clone(), span);
        if !chosen {
            return any;
        }
        let id = StreamId(self.scope.types.len() as u32);
        self.scope.pending.push(Stream {
            name: variable.name.name.clone(),
            ty: ty.clone(),
            span,
            kind: StreamKind::Local,
            definition: Some(any),
            clock: self.scope.sampled.last().copied(),
            scope: ScopeId::NODE,
            condition: None,
            constant: None,
            hidden: false,
        });
        self.scope.types.push(Some(ty.clone()));
        self.scope.levels.insert(id, self.scope.sampled.len());
        self.scope.exprs.push(ExprKind::Stream(id), ty, span)
    }

    /// Lets a variable of a property that is a key of sets or maps stand for one value at all
    /// steps.
    ///
    /// The property fails in an execution at a step exactly where it fails for some value at
    /// that step (`polarity.rs`); nothing that has a memory depends on the value
    /// (`is_of_one_step`), so it may as well have been that value from the first step on.
    /// What is known of one key is then known of it at the steps before, which is how what
    /// holds of all elements of a set is shown by induction.
    pub(super) fn keep_chosen(&mut self, value: ExprId, since: &Mark) {
        let ExprKind::Stream(id) = self.scope.exprs[value].kind else { return };
        let plain = self.scope.kind == ScopeKind::Node && self.scope.sampled.is_empty();
        if !self.claims || !plain {
            return;
        }
        let dependents = self.dependents(value, since);
        let made = self.scope.exprs.iter().skip(since.exprs());
        let read = |(id, expr): (ExprId, &crate::program::Expr)| {
            matches!(expr.kind, ExprKind::At(..)) && dependents.has(id)
        };
        if !made.into_iter().any(read) {
            return;
        }
        let earlier = self.scope.types.len() - self.scope.pending.len();
        let Some(position) = id.index().checked_sub(earlier) else { return };
        let Some(any) = self.scope.pending[position].definition else { return };
        let (ty, span) = (self.scope.exprs[value].ty.clone(), self.scope.exprs[value].span);
        let exprs = &mut self.scope.exprs;
        let itself = exprs.push(ExprKind::Stream(id), ty.clone(), span);
        let before = exprs.push(ExprKind::Pre(itself), ty.clone(), span);
        let kept = exprs.push(ExprKind::Arrow(any, before), ty, span);
        self.scope.pending[position].definition = Some(kept);
    }

    /// Whether a quantifier over many values can stand here at all; reports if not.
    pub(super) fn may_be_open(&mut self, variable: &ast::Variable, ty: &Type) -> bool {
        if self.scope.closed || self.scope.kind == ScopeKind::Constant {
            self.unbounded(variable, ty, None);
            return false;
        }
        true
    }

    /// Says that a quantifier is not supported, and where the reason stands.
    pub(super) fn unbounded(
        &mut self,
        variable: &ast::Variable,
        ty: &Type,
        why: Option<(Span, &str)>,
    ) {
        let name = &variable.name;
        let what = match why {
            Some(_) => "quantifiers over unboundedly many values in this place",
            None => "quantifiers over unboundedly many values in constants and candidates",
        };
        let mut diagnostic = Diagnostic::unsupported(name.span, what);
        if let Some((place, why)) = why {
            diagnostic = diagnostic.also(place, why);
        }
        diagnostic = diagnostic.help(match ty {
            Type::Int => format!(
                "bound it: `forall ({0}: int) 0 <= {0} and {0} < n => …`, or with `exists` and `and`",
                name.name
            ),
            _ => "state it as a property that begins with `forall`, or as an assertion that \
                  begins with `exists`"
                .into(),
        });
        self.push(diagnostic);
    }

    /// What depends on a value, among what was made after a mark.
    pub(super) fn dependents(&self, value: ExprId, since: &Mark) -> Dependents {
        let first = value.0;
        let count = self.scope.exprs.len() - first as usize;
        let mut found =
            Dependents { first, exprs: vec![false; count], flows: FxHashSet::default() };
        found.exprs[0] = true;
        if let ExprKind::Stream(flow) = self.scope.exprs[value].kind {
            found.flows.insert(flow);
        }
        let earlier = self.scope.types.len() - self.scope.pending.len();
        // Operands come first, but flows may be used before they are known to depend.
        loop {
            let before = found.flows.len();
            for (id, expr) in self.scope.exprs.iter().skip(first as usize) {
                let depends = match &expr.kind {
                    ExprKind::Stream(flow) => found.flows.contains(flow),
                    ExprKind::Output(call, _) => {
                        let call = &self.scope.calls[call.index()];
                        let given = call.args.iter().chain(&call.clock).chain(&call.reset);
                        given.copied().any(|given| found.has(given))
                            || call.part.is_some_and(|part| found.flows.contains(&part.flow))
                    }
                    ExprKind::When(_, Condition { flow, .. }) if found.flows.contains(flow) => true,
                    kind => operands(kind).into_iter().any(|operand| found.has(operand)),
                };
                found.exprs[(id.0 - first) as usize] |= depends;
            }
            for (i, flow) in self.scope.pending.iter().enumerate().skip(since.pending()) {
                if flow.definition.is_some_and(|definition| found.has(definition)) {
                    found.flows.insert(StreamId((earlier + i) as u32));
                }
            }
            if found.flows.len() == before {
                return found;
            }
        }
    }

    /// Whether what is quantified has a meaning step by step, where the variable is chosen
    /// at each step anew: what has a memory must not depend on it, because what it stands
    /// for is one value at all steps. Reports if not.
    pub(super) fn is_of_one_step(
        &mut self,
        (variable, ty): (&ast::Variable, &Type),
        (value, since): (ExprId, &Mark),
    ) -> bool {
        let dependents = self.dependents(value, since);
        let itself = usize::from(matches!(self.scope.exprs[value].kind, ExprKind::Stream(_)));
        // Where the steps of a part depend on it, no part may have a memory.
        let clocked = dependents.flows.len() > itself;
        let mut found = None;
        for (id, expr) in self.scope.exprs.iter().skip(since.exprs()) {
            let remembers = match &expr.kind {
                ExprKind::Pre(a) | ExprKind::Fby(_, a) => clocked || dependents.has(*a),
                ExprKind::Held(..) => clocked || dependents.has(id),
                ExprKind::Arrow(..) => clocked,
                ExprKind::Output(call, _) if self.scope.stateful.contains(call) => {
                    clocked || dependents.has(id)
                }
                _ => false,
            };
            if remembers {
                found = Some((expr.span, "this remembers what depends on the variable"));
                break;
            }
        }
        let chosen = &self.scope.chosen[since.chosen()..];
        if let Some((_, place)) = chosen.iter().find(|(holds, _)| dependents.has(*holds)) {
            found = found.or(Some((*place, "what is chosen here depends on the variable")));
        }
        if found.is_some() {
            self.unbounded(variable, ty, found);
        }
        found.is_none()
    }

    /// The quantifier without a variable, whose value `value` stands for in `one`.
    pub(super) fn without_variable(
        &mut self,
        quantifier: Quantifier,
        (variable, ty): (&ast::Variable, &Type),
        (value, since): (ExprId, &Mark),
        one: ExprId,
    ) -> Option<ExprId> {
        let dependents = self.dependents(value, since);
        match self.eliminate(quantifier, value, &dependents, one) {
            Ok(found) => Some(found),
            Err(place) => {
                let why = match self.scope.exprs[place].kind {
                    ExprKind::Output(..) => "a call depends on the variable",
                    _ => "the variable is not only compared, as a sum with constant factors",
                };
                let span = self.scope.exprs[place].span;
                self.unbounded(variable, ty, Some((span, why)));
                None
            }
        }
    }
}

/// The operands of an expression, at whatever step.
pub(super) fn operands(kind: &ExprKind) -> Vec<ExprId> {
    let found = std::cell::RefCell::new(Vec::new());
    let _ = kind.with_operands(|operand| {
        found.borrow_mut().push(operand);
        operand
    });
    found.into_inner()
}
