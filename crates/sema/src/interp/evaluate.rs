//! Values on demand: what must be known first, and expressions from their operands.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::plan::Plan;
use super::{Choices, Definition, Machine, Need, Open, Slot, arithmetic, plan};
use crate::instances::InstanceId;
use crate::program::{ExprKind, LeafId, StreamId};
use crate::types::{Type, Value};

impl Machine<'_> {
    /// The definition of a flow: its equation, or the argument of the call.
    fn definition(&self, instance: InstanceId, (stream, leaf): (StreamId, u32)) -> Definition {
        let node = self.tree.node(self.program, instance);
        match (node.stream(stream).definition, self.tree.instance(instance).parent) {
            (Some(expr), _) => Definition { instance, leaf: (expr, leaf) },
            (None, Some((caller, call))) => {
                let caller_node = self.tree.node(self.program, caller);
                let expr = caller_node.calls[call.index()].args[stream.index()];
                Definition { instance: caller, leaf: (expr, leaf) }
            }
            (None, None) => unreachable!("the inputs of the root have their values"),
        }
    }

    /// Finds out something, and first all that it needs. Terminates because causality
    /// was checked.
    pub(super) fn force(&mut self, need: Need, choices: &mut dyn Choices) {
        let mut waiting = vec![need];
        while let Some(&need) = waiting.last() {
            let before = waiting.len();
            match need {
                _ if self.is_known(need) => {}
                Need::Flow(instance, leaf) => {
                    waiting.extend(self.force_flow(instance, leaf, choices));
                }
                Need::Clock(instance, scope) => {
                    waiting.extend(self.force_clock((instance, scope), choices));
                }
            }
            if waiting.len() == before {
                waiting.pop();
            }
        }
    }

    fn is_known(&self, need: Need) -> bool {
        match need {
            Need::Flow(instance, leaf) => {
                let slot = &self.values[instance.index()][self.slot(instance, leaf)];
                !matches!(slot, Slot::Unknown)
            }
            Need::Clock(instance, scope) => self.ticks.known(instance, scope).is_some(),
        }
    }

    /// Gives a leaf of a flow its value, unless something else must be known first.
    fn force_flow(
        &mut self,
        instance: InstanceId,
        leaf: (StreamId, u32),
        choices: &mut dyn Choices,
    ) -> Vec<Need> {
        let scope = self.tree.node(self.program, instance).stream(leaf.0).scope;
        let Some(tick) = self.ticks.known(instance, scope) else {
            return vec![Need::Clock(instance, scope)];
        };
        let mut value = None;
        if tick.active {
            let definition = self.definition(instance, leaf);
            let missing = self.missing(definition);
            if !missing.is_empty() {
                return missing;
            }
            value = self.evaluate(definition, choices);
        }
        let slot = self.slot(instance, leaf);
        self.values[instance.index()][slot] = value.map_or(Slot::Absent, Slot::Present);
        Vec::new()
    }

    /// The leaf of a flow that a leaf of an expression stands for.
    fn flow(
        &self,
        instance: InstanceId,
        kind: &ExprKind,
        leaf: u32,
    ) -> (InstanceId, (StreamId, u32)) {
        match kind {
            ExprKind::Stream(stream) => (instance, (*stream, leaf)),
            ExprKind::Output(call, i) => {
                let child = self.tree.child(instance, *call);
                let inputs = self.tree.node(self.program, child).inputs as u32;
                (child, (StreamId(inputs + i), leaf))
            }
            _ => unreachable!("a leaf is a flow or an output"),
        }
    }

    /// What an expression needs and is not known yet: first its clocks, then the leaves of
    /// flows, as far as these are read at this step.
    pub(super) fn missing(&mut self, definition: Definition) -> Vec<Need> {
        let plan = self.plan(definition);
        let instance = definition.instance;
        let clocks = plan.scopes.iter().map(|scope| Need::Clock(instance, *scope));
        let clocks: Vec<Need> = clocks.filter(|need| !self.is_known(*need)).collect();
        if !clocks.is_empty() {
            return clocks;
        }
        let exprs = &self.tree.node(self.program, instance).exprs;
        let read = plan.flows.iter().filter(|(id, _)| self.tick(instance, exprs[*id].scope).active);
        let flows = read.map(|(id, leaf)| {
            let (instance, leaf) = self.flow(instance, &exprs[*id].kind, *leaf);
            Need::Flow(instance, leaf)
        });
        flows.filter(|need| !self.is_known(*need)).collect()
    }

    fn plan(&mut self, definition: Definition) -> Arc<Plan> {
        let node = self.tree.instance(definition.instance).node;
        let exprs = &self.program.node(node).exprs;
        let new = || Arc::new(Plan::new(exprs, definition.leaf));
        self.plans.entry((node, definition.leaf)).or_insert_with(new).clone()
    }

    /// The value of a leaf of an expression for which nothing is missing; none at a step
    /// at which it has none.
    pub(super) fn evaluate(
        &mut self,
        definition: Definition,
        choices: &mut dyn Choices,
    ) -> Option<Value> {
        let plan = self.plan(definition);
        let exprs = &self.tree.node(self.program, definition.instance).exprs;
        let mut done: FxHashMap<LeafId, Value> = FxHashMap::default();
        for &id in &plan.code {
            if self.tick(definition.instance, exprs[id.0].scope).active {
                let value = self.evaluate_one(definition.instance, id, &done, choices);
                done.insert(id, value);
            }
        }
        done.remove(&definition.leaf)
    }

    /// The value of a leaf of an expression from those of its operands.
    fn evaluate_one(
        &self,
        instance: InstanceId,
        (id, leaf): LeafId,
        done: &FxHashMap<LeafId, Value>,
        choices: &mut dyn Choices,
    ) -> Value {
        let exprs = &self.tree.node(self.program, instance).exprs;
        let open = Open { instance, expr: id, leaf };
        let ty = || exprs[id].ty.leaf(leaf);
        let first = self.tick(instance, exprs[id].scope).first;
        let remembered = || self.memory[instance.index()][&(id, leaf)].clone();
        match &exprs[id].kind {
            ExprKind::Const(c) => self.constants[c.index()][leaf as usize].clone(),
            kind @ (ExprKind::Stream(_) | ExprKind::Output(..)) => {
                let (instance, leaf) = self.flow(instance, kind, leaf);
                let value = self.values[instance.index()][self.slot(instance, leaf)].value();
                value.expect("flows are evaluated before what needs them").clone()
            }
            ExprKind::Pre(_) if first => choices.first_value(open, self.steps, ty()),
            ExprKind::Pre(_) => remembered(),
            ExprKind::Fby(initial, _) if first => done[&(*initial, leaf)].clone(),
            ExprKind::Fby(..) => remembered(),
            ExprKind::Arrow(initial, _) if first => done[&(*initial, leaf)].clone(),
            ExprKind::Arrow(_, later) => done[&(*later, leaf)].clone(),
            ExprKind::Any => choices.any_value(open, self.steps, ty()),
            ExprKind::Apply(function, _) => {
                let node = self.tree.node(self.program, instance);
                let of = |(e, i): LeafId| (exprs[e].ty.leaf(i), done[&(e, i)].clone());
                let arguments: Vec<(&Type, Value)> = exprs.arguments(id).map(of).collect();
                choices.apply(node.function_number(*function, leaf), &arguments, ty())
            }
            ExprKind::When(sampled, _) => done[&(*sampled, leaf)].clone(),
            ExprKind::Merge(clock, branches) => {
                let branch = match done[&(*clock, 0)] {
                    Value::Bool(truth) => usize::from(truth),
                    Value::Enum(value) => value as usize,
                    _ => unreachable!("a clock is a truth value or of an enumeration"),
                };
                done[&(branches[branch], leaf)].clone()
            }
            ExprKind::Held(value, default) => match (done.get(&(*value, leaf)), default) {
                (Some(value), _) => value.clone(),
                (None, _) if !first => remembered(),
                (None, Some(default)) => done[&(*default, leaf)].clone(),
                (None, None) => choices.first_value(open, self.steps, ty()),
            },
            ExprKind::Element(array, index, outside) => {
                let found = arithmetic::element(exprs, (id, leaf), *array, &done[&(*index, 0)]);
                match found.or_else(|| Some(((*outside)?, leaf))) {
                    Some(found) => done[&found].clone(),
                    None => choices.any_value(open, self.steps, ty()),
                }
            }
            _ => arithmetic::combine(exprs, (id, leaf), |operand| done[&operand].clone(), choices),
        }
    }

    /// Stores what each `pre` and `fby`, and what is held, will say at the next step.
    pub(super) fn remember(&mut self, choices: &mut dyn Choices) {
        let tree = self.tree;
        for instance in tree.ids() {
            let node = tree.instance(instance).node;
            let exprs = &self.program.node(node).exprs;
            let new = || Arc::new(plan::remembered(self.program.node(node)));
            let remembered = self.remembered.entry(node).or_insert_with(new).clone();
            let mut next = Vec::with_capacity(remembered.len());
            for &(id, leaf) in &*remembered {
                let kept = match exprs[id].kind {
                    ExprKind::Pre(operand) | ExprKind::Fby(_, operand) => operand,
                    _ => id,
                };
                let kept = Definition { instance, leaf: (kept, leaf) };
                // What is not active keeps what it remembers.
                next.extend(self.evaluate(kept, choices).map(|value| ((id, leaf), value)));
            }
            self.memory[instance.index()].extend(next);
        }
    }
}
