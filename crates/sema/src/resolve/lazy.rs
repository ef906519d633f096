//! Blocks of which a part takes a step only where it is chosen. What is chosen is a
//! flow of its own; whatever a part reads of flows around it is sampled by that flow, and
//! what the parts define is merged (Colaço, Pagano and Pouzet). So `pre` and `->` in
//! a part, and the nodes that it calls, go by the steps of the part.

use std::ops::Range;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Item};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use rustc_hash::FxHashMap;

use super::Resolver;
use super::deferred::unique_name;
use super::equations::{Definition, Definitions};
use super::frames::Kept;
use super::polarity::Stance;
use super::scope::Scope;
use crate::program::{
    Assertion, BinaryOp, Condition, Expr, ExprId, ExprKind, Meaning, Node, Premise, ScopeId,
    Stream, StreamId, StreamKind,
};
use crate::types::Type;

/// What stood where the flows of a part are declared.
pub(super) struct Shadowed {
    names: Vec<(std::sync::Arc<str>, Option<StreamId>)>,
    first: usize,
    /// The flows of the part that are declared on slower clocks.
    clocked: Vec<StreamId>,
}

/// The expressions that stand for what is written in several places around a part.
struct Shared {
    reads: FxHashMap<String, ExprId>,
    clocks: FxHashMap<StreamId, StreamId>,
}

