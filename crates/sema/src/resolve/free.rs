//! Free constants: `const n: int;`. One has any value of its type, always the same and
//! in all nodes. So a node has an input for each free constant that it or something that
//! it calls depends on: callers hand on their own, and at the node that is checked it is
//! an input of the environment that never changes ([`Resolver::keep_constants`]). Constants
//! that are made of free ones are written out where they are named.

use lustral_syntax::Span;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::Resolver;
use super::scope::ScopeKind;
use crate::program::{ConstId, ExprId, ExprKind};

/// Constants that are made of free ones, as expressions of the node.
type Written = FxHashMap<ConstId, ExprId>;

impl Resolver<'_> {
    /// A constant that is free, or made of free ones; none if it has an error here.
    pub(super) fn open_constant(&mut self, id: ConstId, span: Span) -> Option<ExprId> {
        if self.scope.kind == ScopeKind::Constant {
            self.met_free = true;
            self.met.push(id);
            let ty = self.program.consts[id.index()].ty.clone();
            return Some(self.scope.exprs.push(ExprKind::Const(id), ty, span));
        }
        // Once for each place that names it: what never changes is on the clock of its place, and
        // two places may be on two clocks.
        let mut written = Written::default();
        for constant in self.made_of(vec![id]) {
            self.write_out(constant, &mut written, span)?;
        }
        self.named(id, &written, span)
    }

    /// Open constants with all open ones that they are made of, each after those that it is
    /// made of.
    fn made_of(&self, mut needed: Vec<ConstId>) -> Vec<ConstId> {
        let mut next = 0;
        while let Some(&constant) = needed.get(next) {
            next += 1;
            for used in self.used_by(constant) {
                if self.program.consts[used.index()].open && !needed.contains(&used) {
                    needed.push(used);
                }
            }
        }
        // That is the order of the constants.
        needed.sort_unstable();
        needed
    }

    /// Notes that the size of an array depends on open constants.
    pub(super) fn sized_by(&self, constants: Vec<ConstId>) {
        let free = self.made_of(constants).into_iter();
        let free = free.filter(|id| self.program.consts[id.index()].expr.is_none());
        self.env.sizes.borrow_mut().extend(free);
    }

    /// Notes the free constants that an expression is made of, which is the size of an array.
    pub(super) fn size_of_constants(&self, expr: ExprId) {
        let exprs = &self.scope.exprs;
        let streams = exprs.present_closure([expr]).into_iter().filter_map(|id| {
            let ExprKind::Stream(stream) = exprs[id].kind else { return None };
            self.scope.free.iter().find(|(_, known)| **known == stream).map(|(id, _)| *id)
        });
        self.sized_by(streams.collect());
    }

    /// The constants that the value of another names.
    fn used_by(&self, id: ConstId) -> Vec<ConstId> {
        let exprs = &self.program.const_exprs;
        let all = exprs.present_closure(self.program.consts[id.index()].expr);
        let used = all.iter().filter_map(|expr| match exprs[*expr].kind {
            ExprKind::Const(used) => Some(used),
            _ => None,
        });
        used.collect()
    }

    /// An open constant of which all that it is made of was written out.
    fn named(&mut self, id: ConstId, written: &Written, span: Span) -> Option<ExprId> {
        if let Some(known) = written.get(&id) {
            return Some(*known);
        }
        let constant = &self.program.consts[id.index()];
        let Some(stream) = self.scope.free.get(&id) else {
            let message =
                format!("nothing in this node depends on the constant `{}`", constant.name);
            self.push(Diagnostic::error(Code::Undeclared, span, message));
            return None;
        };
        let (stream, ty) = (*stream, constant.ty.clone());
        Some(self.scope.exprs.push(ExprKind::Stream(stream), ty, span))
    }

    /// Writes out the value of a constant that is made of free ones.
    fn write_out(&mut self, id: ConstId, written: &mut Written, span: Span) -> Option<()> {
        let program = self.program;
        let Some(root) = program.consts[id.index()].expr else { return Some(()) };
        let mut copies = FxHashMap::default();
        for expr in program.const_exprs.present_closure([root]) {
            let known = &program.const_exprs[expr];
            let copy = match known.kind {
                ExprKind::Const(used) if program.consts[used.index()].open => {
                    self.named(used, written, span)?
                }
                ref kind => {
                    let kind = kind.with_operands(|operand| copies[&operand]);
                    self.scope.exprs.push(kind, known.ty.clone(), known.span)
                }
            };
            copies.insert(expr, copy);
        }
        written.insert(id, copies[&root]);
        Some(())
    }
}
