//! Inputs and outputs that are declared without a clock. In lustrec and Heptagon such an input has the
//! clock that its uses give it, and such an output that of its equation, which is then a part of
//! the interface: callers see it as if it had been declared. It must be one that they can name: by
//! inputs, and of an output by outputs as well. What nothing makes slower, and in the other dialects
//! all of them, are on the clock of the node.

use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Inference;
use super::unify::{ClockId, Known, Sampled};
use crate::program::{Condition, Stream, StreamId, StreamKind};

impl Inference<'_> {
    /// What is left of the clocks of inputs and outputs when the equations were looked at is the
    /// clock of the node.
    pub(super) fn open_interface(&mut self) {
        for flow in self.node.input_ids().chain(self.node.output_ids()) {
            if let Some(unknown) = self.clocks.unknown(self.streams[flow.index()]) {
                let _ = self.clocks.unify(unknown, self.base);
            }
        }
    }

    /// The inputs and outputs whose clocks are found out.
    fn undeclared(&self) -> impl Iterator<Item = StreamId> + use<'_> {
        let node = self.node;
        let open = |id: &StreamId| {
            let stream = node.stream(*id);
            node.open_interface && stream.clock.is_none() && stream.constant.is_none()
        };
        node.input_ids().chain(node.output_ids()).filter(open)
    }

    /// Those whose clock was found out to be slower, as if they had been declared with it.
    pub(super) fn interface_found(&self) -> Vec<(StreamId, Condition)> {
        let found = |id: StreamId| Some((id, self.last_step(self.streams[id.index()])?));
        self.undeclared().filter_map(found).collect()
    }

    /// Reports inputs and outputs on clocks that callers cannot name.
    pub(super) fn local_clocks_of_interface(&mut self) {
        let node = self.node;
        for id in self.undeclared().collect::<Vec<_>>() {
            let stream = node.stream(id);
            let can_name = |flow: StreamId| match (stream.kind, node.stream(flow).kind) {
                (_, StreamKind::Input) => true,
                (kind, other) => kind == StreamKind::Output && other == StreamKind::Output,
            };
            let mut at = self.clocks.find(self.streams[id.index()]).1;
            while let Known::On(parent, sampled) = at {
                at = self.clocks.find(parent).1;
                let local = match sampled {
                    Sampled::Flow(Condition { flow, .. }) if can_name(flow) => continue,
                    Sampled::Flow(Condition { flow, .. }) => {
                        format!("`{}`", node.stream(flow).name)
                    }
                    Sampled::Call(_) => "a condition without a name".to_string(),
                };
                let message =
                    |what| format!("callers cannot name the clock of the {what} `{}`", stream.name);
                let at = format!("it is on {}", self.show(self.streams[id.index()]));
                let report = |what| Diagnostic::error(Code::Clock, stream.span, message(what));
                self.found.push(match stream.definition {
                    None => report("input")
                        .label(format!("{at} where it is used, and {local} is no input"))
                        .help("make the clock an input too, or sample the input with `when`"),
                    Some(definition) => report("output")
                        .label(at)
                        .also(
                            node.exprs[definition].span,
                            format!("by this, and {local} is neither input nor output"),
                        )
                        .help(
                            "make the clock an output too, or give the output a value at every \
                             step with `merge`",
                        ),
                });
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
