//! Random expressions of a given type.

use crate::dice::Dice;
use crate::generate::Profile;
use crate::generate::world::{Signature, Ty, World, number};
use crate::tree::Expr;

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// How deep it may still be nested.
    pub depth: usize,
    /// The flows whose present value it may use: those before this rank.
    pub known: usize,
    /// Whether a `->` keeps its first value from mattering.
    pub guarded: bool,
}

impl Place {
    pub fn deeper(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), ..self }
    }
}

/// Writes the expressions of one node.
pub struct Writer<'w> {
    pub world: &'w World,
    pub dice: &'w mut Dice,
    /// Inputs first, then by rank.
    pub flows: Vec<(String, Ty)>,
    pub is_function: bool,
    /// Calls that may still be written.
    pub calls: usize,
}

impl Writer<'_> {
    pub fn finite(&self) -> bool {
        self.world.profile == Profile::Finite
    }

    /// Under a delay all flows may be used, and nothing guards the first value.
    pub fn delayed(&self, at: Place) -> Place {
        Place { known: self.flows.len(), guarded: false, ..at.deeper() }
    }

    /// An expression of a type; for a subrange, one of any integers.
    pub fn expr(&mut self, ty: Ty, at: Place) -> Expr {
        if at.depth == 0 || self.dice.chance(12) {
            return self.leaf(ty, at);
        }
        if self.dice.chance(45) {
            return self.common(ty, at);
        }
        match ty {
            Ty::Bool => self.truth(at),
            Ty::Int | Ty::Range(_) => self.integer(at),
            Ty::Real => self.real(at),
            Ty::Enum(_) => self.common(ty, at),
        }
    }

    /// Two literals, chosen by a flow: the same number means many things.
    fn either(&mut self, ty: Ty, at: Place) -> Option<Expr> {
        let flag = self.flows[..at.known].iter().find(|(_, t)| *t == Ty::Bool)?;
        let flag = Expr::leaf(flag.0.as_str());
        Some(match ty {
            Ty::Enum(i) => {
                let values = &self.world.enums[i];
                let last = values[1.min(values.len() - 1)].as_str();
                Expr::cond(flag, Expr::leaf(values[0].as_str()), Expr::leaf(last))
            }
            Ty::Int => Expr::cond(flag, number(0), number(1)),
            _ => return None,
        })
    }

    /// A flow, a constant or a literal.
    pub fn leaf(&mut self, ty: Ty, at: Place) -> Expr {
        if self.dice.chance(6)
            && let Some(choice) = self.either(ty, at)
        {
            return choice;
        }
        let flows = self.flows[..at.known].iter().filter(|(_, t)| ty.takes(*t));
        let flows: Vec<&String> = flows.map(|(name, _)| name).collect();
        if !flows.is_empty() && self.dice.chance(85) {
            return Expr::leaf(self.dice.pick(&flows).as_str());
        }
        let consts = self.world.consts.iter().filter(|(_, t)| ty.takes(*t));
        let consts: Vec<&String> = consts.map(|(name, _)| name).collect();
        if !consts.is_empty() && self.dice.chance(40) {
            return Expr::leaf(self.dice.pick(&consts).as_str());
        }
        self.world.literal(self.dice, ty)
    }

    /// What all types have: choices, delays, calls.
    fn common(&mut self, ty: Ty, at: Place) -> Expr {
        let temporal = usize::from(!self.is_function);
        match self.dice.weighted(&[3, 3 * temporal, 3 * temporal, 2 * temporal, 4]) {
            0 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let (a, b) = (self.expr(ty, at.deeper()), self.expr(ty, at.deeper()));
                Expr::cond(condition, a, b)
            }
            1 => {
                let first = self.expr(ty, at.deeper());
                let later = self.expr(ty, Place { guarded: true, ..at.deeper() });
                Expr::infix(first, "->", later)
            }
            2 => self.pre(ty, at),
            3 => {
                let first = self.expr(ty, at.deeper());
                let delayed = self.expr(ty, self.delayed(at));
                Expr::infix(first, "fby", delayed)
            }
            _ => match self.call(&[ty], at) {
                Some(call) => call,
                None => self.leaf(ty, at),
            },
        }
    }

    /// `pre e`. A finite program leaves no arbitrary number: it is guarded, or
    /// its operand has bounds.
    fn pre(&mut self, ty: Ty, at: Place) -> Expr {
        let number = matches!(ty, Ty::Int | Ty::Real | Ty::Range(_));
        if !self.finite() || !number || at.guarded {
            return Expr::prefix("pre", self.expr(ty, self.delayed(at)));
        }
        let bounded = self.flows.iter().filter(|(_, t)| matches!(t, Ty::Range(_)));
        let bounded: Vec<&String> = bounded.map(|(name, _)| name).collect();
        if matches!(ty, Ty::Int | Ty::Range(_)) && !bounded.is_empty() && self.dice.chance(50) {
            let flow = Expr::leaf(self.dice.pick(&bounded).as_str());
            let once = Expr::prefix("pre", flow);
            return if self.dice.chance(20) { Expr::prefix("pre", once) } else { once };
        }
        let first = self.leaf(ty, at);
        let delayed = Expr::prefix("pre", self.expr(ty, self.delayed(at)));
        Expr::infix(first, "->", delayed)
    }

    /// A call whose outputs have these types, if there is one.
    pub fn call(&mut self, types: &[Ty], at: Place) -> Option<Expr> {
        let fits = |node: &&Signature| {
            (node.is_function || !self.is_function)
                && node.outputs.len() == types.len()
                && types.iter().zip(&node.outputs).all(|(want, have)| want.takes(*have))
        };
        let nodes: Vec<&Signature> = self.world.nodes.iter().filter(fits).collect();
        if nodes.is_empty() || self.calls == 0 {
            return None;
        }
        self.calls -= 1;
        let node = *self.dice.pick(&nodes);
        // Arguments of a call that delays may use flows that depend on it.
        let known = if node.delays { self.flows.len() } else { at.known };
        let inside = Place { known, guarded: false, ..at.deeper() };
        if node.inputs.len() > 1
            && self.dice.chance(15)
            && let Some(all) = self.call(&node.inputs, inside)
        {
            return Some(Expr::Call(node.name.clone(), vec![all]));
        }
        let args = node.inputs.iter().map(|ty| self.expr(*ty, inside)).collect();
        Some(Expr::Call(node.name.clone(), args))
    }

    fn truth(&mut self, at: Place) -> Expr {
        match self.dice.weighted(&[2, 5, 4, 1]) {
            0 => Expr::prefix("not", self.expr(Ty::Bool, at.deeper())),
            1 => {
                let op = *self.dice.pick(&["and", "or", "xor", "=>", "=", "<>"]);
                let left = self.expr(Ty::Bool, at.deeper());
                Expr::infix(left, op, self.expr(Ty::Bool, at.deeper()))
            }
            2 => self.comparison(at),
            _ => {
                let count = self.dice.weighted(&[0, 1, 3, 3]);
                Expr::AtMostOne((0..count).map(|_| self.expr(Ty::Bool, at.deeper())).collect())
            }
        }
    }

    fn comparison(&mut self, at: Place) -> Expr {
        let ty = match self.world.any(self.dice) {
            Ty::Bool => Ty::Int,
            other => other,
        };
        let ops: &[&'static str] = match ty {
            Ty::Enum(_) => &["=", "<>"],
            _ => &["=", "<>", "<", "<=", ">", ">="],
        };
        let op: &'static str = self.dice.pick::<&str>(ops);
        let left = self.expr(ty, at.deeper());
        Expr::infix(left, op, self.expr(ty, at.deeper()))
    }

    fn integer(&mut self, at: Place) -> Expr {
        let left = self.expr(Ty::Int, at.deeper());
        match self.dice.weighted(&[6, 2, 2, 2, 1, 1]) {
            0 => {
                let op = *self.dice.pick(&["+", "-"]);
                Expr::infix(left, op, self.expr(Ty::Int, at.deeper()))
            }
            1 => {
                let factor = self.small_integer(at);
                if self.dice.chance(50) {
                    Expr::infix(left, "*", factor)
                } else {
                    Expr::infix(factor, "*", left)
                }
            }
            2 => self.division("div", left, at),
            3 => self.division("mod", left, at),
            4 => Expr::prefix("-", left),
            _ => self.rounded(at),
        }
    }

    fn rounded(&mut self, at: Place) -> Expr {
        let real = self.expr(Ty::Real, at.deeper());
        if self.dice.chance(50) {
            Expr::prefix("int", real)
        } else {
            Expr::Call("floor".into(), vec![real])
        }
    }

    /// A finite program never divides by zero.
    fn division(&mut self, op: &'static str, left: Expr, at: Place) -> Expr {
        let divisor = if self.finite() || self.dice.chance(40) {
            number(*self.dice.pick(&[2, 3, 4, -2, -3]))
        } else {
            self.expr(Ty::Int, at.deeper())
        };
        Expr::infix(left, op, divisor)
    }

    /// An integer that stays small, so that products do not grow without end.
    fn small_integer(&mut self, at: Place) -> Expr {
        match self.dice.below(3) {
            0 if !self.finite() => {
                let whole = self.expr(Ty::Int, at.deeper());
                Expr::infix(whole, "mod", number(self.dice.between(2, 5)))
            }
            1 => {
                let condition = self.expr(Ty::Bool, at.deeper());
                let low = number(self.dice.between(-2, 0));
                Expr::cond(condition, low, number(self.dice.between(0, 3)))
            }
            _ => number(self.dice.between(-3, 4)),
        }
    }

    fn real(&mut self, at: Place) -> Expr {
        match self.dice.weighted(&[4, 2, 2, 1, 4]) {
            0 => {
                let op = *self.dice.pick(&["+", "-"]);
                let left = self.expr(Ty::Real, at.deeper());
                Expr::infix(left, op, self.expr(Ty::Real, at.deeper()))
            }
            1 => {
                let factor = self.small_real(at);
                Expr::infix(factor, "*", self.expr(Ty::Real, at.deeper()))
            }
            2 => {
                let left = self.expr(Ty::Real, at.deeper());
                let divisor = if self.finite() { Expr::leaf("2.0") } else { self.small_real(at) };
                Expr::infix(left, "/", divisor)
            }
            3 => Expr::prefix("-", self.expr(Ty::Real, at.deeper())),
            _ => Expr::prefix("real", self.expr(Ty::Int, at.deeper())),
        }
    }

    fn small_real(&mut self, at: Place) -> Expr {
        if self.dice.chance(50) {
            return self.world.literal(self.dice, Ty::Real);
        }
        Expr::prefix("real", self.small_integer(at.deeper()))
    }
}
