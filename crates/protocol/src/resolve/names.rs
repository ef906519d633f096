//! What names mean.

use lustral_base::similar;
use lustral_first_order::{SortId, SymbolId};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::{Resolved, Resolver, Wrong};
use crate::ast::{Expr, ExprKind, Name};

/// What names mean, with the places where they are declared.
#[derive(Default)]
pub(super) struct Names {
    pub sorts: FxHashMap<String, (SortId, Span)>,
    pub symbols: FxHashMap<String, (SymbolId, Span)>,
    pub transitions: FxHashMap<String, (usize, Span)>,
}

/// Whether a name that nothing declares stands for all elements: all of its letters are capital.
pub(super) fn is_capital(name: &str) -> bool {
    name.chars().any(|c| c.is_ascii_uppercase()) && !name.chars().any(|c| c.is_ascii_lowercase())
}

/// Whether a name looks like one of a variable: a small letter, perhaps with a number.
fn is_small(name: &str) -> bool {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() == 1 && letters.chars().all(|c| c.is_ascii_lowercase())
}

impl Resolver<'_> {
    pub(super) fn wrong(&mut self, diagnostic: Diagnostic) -> Wrong {
        self.found.push(diagnostic);
        Wrong
    }

    /// The text at a place, on one line.
    pub(super) fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The sort with a name.
    pub(super) fn sort(&mut self, name: &Name) -> Resolved<SortId> {
        if let Some((sort, _)) = self.names.sorts.get(&name.text) {
            return Ok(*sort);
        }
        if matches!(name.text.as_str(), "bool" | "int") {
            let what = format!("arguments and values of the sort `{}`", name.text);
            return Err(self.wrong(Diagnostic::unsupported(name.span, what)));
        }
        let message = format!("there is no sort `{}`", name.text);
        let diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
        let known = self.names.sorts.keys().map(String::as_str);
        let help = match similar(&name.text, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("declare it with `sort {}`", name.text),
        };
        Err(self.wrong(diagnostic.help(help)))
    }

    /// Says that nothing has a name.
    pub(super) fn undeclared(&mut self, name: &Name, variables: &[String]) -> Wrong {
        let message = format!("nothing is called `{}`", name.text);
        let diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
        let symbols = self.names.symbols.keys().chain(variables).map(String::as_str);
        // What is for all elements is written in capitals. A short name in small letters is more often
        // meant as that than as another one that exists.
        let free = is_small(&name.text) && !variables.iter().any(|v| !is_capital(v));
        let help = if free {
            let capital = name.text.to_ascii_uppercase();
            format!("what is meant for all elements is written in capitals: `{capital}`")
        } else if let Some(meant) = similar(&name.text, symbols) {
            format!("did you mean `{meant}`?")
        } else if self.names.transitions.contains_key(&name.text) {
            "it is a transition, and no formula".to_string()
        } else if self.names.sorts.contains_key(&name.text) {
            "it is a sort, and no element".to_string()
        } else if name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
            let capital = name.text.to_ascii_uppercase();
            format!("what is meant for all elements is written in capitals only: `{capital}`")
        } else {
            format!("declare it, for instance with `mutable relation {}(…)`", name.text)
        };
        self.wrong(diagnostic.help(help))
    }

    /// The names in an expression that stand for all elements, in the order of the text.
    pub(super) fn implicit(&self, expr: &Expr, bound: &[String]) -> Vec<Name> {
        let mut bound: Vec<String> = bound.to_vec();
        let mut free = Vec::new();
        self.free(expr, &mut bound, &mut free);
        free
    }

    fn free(&self, expr: &Expr, bound: &mut Vec<String>, free: &mut Vec<Name>) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Apply(name, arguments) => {
                let known = bound.contains(&name.text)
                    || self.names.symbols.contains_key(&name.text)
                    || free.iter().any(|other| other.text == name.text);
                if arguments.is_empty() && !known && is_capital(&name.text) {
                    free.push(name.clone());
                }
                arguments.iter().for_each(|argument| self.free(argument, bound, free));
            }
            ExprKind::Not(inner) | ExprKind::New(inner) => self.free(inner, bound, free),
            ExprKind::And(list) | ExprKind::Or(list) | ExprKind::Distinct(list) => {
                list.iter().for_each(|inner| self.free(inner, bound, free));
            }
            ExprKind::Binary(_, sides) => {
                self.free(&sides.0, bound, free);
                self.free(&sides.1, bound, free);
            }
            ExprKind::If(three) => {
                [&three.0, &three.1, &three.2].into_iter().for_each(|e| self.free(e, bound, free));
            }
            ExprKind::Quantified(_, variables, body) => {
                let before = bound.len();
                bound.extend(variables.iter().map(|v| v.name.text.clone()));
                self.free(body, bound, free);
                bound.truncate(before);
            }
            ExprKind::Let(variable, parts) => {
                self.free(&parts.0, bound, free);
                bound.push(variable.name.text.clone());
                self.free(&parts.1, bound, free);
                bound.pop();
            }
        }
    }
}
