//! Iterators over arrays: `map<<f, n>>`, `red<<f, n>>`, `boolred<<i, j, n>>`, over operators and
//! over nodes of a smaller rank, of which each element has an instance of its own.

use super::Production;
use crate::generate::language::Feature;
use crate::generate::world::{Shape, Signature, Ty};
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// The ways to write an expression of any type.
pub const ANY: &[Production] =
    &[Production { weight: 4, feature: Some(Feature::Iterators), write: reduced }];

/// The ways to write a record or an array.
pub const STRUCTURE: &[Production] =
    &[Production { weight: 7, feature: Some(Feature::Iterators), write: mapped }];

/// The ways to write a truth value.
pub const BOOL: &[Production] =
    &[Production { weight: 4, feature: Some(Feature::Iterators), write: counted }];

impl Writer<'_> {
    /// The arrays of the world with some length, or with any.
    fn arrays(&self, wanted: Option<usize>) -> Vec<(Ty, Ty, usize)> {
        let shapes = self.world.shapes.iter().enumerate();
        let arrays = shapes.filter_map(|(i, shape)| match shape {
            Shape::Array(part, length) => Some((Ty::Structure(i), *part, *length)),
            Shape::Record(_) | Shape::Data(_) | Shape::Set(_) | Shape::Map(..) => None,
        });
        arrays.filter(|(_, _, length)| wanted.is_none_or(|wanted| wanted == *length)).collect()
    }

    /// An array whose elements have a type.
    fn array_of(&self, part: Ty, length: usize) -> Option<Ty> {
        let arrays = self.arrays(Some(length)).into_iter();
        arrays.map(|(ty, element, _)| (ty, element)).find(|(_, e)| *e == part).map(|(ty, _)| ty)
    }

    /// The operators that make one value of two of the same type.
    fn symbols(&self, ty: Ty) -> &'static [&'static str] {
        match ty {
            Ty::Bool => &["and", "or", "xor", "=>", "=", "Lustre::or", "Lustre::impl"],
            Ty::Int if !self.finite() => &["+", "-", "*", "Lustre::iplus", "Lustre::minus"],
            Ty::Real => &["+", "-", "Lustre::rplus"],
            _ => &[],
        }
    }

    /// A node with one output of a type that can still be called so often, with its inputs.
    fn iterated(&mut self, ty: Ty, times: usize) -> Option<(String, Vec<Ty>)> {
        if self.calls < times || !self.has(Feature::Calls) {
            return None;
        }
        let fits =
            |node: &&Signature| (node.is_function || !self.is_function) && node.outputs[..] == [ty];
        let nodes: Vec<&Signature> = self.world.nodes.iter().filter(fits).collect();
        if nodes.is_empty() {
            return None;
        }
        let node = *self.dice.pick(&nodes);
        Some((node.name.clone(), node.inputs.clone()))
    }
}

/// Something of each element by itself.
fn mapped(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let Ty::Structure(i) = ty else { return writer.leaf(ty, at) };
    let Shape::Array(part, length) = writer.world.shapes[i] else { return writer.leaf(ty, at) };
    if let Some((name, inputs)) = writer.iterated(part, length)
        && !inputs.is_empty()
        && let Some(arrays) =
            inputs.iter().map(|ty| writer.array_of(*ty, length)).collect::<Option<Vec<Ty>>>()
    {
        writer.calls -= length;
        let args = arrays.into_iter().map(|ty| writer.expr(ty, at.deeper())).collect();
        return Expr::Call(format!("map<<{name}, {length}>>"), args);
    }
    if let Some(conditions) = writer.array_of(Ty::Bool, length)
        && writer.dice.chance(40)
    {
        let list = [conditions, ty, ty].map(|ty| writer.expr(ty, at.deeper()));
        return Expr::Call(format!("map<<if, {length}>>"), list.into());
    }
    let symbols = writer.symbols(part);
    if symbols.is_empty() {
        return writer.leaf(ty, at);
    }
    let symbol = writer.dice.pick(symbols);
    let list = [ty, ty].map(|ty| writer.expr(ty, at.deeper()));
    Expr::Call(format!("map<<{symbol}, {length}>>"), list.into())
}

/// An accumulator that goes through an array.
fn reduced(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let arrays = writer.arrays(None);
    if arrays.is_empty() {
        return writer.leaf(ty, at);
    }
    let (array, part, length) = *writer.dice.pick(&arrays);
    if let Some((name, inputs)) = writer.iterated(ty, length)
        && (inputs[..] == [ty, part] || inputs[..] == [part, ty])
    {
        writer.calls -= length;
        // Heptagon has the size first, and the accumulator last.
        if inputs[..] == [part, ty] && (part != ty || writer.dice.chance(40)) {
            let list = [array, ty].map(|ty| writer.expr(ty, at.deeper()));
            return Expr::Call(format!("fold<<{length}, node {name}>>"), list.into());
        }
        let list = [ty, array].map(|ty| writer.expr(ty, at.deeper()));
        let word = writer.dice.pick(&["red", "fillred", "fold"]);
        return Expr::Call(format!("{word}<<{name}, {length}>>"), list.into());
    }
    let symbols = if part == ty { writer.symbols(ty) } else { &[] };
    if symbols.is_empty() {
        return writer.leaf(ty, at);
    }
    let symbol = writer.dice.pick(symbols);
    let list = [ty, array].map(|ty| writer.expr(ty, at.deeper()));
    Expr::Call(format!("red<<{symbol}, {length}>>"), list.into())
}

/// How many elements are true.
fn counted(writer: &mut Writer<'_>, ty: Ty, at: Place) -> Expr {
    let mut arrays = writer.arrays(None);
    arrays.retain(|(_, part, _)| *part == Ty::Bool);
    if arrays.is_empty() {
        return reduced(writer, ty, at);
    }
    let (array, _, length) = *writer.dice.pick(&arrays);
    let low = writer.dice.below(length + 1);
    let high = low + writer.dice.below(length - low + 1);
    let array = writer.expr(array, at.deeper());
    Expr::Call(format!("boolred<<{low}, {high}, {length}>>"), vec![array])
}
