//! Contracts, clause by clause: each is an item of its node, and all are written together.

use crate::tree::{Expr, Flow, Parentheses};

/// A clause of a contract.
#[derive(Clone, Debug)]
pub enum Clause {
    /// A ghost flow, which only the contract can name.
    Ghost(Flow, Expr),
    /// `assume e;` or `guarantee e;`, perhaps with a name.
    Stated(&'static str, Option<String>, Expr),
    /// A mode: its name, what it requires and what it ensures.
    Mode(String, Vec<Expr>, Vec<Expr>),
}

impl Clause {
    /// The expressions in it.
    pub fn expressions(&mut self) -> Vec<&mut Expr> {
        match self {
            Clause::Ghost(_, expr) | Clause::Stated(_, _, expr) => vec![expr],
            Clause::Mode(_, require, ensure) => require.iter_mut().chain(ensure).collect(),
        }
    }

    pub(super) fn text(&self, style: Parentheses) -> String {
        match self {
            Clause::Ghost(flow, expr) => {
                format!("var {}: {} = {};", flow.name, flow.ty, expr.text(style))
            }
            Clause::Stated(word, name, expr) => {
                let name = name.as_ref().map(|n| format!(" \"{n}\"")).unwrap_or_default();
                format!("{word}{name} {};", expr.text(style))
            }
            Clause::Mode(name, require, ensure) => {
                let list = |word: &str, list: &[Expr]| -> String {
                    list.iter().map(|e| format!("{word} {}; ", e.text(style))).collect()
                };
                format!("mode {name} ({}{});", list("require", require), list("ensure", ensure))
            }
        }
    }
}
