//! Which types and constants a declaration of either needs, for the order in which they
//! are resolved.

use std::sync::Arc;

use lustral_syntax::ast::{self, Declaration, ExprKind, Static, StaticArgument, TypeKind};

/// What a name is declared as: types and values have names apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Type,
    Value,
}

pub(super) type Key = (Kind, Arc<str>);

/// What a declaration declares, if it is a type or a constant with a name.
pub(super) fn key(declaration: &Declaration) -> Option<Key> {
    let kind = match declaration {
        Declaration::Type(_) => Kind::Type,
        Declaration::Const(_) => Kind::Value,
        Declaration::Node(_) | Declaration::Contract(_) => return None,
    };
    let name = declaration.name();
    (!name.is_missing()).then(|| (kind, name.name.clone()))
}

/// The types and constants that a declaration names, but for its own type parameters.
pub(super) fn mentions(exprs: &ast::Exprs, declaration: &Declaration) -> Vec<Key> {
    let mut names = Names { found: Vec::new(), types: Vec::new(), values: Vec::new() };
    match declaration {
        Declaration::Type(d) => names.types.push(&d.definition),
        Declaration::Const(d) => {
            names.types.extend(&d.ty);
            names.values.extend(d.value);
        }
        Declaration::Node(_) | Declaration::Contract(_) => {}
    }
    loop {
        if let Some(ty) = names.types.pop() {
            names.of_type(ty);
        } else if let Some(id) = names.values.pop() {
            names.of_value(exprs, id);
        } else {
            break;
        }
    }
    let parameters = declaration.type_parameters();
    let inside = |name: &Arc<str>| parameters.iter().any(|parameter| parameter.name == *name);
    names.found.retain(|(kind, name)| *kind == Kind::Value || !inside(name));
    names.found
}

/// The names that were found, and what is still to be looked at.
struct Names<'a> {
    found: Vec<Key>,
    types: Vec<&'a ast::Type>,
    values: Vec<ast::ExprId>,
}

impl<'a> Names<'a> {
    fn of_type(&mut self, ty: &'a ast::Type) {
        match &ty.kind {
            TypeKind::Named(name) => self.found.push((Kind::Type, name.clone())),
            TypeKind::Applied(name, list) => {
                self.found.push((Kind::Type, name.name.clone()));
                self.types.extend(list);
            }
            TypeKind::Subrange(low, high) => {
                self.values.extend([*low, *high].into_iter().flatten());
            }
            TypeKind::Record(fields) => self.types.extend(fields.iter().map(|field| &field.ty)),
            TypeKind::Data(list) => {
                self.types.extend(list.iter().flat_map(|c| &c.fields).map(|field| &field.ty));
            }
            TypeKind::Tuple(list) => self.types.extend(list),
            TypeKind::Array(element, sizes) => {
                self.types.push(element);
                self.values.extend(sizes);
            }
            // What holds of its values is resolved where it is used.
            TypeKind::Refinement(variable, _) => self.types.push(&variable.ty),
            TypeKind::Abstract
            | TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::Enum(_)
            | TypeKind::Machine(_)
            | TypeKind::Error => {}
        }
    }

    fn of_value(&mut self, exprs: &'a ast::Exprs, id: ast::ExprId) {
        match &exprs[id].kind {
            ExprKind::Name(name) => {
                self.found.push((Kind::Value, name.clone()));
                self.types.extend(exprs.type_arguments(id));
            }
            ExprKind::Tester(name, _) => self.found.push((Kind::Value, name.name.clone())),
            ExprKind::Record(name, _) => {
                self.found.push((Kind::Type, name.name.clone()));
                self.types.extend(exprs.type_arguments(id));
            }
            ExprKind::Ascribed(_, ty) => self.types.push(ty),
            ExprKind::Call(name, _) => {
                // Perhaps a constructor.
                self.found.push((Kind::Value, name.name.clone()));
                self.types.extend(exprs.type_arguments(id));
                StaticArgument::visit(exprs.static_arguments(id), &mut |part| match part {
                    Static::Name(name) => self.found.push((Kind::Value, name.name.clone())),
                    Static::Const(expr) => self.values.push(expr),
                    Static::Type(_) | Static::Operator(_) => {}
                });
            }
            ExprKind::Update(_, _, changes) => {
                self.found.extend(changes.iter().filter_map(|(selector, _)| match selector {
                    ast::Selector::Name(name) => Some((Kind::Value, name.name.clone())),
                    ast::Selector::Index(_) => None,
                }));
            }
            _ => {}
        }
        self.values.extend(exprs.operands(id));
    }
}
