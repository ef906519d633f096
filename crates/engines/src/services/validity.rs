//! What the obligations of a proof use of a system: a first inductive validity core, from
//! unsatisfiable cores of the solver (Ghassabani et al., FSE 2016, the algorithm IVC_UC).
//!
//! Each equation stands behind a literal of its own, at every step another one, and so does
//! each statement; what the solver uses of them for the obligations is the core. It is a guess
//! for `certify`, which checks the proof without the rest.

use lustral_base::Cancel;
use lustral_base::schedule::Moment;
use lustral_smt::{Outcome, Session, Solver, SolverOptions};
use lustral_system::{
    Certificate, Constraint, ConstraintSource, Elements, Inlined, InstanceId, Origin, Predicate,
    Proof, PropId, Role, TransitionSystem, Variable,
};
use lustral_term::{Sort, TermId, VarId};
use rustc_hash::FxHashMap;

use crate::metered;
use crate::task::logic;
use crate::unroll::{Start, Unroller};

/// Looks for the elements that proofs of properties of a system use.
pub struct CoreFinder<'s> {
    system: &'s TransitionSystem,
    elements: &'s Elements,
    options: SolverOptions,
    cancel: Cancel,
}

/// The system with each element behind a literal, of those that are left.
struct Relaxed {
    system: Inlined,
    /// The literal of each element that is left.
    literals: FxHashMap<VarId, usize>,
}

/// An obligation: that some predicates hold at the last of some steps.
struct Query<'q> {
    start: Start,
    last: usize,
    /// What holds at all steps before the last, and if there is only one step, at that.
    hypotheses: &'q [Predicate],
    goals: &'q [Predicate],
    /// Memories of which some differ at any two steps.
    states: Option<&'q [VarId]>,
}

