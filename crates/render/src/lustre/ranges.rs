//! That a value of an enumeration is one of its values goes without saying.

use std::collections::BTreeMap;
use std::sync::Arc;

use lustral_system::Predicate;
use lustral_term::{Operator, Term, TermId, Terms, Value};

use super::{LustreWriter, Values, enumeration};

impl LustreWriter<'_> {
    /// A predicate without comparisons that hold for all values of an
    /// enumeration, or for none.
    #[must_use]
    pub fn without_ranges(&self, predicate: &Predicate) -> Predicate {
        let source = &predicate.terms;
        let decided = |id: TermId| match source.get(id) {
            Term::Apply(Operator::Le, [a, b]) => decided(source, *a, *b, &self.values),
            _ => None,
        };
        let all = source.closure([predicate.term]);
        if all.iter().all(|id| decided(*id).is_none()) {
            return predicate.clone();
        }
        let mut terms = Terms::new();
        let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
        for id in all {
            let term = match decided(id) {
                Some(holds) => terms.bool(holds),
                None => terms.rebuild(source.get(id), |operand| done[&operand]),
            };
            done.insert(id, term);
        }
        Predicate { terms: Arc::new(terms), term: done[&predicate.term] }
    }
}

/// Whether `a <= b` holds for all values of an enumeration, or for none. Only
/// of variables it is certain that they have such values.
fn decided(terms: &Terms, a: TermId, b: TermId, known: &[Option<Values>]) -> Option<bool> {
    let variable = |id: &TermId| matches!(terms.get(*id), Term::Var(..));
    if ![a, b].iter().any(variable) {
        return None;
    }
    let holds: Vec<bool> = match (terms.value(a), terms.value(b)) {
        (None, Some(Value::Int(high))) => {
            (0..enumeration(terms, a, known)?.len()).map(|i| *high >= i.into()).collect()
        }
        (Some(Value::Int(low)), None) => {
            (0..enumeration(terms, b, known)?.len()).map(|i| *low <= i.into()).collect()
        }
        _ => return None,
    };
    let first = *holds.first()?;
    holds.iter().all(|h| *h == first).then_some(first)
}
