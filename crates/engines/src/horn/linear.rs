//! From terms of a system to linear terms of clauses.
//!
//! Quotients and remainders by constants, and the integer part of a real,
//! become new variables with the constraints that define them: every value of
//! the operand has exactly one such value, so no clause loses an instance.
//! (Spacer knows neither well, and forgets its time limit over them.)

use lustral_term::{Op, Sort, TermId, Terms, Value, VarId};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::clauses::Clauses;

/// A translation of terms into the arena of clauses.
#[derive(Default)]
pub(crate) struct Linear {
    done: FxHashMap<TermId, TermId>,
    quotients: FxHashMap<(TermId, BigInt), TermId>,
    floors: FxHashMap<TermId, TermId>,
    /// What the new variables satisfy.
    pub definitions: Vec<TermId>,
}

/// Why a term has no linear form.
pub(crate) const NOT_LINEAR: &str =
    "the property or an assertion depends on a product or quotient of variables";

impl Linear {
    /// The translation of a term; `variable` says what a variable becomes. All
    /// terms given to one value of this type must be of one arena.
    pub fn apply(
        &mut self,
        source: &Terms,
        clauses: &mut Clauses,
        root: TermId,
        mut variable: impl FnMut(&mut Clauses, VarId, Sort) -> TermId,
    ) -> Result<TermId, String> {
        // Operands come before their users in an arena.
        for id in source.closure([root]) {
            if self.done.contains_key(&id) {
                continue;
            }
            let term = match source.op(id) {
                Op::Var(var, sort) => variable(clauses, *var, *sort),
                Op::Mul(list)
                    if list.iter().filter(|a| source.value(**a).is_none()).count() > 1 =>
                {
                    return Err(NOT_LINEAR.into());
                }
                Op::IntDiv(a, b) => self.quotient(source, clauses, *a, *b)?,
                Op::Mod(a, b) => self.remainder(source, clauses, *a, *b)?,
                Op::RealDiv(..) => return Err(NOT_LINEAR.into()),
                Op::Floor(a) => self.floor(clauses, *a),
                op => clauses.terms.rebuild(op, |operand| self.done[&operand]),
            };
            self.done.insert(id, term);
        }
        Ok(self.done[&root])
    }

    /// The q of `a = b * q + r`, `0 <= r < |b|`.
    fn quotient(
        &mut self,
        source: &Terms,
        clauses: &mut Clauses,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, String> {
        let divisor = match source.value(b) {
            Some(Value::Int(divisor)) if !divisor.is_zero() => divisor.clone(),
            // A quotient by zero is an unknown function of the dividend.
            _ => return Err(NOT_LINEAR.into()),
        };
        let a = self.done[&a];
        if let Some(known) = self.quotients.get(&(a, divisor.clone())) {
            return Ok(*known);
        }
        let quotient = clauses.variable('q', Sort::Int);
        let rest = rest(&mut clauses.terms, a, &divisor, quotient);
        let zero = clauses.terms.int(0);
        let most = clauses.terms.int(divisor.abs() - BigInt::one());
        self.definitions.push(clauses.terms.le(zero, rest));
        self.definitions.push(clauses.terms.le(rest, most));
        self.quotients.insert((a, divisor), quotient);
        Ok(quotient)
    }

    fn remainder(
        &mut self,
        source: &Terms,
        clauses: &mut Clauses,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, String> {
        let quotient = self.quotient(source, clauses, a, b)?;
        let divisor = match source.value(b) {
            Some(Value::Int(divisor)) => divisor.clone(),
            _ => return Err(NOT_LINEAR.into()),
        };
        Ok(rest(&mut clauses.terms, self.done[&a], &divisor, quotient))
    }

    /// The n of `n <= a < n + 1`.
    fn floor(&mut self, clauses: &mut Clauses, a: TermId) -> TermId {
        let a = self.done[&a];
        if let Some(known) = self.floors.get(&a) {
            return *known;
        }
        let whole = clauses.variable('q', Sort::Int);
        let terms = &mut clauses.terms;
        let below = terms.to_real(whole);
        let one = terms.int(1);
        let one = terms.to_real(one);
        let above = terms.add(&[below, one]);
        self.definitions.push(terms.le(below, a));
        self.definitions.push(terms.lt(a, above));
        self.floors.insert(a, whole);
        whole
    }
}

/// `a - divisor * quotient`
fn rest(terms: &mut Terms, a: TermId, divisor: &BigInt, quotient: TermId) -> TermId {
    let factor = terms.int(divisor.clone());
    let product = terms.mul(factor, quotient);
    terms.sub(a, product)
}
