//! Terms as SMT-LIB 2.

use std::fmt::Write;

use lustral_term::{Op, Sort, TermId, Terms, Value, VarId};
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
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.names[id.index()].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            terms.operands(id, |operand| {
                if self.names[operand.index()].is_none() {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                continue;
            }
            let name = match terms.op(id) {
                Op::Value(value) => value_text(value),
                Op::Var(var, sort) => variable(out, *var, *sort),
                op => {
                    let text = application(op, |operand| self.name(operand));
                    if let Op::Not(_) = op {
                        // A literal stays one: some solvers take no other assumptions.
                        text
                    } else {
                        let name = format!("{}{}", self.prefix, id.0);
                        let sort = sort_name(terms.sort(id));
                        let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
                        name
                    }
                }
            };
            self.names[id.index()] = Some(name);
            stack.pop();
        }
        self.name(root).to_string()
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

/// The text of a compound term from those of its operands.
///
/// # Panics
/// If it is a value or a variable, which have no operands.
pub fn application<'t>(op: &Op, operand: impl Fn(TermId) -> &'t str) -> String {
    let apply = |f: &str, list: &[TermId]| {
        let mut text = format!("({f}");
        for a in list {
            text.push(' ');
            text.push_str(operand(*a));
        }
        text.push(')');
        text
    };
    match op {
        Op::Value(_) | Op::Var(..) => unreachable!("named by the caller"),
        Op::Not(a) => apply("not", &[*a]),
        Op::And(list) => apply("and", list),
        Op::Or(list) => apply("or", list),
        Op::Ite(c, a, b) => apply("ite", &[*c, *a, *b]),
        Op::Eq(a, b) => apply("=", &[*a, *b]),
        Op::Le(a, b) => apply("<=", &[*a, *b]),
        Op::Add(list) => apply("+", list),
        Op::Mul(list) => apply("*", list),
        Op::IntDiv(a, b) => apply("div", &[*a, *b]),
        Op::Mod(a, b) => apply("mod", &[*a, *b]),
        Op::RealDiv(a, b) => apply("/", &[*a, *b]),
        Op::ToReal(a) => apply("to_real", &[*a]),
        Op::Floor(a) => apply("to_int", &[*a]),
    }
}
