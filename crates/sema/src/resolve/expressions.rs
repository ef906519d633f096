//! Expressions: types checked and tuples taken apart, in one pass over the
//! arena, operands first.

use std::collections::VecDeque;
use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp as A, ExprKind as Ast};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use crate::program::{BinaryOp, Call, CallId, ExprId, ExprKind, Exprs, Stream, StreamId, UnaryOp};
use crate::resolve::{Components, Global, Resolver, similar};
use crate::types::{Type, Value};

/// Where an expression stands: what its names may mean and what it may contain.
pub(crate) struct Scope {
    pub exprs: Exprs,
    pub calls: Vec<Call>,
    pub streams: FxHashMap<Arc<str>, StreamId>,
    /// The type of each flow; `None` where an error was reported.
    pub types: Vec<Option<Type>>,
    pub kind: ScopeKind,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ScopeKind {
    Constant,
    Function,
    Node,
}

impl Scope {
    pub fn constants(exprs: Exprs) -> Scope {
        Scope {
            exprs,
            calls: Vec::new(),
            streams: FxHashMap::default(),
            types: Vec::new(),
            kind: ScopeKind::Constant,
        }
    }

    pub fn node(streams: &[Stream], types: Vec<Option<Type>>, is_function: bool) -> Scope {
        // In reverse, so that of two with the same name the first one counts.
        let ids = streams.iter().enumerate().rev();
        let ids = ids.map(|(i, s)| (s.name.clone(), StreamId(i as u32)));
        Scope {
            exprs: Exprs::default(),
            calls: Vec::new(),
            streams: ids.collect(),
            types,
            kind: if is_function { ScopeKind::Function } else { ScopeKind::Node },
        }
    }
}

impl Resolver<'_> {
    /// Resolves an expression to its scalar components.
    pub(super) fn expr(&mut self, scope: &mut Scope, root: ast::ExprId) -> Components {
        // The tree below a root is a contiguous run of the arena, operands
        // first, that begins with the leftmost leaf.
        let ast = self.ast;
        let mut first = root;
        while let Some(operand) = ast.exprs.operands(first).first() {
            first = *operand;
        }
        let mut done: Vec<Option<Parts>> = Vec::with_capacity((root.0 - first.0 + 1) as usize);
        for id in first.0..=root.0 {
            let id = ast::ExprId(id);
            // Every expression is the operand of one other.
            let mut take = |operand: &ast::ExprId| done[(operand.0 - first.0) as usize].take();
            let parts = match &ast.exprs[id].kind {
                Ast::Tuple(list) => {
                    let list: Vec<_> = list.iter().map(take).collect();
                    list.into_iter().collect::<Option<Vec<Parts>>>().map(concatenate)
                }
                _ => self
                    .one(scope, id, &mut |operand| take(operand).map(Vec::from))
                    .map(Parts::from),
            };
            done.push(parts);
        }
        done.pop().flatten().map(Vec::from)
    }

    fn one(
        &mut self,
        scope: &mut Scope,
        id: ast::ExprId,
        get: &mut dyn FnMut(&ast::ExprId) -> Components,
    ) -> Components {
        let ast = self.ast;
        let span = ast.exprs[id].span;
        match &ast.exprs[id].kind {
            Ast::Error => None,
            Ast::Bool(b) => Some(vec![scope.exprs.push(ExprKind::Bool(*b), Type::Bool, span)]),
            Ast::Int(text) => {
                let value = text.parse().ok()?;
                Some(vec![scope.exprs.push(ExprKind::Int(value), Type::Int, span)])
            }
            Ast::Decimal(text) => self.decimal(scope, text, span),
            Ast::Name(name) => self.name(scope, name, span),
            Ast::Call(name, args) => {
                // Every argument's components, in order, are the inputs.
                let parts: Option<Vec<Vec<ExprId>>> = args.iter().map(get).collect();
                self.call(scope, name, parts?.concat(), span)
            }
            Ast::Tuple(_) => unreachable!("taken apart by the caller"),
            Ast::AtMostOne(list) => {
                let parts: Option<Vec<Vec<ExprId>>> = list.iter().map(get).collect();
                let parts = parts?.concat();
                let good = parts.iter().all(|p| self.expect(scope, *p, &Type::Bool, "`#`"));
                good.then(|| vec![scope.exprs.push(ExprKind::AtMostOne(parts), Type::Bool, span)])
            }
            Ast::Unary(op, a) => self.unary(scope, *op, get(a)?, span),
            Ast::Binary(op, a, b) => {
                let (a, b) = (get(a), get(b));
                self.binary(scope, *op, a?, b?, span)
            }
            Ast::If(c, a, b) => {
                let (c, a, b) = (get(c), get(a), get(b));
                self.conditional(scope, c?, a?, b?, span)
            }
        }
    }

