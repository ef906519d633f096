//! One node: its flows and its body, resolved against the environment and its own
//! tree alone.

use std::sync::Arc;

use lustral_syntax::ast::{self, Item, NodeDeclaration, Tree};
use lustral_syntax::{Diagnostics, SourceMap, Span};
use rustc_hash::FxHashMap;

use super::declarations::{abstract_types, declared_flows, parameters};
use super::environment::Interface;
use super::equations::{Definition, Definitions};
use super::polarity::Stance;
use super::scope::{Scope, ScopeKind};
use super::sizes::Values;
use super::{Environment, Resolver, Specialised, duplicate};
use crate::program::{
    Assertion, Candidates, ConstId, Exprs, Functions, Node, NodeId, Premise, Program, ScopeId,
    Stream, StreamId, StreamKind, Use,
};
use crate::types::Type;

/// What is known of a node by itself.
#[derive(Clone)]
pub(crate) struct ResolvedNode {
    pub node: Node,
    /// The types of its flows; `None` where that has an error.
    pub types: Vec<Option<Type>>,
    /// Something of it has an error: it is not whole.
    pub broken: bool,
    /// Something that its contracts say was left out: it has an error, or names
    /// something that has.
    pub dropped: Option<Span>,
    /// Values of the constant inputs that it is to be checked for, if it is a template.
    pub values: Option<Values>,
    /// Nodes for values or types that something in it means.
    pub asked: Vec<NodeId>,
    pub diagnostics: Diagnostics,
}

/// Resolves a node, with its candidates from other files.
pub(crate) fn resolve_node<'a>(
    sources: &'a SourceMap,
    (env, globals): (&'a Environment, &'a Program),
    ast: &'a ast::Program,
    (tree, node): (&'a Tree, &'a NodeDeclaration),
    which: Which<'_>,
) -> ResolvedNode {
    let (bindings, parameters) = match which {
        Which::Declared(_) => (Vec::new(), parameters(node)),
        Which::For(special) => (special.bindings.clone(), special.without_values(node)),
    };
    let hides_flows = node.gaps.hides_flows();
    let kind = ScopeKind::Node;
    let streams = declared_flows(node);
    let known = Scope { bindings, parameters, streams, hides_flows, kind, ..Scope::default() };
    let mut resolver = Resolver::new(sources, env, globals, &tree.exprs, known);
    resolver.type_arguments = match which {
        Which::Declared(id) => abstract_types(&env.interfaces[id.index()].type_parameters),
        Which::For(special) => special.type_arguments(),
    };
    if let Which::For(special) = which {
        resolver.operations = special.operations.clone();
    }
    let interface = match which {
        Which::Declared(id) => &env.interfaces[id.index()],
        Which::For(special) => &special.interface,
    };
    let (streams, types) = resolver.streams(node, interface);
    if matches!(which, Which::Declared(_)) && (node.is_alias() || node.values().next().is_some()) {
        return unresolved(resolver, (node, interface), streams, types);
    }
    let kind = if node.is_function { ScopeKind::Function } else { ScopeKind::Node };
    let Scope { bindings, parameters, .. } = std::mem::take(&mut resolver.scope);
    resolver.scope = Scope { bindings, parameters, ..Scope::node(&streams, types.clone(), kind) };
    resolver.scope.hides_flows = node.gaps.hides_flows();
    resolver.scope.unread = node.gaps.body;
    let mut result = empty(node, streams);
    resolver.declared_clocks(&mut result, node);
    let constants = (result.inputs + result.outputs) as u32..;
    let constants = constants.map(StreamId).take(node.constants.len());
    resolver.scope.constant_flows =
        resolver.scope.free.values().copied().chain(constants).collect();
    result.name = interface.name.clone();
    result.of = which.base();
    result.for_all = matches!(which, Which::For(special) if special.for_all);
    resolver.template |= types.iter().any(Option::is_none) && !resolver.scope.parameters.is_empty();
    resolver.body(&mut result, node);
    if matches!(which, Which::Declared(_)) || result.for_all {
        resolver.keep_constants(&mut result, node);
    }
    if result.for_all {
        resolver.give_values(&mut result);
    }
    resolver.contracts(&mut result, node, ast);
    resolver.assume(&mut result);
    resolver.flow_conditions(&mut result, node);
    if result.imported {
        resolver.known_by_contract(&mut result);
    }
    resolver.state_ascribed(&mut result);
    resolver.settle(&mut result);
    let chosen = std::mem::take(&mut resolver.scope.chosen);
    let chosen =
        chosen.into_iter().map(|(expr, span)| Assertion { expr, premise: Premise::Chosen, span });
    result.asserts.extend(chosen);
    let types = resolver.scope.types.clone();
    result.only = which.only();
    let values = resolver.values_to_check(node);
    result.exprs = std::mem::take(&mut resolver.scope.exprs);
    resolver.scope.forget_shared();
    result.calls = std::mem::take(&mut resolver.scope.calls);
    result.functions.results = std::mem::take(&mut resolver.scope.functions);
    result.indices = std::mem::take(&mut resolver.scope.declared_indices);
    // Equations that could not be read take nothing back of what the others say.
    let broken = resolver.broken || node.gaps.hides_flows() || resolver.diagnostics.has_errors();
    // A candidate about a function may look back: it is no part of it.
    resolver.scope.kind = ScopeKind::Node;
    result.candidates = resolver.candidates(&result.streams, node, ast);
    result.uses = resolver.uses;
    if let Which::For(special) = which {
        result.uses.extend(&special.uses);
    }
    result.template = resolver.template;
    if resolver.template {
        // What is wrong with it is said where it is called.
        resolver.diagnostics = Diagnostics::new();
    }
    let broken = broken || resolver.template;
    let Resolver { diagnostics, dropped, asked, .. } = resolver;
    ResolvedNode { node: result, types, broken, dropped, values, asked, diagnostics }
}

