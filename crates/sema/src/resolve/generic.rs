//! Types and contracts with parameters: `type p<t> = …`, `contract c<t>(…)`.
//!
//! A type is resolved once, with abstract types in place of its parameters; where it is
//! named, the types that are given replace these (instantiation). A contract is written out
//! for each import anyway, with names that stand for the types of this one.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, ContractDeclaration};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::declarations::abstract_types;
use super::expressions::count;
use super::parameters::{arguments, infer};
use super::{Parameter, Resolver, TypeArguments};
use crate::program::{ExprId, StreamId};
use crate::types::{Abstract, Type};

impl<'a> Resolver<'a> {
    /// The type parameters of a declared type.
    fn parameters_of(&self, name: &str) -> Vec<Parameter> {
        if self.type_arguments.contains_key(name) {
            return Vec::new();
        }
        self.env.type_parameters.get(name).cloned().unwrap_or_default()
    }

    /// Types that stand for type parameters; none if there is an error.
    pub(super) fn types_given(&mut self, types: &[ast::Type]) -> Option<Vec<Type>> {
        if let Some(refined) = types.iter().find(|ty| self.is_refined(ty)) {
            let what = "types with conditions in place of a type parameter";
            self.push(Diagnostic::unsupported(refined.span, what));
            return None;
        }
        let types: Vec<Option<Type>> = types.iter().map(|ty| self.ty(ty)).collect();
        types.into_iter().collect()
    }

    /// `p`, or `p<int; bool>`
    pub(super) fn applied_type(
        &mut self,
        name: &str,
        types: &[ast::Type],
        span: Span,
    ) -> Option<Type> {
        if let Some(found) = self.keyed_type(name, types, span) {
            return found;
        }
        let pattern = self.declared_type(name, span);
        let types = self.types_given(types);
        let (pattern, types) = (pattern?, types?);
        if pattern.has_keys() && types.iter().any(Type::has_bounds) {
            let what = "types with bounds in place of a parameter of which there are sets or maps";
            self.push(Diagnostic::unsupported(span, what).help("name the type without bounds"));
            return None;
        }
        let parameters = self.parameters_of(name);
        if types.len() != parameters.len() {
            let (want, have) = (count(parameters.len(), "type parameter"), types.len());
            let message = format!("the type `{name}` has {want}, {have} given");
            let mut diagnostic = Diagnostic::error(Code::Arity, span, message);
            if types.is_empty() {
                let named: Vec<&str> = parameters.iter().map(|(known, _)| &*known.name).collect();
                diagnostic =
                    diagnostic.help(format!("name the types: `{name}<{}>`", named.join("; ")));
            }
            self.push(diagnostic);
            return None;
        }
        self.instantiated(&pattern, &parameters, &types, span)
    }

    pub(super) fn instantiated(
        &mut self,
        pattern: &Type,
        parameters: &[Parameter],
        types: &[Type],
        span: Span,
    ) -> Option<Type> {
        if parameters.is_empty() {
            return Some(pattern.clone());
        }
        let found = |known: &Abstract| {
            let position = parameters.iter().position(|(parameter, _)| **parameter == *known);
            position.map(|i| types[i].clone())
        };
        let made = pattern.replaced(&found);
        if made.has_bounded_arguments() {
            let what = "types with bounds in place of a type parameter of a data type";
            let help = "declare a data type of its own with this type for its fields";
            self.push(Diagnostic::unsupported(span, what).help(help));
            return None;
        }
        self.bounded(made, span)
    }

    /// The type of `p { a = 1 }` or `p@<int> { a = 1 }`. The types of the values say what
    /// the parameters are, where the record does not.
    pub(super) fn type_of_record(
        &mut self,
        (name, types): (&ast::Ident, &[ast::Type]),
        fields: &[(ast::Ident, ast::ExprId)],
        values: Option<&[ExprId]>,
    ) -> Option<Type> {
        let parameters = self.parameters_of(&name.name);
        if parameters.is_empty() || !types.is_empty() {
            return self.applied_type(&name.name, types, name.span);
        }
        let pattern = self.declared_type(&name.name, name.span)?;
        let (Type::Record(record), Some(values)) = (&pattern, values) else {
            // That it is no record is said by the caller.
            return Some(pattern).filter(|_| values.is_some());
        };
        let mut found = FxHashMap::default();
        for ((field, _), value) in fields.iter().zip(values) {
            let position = record.names.iter().position(|known| *known == field.name);
            if let Some(position) = position {
                let actual = &self.scope.exprs[*value].ty;
                infer(pattern.part(position as u32), actual, &mut found);
            }
        }
        let help = format!("name the types: `{}@<…> {{ … }}`", name.name);
        let types = self.inferred(&parameters, &found, ("values", name.span), help)?;
        self.instantiated(&pattern, &parameters, &types, name.span)
    }

