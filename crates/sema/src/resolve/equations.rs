//! Equations: each flow that is no input has exactly one.

use std::collections::BTreeMap;

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::scope::ScopeKind;
use super::{Resolver, similar};
use crate::program::{
    ExprId, ExprKind, Meaning, Node, Premise, Role, Stream, StreamId, StreamKind, Use,
};

/// Where and how a part of a body defines flows.
#[derive(Clone, Default)]
pub(super) struct Definitions {
    by_stream: BTreeMap<StreamId, Definition>,
}

#[derive(Clone)]
pub(super) enum Definition {
    /// By what stands there, which is none where it has an error.
    At(ast::Ident, Option<ExprId>),
    /// By something with a mistake of syntax, which has its diagnostic.
    Unreadable,
}

impl Definitions {
    /// The flows that are defined.
    pub fn streams(&self) -> impl Iterator<Item = StreamId> + '_ {
        self.by_stream.keys().copied()
    }

    /// How a flow is defined.
    pub fn get(&self, stream: StreamId) -> Option<&Definition> {
        self.by_stream.get(&stream)
    }

    /// Takes the definition of a flow out.
    pub fn remove(&mut self, stream: StreamId) -> Option<Definition> {
        self.by_stream.remove(&stream)
    }

    /// Notes how a flow is defined.
    pub fn set(&mut self, stream: StreamId, definition: Definition) {
        self.by_stream.insert(stream, definition);
    }
}

