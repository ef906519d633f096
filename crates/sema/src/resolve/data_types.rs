//! Declarations of data types.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Declaration, Tree, TypeKind};
use lustral_syntax::diagnostic::Diagnostic;

use super::declarations::Declarer;
use super::environment::Global;
use super::scope::Scope;
use super::{Resolver, TypeArguments, duplicate};
use crate::program::{Enumeration, Field};
use crate::types::{EnumId, FieldId, Record, Tuple, Type, Variants};

/// The constructors of a data type.
fn constructors(declared: &ast::TypeDeclaration) -> &[ast::Constructor] {
    match &declared.definition.kind {
        TypeKind::Data(constructors) => constructors,
        _ => &[],
    }
}

/// The constructors that a declaration declares.
pub(super) fn constructors_of(declaration: &Declaration) -> &[ast::Constructor] {
    match declaration {
        Declaration::Type(declared) => constructors(declared),
        _ => &[],
    }
}

impl Declarer<'_> {
    pub(super) fn define_data(
        &mut self,
        tree: &Tree,
        declared: &ast::TypeDeclaration,
        parameters: TypeArguments,
    ) -> Option<Type> {
        let all = constructors(declared);
        let tag = EnumId(self.program.enums.len() as u32);
        self.program.enums.push(Enumeration {
            name: declared.name.name.clone(),
            values: all.iter().map(|c| c.name.name.clone()).collect(),
            value_spans: all.iter().map(|c| c.name.span).collect(),
            constructors: true,
        });
        let known = declared.parameters.iter().filter_map(|p| parameters.get(&p.name));
        let arguments: Vec<Type> = known.map(|(ty, _)| ty.clone()).collect();
        let (ty, _) = self.resolving(tree, Scope::default(), |r| {
            r.type_arguments = parameters;
            r.data_type(&declared.name, all, (tag, arguments))
        });
        let fields = all.iter().flat_map(|c| &c.fields);
        self.env.selectors.extend(fields.map(|field| field.name.name.clone()));
        for (i, constructor) in (0..).zip(all) {
            let what = match &ty {
                Some(ty) => Global::Constructor(ty.clone(), i),
                None => Global::Broken,
            };
            self.declare_value(&constructor.name, what);
        }
        ty
    }

    /// The constructors of a data type with an error, which has its diagnostic.
    pub(super) fn broken_data(&mut self, declared: &ast::TypeDeclaration) {
        for constructor in constructors(declared) {
            self.declare_value(&constructor.name, Global::Broken);
        }
    }

    /// Says that a data type holds values of its own type, directly or not.
    pub(super) fn recursive_data(&mut self, declared: &ast::TypeDeclaration, user: Span) {
        let name = &declared.name;
        let mut diagnostic = Diagnostic::unsupported(name.span, "recursive data types").help(
            "write out as many levels as are needed, each a data type of its own, or keep the \
             elements in an array",
        );
        if user != name.span {
            diagnostic = diagnostic.also(user, "through this");
        }
        self.diagnostics.push(diagnostic);
    }
}

impl Resolver<'_> {
    fn data_type(
        &mut self,
        name: &ast::Ident,
        constructors: &[ast::Constructor],
        (tag, arguments): (EnumId, Vec<Type>),
    ) -> Option<Type> {
        let all: Vec<&ast::Variable> = constructors.iter().flat_map(|c| &c.fields).collect();
        let mut types = vec![Some(Type::Enum(tag))];
        for (i, field) in all.iter().enumerate() {
            let first = all[..i].iter().find(|other| other.name.name == field.name.name);
            if let Some(first) = first {
                self.push(duplicate("field", &field.name.name, field.name.span, first.name.span));
                types.push(None);
                continue;
            }
            types.push(self.ty(&field.ty));
        }
        let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
        let first = self.program.fields.len() + self.fields.len();
        self.fields.extend(all.iter().zip(&types[1..]).map(|(field, ty)| Field {
            name: field.name.name.clone(),
            span: field.name.span,
            ty: ty.clone(),
        }));
        let names = [Arc::from("")].into_iter().chain(all.iter().map(|f| f.name.name.clone()));
        let counts = constructors.iter().map(|c| c.fields.len());
        let record = Record {
            name: Some(name.name.clone()),
            arguments,
            declared: Some(FieldId(first as u32)),
            names: names.collect(),
            fields: Tuple::new(types),
            variants: Some(Variants::new(tag, counts)),
        };
        self.bounded(Type::Record(Arc::new(record)), name.span)
    }
}
