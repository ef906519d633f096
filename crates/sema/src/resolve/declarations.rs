//! Types, constants and the interfaces of nodes.
//!
//! Constants and types may use each other in any order, so each is resolved
//! when its turn comes in an order of dependency (a topological order, found
//! depth-first); a cycle is an error.

use std::sync::Arc;

use lustral_syntax::ast::{self, Declaration, StaticParameter, Tree, TypeKind};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, SourceMap};
use rustc_hash::FxHashMap;

use super::automata::declare_states;
use super::data_types::constructors_of;
use super::dependencies::{Key, Kind, key, mentions};
use super::environment::{Declared, Environment, Global, Hidden, Interface};
use super::scope::Scope;
use super::statics::constant_names;
use super::{Parameter, Resolver, TypeArguments, duplicate};
use crate::program::{
    ConstId, Constant, Enumeration, NamedType, NodeId, Program, StreamId, TypeId, Use,
};
use crate::types::{Abstract, EnumId, Record, Type};

/// Resolves all that is declared outside of the bodies of nodes. The program has
/// its types and constants then, and no nodes.
pub(crate) fn declare(
    sources: &SourceMap,
    ast: &ast::Program,
    diagnostics: &mut Diagnostics,
) -> (Environment, Program) {
    let env = Environment { hidden: Hidden::new(ast), ..Environment::default() };
    let list: Vec<(&Arc<Tree>, &Declaration)> = ast.declarations().collect();
    let mut declarer = Declarer { sources, list, env, program: Program::default(), diagnostics };
    declarer.types_and_constants();
    declarer.interfaces(ast);
    for (_, node) in ast.nodes() {
        declare_states(&mut declarer.env, &mut declarer.program, node);
    }
    declarer.check_conditions();
    (declarer.env, declarer.program)
}

/// A type or a constant still to be resolved, by its place in the declarations.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Waiting,
    Open,
    Done,
}

pub(super) struct Declarer<'a> {
    sources: &'a SourceMap,
    list: Vec<(&'a Arc<Tree>, &'a Declaration)>,
    pub env: Environment,
    pub program: Program,
    pub diagnostics: &'a mut Diagnostics,
}

impl<'a> Declarer<'a> {
    fn types_and_constants(&mut self) {
        let mut by_name: FxHashMap<Key, usize> = FxHashMap::default();
        for (i, (_, declaration)) in self.list.iter().enumerate() {
            let Some(key) = key(declaration) else { continue };
            let name = declaration.name();
            if let Some(first) = by_name.get(&key) {
                let what = if key.0 == Kind::Type { "type" } else { "constant" };
                let first = self.list[*first].1.name().span;
                self.diagnostics.push(duplicate(what, &name.name, name.span, first));
            } else {
                by_name.insert(key, i);
            }
        }
        for (i, (_, declaration)) in self.list.iter().enumerate() {
            for constructor in constructors_of(declaration) {
                by_name.entry((Kind::Value, constructor.name.name.clone())).or_insert(i);
            }
        }
        let mut marks = vec![Mark::Waiting; self.list.len()];
        for i in 0..self.list.len() {
            self.resolve_in_order(i, &by_name, &mut marks);
        }
    }

    /// Resolves a declaration after those that it uses; an explicit stack, so
    /// that a long chain of constants is no problem.
    fn resolve_in_order(
        &mut self,
        first: usize,
        by_name: &FxHashMap<Key, usize>,
        marks: &mut [Mark],
    ) {
        let mut stack = vec![first];
        while let Some(&i) = stack.last() {
            let (tree, declaration) = self.list[i];
            match marks[i] {
                Mark::Done => {
                    stack.pop();
                }
                Mark::Open => {
                    marks[i] = Mark::Done;
                    stack.pop();
                    if key(declaration).is_some_and(|key| by_name.get(&key) == Some(&i)) {
                        self.resolve_one(tree, declaration);
                    }
                }
                Mark::Waiting => {
                    marks[i] = Mark::Open;
                    for key in mentions(&tree.exprs, declaration) {
                        let Some(&used) = by_name.get(&key) else { continue };
                        match marks[used] {
                            Mark::Waiting => stack.push(used),
                            Mark::Done => {}
                            Mark::Open if stack.contains(&used) => {
                                self.cyclic(self.list[used].1, declaration);
                                marks[i] = Mark::Done;
                                self.broken(declaration);
                            }
                            Mark::Open => {}
                        }
                    }
                }
            }
        }
    }

