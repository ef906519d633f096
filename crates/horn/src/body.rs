//! The clauses of one node's body: its first step and its later ones.

use lustral_system::{Origin, Role, Slot, StreamRole, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::clauses::{Application, Clause, Clauses};
use crate::linear::Linear;
use crate::rules::{Build, NodePredicates, Place};

/// A clause (i) or (ii) in the making.
pub(crate) struct Rule<'b, 'm> {
    build: &'b mut Build<'m>,
    node: usize,
    first: bool,
    /// By variable of the node's system: what it is in the clause.
    known: FxHashMap<VarId, TermId>,
    /// Flows that occur and whose definition is not written yet.
    pending: Vec<VarId>,
    before: Vec<TermId>,
    after: Vec<TermId>,
    linear: Linear,
    body: Vec<Application>,
    constraints: Vec<TermId>,
}

impl<'b, 'm> Rule<'b, 'm> {
    /// A clause of a node.
    pub fn new(build: &'b mut Build<'m>, node: usize, first: bool) -> Rule<'b, 'm> {
        Rule {
            build,
            node,
            first,
            known: FxHashMap::default(),
            pending: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            linear: Linear::any(),
            body: Vec::new(),
            constraints: Vec::new(),
        }
    }

    fn system(&self) -> &'m TransitionSystem {
        &self.build.modular.nodes[self.node].system
    }

    /// The clause.
    pub fn clause(mut self) -> Clause {
        let modular = self.build.modular;
        let (node, system) = (&modular.nodes[self.node], self.system());
        self.state();
        let head = self.head();
        for (i, slot) in node.state.iter().enumerate() {
            if let Slot::Own(var) = slot
                && let Some(memory) = node.memory_of(*var)
            {
                let next = self.term(memory.next);
                self.equate(self.after[i], next);
            }
        }
        let flags = self.calls();
        for constraint in &system.constraints {
            let holds = self.term(constraint.term);
            self.constraints.push(holds);
        }
        // What follows for every state that is reached; at the first step
        // nothing is remembered yet.
        if !self.first {
            for fact in &system.typing {
                let holds = self.term(*fact);
                self.constraints.push(holds);
            }
        }
        self.flag(&head, &flags);
        while let Some(var) = self.pending.pop() {
            if let Role::Defined(definition) = system.variable(var).role {
                let value = self.term(definition);
                self.equate(self.known[&var], value);
            }
        }
        self.constraints.append(&mut self.linear.definitions);
        self.constraints.retain(|term| *term != Terms::TRUE);
        let (number, step) = if self.first { ("(ii)", "first") } else { ("(i)", "later") };
        let about = format!("{number} node {}, {}, {step} step", node.name, node.place);
        Clause { about, body: self.body, constraints: self.constraints, head: Some(head) }
    }

    /// The state before and after, and the flag of the first step.
    fn state(&mut self) {
        let modular = self.build.modular;
        let node = &modular.nodes[self.node];
        for slot in &node.state {
            let sort = modular.slot_variable(self.node, *slot).sort;
            if !self.first {
                let before = self.build.clauses.variable('s', sort);
                self.before.push(before);
                if let Slot::Own(var) = slot {
                    self.known.insert(*var, before);
                }
            }
            self.after.push(self.build.clauses.variable('n', sort));
        }
        for memory in &node.system.memories {
            let terms = &mut self.build.clauses.terms;
            let value = match node.system.variable(memory.var).origin {
                Origin::First => terms.bool(self.first),
                // Never read at the first step.
                _ if self.first => terms.constant(memory.initial.clone()),
                _ => continue,
            };
            self.known.insert(memory.var, value);
        }
    }

    fn head(&mut self) -> Application {
        let NodePredicates { initial, step, initial_places, step_places, .. } =
            self.build.nodes[self.node].clone();
        let (predicate, places) =
            if self.first { (initial, initial_places) } else { (step, step_places) };
        let argument = |place: &Place| match place {
            Place::Flow(var) => self.variable(*var),
            Place::Flag => self.build.clauses.variable('p', Sort::Bool),
            Place::Before(i) => self.before[*i],
            Place::After(i) => self.after[*i],
        };
        let arguments = places.iter().map(argument).collect();
        Application { predicate, arguments }
    }

    /// The flag of the head says that the properties hold.
    fn flag(&mut self, head: &Application, flags: &[Option<TermId>]) {
        let places = &self.build.nodes[self.node].initial_places;
        let Some(position) = places.iter().position(|p| *p == Place::Flag) else { return };
        let selection = self.build.selection;
        let mut parts = Vec::new();
        for own in &selection.own[self.node] {
            parts.push(self.term(self.system().properties[*own].term));
        }
        parts.extend(selection.calls[self.node].iter().filter_map(|call| flags[*call]));
        let holds = self.build.clauses.terms.and(parts);
        self.equate(head.arguments[position], holds);
    }

    /// Applies the predicates of the called nodes; the flag of each call.
    fn calls(&mut self) -> Vec<Option<TermId>> {
        let modular = self.build.modular;
        let node = &modular.nodes[self.node];
        let mut flags = Vec::with_capacity(node.calls.len());
        let mut states = 0;
        let own = node.memories().count();
        for (call, callee) in node.calls.iter().enumerate() {
            let NodePredicates { initial, step, initial_places, step_places, .. } =
                self.build.nodes[*callee].clone();
            let (predicate, places) =
                if self.first { (initial, initial_places) } else { (step, step_places) };
            let inputs: Vec<TermId> =
                node.call_flows(call, StreamRole::Input).map(|v| self.argument(v)).collect();
            let outputs: Vec<TermId> =
                node.call_flows(call, StreamRole::Output).map(|v| self.variable(v)).collect();
            let mut flows = inputs.into_iter().chain(outputs);
            let mut flag = None;
            let mut arguments = Vec::with_capacity(places.len());
            for place in places {
                arguments.push(match place {
                    Place::Flow(_) => flows.next().expect("a call has the flows of its node"),
                    Place::Flag => *flag.insert(self.build.clauses.variable('p', Sort::Bool)),
                    Place::Before(i) => self.before[own + states + i],
                    Place::After(i) => self.after[own + states + i],
                });
            }
            states += modular.nodes[*callee].state.len();
            flags.push(flag);
            self.body.push(Application { predicate, arguments });
        }
        flags
    }

    /// The argument for an input of a call: a variable.
    fn argument(&mut self, input: VarId) -> TermId {
        let variable = self.system().variable(input);
        let Role::Defined(argument) = variable.role else { return self.variable(input) };
        let value = self.term(argument);
        if self.build.clauses.terms.var(value).is_some() {
            return value;
        }
        let argument = self.build.clauses.variable('a', variable.sort);
        self.equate(argument, value);
        argument
    }

    fn equate(&mut self, a: TermId, b: TermId) {
        let equal = self.build.clauses.terms.eq(a, b);
        self.constraints.push(equal);
    }

    /// A variable of the system in the clause.
    fn variable(&mut self, var: VarId) -> TermId {
        let system = self.system();
        let Rule { build, known, pending, constraints, .. } = self;
        *known
            .entry(var)
            .or_insert_with(|| introduce(system, var, &mut build.clauses, pending, constraints))
    }

    fn term(&mut self, term: TermId) -> TermId {
        let system = self.system();
        let Rule { build, known, pending, constraints, linear, .. } = self;
        let result = linear.apply(&system.terms, &mut build.clauses, term, |clauses, var, _| {
            *known
                .entry(var)
                .or_insert_with(|| introduce(system, var, clauses, pending, constraints))
        });
        result.expect("everything has a translation that need not be linear")
    }
}

/// A variable of a system becomes one of a clause: its definition is due, or
/// its range is stated.
fn introduce(
    system: &TransitionSystem,
    var: VarId,
    clauses: &mut Clauses,
    pending: &mut Vec<VarId>,
    constraints: &mut Vec<TermId>,
) -> TermId {
    let variable = system.variable(var);
    let prefix = match variable.role {
        Role::Defined(_) => 'd',
        Role::Choice => 'c',
        Role::Input | Role::Memory => 'i',
    };
    let term = clauses.variable(prefix, variable.sort);
    if let Role::Defined(_) = variable.role {
        pending.push(var);
    }
    if let Some(range) = &variable.range {
        constraints.push(TransitionSystem::range_term(&mut clauses.terms, term, range));
    }
    term
}
