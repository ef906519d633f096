//! What is said of all indices of arrays (`by_key.rs` of the crate), as text.

use lustral_term::{
    FunctionId, Limit, Operator, Scalar, Sort, Term, TermId, Terms, Value, tuple_name,
};

use super::writer::{declare, range_text, value_text};
use crate::by_key::{Build, ByKey};

/// What is known of the indices of a text.
#[derive(Clone, Default, Debug)]
pub(super) struct Known {
    by_key: ByKey<String>,
    /// Numbers the names that are made.
    names: usize,
}

/// Makes text; declarations go in front of it.
struct TextBuild<'o> {
    out: &'o mut String,
    names: &'o mut usize,
}

impl TextBuild<'_> {
    fn name(&mut self, sort: Sort) -> String {
        let name = format!("by_key.{}", self.names);
        *self.names += 1;
        // Its range is a fact, with the others.
        self.out.push_str(&format!("(declare-fun {name} () {})\n", lustral_term::sort_name(sort)));
        name
    }
}

fn applied(operator: &str, list: &[String]) -> String {
    format!("({operator} {})", list.join(" "))
}

/// An index: of several scalars, a tuple.
pub(super) fn index_text(index: &[Scalar], scalars: &[String]) -> String {
    match scalars {
        [scalar] => scalar.clone(),
        scalars => applied(&tuple_name(index), scalars),
    }
}

impl Build for TextBuild<'_> {
    type Id = String;

    fn select(&mut self, array: &String, index: &String) -> String {
        format!("(select {array} {index})")
    }

    fn same(&mut self, a: &String, b: &String) -> String {
        format!("(= {a} {b})")
    }

    fn not(&mut self, a: &String) -> String {
        format!("(not {a})")
    }

    fn all(&mut self, list: &[String]) -> String {
        if list.is_empty() { "true".into() } else { applied("and", list) }
    }

    fn any(&mut self, list: &[String]) -> String {
        if list.is_empty() { "false".into() } else { applied("or", list) }
    }

    fn at_most(&mut self, a: &String, b: &String) -> String {
        format!("(<= {a} {b})")
    }

    fn scalar(&mut self, index: &'static [Scalar], of: &String, position: usize) -> String {
        match index {
            [_] => of.clone(),
            _ => format!("({}.{position} {of})", tuple_name(index)),
        }
    }

    fn ite(&mut self, c: &String, yes: &String, no: &String) -> String {
        format!("(ite {c} {yes} {no})")
    }

    fn key(&mut self, index: &'static [Scalar], key: &[Value]) -> String {
        index_text(index, &key.iter().map(value_text).collect::<Vec<_>>())
    }

    fn new_index(&mut self, index: &'static [Scalar], facts: &mut Vec<String>) -> String {
        let mut scalars = Vec::with_capacity(index.len());
        for scalar in index {
            let sort = Sort::from(*scalar);
            let name = self.name(sort);
            facts.extend(self.range(&name, sort));
            scalars.push(name);
        }
        index_text(index, &scalars)
    }

    fn new_truth(&mut self) -> String {
        self.name(Sort::Bool)
    }

    fn range(&mut self, of: &String, sort: Sort) -> Option<String> {
        range_text(of, sort)
    }
}

impl Known {
    /// The indices that are looked at: at all others an array has what it has at the first.
    pub(super) fn indices(&self, index: &'static [Scalar]) -> Vec<String> {
        self.by_key.indices(index).to_vec()
    }

    fn with<R>(
        &mut self,
        out: &mut String,
        work: impl FnOnce(&mut ByKey<String>, &mut TextBuild<'_>, &mut Vec<String>) -> R,
    ) -> R {
        let mut facts = Vec::new();
        let mut build = TextBuild { out, names: &mut self.names };
        let result = work(&mut self.by_key, &mut build, &mut facts);
        for fact in facts {
            out.push_str(&format!("(assert {fact})\n"));
        }
        result
    }

    /// The text of an equality of arrays.
    pub(super) fn equal(&mut self, sort: Sort, pair: [&str; 2], out: &mut String) -> String {
        let [one, other] = pair.map(str::to_string);
        self.with(out, |by_key, build, facts| by_key.equal(build, sort, [&one, &other], facts))
    }

    /// The text of a limit of a set of a sort.
    pub(super) fn within(
        &mut self,
        (limit, set): (Limit, Sort),
        operands: &[&str],
        out: &mut String,
    ) -> String {
        let Sort::Array(set) = set else { unreachable!("operands are well-sorted") };
        let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
        self.with(out, |by_key, build, facts| {
            by_key.sort(build, Sort::Array(set), facts);
            by_key.within(build, (limit, set.index()), &operands, facts)
        })
    }

    /// The name of a choice between arrays.
    pub(super) fn choice(
        &mut self,
        [condition, sort]: [Sort; 2],
        (name, parts): (&str, [&str; 3]),
        out: &mut String,
    ) {
        declare(out, name, sort);
        let (Sort::Array(condition), Sort::Array(array)) = (condition, sort) else { return };
        let choice = (name.to_string(), parts.map(str::to_string));
        let sorts = (condition, array);
        self.with(out, |by_key, build, facts| by_key.choice(build, sorts, choice, facts));
    }

    /// Notes what arrays there are, and at which indices they are looked at.
    pub(super) fn note<'t>(
        &mut self,
        terms: &Terms,
        (id, text): (TermId, &str),
        operand: impl Fn(TermId) -> &'t str,
        out: &mut String,
    ) {
        let sort = terms.sort(id);
        let is_array = |sort: Sort| matches!(sort, Sort::Array(_));
        if is_array(sort) {
            self.with(out, |by_key, build, facts| by_key.sort(build, sort, facts));
        }
        let texts =
            |list: &[TermId]| list.iter().map(|a| operand(*a).to_string()).collect::<Vec<_>>();
        match terms.get(id) {
            Term::Value(value @ Value::Array(_)) => {
                self.with(out, |by_key, build, facts| by_key.constant(build, value, facts));
            }
            Term::Apply(Operator::Call(function), list)
                if list.iter().any(|a| is_array(terms.sort(*a))) =>
            {
                let sorts: Vec<Sort> = list.iter().map(|a| terms.sort(*a)).collect();
                let called: (FunctionId, &[Sort], Sort) = (function.id, &sorts, sort);
                let call = (texts(list), text.to_string());
                self.with(out, |by_key, build, facts| by_key.call(build, called, call, facts));
            }
            Term::Apply(Operator::Select | Operator::Store, list)
                if let Sort::Array(array) = terms.sort(list[0]) =>
            {
                let scalars = texts(&list[1..=array.index().len()]);
                let index = index_text(array.index(), &scalars);
                self.with(out, |by_key, build, facts| {
                    by_key.index(build, array.index(), index, facts);
                });
            }
            _ => {}
        }
    }
}
