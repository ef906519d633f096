//! Expressions: types checked and lists taken apart, in one pass over the arena,
//! operands first.

use std::ops::Range;

use lustral_base::decimal;
use lustral_syntax::Span;
use lustral_syntax::ast::{self, ExprKind as Ast};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use super::clocks::Activated;
use super::deferred::sides;
use super::matches::arms;
use super::operators::element_by_element;
use super::polarity::stances;
use super::structures::Change;
use super::tuples::{Parts, concatenate};
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind};
use crate::types::Type;

impl<'a> Resolver<'a> {
    /// Resolves an expression to the values that it is a list of.
    pub(super) fn expr(&mut self, root: ast::ExprId) -> Components {
        // The tree below a root is a contiguous run of the arena, operands
        // first, that begins with the leftmost leaf.
        let ast = self.ast;
        let mut first = root;
        while let Some(operand) = ast.first_operand(first) {
            first = operand;
        }
        let mut done: Vec<Option<Parts>> = Vec::with_capacity((root.0 - first.0 + 1) as usize);
        let stances = self.stance.take().map(|stance| stances(ast, root, stance));
        let deferred = self.deferred(first.0, root.0);
        let mut apart = apart(ast, first, root, &deferred);
        for id in first.0..=root.0 {
            while apart.last().is_some_and(|run| run.end <= id) {
                apart.pop();
            }
            if apart.last().is_some_and(|run| run.contains(&id)) {
                done.push(None);
                continue;
            }
            let id = ast::ExprId(id);
            self.stance = stances.as_ref().and_then(|known| known.get(&id).copied());
            // Every expression is the operand of one other.
            let mut take = |operand: &ast::ExprId| done[(operand.0 - first.0) as usize].take();
            let parts = match &ast[id].kind {
                Ast::Tuple(list) => {
                    let list: Vec<_> = list.iter().map(take).collect();
                    list.into_iter().collect::<Option<Vec<Parts>>>().map(concatenate)
                }
                Ast::Lazy(condition, ..) | Ast::Binary(_, condition, _)
                    if deferred.contains(&id) =>
                {
                    let condition = take(condition).map(Vec::from);
                    self.lazily(id, condition).map(Parts::from)
                }
                Ast::Match(_, value, _) => {
                    let value = take(value).map(Vec::from);
                    self.matched(id, value).map(Parts::from)
                }
                _ => self.one(id, &mut |operand| take(operand).map(Vec::from)).map(Parts::from),
            };
            done.push(parts);
        }
        self.stance = None;
        done.pop().flatten().map(Vec::from)
    }

    /// Resolves one expression, whose operands are resolved.
    fn one(
        &mut self,
        id: ast::ExprId,
        get: &mut dyn FnMut(&ast::ExprId) -> Components,
    ) -> Components {
        let ast = self.ast;
        let span = ast[id].span;
        match &ast[id].kind {
            Ast::Error => {
                self.broken = true;
                None
            }
            Ast::Bool(b) => Some(self.scalar(ExprKind::Bool(*b), Type::Bool, span)),
            Ast::Int(text) => Some(self.scalar(ExprKind::Int(integer(text)?), Type::Int, span)),
            Ast::Decimal(text) => self.decimal(text, span),
            Ast::Name(name) => self.name_at(name, ast.type_arguments(id), span),
            Ast::Tester(name, operand) => self.tested(name, get(operand)?, span),
            Ast::Last(flow) => self.last(flow, span),
            Ast::Call(name, args) => {
                // Every argument's components, in order, are the inputs.
                let parts: Vec<Components> = args.iter().map(get).collect();
                let parts: Option<Vec<Vec<ExprId>>> = parts.into_iter().collect();
                let given = (ast.type_arguments(id), ast.static_arguments(id));
                self.application(name, given, parts.map(|parts| parts.concat()), span)
            }
            Ast::Tuple(_) => unreachable!("taken apart by the caller"),
            Ast::AtMostOne(list) => {
                let parts: Option<Vec<Vec<ExprId>>> = list.iter().map(get).collect();
                self.at_most_one(parts?.concat(), span)
            }
            Ast::Unary(op, a) => self.unary(*op, get(a)?, span),
            Ast::Convert(to, a) => self.convert(*to, get(a)?, span),
            Ast::Bits(word, high, low) => {
                let (word, high, low) = (get(word), get(high), get(low));
                self.bits(word?, [high?, low?], span)
            }
            Ast::Binary(op, a, b) => {
                let (a, b) = (get(a), get(b));
                self.binary(*op, a?, b?, span)
            }
            Ast::If(c, a, b) | Ast::Lazy(c, a, b) => {
                let (c, a, b) = (get(c), get(a), get(b));
                self.conditional(c?, a?, b?, span)
            }
            Ast::With(condition, then, other) => self.with(*condition, [*then, *other], span),
            Ast::Ascribed(value, ty) => self.ascribed(&get(value)?, ty, span),
            Ast::Delayed(value, steps, initial) => {
                let (value, steps, initial) = (get(value), get(steps), get(initial));
                self.delayed(value?, steps?, initial?, span)
            }
            Ast::When(sampled, sampling) => self.when(get(sampled)?, sampling, span),
            Ast::Merge(flow, branches) => {
                let values = branches.iter().map(|(case, value)| (case, get(value))).collect();
                self.merge(flow, values, span)
            }
            Ast::Activated(activation) => {
                let parts = Activated::new(ast, activation, get)?;
                self.activated(parts, span)
            }
            Ast::Arbitrary(choice, ty) => self.arbitrary(*choice, ty, span),
            Ast::Quantified(quantifier, variables, body) => {
                self.quantified(*quantifier, variables, *body, span)
            }
            _ => self.structure(id, get),
        }
    }

