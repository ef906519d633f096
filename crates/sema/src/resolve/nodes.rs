//! One node: its flows and its body, resolved against the environment and its own
//! tree alone.

use std::sync::Arc;

use lustral_syntax::ast::{self, Item, NodeDeclaration, Tree};
use lustral_syntax::{Diagnostic, Diagnostics, SourceMap, Span};
use rustc_hash::FxHashMap;

use super::declarations::parameters;
use super::environment::Interface;
use super::equations::{Definition, Definitions};
use super::scope::{Scope, ScopeKind};
use super::{Environment, Resolver, Specialised, duplicate};
use crate::program::{
    Assertion, Candidates, Exprs, Node, NodeId, Program, Stream, StreamKind, Use,
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
        Which::For(special) => (special.bindings.clone(), FxHashMap::default()),
    };
    let hides_flows = node.gaps.hides_flows();
    let kind = ScopeKind::Node;
    let known = Scope { bindings, parameters, hides_flows, kind, ..Scope::default() };
    let Scope { bindings, parameters, .. } = known.clone();
    let mut resolver = Resolver::new(sources, env, globals, &tree.exprs, known);
    let interface = match which {
        Which::Declared(id) => &env.interfaces[id.index()],
        Which::For(special) => &special.interface,
    };
    let (streams, types) = resolver.streams(node, interface);
    let kind = if node.is_function { ScopeKind::Function } else { ScopeKind::Node };
    resolver.scope = Scope { bindings, parameters, ..Scope::node(&streams, types.clone(), kind) };
    resolver.scope.hides_flows = node.gaps.hides_flows();
    resolver.scope.unread = node.gaps.body;
    let mut result = empty(node, streams);
    result.name = interface.name.clone();
    result.of = which.base();
    resolver.template |= types.iter().any(Option::is_none) && !resolver.scope.parameters.is_empty();
    resolver.body(&mut result, node);
    if matches!(which, Which::Declared(_)) {
        resolver.keep_constants(&mut result, node);
    }
    if result.imported && node.is_function {
        let what = "functions without a body";
        resolver.push(Diagnostic::unsupported(node.name.span, what).help(
            "give it a body, or declare it as `node imported`, which may give other \
                       results for the same arguments",
        ));
    }
    resolver.contracts(&mut result, node, ast);
    resolver.assume(&mut result);
    if result.imported {
        resolver.known_by_contract(&mut result);
    }
    let chosen = std::mem::take(&mut resolver.scope.chosen);
    let chosen = chosen.into_iter().map(|(expr, span)| Assertion { expr, given: false, span });
    result.asserts.extend(chosen);
    let types = resolver.scope.types.clone();
    result.exprs = std::mem::take(&mut resolver.scope.exprs);
    resolver.scope.reads.clear();
    result.calls = std::mem::take(&mut resolver.scope.calls);
    result.indices = std::mem::take(&mut resolver.scope.declared_indices);
    // Equations that could not be read take nothing back of what the others say.
    let broken = resolver.broken || node.gaps.hides_flows() || resolver.diagnostics.has_errors();
    // A candidate about a function may look back: it is no part of it.
    resolver.scope.kind = ScopeKind::Node;
    result.candidates = resolver.candidates(node, ast);
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
    let (diagnostics, dropped) = (resolver.diagnostics, resolver.dropped);
    ResolvedNode { node: result, types, broken, dropped, diagnostics }
}

/// Which node of a declaration is resolved.
#[derive(Clone, Copy)]
pub(crate) enum Which<'s> {
    /// The node itself.
    Declared(NodeId),
    /// The node for values of its constant inputs.
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
}

/// Whether a node has no body. One with a contract and without any equation is an old
/// way to say so.
fn is_imported(node: &NodeDeclaration) -> bool {
    let has = |wanted: fn(&Item) -> bool| node.items.iter().any(wanted);
    node.imported
        || has(|item| matches!(item, Item::Contract(_)))
            && !has(|item| matches!(item, Item::Equation(_) | Item::Assert(..) | Item::Block(_)))
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
        is_main: false,
        streams,
        inputs: node.inputs.len(),
        outputs: node.outputs.len(),
        exprs: Exprs::default(),
        calls: Vec::new(),
        asserts: Vec::new(),
        properties: Vec::new(),
        clauses: Vec::new(),
        modes: Vec::new(),
        candidates: Candidates::default(),
        indices: Vec::new(),
        of: None,
        template: false,
        uses: Vec::<Use>::new(),
    }
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
        // The types of inputs and outputs were resolved with the interface.
        let groups = [
            (&node.inputs, StreamKind::Input, &interface.inputs[..]),
            (&node.outputs, StreamKind::Output, &interface.outputs[..]),
            (&node.locals, StreamKind::Local, &[]),
        ];
        for (list, kind, resolved) in groups {
            for (i, variable) in list.iter().enumerate() {
                let name = &variable.name;
                let ty = match resolved.get(i) {
                    Some(ty) => ty.clone(),
                    None => self.ty(&variable.ty),
                };
                streams.push(Stream {
                    name: name.name.clone(),
                    // A wrong type is never looked at: `types` says it is unknown.
                    ty: ty.clone().unwrap_or(Type::Bool),
                    span: name.span,
                    kind,
                    definition: None,
                });
                types.push(ty);
                let first = *seen.entry(name.name.clone()).or_insert(types.len() - 1);
                if first + 1 < types.len() {
                    self.push(duplicate("flow", &name.name, name.span, streams[first].span));
                    // Which of them is meant nobody knows.
                    types[first] = None;
                }
            }
        }
        (streams, types)
    }

    fn body(&mut self, result: &mut Node, node: &NodeDeclaration) {
        let mut definitions = Definitions::default();
        for item in &node.items {
            match item {
                Item::Equation(equation) => self.equation(result, &mut definitions, equation),
                Item::Assert(expr, span) => {
                    if let Some(expr) = self.boolean(*expr, "an assertion") {
                        result.asserts.push(Assertion { expr, given: false, span: *span });
                    }
                }
                Item::Property(property) => self.property(result, property),
                Item::Main(_) => result.is_main = true,
                // Candidates see all flows of the node and none of its calls, contracts
                // only the interface.
                Item::Candidate(..) | Item::Contract(_) => {}
                Item::Last(_, _, span) => {
                    self.push(Diagnostic::unsupported(*span, "last values outside of frames"));
                }
                Item::Block(block) => self.block(result, &mut definitions, block),
            }
        }
        // An equation that could not be read may define any flow.
        if !node.gaps.body && !result.imported {
            self.undefined(result, &definitions);
        }
        for stream in definitions.streams() {
            if let Some(Definition::At(_, Some(expr))) = definitions.get(stream) {
                result.streams[stream.index()].definition = Some(*expr);
            }
        }
    }
}
