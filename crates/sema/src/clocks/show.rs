//! How clocks are written in messages.

use super::Inference;
use super::unify::{ClockId, Known, Sampled};
use crate::program::Condition;
use crate::types::Type;

impl Inference<'_> {
    /// How a clock is written: `base on c on not d`.
    pub(super) fn show(&self, id: ClockId) -> String {
        let mut parts = Vec::new();
        let mut at = self.clocks.find(id).1;
        while let Known::On(parent, sampled) = at {
            parts.push(match sampled {
                Sampled::Flow(condition) => self.show_condition(condition),
                Sampled::Call(call) => {
                    let callee = self.program.node(self.node.calls[call.index()].callee);
                    format!("(a call of {})", callee.name)
                }
            });
            at = self.clocks.find(parent).1;
        }
        if parts.is_empty() {
            return "the clock of the node".into();
        }
        parts.push("base".into());
        parts.reverse();
        format!("`{}`", parts.join(" on "))
    }

    pub(super) fn show_condition(&self, Condition { flow, value }: Condition) -> String {
        let stream = self.node.stream(flow);
        match &stream.ty {
            // What a block goes by is no flow of the text.
            Type::Enum(id) if stream.hidden => {
                format!("(branch {})", self.program.enums[id.index()].values[value as usize])
            }
            _ if stream.hidden && value == 0 => "(else)".to_string(),
            _ if stream.hidden => "(branch)".to_string(),
            Type::Enum(id) => {
                let values = &self.program.enums[id.index()].values;
                format!("{}({})", values[value as usize], stream.name)
            }
            _ if value == 0 => format!("not {}", stream.name),
            _ => stream.name.to_string(),
        }
    }
}