    /// Resolves what is made of records, tuples and arrays.
    fn structure(
        &mut self,
        id: ast::ExprId,
        get: &mut dyn FnMut(&ast::ExprId) -> Components,
    ) -> Components {
        let ast = self.ast;
        let span = ast[id].span;
        match &ast[id].kind {
            Ast::Record(name, fields) => {
                let values = fields.iter().map(|(_, value)| get(value)).collect();
                self.record((name, ast.type_arguments(id)), fields, values, span)
            }
            Ast::Array(list) => {
                let parts = list.iter().map(get).collect();
                self.array(parts, span)
            }
            Ast::Set(list) => {
                let elements = list.iter().map(get).collect();
                self.set(elements, ast.type_arguments(id), span)
            }
            Ast::EmptyMap => self.empty_map(ast.type_arguments(id), span),
            Ast::TupleValue(list) => {
                let parts = list.iter().map(get).collect();
                self.tuple_value(parts, span)
            }
            Ast::Field(whole, name) => self.field(get(whole)?, name, span),
            Ast::Component(whole, number) => self.component(get(whole)?, number, span),
            Ast::Element(array, index) => {
                let (array, index) = (get(array), get(index));
                self.element(array?, index?, span)
            }
            Ast::Slice(array, first, last) => {
                let (array, first, last) = (get(array), get(first), get(last));
                self.slice(array?, [first?, last?], span)
            }
            Ast::Repeat(element, times) => {
                let (element, times) = (get(element), get(times));
                self.repeat(element?, times?, span)
            }
            Ast::Update(_, whole, changes) => {
                let whole = get(whole);
                let mut resolved = Some(Vec::new());
                for (selector, value) in changes {
                    let change = match selector {
                        ast::Selector::Name(name) => Some(Change::Name(name.clone())),
                        ast::Selector::Index(index) => get(index).map(Change::Index),
                    };
                    let both = change.zip(get(value));
                    resolved = resolved.zip(both).map(|(mut list, both)| {
                        list.push(both);
                        list
                    });
                }
                self.update(whole?, resolved?, span)
            }
            other => unreachable!("no structure: {other:?}"),
        }
    }

    /// Adds an expression that is one value.
    pub(super) fn scalar(&mut self, kind: ExprKind, ty: Type, span: Span) -> Vec<ExprId> {
        vec![self.scope.exprs.push(kind, ty, span)]
    }

    fn decimal(&mut self, text: &str, span: Span) -> Components {
        let Some(value) = decimal::parse_decimal(text) else {
            let message = "the exponent of this number is too large";
            self.push(Diagnostic::error(Code::Syntax, span, message));
            return None;
        };
        Some(self.scalar(ExprKind::Real(value), Type::Real, span))
    }

