//! The typed program: ids for names, structured expressions. Only what is said by
//! repeating (definitions by index, slices) has been written out.

use std::sync::Arc;

use lustral_syntax::Span;

pub use lustral_base::ScopeId;
pub use lustral_base::ids::{CallId, ConstId, EnumId, ExprId, NodeId, StreamId, TypeId};

pub use crate::exprs::{BinaryOp, Expr, ExprKind, Exprs, Function, LeafId, UnaryOp, closure};
pub use crate::node::{
    Assertion, Call, Candidate, Candidates, Clause, ClauseKind, Condition, Functions, Node,
    Premise, Property, PropertyKind, Scope, Stream, StreamKind,
};
use crate::types::{FieldId, Type};

/// A checked program.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The types that have a name.
    pub types: Vec<NamedType>,
    /// The fields of the record types outside of nodes, those of a type side by
    /// side.
    pub fields: Vec<Field>,
    /// The variables that the conditions of types outside of nodes are about, and those
    /// quantified there: their names and places.
    pub variables: Vec<(Arc<str>, Span)>,
    /// The enumerations.
    pub enums: Vec<Enumeration>,
    /// The constants, each after those that it uses.
    pub consts: Vec<Constant>,
    /// The expressions of the constants.
    pub const_exprs: Exprs,
    /// The nodes in the order of the text.
    pub nodes: Vec<Node>,
    /// All nodes, each after those that it calls.
    pub callees_first: Vec<NodeId>,
    /// Where names are used outside of bodies: in types, in constants and in the
    /// headers of nodes.
    pub uses: Vec<Use>,
}

/// A type that has a name.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// The place of the whole declaration.
    pub whole: Span,
    /// What it is; `None` where that has an error.
    pub ty: Option<Type>,
}

/// A field of a record type.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

/// An enumeration type.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its values.
    pub values: Vec<Arc<str>>,
    /// Where the values are declared.
    pub value_spans: Vec<Span>,
    /// Whether they are the constructors of a data type, and no values by themselves.
    pub constructors: bool,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, as declared or else that of its value.
    pub ty: Type,
    /// Its value, an expression of [`Program::const_exprs`]; none where it is free.
    pub expr: Option<ExprId>,
    /// Whether it is free, or made of a constant that is: each node then has an input
    /// for the free ones ([`Stream::constant`]), and the expressions of nodes name
    /// those.
    pub open: bool,
    /// Where its name stands.
    pub span: Span,
    /// The place of the whole declaration.
    pub whole: Span,
}

/// A place where a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where the name stands.
    pub span: Span,
    /// What it means there.
    pub meaning: Meaning,
    /// What is done with it.
    pub role: Role,
}

/// What a name means in a node or outside of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// A type.
    Type(TypeId),
    /// A constant.
    Const(ConstId),
    /// A value of an enumeration.
    Value(EnumId, u32),
    /// A node.
    Node(NodeId),
    /// A flow of the node around.
    Stream(StreamId),
    /// A field of a record type.
    Field(FieldId),
    /// An index of the node around, by its position.
    Index(u32),
    /// A variable of a type outside of nodes.
    Variable(u32),
}

/// What a place does with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It stands on the left of an equation.
    Definition,
    /// It is mentioned.
    Mention,
}

/// The name of what a contract with modes owes beside what is written in it: that one applies.
pub const ONE_MODE: &str = "one mode active";

/// The name of the ghost flow of a node without a body that says whether what it assumes has
/// held at all steps up to the present one.
pub const ASSUMPTIONS_SO_FAR: &str = "(assumptions so far)";

/// The functions that are known by name in every program that does not declare them, with
/// the numbers of their arguments: of reals, to reals.
pub const LIBRARY: [(&str, usize); 21] = [
    ("acos", 1),
    ("acosh", 1),
    ("asin", 1),
    ("asinh", 1),
    ("atan", 1),
    ("atan2", 2),
    ("atanh", 1),
    ("cbrt", 1),
    ("cos", 1),
    ("cosh", 1),
    ("erf", 1),
    ("exp", 1),
    ("fmod", 2),
    ("log", 1),
    ("log10", 1),
    ("pow", 2),
    ("sin", 1),
    ("sinh", 1),
    ("sqrt", 1),
    ("tan", 1),
    ("tanh", 1),
];

