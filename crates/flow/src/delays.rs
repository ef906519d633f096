//! What is remembered from step to step, and the arbitrary first values.

use std::fmt::Write;

use lustral_kernel::{ExprId, ExprKind, Exprs, FlowKind, ScopeId};
use lustral_sema::InstanceId;
use lustral_syntax::source::LineColumn;
use lustral_system::{Origin, Role, TransitionSystem, Variable};
use lustral_term::{TermId, Value, VarId};
use rustc_hash::FxHashMap;

use crate::encode::{Encoder, plain_value, range};

/// A delayed term.
pub(crate) struct Delayed {
    pub var: VarId,
    pub operand: TermId,
    /// At which steps it is remembered.
    pub active: TermId,
    pub initial: Value,
}

/// The delays of a system: one memory for all delays of one term on one clock.
/// Resets make no difference to what is remembered, only to whether it is read.
#[derive(Default)]
pub(crate) struct Delays {
    list: Vec<Delayed>,
    by_term: FxHashMap<(TermId, TermId), usize>,
}

impl Delays {
    fn known(&self, active: TermId, operand: TermId) -> Option<VarId> {
        self.by_term.get(&(active, operand)).map(|i| self.list[*i].var)
    }

    fn push(&mut self, delayed: Delayed) {
        self.by_term.insert((delayed.active, delayed.operand), self.list.len());
        self.list.push(delayed);
    }

    /// All delays, in the order in which they were found.
    pub(crate) fn take(&mut self) -> Vec<Delayed> {
        std::mem::take(&mut self.list)
    }
}

impl Encoder<'_> {
    /// The arbitrary value of a `pre` at a first step: one for each occurrence
    /// in each instance, of the type of its operand.
    pub(crate) fn first_value(
        &mut self,
        instance: InstanceId,
        exprs: &Exprs,
        id: ExprId,
    ) -> TermId {
        if let Some(known) = self.choices.get(&(instance, id)) {
            return *known;
        }
        let ty = &exprs[id].ty;
        let (_, term) = self.system.add_variable(Variable {
            name: format!("(first value of `pre` in {})", self.where_is(instance)),
            sort: ty.sort,
            role: Role::Choice,
            range: range(ty),
            origin: match exprs[id].source {
                Some((expr, leaf)) => Origin::FirstValue { instance, expr, leaf },
                None => Origin::Kernel { instance },
            },
        });
        self.choices.insert((instance, id), term);
        term
    }

    /// The value of an expression that is anything at each step: one for each
    /// occurrence in each instance, of the type of the expression.
    pub(crate) fn any_value(&mut self, instance: InstanceId, exprs: &Exprs, id: ExprId) -> TermId {
        if let Some(known) = self.open.get(&(instance, id)) {
            return *known;
        }
        let ty = &exprs[id].ty;
        let place = self.node(instance).places.get(&id);
        let place = place.map(|at| format!(", line {}, column {}", at.line, at.column));
        let place = place.unwrap_or_default();
        let (_, term) = self.system.add_variable(Variable {
            name: format!("(any value in {}{place})", self.where_is(instance)),
            sort: ty.sort,
            role: Role::Choice,
            range: range(ty),
            origin: match exprs[id].source {
                Some((expr, leaf)) => Origin::Any { instance, expr, leaf },
                None => Origin::Kernel { instance },
            },
        });
        self.open.insert((instance, id), term);
        term
    }

    /// The name of an instance: its path, for the root that of its node.
    pub(crate) fn where_is(&self, instance: InstanceId) -> String {
        let path = self.tree.path(self.program, instance);
        if path.is_empty() { self.node(instance).name.to_string() } else { path }
    }

    /// The memory of an expression. Its value at a first step of the scope is
    /// never read: every use stands behind the flag of the scope's first steps.
    pub(crate) fn delay(
        &mut self,
        instance: InstanceId,
        scope: ScopeId,
        exprs: &Exprs,
        (id, operand): (ExprId, ExprId),
        term: TermId,
    ) -> TermId {
        let active = self.clock(instance, scope).active;
        let ty = &exprs[operand].ty;
        if let Some(var) = self.delays.known(active, term) {
            return self.system.terms.variable(var, ty.sort);
        }
        let name = match self.system.terms.var(term) {
            Some(var) => format!("pre {}", self.system.variable(var).name),
            None => format!("(pre in {})", self.where_is(instance)),
        };
        let (var, memory) = self.system.add_variable(Variable {
            name,
            sort: ty.sort,
            role: Role::Memory,
            range: None,
            origin: match exprs[id].source {
                Some((expr, leaf)) => Origin::Delay { instance, expr, leaf },
                None => Origin::Kernel { instance },
            },
        });
        // What is always in its range is so too where it was remembered while
        // a scope was not active, and the first value of the memory is.
        let mut initial = Value::zero(ty.sort);
        if self.always_in_range(instance, exprs, operand)
            && let Some(range) = range(ty)
        {
            initial = plain_value(ty.sort, Some(&range));
            let typing = TransitionSystem::range_term(&mut self.system.terms, memory, &range);
            self.system.typing.push(typing);
        }
        self.delays.push(Delayed { var, operand: term, active, initial });
        memory
    }

    /// Whether an expression stays within the bounds of its type whatever
    /// happens, also where its scope is not active: the inputs of the root do.
    /// A defined flow with a subrange need not: that is a property.
    fn always_in_range(&self, instance: InstanceId, exprs: &Exprs, id: ExprId) -> bool {
        match (&exprs[id].ty, &exprs[id].kind) {
            (ty, ExprKind::Flow(flow)) if ty.bounds.is_some() => {
                let given = instance == InstanceId::ROOT && self.tree.is_given();
                given && self.node(instance).flow(*flow).kind == FlowKind::Input
            }
            _ => false,
        }
    }

    /// Names the first value of each `pre` by its line; by its column too where
    /// the line has several, and by a number where one `pre` has several values.
    pub(crate) fn name_first_values(&mut self) {
        let mut found: Vec<(VarId, InstanceId, LineColumn)> = Vec::new();
        for ((instance, expr), term) in &self.choices {
            let place = self.node(*instance).places.get(expr);
            if let (Some(var), Some(place)) = (self.system.terms.var(*term), place) {
                found.push((var, *instance, *place));
            }
        }
        found.sort_unstable();
        // How many there are at each place, and how many places on each line.
        let mut at: FxHashMap<(InstanceId, LineColumn), usize> = FxHashMap::default();
        let mut on_line: FxHashMap<(InstanceId, u32), usize> = FxHashMap::default();
        for (_, instance, place) in &found {
            let here = at.entry((*instance, *place)).or_default();
            *here += 1;
            if *here == 1 {
                *on_line.entry((*instance, place.line)).or_default() += 1;
            }
        }
        let mut numbers: FxHashMap<(InstanceId, LineColumn), usize> = FxHashMap::default();
        for (var, instance, place) in found {
            let LineColumn { line, column } = place;
            let known = &self.system.instances[instance.index()];
            let path = if known.path.is_empty() { &known.node } else { &known.path };
            let mut name = format!("(first value of `pre` in {path}, line {line}");
            if on_line[&(instance, line)] > 1 {
                let _ = write!(name, ", column {column}");
            }
            if at[&(instance, place)] > 1 {
                let number = numbers.entry((instance, place)).or_default();
                *number += 1;
                let _ = write!(name, ", value {number}");
            }
            self.system.variables[var.index()].name = name + ")";
        }
    }
}
