//! Data types: testers, selectors, `match`. Their values are made among the structures.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::{Fields, Shape, Ty};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] = &[
    Production { weight: 2, feature: Some(Feature::Data), write: select },
    Production { weight: 3, feature: Some(Feature::Data), write: matching },
];

/// The ways to write a truth value.
pub const BOOL: &[Production] =
    &[Production { weight: 2, feature: Some(Feature::Data), write: test }];

/// The data types of the program.
fn data(writer: &Writer<'_>) -> Vec<(usize, Vec<(String, Fields)>)> {
    let shapes = writer.world.shapes.iter().enumerate();
    let found = shapes.filter_map(|(i, shape)| match shape {
        Shape::Data(constructors) => Some((i, constructors.clone())),
        Shape::Record(_) | Shape::Array(..) | Shape::Set(_) | Shape::Map(..) => None,
    });
    found.collect()
}

/// A value of a data type.
fn value(writer: &mut Writer<'_>, i: usize, at: Place) -> Expr {
    writer.expr(Ty::Structure(i), Place { depth: at.depth.min(2), ..at }.deeper())
}

/// Whether a constructor made a value.
fn test(writer: &mut Writer<'_>, _: Ty, at: Place) -> Expr {
    let types = data(writer);
    if types.is_empty() {
        return writer.leaf(Ty::Bool, at);
    }
    let (i, constructors) = writer.dice.pick(&types).clone();
    let name = writer.dice.pick(&constructors).0.clone();
    Expr::Call(format!("{name}?"), vec![value(writer, i, at)])
}

/// A field, whichever constructor made the value.
fn select(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let mut found = Vec::new();
    for (i, constructors) in data(writer) {
        let fields = constructors.into_iter().flat_map(|(_, fields)| fields);
        found.extend(fields.filter(|(_, part)| ty.takes(*part)).map(|(name, _)| (i, name)));
    }
    if found.is_empty() {
        return writer.leaf(ty, at);
    }
    let (i, name) = writer.dice.pick(&found).clone();
    Expr::Field(Box::new(value(writer, i, at)), name)
}

/// An arm for each constructor, or for some and one for all others.
fn matching(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let types = data(writer);
    if types.is_empty() {
        return writer.leaf(ty, at);
    }
    let (i, mut constructors) = writer.dice.pick(&types).clone();
    let whole = value(writer, i, at);
    writer.dice.shuffle(&mut constructors);
    if writer.dice.chance(30) {
        constructors.pop();
    }
    let mut arms = Vec::new();
    for (name, fields) in &constructors {
        let mut bound = Vec::new();
        let fields = fields.iter().enumerate().map(|(k, (_, part))| {
            if writer.dice.chance(25) {
                return "_".to_string();
            }
            let variable = format!("m{}_{k}", at.depth);
            bound.push((variable.clone(), *part));
            variable
        });
        let fields: Vec<String> = fields.collect();
        let pattern =
            if fields.is_empty() { name.clone() } else { format!("{name}({})", fields.join(", ")) };
        arms.push((pattern, arm(writer, ty, at, &bound)));
    }
    if constructors.len() < types.iter().find(|(known, _)| *known == i).map_or(0, |t| t.1.len()) {
        arms.push(("_".into(), arm(writer, ty, at, &[])));
    }
    Expr::Match(Box::new(whole), arms)
}

/// The value of an arm. It takes steps of its own, if parts of the program may have clocks.
fn arm(writer: &mut Writer<'_>, ty: Ty, at: Place, bound: &[(String, Ty)]) -> Expr {
    let fitting = bound.iter().filter(|(_, part)| ty.takes(*part));
    let fitting: Vec<&String> = fitting.map(|(name, _)| name).collect();
    let clocks = writer.has(Feature::Clocks);
    if !fitting.is_empty() && writer.dice.chance(60) {
        let part = Expr::leaf(writer.dice.pick(&fitting).as_str());
        if clocks && writer.temporal() && writer.dice.chance(25) {
            let first = writer.leaf(ty, at);
            return Expr::infix(first, "->", Expr::prefix("pre", part));
        }
        return part;
    }
    let inside = Place { guarded: false, ..at.deeper() };
    if clocks { writer.expr(ty, inside) } else { writer.leaf(ty, inside) }
}
