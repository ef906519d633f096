//! From terms of a system to terms of clauses.
//!
//! Quotients and remainders by constants, and the integer part of a real,
//! become new variables with the constraints that define them: every value of
//! the operand has exactly one such value, so no clause loses an instance.
//! (Spacer knows neither well, and forgets its time limit over them.)
//!
//! A quotient by a variable has such constraints too, but they are not linear,
//! and where the divisor is zero any value will do: in Lustre it is the same for
//! the same dividend at all times, which no single clause can say. It must not
//! be left to the division of SMT-LIB: the solver of clauses could choose the
//! quotients by zero so that the clauses have a model, and call the program safe.
//! The result of a function of which nothing is known is any value for the same reason; in
//! one clause it is the same for the same arguments.

use lustral_system::Unsupported;
use lustral_term::{Function, FunctionId, Operator, Sort, Term, TermId, Terms, Value, VarId};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use crate::clauses::Clauses;

/// A call of a function is compared with so many others; with all of many, clauses would
/// grow with the square of their number.
const MOST_COMPARED: usize = 16;

/// A translation of terms into the arena of clauses.
#[derive(Default)]
pub(crate) struct Linear {
    done: FxHashMap<TermId, TermId>,
    quotients: FxHashMap<(TermId, TermId), TermId>,
    remainders: FxHashMap<(TermId, TermId), TermId>,
    floors: FxHashMap<TermId, TermId>,
    /// By function: the arguments and the results of its calls.
    calls: FxHashMap<FunctionId, Vec<(Vec<TermId>, TermId)>>,
    /// What the new variables satisfy.
    pub definitions: Vec<TermId>,
    /// Whether terms that are not linear are translated too.
    any: bool,
}

impl Linear {
    /// A translation that also takes what is not linear.
    pub fn any() -> Linear {
        Linear { any: true, ..Linear::default() }
    }

    /// The translation of a term; `variable` says what a variable becomes. All
    /// terms given to one value of this type must be of one arena.
    pub fn apply(
        &mut self,
        source: &Terms,
        clauses: &mut Clauses,
        root: TermId,
        mut variable: impl FnMut(&mut Clauses, VarId, Sort) -> TermId,
    ) -> Result<TermId, Unsupported> {
        // Operands come before their users in an arena.
        for id in source.closure([root]) {
            if self.done.contains_key(&id) {
                continue;
            }
            if let Sort::Array(_) = source.sort(id) {
                return Err(Unsupported::Array);
            }
            let term = match source.get(id) {
                Term::Var(var, sort) => variable(clauses, var, sort),
                Term::Apply(Operator::Mul, list)
                    if !self.any
                        && list.iter().filter(|a| source.value(**a).is_none()).count() > 1 =>
                {
                    return Err(Unsupported::Nonlinear);
                }
                Term::Apply(Operator::IntDiv, [a, b]) => self.quotient(clauses, *a, *b)?,
                Term::Apply(Operator::Mod, [a, b]) => self.remainder(clauses, *a, *b)?,
                Term::Apply(Operator::RealDiv, [a, b]) => self.ratio(clauses, *a, *b)?,
                Term::Apply(Operator::Floor, [a]) => self.floor(clauses, *a),
                Term::Apply(Operator::Call(_), _) if !self.any => {
                    return Err(Unsupported::Function);
                }
                Term::Apply(Operator::Call(function), arguments) => {
                    let arguments = arguments.iter().map(|a| self.done[a]).collect();
                    self.call(clauses, function, arguments)
                }
                term => clauses.terms.rebuild(term, |operand| self.done[&operand]),
            };
            self.done.insert(id, term);
        }
        Ok(self.done[&root])
    }

    /// The q of `a = b * q + r`, `0 <= r < |b|`.
    fn quotient(
        &mut self,
        clauses: &mut Clauses,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        let (a, b) = (self.done[&a], self.done[&b]);
        if let Some(known) = self.quotients.get(&(a, b)) {
            return Ok(*known);
        }
        let most = self.largest_remainder(clauses, b)?;
        let quotient = clauses.variable('q', Sort::Int);
        let rest = rest(&mut clauses.terms, a, b, quotient);
        let zero = clauses.terms.int(0);
        let bounds = [clauses.terms.le(zero, rest), clauses.terms.le(rest, most)];
        self.define(clauses, b, &bounds);
        self.quotients.insert((a, b), quotient);
        Ok(quotient)
    }

