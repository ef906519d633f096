//! Nodes: flows, equations, assertions, properties; and who calls whom.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Declaration, Item};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use crate::program::{
    Assertion, Candidates, ExprId, ExprKind, Node, NodeId, Property, Stream, StreamId, StreamKind,
};
use crate::resolve::expressions::Scope;
use crate::resolve::{Resolver, similar};
use crate::types::Type;

impl Resolver<'_> {
    pub(super) fn nodes(&mut self) {
        let ast = self.ast;
        for declaration in &ast.declarations {
            if let Declaration::Node(node) = declaration {
                let node = self.node(node);
                self.program.nodes.push(node);
            }
        }
        self.order_nodes();
    }

    fn node(&mut self, node: &ast::NodeDeclaration) -> Node {
        let (streams, types) = self.streams(node);
        let mut scope = Scope::node(&streams, types.clone(), node.is_function);
        let mut result = Node {
            name: node.name.name.clone(),
            span: node.name.span,
            is_function: node.is_function,
            is_main: false,
            streams,
            inputs: node.inputs.len(),
            outputs: node.outputs.len(),
            exprs: crate::program::Exprs::default(),
            calls: Vec::new(),
            asserts: Vec::new(),
            properties: Vec::new(),
            candidates: Candidates::default(),
        };
        let mut defined: Vec<Option<Span>> = vec![None; result.streams.len()];
        for item in &node.items {
            match item {
                Item::Equation(equation) => {
                    self.equation(&mut result, &mut scope, &mut defined, equation);
                }
                Item::Assert(expr, span) => {
                    if let Some(expr) = self.boolean(&mut scope, *expr, "an assertion") {
                        result.asserts.push(Assertion { expr, span: *span });
                    }
                }
                Item::Property(property) => self.property(&mut result, &mut scope, property),
                Item::Main(_) => result.is_main = true,
                // They see all flows of the node and none of its calls.
                Item::Candidate(_) => {}
            }
        }
        self.undefined(&result, &defined);
        // A candidate about a function may look back: it is no part of it.
        let scope_of_candidates = Scope::node(&result.streams, types, false);
        result.candidates = self.candidates(node, scope_of_candidates);
        result.exprs = scope.exprs;
        result.calls = scope.calls;
        result
    }

    /// The flows of a node, and their types where these are known.
    fn streams(&mut self, node: &ast::NodeDeclaration) -> (Vec<Stream>, Vec<Option<Type>>) {
        let mut streams: Vec<Stream> = Vec::new();
        let mut types = Vec::new();
        let mut seen: FxHashMap<Arc<str>, Span> = FxHashMap::default();
        let known = self
            .nodes
            .get(&node.name.name)
            .map(|d| (d.what.inputs.clone(), d.what.outputs.clone()));
        let (inputs, outputs) = known.unwrap_or_default();
        let groups = [
            (&node.inputs, StreamKind::Input, inputs),
            (&node.outputs, StreamKind::Output, outputs),
            (&node.locals, StreamKind::Local, Vec::new()),
        ];
        for (list, kind, resolved) in groups {
            for (i, variable) in list.iter().enumerate() {
                let name = &variable.name;
                if let Some(first) = seen.insert(name.name.clone(), name.span) {
                    self.duplicate("flow", &name.name, name.span, first);
                }
                // Inputs and outputs were resolved with the interface.
                let ty = match (kind, resolved.get(i)) {
                    (StreamKind::Local, _) | (_, None) => self.ty(&variable.ty),
                    (_, Some(ty)) => ty.clone(),
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
            }
        }
        (streams, types)
    }

    pub(super) fn boolean(
        &mut self,
        scope: &mut Scope,
        root: ast::ExprId,
        what: &str,
    ) -> Option<ExprId> {
        let list = self.expr(scope, root)?;
        let span = self.ast.exprs[root].span;
        match list[..] {
            [one] if scope.exprs[one].ty == Type::Bool => Some(one),
            [one] => {
                let found = self.show(&scope.exprs[one].ty);
                let message = format!("{what} is a bool, this is of type {found}");
                self.push(Diagnostic::error(Code::Type, span, message));
                None
            }
            _ => {
                let message = format!("{what} is one value, this has {}", list.len());
                self.push(Diagnostic::error(Code::Arity, span, message));
                None
            }
        }
    }

    fn property(&mut self, node: &mut Node, scope: &mut Scope, property: &ast::Property) {
        let Some(expr) = self.boolean(scope, property.expr, "a property") else { return };
        let name: Arc<str> = match (&property.name, &scope.exprs[expr].kind) {
            (Some(name), _) => name.clone(),
            (None, ExprKind::Stream(stream)) => node.stream(*stream).name.clone(),
            _ => format!("line {}", self.sources.line_column(property.span).line).into(),
        };
        // Names tell properties apart in reports: a second one gets its place.
        let taken = |name: &str| node.properties.iter().any(|p| &*p.name == name);
        let mut unique = name.clone();
        if taken(&unique) {
            let place = self.sources.line_column(property.span);
            let (line, column) = (place.line, place.column);
            let own_name = property.name.is_some() || !name.starts_with("line ");
            let shorter = format!("{name} (line {line})");
            unique = match own_name {
                true if !taken(&shorter) => shorter.into(),
                true => format!("{name} (line {line}:{column})").into(),
                false => format!("line {line}:{column}").into(),
            };
        }
        node.properties.push(Property { name: unique, expr, span: property.span });
    }

    fn equation(
        &mut self,
        node: &mut Node,
        scope: &mut Scope,
        defined: &mut [Option<Span>],
        equation: &ast::Equation,
    ) {
        let right = self.expr(scope, equation.right);
        let left: Vec<Option<StreamId>> =
            equation.left.iter().map(|name| self.defines(node, scope, defined, name)).collect();
        let Some(right) = right else { return };
        if left.len() != right.len() {
            let message = format!(
                "the equation defines {} flow{}, its right side has {} value{}",
                left.len(),
                if left.len() == 1 { "" } else { "s" },
                right.len(),
                if right.len() == 1 { "" } else { "s" },
            );
            self.push(Diagnostic::error(Code::Arity, equation.span, message));
            return;
        }
        for ((stream, name), expr) in left.into_iter().zip(&equation.left).zip(right) {
            let Some(stream) = stream else { continue };
            let Some(declared) = &scope.types[stream.index()] else { continue };
            let found = &scope.exprs[expr];
            if !found.ty.agrees(declared) {
                let (want, have) = (self.show(declared), self.show(&found.ty));
                let message = format!(
                    "`{}` is declared as {want}, its definition is of type {have}",
                    name.name
                );
                let declared_at = node.stream(stream).span;
                self.push(
                    Diagnostic::error(Code::Type, found.span, message)
                        .label(format!("expected {want}, found {have}"))
                        .also(declared_at, "declared here"),
                );
                continue;
            }
            node.streams[stream.index()].definition = Some(expr);
        }
    }

    /// The flow that a name on the left of an equation means.
    fn defines(
        &mut self,
        node: &Node,
        scope: &Scope,
        defined: &mut [Option<Span>],
        name: &ast::Ident,
    ) -> Option<StreamId> {
        let Some(&stream) = scope.streams.get(&name.name) else {
            let message = format!("nothing declares the flow `{}`", name.name);
            let mut diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
            if let Some(meant) = similar(&name.name, scope.streams.keys().map(|k| &**k)) {
                diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
            } else {
                diagnostic = diagnostic.help("declare it after `var`");
            }
            self.push(diagnostic);
            return None;
        };
        let declared = node.stream(stream);
        if declared.kind == StreamKind::Input {
            let message = format!("`{}` is an input and cannot be defined", name.name);
            self.push(
                Diagnostic::error(Code::Definition, name.span, message)
                    .also(declared.span, "declared as an input here"),
            );
            return None;
        }
        if let Some(first) = defined[stream.index()] {
            let message = format!("`{}` is defined twice", name.name);
            self.push(
                Diagnostic::error(Code::Definition, name.span, message)
                    .label("defined again here")
                    .also(first, "first defined here")
                    .help("a flow has exactly one equation"),
            );
            return None;
        }
        defined[stream.index()] = Some(name.span);
        Some(stream)
    }

    fn undefined(&mut self, node: &Node, defined: &[Option<Span>]) {
        for (stream, definition) in node.streams.iter().zip(defined) {
            // Of a flow declared twice, the first declaration has the equation.
            let twice = node.stream_named(&stream.name).map(|s| node.stream(s).span);
            if stream.kind == StreamKind::Input
                || definition.is_some()
                || twice != Some(stream.span)
            {
                continue;
            }
            let what = if stream.kind == StreamKind::Output { "output" } else { "local flow" };
            let message = format!("the {what} `{}` has no equation", stream.name);
            self.push(
                Diagnostic::error(Code::Definition, stream.span, message)
                    .label("declared here, defined nowhere")
                    .help(format!(
                        "add `{} = …;` to the node, or remove the declaration",
                        stream.name
                    )),
            );
        }
    }

    /// Sorts the nodes, callees first; reports those that call themselves.
    fn order_nodes(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Waiting,
            Open,
            Done,
        }
        let n = self.program.nodes.len();
        let mut marks = vec![Mark::Waiting; n];
        let mut order = Vec::with_capacity(n);
        for root in 0..n {
            // Each entry: a node and how many of its calls were followed.
            let mut stack = vec![(root, 0usize)];
            while let Some((node, next)) = stack.pop() {
                if next == 0 {
                    if marks[node] != Mark::Waiting {
                        continue;
                    }
                    marks[node] = Mark::Open;
                }
                let Some(call) = self.program.nodes[node].calls.get(next) else {
                    marks[node] = Mark::Done;
                    order.push(NodeId(node as u32));
                    continue;
                };
                let (callee, span) = (call.callee.index(), call.span);
                stack.push((node, next + 1));
                match marks[callee] {
                    Mark::Waiting => stack.push((callee, 0)),
                    Mark::Done => {}
                    Mark::Open => self.recursive(&stack, callee, span),
                }
            }
        }
        self.program.callees_first = order;
    }

    fn recursive(&mut self, stack: &[(usize, usize)], callee: usize, span: Span) {
        let start = stack.iter().position(|(node, _)| *node == callee).unwrap_or(0);
        let name = self.program.nodes[callee].name.clone();
        let path: Vec<String> = stack[start..]
            .iter()
            .map(|(node, _)| format!("`{}`", self.program.nodes[*node].name))
            .collect();
        let mut diagnostic =
            Diagnostic::error(Code::Recursion, span, format!("the node `{name}` calls itself"));
        if path.len() > 1 {
            diagnostic = diagnostic.note(format!("{} calls `{name}` again", path.join(" calls ")));
        }
        self.push(diagnostic);
    }
}
