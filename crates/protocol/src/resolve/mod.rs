//! From the tree to formulas: names are looked up, sorts that are not written are found, and
//! names in capitals that nothing declares are for all elements, at the outermost place.

mod sorts;
mod names;
mod expressions;
mod declarations;
mod traces;
mod lints;

use lustral_first_order::VarId;
use lustral_syntax::{Diagnostics, SourceMap};

use crate::ast::{Name, Tree};
use crate::protocol::Protocol;
use names::Names;

/// Resolves a tree. If errors were found, the protocol is not to be used.
pub fn resolve(sources: &SourceMap, tree: &Tree, found: &mut Diagnostics) -> Protocol {
    let mut resolver = Resolver {
        sources,
        found,
        names: Names::default(),
        sorts: sorts::Sorts::default(),
        bound: Vec::new(),
        protocol: Protocol::default(),
    };
    resolver.declare(tree);
    resolver.define(tree);
    if resolver.found.errors() == 0 {
        resolver.lints();
    }
    resolver.protocol
}

/// A mistake that was said.
struct Wrong;

type Resolved<T> = Result<T, Wrong>;

struct Resolver<'a> {
    sources: &'a SourceMap,
    found: &'a mut Diagnostics,
    names: Names,
    sorts: sorts::Sorts,
    /// Variables of the formula that is being resolved, whose sorts must be known in the end.
    bound: Vec<(VarId, Name)>,
    protocol: Protocol,
}
