//! Preimages along a trace: conditions on a state under which some inputs lead
//! to the conditions on the next.

use lustral_system::{PropId, Role, TransitionSystem};
use lustral_term::{Operator, Term, TermId, Terms, Translation, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use lustral_projection::Literal;
use lustral_projection::project;
use lustral_projection::{Valuation, implicant};

/// A conjunction of literals over the memories, in an arena of its own.
#[derive(Default)]
pub(crate) struct Conditions {
    pub terms: Terms,
    pub literals: Vec<Literal>,
}

impl Conditions {
    /// The literals as terms.
    pub fn list(&mut self) -> Vec<TermId> {
        self.literals.iter().map(|literal| literal.term(&mut self.terms)).collect()
    }

    /// The literals that a state violates, by position.
    pub fn violated(&mut self, state: &Valuation) -> Vec<usize> {
        let list = self.list();
        let mut values = state.evaluator(&self.terms);
        (0..list.len()).filter(|i| !values.holds(list[*i])).collect()
    }

    /// When the property can fail at a step, as it does at this one. Nothing
    /// if it does not.
    pub fn of_failure(
        system: &TransitionSystem,
        property: PropId,
        step: &Valuation,
    ) -> Option<Conditions> {
        let mut terms = system.terms.clone();
        let fails = terms.not(system.property(property).term);
        before(system, step, |arena, leaf| {
            vec![Translation::new().apply(&terms, arena, fails, |arena, v, _| leaf(arena, v))]
        })
    }

    /// When a step can lead to these conditions, as this one does.
    pub fn before(
        &mut self,
        system: &TransitionSystem,
        nexts: &FxHashMap<VarId, TermId>,
        step: &Valuation,
    ) -> Option<Conditions> {
        let list = self.list();
        before(system, step, |arena, leaf| {
            let (mut outer, mut inner) = (Translation::new(), Translation::new());
            let mut roots = Vec::with_capacity(list.len());
            for term in &list {
                roots.push(outer.apply(&self.terms, arena, *term, |arena, var, _| {
                    let next = nexts[&var];
                    inner.apply(&system.terms, arena, next, |arena, v, _| leaf(arena, v))
                }));
            }
            roots
        })
    }
}

/// Conditions on the memories under which some inputs satisfy the constraints
/// and what `roots` makes of the variables of a step.
fn before(
    system: &TransitionSystem,
    step: &Valuation,
    roots: impl Fn(&mut Terms, &dyn Fn(&mut Terms, VarId) -> TermId) -> Vec<TermId>,
) -> Option<Conditions> {
    let mut step = step.clone();
    for (var, variable) in system.variables() {
        if matches!(variable.role, Role::Input | Role::Choice) {
            step.values.entry(var).or_insert_with(|| system.plain(var));
        }
    }
    // Inputs below products, quotients and functions cannot be projected: they keep
    // their values.
    let mut fixed: FxHashSet<VarId> = FxHashSet::default();
    let is_memory = |var: VarId| system.variable(var).role == Role::Memory;
    loop {
        let leaf = |terms: &mut Terms, var: VarId| {
            if fixed.contains(&var) {
                terms.constant(step.values[&var].clone())
            } else {
                terms.variable(var, system.variable(var).sort)
            }
        };
        let mut terms = Terms::new();
        let mut list = roots(&mut terms, &leaf);
        let mut translation = Translation::new();
        for constraint in &system.constraints {
            let term = constraint.term;
            list.push(translation.apply(&system.terms, &mut terms, term, |t, v, _| leaf(t, v)));
        }
        for var in terms.variables(list.iter().copied()) {
            if let Some(range) = &system.variable(var).range
                && !is_memory(var)
            {
                let variable = terms.variable(var, system.variable(var).sort);
                list.push(TransitionSystem::range_term(&mut terms, variable, range));
            }
        }
        let opaque =
            terms.closure(list.iter().copied()).into_iter().filter(|t| is_opaque(&terms, *t));
        let below = terms.variables(opaque.collect::<Vec<_>>());
        let inputs: Vec<VarId> = below.into_iter().filter(|var| !is_memory(*var)).collect();
        if !inputs.is_empty() {
            fixed.extend(inputs);
            continue;
        }
        let literals = implicant(&terms, &list, &step)?;
        let gone = |term: TermId| terms.var(term).is_some_and(|var| !is_memory(var));
        let literals = project(&terms, literals, &step, gone);
        return Some(Conditions { terms, literals });
    }
}

/// Whether a term is no sum, but a term of linear forms as a whole.
fn is_opaque(terms: &Terms, term: TermId) -> bool {
    match terms.get(term) {
        Term::Apply(Operator::Mul, list) => {
            list.iter().filter(|a| terms.value(**a).is_none()).count() > 1
        }
        Term::Apply(Operator::IntDiv, _)
        | Term::Apply(Operator::Mod, _)
        | Term::Apply(Operator::RealDiv, _)
        | Term::Apply(Operator::ToReal, [_])
        | Term::Apply(Operator::Floor, [_])
        | Term::Apply(Operator::BvToInt, _)
        | Term::Apply(Operator::Select, _)
        | Term::Apply(Operator::Call(_), _) => true,
        _ => false,
    }
}