/// A node that is another name for something else, or that has no meaning without what its
/// static parameters stand for: its body is resolved where that is known.
fn unresolved(
    mut resolver: Resolver<'_>,
    (node, interface): (&NodeDeclaration, &Interface),
    streams: Vec<Stream>,
    types: Vec<Option<Type>>,
) -> ResolvedNode {
    let mut result = empty(node, streams);
    result.template = true;
    result.is_alias = node.is_alias();
    result.has_statics = !result.is_alias;
    if result.is_alias && !interface.incomplete {
        result.stands_for = resolver.stands_for(interface, node.name.span);
    } else {
        // What is wrong with it is said where it is called.
        resolver.diagnostics = Diagnostics::new();
    }
    result.is_main = node.items.iter().any(|item| matches!(item, Item::Main(_)));
    let (uses, diagnostics, asked) = (resolver.uses, resolver.diagnostics, resolver.asked);
    result.uses = uses;
    let (broken, dropped, values) = (true, None, None);
    ResolvedNode { node: result, types, broken, dropped, values, asked, diagnostics }
}

/// Which node of a declaration is resolved.
#[derive(Clone, Copy)]
pub(crate) enum Which<'s> {
    /// The node itself.
    Declared(NodeId),
    /// The node for values of its constant inputs, types of its type parameters and what
    /// its static parameters stand for.
    For(&'s Specialised),
}

impl Which<'_> {
    /// The node that it is made from, if it is another.
    fn base(self) -> Option<NodeId> {
        match self {
            Which::Declared(_) => None,
            Which::For(special) => Some(special.base),
        }
    }

    /// Where there are nodes for some values only: which values these are.
    fn only(self) -> Option<Arc<str>> {
        match self {
            Which::Declared(_) => None,
            Which::For(special) => special.only.clone(),
        }
    }
}

/// Whether a node has no body. One with a contract and without any equation is an old
/// way to say so; but where a property is stated, it must not follow from a contract that
/// nobody has shown.
fn is_imported(node: &NodeDeclaration) -> bool {
    let has = |wanted: fn(&Item) -> bool| node.items.iter().any(wanted);
    let says = |item: &Item| {
        matches!(item, Item::Equation(_) | Item::Assert(..) | Item::Block(_) | Item::Property(_))
    };
    node.imported
        || has(|item| matches!(item, Item::Contract(_)))
            && !has(says)
            && !node.outputs.is_empty()
            && node.locals.is_empty()
            && !node.gaps.body
}

/// A node of which only the interface and the local flows are known.
fn empty(node: &NodeDeclaration, streams: Vec<Stream>) -> Node {
    Node {
        name: node.name.name.clone(),
        span: node.name.span,
        whole: node.span,
        header: node.header,
        body: node.body,
        is_function: node.is_function,
        imported: is_imported(node),
        realizable: None,
        is_main: false,
        inputs: streams.iter().filter(|s| s.kind == StreamKind::Input).count(),
        outputs: node.outputs.len(),
        open_interface: false,
        bare_branches: false,
        choosing: Vec::new(),
        resets: Vec::new(),
        scopes: vec![crate::program::Scope::own(node.name.span)],
        streams,
        exprs: Exprs::default(),
        functions: Functions::default(),
        calls: Vec::new(),
        asserts: Vec::new(),
        properties: Vec::new(),
        clauses: Vec::new(),
        modes: Vec::new(),
        step_numbers: Vec::new(),
        candidates: Candidates::default(),
        indices: Vec::new(),
        of: None,
        template: false,
        for_all: false,
        only: None,
        has_statics: false,
        is_alias: false,
        stands_for: None,
        uses: Vec::<Use>::new(),
    }
}

