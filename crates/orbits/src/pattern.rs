//! Cubes with variables in place of elements.
//!
//! The orbit of a cube says of any elements that differ as those of the cube do that they are not so.
//! A pattern says it of more: of elements some of which may be the same. So one pattern stands
//! for many orbits, and for orbits of sizes that were not looked at.

use std::collections::BTreeSet;

use lustral_first_order::{
    Application, Formula, Moment, Signature, SortId, SymbolId, Term, Universe, VarId, Variable,
};
use rustc_hash::FxHashSet;

use crate::atoms::{AtomLit, Atoms, Cube, MOST_RENAMED};

/// A symbol with variables by number as arguments (and value), and whether it holds.
pub(crate) type Part = (SymbolId, Vec<usize>, bool);

/// Literals over variables that do not hold together, if some of the variables are different.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    parts: Vec<Part>,
    /// The sorts of the variables.
    sorts: Vec<SortId>,
    /// Pairs of variables that have to be different, the smaller first.
    differ: BTreeSet<(usize, usize)>,
}

impl Pattern {
    /// The orbit of a cube.
    pub(crate) fn of(atoms: &Atoms, cube: &[AtomLit]) -> Pattern {
        let elements = atoms.mentioned(cube);
        let place = |element| elements.binary_search(element).unwrap_or_default();
        let part = |(atom, holds): &AtomLit| {
            (atoms.symbol(*atom), atoms.elements(*atom).iter().map(place).collect(), *holds)
        };
        Pattern::over(cube.iter().map(part).collect(), elements.iter().map(|e| e.0).collect())
    }

    /// Literals over variables of these sorts, all of which differ.
    pub(crate) fn over(parts: Vec<Part>, sorts: Vec<SortId>) -> Pattern {
        let pairs = (0..sorts.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let differ = pairs.filter(|(a, b)| sorts[*a] == sorts[*b]).collect();
        Pattern { parts, sorts, differ }
    }

    /// Patterns that say more: with two variables that need no longer differ.
    pub(crate) fn merged(&self) -> Vec<Pattern> {
        let without = |pair: &(usize, usize)| {
            let mut more = self.clone();
            more.differ.remove(pair);
            more
        };
        self.differ.iter().map(without).collect()
    }

    /// Patterns that say more: with a new variable for an element in one literal of several. Where a sort
    /// has one element only, nothing would be seen of what they say more.
    pub(crate) fn split(&self, universe: &Universe) -> Vec<Pattern> {
        let mut found = Vec::new();
        let several = |variable: &usize| universe.size(self.sorts[*variable]) > 1;
        for variable in (0..self.sorts.len()).filter(several) {
            let uses = self.parts.iter().filter(|part| part.1.contains(&variable)).count();
            for (i, part) in self.parts.iter().enumerate() {
                if uses < 2 || !part.1.contains(&variable) {
                    continue;
                }
                let mut more = self.clone();
                let new = more.sorts.len();
                more.sorts.push(self.sorts[variable]);
                for place in &mut more.parts[i].1 {
                    if *place == variable {
                        *place = new;
                    }
                }
                found.push(more);
            }
        }
        found
    }

    /// The cubes that it excludes at a size; nothing if they are too many.
    pub(crate) fn cubes(&self, atoms: &Atoms) -> Option<Vec<Cube>> {
        let ways = self.sorts.iter().map(|sort| atoms.universe.size(*sort) as usize);
        if ways.fold(1usize, usize::saturating_mul) > 16 * MOST_RENAMED {
            return None;
        }
        let list = self.all_cubes(atoms);
        (list.len() <= MOST_RENAMED).then_some(list)
    }

    /// The cubes that it excludes at a size.
    pub(crate) fn all_cubes(&self, atoms: &Atoms) -> Vec<Cube> {
        let mut found = FxHashSet::default();
        let mut list = Vec::new();
        for values in atoms.universe.tuples(&self.sorts) {
            if self.differ.iter().any(|(a, b)| values[*a] == values[*b]) {
                continue;
            }
            if let Some(cube) = self.cube(atoms, &values)
                && found.insert(cube.clone())
            {
                list.push(cube);
            }
        }
        list
    }

    /// The cube for elements; nothing if it contradicts itself.
    fn cube(&self, atoms: &Atoms, values: &[u32]) -> Option<Cube> {
        let one = |(symbol, variables, holds): &Part| {
            let elements = variables.iter().map(|v| values[*v]).collect();
            Some((atoms.number(*symbol, elements)?, *holds))
        };
        let mut cube: Cube = self.parts.iter().map(one).collect::<Option<_>>()?;
        cube.sort_unstable();
        cube.dedup();
        let contradicts = cube.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!contradicts).then_some(cube)
    }

    /// What it says, for all sizes.
    #[must_use]
    pub fn formula(&self, signature: &Signature) -> Formula {
        let variables = self.variables(signature);
        let term = |v: &usize| Term::Variable(variables[*v].clone());
        let mut parts: Vec<Formula> =
            self.differ.iter().map(|(a, b)| Formula::equal(term(a), term(b))).collect();
        for (symbol, of, holds) in &self.parts {
            let mut arguments: Vec<Term> = of.iter().map(term).collect();
            let function = signature.symbol(*symbol).result.is_some();
            let value = if function { arguments.pop() } else { None };
            let application = Application { symbol: *symbol, moment: Moment::Now, arguments };
            let said = match value {
                Some(value) => Formula::equal(Term::Apply(application), value),
                None => Formula::Relation(application),
            };
            parts.push(if *holds { said.negated() } else { said });
        }
        let body = if parts.len() == 1 { parts.swap_remove(0) } else { Formula::Or(parts) };
        Formula::forall(variables, body)
    }

    /// Variables with the names that people give them: the first letter of their sort.
    fn variables(&self, signature: &Signature) -> Vec<Variable> {
        let letter = |sort: SortId| signature.sort(sort).chars().next().unwrap_or('x');
        let mut variables = Vec::new();
        for (i, sort) in self.sorts.iter().enumerate() {
            let shared = signature.sort_ids().filter(|s| letter(*s) == letter(*sort)).count() > 1;
            let name = signature.sort(*sort);
            let stem = if shared { name.to_string() } else { letter(*sort).to_string() };
            let number = self.sorts[..=i].iter().filter(|s| *s == sort).count();
            let name = format!("{}{number}", stem.to_uppercase());
            variables.push(Variable { id: VarId(i as u32), sort: *sort, name: name.into() });
        }
        variables
    }
}
