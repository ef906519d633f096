//! The value of each part of a property at the step at which it fails.

use std::sync::Arc;

use lustral_render::LustreWriter;
use lustral_render::execution::Datum;
use lustral_system::{Goal, InstanceId, Predicate, PropId, Role, Trace, TransitionSystem};
use lustral_term::{Operator, TermId};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a property, as an expression over the flows of the instance that it is about, and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Part {
    /// The path of the instance below the checked node; empty for that node itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The expression.
    pub expression: String,
    /// Its value at the failing step.
    pub value: Datum,
}

/// More parts than this are not shown: the outermost ones are.
const MOST: usize = 24;
/// Nor are longer ones.
const LONGEST: usize = 160;
/// Writing looks at the whole system; in larger ones it takes longer than the answer.
const LARGEST: usize = 60_000;

/// The parts of a property that fails at the last step of an execution, the whole first. Flows
/// by themselves are among the rows of the execution.
pub(crate) fn parts(system: &TransitionSystem, property: PropId, trace: &Trace) -> Vec<Part> {
    let property = system.property(property);
    // Beside the clock of the checked node, a term has values at steps at which its flow has none.
    let is_plain = system.is_on_one_clock() && system.terms.len() <= LARGEST;
    if property.goal != Goal::Always || !is_plain {
        return Vec::new();
    }
    let (mut writer, terms) = (LustreWriter::new(system), Arc::new(system.terms.clone()));
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut texts = FxHashSet::default();
    let mut row: Vec<TermId> = vec![defined(system, property.term)];
    // Breadth first: what is left out is inside of what is shown.
    while !row.is_empty() && found.len() < MOST {
        let mut next = Vec::new();
        for term in row {
            if system.terms.value(term).is_some() || !seen.insert(term) {
                continue;
            }
            let operands = system.terms.operands(term).iter();
            // What is denied is not said again: `x < 3` is written so, and is no `x >= 3` inside.
            if matches!(system.terms.operator(term), Some(Operator::Not)) {
                let inside = operands.flat_map(|denied| system.terms.operands(*denied));
                next.extend(inside.copied());
            } else {
                next.extend(operands.copied());
            }
            if system.terms.var(term).is_some() || found.len() >= MOST {
                continue;
            }
            let written = writer.expression(&Predicate { terms: terms.clone(), term });
            let Some((instance, expression)) = written else { continue };
            let path = match instance {
                InstanceId::ROOT => String::new(),
                instance => system.instance(instance).path.clone(),
            };
            let is_short = expression.chars().count() <= LONGEST;
            if is_short
                && is_of_the_text(&expression)
                && texts.insert((path.clone(), expression.clone()))
            {
                let value = trace.eval(system, trace.len() - 1, term);
                found.push(Part { path, expression, value: Datum::new(system, &value) });
            }
        }
        row = next;
    }
    found
}

/// Whether a part is one that people write. Terms are simplified: a first step is shared among what
/// it decides, and words are compared as wider ones. What is written of such terms is right, and
/// no part of the property.
fn is_of_the_text(expression: &str) -> bool {
    !expression.contains("->") && !expression.contains("@<")
}

/// The term that a flow which is defined by one stands for.
fn defined(system: &TransitionSystem, term: TermId) -> TermId {
    let mut term = term;
    // Definitions have no circles: each variable is passed once at most.
    for _ in 0..system.variables.len() {
        let Some(var) = system.terms.var(term) else { break };
        let Role::Defined(definition) = system.variable(var).role else { break };
        term = definition;
    }
    term
}
