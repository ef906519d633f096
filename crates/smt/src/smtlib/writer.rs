//! Terms as SMT-LIB 2.

use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use lustral_term::sort_name;
use lustral_term::{
    Operator, Scalar, Sort, Term, TermId, Terms, Value, VarId, index_sort_name, tuple_declaration,
    tuple_name,
};
use num_traits::{One, Signed};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::by_key::Known;
use crate::selection::{self, Named, Part};

/// Declares a constant. Where it is of an enumeration, whose values are integers
/// in the text, its range comes with it; this is the one place that says so of
/// constants. Terms are put together from constants, values and choices between
/// them, so that every term of an enumeration has a value of it. (Elements of
/// arrays and results of functions are the other source: [`Writer::term`].)
pub fn declare(out: &mut String, name: &str, sort: Sort) {
    let _ = writeln!(out, "(declare-fun {name} () {})", sort_name(sort));
    if let Some(range) = range_text(name, sort) {
        let _ = writeln!(out, "(assert {range})");
    }
}

/// That something is in the range of its sort, where the text does not know it.
#[must_use]
pub fn range_text(name: &str, sort: Sort) -> Option<String> {
    match sort {
        Sort::Enum(e) => Some(format!("(and (<= 0 {name}) (<= {name} {}))", e.size - 1)),
        _ => None,
    }
}

/// A value as a term. Elements of abstract sorts are names that must be declared.
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
        Value::Enum(_, i) => i.to_string(),
        Value::BitVec(shape, bits) => format!("(_ bv{bits} {})", shape.width()),
        Value::Uninterpreted(_, i) => format!("{}_{i}", sort_name(value.sort())),
        Value::Array(array) => {
            let (sort, all) = (sort_name(value.sort()), value_text(array.default()));
            let tuple = tuple_name(array.sort().index());
            array.exceptions().fold(
                format!("((as const {sort}) {all})"),
                |text, (index, element)| {
                    let index: Vec<String> = index.iter().map(value_text).collect();
                    let index = match &index[..] {
                        [scalar] => scalar.clone(),
                        _ => format!("({tuple} {})", index.join(" ")),
                    };
                    format!("(store {text} {index} {})", value_text(element))
                },
            )
        }
    }
}

/// Writes terms, each compound term once as a definition, so that the text is
/// as large as the graph of terms and not as its tree.
#[derive(Clone, Default, Debug)]
pub struct Writer {
    prefix: String,
    names: Vec<Option<String>>,
    declared: Declarations,
}

/// The functions and abstract sorts that a text has declared, with the elements
/// of these. Writers into one text share them.
#[derive(Clone, Default, Debug)]
pub struct Declarations {
    names: Arc<Mutex<FxHashSet<String>>>,
    choices: Arc<Mutex<Named>>,
    by_key: Arc<Mutex<Known>>,
}

impl Declarations {
    /// Adds a declaration, unless the text has one of the same name.
    fn once(&self, name: &str, out: &mut String, declaration: impl FnOnce() -> String) {
        // A thread that panicked has added whole names or none.
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.insert(name.to_string()) {
            let _ = writeln!(out, "{}", declaration());
        }
    }

    /// Declares a constant, as [`declare`] does, after the abstract sort that it needs.
    pub fn constant(&self, out: &mut String, name: &str, sort: Sort) {
        self.sort(sort, out);
        declare(out, name, sort);
    }

    /// Notes that the text has defined a name as another, or said that it is equal.
    pub fn renamed(&self, name: &str, other: &str) {
        self.choices().add_name(name, other);
    }

    fn by_key(&self) -> MutexGuard<'_, Known> {
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn choices(&self) -> MutexGuard<'_, Named> {
        self.choices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Declares what a sort has to do with: abstract sorts, and the tuples that are indices.
    fn sort(&self, sort: Sort, out: &mut String) {
        let mut sort = sort;
        // From the outside to the inside, as deep as types are nested.
        while let Sort::Array(array) = sort {
            for scalar in array.index() {
                self.abstract_sort((*scalar).into(), out);
            }
            if array.index().len() > 1 {
                let name = index_sort_name(array.index());
                self.once(&name, out, || tuple_declaration(array.index()));
            }
            sort = array.element();
        }
        self.abstract_sort(sort, out);
    }

    fn abstract_sort(&self, sort: Sort, out: &mut String) {
        if let Sort::Uninterpreted(_) = sort {
            let name = sort_name(sort);
            self.once(&name, out, || format!("(declare-sort {name} 0)"));
        }
    }
}

impl Writer {
    /// A writer whose definitions are named with a prefix: two writers with
    /// different prefixes can write into one text.
    #[must_use]
    pub fn new(prefix: impl Into<String>) -> Writer {
        Writer::sharing(prefix, Declarations::default())
    }

