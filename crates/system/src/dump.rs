//! A system as text, for people and for snapshot tests.

use std::fmt::Write;

use lustral_term::{Enumeration, Names, Sort, TermId, VarId, show_term, show_value};
use num_bigint::BigInt;

use crate::transition::{Role, TransitionSystem};

/// Variables by their numbers, values by their names.
struct Numbered<'s>(&'s TransitionSystem);

impl Names for Numbered<'_> {
    fn variable(&self, var: VarId) -> String {
        format!("v{}", var.0)
    }

    fn value(&self, enumeration: Enumeration, position: u32) -> Option<String> {
        self.0.value(enumeration, position)
    }
}

fn sort_text(system: &TransitionSystem, sort: Sort) -> String {
    let names = sort.enumeration().and_then(|e| system.enumerations.get(e.id.index()));
    names.map_or_else(|| format!("{sort:?}"), |names| names.name.clone())
}

/// The whole system.
#[must_use]
pub fn dump(system: &TransitionSystem) -> String {
    let mut out = String::new();
    let show = |term: TermId| show_term(&system.terms, term, 100_000, &Numbered(system));
    for names in &*system.enumerations {
        let _ = writeln!(out, "enum {} = {}", names.name, names.values.join(" "));
    }
    for (id, variable) in system.variables() {
        let role = match variable.role {
            Role::Input => "input",
            Role::Choice => "choice",
            Role::Memory => "memory",
            Role::Defined(_) => continue,
        };
        let _ = write!(out, "{role} v{}: {}", id.0, sort_text(system, variable.sort));
        if let Some(range) = &variable.range {
            let end = |n: &Option<BigInt>| n.as_ref().map(BigInt::to_string).unwrap_or_default();
            let _ = write!(out, " in {}..{}", end(&range.low), end(&range.high));
        }
        let _ = writeln!(out, "  -- {}", variable.name);
    }
    for id in &system.definitions {
        let variable = system.variable(*id);
        if let Role::Defined(term) = variable.role {
            let _ = writeln!(
                out,
                "define v{}: {} = {}  -- {}",
                id.0,
                sort_text(system, variable.sort),
                show(term),
                variable.name
            );
        }
    }
    for memory in &system.memories {
        let _ = writeln!(
            out,
            "v{} := {} then {}",
            memory.var.0,
            show_value(&memory.initial, system),
            show(memory.next)
        );
    }
    for constraint in &system.constraints {
        let _ = writeln!(out, "constraint {}", show(constraint.term));
    }
    for typing in &system.typing {
        let _ = writeln!(out, "typing {}", show(*typing));
    }
    for property in &system.properties {
        let _ = writeln!(out, "property {} : {}", property.name, show(property.term));
    }
    out
}
