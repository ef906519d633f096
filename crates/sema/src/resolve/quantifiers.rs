//! Quantifiers over finitely many values: what is quantified is resolved once for
//! each combination of values. A variable has few values because of its type, or
//! because a condition of the body bounds it:
//!
//! ```text
//! forall (i: int) 0 <= i and i < n => e        exists (i: int) 0 <= i and i < n and e
//! ```
//!
//! Outside of these bounds the one is true and the other false, so that leaving
//! out the other integers changes nothing.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp as A, ExprKind as Ast, Quantifier, TypeKind};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::scope::{Binding, Bound};
use super::{Components, Resolver};
use crate::program::{BinaryOp, ExprId, ExprKind, Meaning};
use crate::types::{Type, Value};

/// How many combinations of values there may be, in all quantifiers of a node.
const MOST: usize = 200_000;

/// How deep quantifiers may be nested: each is resolved inside of the others.
const DEEPEST: usize = 32;

impl<'a> Resolver<'a> {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        variables: &'a [ast::Variable],
        body: ast::ExprId,
        span: Span,
    ) -> Components {
        let outer = self.scope.bindings.len();
        if outer + variables.len() > DEEPEST {
            let message = format!("at most {DEEPEST} variables can be quantified in each other");
            self.push(Diagnostic::error(Code::Syntax, span, message));
            return None;
        }
        if let Quantifier::Chosen(choice) = quantifier {
            return self.chosen(choice, variables, body, span);
        }
        let mut domains = Vec::new();
        for variable in variables {
            domains.push(self.domain(quantifier, variable, variables, body)?);
        }
        let count = domains.iter().try_fold(1usize, |n, (list, _)| n.checked_mul(list.len()));
        // What is inside is resolved as often, so that the limit is one for all.
        let left = MOST.saturating_sub(self.scope.quantified);
        let Some(count) = count.filter(|n| *n <= left) else {
            let message = format!("the quantifiers of a node go over at most {MOST} values");
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        };
        self.scope.quantified += count;
        let first = self.scope.declared_indices.len() as u32;
        let declared = variables.iter().map(|v| (v.name.name.clone(), v.name.span));
        self.scope.declared_indices.extend(declared);
        let mut found = Vec::with_capacity(count);
        let mut named = None;
        let before = self.scope.mark();
        // Where there are no values, it is resolved for one all the same: it may have
        // mistakes.
        for position in 0..count.max(1) {
            let mut rest = position;
            for ((variable, (values, ty)), index) in variables.iter().zip(&domains).zip(first..) {
                let kind = values.get(rest % values.len().max(1)).cloned();
                let zero = match ty {
                    Type::Machine(shape) => ExprKind::Machine(*shape, BigInt::ZERO),
                    _ => ExprKind::Int(BigInt::ZERO),
                };
                let kind = kind.unwrap_or(zero);
                rest /= values.len().max(1);
                let (name, meaning) = (variable.name.name.clone(), Meaning::Index(index));
                let value = Bound::Constant(kind);
                self.scope.bindings.push(Binding { name, value, ty: ty.clone(), meaning });
            }
            let quiet = std::mem::take(&mut self.diagnostics);
            let one = self.quantified_once(quantifier, variables, body);
            let own = std::mem::replace(&mut self.diagnostics, quiet);
            if position == 0 || own.has_errors() {
                own.iter().for_each(|d| self.push(d.clone()));
            }
            self.scope.bindings.truncate(outer);
            self.uses.truncate(*named.get_or_insert(self.uses.len()));
            found.push(one?);
        }
        if count == 0 {
            found.clear();
            self.scope.take_back(before);
        }
        Some(vec![self.together(quantifier, found, span)])
    }

    /// What is quantified, for the values that its variables stand for; where the types of
    /// these have conditions, only the values count of which they hold.
    fn quantified_once(
        &mut self,
        quantifier: Quantifier,
        variables: &'a [ast::Variable],
        body: ast::ExprId,
    ) -> Option<ExprId> {
        let mut inside = Vec::new();
        for variable in variables.iter().filter(|v| !matches!(v.ty.kind, TypeKind::Error)) {
            if self.is_refined(&variable.ty) {
                let value = self.name(&variable.name.name, variable.name.span)?;
                inside.extend(self.conditions(&variable.ty, value[0])?);
            }
        }
        let one = self.boolean(body, "what is quantified")?;
        if inside.is_empty() {
            return Some(one);
        }
        let span = self.scope.exprs[one].span;
        let inside = self.conjunction(&inside, span);
        let op = if quantifier == Quantifier::All { BinaryOp::Implies } else { BinaryOp::And };
        Some(self.push_bool(ExprKind::Binary(op, inside, one), span))
    }

    /// All, or one, of some truth values; a balanced tree.
    fn together(&mut self, quantifier: Quantifier, mut all: Vec<ExprId>, span: Span) -> ExprId {
        let (op, none) = match quantifier {
            Quantifier::All => (BinaryOp::And, true),
            Quantifier::Some | Quantifier::Chosen(_) => (BinaryOp::Or, false),
        };
        if all.is_empty() {
            return self.scope.exprs.push(ExprKind::Bool(none), Type::Bool, span);
        }
        while all.len() > 1 {
            let mut halved = Vec::with_capacity(all.len().div_ceil(2));
            for pair in all.chunks(2) {
                halved.push(match *pair {
                    [a, b] => self.scope.exprs.push(ExprKind::Binary(op, a, b), Type::Bool, span),
                    _ => pair[0],
                });
            }
            all = halved;
        }
        all[0]
    }

    /// The values of a variable, and their type.
    fn domain(
        &mut self,
        quantifier: Quantifier,
        variable: &'a ast::Variable,
        all: &[ast::Variable],
        body: ast::ExprId,
    ) -> Option<(Vec<ExprKind>, Type)> {
        let ty = self.ty(&variable.ty)?;
        let values = match &ty {
            Type::Bool => vec![ExprKind::Bool(false), ExprKind::Bool(true)],
            Type::Enum(id) => {
                let count = self.program.enums[id.index()].values.len() as u32;
                (0..count).map(|i| ExprKind::Enum(*id, i)).collect()
            }
            Type::Machine(shape) => {
                let [least, most] = shape.range();
                let mut known = (Some(least), Some(most));
                narrow(&mut known, self.bounds_of_type(&variable.ty));
                let found = self.bounds(quantifier, (&variable.name.name, all), body);
                narrow(&mut known, found);
                match known {
                    (Some(low), Some(high)) => {
                        integers(&low, &high).map(|n| ExprKind::Machine(*shape, n)).collect()
                    }
                    _ => return self.unbounded(variable, &ty),
                }
            }
            Type::Subrange(_) | Type::Int => {
                let own = match &ty {
                    Type::Subrange(bounds) => (bounds.low.clone(), bounds.high.clone()),
                    _ => (None, None),
                };
                let mut known = self.bounds_of_type(&variable.ty);
                narrow(&mut known, own);
                if known.0.is_none() || known.1.is_none() {
                    let found = self.bounds(quantifier, (&variable.name.name, all), body);
                    narrow(&mut known, found);
                }
                match known {
                    (Some(low), Some(high)) => integers(&low, &high).map(ExprKind::Int).collect(),
                    _ => return self.unbounded(variable, &ty),
                }
            }
            _ => return self.unbounded(variable, &ty),
        };
        Some((values, ty))
    }

    fn unbounded<T>(&mut self, variable: &ast::Variable, ty: &Type) -> Option<T> {
        let name = &variable.name;
        let mut diagnostic =
            Diagnostic::unsupported(name.span, "quantifiers over unboundedly many values");
        if *ty == Type::Int {
            diagnostic = diagnostic.help(format!(
                "bound it: `forall ({0}: int) 0 <= {0} and {0} < n => …`, or with `exists` and `and`",
                name.name
            ));
        }
        self.push(diagnostic);
        None
    }

    /// The bounds that conditions of a body give a variable.
    fn bounds(
        &mut self,
        quantifier: Quantifier,
        (name, all): (&str, &[ast::Variable]),
        body: ast::ExprId,
    ) -> Ends {
        let mut conditions = Vec::new();
        match (quantifier, &self.ast[body].kind) {
            (Quantifier::All, Ast::Binary(A::Implies | A::LazyImplies, condition, _)) => {
                conditions.push(*condition);
            }
            (Quantifier::Some, _) => conditions.push(body),
            _ => {}
        }
        self.bounds_of(name, all, conditions)
    }

    /// The bounds that some conditions, which all hold, give a variable.
    pub(super) fn bounds_of(
        &mut self,
        name: &str,
        all: &[ast::Variable],
        mut conditions: Vec<ast::ExprId>,
    ) -> Ends {
        let (mut low, mut high): Ends = (None, None);
        while let Some(condition) = conditions.pop() {
            let Ast::Binary(op, a, b) = self.ast[condition].kind else { continue };
            if matches!(op, A::And | A::AndThen) {
                conditions.extend([a, b]);
                continue;
            }
            let is_it =
                |id: ast::ExprId| matches!(&self.ast[id].kind, Ast::Name(n) if **n == *name);
            // As if the variable stood on the left.
            let (op, other) = match (is_it(a), is_it(b)) {
                (true, false) => (op, b),
                (false, true) => (mirrored(op), a),
                _ => continue,
            };
            if self.is_hidden(other, all) {
                continue;
            }
            let Some(bound) = self.quiet_int(other) else { continue };
            match op {
                A::Less => lower(&mut high, bound - 1),
                A::LessEqual => lower(&mut high, bound),
                A::Greater => raise(&mut low, bound + 1),
                A::GreaterEqual => raise(&mut low, bound),
                A::Equal => {
                    raise(&mut low, bound.clone());
                    lower(&mut high, bound);
                }
                _ => {}
            }
        }
        (low, high)
    }

    /// Whether an expression names something that hides a constant of the same name: a
    /// flow, or a variable of the same quantifier. Its value is not known then.
    fn is_hidden(&self, root: ast::ExprId, variables: &[ast::Variable]) -> bool {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if let Ast::Name(name) = &self.ast[id].kind {
                let bound = self.scope.bindings.iter().any(|b| b.name == *name);
                let known = bound || self.scope.parameters.contains_key(name);
                let quantified = variables.iter().any(|v| v.name.name == *name);
                if quantified || self.scope.streams.contains_key(name) && !known {
                    return true;
                }
            }
            stack.extend(self.ast.operands(id));
        }
        false
    }

    /// The value of an expression if it is a constant integer; nothing is reported
    /// if it is not.
    fn quiet_int(&mut self, root: ast::ExprId) -> Option<BigInt> {
        match self.quiet_constant(root)?.0?.into_iter().next() {
            Some(Value::Int(n) | Value::Machine(_, n)) => Some(n),
            _ => None,
        }
    }

    /// The values of the leaves of an expression if it is constant and they are known, and
    /// its type; nothing is reported.
    pub(super) fn quiet_constant(
        &mut self,
        root: ast::ExprId,
    ) -> Option<(Option<Vec<Value>>, Type)> {
        let outer = std::mem::take(&mut self.diagnostics);
        let (uses, broken) = (self.uses.len(), self.broken);
        let found = self.constant_bound(root);
        self.diagnostics = outer;
        self.uses.truncate(uses);
        self.broken = broken;
        found
    }
}

