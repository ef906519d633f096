//! A system, step by step, as SMT-LIB 2.
//!
//! Plain on purpose: every variable of every step is declared, every
//! definition is written out as it stands, memories are linked by equations.
//! Nothing is simplified here (but comparisons of elements of arrays are taken
//! apart by the writer of terms, `smt/src/selection.rs`). Where the answer must be `unsat`, variables that
//! nothing in the query depends on are left out with their equations: fewer
//! assertions can only make a query *more* satisfiable, so an `unsat` without
//! them is an `unsat` with them. Where it must be `sat`, everything stands.

use std::fmt::Write;

use lustral_smt::smtlib::{Declarations, Logic, Writer, sort_name, value_text};
use lustral_system::{Predicate, Role, TransitionSystem};
use lustral_term::{TermId, Value, VarId};

/// Writes parts of a system.
pub(crate) struct Script<'s> {
    system: &'s TransitionSystem,
    /// The variables that are written.
    scope: Vec<bool>,
    /// The writer of each step.
    writers: Vec<Writer>,
    /// What all of them have declared.
    declared: Declarations,
    /// Numbers the predicates, which live in arenas of their own.
    predicates: usize,
}

impl<'s> Script<'s> {
    /// A script of the whole system.
    pub fn whole(system: &'s TransitionSystem) -> Script<'s> {
        let scope = vec![true; system.variables.len()];
        Script {
            system,
            scope,
            writers: Vec::new(),
            declared: Declarations::default(),
            predicates: 0,
        }
    }

    /// A script of all that some predicates, the constraints and some memories
    /// depend on; for queries that must be `unsat`.
    pub fn about(
        system: &'s TransitionSystem,
        predicates: &[&[Predicate]],
        memories: &[VarId],
    ) -> Script<'s> {
        let mut variables = system.terms.variables(system.constraints.iter().map(|c| c.term));
        variables.extend(memories);
        let predicates = predicates.iter().copied().flatten();
        variables.extend(predicates.flat_map(|p| p.terms.variables([p.term])));
        let scope = system.cone_of(variables);
        Script {
            system,
            scope,
            writers: Vec::new(),
            declared: Declarations::default(),
            predicates: 0,
        }
    }

