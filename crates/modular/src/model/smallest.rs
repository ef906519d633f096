//! The smallest part of the arguments with which clauses still have a model.
//!
//! Section 5 of *Synthesizing Modular Invariants for Synchronous Code*: all
//! state is left out of the predicates; that allows derivations of `false` which
//! hand something else on than they were handed, *spurious traces*. Of what was
//! left out, the smallest subset is restored that refutes them.
//!
//! Each clause without a head has one tree here ([`derivations`]), so a spurious
//! trace is a model of that tree in which some links differ. The differing parts
//! are a set of which every sufficient part of the arguments has a member; the
//! cheapest set that hits all those seen so far is a lower bound, and once no
//! trace is left with it, it is the answer. Before that, a part of which nothing
//! can be left out alone is found by leaving out one after the other.

use lustral_engines::LearnOptions;
use lustral_horn::{Clauses, Derivation, derivations};
use lustral_smt::smtlib::Logic;
use lustral_smt::{Outcome, Session, open_session};
use lustral_term::{TermId, Value, VarId};

use super::hitting::cheapest;

/// A part of the arguments that is enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smallest {
    /// By part: whether it is in it.
    pub kept: Vec<bool>,
    /// Whether no cheaper one is enough; else nothing of it can be left out alone.
    pub cheapest: bool,
}

/// Finds the cheapest parts of the arguments that leave no derivation of
/// `false`. `part` says which part an argument belongs to, by predicate and
/// position; what belongs to none stays. Nothing if the clauses have several
/// trees, or a solver cannot tell in time. Nobody has checked it.
#[must_use]
pub fn smallest_arguments(
    clauses: &Clauses,
    part: impl Fn(usize, usize) -> Option<usize>,
    costs: &[u64],
    options: &LearnOptions,
) -> Option<Smallest> {
    let trees = derivations(clauses)?;
    let trees: Option<Vec<Tree>> =
        trees.into_iter().map(|tree| Tree::new(tree, &part, costs.len(), options)).collect();
    let mut search = Search { trees: trees?, costs, spurious: Vec::new() };
    let enough = search.leave_out()?;
    Some(match search.cheapest(&enough) {
        Some(kept) => Smallest { kept, cheapest: true },
        None => Smallest { kept: enough, cheapest: false },
    })
}

/// What becomes of a tree with some parts.
enum Trace {
    /// It cannot hold; these parts are enough for that.
    Refuted(Vec<bool>),
    /// It holds with all but these parts.
    Spurious(Vec<usize>),
}

struct Search<'c> {
    trees: Vec<Tree>,
    costs: &'c [u64],
    /// By spurious trace: the parts that refute it.
    spurious: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Asks all trees with some parts. Nothing if a solver cannot tell.
    fn ask(&mut self, kept: &[bool]) -> Option<Trace> {
        let mut used = vec![false; kept.len()];
        for tree in &mut self.trees {
            match tree.ask(kept)? {
                Trace::Refuted(core) => {
                    used.iter_mut().zip(core).for_each(|(used, core)| *used |= core);
                }
                spurious @ Trace::Spurious(_) => return Some(spurious),
            }
        }
        Some(Trace::Refuted(used))
    }

    /// Leaves out parts, the dearest first, until none can be left out alone.
    fn leave_out(&mut self) -> Option<Vec<bool>> {
        let Trace::Refuted(mut kept) = self.ask(&vec![true; self.costs.len()])? else {
            return None;
        };
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|part| std::cmp::Reverse(self.costs[*part]));
        for part in order {
            if !kept[part] {
                continue;
            }
            let mut fewer = kept.clone();
            fewer[part] = false;
            match self.ask(&fewer) {
                Some(Trace::Refuted(enough)) => kept = enough,
                Some(Trace::Spurious(differing)) => self.spurious.push(differing),
                None => {}
            }
        }
        Some(kept)
    }

    /// The cheapest that is enough, given one that is. Nothing if it takes too
    /// much work to tell.
    fn cheapest(&mut self, enough: &[bool]) -> Option<Vec<bool>> {
        let costs = self.costs;
        let cost = |kept: &[bool]| {
            kept.iter().zip(costs).filter(|(kept, _)| **kept).map(|(_, c)| c).sum::<u64>()
        };
        let known = cost(enough);
        loop {
            let mut least = vec![false; enough.len()];
            cheapest(&self.spurious, self.costs)?.into_iter().for_each(|part| least[part] = true);
            if cost(&least) >= known {
                return Some(enough.to_vec());
            }
            let Trace::Spurious(mut differing) = self.ask(&least)? else { return Some(least) };
            // The fewer parts refute it, the more is known.
            let mut i = 0;
            while i < differing.len() {
                let mut more = vec![true; enough.len()];
                differing.iter().for_each(|part| more[*part] = false);
                more[differing[i]] = true;
                match self.ask(&more)? {
                    Trace::Spurious(fewer) => differing = fewer,
                    Trace::Refuted(_) => i += 1,
                }
            }
            self.spurious.push(differing);
        }
    }
}

/// A tree with a literal for each part: it says that the links of the part are
/// equal.
struct Tree {
    tree: Derivation,
    session: Box<dyn Session>,
    literals: Vec<TermId>,
    /// By part: its links, as equations.
    links: Vec<Vec<TermId>>,
}