    /// A writer that knows what others have declared in the same text.
    #[must_use]
    pub fn sharing(prefix: impl Into<String>, declared: Declarations) -> Writer {
        Writer { prefix: prefix.into(), names: Vec::new(), declared }
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
                this.declared.sort(terms.sort(id), out);
                let name = match terms.get(id) {
                    Term::Value(value) => this.value(value, out),
                    Term::Var(var, sort) => variable(out, var, sort),
                    Term::Apply(operator, operands) => {
                        this.function(terms, operator, operands, out);
                        let name = match (operator, operands) {
                            (Operator::Choose, &[c, a, b]) => {
                                this.choice(terms, id, [c, a, b], out)
                            }
                            _ => {
                                let text = this.text(terms, id, operator, operands, out);
                                this.definition(id, operator, terms.sort(id), text, out)
                            }
                        };
                        this.note_choice(terms, &name, operator, operands);
                        name
                    }
                };
                this.declared.by_key().note(terms, (id, &name), |a| this.name(a), out);
                this.names[id.index()] = Some(name);
            },
        );
        self.name(root).to_string()
    }

    fn value(&self, value: &Value, out: &mut String) -> String {
        let text = value_text(value);
        if let Value::Uninterpreted(..) = value {
            let sort = sort_name(value.sort());
            self.declared.once(&text, out, || format!("(declare-fun {text} () {sort})"));
        }
        text
    }

    /// Declares the function of a call.
    fn function(&self, terms: &Terms, operator: Operator, list: &[TermId], out: &mut String) {
        let Operator::Call(function) = operator else { return };
        let name = function.smtlib();
        let sorts: Vec<String> = list.iter().map(|a| sort_name(terms.sort(*a))).collect();
        self.declared.once(&name, out, || {
            format!("(declare-fun {name} ({}) {})", sorts.join(" "), sort_name(function.result))
        });
    }

    /// The text of a term, which those of its operands may be defined for.
    fn text(
        &self,
        terms: &Terms,
        id: TermId,
        operator: Operator,
        operands: &[TermId],
        out: &mut String,
    ) -> String {
        if let (Operator::Eq, &[a, b]) = (operator, operands)
            && matches!(terms.sort(a), Sort::Array(_))
        {
            let pair = [self.name(a), self.name(b)];
            return self.declared.by_key().equal(terms.sort(a), pair, out);
        }
        if let Operator::Within(limit) = operator {
            let texts: SmallVec<[&str; 3]> = operands.iter().map(|a| self.name(*a)).collect();
            let limit = (limit, terms.sort(operands[0]));
            return self.declared.by_key().within(limit, &texts, out);
        }
        let text = self.by_parts(terms, id, operator, operands, out);
        text.unwrap_or_else(|| application(terms, operator, operands, |a| self.name(a)))
    }

    /// The indices of arrays that are looked at: at all others an array has what it has at the
    /// first (`by_key.rs`).
    #[must_use]
    pub(crate) fn indices(&self, index: &'static [Scalar]) -> Vec<String> {
        self.declared.by_key().indices(index)
    }

    /// A comparison of elements of arrays, taken apart (`selection.rs`).
    fn by_parts(
        &self,
        terms: &Terms,
        id: TermId,
        operator: Operator,
        operands: &[TermId],
        out: &mut String,
    ) -> Option<String> {
        let ([a, b], Operator::Le | Operator::Eq | Operator::BvLe) = (operands, operator) else {
            return None;
        };
        let parts = self.declared.choices().parts(self.name(*a), self.name(*b))?;
        let sorts = [terms.sort(*a), terms.sort(*b)];
        let mut made: Vec<String> = Vec::with_capacity(parts.len());
        for part in parts {
            made.push(match part {
                Part::Compare(a, b) => operator.smtlib(&sorts, &[&a, &b]),
                Part::Choose(c, yes, no) => {
                    let name = format!("{}{}.{}", self.prefix, id.0, made.len());
                    let text = format!("(ite {c} {} {})", made[yes], made[no]);
                    let _ = writeln!(out, "(define-fun {name} () Bool {text})");
                    name
                }
            });
        }
        made.pop()
    }

    /// Remembers a choice between numbers for comparisons of it.
    fn note_choice(&self, terms: &Terms, name: &str, operator: Operator, operands: &[TermId]) {
        if let ([c, a, b], Operator::Ite) = (operands, operator)
            && terms.sort(*a) != Sort::Bool
        {
            // What the condition compares was written with it.
            let index = selection::index(terms, *c).map(|index| self.name(index));
            let parts = [*c, *a, *b].map(|part| self.name(part));
            self.declared.choices().add_choice(name, parts, index);
        }
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
        if matches!(operator, Operator::Select | Operator::Call(_))
            && let Some(range) = range_text(&name, sort)
        {
            let _ = writeln!(out, "(assert {range})");
        }
        name
    }

    /// The name of a choice between arrays, of which it is said what it is at each index that is looked at.
    fn choice(&self, terms: &Terms, id: TermId, operands: [TermId; 3], out: &mut String) -> String {
        let name = format!("{}{}", self.prefix, id.0);
        let parts = operands.map(|operand| self.name(operand));
        let sorts = [operands[0], id].map(|term| terms.sort(term));
        self.declared.by_key().choice(sorts, (&name, parts), out);
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
    terms: &Terms,
    operator: Operator,
    operands: &[TermId],
    operand: impl Fn(TermId) -> &'t str,
) -> String {
    let sorts: SmallVec<[Sort; 8]> = operands.iter().map(|a| terms.sort(*a)).collect();
    let texts: SmallVec<[&str; 8]> = operands.iter().map(|a| operand(*a)).collect();
    operator.smtlib(&sorts, &texts)
}