/// A smallest and a largest value, where there are such.
pub(super) type Ends = (Option<BigInt>, Option<BigInt>);

/// Moves bounds to where others are narrower.
pub(super) fn narrow(ends: &mut Ends, others: Ends) {
    others.0.into_iter().for_each(|n| raise(&mut ends.0, n));
    others.1.into_iter().for_each(|n| lower(&mut ends.1, n));
}

fn lower(bound: &mut Option<BigInt>, other: BigInt) {
    *bound = Some(bound.take().map_or(other.clone(), |known| known.min(other)));
}

fn raise(bound: &mut Option<BigInt>, other: BigInt) {
    *bound = Some(bound.take().map_or(other.clone(), |known| known.max(other)));
}

/// The comparison with its sides exchanged.
fn mirrored(op: A) -> A {
    match op {
        A::Less => A::Greater,
        A::LessEqual => A::GreaterEqual,
        A::Greater => A::Less,
        A::GreaterEqual => A::LessEqual,
        other => other,
    }
}

/// The integers between bounds; more than can be gone through are as good as too
/// many.
pub(super) fn integers(low: &BigInt, high: &BigInt) -> impl Iterator<Item = BigInt> + use<> {
    let (low, high) = (low.clone(), high.clone());
    (0..=MOST).map(move |i| &low + i).take_while(move |n| *n <= high)
}
