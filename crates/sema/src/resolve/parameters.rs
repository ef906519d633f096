//! Nodes with constant inputs: `node f(const n: int; a: int^n)`. A call gives them
//! values that are known, and the node is resolved anew for each list of values
//! (specialisation): the name of the input stands for its value then, in types too.
//! The inputs stay where they are, so that nothing else needs to know.
//!
//! Polymorphic nodes, `node f<t>(x: t)`, are resolved anew in the same way for each list of
//! types that they are called with, and for abstract ones where they are checked themselves.
//!
//! Without values (the node is checked itself), a constant input is one that never
//! changes. A node whose types need the value is a *template*: it has no meaning
//! without one.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{Declaration, NodeDeclaration};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Severity};
use rustc_hash::FxHashMap;

use super::declarations::declared_flows;
use super::environment::Interface;
use super::expressions::count;
use super::operations::Given;
use super::scope::{Binding, Bound, Scope, ScopeKind};
use super::{Operations, Parameter, Resolver, TypeArguments};
use crate::program::{
    Assertion, BinaryOp, ExprId, ExprKind, Meaning, Node, NodeId, Premise, Program, StreamId, Use,
};
use crate::select::roots;
use crate::types::{Abstract, Type, Value};

/// How many nodes there may be for values of constant inputs: a node that calls
/// itself with ever other values has no end.
const MOST: usize = 2000;

/// A node for some values of its constant inputs.
pub(crate) struct Specialised {
    pub base: NodeId,
    /// By constant input; one without a value is an input like any other that never changes.
    pub values: Vec<Option<Value>>,
    /// The types of its type parameters, and what its static parameters stand for.
    pub given: Given,
    /// The names of the inputs and of the static parameters with their values.
    pub bindings: Vec<Binding>,
    /// The names of its static parameters that are nodes.
    pub operations: Operations,
    /// Where the types of inputs and outputs use names.
    pub uses: Vec<Use>,
    pub interface: Interface,
    /// What is wrong with the types of inputs and outputs, or with what it is given.
    pub diagnostics: Diagnostics,
    /// Whether it is checked itself, in place of the node that it is made from.
    pub for_all: bool,
    /// Where there are such nodes for some of the values only: which values these are.
    pub only: Option<Arc<str>>,
}

impl Specialised {
    /// The names of its constant inputs that have no value.
    pub fn without_values(&self, node: &NodeDeclaration) -> FxHashMap<Arc<str>, StreamId> {
        let inputs = (0..).map(StreamId).zip(&node.inputs).filter(|(_, input)| input.constant);
        let open = inputs.zip(&self.values).filter(|(_, value)| value.is_none());
        open.map(|((id, input), _)| (input.name.name.clone(), id)).collect()
    }

    /// What the names of its type parameters stand for.
    pub fn type_arguments(&self) -> TypeArguments {
        arguments(&self.interface.type_parameters, &self.given.types)
    }
}

/// Type parameters that stand for some types.
pub(super) fn arguments(parameters: &[Parameter], types: &[Type]) -> TypeArguments {
    let parameters = parameters.iter().zip(types);
    let parameters =
        parameters.map(|((known, variable), ty)| (known.name.clone(), (ty.clone(), *variable)));
    parameters.collect()
}

/// Notes the types that abstract ones stand for where a type is another. What does not
/// fit is said of the arguments.
pub(super) fn infer<'t>(
    pattern: &'t Type,
    actual: &Type,
    found: &mut FxHashMap<&'t Abstract, Type>,
) {
    match (pattern, actual) {
        (Type::Abstract(parameter), actual) => {
            // Bounds are something to prove, and no part of what is told apart.
            found.entry(&**parameter).or_insert_with(|| actual.without_bounds());
        }
        (Type::Array(a), Type::Array(b)) => infer(&a.element, &b.element, found),
        (Type::Keyed(a), Type::Keyed(b)) => infer(&a.key, &b.key, found),
        (Type::Map(a), Type::Map(b)) => {
            infer(&a.key, &b.key, found);
            infer(&a.value, &b.value, found);
        }
        (Type::Record(_) | Type::Tuple(_), Type::Record(_) | Type::Tuple(_)) => {
            for part in 0..pattern.part_count().min(actual.part_count()) {
                infer(pattern.part(part), actual.part(part), found);
            }
        }
        _ => {}
    }
}

