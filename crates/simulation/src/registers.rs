//! Registers and what instructions do to them.
//!
//! A lane of a register is *poisoned* when its value is not known: arithmetic
//! left the machine's range, or a divisor was zero, where the value is an
//! arbitrary function's. Poison spreads to what depends on the value, and only
//! there: the branch that is not taken and the side of a connective that does
//! not matter poison nothing. What is not poisoned is exact.

use lustral_term::Value;

use crate::code::{Code, Instruction, Operation, Reg};
use crate::column::{Column, WORD, set_bit};
use crate::kernels;
use crate::rational::Rational;
use crate::scalar::Scalar;
use crate::words::has_column;

/// The columns of all registers.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    pub columns: Vec<Column>,
    /// The poisoned lanes of each register; empty if there is none, which is
    /// nearly always so, and then costs nothing.
    pub poison: Vec<Vec<u64>>,
    words: usize,
}

impl Registers {
    /// Registers of some code, with its constants in place.
    pub fn new(code: &Code, lanes: usize) -> Registers {
        let mut registers = Registers {
            columns: code.registers.iter().map(|sort| Column::new(*sort, lanes)).collect(),
            poison: vec![Vec::new(); code.registers.len()],
            words: lanes.div_ceil(WORD),
        };
        // What has no column is not known until an instruction makes it.
        for (mask, sort) in registers.poison.iter_mut().zip(&code.registers) {
            if !has_column(*sort) {
                mask.resize(registers.words, !0);
            }
        }
        for (reg, value) in &code.constants {
            registers.fill(*reg, value);
        }
        registers
    }

    /// Gives every lane of a register a value; poison if it does not fit.
    pub fn fill(&mut self, reg: Reg, value: &Value) {
        self.poison[reg.index()].clear();
        match Scalar::new(value) {
            Some(scalar) => self.columns[reg.index()].fill(scalar),
            None => self.poison[reg.index()].resize(self.words, !0),
        }
    }

    /// The poisoned lanes of a word of a register.
    pub fn poisoned(&self, reg: Reg, word: usize) -> u64 {
        self.poison[reg.index()].get(word).copied().unwrap_or(0)
    }

    /// Takes the poison from a lane of a register.
    pub fn cleanse(&mut self, reg: Reg, lane: usize) {
        let mask = &mut self.poison[reg.index()];
        if !mask.is_empty() {
            mask[lane / WORD] &= !(1 << (lane % WORD));
            settle(mask);
        }
    }

    /// Poisons a lane of a register.
    pub fn poison(&mut self, reg: Reg, lane: usize) {
        let mask = &mut self.poison[reg.index()];
        mask.resize(self.words, 0);
        mask[lane / WORD] |= 1 << (lane % WORD);
    }

    /// Executes instructions in their order.
    pub fn run(&mut self, code: &[Instruction]) {
        for instruction in code {
            let result = instruction.result.index();
            let mut column = std::mem::take(&mut self.columns[result]);
            let mut mask = std::mem::take(&mut self.poison[result]);
            mask.clear();
            self.execute(&instruction.operation, &mut column, &mut mask);
            self.columns[result] = column;
            self.poison[result] = mask;
        }
    }

    fn bools(&self, reg: Reg) -> &[u64] {
        self.columns[reg.index()].bools()
    }

    fn execute(&self, operation: &Operation, out: &mut Column, mask: &mut Vec<u64>) {
        match out {
            Column::Bool(out) => self.execute_bool(operation, out, mask),
            Column::Int(out) => self.execute_int(operation, out, mask),
            Column::Real(out) => self.execute_real(operation, out, mask),
        }
    }

