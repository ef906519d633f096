//! Types and exact values.

use std::fmt;
use std::sync::Arc;

use lustral_base::decimal;
use lustral_base::sort::BitVec;
use lustral_syntax::Span;
use num_bigint::BigInt;
use num_rational::BigRational;

pub use lustral_base::{Bounds, EnumId};

pub use crate::keyed::{KeySort, Keyed, Map, Table};
pub use crate::variants::Variants;

lustral_base::id!(/// A field of a record type that the program declares.
    FieldId);

/// The type of a flow or expression. A structured type is made of scalars, its
/// *leaves*, which are flows of their own: they are numbered from 0 in the order
/// of the text, and a scalar has one. Agreeing types have the same leaves.
///
/// Types are nested at most [`DEEPEST`] deep, so walks over them may recurse.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// All rational numbers.
    Real,
    /// Integers between bounds.
    Subrange(Arc<Bounds>),
    /// A value of an enumeration.
    Enum(EnumId),
    /// A value of which nothing is known but whether it equals another of the type.
    ///
    /// The values are those of `int`, everywhere. That is as good as any other non-empty
    /// set, also a finite one: nothing but equality applies to them, and there is no
    /// quantifier over them. So an execution with values of a smaller set is one with
    /// as many integers, and a finite execution needs finitely many of them.
    Abstract(Arc<Abstract>),
    /// Integers of so many bits, with arithmetic that wraps around.
    Machine(BitVec),
    /// Fields with names.
    Record(Arc<Record>),
    /// Components by position.
    Tuple(Arc<Tuple>),
    /// Elements by index, from 0.
    Array(Arc<Array>),
    /// A set, or a part of a map: a value for each key there may be.
    Keyed(Arc<Keyed>),
    /// A map.
    Map(Arc<Map>),
}

/// A type without a definition, or one that stands for the types that a node is called
/// with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Abstract {
    /// Its name.
    pub name: Arc<str>,
    /// Where it is declared, by which it differs from others of the name.
    pub span: Span,
}

/// How deep types may be nested.
pub const DEEPEST: usize = 64;

/// How many leaves a type may have.
pub const MOST_LEAVES: usize = 1 << 20;

/// A record type: records with the same fields in the same order agree,
/// whatever their names. A data type is one too, and agrees with itself only.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// Its name, if it was declared with one.
    pub name: Option<Arc<str>>,
    /// The types that its parameters stand for, if it is declared with some.
    pub arguments: Vec<Type>,
    /// The first of its fields among those of the program; none inside of nodes.
    pub declared: Option<FieldId>,
    /// The names of the fields.
    pub names: Vec<Arc<str>>,
    /// Their types.
    pub fields: Tuple,
    /// Of a data type, what its constructors are.
    pub variants: Option<Variants>,
}

/// Types side by side.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tuple {
    pub(crate) types: Vec<Type>,
    /// The first leaf of each, and after the last the number of leaves.
    first: Vec<u32>,
}

/// An array type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// The type of the elements.
    pub element: Type,
    /// How many there are, at least one.
    pub length: u32,
}

/// A type is too large to be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TooLarge {
    /// More than [`MOST_LEAVES`].
    #[error("a type has at most {MOST_LEAVES} scalars")]
    Leaves,
    /// More than [`DEEPEST`].
    #[error("types are nested at most {DEEPEST} deep")]
    Deep,
}

impl Tuple {
    /// Some types side by side.
    #[must_use]
    pub fn new(types: Vec<Type>) -> Tuple {
        let mut first = vec![0];
        let mut at = 0u32;
        for ty in &types {
            at = at.saturating_add(ty.leaves());
            first.push(at);
        }
        Tuple { types, first }
    }

    /// The types.
    #[must_use]
    pub fn types(&self) -> &[Type] {
        &self.types
    }
}

