//! Records and arrays: made, changed, taken apart; arrays defined by index.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::{Shape, Ty, made, number};
use crate::generate::writer::{Place, Writer};
use crate::tree::{Expr, Item};

/// The ways to write an expression of any type.
pub const ANY: &[Production] =
    &[Production { weight: 3, feature: Some(Feature::Structures), write: project }];

/// The ways to write a record or an array.
pub const STRUCTURE: &[Production] = &[
    Production { weight: 4, feature: None, write: compose },
    Production { weight: 3, feature: None, write: change },
];

/// The ways to write a truth value.
pub const BOOL: &[Production] =
    &[Production { weight: 2, feature: Some(Feature::Structures), write: quantified }];

/// Something of all elements of an array, or of one.
fn quantified(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    if writer.dice.chance(30) {
        return unbounded(writer, ty, at);
    }
    let shapes = writer.world.shapes.iter().enumerate();
    let arrays = shapes.filter_map(|(i, shape)| match shape {
        Shape::Array(part, length) => Some((i, *part, *length)),
        Shape::Record(_) | Shape::Data(_) | Shape::Set(_) | Shape::Map(..) => None,
    });
    let arrays: Vec<(usize, Ty, usize)> = arrays.collect();
    if arrays.is_empty() {
        return writer.leaf(Ty::Bool, at);
    }
    let (i, part, length) = *writer.dice.pick(&arrays);
    let low = Expr::infix(number(0), "<=", Expr::leaf("q"));
    let high = Expr::infix(Expr::leaf("q"), "<", number(length as i64));
    let inside = Expr::infix(low, "and", high);
    let array = writer.leaf(Ty::Structure(i), at);
    let element = Expr::Element(Box::new([array, Expr::leaf("q")]));
    let holds = Expr::infix(element, writer.dice.pick::<&str>(&["=", "<>"]), writer.leaf(part, at));
    if writer.dice.chance(50) {
        Expr::Quantified("forall", "q", Box::new(Expr::infix(inside, "=>", holds)))
    } else {
        Expr::Quantified("exists", "q", Box::new(Expr::infix(inside, "and", holds)))
    }
}

/// Something of all integers, or of one. Where it could be chosen which one, a finite program
/// would have too many executions: in such a one it is compared, so that it is not chosen.
fn unbounded(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let mut holds = comparison_with_variable(writer, at);
    for _ in 0..writer.dice.below(3) {
        let op: &'static str = writer.dice.pick::<&str>(&["and", "or", "=>", "xor"]);
        holds = Expr::infix(holds, op, comparison_with_variable(writer, at));
    }
    let word: &'static str = writer.dice.pick::<&str>(&["forall", "exists"]);
    let all = Expr::Quantified(word, "q", Box::new(holds));
    let chosen = !writer.finite() && writer.world.language.has(Feature::Arbitrary);
    if chosen && writer.dice.chance(50) {
        return all;
    }
    Expr::infix(all, writer.dice.pick::<&str>(&["=", "<>"]), writer.leaf(Ty::Bool, at))
}

fn comparison_with_variable(writer: &mut Writer<'_>, at: Place) -> Expr {
    let mut left = Expr::leaf("q");
    if writer.dice.chance(30) {
        left = Expr::infix(number(2), "*", left);
    }
    if writer.dice.chance(30) {
        left = Expr::infix(left, "-", writer.leaf(Ty::Int, at));
    }
    if writer.dice.chance(20) {
        left = Expr::infix(left, "mod", number(3));
    }
    let op: &'static str = writer.dice.pick::<&str>(&["=", "<>", "<", "<=", ">", ">="]);
    Expr::infix(left, op, writer.leaf(Ty::Int, at))
}

/// A part of something that has one of this type.
fn project(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let mut found = Vec::new();
    for (i, shape) in writer.world.shapes.iter().enumerate() {
        let parts = match shape {
            Shape::Record(fields) => fields.iter().map(|(_, part)| *part).collect(),
            Shape::Array(part, _) => vec![*part],
            Shape::Data(_) | Shape::Set(_) | Shape::Map(..) => Vec::new(),
        };
        let fits = parts.into_iter().enumerate().filter(|(_, part)| ty.takes(*part));
        found.extend(fits.map(|(part, _)| (i, part)));
    }
    if found.is_empty() {
        return writer.leaf(ty, at);
    }
    let (i, part) = *writer.dice.pick(&found);
    let whole = writer.expr(Ty::Structure(i), Place { depth: at.depth.min(2), ..at }.deeper());
    match &writer.world.shapes[i] {
        Shape::Record(fields) => Expr::Field(Box::new(whole), fields[part].0.clone()),
        Shape::Array(_, length) => {
            let index = index(writer, *length, at);
            Expr::Element(Box::new([whole, index]))
        }
        Shape::Data(_) | Shape::Set(_) | Shape::Map(..) => whole,
    }
}