    fn cyclic(&mut self, declaration: &Declaration, user: &Declaration) {
        let name = declaration.name();
        if let Declaration::Type(d) = declaration
            && !(constructors_of(declaration).is_empty() && constructors_of(user).is_empty())
        {
            return self.recursive_data(d, user.name().span);
        }
        let message = format!("`{}` is defined by itself", name.name);
        let mut diagnostic = Diagnostic::error(Code::Recursion, name.span, message);
        if user.name().span != name.span {
            diagnostic = diagnostic.also(user.name().span, "through this");
        }
        self.diagnostics.push(diagnostic);
    }

    fn broken(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Type(d) => {
                self.broken_data(d);
                self.declare_type(d, None);
            }
            Declaration::Const(d) => {
                let what = Declared { span: d.name.span, what: Global::Broken };
                self.env.values.insert(d.name.name.clone(), what);
            }
            Declaration::Node(_) | Declaration::Contract(_) => {}
        }
    }

    fn resolve_one(&mut self, tree: &Tree, declaration: &Declaration) {
        match declaration {
            Declaration::Type(d) => {
                let parameters = self.type_parameters(&d.parameters);
                if !parameters.is_empty() {
                    self.env.type_parameters.insert(d.name.name.clone(), parameters);
                }
                let ty = self.define_type(tree, d);
                self.note_refined(tree, d);
                self.declare_type(d, ty);
            }
            Declaration::Const(d) => self.define_constant(tree, d),
            Declaration::Node(_) | Declaration::Contract(_) => {}
        }
    }

    /// Lets a part be resolved, and takes what it has to say.
    pub(super) fn resolving<T>(
        &mut self,
        tree: &Tree,
        scope: Scope,
        resolve: impl FnOnce(&mut Resolver<'_>) -> T,
    ) -> (T, Scope) {
        let mut resolver =
            Resolver::new(self.sources, &self.env, &self.program, &tree.exprs, scope);
        let result = resolve(&mut resolver);
        let diagnostics = std::mem::take(&mut resolver.diagnostics);
        let uses: Vec<Use> = std::mem::take(&mut resolver.uses);
        let fields = std::mem::take(&mut resolver.fields);
        let variables = std::mem::take(&mut resolver.variables);
        let scope = resolver.into_constants();
        diagnostics.iter().for_each(|d| self.diagnostics.push(d.clone()));
        self.program.uses.extend(uses);
        self.program.fields.extend(fields);
        self.program.variables.extend(variables);
        (result, scope)
    }

    fn define_type(&mut self, tree: &Tree, declared: &ast::TypeDeclaration) -> Option<Type> {
        let parameters = self.own_types(declared);
        if let TypeKind::Abstract = declared.definition.kind {
            let (name, span) = (declared.name.name.clone(), declared.name.span);
            if !parameters.is_empty() {
                let what = "abstract types with parameters";
                self.diagnostics.push(Diagnostic::unsupported(span, what));
                return None;
            }
            return Some(Type::Abstract(Arc::new(Abstract { name, span })));
        }
        if let TypeKind::Data(_) = declared.definition.kind {
            return self.define_data(tree, declared, parameters);
        }
        let TypeKind::Enum(values) = &declared.definition.kind else {
            let known = declared.parameters.iter().filter_map(|p| parameters.get(&p.name));
            let arguments = known.map(|(ty, _)| ty.clone()).collect();
            let resolve = |r: &mut Resolver<'_>| {
                r.type_arguments = parameters;
                r.ty(&declared.definition)
            };
            let ty = self.resolving(tree, Scope::default(), resolve).0;
            return ty.map(|ty| named(ty, &declared.name.name, arguments));
        };
        let id = EnumId(self.program.enums.len() as u32);
        self.program.enums.push(Enumeration {
            name: declared.name.name.clone(),
            values: values.iter().map(|v| v.name.clone()).collect(),
            value_spans: values.iter().map(|v| v.span).collect(),
            constructors: false,
        });
        for (i, value) in values.iter().enumerate() {
            self.declare_value(value, Global::Enum(id, i as u32));
        }
        Some(Type::Enum(id))
    }

    /// Notes whether a type says more of its values than the bounds of its leaves.
    fn note_refined(&mut self, tree: &Tree, declared: &ast::TypeDeclaration) {
        let parameters = self.own_types(declared);
        let is_refined = |r: &mut Resolver<'_>| {
            r.type_arguments = parameters;
            r.is_refined(&declared.definition)
        };
        if self.resolving(tree, Scope::default(), is_refined).0 {
            self.env.refined.insert(declared.name.name.clone());
        }
    }

    fn declare_type(&mut self, declared: &ast::TypeDeclaration, ty: Option<Type>) {
        let id = TypeId(self.program.types.len() as u32);
        let (name, span) = (declared.name.name.clone(), declared.name.span);
        self.env.types.insert(name.clone(), (id, ty.clone()));
        self.program.types.push(NamedType { name, span, whole: declared.span, ty });
    }

    /// What is wrong with the conditions of types, and which constants break those of
    /// theirs. All that a condition may name is known now.
    fn check_conditions(&mut self) {
        for (tree, declaration) in self.list.clone() {
            match declaration {
                Declaration::Type(d) if self.env.refined.contains(&d.name.name) => {
                    let parameters = self.own_types(d);
                    self.resolving(tree, Scope::default(), |r| {
                        r.type_arguments = parameters;
                        r.check_type(&d.name.name);
                    });
                }
                Declaration::Const(d) if d.ty.is_some() => {
                    self.resolving(tree, Scope::default(), |r| r.check_constant_type(&d.name.name));
                }
                _ => {}
            }
        }
    }

    pub(super) fn declare_value(&mut self, name: &ast::Ident, what: Global) {
        if let Some(first) = self.env.values.get(&name.name) {
            let first = first.span;
            self.diagnostics.push(duplicate("constant", &name.name, name.span, first));
            return;
        }
        self.env.values.insert(name.name.clone(), Declared { span: name.span, what });
    }

    fn define_constant(&mut self, tree: &Tree, declared: &ast::ConstDeclaration) {
        let scope = Scope::constants(std::mem::take(&mut self.program.const_exprs));
        let (found, scope) = self.resolving(tree, scope, |r| r.constant(declared));
        self.program.const_exprs = scope.exprs;
        let name = &declared.name;
        let Some(found) = found else { return self.declare_value(name, Global::Broken) };
        let id = ConstId(self.program.consts.len() as u32);
        self.env.unknown_consts.push(found.value.is_none());
        self.env.const_values.push(found.value.unwrap_or(found.default));
        self.program.consts.push(Constant {
            name: name.name.clone(),
            ty: found.ty.clone(),
            expr: found.expr,
            open: found.open,
            span: name.span,
            whole: declared.span,
        });
        self.declare_value(name, Global::Const(id, found.ty));
    }

    fn interfaces(&mut self, ast: &ast::Program) {
        let list = self.list.clone();
        let free = self.free_constants(ast, &list);
        for (((tree, declaration), position), free) in list.iter().zip(positions(&list)).zip(free) {
            let source = (Arc::clone(tree), position);
            let node = match declaration {
                Declaration::Node(node) => node,
                Declaration::Type(d) => {
                    self.env.type_sources.entry(d.name.name.clone()).or_insert(source);
                    continue;
                }
                Declaration::Const(d) => {
                    if let Some(Global::Const(id, _)) =
                        self.env.values.get(&d.name.name).map(|known| &known.what)
                    {
                        self.env.const_sources.entry(*id).or_insert(source);
                    }
                    continue;
                }
                Declaration::Contract(d) => {
                    let parameters = self.type_parameters(&d.type_parameters);
                    if !parameters.is_empty() {
                        let known = &mut self.env.contract_parameters;
                        known.entry(d.name.name.clone()).or_insert(parameters);
                    }
                    continue;
                }
            };
            let types = |list: &'a [ast::Variable], r: &mut Resolver<'_>| -> Vec<Option<Type>> {
                list.iter().map(|v| r.ty(&v.ty)).collect()
            };
            let (parameters, hides_flows) = (parameters(node), node.gaps.hides_flows());
            let streams = declared_flows(node);
            let scope = Scope { parameters, streams, hides_flows, ..Scope::default() };
            let type_parameters = self.type_parameters(&node.type_parameters);
            let static_variables = self.static_variables(node);
            let ((inputs, outputs), _) = self.resolving(tree, scope, |r| {
                r.type_arguments = abstract_types(&type_parameters);
                r.static_names(node);
                node.statics.iter().for_each(|parameter| r.static_parameter(parameter));
                (types(&node.inputs, r), types(&node.outputs, r))
            });
            let name = &node.name;
            let id = NodeId(self.env.interfaces.len() as u32);
            self.env.interfaces.push(Interface {
                name: name.name.clone(),
                span: name.span,
                is_function: node.is_function,
                inputs,
                outputs,
                incomplete: node.gaps.inputs || node.gaps.outputs,
                constants: node.inputs.iter().map(|input| input.constant).collect(),
                type_parameters,
                static_variables,
                is_alias: node.is_alias(),
                free,
                source,
            });
            if name.is_missing() {
                continue;
            }
            if let Some(Declared { span, what: Global::Constructor(..) }) =
                self.env.values.get(&name.name)
            {
                self.diagnostics.push(duplicate("name", &name.name, name.span, *span));
            }
            if let Some((_, first)) = self.env.interface(&name.name) {
                let first = first.span;
                self.diagnostics.push(duplicate("node", &name.name, name.span, first));
            } else {
                self.env.nodes.insert(name.name.clone(), id);
            }
        }
    }
}

