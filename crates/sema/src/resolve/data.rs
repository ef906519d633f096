//! Values of data types: constructors, testers, selectors. They are records of which some
//! fields do not count (`variants.rs`).

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::environment::Global;
use super::expressions::count;
use super::parameters::infer;
use super::scope::{Asked, ScopeKind};
use super::{Components, Resolver};
use crate::interp::default_value;
use crate::program::{BinaryOp, ExprId, ExprKind, Meaning};
use crate::types::{Abstract, EnumId, Type, Value};

impl Resolver<'_> {
    /// Whether a name is that of a constructor, with fields or without.
    pub(super) fn is_constructor(&self, name: &str) -> bool {
        let known = self.env.values.get(name).map(|known| &known.what);
        matches!(known, Some(Global::Constructor(..) | Global::Enum(..)))
    }

    /// Whether a name is that of a constructor of a type with parameters.
    pub(super) fn is_generic_constructor(&self, name: &str) -> bool {
        let known = self.env.values.get(name).map(|known| &known.what);
        let generic = |ty: &Type| matches!(ty, Type::Record(r) if !r.arguments.is_empty());
        match known {
            Some(Global::Constructor(ty, _)) => generic(ty),
            Some(Global::Broken) => true,
            _ => false,
        }
    }

    /// `Circle(1.0)`, `Point`, `None@<int>`
    pub(super) fn constructed(
        &mut self,
        (ty, constructor): (Type, u32),
        (name, types): (&ast::Ident, &[ast::Type]),
        args: Option<Vec<ExprId>>,
        span: Span,
    ) -> Components {
        let tag = ty.variants()?.tag;
        self.mention(name.span, Meaning::Value(tag, constructor));
        let args = args?;
        let fields: Vec<u32> = ty.variants()?.fields(constructor).collect();
        if args.len() != fields.len() {
            let (want, have) = (count(fields.len(), "field"), args.len());
            let message = format!("`{}` has {want}, {have} given", name.name);
            let declared = self.program.enums[tag.index()].value_spans[constructor as usize];
            self.push(
                Diagnostic::error(Code::Arity, span, message).also(declared, "declared here"),
            );
            return None;
        }
        let ty = self.instance(&ty, (name, types), (&fields, &args))?;
        let mut good = true;
        for (field, arg) in fields.iter().zip(&args) {
            let place = format!("this field of `{}`", name.name);
            good &= self.expect(*arg, ty.part(*field), &place);
        }
        if !good {
            return None;
        }
        let which = ExprKind::Enum(tag, constructor);
        let mut parts = vec![self.scope.exprs.push(which, Type::Enum(tag), span)];
        for part in 1..ty.part_count() {
            let own = fields.iter().position(|field| *field == part);
            parts.push(match own {
                Some(position) => args[position],
                None => self.plainest(ty.part(part), span),
            });
        }
        self.compose(parts, ty, span)
    }

    /// The type that a constructor makes, with the types that its parameters stand for:
    /// those that are named, or else those of the fields.
    fn instance(
        &mut self,
        ty: &Type,
        (name, types): (&ast::Ident, &[ast::Type]),
        (fields, args): (&[u32], &[ExprId]),
    ) -> Option<Type> {
        let Type::Record(record) = ty else { return None };
        let of = record.name.as_ref().and_then(|name| self.env.type_parameters.get(name));
        let parameters = of.cloned().unwrap_or_default();
        let types = if types.is_empty() {
            let mut found: FxHashMap<&Abstract, Type> = FxHashMap::default();
            for (field, arg) in fields.iter().zip(args) {
                infer(ty.part(*field), &self.scope.exprs[*arg].ty, &mut found);
            }
            let help = format!("name the types: `{}@<…>`", name.name);
            self.inferred(&parameters, &found, ("fields", name.span), help)?
        } else {
            self.types_given(types)?
        };
        if types.len() != parameters.len() {
            let (want, have) = (count(parameters.len(), "type parameter"), types.len());
            let message = format!("the type of `{}` has {want}, {have} given", name.name);
            self.push(Diagnostic::error(Code::Arity, name.span, message));
            return None;
        }
        self.instantiated(ty, &parameters, &types, name.span)
    }

    /// `Red(1)`, where `Red` has no fields
    pub(super) fn no_arguments(&mut self, id: EnumId, name: &ast::Ident, span: Span) -> Components {
        let ty = self.program.enums[id.index()].name.clone();
        let message = format!("`{}` of {ty} has no fields", name.name);
        let help = format!("write `{}`", name.name);
        self.push(Diagnostic::error(Code::Arity, span, message).help(help));
        None
    }

    /// Reports that a data type is no record.
    pub(super) fn no_record(&mut self, ty: &Type, span: Span) {
        let shown = self.show(ty);
        let message = format!("{shown} is a data type and no record");
        let help = "its values are made by its constructors: `C(…)`";
        self.push(Diagnostic::error(Code::Type, span, message).help(help));
    }

    /// The plainest value of a type.
    pub(super) fn plainest(&mut self, ty: &Type, span: Span) -> ExprId {
        let kind = match ty {
            Type::Keyed(keyed) => ExprKind::Everywhere(self.plainest(&keyed.element, span)),
            Type::Array(array) => ExprKind::Repeat(self.plainest(&array.element, span)),
            _ if !ty.is_scalar() => {
                let parts = 0..ty.part_count();
                ExprKind::Compose(parts.map(|i| self.plainest(ty.part(i), span)).collect())
            }
            _ => match (default_value(ty), ty) {
                (Value::Bool(b), _) => ExprKind::Bool(b),
                (Value::Int(n), _) => ExprKind::Int(n),
                (Value::Real(r), _) => ExprKind::Real(r),
                (Value::Enum(i), Type::Enum(id)) => ExprKind::Enum(*id, i),
                (Value::Machine(shape, n), _) => ExprKind::Machine(shape, n),
                (value, ty) => unreachable!("{value:?} is not of type {ty:?}"),
            },
        };
        self.scope.exprs.push(kind, ty.clone(), span)
    }

    /// Whether a constructor made a value of a data type, or a value is that of an
    /// enumeration.
    pub(super) fn is_made_by(&mut self, value: ExprId, constructor: u32, span: Span) -> ExprId {
        let (which, tag) = match &self.scope.exprs[value].ty {
            Type::Enum(id) => (value, *id),
            ty => {
                let tag = ty.variants().expect("it is of a data type").tag;
                (self.part(value, 0, span), tag)
            }
        };
        let exprs = &mut self.scope.exprs;
        let wanted = exprs.push(ExprKind::Enum(tag, constructor), Type::Enum(tag), span);
        self.push_bool(ExprKind::Binary(BinaryOp::Equal, which, wanted), span)
    }

    /// `C?(e)`
    pub(super) fn tested(
        &mut self,
        name: &ast::Ident,
        list: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let value = self.single(list, "what is tested", span)?;
        let ty = self.scope.exprs[value].ty.clone();
        let constructor = self.constructor_of(&ty, name)?;
        Some(vec![self.is_made_by(value, constructor, span)])
    }

    /// The position of a constructor of a type; reports if it has none of this name.
    pub(super) fn constructor_of(&mut self, ty: &Type, name: &ast::Ident) -> Option<u32> {
        let tag = match ty {
            Type::Enum(id) => Some(*id),
            _ => ty.variants().map(|variants| variants.tag),
        };
        let known = self.env.values.get(&name.name).map(|known| known.what.clone());
        let found = match &known {
            Some(Global::Constructor(other, i)) => other.variants().map(|known| (known.tag, *i)),
            Some(Global::Enum(id, i)) => Some((*id, *i)),
            Some(Global::Broken) => return None,
            _ => None,
        };
        if let (Some(tag), Some((found, i))) = (tag, found)
            && tag == found
        {
            self.mention(name.span, Meaning::Value(found, i));
            return Some(i);
        }
        if known.is_none() && self.env.hidden.hides_value(&name.name) {
            return None;
        }
        let shown = self.show(ty);
        let Some(tag) = tag else {
            let message = format!("this is of type {shown}, which has no constructors");
            self.push(Diagnostic::error(Code::Type, name.span, message));
            return None;
        };
        let message = format!("`{}` is no constructor of {shown}", name.name);
        let names = self.program.enums[tag.index()].values.join(", ");
        let help = format!("its constructors are {names}");
        self.push(Diagnostic::error(Code::Type, name.span, message).help(help));
        None
    }

    /// `e.f`: the field where its constructor made the value, and else the plainest value,
    /// so that equal values have equal fields.
    pub(super) fn selected(&mut self, value: ExprId, part: u32, span: Span) -> ExprId {
        let field = self.part(value, part, span);
        let ty = self.scope.exprs[value].ty.clone();
        let Some(variants) = ty.variants() else { return field };
        let Some(owner) = variants.owner(part).filter(|_| variants.count() > 1) else {
            return field;
        };
        let condition = self.is_made_by(value, owner, span);
        let other = self.plainest(ty.part(part), span);
        let ty = ty.part(part).clone();
        self.scope.exprs.push(ExprKind::If(condition, field, other), ty, span)
    }

    /// That a field is one of the constructor that made a value is a property of the node,
    /// wherever the field is read.
    pub(super) fn ask_for_field(&mut self, value: ExprId, part: u32, span: Span) {
        let ty = self.scope.exprs[value].ty.clone();
        let Some(variants) = ty.variants().filter(|variants| variants.count() > 1) else { return };
        let stated = !self.scope.closed && self.scope.kind != ScopeKind::Constant;
        let Some(owner) = variants.owner(part).filter(|_| stated) else { return };
        let mut holds = self.is_made_by(value, owner, span);
        for (guard, truth, level) in self.scope.guards.clone() {
            let guard = self.sampled(guard, level);
            let op = if truth { BinaryOp::Implies } else { BinaryOp::Or };
            holds = self.push_bool(ExprKind::Binary(op, guard, holds), span);
        }
        let holds = self.where_chosen(holds, span);
        self.scope.ascribed.push(Asked { holds, span, of: "constructor" });
    }

    /// Something is resolved where some truth values of this place hold, or do not.
    pub(super) fn guarded_by<T>(
        &mut self,
        guards: &[(ExprId, bool)],
        resolve: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (before, level) = (self.scope.guards.len(), self.scope.sampled.len());
        self.scope.guards.extend(guards.iter().map(|(guard, truth)| (*guard, *truth, level)));
        let found = resolve(self);
        self.scope.guards.truncate(before);
        found
    }

    /// Whether fields of data types are perhaps read in a run of the arena.
    pub(super) fn selects(&self, first: u32, last: u32) -> bool {
        (first..=last).any(|id| self.is_selector(ast::ExprId(id)))
    }

    /// Whether an expression perhaps reads a field of a data type.
    pub(super) fn is_selector(&self, id: ast::ExprId) -> bool {
        let ast::ExprKind::Field(_, name) = &self.ast[id].kind else { return false };
        self.env.selectors.contains(&name.name)
    }

    /// The same value with the plainest ones in the place of those that do not count: what
    /// is equal is the same in all leaves.
    pub(super) fn normal(&mut self, value: ExprId) -> ExprId {
        let ty = self.scope.exprs[value].ty.clone();
        if ty.has_keys() {
            let value = self.plain_maps(value);
            return if ty.has_variants() && !ty.is_scalar() {
                self.without_others(value)
            } else {
                value
            };
        }
        self.without_others(value)
    }

    fn without_others(&mut self, value: ExprId) -> ExprId {
        let (ty, span) = (self.scope.exprs[value].ty.clone(), self.scope.exprs[value].span);
        if !ty.has_variants() || matches!(ty, Type::Map(_)) {
            return value;
        }
        let mut parts = Vec::new();
        for i in 0..ty.part_count() {
            let part = match ty.variants() {
                Some(_) => self.selected(value, i, span),
                None => self.part(value, i, span),
            };
            parts.push(self.without_others(part));
        }
        self.scope.exprs.push(ExprKind::Compose(parts), ty, span)
    }
}
