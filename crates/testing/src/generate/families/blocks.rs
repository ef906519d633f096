//! Blocks that define flows: choices between equations, and frames in which flows keep
//! their values.

use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::{Block, Expr, Item};

impl Writer<'_> {
    /// A block that defines some flows.
    pub fn block(&mut self, defined: &[(String, Ty)], at: Place) -> Item {
        let at = Place { depth: at.depth.min(2), ..at };
        if self.temporal() && self.dice.chance(60) {
            return self.frame(defined, at);
        }
        self.choice(defined, at, &[])
    }

    fn frame(&mut self, defined: &[(String, Ty)], at: Place) -> Item {
        let mut initial = Vec::new();
        let mut kept = Vec::new();
        for (name, ty) in defined {
            // A first value of a number that is not given may be any number.
            let open = !self.finite() || matches!(ty, Ty::Bool | Ty::Enum(_) | Ty::Range(_));
            if !open || self.dice.chance(85) {
                let value = self.world.literal(self.dice, *ty);
                initial.push(Item::Equation(vec![name.clone()], value));
            }
            kept.push(name.clone());
        }
        let body = match self.dice.below(8) {
            0 => Vec::new(),
            1 => self.parts(defined, at, &kept),
            _ => vec![self.choice(defined, at, &kept)],
        };
        Item::Block(Block::Frame(kept, initial, body))
    }

    /// `if` with a branch or some; flows that keep their values may be left out.
    fn choice(&mut self, defined: &[(String, Ty)], at: Place, kept: &[String]) -> Item {
        let count = 1 + self.dice.weighted(&[5, 3, 1]);
        let branches: Vec<(Expr, Vec<Item>)> = (0..count)
            .map(|_| (self.expr(Ty::Bool, at), self.parts(defined, at.deeper(), kept)))
            .collect();
        let last = kept.is_empty() || self.dice.chance(50);
        let otherwise = last.then(|| self.parts(defined, at.deeper(), kept));
        Item::Block(Block::If(branches, otherwise))
    }

    /// Definitions of all flows, but of those that keep their values perhaps not.
    fn parts(&mut self, defined: &[(String, Ty)], at: Place, kept: &[String]) -> Vec<Item> {
        let needed: Vec<(String, Ty)> = defined
            .iter()
            .filter(|(name, _)| !kept.contains(name) || self.dice.chance(65))
            .cloned()
            .collect();
        if !needed.is_empty() && at.depth > 0 && self.dice.chance(15) {
            return vec![self.choice(&needed, at.deeper(), kept)];
        }
        let mut items = Vec::new();
        for (name, ty) in needed {
            let value = if kept.contains(&name) && self.dice.chance(25) {
                let last = Expr::leaf(format!("last {name}"));
                let condition = self.expr(Ty::Bool, at);
                Expr::cond(condition, last, self.definition(&name, ty, at))
            } else {
                self.definition(&name, ty, at)
            };
            items.push(Item::Equation(vec![name], value));
        }
        items
    }
}
