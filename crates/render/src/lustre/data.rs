//! Data types: which constructor made a value has no name in the text, `C?(e)` asks for it.

use std::collections::BTreeSet;

use lustral_base::EnumId;
use lustral_system::{InstanceId, TransitionSystem};
use lustral_term::strength::{PREFIX, TIGHT};
use lustral_term::{Operator, Sort, Term, TermId, Value};

use super::operators::{Expanded, Work, text};
use super::{LustreWriter, scope};

/// The enumerations of constructors.
pub(super) fn constructors(system: &TransitionSystem) -> BTreeSet<EnumId> {
    let known = (0..).map(EnumId).zip(system.enumerations.iter());
    known.filter(|(_, names)| names.constructors).map(|(id, _)| id).collect()
}

impl LustreWriter<'_> {
    /// How an instance calls a value of an enumeration; a constructor alone is no value.
    pub(super) fn value(&self, instance: InstanceId, value: &Value) -> Option<&str> {
        match value {
            Value::Enum(of, _) if self.constructors.contains(&of.id) => None,
            _ => scope::value(self.system, instance, value),
        }
    }

    /// What is compared, if it says which constructors made values, and whether that is
    /// denied.
    fn compared(&self, term: TermId) -> Option<([TermId; 2], bool)> {
        let (a, b, denied) = match self.terms.get(term) {
            Term::Apply(Operator::Eq, [a, b]) => (*a, *b, false),
            Term::Apply(Operator::Not, [inner]) => match self.terms.get(*inner) {
                Term::Apply(Operator::Eq, [a, b]) => (*a, *b, true),
                _ => return None,
            },
            _ => return None,
        };
        match self.terms.sort(a) {
            Sort::Enum(of) if self.constructors.contains(&of.id) => Some(([a, b], denied)),
            _ => None,
        }
    }

    /// Whether a term compares constructors.
    pub(super) fn is_test(&self, term: TermId) -> bool {
        self.compared(term).is_some()
    }

    /// `C?(e)`; none where two values are compared: `=` would say more.
    pub(super) fn test(&self, instance: InstanceId, term: TermId) -> Expanded {
        let ([a, b], denied) = self.compared(term)?;
        let (of, known) = match (self.terms.value(a), self.terms.value(b)) {
            (None, Some(known)) => (a, known),
            (Some(known), None) => (b, known),
            _ => return None,
        };
        let name = scope::value(self.system, instance, known)?;
        let open = format!("{}{name}?(", if denied { "not " } else { "" });
        let strength = if denied { PREFIX } else { TIGHT };
        Some((strength, vec![text(&open), Work::Term(of, 0), text(")")]))
    }
}
