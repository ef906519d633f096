//! What types of sets and maps say of all keys and of what these have: bounds of integers,
//! which are said of a whole set at once (`ExprKind::Within`).

use lustral_base::{End, Limit, Limited};
use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp as A, ExprKind as Ast, TypeKind};
use lustral_syntax::diagnostic::Diagnostic;
use num_bigint::BigInt;

use super::{MOST, Part};
use crate::program::{ExprId, ExprKind};
use crate::resolve::Resolver;
use crate::types::Type;

/// Limits of leaves of a type, by their numbers.
type Limits = Vec<(u32, End, ExprId)>;

impl<'a> Resolver<'a> {
    /// Whether keys or values of sets and maps of a type have bounds or conditions.
    pub(super) fn has_limits(&self, list: &[ast::Type]) -> bool {
        list.iter().any(|ty| self.is_limited(ty))
    }

    /// Types are not nested deeply (`DEEPEST` of the parser).
    fn is_limited(&self, ty: &ast::Type) -> bool {
        let known = |name| {
            let own = self.type_arguments.get(name).map(|(ty, _)| ty);
            let ty = own.or_else(|| self.env.types.get(name).and_then(|(_, ty)| ty.as_ref()));
            ty.is_some_and(Type::has_bounds)
        };
        match &ty.kind {
            TypeKind::Refinement(..) | TypeKind::Subrange(..) => true,
            TypeKind::Named(name) => self.is_refined_name(name) || known(name),
            TypeKind::Applied(name, list) => {
                self.is_refined_name(&name.name) || known(&name.name) || self.has_limits(list)
            }
            TypeKind::Record(fields) => fields.iter().any(|field| self.is_limited(&field.ty)),
            TypeKind::Tuple(list) => self.has_limits(list),
            TypeKind::Array(element, _) => self.is_limited(element),
            _ => false,
        }
    }

    /// What the type of a set or map says of its keys and values.
    pub(super) fn limits_of(
        &mut self,
        list: &'a [ast::Type],
        value: ExprId,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let is_map = matches!(self.scope.exprs[value].ty, Type::Map(_));
        let set = if is_map { self.part(value, 0, span) } else { value };
        let mut found = Vec::new();
        for (i, ty) in list.iter().enumerate() {
            let mut limits = Limits::new();
            let part = Part { exprs: self.ast, ty, value, guard: None, outside: None };
            self.limits(part, 0, ty.span, &mut limits)?;
            for (leaf, end, bound) in limits {
                let (of, operands) = if i == 0 {
                    (Limited::Key(leaf), vec![set, bound])
                } else {
                    (Limited::Value, vec![set, self.part(value, leaf + 1, span), bound])
                };
                found.push(self.push_bool(ExprKind::Within(Limit { of, end }, operands), span));
            }
        }
        Some(found)
    }

