//! Quantifiers written out for finitely many of infinitely many values, so that nothing is
//! lost (Cooper 1972; Loos and Weispfenning 1993).
//!
//! Let what is quantified be made by truth functions of comparisons of `c*x + s` with
//! numbers, where `c` is a constant and `s` does not depend on `x`. Each comparison changes
//! its truth value at one point `t = -s/c` only. So between two neighbouring points of all
//! comparisons, below all and above all of them, what is quantified is the same for all `x`,
//! and it is enough to look at one value of each part:
//!
//! - of integers, `t` rounded down, and that number with 1 more and 1 less: the
//!   smallest integer above a point is in the part above it, if that has integers; the one
//!   below the smallest point in the part below all;
//! - of integers, with remainders of `x` by constants as well, as many of these on both sides
//!   of each point as the remainders have a period: among neighbours in one part, all that the
//!   part has or all remainders;
//! - of reals, the points, those in the middle of any two, and those 1 below and 1 above;
//! - of machine integers, which are compared as they are, what their arithmetic
//!   gives for the same as of integers: where it wraps around, the part is empty, and a value
//!   more does no harm.
//!
//! The values that the type of a variable does not have are excluded by what is quantified,
//! which has the conditions of the type.

use lustral_syntax::Span;
use lustral_syntax::ast::Quantifier;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

use super::Resolver;
use super::unbounded::{Dependents, operands};
use crate::program::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::types::Type;

/// The largest period of remainders, the most points, and the most summands.
const LARGEST: u32 = 32;
const MOST_POINTS: usize = 128;
const MOST_SUMMANDS: usize = 64;

/// How far back another place is looked for that names a flow.
const NEAR: u32 = 2000;

/// A number that depends on the variable.
#[derive(Clone, Default, PartialEq)]
struct Form {
    /// The factor of the variable.
    factor: BigRational,
    /// What does not depend on it, with factors.
    rest: Vec<(BigRational, ExprId)>,
    constant: BigRational,
    /// Besides, it depends on the remainder of the variable by this.
    period: Option<BigInt>,
}

/// Where comparisons change their truth values.
struct Points {
    points: Vec<Form>,
    /// Machine integers that the variable is compared with.
    words: Vec<ExprId>,
    period: BigInt,
}

