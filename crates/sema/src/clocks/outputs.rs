//! Outputs that are declared without a clock. In lustrec and Heptagon such an output has the
//! clock of its equation, which is then a part of the interface: callers see it as if it had
//! been declared. It must be one that they can name, by inputs and outputs of the node. In
//! the other dialects the output is on the clock of the node.

use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Inference;
use super::unify::{ClockId, Known, Sampled};
use crate::program::{Condition, Stream, StreamId, StreamKind};

impl Inference<'_> {
    /// What is left of the clock of an output when its equation was looked at is the clock
    /// of the node.
    pub(super) fn open_outputs(&mut self) {
        for output in self.node.output_ids() {
            if let Some(unknown) = self.clocks.unknown(self.streams[output.index()]) {
                let _ = self.clocks.unify(unknown, self.base);
            }
        }
    }

    /// The outputs whose clock was found out, as if they had been declared with it.
    pub(super) fn outputs_found(&self) -> Vec<(StreamId, Condition)> {
        let node = self.node;
        let open = |id: &StreamId| node.open_outputs && node.stream(*id).clock.is_none();
        let found = |id: StreamId| Some((id, self.last_step(self.streams[id.index()])?));
        node.output_ids().filter(open).filter_map(found).collect()
    }

    /// Reports outputs on clocks that callers cannot name.
    pub(super) fn local_clocks_of_outputs(&mut self) {
        let node = self.node;
        for output in node.output_ids() {
            let stream = node.stream(output);
            if stream.clock.is_some() || !node.open_outputs {
                continue;
            }
            let mut at = self.clocks.find(self.streams[output.index()]).1;
            while let Known::On(parent, sampled) = at {
                at = self.clocks.find(parent).1;
                let local = match sampled {
                    Sampled::Flow(Condition { flow, .. })
                        if node.stream(flow).kind != StreamKind::Local =>
                    {
                        continue;
                    }
                    Sampled::Flow(Condition { flow, .. }) => {
                        format!("`{}`", node.stream(flow).name)
                    }
                    Sampled::Call(_) => "a condition without a name".to_string(),
                };
                let message =
                    format!("callers cannot name the clock of the output `{}`", stream.name);
                let clock = self.show(self.streams[output.index()]);
                let span = stream.definition.map_or(stream.span, |e| node.exprs[e].span);
                self.found.push(
                    Diagnostic::error(Code::Clock, stream.span, message)
                        .label(format!("it is on {clock}"))
                        .also(span, format!("by this, and {local} is neither input nor output"))
                        .help(
                            "make the clock an output too, or give the output a value at every \
                             step with `merge`",
                        ),
                );
                break;
            }
        }
    }

    /// An output is on the clock of the node, and its definition is not: says how it would be
    /// declared with that clock, if callers could name it.
    pub(super) fn advise_declaration(&mut self, stream: &Stream, found: ClockId) {
        if stream.kind != StreamKind::Output || stream.clock.is_some() {
            return;
        }
        let Some(condition) = self.last_step(found) else { return };
        if self.node.stream(condition.flow).kind == StreamKind::Local {
            return;
        }
        let declared = format!(
            "an output has a value at every step of its node unless it is declared otherwise: \
             `{}: {} when {}`",
            stream.name,
            self.program.show_type(&stream.ty),
            self.show_condition(condition),
        );
        if let Some(said) = self.found.pop() {
            self.found.push(said.note(declared));
        }
    }

    /// By what a clock is made from the next faster one.
    fn last_step(&self, clock: ClockId) -> Option<Condition> {
        match self.clocks.find(clock).1 {
            Known::On(_, Sampled::Flow(condition)) => Some(condition),
            _ => None,
        }
    }
}