impl Program {
    /// Numbers the functions of all nodes.
    pub(crate) fn number_functions(&mut self) {
        let mut next = LIBRARY.len() as u32;
        for node in &mut self.nodes {
            node.functions.first = next;
            next += node.functions.results.iter().map(Type::leaves).sum::<u32>();
        }
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node with this name.
    #[must_use]
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().position(|n| &*n.name == name).map(|i| NodeId(i as u32))
    }

    /// How a type is written.
    #[must_use]
    pub fn show_type(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".into(),
            Type::Int => "int".into(),
            Type::Real => "real".into(),
            Type::Subrange(bounds) => format!("subrange [{bounds}] of int"),
            Type::Enum(id) => self.enums[id.0 as usize].name.to_string(),
            Type::Abstract(known) => known.name.to_string(),
            Type::Machine(shape) => shape.to_string(),
            Type::Record(record) => match &record.name {
                Some(name) if record.arguments.is_empty() => name.to_string(),
                Some(name) => {
                    let types = record.arguments.iter().map(|ty| self.show_type(ty));
                    format!("{name}<{}>", types.collect::<Vec<_>>().join("; "))
                }
                None => {
                    let fields = record.names.iter().zip(record.fields.types());
                    let fields = fields.map(|(name, ty)| format!("{name}: {}", self.show_type(ty)));
                    format!("struct {{ {} }}", fields.collect::<Vec<_>>().join("; "))
                }
            },
            Type::Tuple(tuple) => {
                let types = tuple.types().iter().map(|ty| self.show_type(ty));
                format!("[{}]", types.collect::<Vec<_>>().join(", "))
            }
            Type::Keyed(keyed) if ty.set_of().is_some() => {
                format!("set<{}>", self.show_type(&keyed.key))
            }
            Type::Keyed(keyed) => {
                let (key, element) = (self.show_type(&keyed.key), self.show_type(&keyed.element));
                format!("values {element} by {key}")
            }
            Type::Map(map) => {
                format!("map<{}, {}>", self.show_type(&map.key), self.show_type(&map.value))
            }
            Type::Array(array) => {
                // The outermost dimension is written last.
                format!("{}^{}", self.show_type(&array.element), array.length)
            }
        }
    }

    /// How a value of a scalar type is written.
    #[must_use]
    pub fn show_value(&self, ty: &Type, value: &crate::Value) -> String {
        match (ty, value) {
            (Type::Enum(id), crate::Value::Enum(i)) => {
                let names = &self.enums[id.0 as usize].values;
                names.get(*i as usize).map_or_else(|| value.to_string(), ToString::to_string)
            }
            (Type::Keyed(keyed), crate::Value::Table(table)) => {
                let is_set = *table.rest() == crate::Value::Bool(false);
                let mut parts = Vec::new();
                for (key, element) in table.listed() {
                    let leaves = (0..).map(|leaf| keyed.key.leaf(leaf));
                    let key: Vec<String> =
                        key.iter().zip(leaves).map(|(v, ty)| self.show_value(ty, v)).collect();
                    let key =
                        if key.len() == 1 { key.concat() } else { format!("({})", key.join(", ")) };
                    let element = self.show_value(&keyed.element, element);
                    parts.push(if is_set { key } else { format!("{key}: {element}") });
                }
                if !is_set {
                    parts.push(format!("else {}", self.show_value(&keyed.element, table.rest())));
                }
                format!("{{{}}}", parts.join(", "))
            }
            (Type::Abstract(known), value) => format!("{}#{value}", known.name),
            _ => value.to_string(),
        }
    }
}