/// Type parameters that stand for themselves.
pub(super) fn abstract_types(parameters: &[Parameter]) -> TypeArguments {
    let one =
        |(ty, variable): &Parameter| (ty.name.clone(), (Type::Abstract(ty.clone()), *variable));
    parameters.iter().map(one).collect()
}

impl Declarer<'_> {
    /// What the parameters of a type stand for in its own definition.
    fn own_types(&self, declared: &ast::TypeDeclaration) -> TypeArguments {
        let known = self.env.type_parameters.get(&declared.name.name);
        known.map(|parameters| abstract_types(parameters)).unwrap_or_default()
    }

    fn type_parameters(&mut self, names: &[ast::Ident]) -> Vec<Parameter> {
        let mut found: Vec<Parameter> = Vec::new();
        for ast::Ident { name, span } in names {
            if let Some((first, _)) = found.iter().find(|(known, _)| known.name == *name) {
                self.diagnostics.push(duplicate("type parameter", name, *span, first.span));
                continue;
            }
            let variable = self.program.variables.len() as u32;
            self.program.variables.push((name.clone(), *span));
            found.push((Arc::new(Abstract { name: name.clone(), span: *span }), variable));
        }
        found
    }

    fn static_variables(&mut self, node: &ast::NodeDeclaration) -> Vec<u32> {
        let first = self.program.variables.len() as u32;
        let names = node.values().map(|parameter| parameter.name());
        self.program.variables.extend(names.map(|name| (name.name.clone(), name.span)));
        let found = (first..self.program.variables.len() as u32).collect();
        for parameter in node.values() {
            // The flows of what is given are named where it is declared, and nowhere else.
            let StaticParameter::Node(given) = parameter else { continue };
            let flows = given.inputs.iter().chain(&given.outputs).map(|flow| &flow.name);
            self.program.variables.extend(flows.map(|name| (name.name.clone(), name.span)));
        }
        found
    }

    /// By declaration, the free constants that it depends on.
    fn free_constants(
        &self,
        ast: &ast::Program,
        list: &[(&Arc<Tree>, &Declaration)],
    ) -> Vec<Vec<ConstId>> {
        let is_free = |d: &Declaration| matches!(d, Declaration::Const(c) if c.value.is_none());
        let id = |position: usize| match self.env.values.get(&list[position].1.name().name)?.what {
            Global::Const(id, _) => Some(id),
            _ => None,
        };
        let reached = lustral_syntax::reached(ast, is_free).into_iter();
        reached.map(|list| list.into_iter().filter_map(id).collect()).collect()
    }
}

