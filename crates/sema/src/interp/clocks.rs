//! The clocks of a running program: which scopes take a step, and which of them begin.
//!
//! A scope begins when it is first active, and again where its reset is true: then
//! everything inside it is forgotten, as if it had never run. This is all that there is
//! to a restart; the translation of programs, which this is compared with, says the
//! same with flags.

use super::{Choices, Definition, Machine, Need};
use crate::instances::{InstanceId, InstanceTree};
use crate::program::{Program, ScopeId};
use crate::types::Value;

/// What a scope does at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tick {
    pub active: bool,
    /// Whether it is the first step of the scope, if it is active.
    pub first: bool,
}

impl Tick {
    const INACTIVE: Tick = Tick { active: false, first: false };
}

/// The clocks of all instances.
#[derive(Clone)]
pub(super) struct Ticks {
    /// What each scope does at the present step, as far as that is known.
    now: Vec<Vec<Option<Tick>>>,
    /// Whether each scope has run since it last began; that of a node's own scope is
    /// the caller's.
    begun: Vec<Vec<bool>>,
}

impl Ticks {
    pub fn new(program: &Program, tree: &InstanceTree) -> Ticks {
        let scopes = |id| tree.node(program, id).scopes.len();
        Ticks {
            now: tree.ids().map(|id| vec![None; scopes(id)]).collect(),
            begun: tree.ids().map(|id| vec![false; scopes(id)]).collect(),
        }
    }

    /// Before a step.
    pub fn clear(&mut self) {
        self.now.iter_mut().flatten().for_each(|tick| *tick = None);
    }

    pub fn begun(&self) -> &[Vec<bool>] {
        &self.begun
    }

    pub fn resume(&mut self, begun: &[Vec<bool>]) {
        self.begun = begun.to_vec();
    }

    pub fn known(&self, instance: InstanceId, scope: ScopeId) -> Option<Tick> {
        self.now[instance.index()][scope.index()]
    }
}

impl Machine<'_> {
    /// What a scope does at the present step, which is known.
    pub(super) fn tick(&self, instance: InstanceId, scope: ScopeId) -> Tick {
        let known = self.ticks.known(instance, scope);
        known.expect("the clock of an expression is known before its value is asked for")
    }

    /// Whether an instance takes the present step.
    #[must_use]
    pub fn is_active(&self, instance: InstanceId) -> bool {
        self.tick(instance, ScopeId::NODE).active
    }

    /// Finds out what a scope does, unless something else must be known first.
    pub(super) fn force_clock(
        &mut self,
        (instance, scope): (InstanceId, ScopeId),
        choices: &mut dyn Choices,
    ) -> Vec<Need> {
        let (program, tree) = (self.program, self.tree);
        let known = tree.node(program, instance).scope(scope);
        let outer = match (known.parent, tree.instance(instance).parent) {
            (Some(parent), _) => (instance, parent),
            (None, Some((caller, call))) => {
                (caller, tree.node(program, caller).calls[call.index()].scope)
            }
            (None, None) => {
                let tick = Tick { active: true, first: self.first };
                self.ticks.now[instance.index()][scope.index()] = Some(tick);
                return Vec::new();
            }
        };
        let Some(around) = self.ticks.known(outer.0, outer.1) else {
            return vec![Need::Clock(outer.0, outer.1)];
        };
        let tick = if known.parent.is_none() || !around.active {
            around
        } else {
            let exprs = known.activation.into_iter().chain(known.reset);
            for expr in exprs.clone() {
                let missing = self.missing(Definition { instance, leaf: (expr, 0) });
                if !missing.is_empty() {
                    return missing;
                }
            }
            let mut truth = |expr| {
                let definition = Definition { instance, leaf: (expr, 0) };
                self.evaluate(definition, choices) == Some(Value::Bool(true))
            };
            let active = known.activation.is_none_or(&mut truth);
            let reset = active && known.reset.is_some_and(truth);
            if active { self.begin(instance, scope, reset) } else { Tick::INACTIVE }
        };
        self.ticks.now[instance.index()][scope.index()] = Some(tick);
        Vec::new()
    }

    /// A scope is active.
    fn begin(&mut self, instance: InstanceId, scope: ScopeId, reset: bool) -> Tick {
        if reset {
            self.forget(instance, scope);
        }
        let begun = &mut self.ticks.begun[instance.index()][scope.index()];
        let first = !std::mem::replace(begun, true);
        Tick { active: true, first }
    }

    /// Forgets all that happened inside a scope.
    fn forget(&mut self, instance: InstanceId, scope: ScopeId) {
        let (program, tree) = (self.program, self.tree);
        let mut stack = vec![(instance, scope)];
        while let Some((instance, scope)) = stack.pop() {
            let node = tree.node(program, instance);
            // A scope has a greater id than those around it.
            let mut inside = vec![false; node.scopes.len()];
            for (i, known) in node.scopes.iter().enumerate() {
                let within = |parent: ScopeId| inside[parent.index()];
                inside[i] = i == scope.index() || known.parent.is_some_and(within);
            }
            let begun = &mut self.ticks.begun[instance.index()];
            begun
                .iter_mut()
                .zip(&inside)
                .filter(|(_, inside)| **inside)
                .for_each(|(b, _)| *b = false);
            let exprs = &node.exprs;
            self.memory[instance.index()]
                .retain(|(expr, _), _| !inside[exprs[*expr].scope.index()]);
            let calls = node.calls.iter().zip(&tree.instance(instance).children);
            let calls = calls.filter(|(call, _)| inside[call.scope.index()]);
            stack.extend(calls.map(|(_, child)| (*child, ScopeId::NODE)));
        }
    }
}