    /// `|b| - 1`
    fn largest_remainder(&self, clauses: &mut Clauses, b: TermId) -> Result<TermId, Unsupported> {
        match clauses.terms.value(b) {
            Some(Value::Int(divisor)) if !divisor.is_zero() => {
                let most = divisor.abs() - BigInt::one();
                Ok(clauses.terms.int(most))
            }
            _ if !self.any => Err(Unsupported::Nonlinear),
            _ => {
                let terms = &mut clauses.terms;
                let (zero, minus_one) = (terms.int(0), terms.int(-1));
                let (positive, negated) = (terms.le(zero, b), terms.neg(b));
                let size = terms.ite(positive, b, negated);
                Ok(terms.add(&[size, minus_one]))
            }
        }
    }

    /// Adds what holds of a quotient where the divisor is not zero.
    fn define(&mut self, clauses: &mut Clauses, divisor: TermId, facts: &[TermId]) {
        let terms = &mut clauses.terms;
        let zero = terms.constant(Value::zero(terms.sort(divisor)));
        let is_zero = terms.eq(divisor, zero);
        clauses.approximate |= is_zero != Terms::FALSE;
        for fact in facts {
            self.definitions.push(terms.or([is_zero, *fact]));
        }
    }

    fn remainder(
        &mut self,
        clauses: &mut Clauses,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        let quotient = self.quotient(clauses, a, b)?;
        let (a, b) = (self.done[&a], self.done[&b]);
        let rest = rest(&mut clauses.terms, a, b, quotient);
        if clauses.terms.value(b).is_some_and(|v| *v != Value::zero(Sort::Int)) {
            return Ok(rest);
        }
        if let Some(known) = self.remainders.get(&(a, b)) {
            return Ok(*known);
        }
        let remainder = clauses.variable('q', Sort::Int);
        let equal = clauses.terms.eq(remainder, rest);
        self.define(clauses, b, &[equal]);
        self.remainders.insert((a, b), remainder);
        Ok(remainder)
    }

    /// The q of `b * q = a`.
    fn ratio(
        &mut self,
        clauses: &mut Clauses,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        if !self.any {
            return Err(Unsupported::Nonlinear);
        }
        let (a, b) = (self.done[&a], self.done[&b]);
        if let Some(known) = self.quotients.get(&(a, b)) {
            return Ok(*known);
        }
        let quotient = clauses.variable('q', Sort::Real);
        let product = clauses.terms.mul(b, quotient);
        let equal = clauses.terms.eq(product, a);
        self.define(clauses, b, &[equal]);
        self.quotients.insert((a, b), quotient);
        Ok(quotient)
    }

    /// The result of a function. That it is the same at all times no clause can say.
    fn call(
        &mut self,
        clauses: &mut Clauses,
        function: Function,
        arguments: Vec<TermId>,
    ) -> TermId {
        let known = self.calls.entry(function.id).or_default();
        if let Some((_, result)) = known.iter().find(|(others, _)| *others == arguments) {
            return *result;
        }
        let result = clauses.variable('u', function.result);
        clauses.approximate = true;
        for (others, other) in known.iter().take(MOST_COMPARED) {
            let terms = &mut clauses.terms;
            let mut parts = Vec::with_capacity(arguments.len() + 1);
            for (a, b) in arguments.iter().zip(others) {
                let equal = terms.eq(*a, *b);
                parts.push(terms.not(equal));
            }
            parts.push(terms.eq(result, *other));
            self.definitions.push(terms.or(parts));
        }
        known.push((arguments, result));
        result
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
fn rest(terms: &mut Terms, a: TermId, divisor: TermId, quotient: TermId) -> TermId {
    let product = terms.mul(divisor, quotient);
    terms.sub(a, product)
}
