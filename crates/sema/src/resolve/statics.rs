//! Static parameters: what a node is given before the flows, constants, types and nodes,
//! `node f<<const n: int; type t; node g(x: t) returns (y: t)>>(…)`. As for constant inputs
//! (`parameters.rs`) the node is resolved anew for each list of what it is given; a node that
//! is not given what it needs is a template. And other names for nodes, `node g = f<<3>>;`,
//! which stand for what they name wherever they are called.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{
    self, ContractItem, DEEPEST, Item, NodeDeclaration, StaticArgument, StaticParameter,
};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::environment::Interface;
use super::expressions::count;
use super::operations::{Given, Operation, Static};
use super::parameters::literal;
use super::scope::{Binding, Bound, Scope};
use super::{Components, Resolver, duplicate};
use crate::program::{ConstId, Meaning, NodeId};
use crate::types::{Type, Value};

impl Resolver<'_> {
    /// Reports static parameters that have the name of another one, and flows of the node
    /// that have the name of a static constant: one would be taken for the other.
    pub(super) fn static_names(&mut self, node: &NodeDeclaration) {
        let mut taken: FxHashMap<&str, Span> = FxHashMap::default();
        // Those that are types are looked at with other parameters that are.
        let others = node.statics.iter().filter(|p| !matches!(p, StaticParameter::Type(_)));
        for parameter in others {
            let name = parameter.name();
            if let Some(first) = taken.insert(&name.name, name.span) {
                self.push(duplicate("static parameter", &name.name, name.span, first));
            }
        }
        let flows = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        let flows = flows.map(|flow| &flow.name);
        let constants = node.constants.iter().map(|constant| &constant.name);
        let ghosts = node.items.iter().flat_map(|item| match item {
            Item::Contract(contract) => &contract.items[..],
            _ => &[],
        });
        let ghosts = ghosts.flat_map(|item| match item {
            ContractItem::Ghost(ghost) => &ghost.names[..],
            _ => &[],
        });
        let constant = |name: &str| {
            let same = |p: &&StaticParameter| *p.name().name == *name;
            node.statics.iter().find(same).filter(|p| matches!(p, StaticParameter::Const(_)))
        };
        for name in flows.chain(constants).chain(ghosts) {
            if let Some(parameter) = constant(&name.name) {
                let first = parameter.name().span;
                self.push(duplicate("flow", &name.name, name.span, first));
            }
        }
    }

    /// Looks at the types that a static parameter names.
    pub(super) fn static_parameter(&mut self, parameter: &StaticParameter) {
        match parameter {
            StaticParameter::Const(constant) => {
                self.ty(&constant.ty);
            }
            StaticParameter::Type(_) => {}
            StaticParameter::Node(node) => {
                for flow in node.inputs.iter().chain(&node.outputs) {
                    self.ty(&flow.ty);
                }
            }
        }
    }

    /// What a node is given by static arguments; reports if that is not what it takes.
    pub(super) fn given(
        &mut self,
        interface: &Interface,
        statics: &[StaticArgument],
        span: Span,
    ) -> Option<Given> {
        if interface.incomplete {
            return None;
        }
        let node = interface.declaration()?;
        if statics.is_empty() && node.values().next().is_none() {
            // What its types are, the arguments say.
            return Some(Given::default());
        }
        if statics.len() != node.statics.len() {
            let (want, have) = (count(node.statics.len(), "static parameter"), statics.len());
            let message = match node.statics.len() {
                0 => format!("the node `{}` has no static parameters", interface.name),
                _ => format!("`{}` has {want}, {have} given", interface.name),
            };
            let mut diagnostic = Diagnostic::error(Code::Arity, span, message);
            diagnostic = diagnostic.also(interface.span, "declared here");
            if !node.statics.is_empty() {
                let names: Vec<&str> = node.statics.iter().map(|p| &*p.name().name).collect();
                let call = format!("{}<<{}>>(…)", interface.name, names.join(", "));
                diagnostic = diagnostic.help(format!("write `{call}`"));
            }
            self.push(diagnostic);
            return None;
        }
        let mut given = Given::default();
        let mut good = true;
        for (parameter, argument) in node.statics.iter().zip(statics) {
            let found = match parameter {
                StaticParameter::Type(_) => {
                    let ty = self.static_type(argument);
                    good &= ty.is_some();
                    given.types.extend(ty);
                    continue;
                }
                StaticParameter::Const(_) => {
                    self.static_value(argument).map(|(value, ty)| Static::Value(value, ty))
                }
                StaticParameter::Node(_) => self.static_operation(argument).map(Static::Operation),
            };
            good &= found.is_some();
            given.statics.extend(found);
        }
        good.then_some(given)
    }

    /// A static argument that is a type; reports if it is none.
    fn static_type(&mut self, argument: &StaticArgument) -> Option<Type> {
        let (refined, span, ty) = match argument {
            StaticArgument::Type(ty) => (self.is_refined(ty), ty.span, self.ty(ty)),
            StaticArgument::Name(name, _) => {
                let refined = self.env.refined.contains(&name.name);
                (refined, name.span, self.applied_type(&name.name, &[], name.span))
            }
            StaticArgument::Const(expr) => return self.no_type(self.ast[*expr].span),
            StaticArgument::Operator(operator) => return self.no_type(operator.span),
        };
        if refined {
            let what = "types with conditions in place of a type parameter";
            self.push(Diagnostic::unsupported(span, what));
            return None;
        }
        // Bounds are something to prove, and no part of what is told apart.
        ty.map(|ty| ty.without_bounds())
    }

    fn no_type<T>(&mut self, span: Span) -> Option<T> {
        self.push(Diagnostic::error(Code::Type, span, "this is no type"));
        None
    }

    /// What an other name for something stands for, as it is said where it is declared.
    pub(super) fn alias(&mut self, interface: &Interface, span: Span) -> Option<Operation> {
        let operator = interface.declaration()?.alias.as_ref()?;
        if interface.incomplete {
            return None;
        }
        if self.aliases_around >= DEEPEST {
            let message =
                format!("`{}` is a name for itself, or for too many others", interface.name);
            self.push(Diagnostic::error(Code::Recursion, span, message));
            return None;
        }
        let tree = &interface.source.0;
        let scope = Scope::default();
        let mut other = Resolver::new(self.sources, self.env, self.program, &tree.exprs, scope);
        other.aliases_around = self.aliases_around + 1;
        let found = other.operation(&operator.name, &operator.arguments, operator.span);
        let (diagnostics, uses) = (std::mem::take(&mut other.diagnostics), other.uses);
        diagnostics.iter().for_each(|d| self.diagnostics.push_once(d));
        self.uses.extend(uses);
        self.not_too_deep(found?, span)
    }

    /// What the static parameters of a node stand for; reports if they cannot.
    pub(super) fn bind_statics(
        &mut self,
        (node, interface): (&NodeDeclaration, &Interface),
        statics: &[Static],
        inside: &mut Resolver<'_>,
        span: Span,
    ) -> Option<()> {
        let variables = interface.static_variables.iter();
        for ((parameter, given), variable) in node.values().zip(statics).zip(variables) {
            let name = parameter.name().name.clone();
            match (parameter, given) {
                (StaticParameter::Const(declared), Static::Value(value, found)) => {
                    let ty = inside.ty(&declared.ty)?;
                    let within = match (&ty, value) {
                        (Type::Subrange(bounds), Value::Int(n)) => bounds.contains(n),
                        _ => true,
                    };
                    if !found.agrees(&ty) || !within || inside.is_refined(&declared.ty) {
                        let (shown, ty) = (self.program.show_value(found, value), self.show(&ty));
                        let message = format!("`{name}` is of type {ty}, and is given {shown}");
                        self.push(Diagnostic::error(Code::Type, span, message));
                        return None;
                    }
                    let Some(kind) = literal(value, &ty) else {
                        self.no_literal(&ty, span);
                        return None;
                    };
                    let (value, meaning) = (Bound::Constant(kind), Meaning::Variable(*variable));
                    inside.scope.bindings.push(Binding { name, value, ty, meaning });
                }
                (_, Static::Operation(operation)) => {
                    inside.operations.insert(name, (operation.clone(), *variable));
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// `with c then a else b`: one of the sides, as the condition is before the program runs.
    /// The other may go on for ever, where a node calls itself.
    pub(super) fn with(
        &mut self,
        condition: ast::ExprId,
        [then, other]: [ast::ExprId; 2],
        span: Span,
    ) -> Components {
        if self.withs_around >= DEEPEST {
            let message = format!("`with` can be nested at most {DEEPEST} deep");
            self.push(Diagnostic::error(Code::Syntax, span, message));
            return None;
        }
        let place = self.ast[condition].span;
        let argument = StaticArgument::Const(condition);
        let chosen = match self.static_value(&argument)? {
            (Value::Bool(true), _) => then,
            (Value::Bool(false), _) => other,
            (_, ty) => {
                let shown = self.show(&ty);
                let message = format!("the condition of `with` is a bool, this is of type {shown}");
                self.push(Diagnostic::error(Code::Type, place, message));
                return None;
            }
        };
        self.withs_around += 1;
        let found = self.expr(chosen);
        self.withs_around -= 1;
        found
    }

    /// The free constants that depend on what a node is given.
    fn free_of(&self, given: &Given) -> Vec<ConstId> {
        let mut found = Vec::new();
        for given in &given.statics {
            let mut of = match given {
                Static::Value(..) => continue,
                Static::Operation(operation) => operation,
            };
            while let Operation::Condact(inner, _) | Operation::Iterated(_, inner, _) = of {
                of = inner;
            }
            if let Operation::Node(id, given) = of {
                found.extend(&self.env.interfaces[id.index()].free);
                found.extend(self.free_of(given));
            }
        }
        found
    }

    /// The free constants that a node depends on by itself and by what it is given.
    pub(super) fn free_with(&self, interface: &Interface, given: &Given) -> Vec<ConstId> {
        let mut free = interface.free.clone();
        for constant in self.free_of(given) {
            if !free.contains(&constant) {
                free.push(constant);
            }
        }
        free
    }

    /// What a node is given, as reports show it, in the order of its parameters.
    pub(super) fn show_statics(&self, node: &NodeDeclaration, given: &Given) -> Vec<String> {
        let (mut types, mut statics) = (given.types.iter(), given.statics.iter());
        let one = |parameter: &StaticParameter| match parameter {
            StaticParameter::Type(_) => types.next().map(|ty| self.show(ty)),
            _ => statics.next().map(|given| match given {
                Static::Value(value, ty) => self.program.show_value(ty, value),
                Static::Operation(operation) => self.show_operation(operation),
            }),
        };
        node.statics.iter().filter_map(one).collect()
    }

    fn show_operation(&self, operation: &Operation) -> String {
        let typed = |symbol: &str, ty: &Option<Type>| match ty {
            Some(ty) => format!("{symbol} of {}", self.show(ty)),
            None => symbol.to_string(),
        };
        match operation {
            Operation::Node(id, given) => {
                let interface = &self.env.interfaces[id.index()];
                let node = interface.declaration();
                let shown = node.map(|node| self.show_statics(node, given)).unwrap_or_default();
                if shown.is_empty() {
                    return interface.name.to_string();
                }
                format!("{}<<{}>>", interface.name, shown.join(", "))
            }
            Operation::Builtin(name) => name.to_string(),
            Operation::Unary(op, ty) => typed(op.as_str(), ty),
            Operation::Binary(op, ty) => typed(op.as_str(), ty),
            Operation::If => "if".into(),
            Operation::Count(low, high, None) => format!("boolred<<{low}, {high}>>"),
            Operation::Count(low, high, Some(n)) => format!("boolred<<{low}, {high}, {n}>>"),
            Operation::Condact(of, (value, ty)) => {
                let value = self.program.show_value(ty, value);
                format!("condact<<{}, {value}>>", self.show_operation(of))
            }
            Operation::Iterated(how, of, size) => {
                format!("{}<<{}, {size}>>", how.word(), self.show_operation(of))
            }
        }
    }

    /// The node that a name of a node with static arguments stands for: it is checked,
    /// although no node calls it.
    pub(super) fn stands_for(&mut self, interface: &Interface, span: Span) -> Option<NodeId> {
        let Operation::Node(id, given) = self.alias(interface, span)? else { return None };
        if given == Given::default() {
            return Some(id);
        }
        let interface = &self.env.interfaces[id.index()];
        if interface.constants.iter().any(|constant| *constant) {
            // Its arguments say which one it is.
            return None;
        }
        self.specialised(id, interface, (Vec::new(), given), span).map(|(id, _)| id)
    }
}

/// The names of constants that stand for a value only where a node is given one.
pub(super) fn constant_names(node: &NodeDeclaration) -> impl Iterator<Item = Arc<str>> {
    node.values().filter_map(|parameter| match parameter {
        StaticParameter::Const(variable) => Some(variable.name.name.clone()),
        _ => None,
    })
}
