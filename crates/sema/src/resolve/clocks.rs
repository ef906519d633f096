//! Clocks in expressions: what is sampled, merged and held, and which calls run only at
//! times. Which flows are on which clock is found out later (`crate::clocks`).

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Case, NodeDeclaration, Sampling};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::environment::Global;
use super::expressions::count;
use super::{Components, Resolver};
use crate::program::{
    BinaryOp, CallId, Condition, Expr, ExprId, ExprKind, Meaning, Node, Stream, StreamId,
    StreamKind, UnaryOp,
};
use crate::types::Type;

/// A call that runs only at times, its parts resolved.
pub(super) struct Activated {
    pub call: Vec<ExprId>,
    pub clock: Option<Vec<ExprId>>,
    pub reset: Option<Vec<ExprId>>,
    pub defaults: Option<Vec<Components>>,
    /// Whether the defaults are for before the call has run.
    pub initial: bool,
    /// Where the call stands.
    pub place: Span,
}

impl Activated {
    /// The parts, each as `get` resolves it; none if one has an error.
    pub fn new(
        ast: &ast::Exprs,
        of: &ast::Activation,
        get: &mut dyn FnMut(&ast::ExprId) -> Components,
    ) -> Option<Activated> {
        let call = get(&of.call);
        let clock = of.clock.as_ref().map(&mut *get);
        let reset = of.reset.as_ref().map(&mut *get);
        let defaults = of.defaults.as_ref().map(|list| list.iter().map(&mut *get).collect());
        let known = |part: Option<Components>| part.map_or(Some(None), |found| found.map(Some));
        let (clock, reset) = (known(clock)?, known(reset)?);
        let (initial, place) = (of.initial, ast[of.call].span);
        Some(Activated { call: call?, clock, reset, defaults, initial, place })
    }
}

