//! Quantifiers. Over finitely many values, what is quantified is resolved once for
//! each combination of values; over others see `unbounded.rs`. A variable has few values because of its type, or
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

use super::polarity::Stance;
use super::scope::{Binding, Bound, Mark, ScopeKind};
use super::{Components, Resolver};
use crate::program::{BinaryOp, Condition, ExprId, ExprKind, Meaning};
use crate::types::{Type, Value};

/// How many combinations of values there may be, in all quantifiers of a node.
pub(super) const MOST: usize = 200_000;

/// How many values of a variable are written out where one may be chosen instead.
const MOST_WHERE_CHOSEN: usize = 5_000;

/// How deep quantifiers may be nested: each is resolved inside of the others.
const DEEPEST: usize = 32;

/// What a variable of a quantifier goes over.
struct Domain {
    /// Its values; none where they are too many to be written out.
    few: Option<Vec<ExprKind>>,
    ty: Type,
}

impl Domain {
    fn count(&self) -> usize {
        self.few.as_ref().map_or(1, Vec::len)
    }
}

impl<'a> Resolver<'a> {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        variables: &'a [ast::Variable],
        body: ast::ExprId,
        span: Span,
    ) -> Components {
        let stance = self.stance.take();
        let outer = self.scope.bindings.len();
        if outer + variables.len() > DEEPEST {
            let message = format!("at most {DEEPEST} variables can be quantified in each other");
            self.push(Diagnostic::error(Code::Syntax, span, message));
            return None;
        }
        if let Quantifier::Chosen(choice) = quantifier {
            return self.chosen(choice, variables, body, span);
        }
        let choose = stance.is_some_and(|stance| stance.lets_choose(quantifier));
        let mut domains = Vec::new();
        for variable in variables {
            let most = if choose { MOST_WHERE_CHOSEN } else { MOST };
            let domain = self.domain(quantifier, variable, variables, body, most)?;
            if domain.few.is_none() && !self.may_be_open(variable, &domain.ty) {
                return None;
            }
            domains.push(domain);
        }
        let count = domains.iter().try_fold(1usize, |n, domain| n.checked_mul(domain.count()));
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
        // Where a variable is eliminated, what is inside holds for all its values.
        let open = domains.iter().any(|domain| domain.few.is_none());
        let stance = stance.filter(|_| choose || !open);
        let mut found = Vec::with_capacity(count);
        let mut named = None;
        let (before, own_from) = (self.scope.mark(), self.scope.exprs.len());
        // Where there are no values, it is resolved for one all the same: it may have
        // mistakes.
        for position in 0..count.max(1) {
            let quiet = std::mem::take(&mut self.diagnostics);
            let since = self.scope.mark();
            self.stand_for(variables, &domains, (position, first, choose));
            self.stance = stance;
            let one = self.quantified_once(quantifier, variables, body).and_then(|one| {
                let open = variables.iter().zip(&domains);
                self.without_open(quantifier, open, (&since, choose), one)
            });
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
        let whole = self.together(quantifier, found, span);
        // Of one value it is what was quantified itself, which has the place of the whole.
        if whole.index() >= own_from {
            self.scope.exprs.set_span(whole, span);
        }
        Some(vec![whole])
    }

    /// What is quantified without those of its variables that have too many values, the last
    /// ones around.
    fn without_open<'v>(
        &mut self,
        quantifier: Quantifier,
        variables: impl ExactSizeIterator<Item = (&'v ast::Variable, &'v Domain)>,
        (since, choose): (&Mark, bool),
        mut one: ExprId,
    ) -> Option<ExprId> {
        let first = self.scope.bindings.len() - variables.len();
        for ((variable, domain), at) in variables.zip(first..) {
            let Bound::Expr(value, _) = self.scope.bindings[at].value else { continue };
            let (known, of) = ((variable, &domain.ty), (value, since));
            if !self.is_of_one_step(known, of) {
                return None;
            }
            if choose {
                self.keep_chosen(value, since);
            } else {
                one = self.without_variable(quantifier, known, of, one)?;
            }
        }
        Some(one)
    }

    /// Lets variables stand for a combination of their values, by its position among all.
    fn stand_for(
        &mut self,
        variables: &'a [ast::Variable],
        domains: &[Domain],
        (position, first, choose): (usize, u32, bool),
    ) {
        let mut rest = position;
        for ((variable, domain), index) in variables.iter().zip(domains).zip(first..) {
            let (ty, level) = (&domain.ty, self.scope.sampled.len());
            let (value, ty) = match &domain.few {
                None => {
                    let value = self.open_value(variable, ty, choose);
                    (Bound::Expr(value, level), ty.without_bounds())
                }
                Some(values) => {
                    let count = values.len().max(1);
                    let known = values.get(rest % count).cloned();
                    rest /= count;
                    let zero = match ty {
                        Type::Machine(shape) => ExprKind::Machine(*shape, BigInt::ZERO),
                        _ => ExprKind::Int(BigInt::ZERO),
                    };
                    (Bound::Constant(known.unwrap_or(zero)), ty.clone())
                }
            };
            let (name, meaning) = (variable.name.name.clone(), Meaning::Index(index));
            self.scope.bindings.push(Binding { name, value, ty, meaning });
        }
    }

    /// What is quantified, for the values that its variables stand for; where the types of
    /// these have conditions, only the values count of which they hold.
    fn quantified_once(
        &mut self,
        quantifier: Quantifier,
        variables: &'a [ast::Variable],
        body: ast::ExprId,
    ) -> Option<ExprId> {
        let stance = self.stance.take();
        let mut inside = Vec::new();
        let outer = self.scope.bindings.len() - variables.len();
        for (variable, at) in variables.iter().zip(outer..) {
            if matches!(variable.ty.kind, TypeKind::Error) {
                continue;
            }
            let uses = self.uses.len();
            let value = self.name(&variable.name.name, variable.name.span)?[0];
            self.uses.truncate(uses);
            // Its type sees the variables before it, and not those after it.
            let later = self.scope.bindings.split_off(at);
            let found = self.holds_of_variable(variable, &later[0].value, value);
            self.scope.bindings.extend(later);
            inside.extend(found?);
        }
        if inside.is_empty() {
            self.stance = stance;
            return self.boolean(body, "what is quantified");
        }
        let span = self.ast[body].span;
        let inside = self.conjunction(&inside, span);
        if self.only_calls_functions(body) {
            return self.where_it_holds(quantifier, inside, (body, stance));
        }
        let one = self.guarded_by(&[(inside, true)], |this| {
            this.stance = stance;
            this.boolean(body, "what is quantified")
        })?;
        let op = if quantifier == Quantifier::All { BinaryOp::Implies } else { BinaryOp::And };
        Some(self.push_bool(ExprKind::Binary(op, inside, one), span))
    }

    /// What the type of a variable says of the value that it stands for.
    fn holds_of_variable(
        &mut self,
        variable: &'a ast::Variable,
        bound: &Bound,
        value: ExprId,
    ) -> Option<Vec<ExprId>> {
        let mut found = Vec::new();
        if let Bound::Expr(..) = bound {
            let (uses, quiet) = (self.uses.len(), std::mem::take(&mut self.diagnostics));
            let ty = self.ty(&variable.ty);
            self.uses.truncate(uses);
            self.diagnostics = quiet;
            found.extend(self.bounds_of_value(value, &ty?, variable.name.span));
        }
        if self.is_refined(&variable.ty) {
            found.extend(self.conditions(&variable.ty, value)?);
        }
        Some(found)
    }

    /// What is quantified, which takes a step only where a condition holds: what functions
    /// assume is asked of these values only.
    fn where_it_holds(
        &mut self,
        quantifier: Quantifier,
        holds: ExprId,
        (body, stance): (ast::ExprId, Option<Stance>),
    ) -> Option<ExprId> {
        let span = self.ast[body].span;
        let flow = self.choice(Some(holds), span);
        let one = self.inside(Condition { flow, value: 1 }, |this| {
            this.stance = stance;
            this.boolean(body, "what is quantified")
        })?;
        let clock = self.push_bool(ExprKind::Stream(flow), span);
        let otherwise = self.push_bool(ExprKind::Bool(quantifier == Quantifier::All), span);
        Some(self.push_bool(ExprKind::Merge(clock, vec![otherwise, one]), span))
    }

    /// Whether an expression calls functions, and nothing in it has a memory.
    fn only_calls_functions(&self, body: ast::ExprId) -> bool {
        let (mut calls, mut stack) = (false, vec![body]);
        while let Some(id) = stack.pop() {
            match &self.ast[id].kind {
                Ast::Call(name, _) if self.takes_steps(id) => {
                    let known = self.env.interface(&name.name);
                    if !known.is_some_and(|(_, interface)| interface.is_function) {
                        return false;
                    }
                    calls = true;
                }
                _ if self.takes_steps(id) => return false,
                _ => {}
            }
            stack.extend(self.ast.operands(id));
        }
        calls && !self.scope.closed && self.scope.kind != ScopeKind::Constant
    }

    /// All, or one, of some truth values; a balanced tree.
    pub(super) fn together(
        &mut self,
        quantifier: Quantifier,
        mut all: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
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

    /// What a variable goes over, if that are at most so many values.
    fn domain(
        &mut self,
        quantifier: Quantifier,
        variable: &'a ast::Variable,
        all: &[ast::Variable],
        body: ast::ExprId,
        most: usize,
    ) -> Option<Domain> {
        let ty = self.ty(&variable.ty)?;
        let mut ends = match &ty {
            Type::Bool => {
                let few = Some(vec![ExprKind::Bool(false), ExprKind::Bool(true)]);
                return Some(Domain { few, ty });
            }
            Type::Enum(id) => {
                let count = self.program.enums[id.index()].values.len() as u32;
                let few = Some((0..count).map(|i| ExprKind::Enum(*id, i)).collect());
                return Some(Domain { few, ty });
            }
            Type::Machine(shape) => {
                let [least, most] = shape.range();
                (Some(least), Some(most))
            }
            Type::Subrange(bounds) => (bounds.low.clone(), bounds.high.clone()),
            Type::Int => (None, None),
            _ => return Some(Domain { few: None, ty }),
        };
        narrow(&mut ends, self.bounds_of_type(&variable.ty));
        let whole = ends.0.is_some() && ends.1.is_some() && ty.machine().is_none();
        if !whole {
            let found = self.bounds(quantifier, (&variable.name.name, all), body);
            narrow(&mut ends, found);
        }
        let few = match ends {
            (Some(low), Some(high)) if BigInt::from(most) > &high - &low => {
                let values = integers(&low, &high);
                Some(match &ty {
                    Type::Machine(shape) => values.map(|n| ExprKind::Machine(*shape, n)).collect(),
                    _ => values.map(ExprKind::Int).collect(),
                })
            }
            _ => None,
        };
        Some(Domain { few, ty })
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
    pub(super) fn is_hidden(&self, root: ast::ExprId, variables: &[ast::Variable]) -> bool {
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
    pub(super) fn quiet_int(&mut self, root: ast::ExprId) -> Option<BigInt> {
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
