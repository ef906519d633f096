//! Warnings where the dialects group operators differently and nothing says which
//! dialect is meant: parentheses settle it.

use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::{Dialect, Reading};
use crate::parser::Parser;
use crate::source::Span;

impl Parser<'_> {
    /// Looks at an operator and the operands that were found for it.
    pub(super) fn warn_of_dialects(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let Reading { dialect, certain, .. } = self.exprs.reading();
        // Kind 2 and JKind share a dialect, but not the grouping of a minus sign.
        if certain && !(dialect == Dialect::Kind2 && matches!(op, BinaryOp::Div | BinaryOp::Mod)) {
            return;
        }
        let bare = |id: ExprId| {
            let kind = (!self.exprs.is_enclosed(id)).then_some(&self.exprs[id].kind);
            kind.cloned().unwrap_or(ExprKind::Error)
        };
        let (left_kind, right_kind) = (bare(left), bare(right));
        let whole = self.exprs[left].span.to(self.exprs[right].span);
        match (left_kind, op, right_kind) {
            (ExprKind::Unary(UnaryOp::Minus, inner), op, _)
                if matches!(op, BinaryOp::Div | BinaryOp::Mod) || op.is_bitwise() =>
            {
                let op = op.as_str();
                let (a, b) = (self.excerpt(inner), self.excerpt(right));
                let here = format!("(-{a}) {op} {b}");
                self.grouped(whole, &here, "Kind 2", &format!("-({a} {op} {b})"));
            }
            _ if certain => {}
            (ExprKind::Binary(BinaryOp::Or, a, b), BinaryOp::Xor, _) => {
                let (a, b, c) = (self.excerpt(a), self.excerpt(b), self.excerpt(right));
                let here = format!("({a} or {b}) xor {c}");
                self.grouped(whole, &here, "Vélus", &format!("{a} or ({b} xor {c})"));
            }
            (ExprKind::Binary(BinaryOp::Fby, a, b), op, _) if op != BinaryOp::Fby => {
                let (a, b, c, op) =
                    (self.excerpt(a), self.excerpt(b), self.excerpt(right), op.as_str());
                let here = format!("({a} fby {b}) {op} {c}");
                self.grouped(whole, &here, "lustrec", &format!("{a} fby ({b} {op} {c})"));
            }
            (_, op, ExprKind::Binary(BinaryOp::Fby, b, c))
                if !matches!(op, BinaryOp::Fby | BinaryOp::Arrow) =>
            {
                let (a, b, c, op) =
                    (self.excerpt(left), self.excerpt(b), self.excerpt(c), op.as_str());
                let here = format!("{a} {op} ({b} fby {c})");
                self.grouped(whole, &here, "lustrec", &format!("({a} {op} {b}) fby {c}"));
            }
            _ => {}
        }
    }

    /// Looks at what is sampled: `when` binds less than all others in Kind 2, and more
    /// than some elsewhere.
    pub(super) fn warn_of_sampling(&mut self, sampled: ExprId) {
        if self.exprs.reading().certain || self.exprs.is_enclosed(sampled) {
            return;
        }
        if let ExprKind::Binary(op, a, b) = &self.exprs[sampled].kind {
            let (op, a, b) = (op.as_str(), self.excerpt(*a), self.excerpt(*b));
            let span = self.exprs[sampled].span;
            let (here, otherwise) = (format!("({a} {op} {b}) when"), format!("{a} {op} ({b} when"));
            self.grouped(span, &here, "Lustre V6", &otherwise);
        }
    }

    fn grouped(&mut self, span: Span, here: &str, who: &str, otherwise: &str) {
        let message = format!("{who} groups these operators differently");
        let or =
            if self.exprs.reading().certain { "" } else { ", or name the dialect: `--dialect`" };
        self.diagnostics.push(
            Diagnostic::warning(Code::Dialect, span, message)
                .label(format!("read as `{here}`"))
                .note(format!("{who} reads `{otherwise}`"))
                .help(format!("write the parentheses that are meant{or}")),
        );
    }

    /// The text of an operand, with its parentheses, short enough for a message.
    fn excerpt(&self, id: ExprId) -> String {
        let text = &self.text[self.exprs[id].span.range()];
        let text = if text.len() > 30 || text.contains('\n') { "…" } else { text };
        if self.exprs.is_enclosed(id) { format!("({text})") } else { text.to_string() }
    }
}