    fn execute_bool(&self, operation: &Operation, out: &mut [u64], mask: &mut Vec<u64>) {
        match operation {
            Operation::Copy(a) => {
                out.copy_from_slice(self.bools(*a));
                self.spread(&[*a], mask);
            }
            Operation::Not(a) => {
                kernels::map(out, self.bools(*a), |a| !a);
                self.spread(&[*a], mask);
            }
            Operation::And(list) => {
                self.connective(list, out, |a, b| a & b);
                self.spread_connective(list, mask, |value| !value);
            }
            Operation::Or(list) => {
                self.connective(list, out, |a, b| a | b);
                self.spread_connective(list, mask, |value| value);
            }
            Operation::Ite(c, a, b) => {
                let (then, other) = (self.bools(*a), self.bools(*b));
                let branches = then.iter().zip(other);
                for ((out, c), (a, b)) in out.iter_mut().zip(self.bools(*c)).zip(branches) {
                    *out = c & a | !c & b;
                }
                self.spread_ite(*c, *a, *b, mask);
            }
            Operation::Eq(a, b) => {
                self.compare(*a, *b, out, kernels::Comparison::Equal);
                self.spread(&[*a, *b], mask);
            }
            Operation::Le(a, b) => {
                self.compare(*a, *b, out, kernels::Comparison::AtMost);
                self.spread(&[*a, *b], mask);
            }
            Operation::Word(word, a, b) => {
                let (x, y) = (self.columns[a.index()].ints(), self.columns[b.index()].ints());
                for (lane, (x, y)) in x.iter().zip(y).enumerate() {
                    set_bit(out, lane, word.apply(*x, *y) == Some(1));
                }
                self.spread(&[*a, *b], mask);
            }
            Operation::Unknown => mask.resize(self.words, !0),
            _ => unreachable!("the result of arithmetic is a number"),
        }
    }

    fn connective(&self, list: &[Reg], out: &mut [u64], f: fn(u64, u64) -> u64) {
        kernels::zip(out, self.bools(list[0]), self.bools(list[1]), f);
        for reg in &list[2..] {
            for (out, a) in out.iter_mut().zip(self.bools(*reg)) {
                *out = f(*out, *a);
            }
        }
    }

    fn compare(&self, a: Reg, b: Reg, out: &mut [u64], comparison: kernels::Comparison) {
        match (&self.columns[a.index()], &self.columns[b.index()]) {
            (Column::Int(a), Column::Int(b)) => kernels::compare(out, a, b, comparison),
            (Column::Real(a), Column::Real(b)) => kernels::compare(out, a, b, comparison),
            (a, b) => kernels::zip(out, a.bools(), b.bools(), |a, b| !(a ^ b)),
        }
    }

    fn execute_int(&self, operation: &Operation, out: &mut [i64], mask: &mut Vec<u64>) {
        let ints = |reg: Reg| self.columns[reg.index()].ints();
        match operation {
            Operation::Copy(a) => {
                out.copy_from_slice(ints(*a));
                self.spread(&[*a], mask);
            }
            Operation::Ite(c, a, b) => {
                kernels::select(out, self.bools(*c), ints(*a), ints(*b));
                self.spread_ite(*c, *a, *b, mask);
            }
            Operation::Sum(list) => {
                list.iter().for_each(|(reg, _)| self.spread(&[*reg], mask));
                let columns: Vec<(&[i64], bool)> =
                    list.iter().map(|(reg, negative)| (ints(*reg), *negative)).collect();
                if kernels::sum(out, &columns) {
                    self.mark(mask, |lane| kernels::sum_overflows(&columns, lane));
                }
            }
            Operation::Product(list) => {
                self.spread(list, mask);
                let columns: Vec<&[i64]> = list.iter().map(|reg| ints(*reg)).collect();
                if kernels::product(out, &columns) {
                    self.mark(mask, |lane| kernels::product_overflows(&columns, lane));
                }
            }
            Operation::IntDiv(a, b) => {
                self.spread(&[*a, *b], mask);
                let (a, b) = (ints(*a), ints(*b));
                if kernels::zip_partial(out, a, b, i64::checked_div_euclid) {
                    self.mark(mask, |lane| a[lane].checked_div_euclid(b[lane]).is_none());
                }
            }
            Operation::Mod(a, b) => {
                self.spread(&[*a, *b], mask);
                let (a, b) = (ints(*a), ints(*b));
                if kernels::zip_partial(out, a, b, i64::checked_rem_euclid) {
                    self.mark(mask, |lane| a[lane].checked_rem_euclid(b[lane]).is_none());
                }
            }
            Operation::Floor(a) => {
                kernels::map(out, self.columns[a.index()].reals(), Rational::floor);
                self.spread(&[*a], mask);
            }
            Operation::Word(word, a, b) => {
                self.spread(&[*a, *b], mask);
                let (a, b) = (ints(*a), ints(*b));
                let operation = |a, b| word.apply(a, b);
                if kernels::zip_partial(out, a, b, operation) {
                    self.mark(mask, |lane| word.apply(a[lane], b[lane]).is_none());
                }
            }
            Operation::Unknown => mask.resize(self.words, !0),
            _ => unreachable!("the result is an integer"),
        }
    }