    fn decimal(&mut self, scope: &mut Scope, text: &str, span: Span) -> Components {
        let Some(value) = lustral_base::decimal::parse_decimal(text) else {
            self.push(Diagnostic::error(
                Code::Syntax,
                span,
                "the exponent of this number is too large",
            ));
            return None;
        };
        Some(vec![scope.exprs.push(ExprKind::Real(value), Type::Real, span)])
    }

    fn name(&mut self, scope: &mut Scope, name: &Arc<str>, span: Span) -> Components {
        if let Some(stream) = scope.streams.get(name) {
            let ty = scope.types[stream.index()].clone()?;
            return Some(vec![scope.exprs.push(ExprKind::Stream(*stream), ty, span)]);
        }
        match self.values.get(name).map(|d| d.what.clone()) {
            Some(Global::Const(id, ty)) => {
                Some(vec![scope.exprs.push(ExprKind::Const(id), ty, span)])
            }
            Some(Global::Enum(id, i)) => {
                Some(vec![scope.exprs.push(ExprKind::Enum(id, i), Type::Enum(id), span)])
            }
            Some(Global::Broken) => None,
            None => {
                self.undeclared(scope, name, span);
                None
            }
        }
    }

    fn undeclared(&mut self, scope: &Scope, name: &str, span: Span) {
        let mut diagnostic = if scope.kind == ScopeKind::Constant {
            let message = format!("there is no constant `{name}`");
            Diagnostic::error(Code::NotConstant, span, message)
        } else {
            Diagnostic::error(Code::Undeclared, span, format!("nothing declares `{name}`"))
        };
        let known = scope.streams.keys().chain(self.values.keys()).map(|k| &**k);
        if let Some(meant) = similar(name, known) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        } else if self.nodes.contains_key(name) {
            diagnostic = diagnostic.help(format!("`{name}` is a node: give it its arguments"));
        }
        self.push(diagnostic);
    }

    fn call(
        &mut self,
        scope: &mut Scope,
        name: &ast::Ident,
        args: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let Some(declared) = self.nodes.get(&name.name) else {
            if &*name.name == "floor" && args.len() == 1 {
                return self.unary(scope, ast::UnaryOp::Int, args, span);
            }
            let message = format!("there is no node `{}`", name.name);
            let mut diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
            if let Some(meant) = similar(&name.name, self.nodes.keys().map(|k| &**k)) {
                diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
            }
            self.push(diagnostic);
            return None;
        };
        let (callee, declared_at) = (declared.what.id, declared.span);
        let inputs = declared.what.inputs.clone();
        let outputs = declared.what.outputs.clone();
        if scope.kind == ScopeKind::Constant {
            self.push(Diagnostic::error(Code::NotConstant, span, "a constant cannot call a node"));
            return None;
        }
        if scope.kind == ScopeKind::Function && !declared.what.is_function {
            self.push(
                Diagnostic::error(
                    Code::Type,
                    span,
                    "a function has no state and cannot call a node",
                )
                .also(declared_at, "declared as a node here")
                .help("declare the caller as a `node`, or the callee as a `function`"),
            );
            return None;
        }
        if args.len() != inputs.len() {
            let (want, have) = (count(inputs.len(), "argument"), args.len());
            let message = format!("`{}` takes {want}, {have} given", name.name);
            self.push(
                Diagnostic::error(Code::Arity, span, message).also(declared_at, "declared here"),
            );
            return None;
        }
        let mut good = true;
        for (arg, input) in args.iter().zip(&inputs) {
            let Some(input) = input else { return None };
            let context = format!("this input of `{}`", name.name);
            good &= self.expect(scope, *arg, input, &context);
        }
        let outputs: Option<Vec<Type>> = outputs.into_iter().collect();
        let outputs = outputs?;
        if !good {
            return None;
        }
        let call = CallId(scope.calls.len() as u32);
        scope.calls.push(Call { callee, args, span });
        let push = |(i, ty)| scope.exprs.push(ExprKind::Output(call, i as u32), ty, span);
        Some(outputs.into_iter().enumerate().map(push).collect())
    }

    /// Whether an operand has the type that its place asks for; reports if not.
    fn expect(&mut self, scope: &Scope, operand: ExprId, wanted: &Type, place: &str) -> bool {
        let found = &scope.exprs[operand];
        if found.ty.agrees(wanted) {
            return true;
        }
        let (found_ty, wanted_ty) = (self.show(&found.ty), self.show(wanted));
        let mut diagnostic = Diagnostic::error(
            Code::Type,
            found.span,
            format!("{place} takes {}, this is {}", article(&wanted_ty), article(&found_ty)),
        )
        .label(format!("expected {wanted_ty}, found {found_ty}"));
        if let Some(help) = conversion(&found.ty, wanted) {
            diagnostic = diagnostic.help(help);
        }
        self.push(diagnostic);
        false
    }

    fn unary(
        &mut self,
        scope: &mut Scope,
        op: ast::UnaryOp,
        list: Vec<ExprId>,
        span: Span,
    ) -> Components {
        if op == ast::UnaryOp::Pre {
            return self.delay(scope, list, span);
        }
        let [operand] = list[..] else {
            return self.several(op.as_str(), list.len(), span);
        };
        let found = scope.exprs[operand].ty.clone();
        let (op, result) = match op {
            ast::UnaryOp::Not => {
                let good = self.expect(scope, operand, &Type::Bool, "`not`");
                (good.then_some(UnaryOp::Not)?, Type::Bool)
            }
            ast::UnaryOp::Minus if found == Type::Real => (UnaryOp::Minus, Type::Real),
            ast::UnaryOp::Minus => {
                let good = self.expect(scope, operand, &Type::Int, "`-`");
                (good.then_some(UnaryOp::Minus)?, Type::Int)
            }
            ast::UnaryOp::Int => {
                let good = self.expect(scope, operand, &Type::Real, "`int`");
                (good.then_some(UnaryOp::Floor)?, Type::Int)
            }
            ast::UnaryOp::Real => {
                let good = self.expect(scope, operand, &Type::Int, "`real`");
                (good.then_some(UnaryOp::ToReal)?, Type::Real)
            }
            ast::UnaryOp::Pre => unreachable!("handled above"),
        };
        Some(vec![scope.exprs.push(ExprKind::Unary(op, operand), result, span)])
    }

    fn several(&mut self, op: &str, found: usize, span: Span) -> Components {
        let message = format!("`{op}` takes one value, this has {}", count(found, "value"));
        self.push(Diagnostic::error(Code::Arity, span, message));
        None
    }

    /// Reports `pre`, `->` and `fby` where they cannot stand.
    fn temporal(&mut self, scope: &Scope, op: &str, span: Span) -> bool {
        let diagnostic = match scope.kind {
            ScopeKind::Node => return true,
            ScopeKind::Constant => {
                Diagnostic::error(Code::NotConstant, span, format!("`{op}` is not constant"))
            }
            ScopeKind::Function => {
                let message = format!("a function has no state: `{op}` cannot be used in it");
                Diagnostic::error(Code::Type, span, message).help("declare it as a `node`")
            }
        };
        self.push(diagnostic);
        false
    }

    fn delay(&mut self, scope: &mut Scope, list: Vec<ExprId>, span: Span) -> Components {
        if !self.temporal(scope, "pre", span) {
            return None;
        }
        let one = |e: ExprId| {
            let ty = scope.exprs[e].ty.clone();
            scope.exprs.push(ExprKind::Pre(e), ty, span)
        };
        Some(list.into_iter().map(one).collect())
    }

    fn conditional(
        &mut self,
        scope: &mut Scope,
        condition: Vec<ExprId>,
        then: Vec<ExprId>,
        other: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let [condition] = condition[..] else {
            return self.several("if", condition.len(), span);
        };
        let good = self.expect(scope, condition, &Type::Bool, "the condition of `if`");
        let pairs = self.pairs(scope, "if", then, other, span)?;
        if !good {
            return None;
        }
        let one = |(a, b, ty)| scope.exprs.push(ExprKind::If(condition, a, b), ty, span);
        Some(pairs.into_iter().map(one).collect())
    }

    /// Components of two tuples side by side, with the type of each pair.
    fn pairs(
        &mut self,
        scope: &Scope,
        op: &str,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Option<Vec<(ExprId, ExprId, Type)>> {
        if a.len() != b.len() {
            let message = format!(
                "both sides of `{op}` need as many values: {} on the left, {} on the right",
                a.len(),
                b.len()
            );
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        let mut list = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            list.push((a, b, self.same_type(scope, op, a, b)?));
        }
        Some(list)
    }

    /// The common type of two operands; reports if there is none.
    fn same_type(&mut self, scope: &Scope, op: &str, a: ExprId, b: ExprId) -> Option<Type> {
        let (left, right) = (&scope.exprs[a], &scope.exprs[b]);
        if left.ty.agrees(&right.ty) {
            return Some(left.ty.join(&right.ty));
        }
        let (l, r) = (self.show(&left.ty), self.show(&right.ty));
        let mut diagnostic = Diagnostic::error(
            Code::Type,
            right.span,
            format!("the sides of `{op}` have different types"),
        )
        .label(format!("this is {}", article(&r)))
        .also(left.span, format!("this is {}", article(&l)));
        if let Some(help) = conversion(&right.ty, &left.ty) {
            diagnostic = diagnostic.help(help);
        }
        self.push(diagnostic);
        None
    }

    fn binary(
        &mut self,
        scope: &mut Scope,
        op: A,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Components {
        if matches!(op, A::Arrow | A::Fby) {
            if !self.temporal(scope, op.as_str(), span) {
                return None;
            }
            let pairs = self.pairs(scope, op.as_str(), a, b, span)?;
            let one = |(a, b, ty)| {
                let kind = if op == A::Arrow { ExprKind::Arrow(a, b) } else { ExprKind::Fby(a, b) };
                scope.exprs.push(kind, ty, span)
            };
            return Some(pairs.into_iter().map(one).collect());
        }
        let ([a], [b]) = (&a[..], &b[..]) else {
            let found = if a.len() == 1 { b.len() } else { a.len() };
            return self.several(op.as_str(), found, span);
        };
        let (a, b) = (*a, *b);
        let (kind, ty) = self.binary_type(scope, op, a, b)?;
        if matches!(kind, BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod) {
            self.warn_zero(scope, b);
        }
        Some(vec![scope.exprs.push(ExprKind::Binary(kind, a, b), ty, span)])
    }

    fn binary_type(
        &mut self,
        scope: &Scope,
        op: A,
        a: ExprId,
        b: ExprId,
    ) -> Option<(BinaryOp, Type)> {
        let place = format!("`{}`", op.as_str());
        let both = |this: &mut Self, ty: Type| {
            let left = this.expect(scope, a, &ty, &place);
            let right = this.expect(scope, b, &ty, &place);
            left && right
        };
        let kind = match op {
            A::And => BinaryOp::And,
            A::Or => BinaryOp::Or,
            A::Xor => BinaryOp::Xor,
            A::Implies => BinaryOp::Implies,
            A::Equal => BinaryOp::Equal,
            A::NotEqual => BinaryOp::NotEqual,
            A::Less => BinaryOp::Less,
            A::LessEqual => BinaryOp::LessEqual,
            A::Greater => BinaryOp::Greater,
            A::GreaterEqual => BinaryOp::GreaterEqual,
            A::Plus => BinaryOp::Plus,
            A::Minus => BinaryOp::Minus,
            A::Times => BinaryOp::Times,
            A::Divide => BinaryOp::Divide,
            A::Div => BinaryOp::Div,
            A::Mod => BinaryOp::Mod,
            A::Arrow | A::Fby => unreachable!("handled by the caller"),
        };
        match op {
            A::And | A::Or | A::Xor | A::Implies => {
                both(self, Type::Bool).then_some((kind, Type::Bool))
            }
            A::Equal | A::NotEqual => {
                self.same_type(scope, op.as_str(), a, b)?;
                Some((kind, Type::Bool))
            }
            A::Div | A::Mod => {
                if scope.exprs[a].ty == Type::Real
                    && scope.exprs[b].ty == Type::Real
                    && op == A::Div
                {
                    let span = scope.exprs[a].span.to(scope.exprs[b].span);
                    self.push(
                        Diagnostic::error(Code::Type, span, "`div` takes ints, these are reals")
                            .help("reals are divided with `/`"),
                    );
                    return None;
                }
                both(self, Type::Int).then_some((kind, Type::Int))
            }
            A::Divide => {
                let (left, right) = (&scope.exprs[a].ty, &scope.exprs[b].ty);
                if left.is_int() && right.is_int() {
                    let span = scope.exprs[a].span.to(scope.exprs[b].span);
                    self.push(
                        Diagnostic::error(Code::Type, span, "`/` takes reals, these are ints")
                            .help("ints are divided with `div`"),
                    );
                    return None;
                }
                both(self, Type::Real).then_some((kind, Type::Real))
            }
            _ => {
                let ty = self.same_type(scope, op.as_str(), a, b)?;
                let numeric = ty == Type::Real || ty.is_int();
                if !numeric {
                    let span = scope.exprs[a].span.to(scope.exprs[b].span);
                    let message = format!("{place} takes numbers, these are {}", self.show(&ty));
                    self.push(Diagnostic::error(Code::Type, span, message));
                    return None;
                }
                let comparison =
                    matches!(op, A::Less | A::LessEqual | A::Greater | A::GreaterEqual);
                let result = match (comparison, ty) {
                    (true, _) => Type::Bool,
                    (false, Type::Real) => Type::Real,
                    (false, _) => Type::Int,
                };
                Some((kind, result))
            }
        }
    }

    /// Warns where the divisor is a constant that is zero: the quotient is unspecified.
    fn warn_zero(&mut self, scope: &Scope, divisor: ExprId) {
        let value = match &scope.exprs[divisor].kind {
            ExprKind::Int(n) => Value::Int(n.clone()),
            ExprKind::Real(r) => Value::Real(r.clone()),
            ExprKind::Const(id) if !self.unknown_consts[id.index()] => {
                self.const_values[id.index()].clone()
            }
            _ => return,
        };
        let zero = match value {
            Value::Int(n) => n == num_bigint::BigInt::ZERO,
            Value::Real(r) => *r.numer() == num_bigint::BigInt::ZERO,
            _ => false,
        };
        if zero {
            self.push(
                Diagnostic::warning(
                    Code::DivisionByZero,
                    scope.exprs[divisor].span,
                    "division by a constant that is zero",
                )
                .label("this is zero")
                .note("the result is some value, the same for the same dividend, and nothing else is known of it"),
            );
        }
    }
}

/// The components of an expression while tuples are put together.
type Parts = VecDeque<ExprId>;

/// The components of a tuple. The longest part stays where it is, so that deep
/// nesting on either side takes no more time than its length.
fn concatenate(mut list: Vec<Parts>) -> Parts {
    let longest = (0..list.len()).max_by_key(|i| list[*i].len());
    let Some(longest) = longest else { return Parts::new() };
    let after = list.split_off(longest + 1);
    let mut all = list.pop().unwrap_or_default();
    for part in list.into_iter().rev() {
        part.into_iter().rev().for_each(|e| all.push_front(e));
    }
    all.extend(after.into_iter().flatten());
    all
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn article(ty: &str) -> String {
    let an = ty.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {ty}", if an { "an" } else { "a" })
}

/// How a value of one type becomes one of another.
fn conversion(found: &Type, wanted: &Type) -> Option<&'static str> {
    match (found, wanted) {
        (Type::Int | Type::Subrange(_), Type::Real) => {
            Some("ints and reals do not mix: write `real(…)`, or a number with a point")
        }
        (Type::Real, Type::Int | Type::Subrange(_)) => {
            Some("ints and reals do not mix: write `int(…)` to round down")
        }
        _ => None,
    }
}
