//! The derivations of `false` from clauses that leave little choice.
//!
//! Where each predicate is the head of one clause and none depends on itself, a
//! clause without a head has one tree of clauses above it, and the only
//! question is whether values fit.

use lustral_term::{Sort, TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

use crate::clauses::{Application, Clause, Clauses};

/// The most clauses in a tree, and the most work that it may be to unfold it:
/// its clauses times the terms that there are.
const MOST_CLAUSES: usize = 50_000;
const MOST_WORK: usize = 20_000_000;

/// A tree of clauses: there is a derivation of its form if all facts can hold,
/// and with them the two sides of every link be equal.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The arena of all terms below.
    pub terms: Terms,
    /// The number of variables of the arena.
    pub variables: u32,
    /// The constraints of all clauses.
    pub facts: Vec<TermId>,
    /// What is handed from one clause to the next.
    pub links: Vec<Link>,
}

/// An argument of a predicate, where one clause uses what another derives.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The predicate.
    pub predicate: usize,
    /// The position of the argument.
    pub argument: usize,
    /// What it is in the clause that uses the predicate.
    pub used: TermId,
    /// What it is in the clause that derives it.
    pub derived: TermId,
}

/// By clause without a head, its only tree. Nothing if there are several trees,
/// or they are too large.
#[must_use]
pub fn derivations(clauses: &Clauses) -> Option<Vec<Derivation>> {
    let mut of: FxHashMap<usize, &Clause> = FxHashMap::default();
    for clause in &clauses.clauses {
        if let Some(head) = &clause.head
            && of.insert(head.predicate, clause).is_some()
        {
            return None;
        }
    }
    let most = MOST_CLAUSES.min(MOST_WORK / clauses.terms.len().max(1));
    let roots = clauses.clauses.iter().filter(|c| c.head.is_none());
    roots.map(|root| unfold(clauses, &of, root, most)).collect()
}

/// A tree, unless it has more clauses than this; one that never ends has.
fn unfold(
    clauses: &Clauses,
    of: &FxHashMap<usize, &Clause>,
    root: &Clause,
    most: usize,
) -> Option<Derivation> {
    let mut tree =
        Derivation { terms: Terms::new(), variables: 0, facts: Vec::new(), links: Vec::new() };
    let mut pending: Vec<(&Clause, Option<Application>)> = vec![(root, None)];
    let mut seen = 0;
    while let Some((clause, used)) = pending.pop() {
        seen += 1;
        if seen > most {
            return None;
        }
        let mut copy = Copy { clauses, tree: &mut tree, known: FxHashMap::default() };
        let mut translation = Translation::new();
        for constraint in &clause.constraints {
            let fact = copy.term(&mut translation, *constraint);
            copy.tree.facts.push(fact);
        }
        if let (Some(head), Some(used)) = (&clause.head, used) {
            for (argument, (derived, used)) in head.arguments.iter().zip(used.arguments).enumerate()
            {
                let derived = copy.term(&mut translation, *derived);
                copy.tree.links.push(Link { predicate: head.predicate, argument, used, derived });
            }
        }
        for Application { predicate, arguments } in &clause.body {
            let arguments = arguments.iter().map(|a| copy.term(&mut translation, *a)).collect();
            match of.get(predicate) {
                Some(next) => {
                    let predicate = *predicate;
                    pending.push((next, Some(Application { predicate, arguments })));
                }
                // Nothing derives it.
                None => copy.tree.facts.push(Terms::FALSE),
            }
        }
    }
    Some(tree)
}

/// A clause with variables of its own.
struct Copy<'c> {
    clauses: &'c Clauses,
    tree: &'c mut Derivation,
    known: FxHashMap<VarId, VarId>,
}

impl Copy<'_> {
    fn term(&mut self, translation: &mut Translation, term: TermId) -> TermId {
        let Copy { clauses, tree, known } = self;
        let Derivation { terms, variables, .. } = &mut **tree;
        translation.apply(&clauses.terms, terms, term, |terms, var, sort: Sort| {
            let var = *known.entry(var).or_insert_with(|| {
                *variables += 1;
                VarId(*variables - 1)
            });
            terms.variable(var, sort)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clauses::{Argument, Signature};

    /// `x = 1 ⇒ p(x)`, `p(x) ∧ p(y) ∧ x ≠ y ⇒ false`, and more of the first.
    fn clauses(heads: usize) -> Clauses {
        let mut clauses = Clauses::default();
        let arguments = vec![Argument { sort: Sort::Int, about: String::new() }];
        clauses.predicates.push(Signature { name: "p".into(), arguments, about: String::new() });
        let p = |x| Application { predicate: 0, arguments: vec![x] };
        for _ in 0..heads {
            let x = clauses.variable('x', Sort::Int);
            let one = clauses.terms.int(1);
            let is_one = clauses.terms.eq(x, one);
            clauses.push("", Vec::new(), vec![is_one], Some(p(x)));
        }
        let (x, y) = (clauses.variable('x', Sort::Int), clauses.variable('y', Sort::Int));
        let same = clauses.terms.eq(x, y);
        let different = clauses.terms.not(same);
        clauses.push("", vec![p(x), p(y)], vec![different], None);
        clauses
    }

    #[test]
    fn every_use_has_a_clause_of_its_own() {
        let trees = derivations(&clauses(1)).unwrap();
        assert_eq!(trees.len(), 1);
        let Derivation { terms, variables, facts, links } = &trees[0];
        // Two variables of the query, and one for each time that p is derived.
        assert_eq!((*variables, facts.len(), links.len()), (4, 3, 2));
        assert_ne!(links[0].derived, links[1].derived);
        assert_eq!(terms.variables(links.iter().flat_map(|l| [l.used, l.derived])).len(), 4);
    }

    #[test]
    fn several_trees_are_none() {
        assert!(derivations(&clauses(2)).is_none());
        // Nothing derives it: there is a tree that cannot hold.
        let trees = derivations(&clauses(0)).unwrap();
        assert!(trees[0].facts.contains(&Terms::FALSE));
    }

    #[test]
    fn a_tree_that_never_ends_is_none() {
        let mut clauses = clauses(0);
        let x = clauses.variable('x', Sort::Int);
        let p = |x| Application { predicate: 0, arguments: vec![x] };
        clauses.push("", vec![p(x)], Vec::new(), Some(p(x)));
        assert!(derivations(&clauses).is_none());
    }
}
