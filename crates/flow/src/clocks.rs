//! The clocks of scopes: when a scope is active, and which step is its first.
//!
//! The clock of the root is always active, and the memory [`Origin::First`]
//! tells its first step. A scope inside a node has a defined variable for its
//! activity and one for its first steps, and if it has an activation a memory
//! beside them, whether it is *fresh*: not active since its parent's last
//! first step. With the definition in `lustral_kernel::scope`:
//!
//! ```text
//! active = parent.active and activation
//! first  = parent.first or reset or fresh              (read at active steps)
//! fresh' = not active and (parent.active and parent.first or fresh)
//! ```
//!
//! where `fresh` begins true. Where no scope around has a reset, a scope is fresh
//! at the first step of its parent anyhow, so `first = reset or fresh` and
//! `fresh' = not active and fresh`. Without an activation a scope is active at
//! the first step of its parent, so it is never fresh afterwards and needs no
//! memory.

use lustral_kernel::{Scope, ScopeId};
use lustral_sema::InstanceId;
use lustral_system::{ClockPart, Memory, Origin, Role};
use lustral_term::{TermId, Terms, Value};

use crate::encode::{Encoder, flag};

/// The clock of a scope, in the terms of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    /// Whether the scope is active.
    pub active: TermId,
    /// Whether the step is its first, if it is active.
    pub first: TermId,
    /// Whether it or a scope around it can begin anew.
    restarts: bool,
}

impl Encoder<'_> {
    /// The clock of the whole execution.
    pub(crate) fn root_clock(&mut self) -> Clock {
        let variable = flag("(first step)".into(), Role::Memory, Origin::First);
        let (var, first) = self.system.add_variable(variable);
        let (initial, next) = (Value::Bool(true), Terms::FALSE);
        self.system.memories.push(Memory { var, initial, next });
        Clock { active: Terms::TRUE, first, restarts: false }
    }

    /// The clock of a scope of an instance.
    pub(crate) fn clock(&self, id: InstanceId, scope: ScopeId) -> Clock {
        self.clocks[id.index()][scope.index()]
    }

    /// The clocks of all scopes, once all flows have their variables. Callers
    /// come before those that they call, and parents before what is inside.
    pub(crate) fn inner_clocks(&mut self, root: Clock) {
        for id in self.tree.ids() {
            let node = self.node(id);
            let own = match self.tree.instance(id).parent {
                None => root,
                Some((caller, call)) => self.clock(caller, self.node(caller).call(call).scope),
            };
            self.clocks.push(vec![own]);
            let inside = if self.tree.is_cut(id) { 1 } else { node.scopes.len() };
            for scope in node.scope_ids().take(inside).skip(1) {
                let clock = self.inner_clock(id, scope, node.scope(scope));
                self.clocks[id.index()].push(clock);
            }
            self.mark_streams(id);
        }
    }

    fn inner_clock(&mut self, id: InstanceId, scope: ScopeId, known: &Scope) -> Clock {
        let outer = known.parent.expect("every scope but the node's own has a parent");
        let exprs = &self.node(id).exprs;
        let parent = self.clock(id, outer);
        let reset = known.reset.map(|reset| self.expr(id, outer, exprs, reset));
        let restarts = parent.restarts || reset.is_some();
        let reset = reset.unwrap_or(Terms::FALSE);
        let Some(activation) = known.activation else {
            let first = self.system.terms.or([parent.first, reset]);
            let first = self.clock_variable(id, scope, ClockPart::First, first);
            return Clock { active: parent.active, first, restarts };
        };
        let activation = self.expr(id, outer, exprs, activation);
        let active = self.system.terms.and([parent.active, activation]);
        let active = self.clock_variable(id, scope, ClockPart::Active, active);
        let fresh = self.clock_flag(id, scope, ClockPart::Fresh, Role::Memory);
        let terms = &mut self.system.terms;
        let (first, kept) = if parent.restarts {
            let begins = terms.and([parent.active, parent.first]);
            (terms.or([parent.first, reset, fresh]), terms.or([begins, fresh]))
        } else {
            (terms.or([reset, fresh]), fresh)
        };
        let inactive = terms.not(active);
        let next = terms.and([inactive, kept]);
        let var = terms.var(fresh).expect("a flag is a variable");
        self.system.memories.push(Memory { var, initial: Value::Bool(true), next });
        let first = self.clock_variable(id, scope, ClockPart::First, first);
        Clock { active, first, restarts }
    }

    /// A term under a name of its own, so that traces and engines find it.
    fn clock_variable(
        &mut self,
        id: InstanceId,
        scope: ScopeId,
        part: ClockPart,
        term: TermId,
    ) -> TermId {
        self.clock_flag(id, scope, part, Role::Defined(term))
    }

    fn clock_flag(
        &mut self,
        id: InstanceId,
        scope: ScopeId,
        part: ClockPart,
        role: Role,
    ) -> TermId {
        let word = match part {
            ClockPart::Active => "active",
            ClockPart::First => "first step",
            ClockPart::Fresh => "fresh",
        };
        let name = format!("({word}: clock {} of {})", scope.0, self.where_is(id));
        let origin = Origin::Clock { instance: id, scope, part };
        self.system.add_variable(flag(name, role, origin)).1
    }

    /// Says of each declared flow where it is present.
    fn mark_streams(&mut self, id: InstanceId) {
        let node = self.node(id);
        let declared = node.flows.iter().filter(|flow| flow.source.is_some());
        let scopes: Vec<ScopeId> = declared.map(|flow| flow.scope).collect();
        for (i, scope) in scopes.into_iter().enumerate() {
            // Of what is cut, only the interface is there, in the node's own scope.
            if let Some(stream) = self.system.instances[id.index()].streams.get_mut(i) {
                let active = self.clocks[id.index()][scope.index()].active;
                stream.active = self.system.terms.var(active);
            }
        }
    }
}
