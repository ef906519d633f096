//! Records, tuples and arrays: making them, taking them apart, changing them.

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::expressions::count;
use super::scope::ScopeKind;
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind, Exprs, Meaning};
use crate::types::{FieldId, Type, Value};

impl Resolver<'_> {
    /// An expression that must be one value.
    pub(super) fn single(&mut self, list: Vec<ExprId>, what: &str, span: Span) -> Option<ExprId> {
        if let [one] = list[..] {
            return Some(one);
        }
        let message = format!("{what} is one value, this has {}", count(list.len(), "value"));
        self.push(Diagnostic::error(Code::Arity, span, message));
        None
    }

    fn singles(&mut self, lists: Vec<Components>, what: &str, span: Span) -> Option<Vec<ExprId>> {
        let lists: Option<Vec<Vec<ExprId>>> = lists.into_iter().collect();
        lists?.into_iter().map(|list| self.single(list, what, span)).collect()
    }

    /// A type, unless it is too large; reports if it is.
    pub(super) fn bounded(&mut self, ty: Type, span: Span) -> Option<Type> {
        let bounded = ty.bounded();
        if let Err(large) = bounded {
            self.push(Diagnostic::error(Code::Type, span, large.to_string()));
        }
        bounded.ok()
    }

    pub(super) fn compose(&mut self, parts: Vec<ExprId>, ty: Type, span: Span) -> Components {
        let ty = self.bounded(ty, span)?;
        Some(self.scalar(ExprKind::Compose(parts), ty, span))
    }

    /// `t { a = 1; b = true }`, `t@<int> { a = 1; b = true }`
    pub(super) fn record(
        &mut self,
        (name, types): (&ast::Ident, &[ast::Type]),
        fields: &[(ast::Ident, ast::ExprId)],
        values: Vec<Components>,
        span: Span,
    ) -> Components {
        let what = "the value of a field";
        let values = self.singles(values, what, span);
        let ty = self.type_of_record((name, types), fields, values.as_deref());
        let (ty, values) = (ty?, values?);
        let Type::Record(record) = &ty else {
            let message = format!("`{}` is no record type", name.name);
            self.push(Diagnostic::error(Code::Type, name.span, message));
            return None;
        };
        if record.variants.is_some() {
            self.no_record(&ty, name.span);
            return None;
        }
        let mut parts: Vec<Option<ExprId>> = vec![None; record.names.len()];
        let mut good = true;
        for ((field, _), value) in fields.iter().zip(values) {
            let Some(position) = self.field_position(&ty, field) else {
                good = false;
                continue;
            };
            if parts[position as usize].replace(value).is_some() {
                let message = format!("the field `{}` has two values", field.name);
                self.push(Diagnostic::error(Code::Duplicate, field.span, message));
                good = false;
            }
            let place = format!("the field `{}`", field.name);
            good &= self.expect(value, ty.part(position), &place);
        }
        let missing = record.names.iter().zip(&parts).find(|(_, part)| part.is_none());
        if let (Some((missing, _)), true) = (missing, good) {
            let message = format!("the field `{missing}` has no value");
            self.push(Diagnostic::error(Code::Definition, span, message));
        }
        let parts: Option<Vec<ExprId>> = parts.into_iter().collect();
        parts.filter(|_| good).and_then(|parts| self.compose(parts, ty, span))
    }

    /// The position of a field; reports if there is none.
    pub(super) fn field_position(&mut self, ty: &Type, field: &ast::Ident) -> Option<u32> {
        if let Type::Record(record) = ty
            && let Some(position) = record.names.iter().position(|name| *name == field.name)
        {
            if let Some(first) = record.declared {
                // The fields of a data type begin behind its constructor.
                let id = FieldId(first.0 + position as u32 - u32::from(ty.variants().is_some()));
                self.mention(field.span, Meaning::Field(id));
            }
            return Some(position as u32);
        }
        let shown = self.show(ty);
        let message = match ty {
            Type::Record(_) if ty.variants().is_some() => {
                format!("no constructor of {shown} has a field `{}`", field.name)
            }
            Type::Record(record) => {
                // All instances of a type with parameters have the same fields.
                let shown = record.name.as_ref().map_or(&*shown, |name| name);
                format!("the record type {shown} has no field `{}`", field.name)
            }
            _ => format!("this is of type {shown}, which has no fields"),
        };
        let mut diagnostic = Diagnostic::error(Code::Type, field.span, message);
        if let Type::Record(record) = ty {
            let names = record.names.iter().map(|name| &**name).filter(|name| !name.is_empty());
            let names: Vec<&str> = names.collect();
            diagnostic = diagnostic.help(format!("its fields are {}", names.join(", ")));
        }
        self.push(diagnostic);
        None
    }

    /// `[a, b, c]`
    pub(super) fn array(&mut self, parts: Vec<Components>, span: Span) -> Components {
        let parts = self.singles(parts, "an element", span)?;
        let Some(first) = parts.first() else {
            let message = "an array has at least one element";
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        };
        let mut element = self.scope.exprs[*first].ty.clone();
        for part in &parts[1..] {
            self.same_type("[ ]", *first, *part)?;
            element = element.join(&self.scope.exprs[*part].ty);
        }
        let ty = Type::array(element, parts.len() as u32);
        self.compose(parts, ty, span)
    }

    /// `'(a, b)`
    pub(super) fn tuple_value(&mut self, parts: Vec<Components>, span: Span) -> Components {
        let parts = self.singles(parts, "a component", span)?;
        if parts.is_empty() {
            let message = "a tuple has at least one component";
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        let types = parts.iter().map(|part| self.scope.exprs[*part].ty.clone()).collect();
        self.compose(parts, Type::tuple(types), span)
    }

    /// A part of something, by its position.
    pub(super) fn part(&mut self, whole: ExprId, part: u32, span: Span) -> ExprId {
        let ty = self.scope.exprs[whole].ty.part(part).clone();
        self.scope.exprs.push(ExprKind::Part(whole, part), ty, span)
    }

    /// `r.a`
    pub(super) fn field(
        &mut self,
        whole: Vec<ExprId>,
        field: &ast::Ident,
        span: Span,
    ) -> Components {
        let whole = self.single(whole, "what has fields", span)?;
        let ty = self.scope.exprs[whole].ty.clone();
        let position = self.field_position(&ty, field)?;
        if ty.variants().is_some() {
            self.ask_for_field(whole, position, span);
            return Some(vec![self.selected(whole, position, span)]);
        }
        Some(vec![self.part(whole, position, span)])
    }

    /// `t.%0`
    pub(super) fn component(
        &mut self,
        whole: Vec<ExprId>,
        number: &ast::Ident,
        span: Span,
    ) -> Components {
        let whole = self.single(whole, "what has components", span)?;
        let position = self.tuple_position(whole, number.name.parse().ok(), number.span)?;
        Some(vec![self.part(whole, position, span)])
    }

    /// The position of a component by its number; reports if there is none.
    pub(super) fn tuple_position(
        &mut self,
        whole: ExprId,
        number: Option<BigInt>,
        span: Span,
    ) -> Option<u32> {
        let ty = self.scope.exprs[whole].ty.clone();
        let shown = self.show(&ty);
        if !matches!(ty, Type::Tuple(_)) {
            let message = format!("this is of type {shown}, which has no components");
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        let Some(number) = number else {
            let message = "the number of a component is known before the program runs";
            self.push(Diagnostic::error(Code::NotConstant, span, message));
            return None;
        };
        let found = u32::try_from(&number).ok().filter(|n| *n < ty.part_count());
        if found.is_none() {
            let message = format!("the tuple type {shown} has no component {number}");
            self.push(Diagnostic::error(Code::Type, span, message));
        }
        found
    }

    /// The value of an integer expression, where it is known.
    pub(super) fn known_int(&self, expr: ExprId) -> Option<BigInt> {
        match self.known_value(expr)?.first() {
            Some(Value::Int(n)) => Some(n.clone()),
            _ => None,
        }
    }

    /// The values of the leaves of an expression that has no flows in it and divides
    /// by nothing that is zero.
    pub(super) fn known_value(&self, expr: ExprId) -> Option<Vec<Value>> {
        let exprs = &self.scope.exprs;
        let constant = exprs.present_closure([expr]).iter().all(|id| {
            !matches!(
                exprs[*id].kind,
                ExprKind::Stream(_)
                    | ExprKind::Output(..)
                    | ExprKind::Apply(..)
                    | ExprKind::Pre(_)
                    | ExprKind::Arrow(..)
                    | ExprKind::Fby(..)
                    | ExprKind::When(..)
                    | ExprKind::Merge(..)
                    | ExprKind::Held(..)
            )
        });
        if constant { self.constant_value(expr) } else { None }
    }

    /// The length of an array; reports if it is none.
    pub(super) fn length(&mut self, whole: ExprId) -> Option<u32> {
        let expr = &self.scope.exprs[whole];
        if let Type::Array(array) = &expr.ty {
            return Some(array.length);
        }
        let message = format!("this is of type {}, which is no array", self.show(&expr.ty));
        let span = self.scope.exprs[whole].span;
        self.push(Diagnostic::error(Code::Type, span, message));
        None
    }

    /// `a[i]`, or `t[0]` of a tuple
    pub(super) fn element(
        &mut self,
        whole: Vec<ExprId>,
        index: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let whole = self.single(whole, "what has elements", span);
        let index = self.single(index, "an index", span);
        let (whole, index) = (whole?, index?);
        if matches!(self.scope.exprs[whole].ty, Type::Map(_)) {
            return self.value_of(whole, index, span).map(|value| vec![value]);
        }
        if matches!(self.scope.exprs[whole].ty, Type::Tuple(_)) {
            let number = self.known_int(index);
            let place = self.scope.exprs[index].span;
            let position = self.tuple_position(whole, number, place)?;
            return Some(vec![self.part(whole, position, span)]);
        }
        let length = self.length(whole)?;
        if !self.expect(index, &Type::Int, "an index") {
            return None;
        }
        let ty = self.scope.exprs[whole].ty.part(0).clone();
        let known = self.known_int(index);
        let inside = known.as_ref().is_some_and(|i| *i >= BigInt::ZERO && *i < length.into());
        if self.scope.kind == ScopeKind::Constant && !inside {
            // What nobody knows cannot be a constant, nor the size of an array.
            let place = self.scope.exprs[index].span;
            let message = format!("the index of a constant is between 0 and {}", length - 1);
            self.push(Diagnostic::error(Code::Index, place, message));
            return None;
        }
        let position = known.as_ref().and_then(|known| u32::try_from(known).ok());
        if let Some(position) = position.filter(|i| *i < length) {
            return Some(vec![self.part(whole, position, span)]);
        }
        if let Some(known) = &known {
            self.warn_outside(index, known, length);
        }
        Some(vec![self.read((whole, index), known.is_some(), ty, span)])
    }

    /// An element that may be outside of its array, or always is. What is written alike is
    /// one expression, so that reading the same twice gives the same at a step.
    fn read(
        &mut self,
        (array, index): (ExprId, ExprId),
        is_outside: bool,
        ty: Type,
        span: Span,
    ) -> ExprId {
        let key = shape(&self.scope.exprs, [array, index]);
        if let Some(known) = key.as_ref().and_then(|key| self.scope.reads.get(key)) {
            return *known;
        }
        let other = self.outside_in_function(index, &ty, span);
        let read = match other {
            Some(other) if is_outside => other,
            None if is_outside => self.scope.exprs.push(ExprKind::Any, ty, span),
            _ => self.scope.exprs.push(ExprKind::Element(array, index, other), ty, span),
        };
        self.scope.reads.extend(key.map(|key| (key, read)));
        read
    }

    /// Warns of an index that is always outside, but not where it is one of many
    /// that a definition goes through.
    fn warn_outside(&mut self, index: ExprId, known: &BigInt, length: u32) {
        if self.scope.bindings.is_empty() {
            let span = self.scope.exprs[index].span;
            let message = format!("the index {known} is outside of 0 to {}", length - 1);
            let note = if self.scope.inputs.is_some() {
                "the element is a value of which nothing is known"
            } else {
                "the element is an arbitrary value, at each step another one"
            };
            self.push(Diagnostic::warning(Code::Index, span, message).note(note));
        }
    }

    /// `a[i..j]`
    pub(super) fn slice(
        &mut self,
        whole: Vec<ExprId>,
        bounds: [Vec<ExprId>; 2],
        span: Span,
    ) -> Components {
        let whole = self.single(whole, "what is sliced", span)?;
        let length = self.length(whole)?;
        let mut ends = Vec::new();
        for bound in bounds {
            let bound = self.single(bound, "a bound of a slice", span)?;
            let place = self.scope.exprs[bound].span;
            let Some(known) = self.known_int(bound) else {
                let message = "the bounds of a slice are constants";
                self.push(Diagnostic::error(Code::NotConstant, place, message));
                return None;
            };
            let Some(end) = u32::try_from(&known).ok().filter(|i| *i < length) else {
                let message = format!("the bound {known} is outside of 0 to {}", length - 1);
                self.push(Diagnostic::error(Code::Index, place, message));
                return None;
            };
            ends.push(end);
        }
        if ends[0] > ends[1] {
            let message = format!("the slice from {} to {} has no elements", ends[0], ends[1]);
            let help = format!("for the reverse, define it by index: `b[i] = a[{} - i];`", ends[0]);
            self.push(Diagnostic::error(Code::Index, span, message).help(help));
            return None;
        }
        let element = self.scope.exprs[whole].ty.part(0).clone();
        let parts: Vec<ExprId> = (ends[0]..=ends[1]).map(|i| self.part(whole, i, span)).collect();
        let ty = Type::array(element, parts.len() as u32);
        self.compose(parts, ty, span)
    }

    /// `a | b`
    pub(super) fn concatenation(
        &mut self,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let a = self.single(a, "an operand of `|`", span)?;
        let b = self.single(b, "an operand of `|`", span)?;
        let lengths = (self.length(a), self.length(b));
        let (left, right) = (lengths.0?, lengths.1?);
        let mut parts: Vec<ExprId> = (0..left).map(|i| self.part(a, i, span)).collect();
        parts.extend((0..right).map(|i| self.part(b, i, span)));
        let element = self.same_type("|", parts[0], parts[left as usize])?;
        let ty = Type::array(element, left.saturating_add(right));
        self.compose(parts, ty, span)
    }

    /// `e^n`
    pub(super) fn repeat(
        &mut self,
        element: Vec<ExprId>,
        times: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let element = self.single(element, "an element", span)?;
        let times = self.single(times, "the size of an array", span)?;
        if !self.expect(times, &Type::Int, "the size of an array") {
            return None;
        }
        let place = self.scope.exprs[times].span;
        let known = self.known_int(times);
        self.need(times);
        if known.is_none() {
            self.size_of_constants(times);
        }
        let length = self.size(known, place)?;
        let ty = Type::array(self.scope.exprs[element].ty.clone(), length);
        let ty = self.bounded(ty, span)?;
        Some(self.scalar(ExprKind::Repeat(element), ty, span))
    }

    /// The size of an array from its value; reports if it is none.
    pub(super) fn size(&mut self, known: Option<BigInt>, span: Span) -> Option<u32> {
        let Some(known) = known else {
            if !self.scope.parameters.is_empty() {
                // Where the node is called, it is known.
                self.template = true;
                return None;
            }
            let message = "the size of an array is a constant";
            self.push(Diagnostic::error(Code::NotConstant, span, message));
            return None;
        };
        let size = u32::try_from(&known).ok().filter(|size| *size > 0);
        if size.is_none() {
            let message = format!("an array cannot have {known} elements");
            self.push(
                Diagnostic::error(Code::Type, span, message).help("it has at least one element"),
            );
        }
        size
    }

    /// The elements of an array of so many dimensions.
    pub(super) fn elements(&mut self, array: ExprId, dimensions: usize, span: Span) -> Vec<ExprId> {
        let mut all = vec![array];
        for _ in 0..dimensions {
            let mut inner = Vec::new();
            for array in all {
                let length = self.scope.exprs[array].ty.part_count();
                inner.extend((0..length).map(|i| self.part(array, i, span)));
            }
            all = inner;
        }
        all
    }
}

/// How some expressions are written, where they have the same value at a step
/// whenever they are written alike: they have no state, call nothing and leave nothing
/// open. None too where they are long.
fn shape(exprs: &Exprs, roots: [ExprId; 2]) -> Option<String> {
    const LONGEST: usize = 100;
    let mut text = String::new();
    let mut stack = roots.to_vec();
    for _ in 0..LONGEST {
        let Some(id) = stack.pop() else { return Some(text) };
        let word = match &exprs[id].kind {
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Real(r) => format!("{r}."),
            ExprKind::Enum(e, i) => format!("{e:?} {i}"),
            ExprKind::Machine(shape, n) => format!("{shape} {n}"),
            ExprKind::Const(c) => format!("{c:?}"),
            ExprKind::Stream(s) => format!("{s:?}"),
            ExprKind::Unary(op, _) => format!("{op:?}"),
            ExprKind::Binary(op, ..) => format!("{op:?}"),
            ExprKind::If(..) => "if".into(),
            ExprKind::Part(_, part) => format!("part {part}"),
            // One that is read alike is the same expression.
            ExprKind::Element(..) => format!("read {id:?}"),
            _ => return None,
        };
        text += &word;
        text.push(';');
        if !matches!(exprs[id].kind, ExprKind::Element(..)) {
            exprs.present_operands(id, |operand| stack.push(operand));
        }
    }
    None
}

/// What an update changes.
pub(super) enum Change {
    /// A field, or an index that is named.
    Name(ast::Ident),
    /// An index.
    Index(Vec<ExprId>),
}
