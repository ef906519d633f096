//! Blocks that define flows: choices between equations, frames in which flows keep
//! their values, automata.

use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::{Block, Expr, Item, State, Transition};

impl Writer<'_> {
    /// Blocks that define some flows.
    pub fn block(&mut self, defined: &[(String, Ty)], at: Place) -> Vec<Item> {
        let at = Place { depth: at.depth.min(2), ..at };
        if !self.temporal() {
            return vec![self.choice(defined, at, &[], true)];
        }
        match self.dice.weighted(&[3, 4, 3, 1]) {
            0 => vec![self.choice(defined, at, &[], true)],
            2 if self.has(Feature::Clocks) => self.machine(defined, at),
            3 if self.has(Feature::Clocks) => {
                let every = self.expr(Ty::Bool, at);
                let inside = self.parts(defined, at, &[], true);
                vec![Item::Block(Block::Reset(inside, every))]
            }
            _ => vec![self.frame(defined, at)],
        }
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
            1 => self.parts(defined, at, &kept, false),
            _ => vec![self.choice(defined, at, &kept, true)],
        };
        Item::Block(Block::Frame(kept, initial, body))
    }

    /// An automaton of some states; flows that a state leaves out keep their values.
    fn machine(&mut self, defined: &[(String, Ty)], at: Place) -> Vec<Item> {
        let kept: Vec<String> = defined.iter().map(|(name, _)| name.clone()).collect();
        let mut items = Vec::new();
        for (name, ty) in defined {
            let value = self.world.literal(self.dice, *ty);
            items.push(Item::Last(name.clone(), value));
        }
        let states = self.states(defined, at, &kept);
        items.push(states);
        items
    }

    fn states(&mut self, defined: &[(String, Ty)], at: Place, kept: &[String]) -> Item {
        let count = 1 + self.dice.weighted(&[1, 5, 3]);
        let mut states = Vec::new();
        for i in 0..count {
            let items = if i == 0 {
                // Some state defines each flow.
                self.parts(defined, at.deeper(), &[], true)
            } else if at.depth > 0 && self.dice.chance(20) {
                vec![self.states(defined, at.deeper(), kept)]
            } else {
                self.parts(defined, at.deeper(), kept, true)
            };
            let mut transitions = Vec::new();
            for _ in 0..self.dice.weighted(&[1, 4, 3]) {
                transitions.push(self.transition(count, defined, at));
            }
            states.push(State { name: format!("S{i}"), items, transitions });
        }
        Item::Block(Block::Automaton(states))
    }

    fn transition(&mut self, states: usize, defined: &[(String, Ty)], at: Place) -> Transition {
        let when = if self.dice.chance(60) { "until" } else { "unless" };
        let mut condition = self.expr(Ty::Bool, at);
        let flag = defined.iter().find(|(_, ty)| *ty == Ty::Bool);
        if let Some((name, _)) = flag.filter(|_| self.dice.chance(40)) {
            // What the state defines is known to its weak transitions.
            let value = match when {
                "until" if self.dice.chance(50) => Expr::leaf(name),
                _ => Expr::leaf(format!("last {name}")),
            };
            let op = if self.dice.chance(50) { "and" } else { "or" };
            condition = Expr::infix(value, op, condition);
        }
        let how = if self.dice.chance(50) { "then" } else { "continue" };
        let target = format!("S{}", self.dice.below(states));
        Transition { when, condition, how, target }
    }

    /// `if` or `when` with a branch or some; flows that keep their values may be left out. All
    /// blocks around are made of `own` parts, which take steps of their own.
    fn choice(&mut self, defined: &[(String, Ty)], at: Place, kept: &[String], own: bool) -> Item {
        let count = 1 + self.dice.weighted(&[5, 3, 1]);
        let lazy = self.temporal() && self.has(Feature::Clocks) && self.dice.chance(50);
        let last = kept.is_empty() || self.dice.chance(50);
        let write = |this: &mut Self| {
            let mut branches: Vec<(Expr, Vec<Item>)> = Vec::new();
            for _ in 0..count {
                let condition = this.expr(Ty::Bool, at);
                branches.push((condition, this.parts(defined, at.deeper(), kept, own && lazy)));
            }
            (branches, last.then(|| this.parts(defined, at.deeper(), kept, own && lazy)))
        };
        let (branches, otherwise) = write(self);
        Item::Block(Block::Choice { lazy, branches, otherwise })
    }

    /// Definitions of all flows, but of those that keep their values perhaps not. A part of its
    /// own may define some by others, each part in an order of its own.
    fn parts(
        &mut self,
        defined: &[(String, Ty)],
        at: Place,
        kept: &[String],
        own: bool,
    ) -> Vec<Item> {
        let mut needed: Vec<(String, Ty)> = defined
            .iter()
            .filter(|(name, _)| !kept.contains(name) || self.dice.chance(65))
            .cloned()
            .collect();
        if !needed.is_empty() && at.depth > 0 && self.dice.chance(15) {
            return vec![self.choice(&needed, at.deeper(), kept, own)];
        }
        self.dice.shuffle(&mut needed);
        let mut items: Vec<Item> = Vec::new();
        for (i, (name, ty)) in needed.iter().enumerate() {
            let mut value = self.definition(name, *ty, at);
            if kept.contains(name) && self.dice.chance(25) {
                let last = Expr::leaf(format!("last {name}"));
                let condition = self.expr(Ty::Bool, at);
                value = Expr::cond(condition, last, value);
            } else if own && i > 0 && self.dice.chance(40) {
                let other = self.dice.below(i);
                value = self.by_another(&needed[other], *ty, value);
            }
            items.push(Item::Equation(vec![name.clone()], value));
        }
        items
    }

    /// A value that depends on another flow of the part.
    fn by_another(&mut self, (other, of): &(String, Ty), ty: Ty, value: Expr) -> Expr {
        let flow = Expr::leaf(other);
        match of {
            Ty::Bool => Expr::cond(flow, self.world.literal(self.dice, ty), value),
            _ => {
                let first = self.world.literal(self.dice, *of);
                let same = Expr::infix(flow, "=", first);
                Expr::cond(same, self.world.literal(self.dice, ty), value)
            }
        }
    }
}
