//! Definitions of flows: single or in tuples, with counters and automata that
//! make something happen at later steps.

use crate::generate::expressions::{Place, Writer};
use crate::generate::world::{Ty, number};
use crate::tree::Expr;

impl Writer<'_> {
    /// The definition of a flow.
    pub fn definition(&mut self, name: &str, ty: Ty, at: Place) -> Expr {
        if !self.is_function && self.dice.chance(30) {
            return self.with_state(name, ty, at);
        }
        if self.dice.chance(35)
            && let Some(call) = self.call(&[ty], at)
        {
            return call;
        }
        match ty {
            Ty::Int | Ty::Range(_) if self.finite() => self.bounded(ty, at),
            Ty::Real if self.finite() => Expr::prefix("real", self.bounded(Ty::Int, at.deeper())),
            _ => self.expr(ty, at),
        }
    }

    /// The definitions of several flows at once.
    pub fn tuple(&mut self, flows: &[(String, Ty)], at: Place) -> Expr {
        let types: Vec<Ty> = flows.iter().map(|(_, ty)| *ty).collect();
        if self.dice.chance(50)
            && let Some(call) = self.call(&types, at)
        {
            return call;
        }
        let forms = if at.depth == 0 || self.is_function { 1 } else { 5 };
        // Under a delay the first values are arbitrary: of numbers too.
        let number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Real | Ty::Range(_));
        let free = self.finite() && !at.guarded && types.iter().any(number);
        match self.dice.below(forms) {
            1 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let then = self.tuple(flows, at.deeper());
                Expr::cond(condition, then, self.tuple(flows, at.deeper()))
            }
            2 => {
                let first = self.tuple(flows, at.deeper());
                let later = self.tuple(flows, Place { guarded: true, ..at.deeper() });
                Expr::infix(first, "->", later)
            }
            3 => {
                let first = self.tuple(flows, at.deeper());
                Expr::infix(first, "fby", self.tuple(flows, self.delayed(at)))
            }
            4 if !free => Expr::prefix("pre", self.tuple(flows, self.delayed(at))),
            _ => {
                let one = |(name, ty): &(String, Ty)| self.definition(name, *ty, at.deeper());
                Expr::Tuple(flows.iter().map(one).collect())
            }
        }
    }

    /// An integer between fixed bounds, whatever flows it is made of.
    fn bounded(&mut self, ty: Ty, at: Place) -> Expr {
        let (low, high) = match ty {
            Ty::Range(i) if self.dice.chance(85) => self.world.ranges[i],
            _ => (self.dice.between(-1, 0), self.dice.between(1, 3)),
        };
        match self.dice.below(4) {
            0 => {
                let whole = self.expr(Ty::Int, at.deeper());
                let rest = Expr::infix(whole, "mod", number(high - low + 1));
                if low == 0 { rest } else { Expr::infix(rest, "+", number(low)) }
            }
            1 => {
                let whole = self.expr(Ty::Int, Place { depth: at.depth.min(2), ..at }.deeper());
                let above = Expr::infix(whole.clone(), ">", number(high));
                let below = Expr::infix(whole.clone(), "<", number(low));
                Expr::cond(above, number(high), Expr::cond(below, number(low), whole))
            }
            2 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let (a, b) = (self.leaf(ty, at), self.leaf(ty, at));
                Expr::cond(condition, a, b)
            }
            _ => match self.call(&[ty], at) {
                Some(call) => call,
                None => self.leaf(ty, at),
            },
        }
    }

    /// A definition that refers to its own past.
    fn with_state(&mut self, name: &str, ty: Ty, at: Place) -> Expr {
        let past = Expr::prefix("pre", Expr::leaf(name));
        // Mostly guarded; of a finite program always where numbers are concerned.
        let number = !matches!(ty, Ty::Bool | Ty::Enum(_));
        let form = if self.finite() && number { 9 } else { self.dice.below(10) };
        let inside = Place { depth: at.depth.min(2), guarded: at.guarded || form > 1, ..at };
        let (first, later) = match ty {
            Ty::Bool => {
                let event = self.expr(Ty::Bool, inside.deeper());
                let op = *self.dice.pick(&["xor", "or", "and", "=>", "="]);
                (self.leaf(Ty::Bool, at), Expr::infix(past, op, event))
            }
            Ty::Enum(i) => (self.leaf(ty, at), self.automaton(i, past, inside)),
            Ty::Int | Ty::Range(_) => self.counter(ty, past, inside),
            Ty::Real => {
                let input = self.expr(Ty::Real, inside.deeper());
                let half = Expr::infix(Expr::leaf("0.5"), "*", Expr::infix(past, "+", input));
                let bounded = Expr::prefix("real", self.leaf(Ty::Int, at));
                let later = if self.finite() { bounded } else { half };
                (self.leaf(Ty::Real, at), later)
            }
        };
        match form {
            0 if !at.guarded => Expr::infix(first, "fby", later),
            1 => later,
            _ => Expr::infix(first, "->", later),
        }
    }

    fn automaton(&mut self, i: usize, past: Expr, at: Place) -> Expr {
        let mut result = past.clone();
        for _ in 0..self.dice.between(1, 3) {
            let from = self.world.literal(self.dice, Ty::Enum(i));
            let to = self.world.literal(self.dice, Ty::Enum(i));
            let here = Expr::infix(past.clone(), "=", from);
            let event = self.expr(Ty::Bool, at.deeper());
            result = Expr::cond(Expr::infix(here, "and", event), to, result);
        }
        result
    }

    /// A counter that wraps around or stops at a bound.
    fn counter(&mut self, ty: Ty, past: Expr, at: Place) -> (Expr, Expr) {
        let (low, high) = match ty {
            Ty::Range(i) => self.world.ranges[i],
            _ => (0, self.dice.between(1, 6)),
        };
        let next = Expr::infix(past.clone(), "+", Expr::leaf("1"));
        let full = Expr::infix(past.clone(), ">=", number(high));
        let stop = if self.dice.chance(50) { number(low) } else { number(high) };
        let mut later = Expr::cond(full, stop, next);
        if self.dice.chance(60) {
            let event = self.expr(Ty::Bool, at.deeper());
            let idle = if self.dice.chance(70) { past } else { number(low) };
            later = Expr::cond(event, later, idle);
        }
        (number(low), later)
    }
}
