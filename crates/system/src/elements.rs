//! Systems with some equations and statements left out: what inductive validity cores
//! and minimal cut sets are about (Ghassabani, Gacek and Whalen, *Efficient generation of
//! inductive validity cores for safety properties*, FSE 2016).

use lustral_term::VarId;

use crate::transition::{Role, TransitionSystem};

/// Which parts of a system can be left out, by what they belong to: elements, which have
/// numbers from 0.
///
/// What is left out of a system is havocked: a variable without its definition is an
/// input, a constraint is not there. So a system without some elements has all
/// executions of the whole one, and a property that holds of it holds of that.
#[derive(Clone, Default, Debug)]
pub struct Elements {
    /// How many there are.
    pub count: usize,
    /// The defined variables that can lose their definitions, with the elements that they
    /// belong to: the definition is there while one of them is.
    pub variables: Vec<(VarId, Vec<usize>)>,
    /// The constraints that can be left out, by their positions, with their elements.
    pub constraints: Vec<(usize, usize)>,
}

impl Elements {
    /// The system in which only some elements are left, by their numbers.
    #[must_use]
    pub fn only(&self, system: &TransitionSystem, kept: &[bool]) -> TransitionSystem {
        let mut fewer = system.clone();
        for (var, owners) in &self.variables {
            if !owners.iter().any(|owner| kept[*owner]) {
                fewer.variables[var.index()].role = Role::Input;
            }
        }
        let variables = &fewer.variables;
        let is_defined = |var: &VarId| matches!(variables[var.index()].role, Role::Defined(_));
        fewer.definitions.retain(is_defined);
        let mut left_out = vec![false; system.constraints.len()];
        for (position, owner) in &self.constraints {
            left_out[*position] = !kept[*owner];
        }
        let mut position = 0..;
        fewer.constraints.retain(|_| position.next().is_none_or(|i: usize| !left_out[i]));
        // Both may speak of what is gone; a proof that needs such a fact proves it anew.
        fewer.typing.clear();
        fewer.candidates.clear();
        fewer
    }
}
