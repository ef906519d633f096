//! Types, constants and the interfaces of nodes.
//!
//! Constants and types may use each other in any order, so each is resolved
//! when its turn comes in an order of dependency; a cycle is an error.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Declaration, ExprKind, TypeKind};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use crate::program::{Enumeration, NodeId};
use crate::resolve::{Declared, Global, Interface, Resolver, similar};
use crate::types::{Bounds, EnumId, Type, Value};

/// A type or a constant still to be resolved, by its place in the declarations.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Waiting,
    Open,
    Done,
}

impl<'a> Resolver<'a> {
    pub(super) fn declare(&mut self) {
        let ast = self.ast;
        let mut by_name: FxHashMap<(bool, Arc<str>), usize> = FxHashMap::default();
        for (i, declaration) in ast.declarations.iter().enumerate() {
            let (is_type, name) = match declaration {
                Declaration::Type(d) => (true, &d.name),
                Declaration::Const(d) => (false, &d.name),
                Declaration::Node(_) => continue,
            };
            if let Some(first) = by_name.get(&(is_type, name.name.clone())) {
                let what = if is_type { "type" } else { "constant" };
                let first = declared_at(&ast.declarations[*first]);
                self.duplicate(what, &name.name, name.span, first);
            } else {
                by_name.insert((is_type, name.name.clone()), i);
            }
        }
        let mut marks = vec![Mark::Waiting; ast.declarations.len()];
        for i in 0..ast.declarations.len() {
            self.resolve_in_order(i, &by_name, &mut marks);
        }
        self.declare_nodes();
    }

    /// Resolves a declaration after those that it uses; an explicit stack, so
    /// that a long chain of constants is no problem.
    fn resolve_in_order(
        &mut self,
        first: usize,
        by_name: &FxHashMap<(bool, Arc<str>), usize>,
        marks: &mut [Mark],
    ) {
        let ast = self.ast;
        let mut stack = vec![first];
        while let Some(&i) = stack.last() {
            match marks[i] {
                Mark::Done => {
                    stack.pop();
                }
                Mark::Open => {
                    marks[i] = Mark::Done;
                    stack.pop();
                    self.resolve_one(&ast.declarations[i], by_name, i);
                }
                Mark::Waiting => {
                    marks[i] = Mark::Open;
                    for key in uses(ast, &ast.declarations[i]) {
                        let Some(&used) = by_name.get(&key) else { continue };
                        match marks[used] {
                            Mark::Waiting => stack.push(used),
                            Mark::Done => {}
                            Mark::Open if stack.contains(&used) => {
                                self.cyclic(&ast.declarations[used], &ast.declarations[i]);
                                marks[i] = Mark::Done;
                                self.broken(&ast.declarations[i]);
                            }
                            Mark::Open => {}
                        }
                    }
                }
            }
        }
    }

    fn cyclic(&mut self, declaration: &Declaration, user: &Declaration) {
        let name = match declaration {
            Declaration::Type(d) => &d.name,
            Declaration::Const(d) => &d.name,
            Declaration::Node(d) => &d.name,
        };
        let message = format!("`{}` is defined by itself", name.name);
        let mut diagnostic = Diagnostic::error(Code::Recursion, name.span, message);
        if declared_at(user) != name.span {
            diagnostic = diagnostic.also(declared_at(user), "through this");
        }
        self.push(diagnostic);
    }

