//! Properties, and what else must be one truth value.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BoundKind, Question};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::Resolver;
use super::polarity::Stance;
use crate::program::{
    BinaryOp, ExprId, ExprKind, Meaning, Node, Property, PropertyKind, StreamId, UnaryOp,
};
use crate::types::Type;

impl Resolver<'_> {
    /// An expression that must be one truth value; none if it has an error.
    pub(super) fn boolean(&mut self, root: ast::ExprId, what: &str) -> Option<ExprId> {
        let list = self.expr(root)?;
        let span = self.ast[root].span;
        match list[..] {
            [one] if self.scope.exprs[one].ty == Type::Bool => Some(one),
            [one] => {
                let found = self.show(&self.scope.exprs[one].ty);
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

    /// The same, of which it is known what is done with it.
    pub(super) fn boolean_for(
        &mut self,
        stance: Stance,
        root: ast::ExprId,
        what: &str,
    ) -> Option<ExprId> {
        self.stance = Some(stance);
        self.boolean(root, what)
    }

    pub(super) fn property(&mut self, node: &mut Node, property: &ast::Property) {
        // What shall be reachable is stated by its opposite, which is to be shown.
        let stance = match property.question {
            Question::Always | Question::Provided(_) => Stance::Shown,
            Question::Reachable(_) => Stance::Assumed,
        };
        self.claims = true;
        let expr = self.boolean_for(stance, property.expr, "a property");
        self.claims = false;
        let Some(expr) = expr else { return };
        let named = property.name.as_ref().map(|name| name.name.to_string());
        let name = self.claim_name(node, named, expr, property.span);
        let span = property.span;
        match &property.question {
            Question::Always => {
                let expr = self.at_steps_of_part(expr);
                node.properties.push(Property { name, kind: PropertyKind::Always, expr, span });
            }
            Question::Provided(condition) => {
                let Some(condition) = self.boolean_for(Stance::Assumed, *condition, "a condition")
                else {
                    return;
                };
                let occurs = format!("condition of {name}");
                let either = ExprKind::Binary(BinaryOp::Implies, condition, expr);
                let expr = self.push_bool(either, span);
                let expr = self.at_steps_of_part(expr);
                node.properties.push(Property { name, kind: PropertyKind::Always, expr, span });
                self.occurs(node, occurs, condition, span);
            }
            Question::Reachable(bounds) => {
                // Nobody knows which of the two is meant.
                if self.env.interface("reachable").is_some() {
                    let message = "`reachable` is a word of the language here, and a node too";
                    let diagnostic = Diagnostic::error(Code::Syntax, span, message);
                    return self.push(diagnostic.help("give the node another name"));
                }
                let Some(expr) = self.among_steps(node, expr, bounds, span) else { return };
                let expr = self.push_bool(ExprKind::Unary(UnaryOp::Not, expr), span);
                let expr = self.at_steps_of_part(expr);
                node.properties.push(Property { name, kind: PropertyKind::Reachable, expr, span });
            }
        }
    }

    /// That a condition is met in some execution of the node by itself.
    pub(super) fn occurs(&mut self, node: &mut Node, name: String, condition: ExprId, span: Span) {
        let name = self.claim_name(node, Some(name), condition, span);
        let expr = self.push_bool(ExprKind::Unary(UnaryOp::Not, condition), span);
        let expr = self.at_steps_of_part(expr);
        node.properties.push(Property { name, kind: PropertyKind::Occurs, expr, span });
    }

    /// An expression at steps within some bounds.
    fn among_steps(
        &mut self,
        node: &mut Node,
        expr: ExprId,
        bounds: &[ast::Bound],
        span: Span,
    ) -> Option<ExprId> {
        let mut limits = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let step = self.constant_int(bound.step, "a step")?;
            if step < BigInt::ZERO {
                let place = self.ast[bound.step].span;
                let message = format!("there is no step {step}: steps count from 0");
                self.push(Diagnostic::error(Code::Type, place, message));
                return None;
            }
            limits.push((bound.kind, step));
        }
        let Some(last) = limits.iter().map(|(_, step)| step).max() else { return Some(expr) };
        let number = self.step_number(node, last + 1, span);
        let mut all = expr;
        for (kind, step) in limits {
            let op = match kind {
                BoundKind::From => BinaryOp::GreaterEqual,
                BoundKind::Within => BinaryOp::LessEqual,
                BoundKind::At => BinaryOp::Equal,
            };
            let number = self.scope.exprs.push(ExprKind::Stream(number), Type::Int, span);
            let number = self.sampled(number, 0);
            let step = self.scope.exprs.push(ExprKind::Int(step), Type::Int, span);
            let inside = self.push_bool(ExprKind::Binary(op, number, step), span);
            all = self.push_bool(ExprKind::Binary(BinaryOp::And, all, inside), span);
        }
        Some(all)
    }

    /// A flow that is the number of the step, up to a number at which it stays: beyond
    /// that nobody looks, and a state space that was finite is so still.
    fn step_number(&mut self, node: &mut Node, last: BigInt, span: Span) -> StreamId {
        let name = format!("(step, to {last})");
        let known = node.step_numbers.iter().find(|id| *node.stream(**id).name == *name);
        if let Some(known) = known {
            return *known;
        }
        let flow = self.ghost(node, name, Some(Type::Int), span);
        node.streams[flow.index()].hidden = true;
        node.step_numbers.push(flow);
        let mut push = |kind: ExprKind, ty: Type| self.scope.exprs.push(kind, ty, span);
        let itself = push(ExprKind::Stream(flow), Type::Int);
        let before = push(ExprKind::Pre(itself), Type::Int);
        let last = push(ExprKind::Int(last), Type::Int);
        let one = push(ExprKind::Int(BigInt::from(1)), Type::Int);
        let counts = push(ExprKind::Binary(BinaryOp::Less, before, last), Type::Bool);
        let next = push(ExprKind::Binary(BinaryOp::Plus, before, one), Type::Int);
        let next = push(ExprKind::If(counts, next, before), Type::Int);
        let zero = push(ExprKind::Int(BigInt::ZERO), Type::Int);
        let number = push(ExprKind::Arrow(zero, next), Type::Int);
        node.streams[flow.index()].definition = Some(number);
        flow
    }

    /// The inputs that the environment chooses.
    pub(super) fn realizable(&mut self, node: &mut Node, names: &[ast::Ident], span: Span) {
        if node.realizable.is_some() {
            let message = "the inputs of the environment are given twice";
            self.push(Diagnostic::error(Code::Duplicate, span, message));
            return;
        }
        let mut inputs = Vec::with_capacity(names.len());
        for name in names {
            match self.scope.streams.get(&name.name) {
                Some(stream) if stream.index() < node.inputs => {
                    inputs.push(*stream);
                    self.mention(name.span, Meaning::Stream(inputs[inputs.len() - 1]));
                }
                Some(_) => {
                    let message = format!("`{}` is no input of the node", name.name);
                    let help = "name the inputs that the environment chooses; the other \
                                inputs are chosen so that the properties hold";
                    self.push(Diagnostic::error(Code::Type, name.span, message).help(help));
                }
                None if self.scope.hides_flows => {}
                None => {
                    let message = format!("there is no flow `{}`", name.name);
                    self.push(Diagnostic::error(Code::Undeclared, name.span, message));
                }
            }
        }
        node.realizable = Some(inputs);
    }

    /// What an expression is where it is not sampled.
    fn unsampled(&self, mut expr: ExprId) -> &ExprKind {
        while let ExprKind::When(inner, _) = self.scope.exprs[expr].kind {
            expr = inner;
        }
        &self.scope.exprs[expr].kind
    }

    /// The name of a property or of what a contract says: as given, or the flow's, or
    /// its line. Names tell properties apart in reports: a second one gets its place.
    pub(super) fn claim_name(
        &self,
        node: &Node,
        named: Option<String>,
        expr: ExprId,
        span: Span,
    ) -> Arc<str> {
        let place = self.sources.line_column(span);
        let (line, column) = (place.line, place.column);
        let (name, own) = match (named, self.unsampled(expr)) {
            (Some(name), _) => (name, true),
            (None, ExprKind::Stream(stream)) => (node.stream(*stream).name.to_string(), true),
            _ => (format!("line {line}"), false),
        };
        let taken = |name: &str| {
            node.properties.iter().any(|p| &*p.name == name)
                || node.clauses.iter().any(|c| &*c.name == name)
        };
        if !taken(&name) {
            return name.into();
        }
        let shorter = format!("{name} (line {line})");
        match own {
            true if !taken(&shorter) => shorter.into(),
            true => format!("{name} (line {line}:{column})").into(),
            false => format!("line {line}:{column}").into(),
        }
    }
}
