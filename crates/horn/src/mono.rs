//! From an invariant of the flattened program to one for each node.
//!
//! ```text
//!       first step of the program                       ⇒ state(after)
//!       later step ∧ invariant                          ⇒ state(after)
//!       state(before) ∧ later step ∧ ¬invariant         ⇒ false
//!
//! (vi)  I_root(in, out, s) ∧ ¬Mono(in, out, s)          ⇒ false
//! (vii) Mono(_, _, s) ∧ T_root(in, out, s, t) ∧ ¬Mono(in, out, t) ⇒ false
//! ```
//!
//! An invariant may speak of all that happens at a step, locals and inputs of
//! calls included; `Mono` of the interface and the state of the root only. The
//! first clauses ask for what is in between: it follows from the invariant at a
//! step, and it implies the invariant at the next. No clause has `state` on
//! both sides, so there is nothing to be found by induction, only something to
//! interpolate; and in (i), (ii), (vi) and (vii) no predicate depends on itself
//! either.

use lustral_system::{Memory, Origin, Predicate, PropId, TransitionSystem, Unsupported};
use lustral_term::{Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::answer::Definition;
use crate::clauses::{Application, Clause, Clauses};
use crate::flat::{Flat, Step, application, signature};
use crate::linear::Linear;
use crate::model::Model;
use crate::rules::{ModularClauses, Place};

/// The clauses for what is remembered between steps at which an invariant
/// holds; the predicate is `state`, over the state after a step.
///
/// # Errors
/// Never: what is not linear is written all the same.
pub fn between_steps(
    system: &TransitionSystem,
    invariant: &[Predicate],
    properties: &[PropId],
) -> Result<Flat, Unsupported> {
    let roots = properties.iter().map(|p| system.property(*p).term);
    let roots = roots.chain(system.constraints.iter().map(|c| c.term));
    let mut variables = system.terms.variables(roots);
    variables.extend(invariant.iter().flat_map(|p| p.terms.variables([p.term])));
    let slice = system.cone_of(variables);
    let is_flag = |m: &&Memory| system.variable(m.var).origin == Origin::First;
    let memories: Vec<&Memory> =
        system.memories.iter().filter(|m| slice[m.var.index()] && !is_flag(m)).collect();
    let state: Vec<VarId> = memories.iter().map(|m| m.var).collect();
    let mut between =
        Between { system, invariant, properties, memories, clauses: Clauses::default() };
    between.clauses.predicates.push(signature(system, &state));
    for first in [true, false] {
        let (mut step, _) = between.step(first);
        let mut constraints = step.constraints(&mut between.clauses, &[])?;
        if !first {
            constraints.push(between.holds(&mut step)?);
        }
        let mut next = Vec::with_capacity(state.len());
        for memory in between.memories.clone() {
            let value = step.term(&mut between.clauses, memory.next)?;
            let after = between.clauses.variable('n', system.variable(memory.var).sort);
            constraints.push(between.clauses.terms.eq(after, value));
            next.push(after);
        }
        constraints.append(&mut step.definitions(&mut between.clauses)?);
        let head = Some(application(next));
        between.clauses.push("after a step", Vec::new(), constraints, head);
    }
    let (mut step, before) = between.step(false);
    let mut constraints = step.constraints(&mut between.clauses, &[])?;
    let holds = between.holds(&mut step)?;
    constraints.push(between.clauses.terms.not(holds));
    constraints.append(&mut step.definitions(&mut between.clauses)?);
    let body = vec![application(before)];
    between.clauses.push("the invariant fails at the next step", body, constraints, None);
    Ok(Flat { clauses: between.clauses, state })
}

struct Between<'s> {
    system: &'s TransitionSystem,
    invariant: &'s [Predicate],
    properties: &'s [PropId],
    memories: Vec<&'s Memory>,
    clauses: Clauses,
}

impl<'s> Between<'s> {
    /// A step, and the state before it.
    fn step(&mut self, first: bool) -> (Step<'s>, Vec<TermId>) {
        let mut known: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut before = Vec::new();
        for memory in &self.memories {
            let sort = self.system.variable(memory.var).sort;
            let term = if first {
                self.clauses.terms.constant(memory.initial.clone())
            } else {
                self.clauses.variable('s', sort)
            };
            known.insert(memory.var, term);
            before.push(term);
        }
        for (id, variable) in self.system.variables() {
            if variable.origin == Origin::First {
                known.insert(id, self.clauses.terms.bool(first));
            }
        }
        (Step::new(self.system, known, Linear::any()), before)
    }