impl Resolver<'_> {
    pub(super) fn equation(
        &mut self,
        node: &Node,
        definitions: &mut Definitions,
        equation: &ast::Equation,
    ) {
        let readable = !matches!(self.ast[equation.right].kind, ast::ExprKind::Error);
        let right = match &equation.indices[..] {
            [] => self.expr(equation.right),
            _ => self.defined_by_index(equation),
        };
        if !readable {
            return self.perhaps_defines(definitions, equation);
        }
        let left = equation.left.iter().map(|name| {
            // `_` stands for a value that nobody needs.
            let nobody = &*name.name == "_" && !self.scope.streams.contains_key(&name.name);
            if nobody { None } else { self.defines(node, definitions, name) }
        });
        let left: Vec<Option<StreamId>> = left.collect();
        let Some(right) = right else { return };
        if left.len() != right.len() {
            let message = format!(
                "the equation defines {} flow{}, its right side has {} value{}",
                left.len(),
                if left.len() == 1 { "" } else { "s" },
                right.len(),
                if right.len() == 1 { "" } else { "s" },
            );
            let diagnostic = Diagnostic::error(Code::Arity, equation.span, message);
            self.push(match &equation.left[..] {
                [] => diagnostic.help("where nobody needs a value, write `_ = …;`"),
                _ => diagnostic,
            });
            return;
        }
        for ((stream, name), expr) in left.into_iter().zip(&equation.left).zip(right) {
            let Some(stream) = stream else { continue };
            if self.fits(node, stream, name, expr) {
                definitions.set(stream, Definition::At(name.clone(), Some(expr)));
            }
        }
    }

    /// The right side of `a[i] = e;`, where `a` is a flow whose type is known.
    fn defined_by_index(&mut self, equation: &ast::Equation) -> Option<Vec<ExprId>> {
        let stream = self.scope.streams.get(&equation.left.first()?.name)?;
        let declared = self.scope.types[stream.index()].clone()?;
        self.by_index(&declared, equation).map(|array| vec![array])
    }

    /// Whether a definition has the type of its flow; reports if not.
    pub(super) fn fits(
        &mut self,
        node: &Node,
        stream: StreamId,
        name: &ast::Ident,
        expr: ExprId,
    ) -> bool {
        let Some(declared) = &self.scope.types[stream.index()] else { return false };
        let found = &self.scope.exprs[expr];
        if found.ty.agrees(declared) {
            return true;
        }
        let (want, have) = (self.show(declared), self.show(&found.ty));
        let message =
            format!("`{}` is declared as {want}, its definition is of type {have}", name.name);
        let diagnostic = Diagnostic::error(Code::Type, found.span, message)
            .label(format!("expected {want}, found {have}"))
            .also(node.stream(stream).span, "declared here");
        self.push(diagnostic);
        false
    }

    /// An equation with a mistake of syntax: what it says of its flows is not
    /// certain.
    pub(super) fn perhaps_defines(
        &mut self,
        definitions: &mut Definitions,
        equation: &ast::Equation,
    ) {
        for name in &equation.left {
            let Some(&stream) = self.scope.streams.get(&name.name) else { continue };
            self.define(stream, name.span);
            definitions.set(stream, Definition::Unreadable);
        }
    }

    fn define(&mut self, stream: StreamId, span: Span) {
        let meaning = Meaning::Stream(stream);
        self.uses.push(Use { span, meaning, role: Role::Definition });
    }

    /// The flow that a name on the left of an equation means.
    fn defines(
        &mut self,
        node: &Node,
        definitions: &mut Definitions,
        name: &ast::Ident,
    ) -> Option<StreamId> {
        let stream = self.definable(node, name)?;
        self.defines_once(definitions, stream, name).then(|| {
            definitions.set(stream, Definition::At(name.clone(), None));
            stream
        })
    }

    /// The flow of a name that stands where only flows can that are no inputs.
    pub(super) fn definable(&mut self, node: &Node, name: &ast::Ident) -> Option<StreamId> {
        let Some(&stream) = self.scope.streams.get(&name.name) else {
            self.undeclared_flow(name);
            return None;
        };
        self.define(stream, name.span);
        let declared = node.stream(stream);
        if declared.kind != StreamKind::Input {
            return Some(stream);
        }
        let other = |s: &Stream| s.name == name.name && s.kind != StreamKind::Input;
        if !node.streams.iter().any(other) {
            let message = format!("`{}` is an input and cannot be defined", name.name);
            self.push(
                Diagnostic::error(Code::Definition, name.span, message)
                    .also(declared.span, "declared as an input here"),
            );
        }
        None
    }

    /// Whether a flow is not defined yet; reports if it is.
    pub(super) fn defines_once(
        &mut self,
        definitions: &Definitions,
        stream: StreamId,
        name: &ast::Ident,
    ) -> bool {
        match definitions.get(stream) {
            Some(Definition::At(..)) if self.scope.unread => false,
            Some(Definition::At(first, _)) => {
                let message = format!("`{}` is defined twice", name.name);
                self.push(
                    Diagnostic::error(Code::Definition, name.span, message)
                        .label("defined again here")
                        .also(first.span, "first defined here")
                        .help("a flow has exactly one equation"),
                );
                false
            }
            Some(Definition::Unreadable) => false,
            None => true,
        }
    }

    pub(super) fn undeclared_flow(&mut self, name: &ast::Ident) {
        if self.scope.hides_flows {
            return;
        }
        let message = format!("nothing declares the flow `{}`", name.name);
        let diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
        let meant = similar(&name.name, self.scope.streams.keys().map(|k| &**k));
        self.push(match meant {
            Some(meant) => diagnostic.help(format!("is `{meant}` meant?")),
            None => diagnostic.help("declare it after `var`"),
        });
    }

    /// Reports flows without an equation. Outputs of a node with a contract may have none, and those
    /// of which the node asserts something, old conventions: they have any value, at each step. (Not
    /// those of a function: equal arguments would give results that differ.)
    pub(super) fn undefined(
        &mut self,
        node: &mut Node,
        definitions: &Definitions,
        contract: bool,
        gaps: ast::NodeGaps,
    ) {
        let asserted = self.asserted(node);
        for id in node.stream_ids() {
            let stream = node.stream(id);
            // Of a flow declared twice, the first declaration has the equation.
            let first = self.scope.streams.get(&stream.name) == Some(&id);
            if stream.kind == StreamKind::Input || definitions.get(id).is_some() || !first {
                continue;
            }
            // In a list that could not be read to its end a name may be something else of the text.
            let misread =
                if stream.kind == StreamKind::Output { gaps.outputs } else { gaps.locals };
            if misread {
                continue;
            }
            let by_assertion = asserted.contains(&id);
            let open = (contract || by_assertion) && self.scope.kind == ScopeKind::Node;
            if open && stream.kind == StreamKind::Output {
                let Stream { name, ty, span, .. } = stream.clone();
                let (values, help) = if by_assertion {
                    ("any value of which the assertions hold", "an equation would say which")
                } else {
                    ("any value", "the contract is checked, and not assumed, of it")
                };
                let message = format!("the output `{name}` has no equation: it may have {values}");
                self.push(Diagnostic::warning(Code::Definition, span, message).help(help));
                let any = self.scope.exprs.push(ExprKind::Any, ty, span);
                node.streams[id.index()].definition = Some(any);
                continue;
            }
            self.has_no_equation(node, id);
        }
    }

    /// The flows of which a node asserts something.
    fn asserted(&self, node: &Node) -> Vec<StreamId> {
        let exprs = &self.scope.exprs;
        let roots = node.asserts.iter().filter(|a| a.premise == Premise::Asserted);
        let all = exprs.present_closure(roots.map(|assertion| assertion.expr)).into_iter();
        all.filter_map(|expr| match exprs[expr].kind {
            ExprKind::Stream(stream) => Some(stream),
            _ => None,
        })
        .collect()
    }

    /// Reports a flow without an equation.
    pub(super) fn has_no_equation(&mut self, node: &Node, id: StreamId) {
        let stream = node.stream(id);
        let what = if stream.kind == StreamKind::Output { "output" } else { "local flow" };
        let message = format!("the {what} `{}` has no equation", stream.name);
        self.push(
            Diagnostic::error(Code::Definition, stream.span, message)
                .label("declared here, defined nowhere")
                .help(format!("add `{} = …;` to the node, or remove the declaration", stream.name)),
        );
    }
}
