//! Clocks (a clock calculus): which flows have values at which steps, found by
//! unification. What is combined by an operator must be on one clock; constants are on
//! any. Inputs and outputs are on the clock of their node unless they are declared
//! otherwise (in some dialects their clocks are found out, `interfaces.rs`); the clocks of
//! local flows are found out.
//!
//! The result are the scopes of each node, and for each expression, flow and call the
//! scope that it is in. A node in which nothing has a clock has one scope.

mod bare;
mod interfaces;
mod late;
mod scopes;
mod show;
mod unify;

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Span};

use crate::program::{
    BinaryOp, CallId, Condition, ExprId, ExprKind, Exprs, Node, NodeId, Program, StreamId,
    StreamKind, UnaryOp,
};
use crate::types::Type;
use unify::{ClockId, Clocks, Known, Sampled};

/// Finds the clocks of the nodes that are whole; says which of these have an error.
pub(crate) fn check(
    program: &mut Program,
    whole: impl Fn(NodeId) -> bool,
    diagnostics: &mut Diagnostics,
) -> Vec<NodeId> {
    let mut wrong = Vec::new();
    // Nodes of which the clocks of inputs and outputs are not known because something else is wrong.
    let unclear = |id: NodeId, program: &Program| !whole(id) && program.node(id).open_interface;
    let mut unclear: Vec<bool> = program.node_ids().map(|id| unclear(id, program)).collect();
    // Callees first: what is found of the interface of a node, its callers have to know.
    for id in program.callees_first.clone().into_iter().filter(|id| whole(*id)) {
        if !is_clocked(program, program.node(id)) {
            continue;
        }
        let bare = bare::may_be_bare(program.node(id));
        let mut inference = Inference::new(program, program.node(id), &unclear);
        inference.bare = bare;
        inference.node();
        if bare && !inference.found.is_empty() {
            inference = Inference::new(program, program.node(id), &unclear);
            inference.node();
        }
        std::mem::take(&mut inference.warnings).into_iter().for_each(|d| diagnostics.push(d));
        if inference.found.is_empty() {
            let interface = inference.interface_found();
            let scopes = scopes::Assignment::new(&inference).finish();
            scopes.apply(&mut program.nodes[id.index()]);
            for (flow, clock) in interface {
                program.nodes[id.index()].streams[flow.index()].clock = Some(clock);
            }
        } else {
            inference.found.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
            unclear[id.index()] = program.node(id).open_interface;
            wrong.push(id);
        }
    }
    wrong
}

/// Whether an expression leads from one clock to another.
fn changes_clock(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::When(..) | ExprKind::Merge(..) | ExprKind::Held(..))
}

/// Whether anything in a node has a clock.
fn is_clocked(program: &Program, node: &Node) -> bool {
    let callee = |id: NodeId| program.node(id).streams.iter().any(|s| s.clock.is_some());
    node.streams.iter().any(|stream| stream.clock.is_some())
        || node.exprs.iter().any(|(_, expr)| changes_clock(&expr.kind))
        || node.candidates.exprs.iter().any(|(_, expr)| changes_clock(&expr.kind))
        || node.calls.iter().any(|c| c.clock.is_some() || c.reset.is_some() || callee(c.callee))
}

struct Inference<'a> {
    program: &'a Program,
    node: &'a Node,
    /// By node: whether nobody knows the clocks of its inputs and outputs.
    unclear: &'a [bool],
    clocks: Clocks,
    base: ClockId,
    /// By flow.
    streams: Vec<ClockId>,
    /// By expression, of the node and of its candidates.
    exprs: Vec<ClockId>,
    candidates: Vec<ClockId>,
    /// By call: the clock of its arguments, and that on which it runs.
    calls: Vec<(ClockId, ClockId)>,
    /// Flows of slower clocks that are held.
    held: Vec<Held>,
    found: Vec<Diagnostic>,
    /// What looks wrong, and is not.
    warnings: Vec<Diagnostic>,
    /// Resets whose clock nothing but a rule says.
    guessed: Vec<ExprId>,
    /// Whether branches of `merge` may be on its clock (`bare.rs`).
    bare: bool,
}

/// `current e`, while the clock of `e` may not be known.
struct Held {
    /// Of the value that is held.
    value: ClockId,
    /// Of the result.
    result: ClockId,
    span: Span,
}

