//! The transition system of a program.
//!
//! A step has values for all variables: inputs and choices are free, memories
//! come from the step before, defined variables are functions of the others.
//! An execution is a finite sequence of steps that begins with the memories'
//! initial values, follows their next-state functions, and satisfies the
//! constraints at every step. A property holds if it is true at every step of
//! every execution.

use std::sync::Arc;

use lustral_base::{Bounds, ExprId, Goal, InstanceId, ScopeId, StreamId};
use lustral_term::{Enumeration, Names, Sort, TermId, Terms, Value, VarId};
use serde::{Deserialize, Serialize};

lustral_base::id!(/// A property of a [`TransitionSystem`], by its position.
    PropId);

/// A transition system.
#[derive(Clone, Default, Debug, Serialize)]
pub struct TransitionSystem {
    /// The arena of all terms below.
    pub terms: Terms,
    /// All variables; a [`VarId`] is an index.
    pub variables: Vec<Variable>,
    /// The state.
    pub memories: Vec<Memory>,
    /// The defined variables, each after those that its definition uses.
    pub definitions: Vec<VarId>,
    /// What every step of an execution satisfies.
    pub constraints: Vec<Constraint>,
    /// One of the constraints is no assertion of the program: where it fails,
    /// all properties hold from there on, so it may be assumed. Executions of
    /// this system may end where those of the program go on.
    pub assumption: Option<TermId>,
    /// Facts about memories that hold at every step by construction: each is
    /// implied initially and together they are inductive. Engines may use
    /// them; a certificate repeats them, so that they are checked.
    pub typing: Vec<TermId>,
    /// What should hold at every step.
    pub properties: Vec<Property>,
    /// What may be an invariant: hints that nothing depends on.
    pub candidates: Vec<TermId>,
    /// The tree of node instances, the root first.
    pub instances: Vec<Instance>,
    /// What the enumerations and their values are called, by
    /// [`EnumId`](lustral_base::EnumId).
    pub enumerations: Arc<[EnumNames]>,
}

/// The names of an enumeration and its values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EnumNames {
    /// Its own.
    pub name: String,
    /// Those of its values, by their positions.
    pub values: Vec<String>,
    /// Whether they are the constructors of a data type, and no values by themselves.
    #[serde(default)]
    pub constructors: bool,
}

impl Names for TransitionSystem {
    fn variable(&self, var: VarId) -> String {
        self.shown_name(var).to_string()
    }

    fn value(&self, enumeration: Enumeration, position: u32) -> Option<String> {
        self.value_name(&Value::Enum(enumeration, position)).map(ToString::to_string)
    }
}

/// A variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// A name for people: the path of the instance and the flow.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// What determines it.
    pub role: Role,
    /// For inputs and choices: the values that it may take.
    pub range: Option<Bounds>,
    /// Where it comes from in the program.
    pub origin: Origin,
}

/// What determines a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Role {
    /// The environment.
    Input,
    /// Nothing: an arbitrary value that the semantics leaves open.
    Choice,
    /// The step before.
    Memory,
    /// The other variables of the same step.
    Defined(TermId),
}

/// Where a variable comes from, by the ids of the typed program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// A flow of an instance, or a scalar that a structured flow is made of.
    Stream {
        /// The instance.
        instance: InstanceId,
        /// The flow.
        stream: StreamId,
        /// Which of its scalars, in the order of its type.
        leaf: u32,
    },
    /// The first value of a `pre` of an instance.
    FirstValue {
        /// The instance.
        instance: InstanceId,
        /// The `pre`.
        expr: ExprId,
        /// Which of its scalars.
        leaf: u32,
    },
    /// What a `pre` or `fby` of an instance remembers (one of those that share it).
    Delay {
        /// The instance.
        instance: InstanceId,
        /// The `pre` or `fby`.
        expr: ExprId,
        /// Which of its scalars.
        leaf: u32,
    },
    /// A value that is arbitrary at each step: of an output of a node without a body, of
    /// an element of an array where its index is outside of the bounds.
    Any {
        /// The instance.
        instance: InstanceId,
        /// The expression.
        expr: ExprId,
        /// Which of its scalars.
        leaf: u32,
    },
    /// The flag that tells the first step of the execution, which is that of
    /// every node unless it runs on a clock of its own: it begins true and is
    /// false ever after, whatever other clocks there are.
    ///
    /// So whoever looks at a whole system may take it for "this is step 0", and
    /// the flags of other clocks for memories like all others. Whoever takes the
    /// flag of one node's system for that of another (calls that are cut, nodes
    /// one by one) says that both begin together, and must have made sure that
    /// the program is on one clock.
    First,
    /// A flag of a clock scope inside an instance, which is not active at every
    /// step or begins anew.
    Clock {
        /// The instance.
        instance: InstanceId,
        /// The scope of its node.
        scope: ScopeId,
        /// What the flag tells.
        part: ClockPart,
    },
    /// What the translation to the kernel made for an instance, without a name
    /// in the text.
    Kernel {
        /// The instance.
        instance: InstanceId,
    },
    /// Made by an engine.
    Auxiliary,
}