impl Resolver<'_> {
    /// The quantifier over the value that an expression stands for, without it.
    ///
    /// # Errors
    /// With the expression for which this is not known to be possible.
    pub(super) fn eliminate(
        &mut self,
        quantifier: Quantifier,
        value: ExprId,
        dependents: &Dependents,
        root: ExprId,
    ) -> Result<ExprId, ExprId> {
        if !dependents.has(root) {
            return Ok(root);
        }
        let forms = self.forms(value, dependents, root);
        let points = self.points(value, dependents, &forms, root)?;
        let (ty, span) = (self.scope.exprs[value].ty.clone(), self.scope.exprs[root].span);
        let values = match ty {
            Type::Int => self.integers_at(&points, span),
            Type::Real => self.reals_at(&points, span),
            Type::Machine(_) => self.words_at(&points, &ty, span),
            // Nothing depends on it: every comparison is of something with itself.
            _ => vec![value],
        };
        let size = (value.0..=root.0).filter(|id| dependents.has(ExprId(*id))).count();
        self.scope.quantified += values.len() * size / 8;
        if values.len() > 4 * MOST_POINTS || self.scope.quantified > super::quantifiers::MOST {
            return Err(root);
        }
        let copies = values.iter().map(|at| self.copied(value, *at, dependents, root)).collect();
        Ok(self.together(quantifier, copies, span))
    }

    /// The numbers that depend on the variable, as far as they have such a form.
    fn forms(
        &self,
        value: ExprId,
        dependents: &Dependents,
        root: ExprId,
    ) -> FxHashMap<ExprId, Form> {
        let mut forms: FxHashMap<ExprId, Form> = FxHashMap::default();
        // Of other values there are no sums, and so no comparison has a point.
        if matches!(&self.scope.exprs[value].ty, ty if ty.is_int() || *ty == Type::Real) {
            forms.insert(value, Form { factor: BigRational::one(), ..Form::default() });
        }
        for id in (value.0 + 1..=root.0).map(ExprId).filter(|id| dependents.has(*id)) {
            let get = |of: ExprId| match forms.get(&of) {
                Some(form) => Some(form.clone()),
                None if dependents.has(of) => None,
                None => Some(self.independent(of, value)),
            };
            let ty = &self.scope.exprs[id].ty;
            if !(ty.is_int() || *ty == Type::Real) {
                continue;
            }
            let form = match self.scope.exprs[id].kind {
                ExprKind::Unary(UnaryOp::Minus, a) => get(a).map(|a| a.times(&-BigRational::one())),
                ExprKind::Binary(BinaryOp::Plus, a, b) => {
                    get(a).zip(get(b)).and_then(|(a, b)| a.plus(&b))
                }
                ExprKind::Binary(BinaryOp::Minus, a, b) => {
                    get(a).zip(get(b)).and_then(|(a, b)| a.plus(&b.times(&-BigRational::one())))
                }
                ExprKind::Binary(BinaryOp::Times, a, b) => match (self.number(a), self.number(b)) {
                    (Some(factor), _) => get(b).map(|b| b.times(&factor)),
                    (_, Some(factor)) => get(a).map(|a| a.times(&factor)),
                    _ => None,
                },
                ExprKind::Binary(BinaryOp::Mod, a, b) if ty.is_int() => {
                    let by = self.number(b).filter(|by| by.is_integer() && !by.is_zero());
                    get(a).zip(by).and_then(|(a, by)| {
                        let period = a.period.unwrap_or_else(BigInt::one);
                        let period = Some(by.to_integer().abs().lcm(&period));
                        // A factor that is a whole number keeps the period, and so does
                        // what is added.
                        a.factor.is_integer().then(|| Form { period, ..Form::default() })
                    })
                }
                _ => None,
            };
            forms.extend(form.map(|form| (id, form)));
        }
        forms
    }

    /// A number that does not depend on the variable: a sum, as far as that is seen, so
    /// that points that are the same count once.
    fn independent(&self, of: ExprId, value: ExprId) -> Form {
        let mut sum = Form::default();
        let mut stack = vec![(BigRational::one(), of)];
        while let Some((factor, id)) = stack.pop() {
            if let Some(number) = self.number(id) {
                sum.constant += factor * number;
                continue;
            }
            match self.scope.exprs[id].kind {
                ExprKind::Unary(UnaryOp::Minus, a) => stack.push((-factor, a)),
                ExprKind::Binary(BinaryOp::Plus, a, b) => {
                    stack.extend([(factor.clone(), a), (factor, b)]);
                }
                ExprKind::Binary(BinaryOp::Minus, a, b) => {
                    stack.extend([(factor.clone(), a), (-factor, b)]);
                }
                _ => sum.add_summand(&factor, self.first_alike(id, value)),
            }
            if stack.len() + sum.rest.len() > MOST_SUMMANDS {
                return Form { rest: vec![(BigRational::one(), of)], ..Form::default() };
            }
        }
        sum.rest.retain(|(factor, _)| !factor.is_zero());
        sum
    }

    /// Of the places in what is quantified where a flow is named, one for all. Not of places
    /// before it: a constant has no clock of its own, but that of each place that names it.
    fn first_alike(&self, id: ExprId, value: ExprId) -> ExprId {
        let ExprKind::Stream(_) = self.scope.exprs[id].kind else { return id };
        let near = value.0.max(id.0.saturating_sub(NEAR))..id.0;
        let same = |other: &ExprId| self.scope.exprs[*other].kind == self.scope.exprs[id].kind;
        near.map(ExprId).find(same).unwrap_or(id)
    }

    /// A number as written.
    fn number(&self, id: ExprId) -> Option<BigRational> {
        match &self.scope.exprs[id].kind {
            ExprKind::Int(n) => Some(BigRational::from(n.clone())),
            ExprKind::Real(r) => Some(r.clone()),
            ExprKind::Unary(UnaryOp::Minus, a) => match &self.scope.exprs[*a].kind {
                ExprKind::Int(n) => Some(-BigRational::from(n.clone())),
                ExprKind::Real(r) => Some(-r.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where the comparisons below an expression change their truth values.
    fn points(
        &self,
        value: ExprId,
        dependents: &Dependents,
        forms: &FxHashMap<ExprId, Form>,
        root: ExprId,
    ) -> Result<Points, ExprId> {
        let mut found = Points { points: Vec::new(), words: Vec::new(), period: BigInt::one() };
        let mut seen = vec![false; (root.0 - value.0 + 1) as usize];
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !dependents.has(id) || std::mem::replace(&mut seen[(id.0 - value.0) as usize], true)
            {
                continue;
            }
            let expr = &self.scope.exprs[id];
            match &expr.kind {
                // Something is as it is.
                ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) if a == b => {}
                ExprKind::Binary(_, a, b) if self.scope.exprs[*a].ty == Type::Bool => {
                    stack.extend([*a, *b]);
                }
                // What is chosen at the first step is chosen at that step.
                ExprKind::Unary(UnaryOp::Not, _) | ExprKind::AtMostOne(_) | ExprKind::Arrow(..) => {
                    stack.extend(operands(&expr.kind));
                }
                ExprKind::If(..) => stack.extend(operands(&expr.kind)),
                ExprKind::Binary(op, a, b) if is_comparison(*op) => {
                    if let Type::Machine(_) = self.scope.exprs[value].ty {
                        match (*a == value, *b == value) {
                            (true, false) if !dependents.has(*b) => found.words.push(*b),
                            (false, true) if !dependents.has(*a) => found.words.push(*a),
                            (true, true) => {}
                            _ => return Err(id),
                        }
                        continue;
                    }
                    let form = |of: ExprId| match forms.get(&of) {
                        Some(form) => Ok(form.clone()),
                        None if dependents.has(of) => Err(of),
                        None => Ok(self.independent(of, value)),
                    };
                    let (a, b) = (form(*a)?, form(*b)?);
                    let both = a.plus(&b.times(&-BigRational::one())).ok_or(id)?;
                    found.add(both).ok_or(id)?;
                }
                _ => return Err(id),
            }
        }
        Ok(found)
    }

    /// A sum as an expression.
    fn sum(&mut self, of: &Form, ty: &Type, span: Span) -> ExprId {
        let mut sum = self.numeral(&of.constant, ty, span);
        for (factor, summand) in &of.rest {
            let summand = match factor {
                one if one.is_one() => *summand,
                factor => {
                    let factor = self.numeral(factor, ty, span);
                    let kind = ExprKind::Binary(BinaryOp::Times, factor, *summand);
                    self.scope.exprs.push(kind, ty.clone(), span)
                }
            };
            let kind = ExprKind::Binary(BinaryOp::Plus, sum, summand);
            sum = self.scope.exprs.push(kind, ty.clone(), span);
        }
        sum
    }

    fn numeral(&mut self, number: &BigRational, ty: &Type, span: Span) -> ExprId {
        let kind = match ty {
            Type::Real => ExprKind::Real(number.clone()),
            _ => ExprKind::Int(number.to_integer()),
        };
        self.scope.exprs.push(kind, ty.clone(), span)
    }

    fn integers_at(&mut self, found: &Points, span: Span) -> Vec<ExprId> {
        let period = found.period.to_i64().unwrap_or(1);
        let number = |n: i64| BigRational::from(BigInt::from(n));
        if found.points.is_empty() {
            let all = (0..period).map(|n| self.numeral(&number(n), &Type::Int, span));
            return all.collect();
        }
        let mut values = Vec::new();
        let mut seen: Vec<Form> = Vec::new();
        for point in &found.points {
            // Of `factor * x + s`, where `factor` is above 0: `-s div factor`.
            let minus = point.clone().times(&-BigRational::one());
            let by = (!point.factor.is_one()).then_some(&point.factor);
            for beside in -period..=period {
                let whole = by.map_or(BigRational::zero(), |_| number(beside));
                let inside = number(beside) - &whole;
                let at = Form { constant: &minus.constant + inside, ..minus.clone() };
                if by.is_none() && seen.contains(&at) {
                    continue;
                }
                let mut value = self.sum(&at, &Type::Int, span);
                if let Some(by) = by {
                    let by = self.numeral(by, &Type::Int, span);
                    let kind = ExprKind::Binary(BinaryOp::Div, value, by);
                    let down = self.scope.exprs.push(kind, Type::Int, span);
                    let beside = self.numeral(&whole, &Type::Int, span);
                    let kind = ExprKind::Binary(BinaryOp::Plus, down, beside);
                    value = self.scope.exprs.push(kind, Type::Int, span);
                }
                seen.push(at);
                values.push(value);
            }
        }
        values
    }

    fn reals_at(&mut self, found: &Points, span: Span) -> Vec<ExprId> {
        let points: Vec<Form> =
            found.points.iter().map(|p| p.clone().times(&-p.factor.recip())).collect();
        let (one, half) = (BigRational::one(), BigRational::new(1.into(), 2.into()));
        let mut forms = vec![];
        for (i, point) in points.iter().enumerate() {
            for beside in [BigRational::zero(), -&one, one.clone()] {
                forms.push(Form { constant: &point.constant + beside, ..point.clone() });
            }
            let others = points[..i].iter();
            forms.extend(others.filter_map(|other| Some(point.plus(other)?.times(&half))));
        }
        if forms.is_empty() {
            forms.push(Form::default());
        }
        forms.iter().map(|form| self.sum(form, &Type::Real, span)).collect()
    }

    fn words_at(&mut self, found: &Points, ty: &Type, span: Span) -> Vec<ExprId> {
        let Type::Machine(shape) = ty else { return Vec::new() };
        let mut values = vec![];
        for number in 0..2 {
            let kind = ExprKind::Machine(*shape, BigInt::from(number));
            values.push(self.scope.exprs.push(kind, ty.clone(), span));
        }
        let one = values.pop();
        for (word, one) in found.words.iter().zip(one.into_iter().cycle()) {
            values.push(*word);
            for op in [BinaryOp::Plus, BinaryOp::Minus] {
                let kind = ExprKind::Binary(op, *word, one);
                values.push(self.scope.exprs.push(kind, ty.clone(), span));
            }
        }
        values
    }

    /// What depends on the variable, for another value of it.
    fn copied(
        &mut self,
        value: ExprId,
        at: ExprId,
        dependents: &Dependents,
        root: ExprId,
    ) -> ExprId {
        let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        copies.insert(value, at);
        let mut needed = vec![false; (root.0 - value.0 + 1) as usize];
        needed[(root.0 - value.0) as usize] = true;
        for id in (value.0..=root.0).rev().map(ExprId).filter(|id| dependents.has(*id)) {
            if needed[(id.0 - value.0) as usize] {
                for operand in operands(&self.scope.exprs[id].kind) {
                    if dependents.has(operand) {
                        needed[(operand.0 - value.0) as usize] = true;
                    }
                }
            }
        }
        for id in (value.0 + 1..=root.0).map(ExprId).filter(|id| dependents.has(*id)) {
            if needed[(id.0 - value.0) as usize] {
                let expr = self.scope.exprs[id].clone();
                let kind = expr.kind.with_operands(|of| copies.get(&of).copied().unwrap_or(of));
                copies.insert(id, self.scope.exprs.push(kind, expr.ty, expr.span));
            }
        }
        copies[&root]
    }
}

impl Form {
    fn plus(&self, other: &Form) -> Option<Form> {
        let mut sum = self.clone();
        sum.factor += &other.factor;
        sum.constant += &other.constant;
        other.rest.iter().for_each(|(factor, summand)| sum.add_summand(factor, *summand));
        sum.rest.retain(|(factor, _)| !factor.is_zero());
        sum.period = match (&self.period, &other.period) {
            (Some(a), Some(b)) => Some(a.lcm(b)),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        (sum.rest.len() <= MOST_SUMMANDS).then_some(sum)
    }

    fn add_summand(&mut self, factor: &BigRational, summand: ExprId) {
        match self.rest.iter_mut().find(|(_, known)| *known == summand) {
            Some((known, _)) => *known += factor,
            None => self.rest.push((factor.clone(), summand)),
        }
    }

    fn times(mut self, by: &BigRational) -> Form {
        self.factor *= by;
        self.constant *= by;
        self.rest.iter_mut().for_each(|(factor, _)| *factor *= by);
        self.rest.retain(|(factor, _)| !factor.is_zero());
        self
    }
}

impl Points {
    /// Adds where a number is 0. None if that is not one point, or if there are too many.
    fn add(&mut self, form: Form) -> Option<()> {
        if let Some(period) = &form.period {
            self.period = self.period.lcm(period);
            return (form.factor.is_zero() && self.period <= LARGEST.into()).then_some(());
        }
        if form.factor.is_zero() {
            return Some(());
        }
        let form = if form.factor.is_negative() { form.times(&-BigRational::one()) } else { form };
        let mut form = form;
        form.rest.sort_by_key(|(_, summand)| *summand);
        if !self.points.contains(&form) {
            self.points.push(form);
        }
        (self.points.len() <= MOST_POINTS).then_some(())
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}
