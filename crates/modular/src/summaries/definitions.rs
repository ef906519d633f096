//! From what was learned of nodes to definitions of their predicates.
//!
//! A fact that `learn_nodes` found holds at every step of its node. As a
//! summary it is one of the first step and of the later ones, the latter only
//! from states that the node reaches; so beside `I_N` and `T_N` there is
//! `Inv_N`:
//!
//! ```text
//! I_N(in, out, after)         is  first(in, out) ∧ Inv_N(after)
//! T_N(in, out, before, after) is  Inv_N(before) ⇒ later(in, out, before) ∧ Inv_N(after)
//! Inv_N(s)                    is  states(s) ∧ Inv_M(s of the call) for each call of M
//! ```
//!
//! Facts are candidates here: they were inductive with flows that no predicate
//! knows, and what is not inductive without those is dropped.

use lustral_engines::LearnOptions;
use lustral_horn::{Application, Clause, Definition, Model, ModularClauses, Place};
use lustral_smt::smtlib::Logic;
use lustral_smt::{Outcome, Session, open_session};
use lustral_system::{Modular, ModularNode, Origin, Predicate, Role, Slot};
use lustral_term::{TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

/// What is known of a node by itself. All terms are of one arena; their
/// variables are positions among the arguments of `T_N`, of `Inv_N` for the
/// states.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// The arena.
    pub terms: Terms,
    /// Of the first step, over inputs and outputs.
    pub first: Vec<TermId>,
    /// Of a later step from a state that is reached, over inputs, outputs and
    /// the state before.
    pub later: Vec<TermId>,
    /// Of the states that are reached, over the parts of the state that the
    /// node remembers itself.
    pub states: Vec<TermId>,
}

/// Summaries of nodes from what was learned of them, and the model that they
/// are: of the clauses with a head. What is in it holds by the word of the
/// solver of the options; the clauses must have the predicates of states, and
/// `learned` has what was found inductive in each node.
#[must_use]
pub fn summaries(
    modular: &Modular,
    clauses: &ModularClauses,
    learned: &[&[Predicate]],
    options: &LearnOptions,
) -> (Vec<Summary>, Model) {
    let mut model = Model::always(&clauses.clauses);
    let mut found = Vec::with_capacity(modular.nodes.len());
    for (node, facts) in learned.iter().enumerate() {
        let work = Work { modular, clauses, node, options };
        let mut summary = work.candidates(facts);
        work.weaken(&mut summary, &mut model);
        work.define(&summary, &mut model);
        found.push(summary);
    }
    define_main(modular, clauses, &mut model);
    (found, model)
}

/// `Main` is about reached states.
fn define_main(modular: &Modular, clauses: &ModularClauses, model: &mut Model) {
    let root = modular.root();
    let Some(invariant) = clauses.nodes[root].invariant else { return };
    let before = clauses.nodes[root].initial_places.len() - modular.nodes[root].state.len();
    let known = model.definitions[invariant].clone();
    model.definitions[clauses.main] = shifted(&known, before);
}

/// A definition about the arguments from some position on.
fn shifted(definition: &Definition, by: usize) -> Definition {
    let mut terms = Terms::new();
    let term = Translation::new().apply(
        &definition.terms,
        &mut terms,
        definition.term,
        |terms, var, sort| terms.variable(VarId(var.0 + by as u32), sort),
    );
    Definition { terms, term }
}

struct Work<'w> {
    modular: &'w Modular,
    clauses: &'w ModularClauses,
    node: usize,
    options: &'w LearnOptions,
}