impl Resolver<'_> {
    /// An expression that stands inside some of the conditions around, here.
    pub(super) fn sampled(&mut self, expr: ExprId, level: usize) -> ExprId {
        self.sampled_to(expr, level..self.scope.sampled.len())
    }

    /// An expression that stands inside some of the conditions around, inside of more of them.
    pub(super) fn sampled_to(&mut self, mut expr: ExprId, levels: Range<usize>) -> ExprId {
        let Scope { sampled, exprs, .. } = &mut self.scope;
        for condition in sampled[levels].iter().copied() {
            let Expr { ty, span, .. } = exprs[expr].clone();
            expr = exprs.push(ExprKind::When(expr, condition), ty, span);
        }
        expr
    }

    /// How many conditions are around the declaration of a flow.
    pub(super) fn level(&self, stream: StreamId) -> usize {
        self.scope.levels.get(&stream).copied().unwrap_or(0)
    }

    /// Something is resolved where a flow has a value.
    pub(super) fn inside<T>(
        &mut self,
        condition: Condition,
        resolve: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = self.enter_part(condition);
        let found = resolve(self);
        self.leave_part(around);
        found
    }

    /// What follows is resolved where a flow has a value, too. What is read twice is one
    /// value on one clock only.
    fn enter_part(&mut self, condition: Condition) -> Shared {
        self.scope.sampled.push(condition);
        Shared {
            reads: std::mem::take(&mut self.scope.reads),
            clocks: std::mem::take(&mut self.scope.inner_clocks),
        }
    }

    fn leave_part(&mut self, around: Shared) {
        self.scope.reads = around.reads;
        self.scope.inner_clocks = around.clocks;
        self.scope.sampled.pop();
    }

    /// A flow that no declaration in the text has; its definition is still to come.
    pub(super) fn hidden_flow(
        &mut self,
        node: &mut Node,
        (name, span): (&str, Span),
        ty: Type,
    ) -> StreamId {
        self.settle(node);
        let id = StreamId(node.streams.len() as u32);
        node.streams.push(Stream {
            name: unique_name(node, name),
            ty: ty.clone(),
            span,
            kind: StreamKind::Local,
            definition: None,
            clock: self.scope.sampled.last().copied(),
            scope: ScopeId::NODE,
            condition: None,
            constant: None,
            hidden: true,
        });
        self.scope.types.push(Some(ty));
        self.scope.levels.insert(id, self.scope.sampled.len());
        id
    }

    /// A flow of this level, as an expression.
    pub(super) fn flow_here(&mut self, node: &Node, stream: StreamId) -> ExprId {
        let Stream { ty, span, .. } = node.stream(stream);
        let expr = self.scope.exprs.push(ExprKind::Stream(stream), ty.clone(), *span);
        self.sampled(expr, self.level(stream))
    }

    /// `when c then … elsif d then … else … end` and `cond`: a condition is evaluated
    /// where those before it are false, and a branch where it is chosen.
    pub(super) fn lazy_choice(
        &mut self,
        node: &mut Node,
        choice: &ast::Conditional,
        span: Span,
    ) -> Definitions {
        let around = self.scope.sampled.len();
        let mut chosen = Vec::new();
        for branch in &choice.branches {
            let condition = self.boolean(branch.condition, "the condition of a block");
            let place = self.ast[branch.condition].span;
            let flow = self.hidden_flow(node, ("chosen", place), Type::Bool);
            node.streams[flow.index()].definition = condition;
            let yes = Condition { flow, value: 1 };
            let part = self.inside(yes, |this| this.lazy_part(node, &branch.part));
            let around = self.enter_part(Condition { flow, value: 0 });
            chosen.push((flow, part, branch.part.span, around));
        }
        let mut result = match &choice.otherwise {
            Some(part) => (self.lazy_part(node, part), part.span),
            None => (Definitions::default(), span),
        };
        for (flow, part, place, around) in chosen.into_iter().rev() {
            self.leave_part(around);
            let merged = self.merged_parts(node, flow, vec![result, (part, place)], span);
            result = (merged, span);
        }
        debug_assert_eq!(around, self.scope.sampled.len());
        result.0
    }

    /// `switch e | A do … end`: what it says for each value of `e`; nothing is known of that
    /// where `e` or a value has a mistake.
    pub(super) fn switch(
        &mut self,
        node: &mut Node,
        switch: &ast::Switch,
        span: Span,
    ) -> Option<Definitions> {
        let place = self.ast[switch.selector].span;
        let selector = self.expr(switch.selector);
        let selector = self.single(selector?, "what is switched on", place)?;
        let ty = self.scope.exprs[selector].ty.clone();
        let names: Vec<String> = match &ty {
            Type::Bool => vec!["false".into(), "true".into()],
            Type::Enum(id) => {
                self.program.enums[id.index()].values.iter().map(ToString::to_string).collect()
            }
            other => {
                let message = format!(
                    "`switch` goes by a bool or an enumeration, this is of type {}",
                    self.show(other)
                );
                self.push(Diagnostic::error(Code::Type, place, message));
                return None;
            }
        };
        let flow = self.hidden_flow(node, ("chosen", place), ty.clone());
        node.streams[flow.index()].definition = Some(selector);
        let mut parts: Vec<Option<(Definitions, Span)>> = names.iter().map(|_| None).collect();
        let mut unclear = false;
        for (value, part) in &switch.cases {
            let value_span = self.ast[*value].span;
            let Some(position) = self.value_of_switch(*value, &ty) else {
                unclear = true;
                continue;
            };
            if parts[position as usize].is_some() {
                let message = format!("`switch` has two parts for `{}`", names[position as usize]);
                self.push(Diagnostic::error(Code::Duplicate, value_span, message));
                continue;
            }
            let condition = Condition { flow, value: position };
            let found = self.inside(condition, |this| this.lazy_part(node, part));
            parts[position as usize] = Some((found, part.span));
        }
        if unclear {
            return None;
        }
        let parts = parts.into_iter().map(|part| part.unwrap_or((Definitions::default(), span)));
        let parts = parts.collect();
        Some(self.merged_parts(node, flow, parts, span))
    }

    /// The position of a value of a switch among those of its type.
    fn value_of_switch(&mut self, value: ast::ExprId, ty: &Type) -> Option<u32> {
        let span = self.ast[value].span;
        let found = self.expr(value)?;
        let found = self.single(found, "a value of `switch`", span)?;
        match (&self.scope.exprs[found].kind, ty) {
            (ExprKind::Bool(b), Type::Bool) => Some(u32::from(*b)),
            (ExprKind::Enum(id, i), Type::Enum(wanted)) if id == wanted => Some(*i),
            _ => {
                let message = format!("this is no value of type {}", self.show(ty));
                self.push(Diagnostic::error(Code::Type, span, message));
                None
            }
        }
    }

    /// `reset … every c`: all inside begins anew where `c` is true.
    pub(super) fn reset(
        &mut self,
        node: &mut Node,
        (items, every): (&[Item], ast::ExprId),
        span: Span,
    ) -> Definitions {
        let place = self.ast[every].span;
        let every = self.boolean(every, "what resets a block");
        let reset = self.hidden_flow(node, ("reset", place), Type::Bool);
        node.streams[reset.index()].definition = every;
        // It is active always: of the two parts one is never chosen.
        let flow = self.hidden_flow(node, ("always", place), Type::Bool);
        let always = self.scope.exprs.push(ExprKind::Bool(true), Type::Bool, place);
        node.streams[flow.index()].definition = Some(always);
        node.resets.push((flow, reset));
        let condition = Condition { flow, value: 1 };
        let inside = self.inside(condition, |this| this.items_of_part(node, items));
        let mut never = Definitions::default();
        for stream in inside.streams() {
            if let (Some(Definition::At(name, _)), Some(ty)) =
                (inside.get(stream), self.scope.types[stream.index()].clone())
            {
                let any = self.scope.exprs.push(ExprKind::Any, ty, place);
                never.set(stream, Definition::At(name.clone(), Some(any)));
            }
        }
        self.merged_parts(node, flow, vec![(never, span), (inside, span)], span)
    }

    /// The flows that some part defines, merged by a flow; parts in the order of its
    /// values.
    pub(super) fn merged_parts(
        &mut self,
        node: &mut Node,
        flow: StreamId,
        parts: Vec<(Definitions, Span)>,
        span: Span,
    ) -> Definitions {
        node.choosing.push(flow);
        let mut found = Definitions::default();
        let all: std::collections::BTreeSet<StreamId> =
            parts.iter().flat_map(|(part, _)| part.streams()).collect();
        for stream in all {
            let defined = parts.iter().find_map(|(part, _)| part.get(stream).cloned());
            let Some(Definition::At(name, _)) = defined else {
                found.set(stream, Definition::Unreadable);
                continue;
            };
            let mut values = Vec::new();
            for (value, part) in (0..).zip(&parts) {
                let condition = Condition { flow, value };
                let one = |this: &mut Self| this.value_in(node, (&part.0, part.1), stream, &name);
                values.push(self.inside(condition, one));
            }
            let values: Option<Vec<ExprId>> = values.into_iter().collect();
            let merged = values.and_then(|values| self.merge_by(node, flow, values, stream, span));
            found.set(stream, Definition::At(name, merged));
        }
        found
    }

    fn merge_by(
        &mut self,
        node: &Node,
        flow: StreamId,
        values: Vec<ExprId>,
        stream: StreamId,
        span: Span,
    ) -> Option<ExprId> {
        let ty = self.scope.types[stream.index()].clone()?;
        Some(self.merge_values(node, flow, values, (ty, span)))
    }

    /// A value for each value of a flow.
    pub(super) fn merge_values(
        &mut self,
        node: &Node,
        flow: StreamId,
        values: Vec<ExprId>,
        (ty, span): (Type, Span),
    ) -> ExprId {
        let clock = node.stream(flow);
        let clock = self.scope.exprs.push(ExprKind::Stream(flow), clock.ty.clone(), clock.span);
        self.scope.exprs.push(ExprKind::Merge(clock, values), ty, span)
    }

    /// What a part says, with flows of its own.
    pub(super) fn lazy_part(&mut self, node: &mut Node, part: &ast::Part) -> Definitions {
        let shadowed = self.declare_locals(node, &part.locals, "");
        let mut definitions = self.items_of_part(node, &part.items);
        self.leave_locals(node, shadowed, &mut definitions);
        definitions
    }

    /// Declares the flows of a part; their names are shown with that of the part.
    pub(super) fn declare_locals(
        &mut self,
        node: &mut Node,
        locals: &[ast::Variable],
        part: &str,
    ) -> Shadowed {
        self.settle(node);
        let first = node.streams.len();
        let mut shadowed = Shadowed { names: Vec::new(), first, clocked: Vec::new() };
        for local in locals {
            let ty = self.ty(&local.ty);
            let name = &local.name;
            let shown = match part {
                "" => name.name.to_string(),
                part => format!("{part}.{}", name.name),
            };
            let known = ty.clone().unwrap_or(Type::Bool);
            let stream = self.hidden_flow(node, (&shown, name.span), known);
            node.streams[stream.index()].hidden = false;
            self.scope.types[stream.index()] = ty;
            // Constants of the node are looked up before flows.
            let constant = self.scope.bindings.iter().any(|b| b.name == name.name)
                || self.scope.parameters.contains_key(&name.name);
            if constant {
                let message = format!("`{}` is a constant of this node", name.name);
                let diagnostic = Diagnostic::error(Code::Duplicate, name.span, message);
                self.push(diagnostic.help("choose another name"));
            }
            let outer = self.scope.streams.insert(name.name.clone(), stream);
            if let Some(first) = outer.filter(|outer| outer.index() >= shadowed.first) {
                let first = node.stream(first).span;
                self.push(super::duplicate("flow", &name.name, name.span, first));
            }
            shadowed.names.push((name.name.clone(), outer));
        }
        for local in locals {
            let Some(sampling) = &local.clock else { continue };
            let Some(&stream) = self.scope.streams.get(&local.name.name) else { continue };
            if let Some(condition) = self.condition(sampling) {
                node.streams[stream.index()].clock = Some(condition);
                shadowed.clocked.push(stream);
            }
        }
        shadowed
    }

    /// The flows of a part get their definitions, and are not known any more.
    pub(super) fn leave_locals(
        &mut self,
        node: &mut Node,
        shadowed: Shadowed,
        definitions: &mut Definitions,
    ) {
        self.settle(node);
        let mut defined = Vec::new();
        for (name, outer) in shadowed.names.into_iter().rev() {
            let own = match outer {
                Some(outer) => self.scope.streams.insert(name, outer),
                None => self.scope.streams.remove(&name),
            };
            let Some(own) = own.filter(|own| own.index() >= shadowed.first) else { continue };
            match definitions.remove(own) {
                Some(Definition::At(_, expr)) => {
                    node.streams[own.index()].definition = expr;
                    defined.extend((!shadowed.clocked.contains(&own)).then_some(own));
                }
                Some(Definition::Unreadable) => {}
                None if self.scope.unread => {}
                None => self.has_no_equation(node, own),
            }
        }
        self.slower_flows(node, &defined);
    }

    /// What stands in a part that takes steps of its own.
    pub(super) fn items_of_part(&mut self, node: &mut Node, items: &[Item]) -> Definitions {
        let remembered = self.last_values(node, items);
        let definitions = self.items_inside(node, items);
        self.forget_last_values(remembered);
        definitions
    }

    /// The same where the last values that are given there are known, and stay so.
    pub(super) fn items_inside(&mut self, node: &mut Node, items: &[Item]) -> Definitions {
        let mut definitions = Definitions::default();
        for item in items {
            match item {
                Item::Equation(equation) => self.equation(node, &mut definitions, equation),
                Item::Block(block) => self.inner_block(node, &mut definitions, block),
                Item::Main(_) => node.is_main = true,
                Item::Assert(expr, span) => {
                    let stance = Stance::Assumed;
                    if let Some(expr) = self.boolean_for(stance, *expr, "an assertion") {
                        let expr = self.at_steps_of_part(expr);
                        node.asserts.push(Assertion {
                            expr,
                            premise: Premise::Asserted,
                            span: *span,
                        });
                    }
                }
                Item::Property(property) => self.property(node, property),
                Item::Candidate(_, _, span) => {
                    self.push(Diagnostic::unsupported(*span, "candidates in blocks"));
                }
                Item::Contract(contract) => {
                    self.push(Diagnostic::unsupported(contract.span, "contracts in blocks"));
                }
                Item::Realizable(_, span) => {
                    self.push(Diagnostic::unsupported(*span, "realizability questions in blocks"));
                }
                Item::Last(..) => {}
            }
        }
        definitions
    }

    /// A truth value on the clock of the part around, whatever it is made of.
    pub(super) fn at_steps_of_part(&mut self, expr: ExprId) -> ExprId {
        if self.scope.sampled.is_empty() {
            return expr;
        }
        let span = self.scope.exprs[expr].span;
        let always = self.scope.exprs.push(ExprKind::Bool(true), Type::Bool, span);
        let here = self.sampled(always, 0);
        let kind = ExprKind::Binary(BinaryOp::And, here, expr);
        self.scope.exprs.push(kind, Type::Bool, span)
    }

    /// `last x = e;` among some items: the flows whose last values are known there.
    pub(super) fn last_values(&mut self, node: &Node, items: &[Item]) -> Vec<StreamId> {
        let mut found = Vec::new();
        for item in items {
            let Item::Last(name, value, _) = item else { continue };
            let Some(&stream) = self.scope.streams.get(&name.name) else {
                self.undeclared_flow(name);
                continue;
            };
            self.mention(name.span, Meaning::Stream(stream));
            let span = self.ast[*value].span;
            let initial = self.expr(*value);
            let initial = initial.and_then(|found| self.single(found, "a last value", span));
            let initial = initial.filter(|value| self.fits(node, stream, name, *value));
            if self.scope.frame.lists(stream) {
                let message = format!("`{}` has two last values", name.name);
                self.push(Diagnostic::error(Code::Duplicate, name.span, message));
                continue;
            }
            // Where a part begins anew, so do the last values that are given in it.
            let level = self.scope.sampled.len();
            self.scope.frame.add(stream, Kept::new(Some(initial), name.span, level));
            found.push(stream);
        }
        found
    }

    pub(super) fn forget_last_values(&mut self, streams: Vec<StreamId>) {
        streams.into_iter().for_each(|stream| self.scope.frame.remove(stream));
    }
}