/// What a flag of a clock scope tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ClockPart {
    /// The scope takes this step.
    Active,
    /// If it does, the step is its first, since the start or the last reset.
    First,
    /// A memory: it took none since what is around it last began.
    Fresh,
}

/// A part of the state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// The variable.
    pub var: VarId,
    /// Its value at the first step.
    pub initial: Value,
    /// Its value at the next step, from the variables of this one.
    pub next: TermId,
}

/// Something that every step of an execution satisfies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Constraint {
    /// What holds.
    pub term: TermId,
    /// Why it may be taken for granted.
    pub source: ConstraintSource,
}

/// Why a constraint may be taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ConstraintSource {
    /// The program asserts it.
    Assertion {
        /// The instance whose assertion it is.
        instance: InstanceId,
        /// The position of the assertion in its node.
        index: u32,
    },
    /// It was shown elsewhere: of a call what its node guarantees (a summary,
    /// in place of what the call does), of the root what every call gives it.
    Summary(InstanceId),
    /// All properties presuppose it: see [`TransitionSystem::assumption`].
    Assumption,
}

impl ConstraintSource {
    /// The instance that it is about; an assumption is about the root.
    #[must_use]
    pub fn instance(self) -> InstanceId {
        match self {
            ConstraintSource::Assertion { instance, .. } | ConstraintSource::Summary(instance) => {
                instance
            }
            ConstraintSource::Assumption => InstanceId::ROOT,
        }
    }
}

/// Something that should hold at every step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What should hold, or shall not.
    pub term: TermId,
    /// Which of the two.
    #[serde(default)]
    pub goal: Goal,
}

/// An instance of a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Instance {
    /// Its path below the root; empty for the root.
    pub path: String,
    /// The name of its node.
    pub node: String,
    /// The instance that calls it.
    pub parent: Option<InstanceId>,
    /// Its flows, in the order of their declaration.
    pub streams: Vec<Stream>,
}

/// A flow of an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// Its variable.
    pub var: VarId,
    /// What it is in its node.
    pub role: StreamRole,
    /// The flag that is true where the flow has a value; none if it always has.
    pub active: Option<VarId>,
    /// Whether it is of no interest to readers: no declaration has it.
    #[serde(default)]
    pub hidden: bool,
    /// Where it is a part of a value: the flows that say which constructors made the value
    /// of a data type, by their positions, with those that have this part.
    #[serde(default)]
    pub counts: Vec<(VarId, u32)>,
}

impl Stream {
    /// Whether readers see it: it is declared, or says which transitions an automaton takes.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !self.hidden || lustral_base::transitions_of(&self.name).is_some()
    }
}

/// What a flow is in its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StreamRole {
    /// Given by the caller or the environment.
    Input,
    /// Given to the caller.
    Output,
    /// Known inside only.
    Local,
}

impl TransitionSystem {
    /// A variable.
    #[must_use]
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The name of a variable for people: a value that is left open has the name of the flow whose value it is, if
    /// there is one.
    #[must_use]
    pub fn shown_name(&self, id: VarId) -> &str {
        let variable = self.variable(id);
        if !matches!(variable.origin, Origin::Any { .. }) {
            return &variable.name;
        }
        let has_it = |stream: &&Stream| match self.variable(stream.var).role {
            Role::Defined(term) => stream.is_shown() && self.terms.var(term) == Some(id),
            Role::Input | Role::Choice | Role::Memory => false,
        };
        let flow = self.instances.iter().flat_map(|i| &i.streams).find(has_it);
        &self.variable(flow.map_or(id, |flow| flow.var)).name
    }

    /// All variables with their ids.
    pub fn variables(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter().enumerate().map(|(i, v)| (VarId(i as u32), v))
    }