/// What is called: a node, with its interface.
pub(super) type Callee = (NodeId, Arc<Interface>);

impl Interface {
    pub fn declaration(&self) -> Option<&NodeDeclaration> {
        match &self.source.0.declarations[self.source.1] {
            Declaration::Node(node) => Some(node),
            _ => None,
        }
    }
}

impl Resolver<'_> {
    /// The node that a call with some arguments means; none if it has an error.
    pub(super) fn callee(
        &mut self,
        (callee, interface): (NodeId, &Interface),
        given: Given,
        args: &[ExprId],
        span: Span,
    ) -> Option<Callee> {
        let Given { types, statics } = given;
        let types = self.type_arguments_of(interface, types, args, span)?;
        let parametric = interface.constants.iter().any(|constant| *constant)
            || !types.is_empty()
            || !statics.is_empty();
        if !parametric || args.len() != interface.inputs.len() {
            return Some((callee, Arc::new(interface.clone())));
        }
        let mut values = Vec::new();
        for (arg, _) in args.iter().zip(&interface.constants).filter(|(_, constant)| **constant) {
            match self.known_scalar(*arg) {
                Some(value) => values.push(value),
                None if self.is_parameter(*arg) => {
                    args.iter().for_each(|arg| self.need(*arg));
                    return self.without_value(callee, interface);
                }
                None => {
                    let place = self.scope.exprs[*arg].span;
                    let message = format!("this input of `{}` is a constant", interface.name);
                    let diagnostic = Diagnostic::error(Code::NotConstant, place, message);
                    self.push(diagnostic.label("this is not known before the program runs"));
                    return None;
                }
            }
        }
        let values = values.into_iter().map(Some).collect();
        self.specialised(callee, interface, (values, Given { types, statics }), span)
    }

    /// The types that the type parameters of a node stand for in a call: those that it
    /// names, or else those that its arguments have.
    fn type_arguments_of(
        &mut self,
        interface: &Interface,
        named: Vec<Type>,
        args: &[ExprId],
        span: Span,
    ) -> Option<Vec<Type>> {
        let parameters = &interface.type_parameters;
        let mut found: FxHashMap<&Abstract, Type> = FxHashMap::default();
        if named.len() == parameters.len() {
            return Some(named);
        }
        if !named.is_empty() {
            let (want, have) = (count(parameters.len(), "type"), named.len());
            let message = format!("`{}` has {want}, {have} given", interface.name);
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        for (input, arg) in interface.inputs.iter().zip(args) {
            let Some(input) = input else { continue };
            infer(input, &self.scope.exprs[*arg].ty, &mut found);
        }
        let help = format!("name the types: `{}@<…>(…)`", interface.name);
        self.inferred(parameters, &found, ("arguments", span), help)
    }

    /// The value of an expression that has no flows in it, if it is one scalar.
    fn known_scalar(&self, expr: ExprId) -> Option<Value> {
        match &self.known_value(expr)?[..] {
            [value] => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether an expression is made of constant inputs of the node around.
    pub(super) fn is_parameter(&self, expr: ExprId) -> bool {
        let exprs = &self.scope.exprs;
        exprs.present_closure([expr]).iter().all(|id| match &exprs[*id].kind {
            ExprKind::Stream(stream) => {
                self.scope.parameters.values().any(|p| p == stream)
                    || self.scope.constant_flows.contains(stream)
            }
            ExprKind::Output(..)
            | ExprKind::Pre(_)
            | ExprKind::Arrow(..)
            | ExprKind::Fby(..)
            | ExprKind::Merge(..)
            | ExprKind::Held(..)
            | ExprKind::Element(..)
            | ExprKind::Apply(..)
            | ExprKind::Any => false,
            _ => true,
        })
    }

    /// Notes that something may need the values of the constant inputs that an expression is
    /// made of.
    pub(super) fn need(&mut self, expr: ExprId) {
        let exprs = &self.scope.exprs;
        for id in exprs.present_closure([expr]) {
            if let ExprKind::Stream(stream) = exprs[id].kind
                && self.scope.parameters.values().any(|parameter| *parameter == stream)
            {
                self.needed.insert(stream);
            }
        }
    }

    /// A call with a constant input of the node around, whose value is not known.
    fn without_value(&mut self, callee: NodeId, interface: &Interface) -> Option<Callee> {
        let known = interface.inputs.iter().chain(&interface.outputs).all(Option::is_some);
        if !known {
            self.template = true;
            return None;
        }
        Some((callee, Arc::new(interface.clone())))
    }

    pub(super) fn specialised(
        &mut self,
        base: NodeId,
        interface: &Interface,
        (values, given): (Vec<Option<Value>>, Given),
        span: Span,
    ) -> Option<Callee> {
        let count = self.env.interfaces.len();
        let known = self.env.specialised.borrow();
        let found =
            known.iter().position(|s| s.base == base && s.values == values && s.given == given);
        if let Some(found) = found {
            let interface = Arc::new(known[found].interface.clone());
            let id = NodeId((count + found) as u32);
            self.asked.push(id);
            return Some((id, interface));
        }
        let id = NodeId((count + known.len()) as u32);
        drop(known);
        if id.index() - count >= MOST {
            let message =
                format!("`{}` is called with too many different constants", interface.name);
            self.push(Diagnostic::error(Code::Recursion, span, message));
            return None;
        }
        let made = self.specialise(base, interface, (values, given), span)?;
        let interface = Arc::new(made.interface.clone());
        self.env.specialised.borrow_mut().push(Arc::new(made));
        self.asked.push(id);
        Some((id, interface))
    }

    /// Reports that a constant has a value that is no literal. Where it is a scalar of another type, that
    /// was said.
    pub(super) fn no_literal(&mut self, ty: &Type, span: Span) {
        if !matches!(ty, Type::Bool | Type::Real | Type::Machine(_) | Type::Enum(_)) && !ty.is_int()
        {
            let what = "constant inputs and static parameters that are no scalars";
            let help = "make it an input without `const`";
            self.push(Diagnostic::unsupported(span, what).help(help));
        }
    }

    /// The interface of a node for some values, in the order of its inputs.
    pub(super) fn specialise(
        &mut self,
        base: NodeId,
        interface: &Interface,
        (values, given): (Vec<Option<Value>>, Given),
        span: Span,
    ) -> Option<Specialised> {
        let node = interface.declaration()?;
        let tree = &interface.source.0;
        let streams = declared_flows(node);
        let inside = Scope { kind: ScopeKind::Node, streams, ..Scope::default() };
        let mut other = Resolver::new(self.sources, self.env, self.program, &tree.exprs, inside);
        other.type_arguments = arguments(&interface.type_parameters, &given.types);
        self.bind_statics((node, interface), &given.statics, &mut other, span)?;
        let statics = other.scope.bindings.len();
        let mut constants = values.iter();
        let mut inputs = Vec::new();
        for (stream, input) in (0..).map(StreamId).zip(&node.inputs) {
            let ty = other.ty(&input.ty);
            if input.constant
                && let (Some(Some(value)), Some(ty)) = (constants.next(), &ty)
            {
                let name = input.name.name.clone();
                let Some(kind) = literal(value, ty) else {
                    self.no_literal(ty, span);
                    return None;
                };
                let (ty, meaning) = (ty.clone(), Meaning::Stream(stream));
                other.scope.bindings.push(Binding {
                    name,
                    value: Bound::Constant(kind),
                    ty,
                    meaning,
                });
            }
            inputs.push(ty);
        }
        let outputs = node.outputs.iter().map(|output| other.ty(&output.ty)).collect();
        let bindings = std::mem::take(&mut other.scope.bindings);
        let operations = std::mem::take(&mut other.operations);
        let diagnostics = std::mem::take(&mut other.diagnostics);
        let uses = std::mem::take(&mut other.uses);
        diagnostics.iter().for_each(|d| self.push(d.clone()));
        let mut shown = self.show_statics(node, &given);
        let mut bound = bindings[statics..].iter();
        shown.extend(values.iter().map(|value| match value {
            Some(value) => {
                bound.next().map_or_else(String::new, |b| self.program.show_value(&b.ty, value))
            }
            None => "_".to_string(),
        }));
        if node.statics.is_empty() {
            shown.extend(given.types.iter().map(|ty| self.show(ty)));
        }
        let name = format!("{}<<{}>>", interface.name, shown.join(", ")).into();
        let free = self.free_with(interface, &given);
        let interface = Interface { name, inputs, outputs, free, ..interface.clone() };
        let (for_all, only) = (false, None);
        Some(Specialised {
            diagnostics,
            base,
            values,
            given,
            bindings,
            operations,
            uses,
            interface,
            for_all,
            only,
        })
    }

    /// That the constant inputs of a node that is checked, and the free constants, never
    /// change: a restriction of its environment.
    pub(super) fn keep_constants(&mut self, result: &mut Node, node: &NodeDeclaration) {
        if node.is_function {
            // It has no state: no step knows of another.
            return;
        }
        let declared = (0..).map(StreamId).zip(&node.inputs).filter(|(_, input)| input.constant);
        let declared = declared.map(|(stream, _)| stream);
        let free = result.input_ids().filter(|id| result.stream(*id).constant.is_some());
        let all: Vec<StreamId> = declared.chain(free).collect();
        for stream in all {
            let span = result.stream(stream).span;
            let Some(ty) = self.scope.types[stream.index()].clone() else { continue };
            let exprs = &mut self.scope.exprs;
            let now = exprs.push(ExprKind::Stream(stream), ty.clone(), span);
            let before = exprs.push(ExprKind::Pre(now), ty, span);
            let same = ExprKind::Binary(BinaryOp::Equal, now, before);
            let same = exprs.push(same, Type::Bool, span);
            let first = exprs.push(ExprKind::Bool(true), Type::Bool, span);
            let expr = exprs.push(ExprKind::Arrow(first, same), Type::Bool, span);
            result.asserts.push(Assertion { expr, premise: Premise::Constant, span });
        }
    }
}

/// Says which nodes are not checked because nobody gives their constant inputs a
/// value: an error where that leaves nothing to check.
pub(crate) fn templates_of_nobody(program: &Program, diagnostics: &mut Diagnostics) {
    if diagnostics.has_errors() {
        // Perhaps a type is unknown because of these.
        return;
    }
    let others = roots(program, &[]).is_ok_and(|roots| !roots.is_empty());
    let made = |node: &Node| !(node.for_all && node.template);
    let called = |id: NodeId| program.nodes.iter().any(|node| node.of == Some(id) && made(node));
    let alone = program.node_ids().filter(|id| {
        let node = program.node(*id);
        node.template && !node.is_alias && node.of.is_none() && !called(*id)
    });
    for node in alone.map(|id| program.node(id)) {
        let (what, help) = if node.has_statics {
            (
                "nodes that are checked without their static arguments",
                "give it a name with these, `node main = f<<3>>;`, or call it from another node",
            )
        } else {
            (
                "this many values of constant inputs in a node that is checked",
                "bound them to a few values, `assume 1 <= n and n <= 4;`, or call the node from \
                 another one with constants",
            )
        };
        let diagnostic = Diagnostic::unsupported(node.span, what).help(help);
        diagnostics.push(if others && !node.is_main {
            Diagnostic { severity: Severity::Warning, ..diagnostic }
        } else {
            diagnostic
        });
    }
}

/// The expression of a value of a scalar type.
pub(super) fn literal(value: &Value, ty: &Type) -> Option<ExprKind> {
    Some(match (value, ty) {
        (Value::Bool(b), Type::Bool) => ExprKind::Bool(*b),
        (Value::Int(n), ty) if ty.is_int() => ExprKind::Int(n.clone()),
        (Value::Real(r), Type::Real) => ExprKind::Real(r.clone()),
        (Value::Machine(shape, n), Type::Machine(_)) => ExprKind::Machine(*shape, n.clone()),
        (Value::Enum(i), Type::Enum(id)) => ExprKind::Enum(*id, *i),
        // The call has its diagnostic: the argument is of another type.
        _ => return None,
    })
}