impl Tree {
    fn new(
        mut tree: Derivation,
        part: &impl Fn(usize, usize) -> Option<usize>,
        parts: usize,
        options: &LearnOptions,
    ) -> Option<Tree> {
        let mut links: Vec<Vec<TermId>> = vec![Vec::new(); parts];
        let mut facts = tree.facts.clone();
        for link in &tree.links {
            let equal = tree.terms.eq(link.used, link.derived);
            match part(link.predicate, link.argument) {
                Some(part) => links[part].push(equal),
                None => facts.push(equal),
            }
        }
        let mut literals = Vec::with_capacity(parts);
        for (i, links) in links.iter().enumerate() {
            let var = VarId(tree.variables + i as u32);
            let literal = tree.terms.variable(var, lustral_term::Sort::Bool);
            let all = tree.terms.and(links.iter().copied());
            facts.push(tree.terms.implies(literal, all));
            literals.push(literal);
        }
        let logic = Logic::of(&tree.terms, facts.iter().copied());
        let LearnOptions { solver, options, cancel, .. } = options;
        let mut session = open_session(solver, logic, options, cancel).ok()?;
        facts.iter().for_each(|fact| session.assert(&tree.terms, *fact));
        Some(Tree { tree, session, literals, links })
    }

    fn ask(&mut self, kept: &[bool]) -> Option<Trace> {
        let chosen = self.literals.iter().zip(kept).filter(|(_, kept)| **kept);
        let chosen: Vec<TermId> = chosen.map(|(literal, _)| *literal).collect();
        match self.session.check(&self.tree.terms, &chosen) {
            Outcome::Unsat => {
                let core = self.session.core();
                Some(Trace::Refuted(self.literals.iter().map(|l| core.contains(l)).collect()))
            }
            Outcome::Sat => {
                let mut differing = Vec::new();
                for (part, links) in self.links.iter().enumerate() {
                    let terms = &self.tree.terms;
                    let mut equal = true;
                    for link in links {
                        equal &= self.session.value(terms, *link).ok()? == Value::Bool(true);
                    }
                    if !equal {
                        differing.push(part);
                    }
                }
                // A model that says that all is equal is none.
                let told = |part: &usize| !kept[*part];
                (!differing.is_empty() && differing.iter().all(told))
                    .then_some(Trace::Spurious(differing))
            }
            Outcome::Unknown(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use lustral_base::Cancel;
    use lustral_engines::Templates;
    use lustral_horn::{Application, Argument, Signature};
    use lustral_smt::{Solver, SolverOptions};
    use lustral_term::Sort;

    use super::*;

    /// `x = y = z + u = 1 ⇒ p(x, y, z, u)` and `p(x, y, z, u) ∧ goal ⇒ false`.
    fn clauses(goal: impl Fn(&mut Clauses, &[TermId]) -> TermId) -> Clauses {
        let mut clauses = Clauses::default();
        let argument = || Argument { sort: Sort::Int, about: String::new() };
        let arguments = (0..4).map(|_| argument()).collect();
        clauses.predicates.push(Signature { name: "p".into(), arguments, about: String::new() });
        let mut variables =
            || -> Vec<TermId> { (0..4).map(|_| clauses.variable('x', Sort::Int)).collect() };
        let (head, body) = (variables(), variables());
        let one = clauses.terms.int(1);
        let sum = clauses.terms.add(&[head[2], head[3]]);
        let facts = [head[0], head[1], sum].map(|t| clauses.terms.eq(t, one));
        let p = |arguments| Application { predicate: 0, arguments };
        clauses.push("", Vec::new(), facts.to_vec(), Some(p(head)));
        let goal = goal(&mut clauses, &body);
        clauses.push("", vec![p(body)], vec![goal], None);
        clauses
    }

    fn smallest(clauses: &Clauses, costs: [u64; 4]) -> Option<Smallest> {
        let options = LearnOptions {
            solver: Solver::BuiltIn,
            options: SolverOptions::default(),
            templates: Templates::ALL,
            cancel: Cancel::new(),
        };
        smallest_arguments(clauses, |_, argument| Some(argument), &costs, &options)
    }

    fn kept(kept: [bool; 4]) -> Option<Smallest> {
        Some(Smallest { kept: kept.to_vec(), cheapest: true })
    }

    /// None of x = 1, y = 1 and z + u = 1 holds: any of them refutes that, and
    /// leaving out one after the other may end with the pair.
    #[test]
    fn the_cheapest_part_is_restored() {
        let none = |clauses: &mut Clauses, body: &[TermId]| {
            let terms = &mut clauses.terms;
            let one = terms.int(1);
            let sum = terms.add(&[body[2], body[3]]);
            let none = [body[0], body[1], sum].map(|t| terms.eq(t, one));
            let none = none.map(|t| terms.not(t));
            terms.and(none)
        };
        let clauses = clauses(none);
        assert_eq!(smallest(&clauses, [1, 2, 2, 2]), kept([true, false, false, false]));
        assert_eq!(smallest(&clauses, [3, 2, 2, 2]), kept([false, true, false, false]));
        assert_eq!(smallest(&clauses, [9, 9, 2, 2]), kept([false, false, true, true]));
        // Leaving out the dearest first ends with the pair, which costs more than one.
        assert_eq!(smallest(&clauses, [5, 5, 4, 4]), kept([true, false, false, false]));
    }

    #[test]
    fn what_can_be_derived_has_no_part_that_is_enough() {
        let can_be = |clauses: &mut Clauses, body: &[TermId]| clauses.terms.eq(body[0], body[1]);
        assert_eq!(smallest(&clauses(can_be), [1; 4]), None);
    }
}
