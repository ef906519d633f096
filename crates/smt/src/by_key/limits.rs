//! That all keys of a set are on one side of a bound, or what they have in a table
//! (`Operator::Within`): a truth value `e`, with facts about each index `i`.
//!
//! ```text
//! e => (s[i] => i <= b)        e or s[w] and not (w <= b)        w a new index
//! ```
//!
//! Numbers go on without an end: where `e` holds there is always an index beyond the bound that
//! differs from all that are looked at, and is not in the set. If the bound is the least number,
//! `rest` may as well be such a one, and if it is the greatest, a second index like it.

use std::hash::Hash;

use lustral_term::{End, Limit, Limited, Scalar};

use super::{Build, ByKey};

/// Where something holds, all keys of a set are on one side of a bound, or what they have in
/// the table.
#[derive(Clone, Debug)]
pub(super) struct Border<T> {
    limit: Limit,
    holds: T,
    set: T,
    table: Option<T>,
    bound: T,
}

impl<T: Clone + Eq + Hash> ByKey<T> {
    /// The truth value of a limit of a set, for arrays whose sorts were noted.
    pub fn within<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        (limit, index): (Limit, &'static [Scalar]),
        operands: &[T],
        facts: &mut Vec<T>,
    ) -> T {
        let border = |holds: T| Border {
            limit,
            holds,
            set: operands[0].clone(),
            table: (operands.len() > 2).then(|| operands[1].clone()),
            bound: operands[operands.len() - 1].clone(),
        };
        if let Some(keys) = self.of_index(index).keys.clone() {
            let holds = b.all(&[]);
            let border = border(holds);
            let parts: Vec<T> =
                keys.iter().map(|key| ByKey::on_its_side(b, index, &border, key)).collect();
            return b.all(&parts);
        }
        let holds = b.new_truth();
        let border = border(holds.clone());
        for index_of in self.indices(index).to_vec() {
            self.border_at(b, index, &border, &index_of, facts);
        }
        if let Limited::Key(_) = limit.of {
            // Numbers go on without an end on both sides: so does what differs from all indices.
            let beyond = match limit.end {
                End::Low => self.indices(index)[0].clone(),
                End::High => self.far(b, index, facts),
            };
            let (not, is_in) = (b.not(&holds), b.select(&border.set, &beyond));
            let is_out = b.not(&is_in);
            facts.push(b.any(&[not, is_out]));
        }
        self.of_index(index).borders.push(border.clone());
        let witness = b.new_index(index, facts);
        self.index(b, index, witness.clone(), facts);
        let side = ByKey::on_its_side(b, index, &border, &witness);
        let beyond = b.not(&side);
        facts.push(b.any(&[holds.clone(), beyond]));
        holds
    }

    /// An index that differs from all that are looked at, as the first does: where that has
    /// numbers below all bounds, this one has numbers above them.
    fn far<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        index: &'static [Scalar],
        facts: &mut Vec<T>,
    ) -> T {
        if let Some(far) = &self.of_index(index).far {
            return far.clone();
        }
        let far = b.new_index(index, facts);
        for other in self.indices(index).to_vec() {
            let same = b.same(&far, &other);
            facts.push(b.not(&same));
        }
        self.index(b, index, far.clone(), facts);
        self.of_index(index).far = Some(far.clone());
        far
    }

    /// That an index is not in a set, or on the right side of the bound.
    fn on_its_side<B: Build<Id = T>>(
        b: &mut B,
        index: &'static [Scalar],
        border: &Border<T>,
        of: &T,
    ) -> T {
        let is_in = b.select(&border.set, of);
        let number = match (border.limit.of, &border.table) {
            (Limited::Value, Some(table)) => b.select(table, of),
            (Limited::Key(position), _) => b.scalar(index, of, position as usize),
            (Limited::Value, None) => unreachable!("operands are well-sorted"),
        };
        let side = match border.limit.end {
            End::Low => b.at_most(&border.bound, &number),
            End::High => b.at_most(&number, &border.bound),
        };
        let is_out = b.not(&is_in);
        b.any(&[is_out, side])
    }

    pub(super) fn border_at<B: Build<Id = T>>(
        &mut self,
        b: &mut B,
        index: &'static [Scalar],
        border: &Border<T>,
        of: &T,
        facts: &mut Vec<T>,
    ) {
        if self.is_enough() {
            return;
        }
        let (side, not) = (ByKey::on_its_side(b, index, border, of), b.not(&border.holds));
        facts.push(b.any(&[not, side]));
    }
}
