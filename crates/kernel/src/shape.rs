//! The shapes of declared flows: a record, tuple or array of the text is a tree
//! whose leaves are scalar flows, so that a trace can show it as one row with
//! the others folded into it. An arena, since types may be nested deeply.

use std::ops::Index;
use std::sync::Arc;

use lustral_sema::Type;
use lustral_syntax::Span;

use crate::ids::{FlowId, ShapeId};

/// What a flow of the text is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A scalar.
    Flow(FlowId),
    /// Fields with their names, in the order of the type.
    Record(Vec<(Arc<str>, ShapeId)>),
    /// Components by position.
    Tuple(Vec<ShapeId>),
    /// Elements by index.
    Array(Vec<ShapeId>),
}

/// A declared flow.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name in the text.
    pub name: Arc<str>,
    /// What it is made of.
    pub shape: ShapeId,
    /// Where it is declared.
    pub span: Span,
}

/// The declared flows of a node: a part comes before the whole.
#[derive(Clone, Default, Debug)]
pub struct Shapes {
    list: Vec<Shape>,
    /// The flows in the order of their declaration: inputs, outputs, locals.
    pub rows: Vec<Row>,
}

impl Shapes {
    /// Adds a shape whose parts are already there.
    pub fn push(&mut self, shape: Shape) -> ShapeId {
        self.list.push(shape);
        ShapeId(self.list.len() as u32 - 1)
    }

    /// The shape of a type whose leaves are the flows from the next one on.
    pub(crate) fn of(&mut self, ty: &Type, next: &mut FlowId) -> ShapeId {
        let mut parts = Vec::new();
        for part in 0..ty.part_count() {
            parts.push(self.of(ty.part(part), next));
        }
        let shape = match ty {
            Type::Record(record) => {
                Shape::Record(record.names.iter().cloned().zip(parts).collect())
            }
            Type::Tuple(_) => Shape::Tuple(parts),
            Type::Map(map) => {
                // The values as they would be beside each other, each of them for all keys.
                let keys = ("keys".into(), parts[0]);
                let mut tables = parts.into_iter().skip(1);
                let values = self.shaped(&map.value, &mut tables);
                Shape::Record(vec![keys, ("values".into(), values)])
            }
            Type::Array(_) => Shape::Array(parts),
            _ => {
                let flow = *next;
                next.0 += 1;
                Shape::Flow(flow)
            }
        };
        self.push(shape)
    }

    /// The shape of a type whose leaves have theirs.
    fn shaped(&mut self, ty: &Type, leaves: &mut dyn Iterator<Item = ShapeId>) -> ShapeId {
        if ty.is_scalar() {
            return leaves.next().expect("a type has as many leaves as it has");
        }
        let mut parts = Vec::new();
        for part in 0..ty.part_count() {
            parts.push(self.shaped(ty.part(part), leaves));
        }
        let shape = match ty {
            Type::Record(record) => {
                Shape::Record(record.names.iter().cloned().zip(parts).collect())
            }
            Type::Array(_) => Shape::Array(parts),
            _ => Shape::Tuple(parts),
        };
        self.push(shape)
    }

    /// The scalar flows of a shape, in the order of the text.
    #[must_use]
    pub fn flows(&self, shape: ShapeId) -> Vec<FlowId> {
        let mut found = Vec::new();
        let mut stack = vec![shape];
        while let Some(id) = stack.pop() {
            match &self[id] {
                Shape::Flow(flow) => found.push(*flow),
                Shape::Record(fields) => stack.extend(fields.iter().rev().map(|(_, part)| *part)),
                Shape::Tuple(parts) | Shape::Array(parts) => stack.extend(parts.iter().rev()),
            }
        }
        found
    }
}

impl Index<ShapeId> for Shapes {
    type Output = Shape;
    fn index(&self, id: ShapeId) -> &Shape {
        &self.list[id.index()]
    }
}
