//! The types that texts mean.

use std::sync::Arc;

use lustral_base::sort::BitVec;
use lustral_syntax::Span;
use lustral_syntax::ast::{self, TypeKind};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::scope::ScopeKind;
use super::{Resolver, duplicate, similar};
use crate::program::{Field, Meaning};
use crate::types::{Bounds, FieldId, Record, Tuple, Type, Value};

impl Resolver<'_> {
    /// The type that a text means; none if it has an error.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Option<Type> {
        match &ty.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int => Some(Type::Int),
            TypeKind::Real => Some(Type::Real),
            TypeKind::Subrange(low, high) => self.subrange(ty.span, [*low, *high]),
            TypeKind::Enum(_) => {
                self.push(
                    Diagnostic::error(Code::Type, ty.span, "an enumeration needs a name")
                        .help("declare it: `type t = enum { … };`"),
                );
                None
            }
            TypeKind::Machine(shape) => Some(Type::Machine(*shape)),
            TypeKind::Named(name) => self.applied_type(name, &[], ty.span),
            TypeKind::Applied(name, types) => self.applied_type(&name.name, types, name.span),
            TypeKind::Record(fields) => self.record_type(fields, ty.span),
            TypeKind::Tuple(types) => {
                let types: Vec<Option<Type>> = types.iter().map(|ty| self.ty(ty)).collect();
                let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
                self.bounded(Type::tuple(types), ty.span)
            }
            TypeKind::Array(element, sizes) => {
                let mut found = self.ty(element);
                for size in sizes {
                    let size = self.array_size(*size);
                    found = found.zip(size).map(|(element, size)| Type::array(element, size));
                }
                self.bounded(found?, ty.span)
            }
            TypeKind::Abstract | TypeKind::Data(_) => None,
            TypeKind::Refinement(variable, _) => self.ty(&variable.ty),
            TypeKind::Error => None,
        }
    }

    fn record_type(&mut self, fields: &[ast::Variable], span: Span) -> Option<Type> {
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut types = Vec::new();
        for field in fields {
            if let Some(first) = names.iter().position(|name| *name == field.name.name) {
                let first = fields[first].name.span;
                self.push(duplicate("field", &field.name.name, field.name.span, first));
                types.push(None);
                continue;
            }
            names.push(field.name.name.clone());
            types.push(self.ty(&field.ty));
        }
        if fields.is_empty() {
            self.push(Diagnostic::error(Code::Type, span, "a record has at least one field"));
            return None;
        }
        let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
        // The fields of a type inside a node are not known outside of it.
        let outside = self.scope.kind == ScopeKind::Constant;
        let first = self.program.fields.len() + self.fields.len();
        let declared = outside.then_some(FieldId(first as u32));
        if outside {
            let all = fields.iter().zip(&types);
            self.fields.extend(all.map(|(field, ty)| Field {
                name: field.name.name.clone(),
                span: field.name.span,
                ty: ty.clone(),
            }));
        }
        let (arguments, fields) = (Vec::new(), Tuple::new(types));
        let record = Record { name: None, arguments, declared, names, fields, variants: None };
        self.bounded(Type::Record(Arc::new(record)), span)
    }

    /// The size of an array in a type.
    pub(super) fn array_size(&mut self, root: ast::ExprId) -> Option<u32> {
        self.met_free = false;
        self.met.clear();
        let (value, ty) = self.constant_bound(root)?;
        let span = self.ast[root].span;
        if self.met_free {
            self.sized_by(self.met.clone());
            let what = "sizes of arrays that depend on free constants";
            self.push(Diagnostic::unsupported(span, what).help("give the constant a value"));
            return None;
        }
        if !ty.is_int() {
            let message = format!("the size of an array is an int, this is a {}", self.show(&ty));
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        let known = value.and_then(|leaves| match leaves.into_iter().next() {
            Some(Value::Int(n)) => Some(n),
            _ => None,
        });
        self.size(known, span)
    }

    /// The type that a name stands for; its parameters, if it has some, are abstract.
    pub(super) fn declared_type(&mut self, name: &str, span: Span) -> Option<Type> {
        if let Some((ty, variable)) = self.type_arguments.get(name).cloned() {
            self.mention(span, Meaning::Variable(variable));
            return Some(ty);
        }
        if let Some((id, ty)) = self.env.types.get(name) {
            self.mention(span, Meaning::Type(*id));
            return ty.clone();
        }
        if let Some(shape) = BitVec::named(name) {
            return Some(Type::Machine(shape));
        }
        if self.env.hidden.hides_type(name) {
            return None;
        }
        let message = format!("there is no type `{name}`");
        let mut diagnostic = Diagnostic::error(Code::Undeclared, span, message);
        let known = self.env.types.keys().map(|k| &**k).chain(["bool", "int", "real"]);
        if let Some(help) = elsewhere(name) {
            diagnostic = diagnostic.help(help);
        } else if let Some(meant) = similar(name, known) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        }
        self.push(diagnostic);
        None
    }

    /// A bound that is left out is none.
    fn subrange(&mut self, span: Span, ends: [Option<ast::ExprId>; 2]) -> Option<Type> {
        // Of each bound that is written and is a number, its value. What else holds is
        // said of each flow.
        let [low, high] = ends.map(|end| {
            let end = end.filter(|end| !self.is_symbolic(*end));
            end.map(|end| self.constant_int(end, "a bound of a subrange"))
        });
        let known = |end: Option<Option<BigInt>>| match end {
            Some(value) => value.map(Some),
            None => Some(None),
        };
        let bounds = Bounds { low: known(low)?, high: known(high)? };
        if bounds.is_empty() {
            let message = format!("the subrange [{bounds}] has no values");
            self.push(
                Diagnostic::error(Code::Type, span, message).help("the smaller bound comes first"),
            );
            return None;
        }
        Some(match bounds {
            Bounds { low: None, high: None } => Type::Int,
            bounds => Type::Subrange(Arc::new(bounds)),
        })
    }

    /// The value of something that must be a constant whole number.
    pub(super) fn constant_int(&mut self, root: ast::ExprId, what: &str) -> Option<BigInt> {
        let (value, ty) = self.constant_bound(root)?;
        let span = self.ast[root].span;
        if !ty.is_int() {
            let found = self.show(&ty);
            let message = format!("{what} is an int, this is a {found}");
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        match value.as_deref() {
            Some([Value::Int(n)]) => Some(n.clone()),
            _ => {
                let message = format!("{what} cannot divide by zero");
                self.push(Diagnostic::error(Code::DivisionByZero, span, message));
                None
            }
        }
    }
}

/// What to write for a type that other languages have.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "boolean" | "Bool" | "Boolean" => "write `bool`",
        "integer" | "Int" | "Integer" => {
            "write `int`, or `int32` for one of 32 bits that wraps around"
        }
        "unsigned" => "write `uint32`, or `subrange [0, *] of int`",
        "float" | "double" | "Real" => "write `real`: its numbers are exact",
        "float16" | "float32" | "float64" => {
            "floating-point numbers are not supported yet: write `real`, whose numbers are exact"
        }
        "string" | "char" => "there is no text: an enumeration has names for values",
        _ => return None,
    })
}