    /// Whether all instances take every step and begin together: no scope has a
    /// clock of its own.
    #[must_use]
    pub fn is_on_one_clock(&self) -> bool {
        !self.variables.iter().any(|v| matches!(v.origin, Origin::Clock { .. }))
    }

    /// Adds a variable and returns it as a term.
    pub fn add_variable(&mut self, variable: Variable) -> (VarId, TermId) {
        let id = VarId(self.variables.len() as u32);
        let term = self.terms.variable(id, variable.sort);
        self.variables.push(variable);
        (id, term)
    }

    /// The names of the values of a sort, if it is that of an enumeration. A
    /// system that was made without a program has none.
    #[must_use]
    pub fn value_names(&self, sort: Sort) -> Option<&[String]> {
        let names = self.enumerations.get(sort.enumeration()?.id.index())?;
        Some(&names.values)
    }

    /// The name of a value of an enumeration.
    #[must_use]
    pub fn value_name(&self, value: &Value) -> Option<&str> {
        let Value::Enum(e, i) = value else { return None };
        self.value_names(Sort::Enum(*e))?.get(*i as usize).map(String::as_str)
    }

    /// The node that is checked: the first instance.
    ///
    /// # Panics
    /// If the system has no instance, as only those have that were made
    /// without a program.
    #[must_use]
    pub fn root(&self) -> &Instance {
        self.instance(InstanceId::ROOT)
    }

    /// An instance.
    ///
    /// # Panics
    /// If it is of another system.
    #[must_use]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.index()]
    }

    /// A property.
    #[must_use]
    pub fn property(&self, id: PropId) -> &Property {
        &self.properties[id.index()]
    }

    /// All properties.
    pub fn property_ids(&self) -> impl Iterator<Item = PropId> + use<> {
        (0..self.properties.len() as u32).map(PropId)
    }

    /// Zero, or the value of the variable's range that is nearest to it.
    #[must_use]
    pub fn plain(&self, var: VarId) -> Value {
        let variable = self.variable(var);
        let zero = Value::zero(variable.sort);
        match &variable.range {
            Some(range) => Value::Int(range.plainest()),
            None => zero,
        }
    }

    /// `low <= variable <= high`, as far as there are bounds, for a variable with a
    /// range.
    pub fn range_term(terms: &mut Terms, var: TermId, range: &Bounds) -> TermId {
        let mut all = Vec::new();
        if let Some(low) = &range.low {
            let low = terms.int(low.clone());
            all.push(terms.le(low, var));
        }
        if let Some(high) = &range.high {
            let high = terms.int(high.clone());
            all.push(terms.le(var, high));
        }
        terms.and(all)
    }
}

impl TransitionSystem {
    /// What decides about executions and properties: the next-state functions,
    /// the constraints and the properties.
    pub fn roots(&self) -> impl Iterator<Item = TermId> + '_ {
        let nexts = self.memories.iter().map(|m| m.next);
        let constraints = self.constraints.iter().map(|c| c.term);
        let properties = self.properties.iter().map(|p| p.term);
        nexts.chain(constraints).chain(properties)
    }

    /// By variable: whether a term depends on it, at the same step or through
    /// memories at earlier ones.
    #[must_use]
    pub fn cone(&self, root: TermId) -> Vec<bool> {
        self.cone_of(self.terms.variables([root]))
    }

    /// By variable: whether one of some variables depends on it, at the same
    /// step or through memories at earlier ones.
    #[must_use]
    pub fn cone_of(&self, variables: Vec<VarId>) -> Vec<bool> {
        let mut inside = vec![false; self.variables.len()];
        let mut below = vec![None; self.variables.len()];
        for (id, variable) in self.variables() {
            if let Role::Defined(term) = variable.role {
                below[id.index()] = Some(term);
            }
        }
        for memory in &self.memories {
            below[memory.var.index()] = Some(memory.next);
        }
        // Each term is entered once, whatever leads to it.
        let mut seen = vec![false; self.terms.len()];
        let mut pending = variables;
        let mut terms: Vec<TermId> = Vec::new();
        while let Some(var) = pending.pop() {
            if !std::mem::replace(&mut inside[var.index()], true) {
                terms.extend(below[var.index()]);
            }
            while let Some(term) = terms.pop() {
                if !std::mem::replace(&mut seen[term.index()], true) {
                    pending.extend(self.terms.var(term));
                    terms.extend(self.terms.operands(term));
                }
            }
        }
        inside
    }
}
