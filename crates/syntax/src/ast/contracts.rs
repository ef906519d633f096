//! Contracts: what a node assumes of its environment and guarantees in return.

use crate::ast::{ExprId, Ident, Type, Variable};
use crate::source::Span;

/// A contract of a node, or the body of a contract node.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Its items in the order of the text.
    pub items: Vec<ContractItem>,
    /// Whether some of it could not be read.
    pub incomplete: bool,
    /// The place of the whole contract.
    pub span: Span,
}

/// An item of a contract.
#[derive(Clone, Debug)]
pub enum ContractItem {
    /// `var x: t = e;` or `const x: t = e;`: a ghost flow.
    Ghost(Ghost),
    /// `assume "name" e;`
    Assume(Claim),
    /// `guarantee "name" e;`
    Guarantee(Claim),
    /// `mode m (require e; ensure e;);`
    Mode(Mode),
    /// `import c(e) returns (y);`
    Import(Import),
}

/// A flow of a contract, which the node itself does not see.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// The names, mostly one.
    pub names: Vec<Ident>,
    /// Their types, as many as names, or none for one that is not typed.
    pub types: Vec<Type>,
    /// The definition.
    pub value: ExprId,
    /// Whether it was declared with `const`.
    pub constant: bool,
    /// The place of the whole declaration.
    pub span: Span,
}

/// Something that a contract says.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The name, if given, with the place of its quotes.
    pub name: Option<Ident>,
    /// What should hold.
    pub expr: ExprId,
    /// Whether it says `weakly`: it has an effect only where contracts are
    /// refined.
    pub weak: bool,
    /// The place of the whole item.
    pub span: Span,
}

/// A mode: where all that it requires holds, all that it ensures should.
#[derive(Clone, Debug)]
pub struct Mode {
    /// The name.
    pub name: Ident,
    /// When it applies.
    pub requires: Vec<Claim>,
    /// What holds then.
    pub ensures: Vec<Claim>,
    /// The place of the whole mode.
    pub span: Span,
}

/// The use of a contract node in another contract.
#[derive(Clone, Debug)]
pub struct Import {
    /// The contract node.
    pub contract: Ident,
    /// The types that its type parameters stand for, if they are named.
    pub types: Vec<Type>,
    /// What its inputs are here.
    pub inputs: Vec<ExprId>,
    /// What its outputs are here.
    pub outputs: Vec<ExprId>,
    /// The place of the whole item.
    pub span: Span,
}

/// `contract c(inputs) returns (outputs); let items tel`
#[derive(Clone, Debug)]
pub struct ContractDeclaration {
    /// The name.
    pub name: Ident,
    /// `t` and `u` of `contract c<t; u>(…)`, which stand for types.
    pub type_parameters: Vec<Ident>,
    /// The inputs in order.
    pub inputs: Vec<Variable>,
    /// The outputs in order.
    pub outputs: Vec<Variable>,
    /// What it says.
    pub contract: Contract,
    /// The place of the whole declaration, to its `tel`.
    pub span: Span,
    /// Whether some of it could not be read.
    pub incomplete: bool,
}
