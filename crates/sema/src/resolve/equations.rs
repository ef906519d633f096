//! Equations: each flow that is no input has exactly one.

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::{Resolver, similar};
use crate::program::{ExprId, Meaning, Node, Role, Stream, StreamId, StreamKind, Use};

/// Where each flow is defined.
pub(super) struct Definitions {
    by_stream: Vec<Definition>,
}

#[derive(Clone, Copy)]
enum Definition {
    Missing,
    At(Span),
    /// By an equation with a mistake of syntax, which has its diagnostic.
    Unreadable,
}

impl Definitions {
    pub fn new(streams: usize) -> Definitions {
        Definitions { by_stream: vec![Definition::Missing; streams] }
    }

    /// Notes that a flow has its definition, which is no equation.
    pub fn note(&mut self, stream: StreamId, span: Span) {
        self.by_stream[stream.index()] = Definition::At(span);
    }
}

impl Resolver<'_> {
    pub(super) fn equation(
        &mut self,
        node: &mut Node,
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
        let left: Vec<Option<StreamId>> =
            equation.left.iter().map(|name| self.defines(node, definitions, name)).collect();
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
            if self.fits(node, stream, name, expr) {
                node.streams[stream.index()].definition = Some(expr);
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
    fn perhaps_defines(&mut self, definitions: &mut Definitions, equation: &ast::Equation) {
        for name in &equation.left {
            let Some(&stream) = self.scope.streams.get(&name.name) else { continue };
            self.define(stream, name.span);
            definitions.by_stream[stream.index()] = Definition::Unreadable;
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
        let Some(&stream) = self.scope.streams.get(&name.name) else {
            self.undeclared_flow(name);
            return None;
        };
        self.define(stream, name.span);
        let declared = node.stream(stream);
        if declared.kind == StreamKind::Input {
            let other = |s: &Stream| s.name == name.name && s.kind != StreamKind::Input;
            if node.streams.iter().any(other) {
                return None;
            }
            let message = format!("`{}` is an input and cannot be defined", name.name);
            self.push(
                Diagnostic::error(Code::Definition, name.span, message)
                    .also(declared.span, "declared as an input here"),
            );
            return None;
        }
        let definition = &mut definitions.by_stream[stream.index()];
        match *definition {
            Definition::At(first) => {
                let message = format!("`{}` is defined twice", name.name);
                self.push(
                    Diagnostic::error(Code::Definition, name.span, message)
                        .label("defined again here")
                        .also(first, "first defined here")
                        .help("a flow has exactly one equation"),
                );
                None
            }
            Definition::Unreadable => None,
            Definition::Missing => {
                *definition = Definition::At(name.span);
                Some(stream)
            }
        }
    }

    fn undeclared_flow(&mut self, name: &ast::Ident) {
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

    /// Reports flows without an equation.
    pub(super) fn undefined(&mut self, node: &Node, definitions: &Definitions) {
        for (i, (stream, definition)) in node.streams.iter().zip(&definitions.by_stream).enumerate()
        {
            // Of a flow declared twice, the first declaration has the equation.
            let first = self.scope.streams.get(&stream.name) == Some(&StreamId(i as u32));
            if stream.kind == StreamKind::Input
                || !matches!(definition, Definition::Missing)
                || !first
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
}