impl Work<'_> {
    fn known(&self) -> &ModularNode {
        &self.modular.nodes[self.node]
    }

    /// The facts that can be said of the arguments of the predicates.
    fn candidates(&self, facts: &[Predicate]) -> Summary {
        let mut summary = Summary::default();
        for (first, list) in [(true, 0), (false, 1)] {
            let leaves = self.leaves(first, &mut summary.terms);
            for fact in facts {
                let Some(term) = translate(fact, &leaves, &mut summary.terms) else { continue };
                [&mut summary.first, &mut summary.later][list].push(term);
            }
        }
        let [memories, flows] = self.state_leaves(&mut summary.terms);
        // A state after a step is the one before a later step, never before the
        // first; the step that it is after may have been the first or a later one.
        for (leaves, flags) in
            [(memories, &[Terms::FALSE][..]), (flows, &[Terms::TRUE, Terms::FALSE])]
        {
            for fact in facts {
                let part = |flag: TermId, terms: &mut Terms| {
                    let mut leaves = leaves.clone();
                    leaves.extend(self.flag().map(|var| (var, flag)));
                    translate(fact, &leaves, terms)
                };
                let parts: Option<Vec<TermId>> =
                    flags.iter().map(|flag| part(*flag, &mut summary.terms)).collect();
                if let Some(parts) = parts {
                    let any = summary.terms.or(parts);
                    summary.states.push(any);
                }
            }
        }
        for list in [&mut summary.first, &mut summary.later, &mut summary.states] {
            list.retain(|term| *term != Terms::TRUE);
            list.sort_unstable();
            list.dedup();
        }
        summary
    }

    fn flag(&self) -> Option<VarId> {
        let system = &self.known().system;
        system.variables().find(|(_, v)| v.origin == Origin::First).map(|(id, _)| id)
    }

    /// What the variables of the node are in terms of the arguments of `T_N`,
    /// as far as they are.
    fn leaves(&self, first: bool, terms: &mut Terms) -> FxHashMap<VarId, TermId> {
        let (node, system) = (self.known(), &self.known().system);
        let mut leaves = FxHashMap::default();
        for (i, place) in self.clauses.nodes[self.node].step_places.iter().enumerate() {
            let var = match place {
                Place::Flow(var) => *var,
                Place::Before(slot) if !first => match node.state[*slot] {
                    Slot::Own(var) => var,
                    Slot::Called { .. } => continue,
                },
                _ => continue,
            };
            let term = terms.variable(VarId(i as u32), system.variable(var).sort);
            leaves.insert(var, term);
        }
        for memory in &system.memories {
            let value = match system.variable(memory.var).origin {
                Origin::First => Value::Bool(first),
                _ if first => memory.initial.clone(),
                _ => continue,
            };
            leaves.insert(memory.var, terms.constant(value));
        }
        // Locals that are made of those.
        for var in &system.definitions {
            let Role::Defined(definition) = system.variable(*var).role else { continue };
            if leaves.contains_key(var) {
                continue;
            }
            let used = system.terms.variables([definition]);
            if used.iter().all(|v| leaves.contains_key(v)) {
                let term =
                    Translation::new()
                        .apply(&system.terms, terms, definition, |_, var, _| leaves[&var]);
                leaves.insert(*var, term);
            }
        }
        leaves
    }

    /// What variables are in terms of the state after a step: memories, which
    /// are the state before the next one; and flows that are remembered.
    fn state_leaves(&self, terms: &mut Terms) -> [FxHashMap<VarId, TermId>; 2] {
        let node = self.known();
        let (mut memories, mut flows) = (FxHashMap::default(), FxHashMap::default());
        for (i, slot) in node.state.iter().enumerate() {
            let Slot::Own(var) = slot else { continue };
            let sort = node.system.variable(*var).sort;
            let part = terms.variable(VarId(i as u32), sort);
            memories.insert(*var, part);
            let remembered = node.memory_of(*var).and_then(|m| node.system.terms.var(m.next));
            if let Some(flow) = remembered {
                flows.insert(flow, part);
            }
        }
        [memories, flows]
    }

    /// Drops what does not follow, until all does.
    fn weaken(&self, summary: &mut Summary, model: &mut Model) {
        loop {
            self.define(summary, model);
            let clauses = &self.clauses.clauses.clauses;
            let dropped = self.drop_from(summary, model, &clauses[2 * self.node], true)
                + self.drop_from(summary, model, &clauses[2 * self.node + 1], false);
            if dropped == 0 {
                return;
            }
        }
    }

    /// Drops what the body of a clause does not imply; how much that was.
    fn drop_from(
        &self,
        summary: &mut Summary,
        model: &Model,
        clause: &Clause,
        first: bool,
    ) -> usize {
        let mut terms = self.clauses.clauses.terms.clone();
        let Some(head) = &clause.head else { return 0 };
        let mut facts = clause.constraints.clone();
        facts.extend(clause.body.iter().map(|a| model.apply(a, &mut terms)));
        let size = self.known().state.len();
        let arguments = &head.arguments;
        let after = arguments[arguments.len() - size..].to_vec();
        if !first && let Some(invariant) = self.clauses.nodes[self.node].invariant {
            let before = arguments[arguments.len() - 2 * size..arguments.len() - size].to_vec();
            let before = Application { predicate: invariant, arguments: before };
            facts.push(model.apply(&before, &mut terms));
        }
        let at = |list: &[TermId], arguments: &[TermId], terms: &mut Terms| -> Vec<TermId> {
            let mut translation = Translation::new();
            let mut one = |term: &TermId| {
                translation.apply(&summary.terms, terms, *term, |_, var, _| arguments[var.index()])
            };
            list.iter().map(&mut one).collect()
        };
        let now = at(if first { &summary.first } else { &summary.later }, arguments, &mut terms);
        let states = at(&summary.states, &after, &mut terms);
        let goals: Vec<TermId> = now.iter().chain(&states).copied().collect();
        let keep = implied(terms, &facts, &goals, self.options);
        let dropped = keep.iter().filter(|k| !**k).count();
        let (now, states) = keep.split_at(now.len());
        retain(if first { &mut summary.first } else { &mut summary.later }, now);
        retain(&mut summary.states, states);
        dropped
    }

    /// The definitions that a summary stands for.
    fn define(&self, summary: &Summary, model: &mut Model) {
        let predicates = &self.clauses.nodes[self.node];
        let Some(invariant) = predicates.invariant else { return };
        let size = self.known().state.len();
        let mut states = part(summary, &summary.states);
        let mut from = self.known().memories().count();
        for callee in &self.known().calls {
            if let Some(called) = self.clauses.nodes[*callee].invariant {
                states.conjoin(&shifted(&model.definitions[called], from));
            }
            from += self.modular.nodes[*callee].state.len();
        }
        let flows = predicates.initial_places.len() - size;
        let mut initial = part(summary, &summary.first);
        initial.conjoin(&shifted(&states, flows));
        let mut step = part(summary, &summary.later);
        step.conjoin(&shifted(&states, flows + size));
        let before = shifted(&states, flows);
        let guard = Translation::new().apply(
            &before.terms,
            &mut step.terms,
            before.term,
            |terms, var, sort| terms.variable(var, sort),
        );
        step.term = step.terms.implies(guard, step.term);
        model.definitions[predicates.initial] = initial;
        model.definitions[predicates.step] = step;
        model.definitions[invariant] = states;
    }
}

