//! Sets and maps: made, changed, asked.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::{Shape, Ty};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] =
    &[Production { weight: 3, feature: Some(Feature::Keyed), write: value }];

/// The ways to write a truth value.
pub const BOOL: &[Production] =
    &[Production { weight: 4, feature: Some(Feature::Keyed), write: is_in }];

/// The types of sets and maps with those of their keys, and of values of maps.
fn known(writer: &Writer<'_>) -> Vec<(Ty, Ty, Option<Ty>)> {
    let shapes = writer.world.shapes.iter().enumerate();
    let found = shapes.filter_map(|(i, shape)| match shape {
        Shape::Set(key) => Some((Ty::Structure(i), *key, None)),
        Shape::Map(key, value) => Some((Ty::Structure(i), *key, Some(*value))),
        Shape::Record(_) | Shape::Array(..) | Shape::Data(_) => None,
    });
    found.collect()
}

/// `m[k]`
fn value(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let maps = known(writer).into_iter().filter(|(.., value)| *value == Some(ty));
    let maps: Vec<_> = maps.collect();
    if maps.is_empty() {
        return writer.leaf(ty, at);
    }
    let (map, key, _) = *writer.dice.pick(&maps);
    let map = writer.expr(map, at.deeper());
    let key = writer.expr(key, at.deeper());
    Expr::Element(Box::new([map, key]))
}

/// `k in s`
fn is_in(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let all = known(writer);
    if all.is_empty() {
        return writer.leaf(ty, at);
    }
    let (whole, key, _) = *writer.dice.pick(&all);
    let key = writer.expr(key, at.deeper());
    let whole = writer.expr(whole, at.deeper());
    Expr::infix(key, "in", whole)
}

impl Writer<'_> {
    /// A set of a few elements.
    pub fn set(&mut self, key: Ty, at: Place) -> Expr {
        let elements = (0..self.dice.below(4)).map(|_| self.expr(key, at.deeper())).collect();
        Expr::Set(elements, self.world.named(key))
    }

    /// A map with one key, or with some less.
    pub fn map(&mut self, (i, key): (usize, Ty), value: Ty, at: Place) -> Expr {
        if self.dice.chance(30) {
            let map = self.expr(Ty::Structure(i), at.deeper());
            let keys = self.set(key, at.deeper());
            return Expr::infix(map, "-", keys);
        }
        let names = [key, value].map(|ty| self.world.named(ty));
        let empty = format!("map[]@<{}, {}>", names[0], names[1]);
        let (key, value) = (self.expr(key, at.deeper()), self.expr(value, at.deeper()));
        Expr::Update(Box::new([Expr::leaf(empty), key, value]))
    }

    /// A set with others, or a map with another key.
    pub fn changed_keys(&mut self, ty: Ty, whole: Expr, at: Place) -> Expr {
        let Ty::Structure(i) = ty else { return whole };
        match self.world.shapes[i].clone() {
            Shape::Map(key, value) => {
                let (key, value) = (self.expr(key, at.deeper()), self.expr(value, at.deeper()));
                Expr::Update(Box::new([whole, key, value]))
            }
            Shape::Set(_) => {
                let op: &'static str = self.dice.pick::<&str>(&["+", "*", "-"]);
                Expr::infix(whole, op, self.expr(ty, at.deeper()))
            }
            Shape::Record(_) | Shape::Array(..) | Shape::Data(_) => whole,
        }
    }
}
