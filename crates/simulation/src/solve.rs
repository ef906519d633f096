//! Constraints that say what an input is.
//!
//! Programs often define an input by an assertion, `assert i = e`, or exclude
//! values of it, `assert not (i and j)`. Drawn at random, such inputs hardly
//! ever obey. Where the constraint has the form of a clause with an equation
//! (or a literal) of an input, the input is computed from the rest instead.
//! The constraint is still evaluated, so nothing depends on this for truth.

use lustral_system::{Role, TransitionSystem};
use lustral_term::{Operator, Sort, Term, TermId, Terms, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Source;

/// For each solved input, the guarded terms that it equals.
pub(crate) type Solution = FxHashMap<VarId, Vec<(TermId, TermId)>>;

/// Solves the constraints of a system, and more terms that should hold, for
/// its inputs and choices, in an arena that begins as the system's.
pub(crate) fn solve(system: &TransitionSystem, more: &[TermId], terms: &mut Terms) -> Solution {
    let mut solver = Solver { system, terms, solution: Solution::default() };
    // The constraints come first, then what is only preferred.
    let mut stack: Vec<TermId> = more.iter().rev().copied().collect();
    stack.extend(system.constraints.iter().rev().map(|c| c.term));
    while let Some(term) = stack.pop() {
        match solver.terms.get(term) {
            Term::Apply(Operator::And, list) => stack.extend(list.iter().rev()),
            Term::Apply(Operator::Ite, &[c, a, b]) => {
                let not_c = solver.terms.not(c);
                let clauses = [[not_c, a], [c, b]];
                clauses.iter().for_each(|clause| solver.clause(clause));
            }
            Term::Apply(Operator::Or, list) => {
                let list = list.to_vec();
                solver.clause(&list);
            }
            _ => solver.clause(&[term]),
        }
    }
    solver.solution
}

/// Where variables come from, given a solution.
pub(crate) fn source(system: &TransitionSystem, solution: &Solution, var: VarId) -> Source {
    if let Role::Defined(term) = system.variable(var).role {
        return Source::Term(term);
    }
    match solution.get(&var).map(Vec::as_slice) {
        None => Source::Free,
        Some([(Terms::TRUE, term), ..]) => Source::Term(*term),
        Some(cases) => Source::Guarded(cases.to_vec()),
    }
}

struct Solver<'a> {
    system: &'a TransitionSystem,
    terms: &'a mut Terms,
    solution: Solution,
}

impl Solver<'_> {
    /// Solves a clause for an input of one of its literals: the others false.
    fn clause(&mut self, literals: &[TermId]) {
        // The last one, so that of several inputs that exclude each other
        // pairwise, each gives way to those before it.
        for (i, literal) in literals.iter().enumerate().rev() {
            for (var, term) in self.equations(*literal) {
                let others: Vec<TermId> =
                    literals.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, l)| *l).collect();
                let some_other = self.terms.or(others);
                let guard = self.terms.not(some_other);
                if !self.depends([guard, term], var) {
                    self.solution.entry(var).or_default().push((guard, term));
                    return;
                }
            }
        }
    }

    /// The equations of inputs that make a literal true.
    fn equations(&mut self, literal: TermId) -> Vec<(VarId, TermId)> {
        let input = |terms: &Terms, term: TermId| {
            let var = terms.var(term)?;
            let role = self.system.variable(var).role;
            matches!(role, Role::Input | Role::Choice).then_some(var)
        };
        let (positive, atom) = match self.terms.get(literal) {
            Term::Apply(Operator::Not, [atom]) => (false, *atom),
            _ => (true, literal),
        };
        let sides = match self.terms.get(atom) {
            Term::Var(..) => vec![(atom, Terms::TRUE)],
            // The negation of an equation says what an input is of truth values only.
            Term::Apply(Operator::Eq, &[a, b]) if positive || self.terms.sort(a) == Sort::Bool => {
                vec![(a, b), (b, a)]
            }
            _ => Vec::new(),
        };
        let mut found = Vec::new();
        for (side, other) in sides {
            if let Some(var) = input(self.terms, side) {
                found.push((var, if positive { other } else { self.terms.not(other) }));
            }
        }
        found
    }

    /// Whether terms depend on a variable, through definitions and through
    /// what other inputs were solved for.
    fn depends(&self, roots: [TermId; 2], var: VarId) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend(self.terms.operands(term));
            let Some(found) = self.terms.var(term) else { continue };
            if found == var {
                return true;
            }
            if let Role::Defined(term) = self.system.variable(found).role {
                stack.push(term);
            }
            for (guard, term) in self.solution.get(&found).into_iter().flatten() {
                stack.extend([guard, term]);
            }
        }
        false
    }
}

/// The ranges of inputs that are not drawn within them: those that were solved
/// for, and those whose range is beyond the machine's numbers.
pub(crate) fn ranges(
    system: &TransitionSystem,
    solution: &Solution,
    terms: &mut Terms,
) -> Vec<TermId> {
    let mut found = Vec::new();
    for (var, variable) in system.variables() {
        let Some(range) = &variable.range else { continue };
        let known = |n: &Option<BigInt>| n.as_ref().is_none_or(|n| i64::try_from(n).is_ok());
        let fits = known(&range.low) && known(&range.high);
        if !fits || solution.contains_key(&var) {
            let term = terms.variable(var, Sort::Int);
            found.push(TransitionSystem::range_term(terms, term, range));
        }
    }
    found
}
