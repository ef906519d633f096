//! What could not be read of a text. Later stages look here before they call a
//! name undeclared or a flow undefined: the declaration may be in a gap, which
//! has its diagnostic already (no cascades).

use crate::source::Span;

/// A part of a file, outside of the bodies of nodes, that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// What may be hidden in it.
    pub kind: GapKind,
    /// The text that was skipped, or the place where a name is missing.
    pub span: Span,
}

/// What a [`Gap`] may hide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapKind {
    /// Declarations of the names that are in the text.
    Text,
    /// A type whose name is missing.
    Type,
    /// A constant or a value of an enumeration whose name is missing.
    Value,
    /// A node whose name is missing.
    Node,
}

/// What could not be read of a node: a part that is marked has more in it than
/// the tree says.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct NodeGaps {
    /// The list of inputs.
    pub inputs: bool,
    /// The list of outputs.
    pub outputs: bool,
    /// The declarations of local flows.
    pub locals: bool,
    /// The equations.
    pub body: bool,
}

impl NodeGaps {
    /// Whether there is any.
    #[must_use]
    pub fn any(self) -> bool {
        self.inputs || self.outputs || self.locals || self.body
    }

    /// Whether it may have flows that the tree does not show.
    #[must_use]
    pub fn hides_flows(self) -> bool {
        self.inputs || self.outputs || self.locals
    }
}