    /// The bounds of the leaves of a type, the first of which has a number; none where they
    /// are not such, which is reported. Types are not nested deeply.
    fn limits(&mut self, part: Part<'a>, first: u32, span: Span, found: &mut Limits) -> Option<()> {
        if found.len() > MOST {
            return self.no_limits(span);
        }
        if let Some(definition) = self.definition(&part) {
            return self.limits(definition?, first, span, found);
        }
        if let TypeKind::Data(_) = part.ty.kind {
            // It has a definition, so its fields have conditions.
            return self.no_limits(span);
        }
        let outside = part.outside.clone();
        let here = |ty| Part {
            exprs: part.exprs,
            ty,
            value: part.value,
            guard: None,
            outside: outside.clone(),
        };
        let known = self.at(&part, |r| r.known_type(part.ty))?;
        match &part.ty.kind {
            TypeKind::Refinement(variable, condition) => {
                self.limits(here(&variable.ty), first, span, found)?;
                let name = &variable.name.name;
                let ends = self.at(&part, |r| Some(r.exact_bounds(name, *condition)))?;
                let Some(ends) = ends.filter(|_| known.is_int()) else {
                    return self.no_limits(span);
                };
                self.push_limits(first, ends, span, found);
            }
            TypeKind::Subrange(low, high) => {
                if let Type::Subrange(bounds) = &known {
                    let ends = [bounds.low.clone(), bounds.high.clone()];
                    self.push_limits(first, ends, span, found);
                }
                for (bound, end) in [(low, End::Low), (high, End::High)] {
                    let Some(bound) = *bound else { continue };
                    let open = self.at(&part, |r| Some(r.is_symbolic(bound)))?;
                    if open {
                        let bound = self.at(&part, |r| r.integer_bound(bound))?;
                        found.push((first, end, bound));
                    }
                }
            }
            TypeKind::Record(fields) => {
                for (i, field) in (0..).zip(fields) {
                    self.limits(here(&field.ty), first + known.first_leaf(i), span, found)?;
                }
            }
            TypeKind::Tuple(list) => {
                for (i, ty) in (0..).zip(list) {
                    self.limits(here(ty), first + known.first_leaf(i), span, found)?;
                }
            }
            TypeKind::Array(element, _) => {
                let mut inner = known.clone();
                while let Type::Array(array) = inner {
                    inner = array.element.clone();
                }
                let size = inner.leaves().max(1);
                for i in 0..known.leaves() / size {
                    self.limits(here(element), first + i * size, span, found)?;
                }
            }
            _ if self.at(&part, |r| Some(r.is_limited(part.ty)))? => {
                if known.has_keys() || known.has_variants() {
                    return self.no_limits(span);
                }
                for leaf in 0..known.leaves() {
                    if let Type::Subrange(bounds) = known.leaf(leaf) {
                        let ends = [bounds.low.clone(), bounds.high.clone()];
                        self.push_limits(first + leaf, ends, span, found);
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    fn push_limits(
        &mut self,
        leaf: u32,
        ends: [Option<BigInt>; 2],
        span: Span,
        found: &mut Limits,
    ) {
        for (bound, end) in ends.into_iter().zip([End::Low, End::High]) {
            let Some(bound) = bound else { continue };
            let bound = self.scope.exprs.push(ExprKind::Int(bound), Type::Int, span);
            found.push((leaf, end, bound));
        }
    }

    /// A type, without what is said of its text once more.
    fn known_type(&mut self, ty: &ast::Type) -> Option<Type> {
        let (uses, quiet) = (self.uses.len(), std::mem::take(&mut self.diagnostics));
        let known = self.ty(ty);
        self.uses.truncate(uses);
        self.diagnostics = quiet;
        known
    }

    fn integer_bound(&mut self, bound: ast::ExprId) -> Option<ExprId> {
        let found = self.expr(bound)?;
        let bound = self.single(found, "a bound", self.ast[bound].span)?;
        self.expect(bound, &Type::Int, "a bound of a subrange").then_some(bound)
    }

    /// The bounds that a condition gives a variable, if it says nothing else.
    fn exact_bounds(&mut self, name: &str, condition: ast::ExprId) -> Option<[Option<BigInt>; 2]> {
        let mut conditions = vec![condition];
        while let Some(condition) = conditions.pop() {
            let Ast::Binary(op, a, b) = self.ast[condition].kind else { return None };
            match op {
                A::And | A::AndThen => conditions.extend([a, b]),
                A::Less | A::LessEqual | A::Greater | A::GreaterEqual | A::Equal => {
                    let is_it = |id: ast::ExprId| matches!(&self.ast[id].kind, Ast::Name(n) if **n == *name);
                    let other = match (is_it(a), is_it(b)) {
                        (true, false) => b,
                        (false, true) => a,
                        _ => return None,
                    };
                    if self.is_hidden(other, &[]) {
                        return None;
                    }
                    self.quiet_int(other)?;
                }
                _ => return None,
            }
        }
        let (low, high) = self.bounds_of(name, &[], vec![condition]);
        Some([low, high])
    }

    fn no_limits<T>(&mut self, span: Span) -> Option<T> {
        let what = "sets and maps of types with conditions that are no bounds of integers";
        let help = "name the type without them, and state the condition as a property: \
                    `check forall (k: int) k in s => k mod 2 = 0;`";
        self.push(Diagnostic::unsupported(span, what).help(help));
        None
    }
}
