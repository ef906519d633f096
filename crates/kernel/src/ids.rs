//! The ids of a kernel node. Nodes, calls and constants have the ids that they
//! have in the typed program: the translation keeps them in place, so that one
//! tree of instances is that of both.

pub use lustral_base::ScopeId;
use lustral_base::id;

id!(/// A flow of a [`crate::Node`].
    FlowId);
id!(/// An expression of an arena.
    ExprId);
id!(/// A shape of a [`crate::Node`].
    ShapeId);
