//! Frames and last values: where nothing defines one of its flows, it keeps its value; before there
//! is one, the initial value counts, and without that any value of its type.

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::equations::{Definition, Definitions};
use super::scope::ScopeKind;
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind, Meaning, Node, StreamId};

/// The flows whose last values are known, in frames and by `last x = e;`.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    flows: FxHashMap<StreamId, Kept>,
}

/// The value that a flow keeps.
#[derive(Clone)]
pub(crate) struct Kept {
    /// The initial value, if there is one; none inside if that has an error.
    initial: Option<Option<ExprId>>,
    /// The value of the step before, once somebody needed it: all who do agree.
    before: Option<ExprId>,
    span: Span,
    /// How many conditions are around the steps that it goes by.
    level: usize,
}

impl Kept {
    pub fn new(initial: Option<Option<ExprId>>, span: Span, level: usize) -> Kept {
        Kept { initial, before: None, span, level }
    }
}

impl Frame {
    pub fn lists(&self, stream: StreamId) -> bool {
        self.flows.contains_key(&stream)
    }

    pub fn add(&mut self, stream: StreamId, kept: Kept) {
        self.flows.insert(stream, kept);
    }

    pub fn forget_shared(&mut self) {
        self.flows.values_mut().for_each(|kept| kept.before = None);
    }

    pub fn remove(&mut self, stream: StreamId) {
        self.flows.remove(&stream);
    }
}

impl Resolver<'_> {
    pub(super) fn frame(&mut self, node: &mut Node, frame: &ast::Frame, span: Span) -> Definitions {
        let mut listed: Vec<(StreamId, ast::Ident)> = Vec::new();
        for name in &frame.flows {
            let Some(stream) = self.definable(node, name) else { continue };
            if let Some((_, first)) = listed.iter().find(|(other, _)| *other == stream) {
                let message = format!("the frame lists `{}` twice", name.name);
                self.push(
                    Diagnostic::error(Code::Duplicate, name.span, message)
                        .also(first.span, "first listed here"),
                );
                continue;
            }
            listed.push((stream, name.clone()));
        }
        if self.scope.kind == ScopeKind::Function {
            let message = "a function has no state and cannot have a frame";
            self.push(Diagnostic::error(Code::Type, span, message));
        }
        let mut initial = Definitions::default();
        for equation in &frame.initial {
            self.equation(node, &mut initial, equation);
        }
        let around = self.scope.frame.clone();
        let level = self.scope.sampled.len();
        for (stream, name) in &listed {
            let initial = initial.get(*stream).map(|definition| match definition {
                Definition::At(_, expr) => *expr,
                Definition::Unreadable => None,
            });
            self.scope.frame.add(*stream, Kept::new(initial, name.span, level));
        }
        for name in defined_in(frame) {
            let Some(&stream) = self.scope.streams.get(&name.name) else { continue };
            if !self.scope.unread && !self.scope.frame.lists(stream) {
                self.not_listed(name);
                self.scope.frame.add(stream, Kept::new(Some(None), name.span, level));
            }
        }
        let mut inside = self.part_of_block(node, &frame.items);
        for (stream, name) in &listed {
            if inside.get(*stream).is_none() {
                let value = self.kept(*stream).flatten();
                inside.set(*stream, Definition::At(name.clone(), value));
            }
        }
        self.scope.frame = around;
        inside
    }

    fn not_listed(&mut self, name: &ast::Ident) {
        let message = format!("the frame does not list `{}`", name.name);
        self.push(
            Diagnostic::error(Code::Definition, name.span, message)
                .help("add it to the flows after `frame`, or define it outside"),
        );
    }

    /// The value that a flow keeps where nothing defines it, which is none inside if
    /// it has an error; none if no frame lists it.
    pub(super) fn kept(&mut self, stream: StreamId) -> Option<Option<ExprId>> {
        let kept = self.scope.frame.flows.get(&stream)?.clone();
        if let Some(before) = kept.before {
            return Some(Some(self.sampled(before, kept.level)));
        }
        let Some(ty) = self.scope.types[stream.index()].clone() else { return Some(None) };
        let itself = self.scope.exprs.push(ExprKind::Stream(stream), ty.clone(), kept.span);
        let itself = self.sampled_to(itself, self.level(stream)..kept.level);
        let exprs = &mut self.scope.exprs;
        let mut before = exprs.push(ExprKind::Pre(itself), ty.clone(), kept.span);
        if let Some(initial) = kept.initial {
            let Some(initial) = initial else { return Some(None) };
            before = exprs.push(ExprKind::Arrow(initial, before), ty, kept.span);
        }
        if let Some(kept) = self.scope.frame.flows.get_mut(&stream) {
            kept.before = Some(before);
        }
        Some(Some(self.sampled(before, kept.level)))
    }

    /// `last x`
    pub(super) fn last(&mut self, flow: &ast::Ident, span: Span) -> Components {
        let Some(&stream) = self.scope.streams.get(&flow.name) else {
            self.name(&flow.name, flow.span)?;
            return self.no_last(flow, span);
        };
        self.mention(flow.span, Meaning::Stream(stream));
        match self.kept(stream) {
            Some(value) => value.map(|value| vec![value]),
            None => self.no_last(flow, span),
        }
    }

    fn no_last(&mut self, flow: &ast::Ident, span: Span) -> Components {
        if self.scope.unread || self.scope.hides_flows {
            return None;
        }
        let message = format!("`{}` has no last value here", flow.name);
        self.push(
            Diagnostic::error(Code::Definition, span, message)
                .label("nothing says what it is at the first step")
                .help(format!(
                    "write `pre {}`, put it into a `frame`, or add `last {0} = …;`",
                    flow.name
                )),
        );
        None
    }
}

/// The names on the left of the equations of a frame.
fn defined_in(frame: &ast::Frame) -> Vec<&ast::Ident> {
    let mut found: Vec<&ast::Ident> = frame.initial.iter().flat_map(|e| &e.left).collect();
    let mut pending: Vec<&ast::Item> = frame.items.iter().collect();
    while let Some(item) = pending.pop() {
        match item {
            ast::Item::Equation(equation) => found.extend(&equation.left),
            ast::Item::Block(block) => {
                pending.extend(block.kind.parts().into_iter().flat_map(|(_, items)| items));
            }
            _ => {}
        }
    }
    found
}
