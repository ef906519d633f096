//! Frames, sampled flows, calls that run at times, delays by several steps: read literally as well.

use std::collections::{BTreeSet, VecDeque};

use lustral_syntax::ast::{Activation, Case, ExprId, ExprKind, Frame, Ident};

use super::{Flows, Part, Surface, Which, defined_in_items, keep};

impl<'a> Surface<'a> {
    /// In a frame its flows have last values, at the first step the initial ones; what nothing
    /// in it defines keeps its value.
    pub(super) fn frame(&self, frame: &'a Frame, part: &mut Part<'_>, flows: &mut Flows) {
        let given = flows.last.len();
        for equation in &frame.initial {
            let key = flows.key(&equation.left[0].name).expect("a flow");
            let first = self.expr(equation.right, part, flows);
            let last = if part.old.begun { part.old.last.get(&key).copied() } else { first };
            flows.last.push((key, last));
        }
        let all: BTreeSet<_> = frame.flows.iter().map(|flow| flow.name.clone()).collect();
        keep(&all, &defined_in_items(&frame.items), flows);
        self.items(&frame.items, part, flows);
        for (key, _) in flows.last.drain(given..) {
            if let Some(value) = flows.known.get(&key) {
                part.new.last.insert(key, *value);
            }
        }
    }

    /// A branch of `merge` takes a step where the clock has its value. What it samples is
    /// evaluated around it, at every step.
    pub(super) fn merge(
        &self,
        id: ExprId,
        (clock, branches): (&Ident, &'a [(Case, ExprId)]),
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) -> Option<i64> {
        for sampled in branches.iter().flat_map(|(_, branch)| self.sampled(*branch)) {
            let ExprKind::When(operand, _) = self.exprs[sampled].kind else { continue };
            let value = self.expr(operand, part, flows);
            flows.sampled.insert(sampled, value);
        }
        let now = flows.known.get(&flows.key(&clock.name)?).copied()?;
        let value = |case: &Case| match case {
            Case::True => 1,
            Case::False => 0,
            Case::Value(name) => self.values[&name.name],
        };
        let chosen = branches.iter().position(|(case, _)| value(case) == now)?;
        self.inside(part, (id.0, Which::Part(chosen), false), |inner| {
            self.expr(branches[chosen].1, inner, flows)
        })
    }

    /// The samples in a branch of `merge`, which has none of others in it.
    fn sampled(&self, branch: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut pending = vec![branch];
        while let Some(id) = pending.pop() {
            match self.exprs[id].kind {
                ExprKind::When(..) => found.push(id),
                _ => pending.extend(self.exprs.operands(id)),
            }
        }
        found
    }

    /// A call that runs where its clock is true, and begins anew where its reset is.
    pub(super) fn activated(
        &self,
        id: ExprId,
        of: &'a Activation,
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) -> Option<i64> {
        let ExprKind::Call(name, arguments) = &self.exprs[of.call].kind else {
            unreachable!("only calls are activated")
        };
        let mut known = |expr: &ExprId, part: &mut Part<'_>| self.expr(*expr, part, flows);
        let arguments: Vec<Option<i64>> = arguments.iter().map(|a| known(a, part)).collect();
        let default = of.defaults.as_ref().map(|list| known(&list[0], part));
        let clock = of.clock.as_ref().map_or(Some(1), |clock| known(clock, part));
        let reset = of.reset.as_ref().map_or(Some(0), |reset| known(reset, part));
        let arguments: Vec<i64> = arguments.into_iter().collect::<Option<_>>()?;
        let (clock, reset) = (clock?, reset?);
        if clock != 0 {
            let found = self.call((of.call, &name.name), &arguments, reset != 0, part);
            part.new.before.extend(found.map(|value| (id, value)));
            return found;
        }
        let held = part.old.before.get(&id).copied().filter(|_| of.initial);
        held.or(default.flatten())
    }

    /// The value of n steps before; at the first n steps the initial one of the first.
    pub(super) fn delayed(
        &self,
        id: ExprId,
        [value, steps, initial]: [ExprId; 3],
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) -> Option<i64> {
        let value = self.expr(value, part, flows);
        let steps = usize::try_from(self.expr(steps, part, flows)?).ok()?;
        let initial = self.expr(initial, part, flows);
        let mut waiting: VecDeque<i64> = match part.old.waiting.get(&id) {
            Some(waiting) => waiting.clone(),
            None => std::iter::repeat_n(initial?, steps).collect(),
        };
        let found = waiting.pop_front();
        if let Some(value) = value {
            waiting.push_back(value);
            part.new.waiting.insert(id, waiting);
        }
        found
    }
}