/// A flow as it is declared.
struct Flow {
    name: ast::Ident,
    kind: StreamKind,
    ty: Option<Type>,
    /// The free constant that it hands on.
    constant: Option<ConstId>,
}

impl Resolver<'_> {
    /// The flows of a node, and their types where these are known.
    fn streams(
        &mut self,
        node: &NodeDeclaration,
        interface: &Interface,
    ) -> (Vec<Stream>, Vec<Option<Type>>) {
        let mut streams: Vec<Stream> = Vec::new();
        let mut types: Vec<Option<Type>> = Vec::new();
        let mut seen: FxHashMap<Arc<str>, usize> = FxHashMap::default();
        for Flow { name, kind, ty, constant } in self.flows(node, interface) {
            streams.push(Stream {
                name: name.name.clone(),
                // A wrong type is never looked at: `types` says it is unknown.
                ty: ty.clone().unwrap_or(Type::Bool),
                span: name.span,
                kind,
                definition: None,
                clock: None,
                scope: ScopeId::NODE,
                condition: None,
                constant,
                hidden: false,
            });
            types.push(ty);
            if constant.is_some() {
                // A flow may have the name of a constant of the program.
                continue;
            }
            let first = *seen.entry(name.name.clone()).or_insert(types.len() - 1);
            if first + 1 < types.len() {
                self.push(duplicate("flow", &name.name, name.span, streams[first].span));
                // Which of them is meant nobody knows.
                types[first] = None;
            }
        }
        (streams, types)
    }

    /// All flows in their order. The types of inputs and outputs were resolved with the
    /// interface; those of local flows may need local constants.
    fn flows(&mut self, node: &NodeDeclaration, interface: &Interface) -> Vec<Flow> {
        let flow = |kind, (variable, ty): (&ast::Variable, &Option<Type>)| {
            let (name, ty, constant) = (variable.name.clone(), ty.clone(), None);
            Flow { name, kind, ty, constant }
        };
        let inputs = node.inputs.iter().zip(&interface.inputs);
        let mut all: Vec<Flow> = inputs.map(|known| flow(StreamKind::Input, known)).collect();
        all.extend(interface.free.iter().map(|id| {
            let known = &self.program.consts[id.index()];
            let name = ast::Ident { name: known.name.clone(), span: known.span };
            let (kind, ty) = (StreamKind::Input, Some(known.ty.clone()));
            Flow { name, kind, ty, constant: Some(*id) }
        }));
        let outputs = node.outputs.iter().zip(&interface.outputs);
        all.extend(outputs.map(|known| flow(StreamKind::Output, known)));
        for constant in &node.constants {
            let stream = StreamId(all.len() as u32);
            let ty = self.local_constant(constant, stream);
            let name = constant.name.clone();
            all.push(Flow { name, kind: StreamKind::Local, ty, constant: None });
        }
        for local in &node.locals {
            let ty = self.ty(&local.ty);
            all.push(flow(StreamKind::Local, (local, &ty)));
        }
        all
    }

    fn body(&mut self, result: &mut Node, node: &NodeDeclaration) {
        let mut definitions = Definitions::default();
        self.define_local_constants(result, &mut definitions, node);
        let remembered = self.last_values(result, &node.items);
        for item in &node.items {
            match item {
                Item::Equation(equation) => self.equation(result, &mut definitions, equation),
                Item::Assert(expr, span) => {
                    let stance = Stance::Assumed;
                    if let Some(expr) = self.boolean_for(stance, *expr, "an assertion") {
                        result.asserts.push(Assertion {
                            expr,
                            premise: Premise::Asserted,
                            span: *span,
                        });
                    }
                }
                Item::Property(property) => self.property(result, property),
                Item::Main(_) => result.is_main = true,
                Item::Realizable(names, span) => self.realizable(result, names, *span),
                // Candidates see all flows of the node and none of its calls, contracts
                // only the interface.
                Item::Candidate(..) | Item::Contract(_) => {}
                // They were looked at before: all see them.
                Item::Last(..) => {}
                Item::Block(block) => self.block(result, &mut definitions, block),
            }
        }
        self.forget_last_values(remembered);
        // An equation that could not be read may define any flow.
        if !node.gaps.body && !result.imported {
            let contract = node.items.iter().any(|item| matches!(item, Item::Contract(_)));
            self.undefined(result, &definitions, contract, node.gaps);
        }
        for stream in definitions.streams() {
            if let Some(Definition::At(_, Some(expr))) = definitions.get(stream) {
                result.streams[stream.index()].definition = Some(*expr);
            }
        }
    }
}
