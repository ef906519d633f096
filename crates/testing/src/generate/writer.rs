//! The writer of one node: chooses productions, and writes leaves.

use crate::dice::Dice;
use crate::generate::Profile;
use crate::generate::families::{self, Production};
use crate::generate::language::Feature;
use crate::generate::world::{Ty, World, number};
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
    /// Whether all states are to be few.
    pub fn finite(&self) -> bool {
        self.world.language.profile == Profile::Finite
    }

    /// Whether a feature is switched on.
    pub fn has(&self, feature: Feature) -> bool {
        self.world.language.has(feature)
    }

    /// Whether the past may be used: not in functions.
    pub fn temporal(&self) -> bool {
        !self.is_function && self.has(Feature::Time)
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
        let tables = if self.dice.chance(45) { families::ANY } else { families::of(ty) };
        self.produce(tables, ty, at)
    }

    /// An expression by one of the productions that are allowed here.
    fn produce(&mut self, tables: &[&[Production]], ty: Ty, at: Place) -> Expr {
        let all: Vec<&Production> = tables.iter().copied().flatten().collect();
        let weight = |p: &&Production| if self.allows(p) { p.weight } else { 0 };
        let weights: Vec<usize> = all.iter().map(weight).collect();
        let chosen = self.dice.weighted(&weights);
        (all[chosen].write)(self, ty, at)
    }

    fn allows(&self, production: &Production) -> bool {
        match production.feature {
            None => true,
            Some(Feature::Time) => self.temporal(),
            Some(Feature::Clocks) => !self.is_function && self.has(Feature::Clocks),
            Some(feature) => self.has(feature),
        }
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
}