    fn execute_real(&self, operation: &Operation, out: &mut [Rational], mask: &mut Vec<u64>) {
        let reals = |reg: Reg| self.columns[reg.index()].reals();
        match operation {
            Operation::Copy(a) => {
                out.copy_from_slice(reals(*a));
                self.spread(&[*a], mask);
            }
            Operation::Ite(c, a, b) => {
                kernels::select(out, self.bools(*c), reals(*a), reals(*b));
                self.spread_ite(*c, *a, *b, mask);
            }
            Operation::Sum(list) => {
                list.iter().for_each(|(reg, _)| self.spread(&[*reg], mask));
                let signed = |(reg, negative): &(Reg, bool), lane: usize| {
                    if *negative { reals(*reg)[lane].negated() } else { Some(reals(*reg)[lane]) }
                };
                self.fold_reals(list, out, mask, signed, Rational::plus);
            }
            Operation::Product(list) => {
                self.spread(list, mask);
                let plain = |reg: &Reg, lane: usize| Some(reals(*reg)[lane]);
                self.fold_reals(list, out, mask, plain, Rational::times);
            }
            Operation::RealDiv(a, b) => {
                self.spread(&[*a, *b], mask);
                let (a, b) = (reals(*a), reals(*b));
                if kernels::zip_partial(out, a, b, Rational::over) {
                    self.mark(mask, |lane| a[lane].over(b[lane]).is_none());
                }
            }
            Operation::ToReal(a) => {
                kernels::map(out, self.columns[a.index()].ints(), Rational::from);
                self.spread(&[*a], mask);
            }
            Operation::Unknown => mask.resize(self.words, !0),
            _ => unreachable!("the result is a real"),
        }
    }

    /// Folds the operands lane by lane.
    fn fold_reals<T>(
        &self,
        list: &[T],
        out: &mut [Rational],
        mask: &mut Vec<u64>,
        get: impl Fn(&T, usize) -> Option<Rational>,
        f: fn(Rational, Rational) -> Option<Rational>,
    ) {
        for (lane, out) in out.iter_mut().enumerate() {
            let mut value = get(&list[0], lane);
            for part in &list[1..] {
                value = value.and_then(|a| f(a, get(part, lane)?));
            }
            *out = value.unwrap_or_default();
            if value.is_none() {
                mask.resize(self.words, 0);
                mask[lane / WORD] |= 1 << (lane % WORD);
            }
        }
    }

    /// Poisons the lanes at which something failed.
    fn mark(&self, mask: &mut Vec<u64>, failed: impl Fn(usize) -> bool) {
        mask.resize(self.words, 0);
        for (i, word) in mask.iter_mut().enumerate() {
            for lane in 0..WORD {
                *word |= u64::from(failed(i * WORD + lane)) << lane;
            }
        }
        settle(mask);
    }

    fn any_poison(&self, list: &[Reg]) -> bool {
        list.iter().any(|reg| !self.poison[reg.index()].is_empty())
    }

    /// The result is poisoned where an operand is.
    fn spread(&self, list: &[Reg], mask: &mut Vec<u64>) {
        for reg in list {
            let poison = &self.poison[reg.index()];
            if !poison.is_empty() {
                mask.resize(self.words, 0);
                mask.iter_mut().zip(poison).for_each(|(a, b)| *a |= b);
            }
        }
    }

    /// The same, but not where a known operand decides: one of `decisive` value.
    fn spread_connective(&self, list: &[Reg], mask: &mut Vec<u64>, decisive: fn(u64) -> u64) {
        if !self.any_poison(list) {
            return;
        }
        self.spread(list, mask);
        for (i, word) in mask.iter_mut().enumerate() {
            for reg in list {
                *word &= !(decisive(self.bools(*reg)[i]) & !self.poisoned(*reg, i));
            }
        }
        settle(mask);
    }

    /// Poisoned where the condition is, or the branch that it takes.
    fn spread_ite(&self, c: Reg, a: Reg, b: Reg, mask: &mut Vec<u64>) {
        if !self.any_poison(&[c, a, b]) {
            return;
        }
        let taken = |i: usize| {
            let condition = self.bools(c)[i];
            condition & self.poisoned(a, i) | !condition & self.poisoned(b, i)
        };
        mask.extend((0..self.words).map(|i| self.poisoned(c, i) | taken(i)));
        settle(mask);
    }
}

/// No poison is an empty mask.
fn settle(mask: &mut Vec<u64>) {
    if mask.iter().all(|word| *word == 0) {
        mask.clear();
    }
}
