//! Systems without definitions, as a type: what unrolls a system or looks for
//! its state must not meet a variable that stands for something else.

use std::ops::Deref;

use lustral_term::{TermId, Terms, Translation};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::transition::{Role, TransitionSystem};

/// A system in which every defined variable is replaced by its definition. The
/// defined variables are still there and know their definitions, so that one can
/// tell what a flow is; but nothing depends on them.
///
/// [`Inlined::new`] makes one, and [`Inlined::change`] keeps it one; one that is
/// read is judged.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Inlined(TransitionSystem);

impl Deref for Inlined {
    type Target = TransitionSystem;

    fn deref(&self) -> &TransitionSystem {
        &self.0
    }
}

/// One that was read is judged as a system, and as an inlined one.
impl<'de> Deserialize<'de> for Inlined {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Inlined, D::Error> {
        let system = TransitionSystem::deserialize(deserializer)?;
        if is_inlined(&system) {
            Ok(Inlined(system))
        } else {
            Err(de::Error::custom("something depends on a defined variable"))
        }
    }
}

impl Inlined {
    /// A system with its definitions inlined.
    #[must_use]
    pub fn new(original: &TransitionSystem) -> Inlined {
        Inlined::with_definitions(original).0
    }

    /// The same, and the inlined definition of each defined variable.
    #[must_use]
    pub fn with_definitions(original: &TransitionSystem) -> (Inlined, Vec<Option<TermId>>) {
        if is_inlined(original) {
            let definition = |role: Role| match role {
                Role::Defined(term) => Some(term),
                _ => None,
            };
            let defined = original.variables.iter().map(|v| definition(v.role)).collect();
            return (Inlined(original.clone()), defined);
        }
        let mut terms = Terms::new();
        let mut translation = Translation::new();
        let mut defined: Vec<Option<TermId>> = vec![None; original.variables.len()];
        let mut apply = |terms: &mut Terms, defined: &[Option<TermId>], term: TermId| {
            translation.apply(&original.terms, terms, term, |terms, var, sort| {
                defined[var.index()].unwrap_or_else(|| terms.variable(var, sort))
            })
        };
        // In the order of dependency, so that a definition meets only inlined ones.
        for var in &original.definitions {
            if let Role::Defined(term) = original.variable(*var).role {
                defined[var.index()] = Some(apply(&mut terms, &defined, term));
            }
        }
        let mut system = original.clone();
        system.definitions = Vec::new();
        for memory in &mut system.memories {
            memory.next = apply(&mut terms, &defined, memory.next);
        }
        for constraint in &mut system.constraints {
            constraint.term = apply(&mut terms, &defined, constraint.term);
        }
        for typing in &mut system.typing {
            *typing = apply(&mut terms, &defined, *typing);
        }
        for property in &mut system.properties {
            property.term = apply(&mut terms, &defined, property.term);
        }
        for candidate in &mut system.candidates {
            *candidate = apply(&mut terms, &defined, *candidate);
        }
        for (variable, defined) in system.variables.iter_mut().zip(&defined) {
            if let Some(term) = defined {
                variable.role = Role::Defined(*term);
            }
        }
        system.constraints.retain(|c| c.term != Terms::TRUE);
        system.terms = terms;
        (Inlined(system), defined)
    }

    /// A change that brings no defined variable into the terms.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut TransitionSystem) -> R) -> R {
        let result = change(&mut self.0);
        debug_assert!(is_inlined(&self.0), "the change defines or uses a defined variable");
        result
    }
}

impl From<Inlined> for TransitionSystem {
    fn from(inlined: Inlined) -> TransitionSystem {
        inlined.0
    }
}

/// Whether nothing depends on a defined variable.
fn is_inlined(system: &TransitionSystem) -> bool {
    let defined = |role: Role| matches!(role, Role::Defined(_));
    system.definitions.is_empty()
        && !(system.terms.variables(system.roots()).into_iter())
            .any(|var| defined(system.variable(var).role))
}
