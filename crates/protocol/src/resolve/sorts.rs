//! Sorts of variables that are not written: found from how the variables are used, by
//! unification.

use lustral_first_order::{SortId, VarId};

/// The sort of a term: known, or that of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortOf {
    /// This one.
    Known(SortId),
    /// What the variable has.
    Variable(VarId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Open,
    Known(SortId),
    Same(VarId),
}

/// The sorts of all variables.
#[derive(Default, Debug)]
pub struct Sorts {
    slots: Vec<Slot>,
}

impl Sorts {
    /// A new variable, with its sort if that is known.
    pub fn variable(&mut self, sort: Option<SortId>) -> VarId {
        self.slots.push(sort.map_or(Slot::Open, Slot::Known));
        VarId(self.slots.len() as u32 - 1)
    }

    /// The sort as far as it is known.
    pub fn find(&self, sort: SortOf) -> SortOf {
        let mut sort = sort;
        while let SortOf::Variable(variable) = sort {
            match self.slots[variable.index()] {
                Slot::Open => break,
                Slot::Known(known) => return SortOf::Known(known),
                Slot::Same(other) => sort = SortOf::Variable(other),
            }
        }
        sort
    }

    /// The sort of a variable, if it is known.
    pub fn known(&self, variable: VarId) -> Option<SortId> {
        match self.find(SortOf::Variable(variable)) {
            SortOf::Known(sort) => Some(sort),
            SortOf::Variable(_) => None,
        }
    }

    /// Makes two sorts the same.
    ///
    /// # Errors
    /// If they are different: then these.
    pub fn unify(&mut self, left: SortOf, right: SortOf) -> Result<(), (SortId, SortId)> {
        match (self.find(left), self.find(right)) {
            (SortOf::Known(left), SortOf::Known(right)) if left != right => Err((left, right)),
            (SortOf::Known(_), SortOf::Known(_)) => Ok(()),
            (SortOf::Variable(variable), SortOf::Known(sort))
            | (SortOf::Known(sort), SortOf::Variable(variable)) => {
                self.slots[variable.index()] = Slot::Known(sort);
                Ok(())
            }
            (SortOf::Variable(left), SortOf::Variable(right)) => {
                if left != right {
                    self.slots[left.index()] = Slot::Same(right);
                }
                Ok(())
            }
        }
    }
}
