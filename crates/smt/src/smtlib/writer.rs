//! Terms as SMT-LIB 2.

use std::fmt::Write;

use lustral_term::{Operator, Sort, Term, TermId, Terms, Value, VarId};
use num_traits::{One, Signed};

/// The name of a sort.
#[must_use]
pub fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
    }
}

/// A value as a term.
#[must_use]
pub fn value_text(value: &Value) -> String {
    let signed = |negative: bool, text: String| if negative { format!("(- {text})") } else { text };
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => signed(n.is_negative(), n.magnitude().to_string()),
        Value::Real(r) => {
            let numerator = format!("{}.0", r.numer().magnitude());
            let text = if r.denom().is_one() {
                numerator
            } else {
                format!("(/ {numerator} {}.0)", r.denom())
            };
            signed(r.is_negative(), text)
        }
    }
}

/// Writes terms, each compound term once as a definition, so that the text is
/// as large as the graph of terms and not as its tree.
#[derive(Clone, Default, Debug)]
pub struct Writer {
    prefix: String,
    names: Vec<Option<String>>,
}

impl Writer {
    /// A writer whose definitions are named with a prefix: two writers with
    /// different prefixes can write into one text.
    #[must_use]
    pub fn new(prefix: impl Into<String>) -> Writer {
        Writer { prefix: prefix.into(), names: Vec::new() }
    }

    /// Adds the definitions that a term needs to `out`, and returns the text
    /// that stands for it. `variable` names the variables; it may add their
    /// declarations to `out`.
    pub fn term(
        &mut self,
        terms: &Terms,
        root: TermId,
        out: &mut String,
        variable: &mut dyn FnMut(&mut String, VarId, Sort) -> String,
    ) -> String {
        if self.names.len() < terms.len() {
            self.names.resize(terms.len(), None);
        }
        terms.post_order(
            root,
            self,
            |this, id| this.names[id.index()].is_some(),
            |this, id| {
                let name = match terms.get(id) {
                    Term::Value(value) => value_text(value),
                    Term::Var(var, sort) => variable(out, var, sort),
                    Term::Apply(operator, operands) => {
                        let text = application(operator, operands, |operand| this.name(operand));
                        this.definition(id, operator, terms.sort(id), text, out)
                    }
                };
                this.names[id.index()] = Some(name);
            },
        );
        self.name(root).to_string()
    }

    /// The name of a compound term with this text, after its definition.
    fn definition(
        &self,
        id: TermId,
        operator: Operator,
        sort: Sort,
        text: String,
        out: &mut String,
    ) -> String {
        if operator == Operator::Not {
            // A literal stays one: some solvers take no other assumptions.
            return text;
        }
        let name = format!("{}{}", self.prefix, id.0);
        let _ = writeln!(out, "(define-fun {name} () {} {text})", sort_name(sort));
        name
    }

    /// The text that stands for a term, if it was written before.
    #[must_use]
    pub fn known(&self, id: TermId) -> Option<&str> {
        self.names.get(id.index())?.as_deref()
    }

    fn name(&self, id: TermId) -> &str {
        self.names[id.index()].as_deref().expect("operands are written before their users")
    }
}

/// The text of an operator applied to operands, from those of the operands.
pub fn application<'t>(
    operator: Operator,
    operands: &[TermId],
    operand: impl Fn(TermId) -> &'t str,
) -> String {
    let mut text = format!("({}", operator.entry().smtlib);
    for a in operands {
        text.push(' ');
        text.push_str(operand(*a));
    }
    text.push(')');
    text
}