    /// A script of all that some predicates depend on, in which constraints
    /// cannot be written; for queries that must be `unsat`.
    pub fn unconstrained(system: &'s TransitionSystem, predicates: &[Predicate]) -> Script<'s> {
        let variables = predicates.iter().flat_map(|p| p.terms.variables([p.term])).collect();
        let scope = system.cone_of(variables);
        Script {
            system,
            scope,
            writers: Vec::new(),
            declared: Declarations::default(),
            predicates: 0,
        }
    }

    /// The logic that the system and some predicates need.
    pub fn logic(system: &TransitionSystem, predicates: &[Predicate]) -> Logic {
        let definitions = system.variables.iter().filter_map(|v| match v.role {
            Role::Defined(term) => Some(term),
            _ => None,
        });
        let nexts = system.memories.iter().map(|m| m.next);
        let constraints = system.constraints.iter().map(|c| c.term);
        let properties = system.properties.iter().map(|p| p.term);
        let roots = definitions.chain(nexts).chain(constraints).chain(properties);
        let mut logic = Logic::of(&system.terms, roots);
        for variable in &system.variables {
            logic.add(variable.sort);
        }
        for predicate in predicates {
            let more = Logic::of(&predicate.terms, [predicate.term]);
            logic.ints |= more.ints;
            logic.reals |= more.reals;
            logic.nonlinear |= more.nonlinear;
            logic.more |= more.more;
        }
        logic
    }

    /// Whether a variable is written.
    pub fn has(&self, var: VarId) -> bool {
        self.scope[var.index()]
    }

    /// The name of a variable at a step.
    pub fn name(step: usize, var: VarId) -> String {
        format!("v{}_{step}", var.0)
    }

    /// Declares a step: its variables with their ranges, its definitions. That what
    /// is of an enumeration has one of its values is declared too: its sort says so
    /// at every step, initial and next values being of the same sort.
    pub fn step(&mut self, step: usize, out: &mut String) {
        self.variables(step, out);
        self.definitions(step, out);
    }

    /// Declares a step that comes after the one before, with the transition to it.
    pub fn next_step(&mut self, step: usize, out: &mut String) {
        self.variables(step, out);
        // Definitions come last: what they compare is the better for it
        // (`Declarations::renamed`).
        self.transition(step - 1, out);
        self.definitions(step, out);
    }

    fn variables(&mut self, step: usize, out: &mut String) {
        assert_eq!(step, self.writers.len(), "steps are written in order");
        self.writers.push(Writer::sharing(format!("t{step}_"), self.declared.clone()));
        let _ = writeln!(out, "; step {step}");
        for (id, variable) in self.system.variables() {
            if matches!(variable.role, Role::Defined(_)) || !self.scope[id.index()] {
                continue;
            }
            let name = Script::name(step, id);
            self.declared.constant(out, &name, variable.sort);
            if let Some(range) = &variable.range {
                if let Some(low) = range.low.clone() {
                    let low = value_text(&Value::Int(low));
                    let _ = writeln!(out, "(assert (<= {low} {name}))");
                }
                if let Some(high) = range.high.clone() {
                    let high = value_text(&Value::Int(high));
                    let _ = writeln!(out, "(assert (<= {name} {high}))");
                }
            }
        }
    }

    fn definitions(&mut self, step: usize, out: &mut String) {
        for id in &self.system.definitions {
            let variable = self.system.variable(*id);
            if let Role::Defined(term) = variable.role
                && self.scope[id.index()]
            {
                let text = self.term(step, term, out);
                let (name, sort) = (Script::name(step, *id), sort_name(variable.sort));
                let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
                self.declared.renamed(&name, &text);
            }
        }
    }

    /// The text of a term of the system at a step.
    pub fn term(&mut self, step: usize, term: TermId, out: &mut String) -> String {
        let name = &mut |_: &mut String, var: VarId, _| Script::name(step, var);
        self.writers[step].term(&self.system.terms, term, out, name)
    }

    /// The text of a conjunction of predicates at a step.
    pub fn conjunction(&mut self, step: usize, list: &[Predicate], out: &mut String) -> String {
        let name = &mut |_: &mut String, var: VarId, _: lustral_term::Sort| Script::name(step, var);
        let mut parts = vec!["and".to_string(), "true".to_string()];
        // Predicates of one arena share their definitions.
        let mut writer: Option<(std::sync::Arc<lustral_term::Terms>, Writer)> = None;
        for predicate in list {
            let same = |(terms, _): &(_, _)| std::sync::Arc::ptr_eq(terms, &predicate.terms);
            if !writer.as_ref().is_some_and(same) {
                let prefix = format!("p{}_{step}_", self.predicates);
                let fresh = Writer::sharing(prefix, self.declared.clone());
                self.predicates += 1;
                writer = Some((predicate.terms.clone(), fresh));
            }
            let (_, writer) = writer.as_mut().expect("just made");
            parts.push(writer.term(&predicate.terms, predicate.term, out, name));
        }
        format!("({})", parts.join(" "))
    }

    /// The constraints at a step.
    pub fn constraints(&mut self, step: usize, out: &mut String) {
        for constraint in &self.system.constraints {
            let text = self.term(step, constraint.term, out);
            let _ = writeln!(out, "(assert {text})");
        }
    }

    /// The initial state at step 0.
    pub fn initial(&mut self, out: &mut String) {
        for memory in self.memories() {
            let name = Script::name(0, memory.var);
            let _ = writeln!(out, "(assert (= {name} {}))", value_text(&memory.initial));
        }
    }

    /// The transition from a step to the next, whose variables are declared.
    fn transition(&mut self, step: usize, out: &mut String) {
        for memory in self.memories() {
            let next = self.term(step, memory.next, out);
            let name = Script::name(step + 1, memory.var);
            let _ = writeln!(out, "(assert (= {name} {next}))");
            self.declared.renamed(&name, &next);
        }
    }

    /// Two steps have the same inputs and choices.
    pub fn same_inputs(&self, first: usize, second: usize, out: &mut String) {
        for (id, variable) in self.system.variables() {
            let free = matches!(variable.role, Role::Input | Role::Choice);
            if free && self.scope[id.index()] {
                let (a, b) = (Script::name(first, id), Script::name(second, id));
                let _ = writeln!(out, "(assert (= {a} {b}))");
            }
        }
    }

    fn memories(&self) -> Vec<&'s lustral_system::Memory> {
        let system: &'s TransitionSystem = self.system;
        system.memories.iter().filter(|m| self.scope[m.var.index()]).collect()
    }
}

/// The comment before an assertion that states differ.
pub(crate) const DIFFERENT: &str = "; different states";

/// The states of two steps differ: one of their memories does.
pub(crate) fn different(memories: &[VarId], first: usize, second: usize, out: &mut String) {
    let mut parts = vec!["or".to_string(), "false".to_string()];
    for memory in memories {
        let (a, b) = (Script::name(first, *memory), Script::name(second, *memory));
        parts.push(format!("(not (= {a} {b}))"));
    }
    let _ = writeln!(out, "{DIFFERENT}\n(assert ({}))", parts.join(" "));
}