/// Which goals follow from some facts. What the solver does not know does not.
fn implied(
    mut terms: Terms,
    facts: &[TermId],
    goals: &[TermId],
    options: &LearnOptions,
) -> Vec<bool> {
    let mut keep = vec![true; goals.len()];
    let nobody = vec![false; goals.len()];
    while keep.contains(&true) {
        let open = goals.iter().zip(&keep).filter(|(_, k)| **k).map(|(goal, _)| *goal);
        let all = terms.and(open);
        let fails = terms.not(all);
        let Some(mut session) = session(&terms, facts, fails, options) else { return nobody };
        match session.check(&terms, &[]) {
            Outcome::Unsat => return keep,
            Outcome::Unknown(_) => return nobody,
            Outcome::Sat => {}
        }
        let mut progress = false;
        for (goal, keep) in goals.iter().zip(&mut keep) {
            if *keep && session.value(&terms, *goal).is_ok_and(|v| v == Value::Bool(false)) {
                (*keep, progress) = (false, true);
            }
        }
        if !progress {
            return nobody;
        }
    }
    keep
}

fn session(
    terms: &Terms,
    facts: &[TermId],
    goal: TermId,
    options: &LearnOptions,
) -> Option<Box<dyn Session>> {
    let logic = Logic::of(terms, facts.iter().copied().chain([goal]));
    let LearnOptions { solver, options, cancel, .. } = options;
    let mut session = open_session(solver, logic, options, cancel).ok()?;
    for fact in facts.iter().chain([&goal]) {
        session.assert(terms, *fact);
    }
    Some(session)
}

/// The conjunction of some parts of a summary.
fn part(summary: &Summary, list: &[TermId]) -> Definition {
    let mut terms = summary.terms.clone();
    let term = terms.and(list.iter().copied());
    Definition { terms, term }
}

fn retain(list: &mut Vec<TermId>, keep: &[bool]) {
    let mut keep = keep.iter();
    list.retain(|_| keep.next().copied().unwrap_or(true));
}

/// A fact about some variables with terms in their place, if all have one.
fn translate(
    fact: &Predicate,
    leaves: &FxHashMap<VarId, TermId>,
    terms: &mut Terms,
) -> Option<TermId> {
    let known = |var: &VarId| leaves.contains_key(var);
    fact.terms
        .variables([fact.term])
        .iter()
        .all(known)
        .then(|| Translation::new().apply(&fact.terms, terms, fact.term, |_, var, _| leaves[&var]))
}
