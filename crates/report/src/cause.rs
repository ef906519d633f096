//! The cause of a counterexample: the few values that matter, and what would have saved it.

use lustral_certify::{Answer, Checked};
use lustral_render::execution::{Datum, Execution};
use lustral_render::printable;
use lustral_system::TransitionSystem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Values of a counterexample with which the property fails at its last step, whatever the other inputs are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cause {
    /// The values, as an execution with no value (null) at all other steps.
    pub values: Execution,
    /// Whether none of them can be left out.
    pub minimal: bool,
    /// A change of few values of the execution after which the property holds at all its steps; empty if none was
    /// found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub saved_by: Vec<Change>,
}

/// Another value at a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Change {
    /// The input, or what is chosen.
    pub name: String,
    /// The step.
    pub step: usize,
    /// The value that it would have.
    pub value: Datum,
}

/// More changes than this are not said in a sentence.
const MOST_CHANGES: usize = 6;

impl Cause {
    /// What is known of the cause of an answer.
    pub(crate) fn new(system: &TransitionSystem, answer: &Checked<Answer>) -> Option<Cause> {
        let (Answer::Falsifiable(trace), Some(cause)) = (answer.get(), answer.cause()) else {
            return None;
        };
        let change = |change: &lustral_certify::Change| Change {
            name: system.shown_name(change.var).to_string(),
            step: change.step,
            value: Datum::new(system, &change.value),
        };
        Some(Cause {
            values: Execution::part(system, trace, cause.values(), cause.divisions()),
            minimal: cause.minimal,
            saved_by: cause.saved().unwrap_or_default().iter().map(change).collect(),
        })
    }

    fn is_nothing(&self) -> bool {
        let Execution { instances, choices, divisions, .. } = &self.values;
        instances.is_empty() && choices.is_empty() && divisions.is_empty()
    }

    /// What stands above the values.
    pub(crate) fn heading(&self, step: usize) -> String {
        if self.is_nothing() {
            return format!("it fails at step {step} whatever the inputs are");
        }
        let perhaps = if self.minimal { "" } else { " (perhaps of fewer)" };
        format!(
            "because of these values{perhaps}; in every execution with them it fails at step {step}:"
        )
    }

    /// What would have saved it, if that is known.
    pub(crate) fn saved(&self) -> Option<String> {
        let change = |Change { name, step, value }: &Change| {
            format!(
                "{} = {} at step {step}",
                printable(name),
                lustral_render::execution::cell(value)
            )
        };
        let said = !self.saved_by.is_empty() && self.saved_by.len() <= MOST_CHANGES;
        let changes: Vec<String> = self.saved_by.iter().map(change).collect();
        said.then(|| format!("it would have held with {}", changes.join(", ")))
    }
}
