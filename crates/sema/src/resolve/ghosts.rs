//! Ghosts: the flows and constants that a contract declares for itself.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, ContractItem};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Resolver;
use super::contracts::Frame;
use super::expressions::count;
use crate::program::{Node, Stream, StreamId, StreamKind};
use crate::types::Type;

/// In place of a flow that is declared later: where constants are wanted, its name is enough.
pub(super) const NO_FLOW_YET: StreamId = StreamId(u32::MAX);

impl<'a> Resolver<'a> {
    /// Adds a flow that only contracts see.
    pub(super) fn ghost(
        &mut self,
        result: &mut Node,
        name: String,
        ty: Option<Type>,
        span: Span,
    ) -> StreamId {
        self.settle(result);
        let id = StreamId(result.streams.len() as u32);
        result.streams.push(Stream {
            name: name.into(),
            ty: ty.clone().unwrap_or(Type::Bool),
            span,
            kind: StreamKind::Local,
            definition: None,
            clock: None,
            scope: crate::program::ScopeId::NODE,
            condition: None,
            constant: None,
            hidden: false,
        });
        self.scope.types.push(ty);
        id
    }

    /// The flows of a ghost. The type of what has none is that of its value, which is
    /// resolved later where it is no constant.
    pub(super) fn declare_ghost(
        &mut self,
        result: &mut Node,
        frame: &mut Frame<'a>,
        ghost: &'a ast::Ghost,
    ) {
        for (i, name) in ghost.names.iter().enumerate() {
            let ty = ghost.types.get(i).and_then(|ty| self.ty(ty));
            self.check_fresh(frame, name);
            let full = format!("{}{}", frame.prefix, name.name);
            let id = self.ghost(result, full, ty, name.span);
            frame.names.insert(name.name.clone(), id);
        }
    }

    /// The flows of constants, in whatever order they are made of each other. Of one that is not
    /// known before the program runs nothing is known: it has an error.
    pub(super) fn declare_constants(
        &mut self,
        result: &mut Node,
        frame: &mut Frame<'a>,
        constants: &[&'a ast::Ghost],
    ) {
        let mut left: Vec<&ast::Ghost> = Vec::new();
        for ghost in constants {
            self.declare_ghost(result, frame, ghost);
            let is_one = ghost.names.len() == 1;
            left.extend(Some(*ghost).filter(|ghost| is_one && !self.is_known(frame, ghost)));
        }
        let mut before = usize::MAX;
        while left.len() < before {
            before = left.len();
            left.retain(|ghost| !self.is_known(frame, ghost));
        }
        for ghost in left {
            self.scope.types[frame.names[&ghost.names[0].name].index()] = None;
        }
    }

    /// Whether a constant is known before the program runs: then its name stands for its value.
    fn is_known(&mut self, frame: &Frame<'a>, ghost: &ast::Ghost) -> bool {
        let (name, known) = (&ghost.names[0].name, self.early(ghost.value));
        let is_known = known.is_known();
        if is_known {
            let id = frame.names[name];
            let wanted = ghost.types.first().map(|_| self.scope.types[id.index()].clone());
            self.scope.types[id.index()] = self.stands_for_value(name, wanted, known, id);
        }
        is_known
    }

    /// Lets the flows of a contract hide constants of the same names.
    pub(super) fn hide_ghosts<'i>(&mut self, items: impl Iterator<Item = &'i ContractItem>) {
        for item in items {
            if let ContractItem::Ghost(ghost) = item {
                let names = ghost.names.iter().map(|name| (name.name.clone(), NO_FLOW_YET));
                self.scope.streams.extend(names);
            }
        }
    }

    fn check_fresh(&mut self, frame: &Frame<'_>, name: &ast::Ident) {
        if frame.names.contains_key(&name.name) {
            let message = format!("the contract has another flow `{}`", name.name);
            self.push(Diagnostic::error(Code::Duplicate, name.span, message));
        }
    }

    /// Defines the flows of a ghost.
    pub(super) fn define_ghost(
        &mut self,
        result: &mut Node,
        frame: &Frame<'_>,
        ghost: &'a ast::Ghost,
    ) {
        let Some(values) = self.expr(ghost.value) else {
            return self.left_out(ghost.span);
        };
        if ghost.constant && ghost.names.len() == 1 && !self.early(ghost.value).is_known() {
            let span = self.ast[ghost.value].span;
            let message = "this is not known before the program runs";
            let help = "declare it with `var`: it is a flow";
            self.push(Diagnostic::error(Code::NotConstant, span, message).help(help));
            return;
        }
        if values.len() != ghost.names.len() {
            let (names, values) = (count(ghost.names.len(), "flow"), count(values.len(), "value"));
            let message = format!("this defines {names} by {values}");
            self.push(Diagnostic::error(Code::Arity, ghost.span, message));
            return;
        }
        for (i, (name, value)) in ghost.names.iter().zip(values).enumerate() {
            let id = frame.names[&name.name];
            if let Some(ty) = ghost.types.get(i).filter(|ty| self.is_refined(ty)) {
                result.streams[id.index()].condition = self.condition_of(ty, id, name.span);
            }
            if ghost.types.is_empty() {
                let ty = self.scope.exprs[value].ty.clone();
                result.streams[id.index()].ty = ty.clone();
                self.scope.types[id.index()] = Some(ty);
            }
            if self.fits(result, id, name, value) {
                result.streams[id.index()].definition = Some(value);
            }
        }
    }
}
