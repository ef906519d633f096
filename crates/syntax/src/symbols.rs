//! The outline of a file: its declarations with the places that an editor shows
//! and folds, and the comments above them. From the tree alone, so that it is
//! there while the program has errors.

use std::sync::Arc;

use crate::ast::{
    ConstDeclaration, Contract, ContractItem, Declaration, Ident, Item, NodeDeclaration, Tree,
    TypeKind, Variable,
};
use crate::source::Span;

/// A part of an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name.
    pub name: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    /// The place of all of it.
    pub whole: Span,
    /// The comments directly above it.
    pub documentation: Vec<Span>,
    /// What is declared in it.
    pub children: Vec<Symbol>,
}

/// What a [`Symbol`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each is named after what it is
pub enum SymbolKind {
    Type,
    EnumerationValue,
    Constant,
    Node,
    Function,
    Contract,
    Input,
    Output,
    Local,
    Property,
}

/// The outline of a file, in the order of the text.
#[must_use]
pub fn symbols(tree: &Tree) -> Vec<Symbol> {
    let named = tree.declarations.iter().filter(|d| !d.name().is_missing());
    named.map(|declaration| symbol(tree, declaration)).collect()
}

fn symbol(tree: &Tree, declaration: &Declaration) -> Symbol {
    let (kind, children) = match declaration {
        Declaration::Type(d) => {
            let values: Vec<&Ident> = match &d.definition.kind {
                TypeKind::Enum(values) => values.iter().collect(),
                TypeKind::Data(constructors) => constructors.iter().map(|c| &c.name).collect(),
                _ => Vec::new(),
            };
            let value =
                |v: &Ident| leaf(SymbolKind::EnumerationValue, v.name.clone(), v.span, v.span);
            (SymbolKind::Type, values.into_iter().map(value).collect())
        }
        Declaration::Const(_) => (SymbolKind::Constant, Vec::new()),
        Declaration::Node(node) if node.is_function => (SymbolKind::Function, parts(node)),
        Declaration::Node(node) => (SymbolKind::Node, parts(node)),
        Declaration::Contract(d) => {
            let flows =
                [flows(&d.inputs, SymbolKind::Input), flows(&d.outputs, SymbolKind::Output)];
            (
                SymbolKind::Contract,
                flows.into_iter().chain([claims(&d.contract)]).flatten().collect(),
            )
        }
    };
    let (name, whole) = (declaration.name(), declaration.span());
    Symbol {
        documentation: tree.comments_above(whole.start).to_vec(),
        children,
        ..leaf(kind, name.name.clone(), name.span, whole)
    }
}

fn flows(list: &[Variable], kind: SymbolKind) -> Vec<Symbol> {
    let one =
        |v: &Variable| leaf(kind, v.name.name.clone(), v.name.span, v.name.span.to(v.ty.span));
    list.iter().map(one).collect()
}

/// The modes of a contract, and what has a name among its assumptions and guarantees.
fn claims(contract: &Contract) -> Vec<Symbol> {
    let of = |name: &Ident, whole| leaf(SymbolKind::Property, name.name.clone(), name.span, whole);
    let named = contract.items.iter().filter_map(|item| match item {
        ContractItem::Assume(claim) | ContractItem::Guarantee(claim) => {
            claim.name.as_ref().map(|name| of(name, claim.span))
        }
        ContractItem::Mode(mode) => Some(of(&mode.name, mode.span)),
        ContractItem::Ghost(_) | ContractItem::Import(_) => None,
    });
    named.collect()
}

fn parts(node: &NodeDeclaration) -> Vec<Symbol> {
    let mut all = flows(&node.inputs, SymbolKind::Input);
    all.extend(flows(&node.outputs, SymbolKind::Output));
    all.extend(flows(&node.locals, SymbolKind::Local));
    let constant =
        |c: &ConstDeclaration| leaf(SymbolKind::Constant, c.name.name.clone(), c.name.span, c.span);
    all.extend(node.constants.iter().map(constant));
    for item in &node.items {
        match item {
            Item::Property(property) => all.extend(property.name.as_ref().map(|name| {
                leaf(SymbolKind::Property, name.name.clone(), name.span, property.span)
            })),
            Item::Contract(contract) => all.extend(claims(contract)),
            _ => {}
        }
    }
    all
}

fn leaf(kind: SymbolKind, name: Arc<str>, span: Span, whole: Span) -> Symbol {
    Symbol { kind, name, span, whole, documentation: Vec::new(), children: Vec::new() }
}