impl Type {
    /// Whether arithmetic of integers applies.
    #[must_use]
    pub fn is_int(&self) -> bool {
        matches!(self, Type::Int | Type::Subrange(_))
    }

    /// The shape of the machine integers that it has.
    #[must_use]
    pub fn machine(&self) -> Option<BitVec> {
        match self {
            Type::Machine(shape) => Some(*shape),
            _ => None,
        }
    }

    /// Whether it is one value without parts.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_))
    }

    /// An array of elements of a type.
    #[must_use]
    pub fn array(element: Type, length: u32) -> Type {
        Type::Array(Arc::new(Array { element, length }))
    }

    /// A tuple of some types.
    #[must_use]
    pub fn tuple(types: Vec<Type>) -> Type {
        Type::Tuple(Arc::new(Tuple::new(types)))
    }

    /// The type itself, unless it is too large.
    ///
    /// # Errors
    /// If it has too many leaves or is nested too deeply.
    pub fn bounded(self) -> Result<Type, TooLarge> {
        // Every part has a leaf, so a type with few leaves has few parts too.
        if self.leaves() as usize > MOST_LEAVES {
            return Err(TooLarge::Leaves);
        }
        if self.depth() > DEEPEST { Err(TooLarge::Deep) } else { Ok(self) }
    }

    /// How deep it is nested; what is nested too deeply is not looked through.
    fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut stack = vec![(self, 0)];
        while let Some((ty, depth)) = stack.pop() {
            deepest = deepest.max(depth);
            if deepest > DEEPEST {
                break;
            }
            match ty {
                Type::Array(array) => stack.push((&array.element, depth + 1)),
                Type::Keyed(keyed) => {
                    stack.push((&keyed.key, depth + 1));
                    stack.push((&keyed.element, depth + 1));
                }
                Type::Map(map) => {
                    stack.push((&map.key, depth + 1));
                    stack.push((&map.value, depth + 1));
                }
                _ => stack.extend(ty.parts().map(|part| (part, depth + 1))),
            }
        }
        deepest
    }

    /// The number of its leaves.
    #[must_use]
    pub fn leaves(&self) -> u32 {
        match self {
            Type::Record(record) => record.fields.first[record.fields.types.len()],
            Type::Tuple(tuple) => tuple.first[tuple.types.len()],
            Type::Map(map) => map.parts.first[map.parts.types.len()],
            Type::Array(array) => array.element.leaves().saturating_mul(array.length),
            _ => 1,
        }
    }

    /// The type of a leaf.
    #[must_use]
    pub fn leaf(&self, leaf: u32) -> &Type {
        match self.at(leaf) {
            Some((part, inside)) => self.part(part).leaf(inside),
            None => self,
        }
    }

    /// The part that a leaf belongs to and the leaf of the part that it is; none
    /// for a scalar.
    #[must_use]
    pub fn at(&self, leaf: u32) -> Option<(u32, u32)> {
        match self {
            Type::Record(record) => Some(record.fields.at(leaf)),
            Type::Tuple(tuple) => Some(tuple.at(leaf)),
            Type::Map(map) => Some(map.parts.at(leaf)),
            Type::Array(array) => {
                let size = array.element.leaves();
                Some((leaf / size, leaf % size))
            }
            _ => None,
        }
    }

    /// The first leaf of a part.
    #[must_use]
    pub fn first_leaf(&self, part: u32) -> u32 {
        match self {
            Type::Record(record) => record.fields.first[part as usize],
            Type::Tuple(tuple) => tuple.first[part as usize],
            Type::Map(map) => map.parts.first[part as usize],
            Type::Array(array) => part * array.element.leaves(),
            _ => 0,
        }
    }

    /// How many parts it is made of; a scalar has none.
    #[must_use]
    pub fn part_count(&self) -> u32 {
        match self {
            Type::Record(record) => record.names.len() as u32,
            Type::Tuple(tuple) => tuple.types.len() as u32,
            Type::Map(map) => map.parts.types.len() as u32,
            Type::Array(array) => array.length,
            _ => 0,
        }
    }

    /// The type of a part.
    ///
    /// # Panics
    /// If there is no such part.
    #[must_use]
    pub fn part(&self, part: u32) -> &Type {
        match self {
            Type::Record(record) => &record.fields.types[part as usize],
            Type::Tuple(tuple) => &tuple.types[part as usize],
            Type::Map(map) => &map.parts.types[part as usize],
            Type::Array(array) => &array.element,
            _ => unreachable!("a scalar has no parts"),
        }
    }

    /// The types of all parts.
    fn parts(&self) -> impl Iterator<Item = &Type> {
        (0..self.part_count()).map(|part| self.part(part))
    }

    /// All leaves of a flow with this name and type: their names and types.
    #[must_use]
    pub fn leaves_of(&self, name: &str) -> Vec<(String, Type)> {
        let mut found = Vec::with_capacity(self.leaves() as usize);
        self.add_leaves(name.to_string(), &mut found);
        found
    }

    fn add_leaves(&self, name: String, found: &mut Vec<(String, Type)>) {
        match self {
            Type::Record(record) => {
                for (field, ty) in record.names.iter().zip(&record.fields.types) {
                    // Which constructor made a value is said under its own name.
                    let dot = if field.is_empty() { "" } else { "." };
                    ty.add_leaves(format!("{name}{dot}{field}"), found);
                }
            }
            Type::Tuple(_) | Type::Array(_) => {
                for (i, ty) in self.parts().enumerate() {
                    ty.add_leaves(format!("{name}[{i}]"), found);
                }
            }
            Type::Map(map) => {
                map.parts.types[0].add_leaves(format!("{name}.keys"), found);
                let values = map.value.leaves_of(&format!("{name}.values"));
                let tables = map.parts.types[1..].iter().cloned();
                found.extend(values.into_iter().zip(tables).map(|((name, _), ty)| (name, ty)));
            }
            _ => found.push((name, self.clone())),
        }
    }

    /// Whether a leaf has bounds.
    #[must_use]
    pub fn has_bounds(&self) -> bool {
        match self {
            Type::Subrange(_) => true,
            Type::Array(array) => array.element.has_bounds(),
            _ => self.parts().any(Type::has_bounds),
        }
    }

    /// The same type without bounds.
    #[must_use]
    pub fn without_bounds(&self) -> Type {
        let all =
            |tuple: &Tuple| Tuple::new(tuple.types.iter().map(Type::without_bounds).collect());
        match self {
            _ if !self.has_bounds() => self.clone(),
            Type::Record(record) => {
                let fields = all(&record.fields);
                let arguments = record.arguments.iter().map(Type::without_bounds).collect();
                Type::Record(Arc::new(Record { fields, arguments, ..(**record).clone() }))
            }
            Type::Tuple(tuple) => Type::Tuple(Arc::new(all(tuple))),
            Type::Array(array) => Type::array(array.element.without_bounds(), array.length),
            _ => Type::Int,
        }
    }

    /// The same type with others in place of some abstract ones. It may be too large.
    pub(crate) fn replaced(&self, find: &dyn Fn(&Abstract) -> Option<Type>) -> Type {
        let all = |list: &[Type]| list.iter().map(|ty| ty.replaced(find)).collect();
        match self {
            Type::Abstract(known) => find(known).unwrap_or_else(|| self.clone()),
            Type::Record(record) => {
                let fields = Tuple::new(all(&record.fields.types));
                let arguments = all(&record.arguments);
                Type::Record(Arc::new(Record { fields, arguments, ..(**record).clone() }))
            }
            Type::Tuple(tuple) => Type::tuple(all(&tuple.types)),
            Type::Array(array) => Type::array(array.element.replaced(find), array.length),
            Type::Keyed(keyed) => {
                Type::keyed(&keyed.key.replaced(find), keyed.element.replaced(find))
            }
            Type::Map(map) => Type::map(&map.key.replaced(find), &map.value.replaced(find)),
            _ => self.clone(),
        }
    }

    /// Whether values of both types can meet in one flow. Bounds do not matter:
    /// they are something to prove, not a reason to reject.
    #[must_use]
    pub fn agrees(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Record(a), Type::Record(b)) => {
                Arc::ptr_eq(a, b) || a.same_kind(b) && a.fields.agrees(&b.fields)
            }
            (Type::Tuple(a), Type::Tuple(b)) => Arc::ptr_eq(a, b) || a.agrees(b),
            (Type::Array(a), Type::Array(b)) => {
                Arc::ptr_eq(a, b) || a.length == b.length && a.element.agrees(&b.element)
            }
            (Type::Keyed(a), Type::Keyed(b)) => {
                Arc::ptr_eq(a, b) || a.key.agrees(&b.key) && a.element.agrees(&b.element)
            }
            (Type::Map(a), Type::Map(b)) => {
                Arc::ptr_eq(a, b) || a.key.agrees(&b.key) && a.value.agrees(&b.value)
            }
            _ => self == other || self.is_int() && other.is_int(),
        }
    }

    /// The type of an expression that is one or the other, which must agree.
    #[must_use]
    pub fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::Record(a), Type::Record(b)) if !Arc::ptr_eq(a, b) => {
                Type::Record(Arc::new(Record {
                    name: a.name.clone(),
                    arguments: a.arguments.clone(),
                    declared: a.declared,
                    names: a.names.clone(),
                    fields: a.fields.join(&b.fields),
                    variants: a.variants.clone(),
                }))
            }
            (Type::Tuple(a), Type::Tuple(b)) if !Arc::ptr_eq(a, b) => {
                Type::Tuple(Arc::new(a.join(b)))
            }
            (Type::Array(a), Type::Array(b)) if !Arc::ptr_eq(a, b) => {
                Type::array(a.element.join(&b.element), a.length)
            }
            // Those that agree have no bounds anywhere, so one is as good as the other.
            (Type::Keyed(_) | Type::Map(_), _) => self.clone(),
            _ if self == other => self.clone(),
            _ => Type::Int,
        }
    }
}

