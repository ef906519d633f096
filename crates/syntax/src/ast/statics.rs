//! Static arguments: what something is given before the flows that it is applied to,
//! `f<<3, int, +>>(x)`, and what a node declares of them.

use crate::ast::{ExprId, Ident, Type, Variable};
use crate::source::Span;

/// What is applied: `f`, `f<<3>>`, `map<<+, 3>>`, or an operator by its symbol or its name.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its name: also `+` and `Lustre::plus`.
    pub name: Ident,
    /// What it is given.
    pub arguments: Vec<StaticArgument>,
    /// Where it stands.
    pub span: Span,
}

/// What something is given before the flows.
#[derive(Clone, Debug)]
pub enum StaticArgument {
    /// A name by itself: of a constant, a type or a node, whichever is asked for. The
    /// expression is the name as a constant.
    Name(Ident, ExprId),
    /// A constant: `3`, `n - 1`, `const n`
    Const(ExprId),
    /// A type: `int`, `type t`
    Type(Type),
    /// Something that is applied: `+`, `f<<3>>`, `node f`
    Operator(Operator),
}

impl StaticArgument {
    /// The expressions and the types in some arguments, and the names that stand alone,
    /// all of them however deep.
    pub fn visit<'a>(list: &'a [StaticArgument], visitor: &mut dyn FnMut(Static<'a>)) {
        for argument in list {
            match argument {
                StaticArgument::Name(name, _) => visitor(Static::Name(name)),
                StaticArgument::Const(expr) => visitor(Static::Const(*expr)),
                StaticArgument::Type(ty) => visitor(Static::Type(ty)),
                StaticArgument::Operator(operator) => {
                    visitor(Static::Operator(&operator.name));
                    StaticArgument::visit(&operator.arguments, visitor);
                }
            }
        }
    }
}

/// A part of static arguments.
#[derive(Clone, Copy, Debug)]
pub enum Static<'a> {
    /// A name by itself.
    Name(&'a Ident),
    /// A constant.
    Const(ExprId),
    /// A type.
    Type(&'a Type),
    /// The name of something that is applied.
    Operator(&'a Ident),
}

/// What a node is given before the flows.
#[derive(Clone, Debug)]
pub enum StaticParameter {
    /// `const n: int`
    Const(Variable),
    /// `type t`, which is a type parameter of the node too
    Type(Ident),
    /// `node g(x: t) returns (y: t)`
    Node(StaticNode),
}

impl StaticParameter {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &Ident {
        match self {
            StaticParameter::Const(variable) => &variable.name,
            StaticParameter::Type(name) => name,
            StaticParameter::Node(node) => &node.name,
        }
    }

    /// Whether it stands for a type.
    #[must_use]
    pub fn is_type(&self) -> bool {
        matches!(self, StaticParameter::Type(_))
    }
}

/// A node that another one is given.
#[derive(Clone, Debug)]
pub struct StaticNode {
    /// Its name.
    pub name: Ident,
    /// Whether it is declared as a `function`.
    pub is_function: bool,
    /// Its inputs.
    pub inputs: Vec<Variable>,
    /// Its outputs.
    pub outputs: Vec<Variable>,
}