impl<'s> CoreFinder<'s> {
    /// For a system as it came from the program.
    #[must_use]
    pub fn new(
        system: &'s TransitionSystem,
        elements: &'s Elements,
        options: SolverOptions,
        cancel: Cancel,
    ) -> CoreFinder<'s> {
        CoreFinder { system, elements, options, cancel }
    }

    /// Which of the elements that are left the obligations of a proof use; nothing if the
    /// solver gives no answer by then, or the proof does not hold of what is left.
    #[must_use]
    pub fn used(
        &self,
        property: PropId,
        certificate: &Certificate,
        kept: &[bool],
        until: Moment,
    ) -> Option<Vec<bool>> {
        let relaxed = self.relaxed(kept);
        let terms = std::sync::Arc::new(self.system.terms.clone());
        let goal = [Predicate { terms, term: self.system.property(property).term }];
        let list = certificate.inductive(self.system);
        let mut used = vec![false; self.elements.count];
        let mut ask = |query: &Query<'_>| self.ask(&relaxed, query, &mut used, until);
        match &certificate.proof {
            Proof::Induction { k, compression, .. } => {
                let (hypotheses, states) = (&list[..], compression.as_ref());
                let states = states.map(|states| &states.memories[..]);
                let step =
                    Query { start: Start::Anywhere, last: *k, hypotheses, goals: &list, states };
                ask(&step)?;
                ask(&Query { last: 0, goals: &goal, states: None, ..step })?;
                for last in 0..*k {
                    let start = Start::Initial;
                    ask(&Query { start, last, hypotheses: &[], goals: &list, states: None })?;
                }
            }
            Proof::Exhausted { steps, states } => {
                let start = Start::Initial;
                let base = Query { start, last: 0, hypotheses: &[], goals: &goal, states: None };
                for last in 0..*steps {
                    ask(&Query { last, ..base })?;
                }
                ask(&Query { last: *steps, goals: &[], states: Some(&states.memories), ..base })?;
            }
        }
        if let Some(states) = certificate.states() {
            let (start, facts) = (Start::Anywhere, &states.facts[..]);
            let step = Query { start, last: 1, hypotheses: facts, goals: facts, states: None };
            ask(&Query { start: Start::Initial, last: 0, hypotheses: &[], ..step })?;
            ask(&step)?;
        }
        Some(used)
    }

    fn relaxed(&self, kept: &[bool]) -> Relaxed {
        let mut system = self.elements.only(self.system, kept);
        let mut literals = FxHashMap::default();
        let mut terms_of = vec![None; self.elements.count];
        for element in (0..self.elements.count).filter(|i| kept[*i]) {
            let (var, term) = system.add_variable(Variable {
                name: format!("keep {element}"),
                sort: Sort::Bool,
                role: Role::Input,
                range: None,
                origin: Origin::Kernel { instance: InstanceId::ROOT },
            });
            literals.insert(var, element);
            terms_of[element] = Some(term);
        }
        let mut equations = Vec::new();
        for (var, owners) in &self.elements.variables {
            let Role::Defined(definition) = system.variable(*var).role else { continue };
            let sort = system.variable(*var).sort;
            let itself = system.terms.variable(*var, sort);
            let equal = system.terms.eq(itself, definition);
            system.variables[var.index()].role = Role::Input;
            for literal in owners.iter().filter_map(|owner| terms_of[*owner]) {
                equations.push(system.terms.implies(literal, equal));
            }
        }
        // Those that are left out are gone, so positions are those of what is left.
        let owner_of: FxHashMap<usize, usize> = self.elements.constraints.iter().copied().collect();
        let left = |i: &usize| owner_of.get(i).is_none_or(|owner| kept[*owner]);
        let positions: Vec<usize> = (0..self.system.constraints.len()).filter(left).collect();
        for (constraint, position) in system.constraints.iter_mut().zip(positions) {
            if let Some(literal) = owner_of.get(&position).and_then(|owner| terms_of[*owner]) {
                constraint.term = system.terms.implies(literal, constraint.term);
            }
        }
        let source = ConstraintSource::Assumption;
        system.constraints.extend(equations.into_iter().map(|term| Constraint { term, source }));
        let variables = &system.variables;
        system.definitions.retain(|v| matches!(variables[v.index()].role, Role::Defined(_)));
        system.properties.clear();
        Relaxed { system: Inlined::new(&system), literals }
    }

    /// Adds what an obligation uses. What others use already is free.
    fn ask(
        &self,
        relaxed: &Relaxed,
        query: &Query<'_>,
        used: &mut [bool],
        until: Moment,
    ) -> Option<()> {
        let (solver, logic) = (Solver::BuiltIn, logic(&relaxed.system));
        let (options, cancel) = (&self.options, &self.cancel);
        let mut session = metered::open(&solver, logic, options, cancel, "core").ok()?;
        let mut unroller = Unroller::new(&relaxed.system, query.start);
        for step in 0..=query.last {
            let mut facts = unroller.extend();
            if step < query.last || query.last == 0 {
                facts.extend(query.hypotheses.iter().map(|p| unroller.predicate_at(step, p)));
            }
            if let Some(memories) = query.states {
                facts.extend((0..step).map(|earlier| unroller.different(memories, earlier, step)));
            }
            facts.append(&mut unroller.due());
            facts.iter().for_each(|fact| session.assert(&unroller.terms, *fact));
        }
        if query.states.is_none() || !query.goals.is_empty() {
            let goals: Vec<TermId> =
                query.goals.iter().map(|p| unroller.predicate_at(query.last, p)).collect();
            let all = unroller.terms.and(goals);
            let fails = unroller.terms.not(all);
            unroller.due().iter().for_each(|fact| session.assert(&unroller.terms, *fact));
            session.assert(&unroller.terms, fails);
        }
        let literals: Vec<(TermId, usize)> = (unroller.occurring())
            .filter_map(|(_, var, term)| Some((term, *relaxed.literals.get(&var)?)))
            .collect();
        let core = smallest(&mut *session, &unroller, &literals, used, until)?;
        literals.iter().filter(|(term, _)| core.contains(term)).for_each(|(_, i)| used[*i] = true);
        Some(())
    }
}

/// The literals that the solver needs: none but those of elements in use, or else some more.
fn smallest(
    session: &mut dyn Session,
    unroller: &Unroller<'_>,
    literals: &[(TermId, usize)],
    used: &[bool],
    until: Moment,
) -> Option<Vec<TermId>> {
    let mut check = |some: &[TermId]| {
        let left = until.left();
        if left.is_zero() {
            return None;
        }
        session.limit(Some(left));
        match session.check(&unroller.terms, some) {
            Outcome::Unsat => Some(Some(session.core())),
            Outcome::Sat => Some(None),
            Outcome::Unknown(_) => None,
        }
    };
    let known: Vec<TermId> = literals.iter().filter(|(_, i)| used[*i]).map(|(t, _)| *t).collect();
    if let Some(core) = check(&known).flatten() {
        return Some(core);
    }
    let all: Vec<TermId> = literals.iter().map(|(term, _)| *term).collect();
    let mut core = check(&all)??;
    // Asked again with the core alone, solvers often find a smaller one.
    while let Some(Some(smaller)) = check(&core)
        && smaller.len() < core.len()
    {
        core = smaller;
    }
    Some(core)
}
