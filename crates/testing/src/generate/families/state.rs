//! Flows that refer to their own past, such as counters and automata written by
//! hand: they make something happen at later steps.

use crate::generate::world::{Ty, number};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

impl Writer<'_> {
    /// A definition that refers to its own past.
    pub fn with_state(&mut self, name: &str, ty: Ty, at: Place) -> Expr {
        let past = Expr::prefix("pre", Expr::leaf(name));
        // Mostly guarded; of a finite program always where numbers are concerned.
        let number = !matches!(ty, Ty::Bool | Ty::Enum(_) | Ty::Machine(_));
        let form = if self.finite() && number { 9 } else { self.dice.below(10) };
        let inside = Place { depth: at.depth.min(2), guarded: at.guarded || form > 1, ..at };
        let (first, later) = match ty {
            Ty::Bool => {
                let event = self.expr(Ty::Bool, inside.deeper());
                let op = *self.dice.pick(&["xor", "or", "and", "=>", "="]);
                (self.leaf(Ty::Bool, at), Expr::infix(past, op, event))
            }
            Ty::Enum(i) => (self.leaf(ty, at), self.automaton(i, past, inside)),
            Ty::Structure(_) => {
                let event = self.expr(Ty::Bool, inside.deeper());
                let changed = self.changed(ty, past.clone(), inside);
                (self.leaf(ty, at), Expr::cond(event, changed, past))
            }
            Ty::Int | Ty::Range(_) => self.counter(ty, past, inside),
            Ty::Machine(_) => self.word_with_state(ty, past, inside),
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