    /// Whether an operand has the type that its place asks for; reports if not.
    pub(super) fn expect(&mut self, operand: ExprId, wanted: &Type, place: &str) -> bool {
        let found = &self.scope.exprs[operand];
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
        } else if place == "`not`" && (found.ty.is_int() || found.ty == Type::Real) {
            let help = "`not` takes what stands next to it: write `not (… = …)`";
            diagnostic = diagnostic.help(help);
        } else if let Some(op) = place.strip_prefix('`').and_then(|place| place.strip_suffix('`'))
            && let Some(help) = element_by_element(op, &found.ty)
        {
            diagnostic = diagnostic.help(help);
        }
        self.push(diagnostic);
        false
    }

    /// The common type of two operands; reports if there is none.
    pub(super) fn same_type(&mut self, op: &str, a: ExprId, b: ExprId) -> Option<Type> {
        let (left, right) = (&self.scope.exprs[a], &self.scope.exprs[b]);
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
        let help = match (&left.ty, &right.ty) {
            // Nothing is lost that way.
            (Type::Int | Type::Subrange(_), Type::Real) => conversion(&left.ty, &right.ty),
            _ => conversion(&right.ty, &left.ty),
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.push(diagnostic);
        None
    }
}

/// The value of a whole number as written: `12`, `0x1f`, `0o17`, `0b101`.
fn integer(text: &str) -> Option<BigInt> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0o") => (&lower[2..], 8),
        Some("0b") => (&lower[2..], 2),
        _ => (&lower[..], 10),
    };
    BigInt::parse_bytes(digits.as_bytes(), radix)
}

/// The parts of the run of an expression that are not resolved with it, the first one
/// last: what is quantified is resolved for each value, what stands in a type with the
/// type, the arms of `match` with what their patterns name, the sides of some lazy operators
/// where they are chosen, and of those of `with` one.
fn apart(
    ast: &ast::Exprs,
    first: ast::ExprId,
    root: ast::ExprId,
    deferred: &FxHashSet<ast::ExprId>,
) -> Vec<Range<u32>> {
    let mut found: Vec<Range<u32>> = ast.in_types(first.0..=root.0).collect();
    let mut id = root;
    loop {
        let mut before = id;
        if let Ast::Quantified(_, _, body) = ast[id].kind {
            before = body;
            while let Some(operand) = ast.first_operand(before) {
                before = operand;
            }
            found.push(before.0..body.0 + 1);
        }
        if let Ast::With(condition, _, last) = ast[id].kind {
            before = condition;
            while let Some(operand) = ast.first_operand(before) {
                before = operand;
            }
            found.push(before.0..last.0 + 1);
        }
        if let Some((from, last)) = arms(ast, id) {
            found.push(from..last + 1);
            before = ast::ExprId(from);
        }
        if let Some((from, last)) = sides(ast, id).filter(|_| deferred.contains(&id)) {
            found.push(from..last + 1);
            before = ast::ExprId(from);
        }
        if before <= first {
            break;
        }
        id = ast::ExprId(before.0 - 1);
    }
    // Of two that overlap one lies in the other; the outer one is looked at first.
    found.sort_unstable_by_key(|run| (std::cmp::Reverse(run.start), run.end));
    let mut outer: Vec<Range<u32>> = Vec::new();
    for run in found.into_iter().rev() {
        if outer.last().is_none_or(|last| last.end <= run.start) {
            outer.push(run);
        }
    }
    outer.reverse();
    outer
}

pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn article(ty: &str) -> String {
    let an = ty.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {ty}", if an { "an" } else { "a" })
}

/// How a value of one type becomes one of another.
fn conversion(found: &Type, wanted: &Type) -> Option<String> {
    let help = match (found, wanted) {
        (Type::Int | Type::Subrange(_), Type::Real) => {
            "ints and reals do not mix: write `real(…)`, or a number with a point".into()
        }
        (Type::Real, Type::Int | Type::Subrange(_)) => {
            "ints and reals do not mix: write `int(…)` to round down".into()
        }
        (Type::Int | Type::Subrange(_), Type::Machine(shape)) => {
            format!("ints and machine integers do not mix: write `({} …)`", shape.conversion())
        }
        (Type::Machine(_), Type::Int | Type::Subrange(_)) => {
            "ints and machine integers do not mix: write `int …`".into()
        }
        (Type::Machine(_), Type::Real) => "write `real int …`".into(),
        (Type::Machine(from), Type::Machine(to)) if from.is_signed() == to.is_signed() => {
            format!("write `({} …)` to convert it", to.conversion())
        }
        (Type::Machine(_), Type::Machine(to)) => {
            format!("write `({} int …)` to convert it", to.conversion())
        }
        _ => return None,
    };
    Some(help)
}