/// An index; in a finite program one that is inside.
fn index(writer: &mut Writer<'_>, length: usize, at: Place) -> Expr {
    if writer.finite() || writer.dice.chance(50) {
        return number(writer.dice.below(length) as i64);
    }
    if writer.dice.chance(50) {
        let whole = writer.expr(Ty::Int, at.deeper());
        return Expr::infix(whole, "mod", number(length as i64));
    }
    writer.expr(Ty::Int, at.deeper())
}

fn compose(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let Ty::Structure(i) = ty else { return writer.leaf(ty, at) };
    match writer.world.shapes[i].clone() {
        Shape::Record(fields) => {
            let mut one =
                |(name, part): &(String, Ty)| (name.clone(), writer.expr(*part, at.deeper()));
            let values = fields.iter().map(&mut one).collect();
            Expr::Record(writer.world.record_name(i), values)
        }
        Shape::Data(constructors) => {
            let (name, fields) = writer.dice.pick(&constructors).clone();
            let fields = fields.iter().map(|(_, part)| writer.expr(*part, at.deeper()));
            made(name, fields.collect())
        }
        Shape::Set(key) => writer.set(key, at),
        Shape::Map(key, value) => writer.map((i, key), value, at),
        Shape::Array(part, length) if writer.dice.chance(40) => {
            Expr::Repeat(Box::new(writer.expr(part, at.deeper())), length)
        }
        Shape::Array(part, length) => {
            Expr::Array((0..length).map(|_| writer.expr(part, at.deeper())).collect())
        }
    }
}

fn change(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let whole = writer.expr(ty, at.deeper());
    writer.changed(ty, whole, at)
}

impl Writer<'_> {
    /// A structure with another value somewhere.
    pub fn changed(&mut self, ty: Ty, whole: Expr, at: Place) -> Expr {
        let Ty::Structure(i) = ty else { return whole };
        let (selector, part) = match self.world.shapes[i].clone() {
            Shape::Record(fields) => {
                let (name, part) = self.dice.pick(&fields).clone();
                (Expr::Leaf(name), part)
            }
            Shape::Array(part, length) => (index(self, length, at), part),
            Shape::Data(_) => return whole,
            Shape::Set(_) | Shape::Map(..) => return self.changed_keys(ty, whole, at),
        };
        let value = self.expr(part, at.deeper());
        Expr::Update(Box::new([whole, selector, value]))
    }

    /// An array defined by index, if the flow is one.
    pub fn by_index(&mut self, name: &str, ty: Ty, at: Place) -> Option<Item> {
        let Ty::Structure(i) = ty else { return None };
        let Shape::Array(part, length) = self.world.shapes[i] else { return None };
        let index = Expr::leaf("k");
        let other = |index: Expr| Expr::Element(Box::new([Expr::leaf(name), index]));
        let here = Expr::infix(index.clone(), "=", number(self.dice.below(length) as i64));
        let element = match self.dice.below(4) {
            0 => {
                let first = self.expr(part, at.deeper());
                Expr::cond(here, first, self.expr(part, at.deeper()))
            }
            1 => {
                // Each from the one before; outside only where it is not used.
                let before = other(Expr::infix(index.clone(), "-", Expr::leaf("1")));
                let first = Expr::infix(index, "=", Expr::leaf("0"));
                Expr::cond(first, self.expr(part, at.deeper()), before)
            }
            2 if self.temporal() => {
                let first = self.leaf(part, at);
                let event = self.expr(Ty::Bool, Place { guarded: true, ..at.deeper() });
                let past = Expr::prefix("pre", other(index));
                let value = self.leaf(part, Place { guarded: true, ..at });
                Expr::infix(first, "->", Expr::cond(event, past, value))
            }
            _ if part == Ty::Int => Expr::infix(self.expr(Ty::Int, at.deeper()), "+", index),
            _ => Expr::cond(here, self.leaf(part, at), self.leaf(part, at)),
        };
        Some(Item::ByIndex(name.to_string(), "k".into(), element))
    }
}