    /// The invariant and the properties at a step.
    fn holds(&mut self, step: &mut Step<'s>) -> Result<TermId, Unsupported> {
        let mut parts = Vec::new();
        for property in self.properties {
            parts.push(step.term(&mut self.clauses, self.system.property(*property).term)?);
        }
        for predicate in self.invariant {
            parts.push(step.predicate(&mut self.clauses, predicate)?);
        }
        Ok(self.clauses.terms.and(parts))
    }
}

/// The clauses (i) and (ii), and (vi) and (vii) for a definition of `Main`: all
/// but `Main` and the states of nodes is left to be found. The predicates keep
/// their numbers.
#[must_use]
pub fn given_main(modular: &ModularClauses, main: &Definition) -> Clauses {
    let mut clauses = modular.clauses.clone();
    clauses.clauses.truncate(2 * modular.nodes.len());
    let mut model = Model::always(&clauses);
    model.definitions[modular.main] = main.clone();
    let mono = |clauses: &mut Clauses, arguments: Vec<TermId>| {
        let application = Application { predicate: modular.main, arguments };
        model.apply(&application, &mut clauses.terms)
    };
    let Some(root) = modular.nodes.last() else { return clauses };
    let fresh = |clauses: &mut Clauses, predicate: usize| {
        let sorts: Vec<Sort> =
            clauses.predicates[predicate].arguments.iter().map(|a| a.sort).collect();
        let arguments = sorts.into_iter().map(|s| clauses.variable('m', s)).collect();
        Application { predicate, arguments }
    };
    let now = fresh(&mut clauses, root.initial);
    let holds = mono(&mut clauses, now.arguments.clone());
    let fails = clauses.terms.not(holds);
    clauses.push("(vi) the invariant fails at the first step", vec![now], vec![fails], None);

    let later = fresh(&mut clauses, root.step);
    let pick = |wanted: fn(&Place) -> bool| -> Vec<TermId> {
        let chosen = root.step_places.iter().zip(&later.arguments).filter(|(p, _)| wanted(p));
        chosen.map(|(_, term)| *term).collect()
    };
    let before = pick(|p| matches!(p, Place::Before(_)));
    let after = pick(|p| !matches!(p, Place::Before(_)));
    let mut previous = fresh(&mut clauses, modular.main).arguments;
    let flows = previous.len() - before.len();
    previous.splice(flows.., before);
    let held = mono(&mut clauses, previous);
    let holds = mono(&mut clauses, after);
    let fails = clauses.terms.not(holds);
    clauses.push("(vii) the invariant fails at a later step", vec![later], vec![held, fails], None);
    clauses
}

/// The clauses without some arguments of the predicates: whatever their values
/// are. A model of these, lifted, is one of the clauses as they were.
#[must_use]
pub fn without_arguments(clauses: &Clauses, kept: &[Vec<bool>]) -> Clauses {
    let mut fewer = clauses.clone();
    for (signature, kept) in fewer.predicates.iter_mut().zip(kept) {
        let mut kept = kept.iter();
        signature.arguments.retain(|_| kept.next().copied().unwrap_or(true));
    }
    for clause in &mut fewer.clauses {
        let Clause { body, head, .. } = clause;
        for application in body.iter_mut().chain(head) {
            let mut kept = kept[application.predicate].iter();
            application.arguments.retain(|_| kept.next().copied().unwrap_or(true));
        }
    }
    fewer
}

/// A model of clauses without some arguments, as one of the clauses with them.
#[must_use]
pub fn lift(model: &Model, kept: &[Vec<bool>]) -> Model {
    let lifted = model.definitions.iter().zip(kept).map(|(definition, kept)| {
        let places: Vec<u32> = (0..kept.len() as u32).filter(|i| kept[*i as usize]).collect();
        let mut terms = Terms::new();
        let term = lustral_term::Translation::new().apply(
            &definition.terms,
            &mut terms,
            definition.term,
            |terms, var, sort| terms.variable(VarId(places[var.index()]), sort),
        );
        Definition { terms, term }
    });
    Model { definitions: lifted.collect() }
}