impl Record {
    /// Whether both have the same fields, or are of the same data type.
    fn same_kind(&self, other: &Record) -> bool {
        let variants = match (&self.variants, &other.variants) {
            (Some(a), Some(b)) => {
                let mut arguments = self.arguments.iter().zip(&other.arguments);
                a.tag == b.tag && arguments.all(|(a, b)| a.agrees(b))
            }
            (a, b) => a.is_none() && b.is_none(),
        };
        variants && self.names == other.names
    }
}

impl Tuple {
    fn at(&self, leaf: u32) -> (u32, u32) {
        let part = self.first.partition_point(|first| *first <= leaf) - 1;
        (part as u32, leaf - self.first[part])
    }

    fn agrees(&self, other: &Tuple) -> bool {
        self.types.len() == other.types.len()
            && self.types.iter().zip(&other.types).all(|(a, b)| a.agrees(b))
    }

    fn join(&self, other: &Tuple) -> Tuple {
        Tuple::new(self.types.iter().zip(&other.types).map(|(a, b)| a.join(b)).collect())
    }
}

/// A scalar value. What is structured is the list of the values of its leaves.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(BigInt),
    /// A rational number.
    Real(BigRational),
    /// A value of an enumeration, by its position.
    Enum(u32),
    /// A machine integer, by its number.
    Machine(BitVec, BigInt),
    /// A value for each key.
    Table(Arc<Table>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) | Value::Machine(_, n) => write!(f, "{n}"),
            Value::Real(r) => write!(f, "{}", decimal::for_people(r)),
            Value::Enum(i) => write!(f, "#{i}"),
            Value::Table(table) => write!(f, "{table}"),
        }
    }
}