    /// The types that were found for some parameters; reports where one is missing.
    pub(super) fn inferred(
        &mut self,
        parameters: &[Parameter],
        found: &FxHashMap<&Abstract, Type>,
        (what, span): (&str, Span),
        help: String,
    ) -> Option<Vec<Type>> {
        let missing = parameters.iter().find(|(known, _)| !found.contains_key(&**known));
        if let Some((known, _)) = missing {
            let message = format!("the {what} do not say what the type `{}` is", known.name);
            self.push(Diagnostic::error(Code::Type, span, message).help(help));
            return None;
        }
        parameters.iter().map(|(known, _)| found.get(&**known).cloned()).collect()
    }

    /// What the names of the type parameters of a contract stand for in an import of a
    /// frame whose flows have some names: the types that it gives, or else those of the
    /// flows that it names.
    pub(super) fn types_of_import(
        &mut self,
        names: &FxHashMap<Arc<str>, StreamId>,
        import: &ast::Import,
        (exprs, contract): (&'a ast::Exprs, &'a ContractDeclaration),
    ) -> Option<TypeArguments> {
        let name = &contract.name.name;
        let parameters = self.env.contract_parameters.get(name).cloned().unwrap_or_default();
        let given = self.types_given(&import.types)?;
        if given.len() == parameters.len() {
            return Some(arguments(&parameters, &given));
        }
        if !given.is_empty() {
            let (want, have) = (count(parameters.len(), "type parameter"), given.len());
            let message = format!("the contract `{name}` has {want}, {have} given");
            let diagnostic = Diagnostic::error(Code::Arity, import.contract.span, message);
            self.push(diagnostic.also(contract.name.span, "declared here"));
            return None;
        }
        let flow = |expr: &ast::ExprId| match &self.ast[*expr].kind {
            ast::ExprKind::Name(name) => names.get(name).copied(),
            _ => None,
        };
        let flows: Vec<Option<StreamId>> =
            import.inputs.iter().chain(&import.outputs).map(flow).collect();
        let patterns = self.patterns(&parameters, exprs, contract);
        let mut found = FxHashMap::default();
        for (pattern, flow) in patterns.iter().zip(&flows).filter(|_| flows.len() == patterns.len())
        {
            let Some(flow) = flow else { continue };
            // A size that is a constant of the contract is not known here.
            if pattern.is_none() && contract.inputs.iter().any(|input| input.constant) {
                continue;
            }
            // What has an error is silent here.
            let (pattern, actual) = (pattern.as_ref()?, self.scope.types[flow.index()].as_ref()?);
            infer(pattern, actual, &mut found);
        }
        let (what, span) = ("flows of this import", import.contract.span);
        let help = format!("name the types: `import {name}@<…>(…)`");
        let types = self.inferred(&parameters, &found, (what, span), help)?;
        Some(arguments(&parameters, &types))
    }

    /// The types of the flows of a contract, with abstract types for its parameters. What
    /// is wrong with them is said where they are declared in the node.
    fn patterns(
        &mut self,
        parameters: &[Parameter],
        exprs: &'a ast::Exprs,
        contract: &ContractDeclaration,
    ) -> Vec<Option<Type>> {
        let outer = std::mem::replace(&mut self.ast, exprs);
        let types = std::mem::replace(&mut self.type_arguments, abstract_types(parameters));
        let bindings = std::mem::take(&mut self.scope.bindings);
        let constants = std::mem::take(&mut self.scope.parameters);
        let (uses, diagnostics) = (self.uses.len(), std::mem::take(&mut self.diagnostics));
        let flows = contract.inputs.iter().chain(&contract.outputs);
        let found = flows.map(|flow| self.ty(&flow.ty)).collect();
        self.diagnostics = diagnostics;
        self.uses.truncate(uses);
        (self.scope.bindings, self.scope.parameters) = (bindings, constants);
        (self.ast, self.type_arguments) = (outer, types);
        found
    }
}
