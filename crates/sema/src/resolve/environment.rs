//! What the whole program declares, as far as a node needs to know it: types,
//! constants, interfaces of nodes. A node is resolved against its environment and
//! its own tree, and against nothing else.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, GapKind, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Parameter;
use super::parameters::Specialised;
use crate::program::{ConstId, NodeId, TypeId};
use crate::types::{EnumId, Type, Value};

/// Where a name was declared, and as what.
#[derive(Clone)]
pub(crate) struct Declared<T> {
    pub span: Span,
    pub what: T,
}

/// A name that stands for a value wherever no flow has it.
#[derive(Clone)]
pub(crate) enum Global {
    Const(ConstId, Type),
    Enum(EnumId, u32),
    /// A constructor of a data type, by its position.
    Constructor(Type, u32),
    /// A constant with an error that has its diagnostic.
    Broken,
}

/// The interface of a node: all that its callers need to know.
#[derive(Clone)]
pub(crate) struct Interface {
    pub name: Arc<str>,
    pub span: Span,
    pub is_function: bool,
    /// `None`: a type with an error that has its diagnostic.
    pub inputs: Vec<Option<Type>>,
    pub outputs: Vec<Option<Type>>,
    /// There are more inputs or outputs, which could not be read.
    pub incomplete: bool,
    /// By input: whether it is a constant. The node is resolved for each of its
    /// values that it is called with (`parameters.rs`).
    pub constants: Vec<bool>,
    /// Its type parameters, with their numbers among the variables of the program. The
    /// types of inputs and outputs have abstract types in their place.
    pub type_parameters: Vec<Parameter>,
    /// The numbers of its static parameters that are no types among the variables of the
    /// program.
    pub static_variables: Vec<u32>,
    /// Whether it is another name for something, and nothing besides.
    pub is_alias: bool,
    /// The free constants that it or what it calls depends on.
    pub free: Vec<ConstId>,
    /// Where it is declared: its tree and its position among the declarations.
    pub source: (Arc<Tree>, usize),
}

#[derive(Clone, Default)]
pub(crate) struct Environment {
    /// `None`: a type with an error that has its diagnostic.
    pub types: FxHashMap<Arc<str>, (TypeId, Option<Type>)>,
    /// The parameters of the types that have some; their types have abstract ones in place
    /// of these.
    pub type_parameters: FxHashMap<Arc<str>, Vec<Parameter>>,
    /// The type parameters of the contracts that have some.
    pub contract_parameters: FxHashMap<Arc<str>, Vec<Parameter>>,
    /// The names of the fields of data types.
    pub selectors: FxHashSet<Arc<str>>,
    /// The types that say more of their values than the bounds of their leaves.
    pub refined: FxHashSet<Arc<str>>,
    /// Where types are declared: the tree, and the position among its declarations.
    pub type_sources: FxHashMap<Arc<str>, (Arc<Tree>, usize)>,
    pub values: FxHashMap<Arc<str>, Declared<Global>>,
    /// Where constants are declared.
    pub const_sources: FxHashMap<ConstId, (Arc<Tree>, usize)>,
    pub nodes: FxHashMap<Arc<str>, NodeId>,
    /// The enumerations of the states of automata, by the place of the automaton: one for each node
    /// that is read from there, with its name (a model is read for each package that is made of it).
    pub automata: FxHashMap<Span, Vec<(Arc<str>, EnumId)>>,
    /// By node, those that are declared twice included.
    pub interfaces: Vec<Interface>,
    /// The values of the leaves of the constants so far, and whether a division by zero
    /// leaves them open.
    pub const_values: Vec<Vec<Value>>,
    pub unknown_consts: Vec<bool>,
    pub hidden: Hidden,
    /// The free constants that sizes of arrays depend on (`pinned.rs`).
    pub sizes: RefCell<BTreeSet<ConstId>>,
    /// The nodes for values of their constant inputs that were asked for so far.
    pub specialised: RefCell<Vec<Arc<Specialised>>>,
}

impl Environment {
    /// A node for values of its constant inputs, in the order in which they were
    /// asked for.
    pub fn specialised(&self, position: usize) -> Option<Arc<Specialised>> {
        self.specialised.borrow().get(position).cloned()
    }

    /// The interface of the node with a name.
    pub fn interface(&self, name: &str) -> Option<(NodeId, &Interface)> {
        let id = *self.nodes.get(name)?;
        Some((id, &self.interfaces[id.index()]))
    }
}

/// What parts of the text that could not be read may have declared. That such a
/// name is declared nowhere is not reported: the part has its diagnostic.
#[derive(Clone, Default)]
pub(crate) struct Hidden {
    words: FxHashSet<Arc<str>>,
    any_type: bool,
    any_value: bool,
    any_node: bool,
}

impl Hidden {
    pub fn new(ast: &ast::Program) -> Hidden {
        // A file that could not be included may have declared anything.
        let all = ast.incomplete;
        let mut hidden =
            Hidden { any_type: all, any_value: all, any_node: all, ..Hidden::default() };
        for tree in &ast.trees {
            for gap in &tree.gaps {
                match gap.kind {
                    GapKind::Text => hidden.add_words(&tree.text[gap.span.range()]),
                    GapKind::Type => hidden.any_type = true,
                    GapKind::Value => hidden.any_value = true,
                    GapKind::Node => hidden.any_node = true,
                }
            }
        }
        hidden
    }

    fn add_words(&mut self, text: &str) {
        let other = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '\'';
        self.words.extend(text.split(other).filter(|word| !word.is_empty()).map(Arc::from));
    }

    pub fn hides_type(&self, name: &str) -> bool {
        self.any_type || self.words.contains(name)
    }

    pub fn hides_value(&self, name: &str) -> bool {
        self.any_value || self.words.contains(name)
    }

    pub fn hides_node(&self, name: &str) -> bool {
        self.any_node || self.words.contains(name)
    }
}