    fn broken(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Type(d) => {
                let what = Declared { span: d.name.span, what: None };
                self.types.insert(d.name.name.clone(), what);
            }
            Declaration::Const(d) => {
                let what = Declared { span: d.name.span, what: Global::Broken };
                self.values.insert(d.name.name.clone(), what);
            }
            Declaration::Node(_) => {}
        }
    }

    fn resolve_one(
        &mut self,
        declaration: &'a Declaration,
        by_name: &FxHashMap<(bool, Arc<str>), usize>,
        index: usize,
    ) {
        match declaration {
            Declaration::Type(d) if by_name.get(&(true, d.name.name.clone())) == Some(&index) => {
                let ty = self.define_type(&d.name, &d.definition);
                self.types.insert(d.name.name.clone(), Declared { span: d.name.span, what: ty });
            }
            Declaration::Const(d) if by_name.get(&(false, d.name.name.clone())) == Some(&index) => {
                self.constant(d);
            }
            _ => {}
        }
    }

    fn define_type(&mut self, name: &ast::Ident, definition: &ast::Type) -> Option<Type> {
        let TypeKind::Enum(values) = &definition.kind else { return self.ty(definition) };
        let id = EnumId(self.program.enums.len() as u32);
        let names = values.iter().map(|v| v.name.clone()).collect();
        self.program.enums.push(Enumeration { name: name.name.clone(), values: names });
        for (i, value) in values.iter().enumerate() {
            self.declare_value(value, Global::Enum(id, i as u32));
        }
        Some(Type::Enum(id))
    }

    pub(super) fn declare_value(&mut self, name: &ast::Ident, what: Global) {
        if let Some(first) = self.values.get(&name.name) {
            let first = first.span;
            self.duplicate("constant", &name.name, name.span, first);
            return;
        }
        self.values.insert(name.name.clone(), Declared { span: name.span, what });
    }

    /// The type that a text means.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Option<Type> {
        match &ty.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int => Some(Type::Int),
            TypeKind::Real => Some(Type::Real),
            TypeKind::Subrange(low, high) => self.subrange(ty.span, *low, *high),
            TypeKind::Enum(_) => {
                self.push(
                    Diagnostic::error(Code::Type, ty.span, "an enumeration needs a name")
                        .help("declare it: `type t = enum { … };`"),
                );
                None
            }
            TypeKind::Named(name) => self.named_type(name, ty.span),
            TypeKind::Error => None,
        }
    }

    fn named_type(&mut self, name: &str, span: Span) -> Option<Type> {
        if let Some(declared) = self.types.get(name) {
            return declared.what.clone();
        }
        let message = format!("there is no type `{name}`");
        let mut diagnostic = Diagnostic::error(Code::Undeclared, span, message);
        let known = self.types.keys().map(|k| &**k).chain(["bool", "int", "real"]);
        if let Some(meant) = similar(name, known) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        }
        self.push(diagnostic);
        None
    }

    fn subrange(&mut self, span: Span, low: ast::ExprId, high: ast::ExprId) -> Option<Type> {
        let low = self.constant_int(low);
        let high = self.constant_int(high);
        let (low, high) = (low?, high?);
        if low > high {
            let message = format!("the subrange from {low} to {high} has no values");
            self.push(
                Diagnostic::error(Code::Type, span, message).help("the smaller bound comes first"),
            );
            return None;
        }
        Some(Type::Subrange(Arc::new(Bounds { low, high })))
    }

    fn constant_int(&mut self, expr: ast::ExprId) -> Option<num_bigint::BigInt> {
        let (id, ty) = self.constant_expr(expr)?;
        if !ty.is_int() {
            let span = self.ast.exprs[expr].span;
            let found = self.show(&ty);
            let message = format!("a bound of a subrange is an int, this is a {found}");
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        match self.constant_value(id) {
            Some(Value::Int(n)) => Some(n),
            _ => {
                let span = self.ast.exprs[expr].span;
                let message = "a bound of a subrange cannot divide by zero";
                self.push(Diagnostic::error(Code::DivisionByZero, span, message));
                None
            }
        }
    }

    fn declare_nodes(&mut self) {
        let ast = self.ast;
        let mut next = 0;
        for declaration in &ast.declarations {
            let Declaration::Node(node) = declaration else { continue };
            let id = NodeId(next);
            next += 1;
            let mut types = |list: &[ast::Variable]| -> Vec<Option<Type>> {
                list.iter().map(|v| self.ty(&v.ty)).collect()
            };
            let inputs = types(&node.inputs);
            let outputs = types(&node.outputs);
            let interface = Interface { id, inputs, outputs, is_function: node.is_function };
            if let Some(first) = self.nodes.get(&node.name.name) {
                let first = first.span;
                self.duplicate("node", &node.name.name, node.name.span, first);
                continue;
            }
            let declared = Declared { span: node.name.span, what: interface };
            self.nodes.insert(node.name.name.clone(), declared);
        }
    }
}

fn declared_at(declaration: &Declaration) -> Span {
    match declaration {
        Declaration::Type(d) => d.name.span,
        Declaration::Const(d) => d.name.span,
        Declaration::Node(d) => d.name.span,
    }
}

/// The types (true) and constants (false) that a declaration names.
fn uses(ast: &ast::Program, declaration: &Declaration) -> Vec<(bool, Arc<str>)> {
    let mut found = Vec::new();
    let mut in_type = |ty: &ast::Type| -> Vec<ast::ExprId> {
        match &ty.kind {
            TypeKind::Named(name) => {
                found.push((true, name.clone()));
                Vec::new()
            }
            TypeKind::Subrange(low, high) => vec![*low, *high],
            _ => Vec::new(),
        }
    };
    let mut stack = match declaration {
        Declaration::Type(d) => in_type(&d.definition),
        Declaration::Const(d) => {
            let mut exprs = d.ty.as_ref().map(&mut in_type).unwrap_or_default();
            exprs.push(d.value);
            exprs
        }
        Declaration::Node(_) => Vec::new(),
    };
    while let Some(id) = stack.pop() {
        if let ExprKind::Name(name) = &ast.exprs[id].kind {
            found.push((false, name.clone()));
        }
        stack.extend(ast.exprs.operands(id));
    }
    found
}