/// The positions of declarations in their trees.
fn positions(list: &[(&Arc<Tree>, &Declaration)]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::with_capacity(list.len());
    for (i, (tree, _)) in list.iter().enumerate() {
        found.push(match i.checked_sub(1) {
            Some(before) if Arc::ptr_eq(list[before].0, tree) => found[before] + 1,
            _ => 0,
        });
    }
    found
}

/// The names of the flows of a node, so that types can tell them from constants.
pub(super) fn declared_flows(node: &ast::NodeDeclaration) -> FxHashMap<Arc<str>, StreamId> {
    let flows = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
    (0..).map(StreamId).zip(flows).map(|(id, flow)| (flow.name.name.clone(), id)).collect()
}

/// The constant inputs and static constants of a node, whose values are not known.
pub(super) fn parameters(node: &ast::NodeDeclaration) -> FxHashMap<Arc<str>, StreamId> {
    let inputs = (0..).map(StreamId).zip(&node.inputs).filter(|(_, input)| input.constant);
    let inputs = inputs.map(|(id, input)| (input.name.name.clone(), id));
    // Static parameters are no flows.
    inputs.chain(constant_names(node).map(|name| (name, StreamId(u32::MAX)))).collect()
}

/// A record type that has no name yet gets the one that it is declared with.
fn named(ty: Type, name: &Arc<str>, arguments: Vec<Type>) -> Type {
    match ty {
        Type::Record(record) if record.name.is_none() => {
            let name = Some(name.clone());
            Type::Record(Arc::new(Record { name, arguments, ..(*record).clone() }))
        }
        ty => ty,
    }
}
