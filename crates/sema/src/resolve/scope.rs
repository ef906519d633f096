//! Where an expression stands: what its names may mean and what it may contain.

use std::sync::Arc;

use lustral_syntax::Span;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::program::{Call, Exprs, Stream, StreamId};
use crate::types::Type;

#[derive(Default)]
pub(crate) struct Scope {
    pub exprs: Exprs,
    pub calls: Vec<Call>,
    pub streams: FxHashMap<Arc<str>, StreamId>,
    /// The type of each flow; `None` where an error was reported.
    pub types: Vec<Option<Type>>,
    pub kind: ScopeKind,
    /// The indices of a definition by index, the innermost last, each with its
    /// position among those of the node.
    pub indices: Vec<(Arc<str>, BigInt, u32)>,
    /// All indices of the node so far: their names and places.
    pub declared_indices: Vec<(Arc<str>, Span)>,
    /// There are flows that could not be read: a name may be one of them.
    pub hides_flows: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum ScopeKind {
    #[default]
    Constant,
    Function,
    Node,
}

impl Scope {
    /// Only constants can be named here.
    pub fn constants(exprs: Exprs) -> Scope {
        Scope { exprs, ..Scope::default() }
    }

    /// The flows of a node can be named here.
    pub fn node(streams: &[Stream], types: Vec<Option<Type>>, kind: ScopeKind) -> Scope {
        // In reverse, so that of two with the same name the first one counts.
        let ids = streams.iter().enumerate().rev();
        let ids = ids.map(|(i, s)| (s.name.clone(), StreamId(i as u32)));
        Scope { streams: ids.collect(), types, kind, ..Scope::default() }
    }
}
