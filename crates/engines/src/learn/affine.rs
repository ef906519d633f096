//! Affine equalities: conservation laws such as `a + b + c = 3`, by Gaussian
//! elimination over the rows (Karr's domain, from samples).
//!
//! The rows that were seen, each with a leading one, span a space; an equation
//! holds of all of them exactly if it is orthogonal to that space. A new row
//! outside the space makes it larger by one dimension, so the equations are
//! weakened at most once for each feature, and once more.

use lustral_term::{Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::number::Number;

/// The affine hull of the rows of some features of one sort.
#[derive(Clone)]
pub(crate) struct Affine {
    sort: Sort,
    features: Vec<TermId>,
    /// Reduced echelon form: each row with the column of its leading one.
    rows: Vec<(usize, Vec<BigRational>)>,
    /// Features of which a value did not fit: nothing is said about them.
    gone: Vec<bool>,
}

impl Affine {
    pub fn new(sort: Sort, features: Vec<TermId>) -> Affine {
        let gone = vec![false; features.len()];
        Affine { sort, features, rows: Vec::new(), gone }
    }

    /// Learns of a row: the values of the features.
    pub fn absorb(&mut self, values: &[Option<Number>]) {
        for (column, value) in values.iter().enumerate() {
            if value.is_none() && !self.gone[column] {
                self.forget(column);
            }
        }
        let mut row = vec![BigRational::one()];
        row.extend(values.iter().zip(&self.gone).map(|(value, gone)| match value {
            Some(value) if !gone => value.to_rational(),
            _ => BigRational::zero(),
        }));
        self.insert(row);
    }

    /// Leaves a feature out: what remains is the hull of the shorter rows.
    fn forget(&mut self, column: usize) {
        self.gone[column] = true;
        for (_, mut row) in std::mem::take(&mut self.rows) {
            row[column + 1] = BigRational::zero();
            self.insert(row);
        }
    }

    fn insert(&mut self, mut row: Vec<BigRational>) {
        for (lead, known) in &self.rows {
            if !row[*lead].is_zero() {
                subtract(&mut row, known, *lead);
            }
        }
        let Some(lead) = row.iter().position(|value| !value.is_zero()) else { return };
        let factor = row[lead].clone();
        row.iter_mut().for_each(|value| *value /= &factor);
        for (_, known) in &mut self.rows {
            if !known[lead].is_zero() {
                subtract(known, &row, lead);
            }
        }
        self.rows.push((lead, row));
    }

    /// The equations: one for each column that leads no row.
    pub fn facts(&self, terms: &mut Terms) -> Vec<TermId> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let leads: Vec<usize> = self.rows.iter().map(|(lead, _)| *lead).collect();
        let free = (1..=self.features.len()).filter(|c| !leads.contains(c) && !self.gone[c - 1]);
        free.map(|column| self.equation(terms, column)).collect()
    }

    /// The equation that gives a column in terms of the leading ones.
    fn equation(&self, terms: &mut Terms, column: usize) -> TermId {
        let mut factors = vec![BigRational::zero(); self.features.len() + 1];
        factors[column] = -BigRational::one();
        for (lead, row) in &self.rows {
            factors[*lead] = row[column].clone();
        }
        let scale = factors.iter().fold(BigInt::one(), |all, f| all.lcm(f.denom()));
        let whole = |f: &BigRational| (f * &scale).to_integer();
        // Positive on one side, negative on the other: as people write it.
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (i, factor) in factors.iter().map(whole).enumerate() {
            if factor.is_zero() {
                continue;
            }
            let side = if factor > BigInt::zero() { &mut left } else { &mut right };
            let constant = self.constant(terms, factor.magnitude().clone().into());
            side.push(match i {
                0 => constant,
                _ => terms.mul(constant, self.features[i - 1]),
            });
        }
        let left = self.sum(terms, &left);
        let right = self.sum(terms, &right);
        terms.eq(left, right)
    }

    fn constant(&self, terms: &mut Terms, n: BigInt) -> TermId {
        match self.sort {
            Sort::Real => terms.constant(Value::Real(n.into())),
            _ => terms.int(n),
        }
    }

    fn sum(&self, terms: &mut Terms, list: &[TermId]) -> TermId {
        match list {
            [] => self.constant(terms, BigInt::zero()),
            list => terms.add(list),
        }
    }
}

/// Makes the entry at a row's lead zero.
fn subtract(row: &mut [BigRational], known: &[BigRational], lead: usize) {
    let factor = row[lead].clone();
    for (value, other) in row.iter_mut().zip(known) {
        if !other.is_zero() {
            *value -= &factor * other;
        }
    }
}

#[cfg(test)]
mod tests {
    use lustral_term::{VarId, show_term};

    use super::*;

    #[test]
    fn finds_a_conservation_law_and_gives_it_up() {
        let mut terms = Terms::new();
        let features: Vec<TermId> = (0..3).map(|i| terms.variable(VarId(i), Sort::Int)).collect();
        let mut affine = Affine::new(Sort::Int, features);
        let row = |a: i64, b: i64, c: i64| [Some(a.into()), Some(b.into()), Some(c.into())];
        affine.absorb(&row(3, 0, 0));
        affine.absorb(&row(1, 2, 0));
        affine.absorb(&row(0, 1, 2));
        let facts = affine.facts(&mut terms);
        let show = |t| show_term(&terms, t, 100, &|v: VarId| ["a", "b", "c"][v.index()].into());
        assert_eq!(facts.iter().map(|f| show(*f)).collect::<Vec<_>>(), ["3 = a + b + c"]);
        affine.absorb(&row(5, 5, 5));
        assert!(affine.facts(&mut terms).is_empty());
    }

    #[test]
    fn a_value_that_does_not_fit_takes_its_feature_along_only() {
        let mut terms = Terms::new();
        let features: Vec<TermId> = (0..3).map(|i| terms.variable(VarId(i), Sort::Int)).collect();
        let mut affine = Affine::new(Sort::Int, features);
        affine.absorb(&[Some(1.into()), Some(1.into()), Some(0.into())]);
        affine.absorb(&[Some(2.into()), Some(2.into()), None]);
        let facts = affine.facts(&mut terms);
        assert_eq!(facts.len(), 1);
        assert_eq!(terms.variables(facts), [VarId(0), VarId(1)]);
    }
}