impl<'a> Inference<'a> {
    fn new(program: &'a Program, node: &'a Node, unclear: &'a [bool]) -> Inference<'a> {
        let mut clocks = Clocks::default();
        let base = clocks.add(Known::Base);
        let streams: Vec<ClockId> =
            node.streams.iter().map(|_| clocks.add(Known::Nothing)).collect();
        for ((id, stream), flow) in streams.iter().zip(&node.streams).zip(node.stream_ids()) {
            let known = match (stream.clock, stream.kind) {
                (Some(condition), _) => {
                    Known::On(streams[condition.flow.index()], Sampled::Flow(condition))
                }
                // Steps are those of the node: bounds on them are about its own clock.
                (None, StreamKind::Local) if node.step_numbers.contains(&flow) => Known::Same(base),
                (None, StreamKind::Local) => continue,
                (None, StreamKind::Input | StreamKind::Output) if node.open_interface => continue,
                (None, _) => Known::Same(base),
            };
            clocks.set(*id, known);
        }
        Inference {
            program,
            node,
            unclear,
            clocks,
            base,
            streams,
            exprs: Vec::with_capacity(node.exprs.len()),
            candidates: Vec::new(),
            calls: Vec::with_capacity(node.calls.len()),
            held: Vec::new(),
            found: Vec::new(),
            warnings: Vec::new(),
            guessed: Vec::new(),
            bare: false,
        }
    }

    fn node(&mut self) {
        let node = self.node;
        if self.declared_in_a_circle() {
            return;
        }
        for (id, call) in (0..).map(CallId).zip(&node.calls) {
            let arguments = self.clocks.add(Known::Nothing);
            let runs = call.clock.map(|activation| {
                let flow = self.condition(activation).map(Sampled::Flow);
                self.clocks.add(Known::On(arguments, flow.unwrap_or(Sampled::Call(id))))
            });
            self.calls.push((arguments, runs.unwrap_or(arguments)));
        }
        for (id, _) in node.exprs.iter() {
            let clock = self.expr(&node.exprs, id, |this, id| this.exprs[id.index()]);
            self.exprs.push(clock);
        }
        for (id, _) in node.candidates.exprs.iter() {
            let exprs = &node.candidates.exprs;
            if changes_clock(&exprs[id].kind) {
                let what = "candidates that sample, merge or hold flows";
                self.found.push(Diagnostic::unsupported(exprs[id].span, what));
            }
            let clock = self.expr(exprs, id, |this, id| this.candidates[id.index()]);
            self.candidates.push(clock);
        }
        for call in 0..node.calls.len() as u32 {
            self.arguments(CallId(call));
        }
        for (i, stream) in node.streams.iter().enumerate() {
            // What a type says of a flow, it says where the flow has a value.
            if let Some(condition) = stream.condition {
                let (declared, found) = (self.streams[i], self.exprs[condition.index()]);
                if self.clocks.unify(declared, found).is_err() {
                    let message = format!("`{}` is on another clock than its type", stream.name);
                    let span = node.exprs[condition].span;
                    self.different(message, (found, span), (declared, stream.span));
                }
            }
            let Some(definition) = stream.definition else { continue };
            let (declared, found) = (self.streams[i], self.exprs[definition.index()]);
            if self.clocks.unify(declared, found).is_err() {
                let message = format!("`{}` is on another clock than its definition", stream.name);
                let span = node.exprs[definition].span;
                self.different(message, (found, span), (declared, stream.span));
                self.advise_declaration(stream, found);
            }
        }
        self.open_interface();
        self.late();
        self.local_clocks_of_interface();
        self.at_every_step();
    }

    /// What contracts and candidates say, they say of every step of the node.
    fn at_every_step(&mut self) {
        let node = self.node;
        let clauses =
            node.clauses.iter().map(|clause| (self.exprs[clause.expr.index()], clause.span));
        let given = node.asserts.iter().filter(|assert| assert.premise.is_given());
        let given = given.map(|assert| (self.exprs[assert.expr.index()], assert.span));
        let candidates = node.candidates.list.iter();
        let candidates = candidates.map(|c| (self.candidates[c.expr.index()], c.span));
        let all: Vec<(ClockId, Span)> = clauses.chain(given).chain(candidates).collect();
        for (clock, span) in all {
            if self.clocks.unify(clock, self.base).is_err() {
                let message = "contracts and candidates speak of every step of their node";
                let diagnostic = Diagnostic::error(Code::Clock, span, message);
                let clock = self.show(clock);
                self.found.push(diagnostic.label(format!("this is on {clock}")));
            }
        }
    }

    /// The clock of an expression whose operands have theirs.
    fn expr(
        &mut self,
        exprs: &Exprs,
        id: ExprId,
        of: impl Fn(&Inference<'a>, ExprId) -> ClockId,
    ) -> ClockId {
        match &exprs[id].kind {
            // What never changes is on every clock.
            ExprKind::Stream(stream) if self.node.stream(*stream).constant.is_some() => {
                self.clocks.add(Known::Nothing)
            }
            ExprKind::Stream(stream) => self.streams[stream.index()],
            ExprKind::Output(call, i) => self.output(*call, *i),
            ExprKind::When(sampled, condition) => {
                let clock = self.streams[condition.flow.index()];
                let found = of(self, *sampled);
                if self.clocks.unify(found, clock).is_err() {
                    let name = &self.node.stream(condition.flow).name;
                    let message = format!("`when {name}` samples a flow of the clock of `{name}`");
                    let declared = self.node.stream(condition.flow).span;
                    self.different(message, (found, exprs[*sampled].span), (clock, declared));
                }
                self.clocks.add(Known::On(clock, Sampled::Flow(*condition)))
            }
            ExprKind::Merge(scrutinee, branches) => {
                let clock = of(self, *scrutinee);
                let ExprKind::Stream(flow) = exprs[*scrutinee].kind else { return clock };
                for (value, branch) in (0..).zip(branches) {
                    let sampled = Sampled::Flow(Condition { flow, value });
                    let found = of(self, *branch);
                    let wanted = if self.is_bare(exprs, (flow, clock), (*branch, found)) {
                        clock
                    } else {
                        self.clocks.add(Known::On(clock, sampled))
                    };
                    if self.clocks.unify(found, wanted).is_err() {
                        let message = "this branch of `merge` is on another clock";
                        let (branch, merge) = (exprs[*branch].span, exprs[id].span);
                        self.unexpected(message.into(), (found, branch), (wanted, merge));
                    }
                }
                clock
            }
            ExprKind::Held(value, default) => {
                let result = self.clocks.add(Known::Nothing);
                let span = exprs[id].span;
                self.held.push(Held { value: of(self, *value), result, span });
                if let Some(default) = default {
                    let found = of(self, *default);
                    let _ = self.clocks.unify(result, found);
                }
                result
            }
            ExprKind::Pre(a) => of(self, *a),
            ExprKind::Fby(a, b) => self.together(exprs, &[*a, *b], of),
            _ => {
                let mut operands = Vec::new();
                exprs.present_operands(id, |operand| operands.push(operand));
                self.together(exprs, &operands, of)
            }
        }
    }

    /// The common clock of some operands.
    fn together(
        &mut self,
        exprs: &Exprs,
        operands: &[ExprId],
        of: impl Fn(&Inference<'a>, ExprId) -> ClockId,
    ) -> ClockId {
        let Some(first) = operands.first() else { return self.clocks.add(Known::Nothing) };
        let clock = of(self, *first);
        for operand in &operands[1..] {
            let found = of(self, *operand);
            if self.clocks.unify(found, clock).is_err() {
                let message = "these are on different clocks".into();
                let (left, right) = (exprs[*first].span, exprs[*operand].span);
                self.different(message, (found, right), (clock, left));
                break;
            }
        }
        clock
    }

    /// Reports flows whose declared clocks need each other.
    fn declared_in_a_circle(&mut self) -> bool {
        let node = self.node;
        for stream in &node.streams {
            let mut at = stream.clock;
            for _ in 0..node.streams.len() {
                at = at.and_then(|condition| node.stream(condition.flow).clock);
            }
            if at.is_some() {
                let message = format!("the clock of `{}` depends on itself", stream.name);
                self.found.push(Diagnostic::error(Code::Clock, stream.span, message));
                return true;
            }
        }
        false
    }

    /// The clock of an output of a call.
    fn output(&mut self, call: CallId, output: u32) -> ClockId {
        let id = self.node.calls[call.index()].callee;
        let callee = self.program.node(id);
        let stream = StreamId((callee.inputs + output as usize) as u32);
        if self.unclear[id.index()] && callee.stream(stream).clock.is_none() {
            return self.clocks.add(Known::Nothing);
        }
        self.formal(call, stream)
    }

    /// The flow and its value that an activation is, if it is one.
    fn condition(&self, activation: ExprId) -> Option<Condition> {
        let exprs = &self.node.exprs;
        let flow = |id: ExprId| match (&exprs[id].kind, &exprs[id].ty) {
            (ExprKind::Stream(flow), ty) => Some((*flow, ty)),
            _ => None,
        };
        let value = |id: ExprId| match exprs[id].kind {
            ExprKind::Enum(_, value) => Some(value),
            _ => None,
        };
        match exprs[activation].kind {
            ExprKind::Stream(flow) => Some(Condition { flow, value: 1 }),
            ExprKind::Unary(UnaryOp::Not, a) => {
                flow(a).map(|(flow, _)| Condition { flow, value: 0 })
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) => {
                let ((flow, ty), value) =
                    flow(a).zip(value(b)).or_else(|| flow(b).zip(value(a)))?;
                matches!(ty, Type::Enum(_)).then_some(Condition { flow, value })
            }
            _ => None,
        }
    }

    /// The clock of a flow of a called node, as the caller sees it.
    fn formal(&mut self, call: CallId, stream: StreamId) -> ClockId {
        let known = &self.node.calls[call.index()];
        let callee = self.program.node(known.callee);
        let runs = self.calls[call.index()].1;
        let mut conditions = Vec::new();
        let mut at = callee.stream(stream).clock;
        while let Some(condition) = at {
            conditions.push(condition);
            if conditions.len() > callee.streams.len() {
                // The declaration has its diagnostic.
                return runs;
            }
            at = callee.stream(condition.flow).clock;
        }
        let mut clock = runs;
        for Condition { flow, value } in conditions.into_iter().rev() {
            let argument = known.args.get(flow.index());
            let actual =
                argument.map(|arg| (&self.node.exprs[*arg].kind, self.node.exprs[*arg].span));
            let sampled = match actual {
                Some((ExprKind::Stream(flow), _)) => Condition { flow: *flow, value },
                Some((_, span)) => {
                    let message = format!(
                        "other inputs or outputs of `{}` are sampled by this one: give it a flow",
                        callee.name
                    );
                    self.found.push(Diagnostic::error(Code::Clock, span, message));
                    return self.clocks.add(Known::Nothing);
                }
                // It is an output, which the caller knows by the flow that it defines.
                None => match self.flow_of_output(call, flow.index() - callee.inputs) {
                    Some(flow) => Condition { flow, value },
                    None => {
                        let message = format!(
                            "outputs of `{}` are sampled by its output `{}`: give that one a flow",
                            callee.name,
                            callee.stream(flow).name
                        );
                        self.found.push(Diagnostic::error(Code::Clock, known.span, message));
                        return self.clocks.add(Known::Nothing);
                    }
                },
            };
            clock = self.clocks.add(Known::On(clock, Sampled::Flow(sampled)));
        }
        clock
    }

    /// The flow that an output of a call defines. There is at most one: a call is one
    /// expression, and an equation takes all of its outputs.
    fn flow_of_output(&self, call: CallId, output: usize) -> Option<StreamId> {
        let node = self.node;
        node.stream_ids().find(|id| {
            let definition = node.stream(*id).definition;
            definition.is_some_and(|definition| match node.exprs[definition].kind {
                ExprKind::Output(of, i) => of == call && i as usize == output,
                _ => false,
            })
        })
    }

    /// The arguments of a call, and what it is activated by, are on one clock; but for
    /// inputs that are sampled.
    fn arguments(&mut self, id: CallId) {
        let node = self.node;
        let call = &node.calls[id.index()];
        let callee = self.program.node(call.callee);
        let mut interface = callee.input_ids().chain(callee.output_ids());
        if call.clock.is_some() && interface.any(|id| callee.stream(id).clock.is_some()) {
            let what = "activated calls of nodes with sampled inputs or outputs";
            self.found.push(Diagnostic::unsupported(call.span, what));
            return;
        }
        let clock = self.calls[id.index()].0;
        let inputs = callee.input_ids().zip(&call.args).map(|(input, arg)| (Some(input), *arg));
        // A reset of a call that has no clock of its own may be on a faster one (`late.rs`).
        let sampled = call.reset.filter(|_| call.clock.is_some());
        let others = call.clock.into_iter().chain(sampled).map(|e| (None, e));
        for (input, expr) in inputs.chain(others).collect::<Vec<_>>() {
            let found = self.exprs[expr.index()];
            let wanted = match input {
                Some(input) if callee.stream(input).clock.is_some() => self.formal(id, input),
                Some(_) if self.unclear[call.callee.index()] => continue,
                _ => clock,
            };
            if self.clocks.unify(found, wanted).is_err() {
                let message =
                    format!("this is on another clock than the call of `{}`", callee.name);
                self.unexpected(message, (found, node.exprs[expr].span), (wanted, call.span));
            }
        }
    }

    fn different(&mut self, message: String, a: (ClockId, Span), b: (ClockId, Span)) {
        let diagnostic = Diagnostic::error(Code::Clock, a.1, message)
            .label(format!("this is on {}", self.show(a.0)))
            .also(b.1, format!("this is on {}", self.show(b.0)))
            .help(
                "sample the faster one with `when`, or make one flow of slower ones with \
                 `merge` or `current`",
            );
        self.found.push(diagnostic);
    }

    fn unexpected(&mut self, message: String, a: (ClockId, Span), b: (ClockId, Span)) {
        let diagnostic = Diagnostic::error(Code::Clock, a.1, message)
            .label(format!("this is on {}", self.show(a.0)))
            .also(b.1, format!("expected here: {}", self.show(b.0)));
        self.found.push(diagnostic);
    }
}
