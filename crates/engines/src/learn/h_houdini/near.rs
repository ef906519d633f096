//! Which memories are near to a term: those that it mentions with the fewest operators above them.
//!
//! Where flows feed each other in the same step, a next value reads all that is before it; what it is
//! about is at the top. So each term has a list of the few memories that are nearest, made from the lists
//! of its operands, and what all terms together take is in proportion to their number.

use lustral_system::{Inlined, Role};
use lustral_term::{TermId, Terms, VarId};

/// The most memories of a list: one more than a region has, so that a list that is not full has them all.
const MOST: usize = super::local::MOST_READ + 1;

/// How many operators are above a memory, and the memory.
type Entry = (u32, VarId);

/// The nearest memories of all terms of an arena that grows.
pub(super) struct Near {
    lists: Vec<Box<[Entry]>>,
    /// The flag of the first step is everywhere, and near to nothing.
    first: Option<VarId>,
}

impl Near {
    pub fn new(system: &Inlined, first: Option<VarId>) -> Near {
        let mut this = Near { lists: Vec::new(), first };
        this.extend(system, &system.terms);
        // A flow is as near as its definition, which may have been made after it.
        for at in 0..system.terms.len() {
            let role = system.terms.var(TermId(at as u32)).map(|var| system.variable(var).role);
            if let Some(Role::Defined(definition)) = role {
                this.lists[at] = this.lists[definition.index()].clone();
            }
        }
        this
    }

    /// Looks at the terms that are new.
    pub fn extend(&mut self, system: &Inlined, terms: &Terms) {
        for at in self.lists.len()..terms.len() {
            let list = self.list(system, terms, TermId(at as u32));
            self.lists.push(list);
        }
    }

    fn list(&self, system: &Inlined, terms: &Terms, term: TermId) -> Box<[Entry]> {
        if let Some(var) = terms.var(term) {
            return match system.variable(var).role {
                Role::Memory if Some(var) != self.first => Box::new([(0, var)]),
                Role::Defined(definition) if definition.index() < self.lists.len() => {
                    self.lists[definition.index()].clone()
                }
                _ => Box::default(),
            };
        }
        let below = terms.operands(term).iter().flat_map(|operand| &self.lists[operand.index()]);
        nearest(below.map(|(above, var)| (above + 1, *var)).collect(), MOST).into()
    }

    /// The nearest memories of a term, the nearest first; all of them if the list is not full.
    pub fn of(&self, term: TermId) -> &[Entry] {
        &self.lists[term.index()]
    }

    /// All memories of a term, if they are few.
    pub fn all(&self, term: TermId) -> Option<impl Iterator<Item = VarId> + '_> {
        let list = self.of(term);
        (list.len() < MOST).then(|| list.iter().map(|(_, var)| *var))
    }
}

/// The nearest of some memories, each once.
pub(super) fn nearest(mut list: Vec<Entry>, most: usize) -> Vec<Entry> {
    list.sort_unstable();
    let mut seen: Vec<VarId> = Vec::new();
    list.retain(|(_, var)| {
        let is_new = seen.len() < most && !seen.contains(var);
        if is_new {
            seen.push(*var);
        }
        is_new
    });
    list
}