impl Resolver<'_> {
    /// When the flows of a node have values, as they are declared.
    pub(super) fn declared_clocks(&mut self, result: &mut Node, node: &NodeDeclaration) {
        let dialect = self.ast.reading().dialect;
        result.open_interface = dialect.infers_clocks_of_interfaces();
        result.bare_branches = dialect.samples_branches();
        let all = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        for variable in all {
            let Some(sampling) = &variable.clock else { continue };
            let Some(&stream) = self.scope.streams.get(&variable.name.name) else { continue };
            result.streams[stream.index()].clock = self.condition(sampling);
        }
        let all = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        for sampling in all.filter_map(|variable| variable.clock.as_ref()) {
            let clocks: Vec<&Sampling> = sampling.on.iter().chain([sampling]).collect();
            clocks.windows(2).for_each(|pair| self.clock_of_clock(result, pair[1], pair[0]));
        }
    }

    /// `x: int :: . on c on d` says of d that it is on c. That is declared of d, too, unless it has
    /// another clock: a flow that is sampled by d has that of d.
    fn clock_of_clock(&mut self, result: &mut Node, of: &Sampling, on: &Sampling) {
        let stream = self.scope.streams.get(&of.flow.name).copied();
        let (Some(stream), Some(on)) = (stream, self.condition(on)) else { return };
        let open = result.open_interface;
        let flow = &mut result.streams[stream.index()];
        let is_open = match flow.kind {
            StreamKind::Local => true,
            StreamKind::Output => open,
            StreamKind::Input => false,
        };
        match flow.clock {
            Some(known) if known == on => {}
            None if is_open => flow.clock = Some(on),
            _ => {
                let message = format!("`{}` is not on this clock", of.flow.name);
                let note =
                    format!("what is `on {0}` is on the clock of `{0}` as well", of.flow.name);
                let diagnostic = Diagnostic::error(Code::Clock, of.flow.span, message);
                self.push(diagnostic.also(flow.span, "it is declared here").note(note));
            }
        }
    }

    /// The flow that a clock is, with its type; reports if it is none.
    fn clock_flow(&mut self, name: &ast::Ident) -> Option<(StreamId, Type)> {
        let found = self.name(&name.name, name.span)?;
        let [expr] = found[..] else { return None };
        let known = &self.scope.exprs[expr];
        let (kind, ty) = (known.kind.clone(), known.ty.clone());
        match (kind, ty) {
            (ExprKind::Stream(stream), ty @ (Type::Bool | Type::Enum(_))) => Some((stream, ty)),
            (ExprKind::Stream(_), ty) => {
                let found = self.show(&ty);
                let message =
                    format!("a clock is a bool or an enumeration, this is of type {found}");
                self.push(Diagnostic::error(Code::Type, name.span, message));
                None
            }
            (ExprKind::When(..), ty @ (Type::Bool | Type::Enum(_)))
                if !self.scope.sampled.is_empty() =>
            {
                Some((self.clock_inside(expr)?, ty))
            }
            _ => {
                let message = format!("a clock is a flow, and `{}` is none", name.name);
                self.push(Diagnostic::error(Code::Clock, name.span, message));
                None
            }
        }
    }

    /// A flow of the part around that has the value of a clock from outside of it, one for
    /// each such clock: what is sampled by it in two places of the part is on one clock.
    fn clock_inside(&mut self, value: ExprId) -> Option<StreamId> {
        let mut outside = value;
        while let ExprKind::When(of, _) = self.scope.exprs[outside].kind {
            outside = of;
        }
        let ExprKind::Stream(clock) = self.scope.exprs[outside].kind else { return None };
        if let Some(known) = self.scope.inner_clocks.get(&clock) {
            return Some(*known);
        }
        let Expr { ty, span, .. } = self.scope.exprs[value].clone();
        let flow = self.pending_flow("clock inside", ty, Some(value), span);
        self.scope.inner_clocks.insert(clock, flow);
        Some(flow)
    }

    /// When a call runs, by a flow of the part around if it says so by one from outside of it
    /// (`c`, `not c`, `m = A`): what is sampled by that flow is on the clock of the call.
    fn activation_inside(&mut self, condition: ExprId) -> ExprId {
        if self.scope.sampled.is_empty() {
            return condition;
        }
        let inner = |this: &mut Self, operand: ExprId| -> Option<ExprId> {
            let Expr { kind, ty, span, .. } = this.scope.exprs[operand].clone();
            let usable = matches!(ty, Type::Bool | Type::Enum(_));
            let flow = match kind {
                ExprKind::When(..) if usable => this.clock_inside(operand)?,
                _ => return None,
            };
            Some(this.scope.exprs.push(ExprKind::Stream(flow), ty, span))
        };
        let kind = match self.scope.exprs[condition].kind.clone() {
            ExprKind::When(..) => return inner(self, condition).unwrap_or(condition),
            ExprKind::Unary(UnaryOp::Not, a) => {
                inner(self, a).map(|a| ExprKind::Unary(UnaryOp::Not, a))
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) => {
                let constant = |e: ExprId| matches!(self.scope.exprs[e].kind, ExprKind::Enum(..));
                let (left, right) = (constant(b), constant(a));
                let a = if left { inner(self, a).unwrap_or(a) } else { a };
                let b = if right { inner(self, b).unwrap_or(b) } else { b };
                (left || right).then_some(ExprKind::Binary(BinaryOp::Equal, a, b))
            }
            _ => None,
        };
        let span = self.scope.exprs[condition].span;
        kind.map_or(condition, |kind| self.scope.exprs.push(kind, Type::Bool, span))
    }

    pub(super) fn condition(&mut self, sampling: &Sampling) -> Option<Condition> {
        let (flow, ty) = self.clock_flow(&sampling.flow)?;
        let value = self.case(&sampling.case, &ty, sampling.flow.span)?;
        Some(Condition { flow, value })
    }

    /// The position of a value among those of a clock; reports if it has it not.
    fn case(&mut self, case: &Case, ty: &Type, span: Span) -> Option<u32> {
        let wrong = match (case, ty) {
            (Case::False, Type::Bool) => return Some(0),
            (Case::True, Type::Bool) => return Some(1),
            (Case::Value(name), Type::Enum(id)) => {
                match self.env.values.get(&name.name).map(|d| d.what.clone()) {
                    Some(Global::Enum(found, value)) if found == *id => {
                        self.mention(name.span, Meaning::Value(found, value));
                        return Some(value);
                    }
                    Some(Global::Broken) => return None,
                    None if self.env.hidden.hides_value(&name.name) => return None,
                    _ => (name.span, format!("`{}`", name.name)),
                }
            }
            (Case::Value(name), _) => (name.span, format!("`{}`", name.name)),
            (Case::True, _) => (span, "`true`".into()),
            (Case::False, _) => (span, "`false`".into()),
        };
        let ty = self.show(ty);
        let message = format!("{} is no value of the clock, which is of type {ty}", wrong.1);
        self.push(Diagnostic::error(Code::Type, wrong.0, message));
        None
    }

    /// Flows of a part are on its clock, unless what defines them is sampled there. (Whether
    /// that is right is for the clock calculus to say.)
    pub(super) fn slower_flows(&self, node: &mut Node, flows: &[StreamId]) {
        let around = self.scope.sampled.last().copied();
        if around.is_none() {
            return;
        }
        // One may be defined by others.
        for _ in flows {
            let mut changed = false;
            for flow in flows {
                let Stream { clock, definition, .. } = node.stream(*flow);
                if *clock != around {
                    continue;
                }
                let slower =
                    definition.and_then(|definition| self.sampled_inside(node, definition));
                changed |= slower.is_some();
                node.streams[flow.index()].clock = slower.or(around);
            }
            if !changed {
                break;
            }
        }
    }

    /// The clock of an expression of a part, if it is sampled by a flow of that part.
    fn sampled_inside(&self, node: &Node, expr: ExprId) -> Option<Condition> {
        let here = |flow: StreamId| self.level(flow) == self.scope.sampled.len();
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match &self.scope.exprs[expr].kind {
                ExprKind::When(_, condition) if here(condition.flow) => return Some(*condition),
                ExprKind::When(..) | ExprKind::Held(..) => {}
                ExprKind::Merge(clock, _) => pending.push(*clock),
                ExprKind::Stream(flow) if here(*flow) && flow.index() < node.streams.len() => {
                    let clock = node.stream(*flow).clock;
                    if clock != self.scope.sampled.last().copied() {
                        return clock;
                    }
                }
                ExprKind::Pre(of) => pending.push(*of),
                ExprKind::Output(call, _) => {
                    let call = &self.scope.calls[call.index()];
                    pending.extend(call.args.iter().filter(|_| call.clock.is_none()));
                }
                _ => self.scope.exprs.present_operands(expr, |operand| pending.push(operand)),
            }
        }
        None
    }

    /// `e when c`
    pub(super) fn when(
        &mut self,
        list: Vec<ExprId>,
        sampling: &Sampling,
        span: Span,
    ) -> Components {
        if !self.temporal("when", span) {
            return None;
        }
        let condition = self.condition(sampling)?;
        let exprs = &mut self.scope.exprs;
        let one = |e: ExprId| {
            let ty = exprs[e].ty.clone();
            exprs.push(ExprKind::When(e, condition), ty, span)
        };
        Some(list.into_iter().map(one).collect())
    }

    /// `current e`
    pub(super) fn current(&mut self, list: Vec<ExprId>, span: Span) -> Components {
        if !self.temporal("current", span) {
            return None;
        }
        let exprs = &mut self.scope.exprs;
        let one = |e: ExprId| {
            let ty = exprs[e].ty.clone();
            exprs.push(ExprKind::Held(e, None), ty, span)
        };
        Some(list.into_iter().map(one).collect())
    }

    /// `merge c (A -> a) (B -> b)`
    pub(super) fn merge(
        &mut self,
        name: &ast::Ident,
        branches: Vec<(&Case, Components)>,
        span: Span,
    ) -> Components {
        if !self.temporal("merge", span) {
            return None;
        }
        let (flow, ty) = self.clock_flow(name)?;
        let count = match &ty {
            Type::Enum(id) => self.program.enums[id.index()].values.len(),
            _ => 2,
        };
        let mut values: Vec<Option<Vec<ExprId>>> = vec![None; count];
        for (case, value) in branches {
            let position = self.case(case, &ty, span)? as usize;
            let value = value?;
            if values[position].replace(value).is_some() {
                let message = "`merge` has two branches for the same value of its clock";
                self.push(Diagnostic::error(Code::Definition, span, message));
                return None;
            }
        }
        if let Some(missing) = values.iter().position(Option::is_none) {
            let value = match &ty {
                Type::Enum(id) => self.program.enums[id.index()].values[missing].to_string(),
                _ => (missing == 1).to_string(),
            };
            let message = format!("`merge` has no branch for the value `{value}` of its clock");
            self.push(Diagnostic::error(Code::Definition, span, message));
            return None;
        }
        let clock = self.scope.exprs.push(ExprKind::Stream(flow), ty, name.span);
        self.merged(clock, values.into_iter().flatten().collect(), span)
    }

    /// Merges lists of values, each by itself.
    fn merged(&mut self, clock: ExprId, branches: Vec<Vec<ExprId>>, span: Span) -> Components {
        let length = branches[0].len();
        if let Some(other) = branches.iter().find(|branch| branch.len() != length) {
            let message = format!(
                "the branches of `merge` need as many values: {length} and {} here",
                other.len()
            );
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        let mut merged = Vec::with_capacity(length);
        for i in 0..length {
            let parts: Vec<ExprId> = branches.iter().map(|branch| branch[i]).collect();
            let mut ty = self.scope.exprs[parts[0]].ty.clone();
            for part in &parts[1..] {
                self.same_type("merge", parts[0], *part)?;
                ty = ty.join(&self.scope.exprs[*part].ty);
            }
            merged.push(self.scope.exprs.push(ExprKind::Merge(clock, parts), ty, span));
        }
        Some(merged)
    }

    /// A call that runs only at times.
    pub(super) fn activated(&mut self, of: Activated, span: Span) -> Components {
        let Activated { call: outputs, clock, reset, defaults, initial, place } = of;
        if !self.temporal(if clock.is_some() { "activate" } else { "restart" }, span) {
            return None;
        }
        let call = self.called(&outputs, place, span)?;
        let clock = match clock {
            Some(clock) => {
                let clock = self.truth(&clock, "when a node runs", span)?;
                let clock = self.activation_inside(clock);
                // What is merged by it has to be on the clock of a flow.
                Some(if initial { clock } else { self.as_flow(clock) })
            }
            None => None,
        };
        let reset = match reset {
            Some(reset) => Some(self.truth(&reset, "when a node begins anew", span)?),
            None => None,
        };
        let known = &mut self.scope.calls[call.index()];
        // One of them must not take the place of the other.
        if known.clock.is_some() && clock.is_some() || known.reset.is_some() && reset.is_some() {
            let what = if clock.is_some() { "activated" } else { "restarted" };
            let message = format!("this call is {what} already");
            self.push(
                Diagnostic::error(Code::Clock, span, message).help(
                    "join the conditions with `and` or `or`, or put one into a node of its own",
                ),
            );
            return None;
        }
        known.clock = clock.or(known.clock);
        known.reset = reset.or(known.reset);
        match defaults {
            Some(defaults) => {
                let defaults: Option<Vec<Vec<ExprId>>> = defaults.into_iter().collect();
                let defaults = self.defaults(&outputs, defaults?.concat(), span)?;
                match clock.filter(|_| !initial) {
                    Some(clock) => Some(self.or_else(clock, (outputs, defaults), span)),
                    None => Some(self.held(outputs, defaults, span)),
                }
            }
            None => Some(outputs),
        }
    }

    /// A condition as a flow.
    fn as_flow(&mut self, condition: ExprId) -> ExprId {
        let Expr { kind, ty, span, .. } = self.scope.exprs[condition].clone();
        if matches!(kind, ExprKind::Stream(_)) {
            return condition;
        }
        let flow = self.pending_flow("active", ty.clone(), Some(condition), span);
        self.scope.exprs.push(ExprKind::Stream(flow), ty, span)
    }

    /// `(activate f every c default d)(x)`: the outputs of a call where it runs, and the defaults
    /// elsewhere, merged by the flow that says so.
    fn or_else(
        &mut self,
        clock: ExprId,
        (outputs, defaults): (Vec<ExprId>, Vec<ExprId>),
        span: Span,
    ) -> Vec<ExprId> {
        let ExprKind::Stream(flow) = self.scope.exprs[clock].kind else {
            unreachable!("the condition was made a flow")
        };
        let exprs = &mut self.scope.exprs;
        let pairs = outputs.into_iter().zip(defaults);
        pairs
            .map(|(output, default)| {
                let ty = exprs[output].ty.join(&exprs[default].ty);
                let sampled = ExprKind::When(default, Condition { flow, value: 0 });
                let sampled = exprs.push(sampled, exprs[default].ty.clone(), span);
                exprs.push(ExprKind::Merge(clock, vec![sampled, output]), ty, span)
            })
            .collect()
    }

    fn truth(&mut self, list: &[ExprId], what: &str, span: Span) -> Option<ExprId> {
        let [one] = list[..] else {
            let message = format!("{what} is one value, this has {}", list.len());
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        };
        self.expect(one, &Type::Bool, what).then_some(one)
    }

    /// The call whose outputs some values are, or the one of a node without outputs that stands
    /// in a place; reports if there is none.
    fn called(&mut self, outputs: &[ExprId], place: Span, span: Span) -> Option<CallId> {
        let exprs = &self.scope.exprs;
        let of = |e: &ExprId| match exprs[*e].kind {
            ExprKind::Output(call, _) => Some(call),
            _ => None,
        };
        let call = match outputs {
            // It was resolved just now, so it is the last one that stands there.
            [] => {
                let found = self.scope.calls.iter().rposition(|call| call.span == place);
                found.map(|position| CallId(position as u32))
            }
            [first, ..] => of(first).filter(|call| outputs.iter().all(|e| of(e) == Some(*call))),
        };
        if call.is_none() {
            let message = "only a call of a node has a clock of its own";
            self.push(Diagnostic::error(Code::Clock, span, message));
        }
        call
    }

    /// The defaults of a call, one for each output.
    fn defaults(
        &mut self,
        outputs: &[ExprId],
        defaults: Vec<ExprId>,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        if outputs.len() != defaults.len() {
            let message = format!(
                "the node has {}, {} given for where it does not run",
                count(outputs.len(), "output"),
                count(defaults.len(), "value")
            );
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        for (output, default) in outputs.iter().zip(&defaults) {
            let ty = self.scope.exprs[*output].ty.clone();
            if !self.expect(*default, &ty, "the value where the node does not run") {
                return None;
            }
        }
        Some(defaults)
    }

    /// The outputs of a call, and while it does not run the last ones.
    fn held(&mut self, outputs: Vec<ExprId>, defaults: Vec<ExprId>, span: Span) -> Vec<ExprId> {
        let exprs = &mut self.scope.exprs;
        let one = |(output, default): (ExprId, ExprId)| {
            let ty = exprs[output].ty.clone();
            exprs.push(ExprKind::Held(output, Some(default)), ty, span)
        };
        outputs.into_iter().zip(defaults).map(one).collect()
    }
}
