//! Clock scopes: when a part of a node takes a step, and which step is its first.
//!
//! The scopes of a node are a tree. Scope 0 is the clock of the node's own call,
//! and for the node that is checked the clock of the whole execution. Every
//! other scope has a parent, and perhaps an *activation* and a *reset*, which
//! are boolean expressions of the parent.
//!
//! - A scope is **active** at a step if its parent is and its activation is true
//!   there. Without an activation it is active whenever its parent is.
//! - An active step of a scope is its **first** if the step is a first one of
//!   its parent, or the reset is true there, or the scope was not active since
//!   the last first step of its parent. So a reset counts at active steps only
//!   (it is sampled, as by Kind 2's `activate … restart every`), and it reaches
//!   all scopes inside, also those that are not active at that step: they begin
//!   anew when they next are.
//! - `pre` and `->` go by the active steps of their scope: `pre e` is the value of
//!   `e` at the active step before, and what was remembered stays while the scope
//!   is not active. After a first step nothing from before it is read.
//! - The scope 0 of a called node *is* the scope in which the call stands.
//! - Constraints and obligations hold, or should hold, at the active steps of
//!   their scope. The values of flows at other steps are unspecified.
//!
//! Flows of a scope may be read in the scopes inside it. The other direction is
//! said with [`crate::ExprKind::Present`], below a condition that makes sure that
//! the scope is active. The value *held* while a scope is not active is no
//! operator but a flow of the parent:
//!
//! ```text
//! held = if activation then present f else (default -> pre held)
//! ```
//!
//! ([`crate::Node::hold`]). This is what `condact`, `activate … initial default` and
//! `current` need. It lives on the clock of the one who reads: a reset of the
//! reader brings the default back, as Kind 2 does when it restarts the caller; a
//! reset of the scope itself does not, and cannot be told apart, because it
//! happens at an active step, which has a value of its own. The default is that
//! of the reader's first step, as in Lustre V6 and in Kind 2; for constants,
//! which defaults are, this is no choice.

use lustral_syntax::Span;

use crate::ids::{ExprId, ScopeId};

/// A clock scope.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The scope around it, which has a smaller id; none for the node's own.
    pub parent: Option<ScopeId>,
    /// When it is active, an expression of the parent; none for always.
    pub activation: Option<ExprId>,
    /// When it begins anew, an expression of the parent; none for never.
    pub reset: Option<ExprId>,
    /// Where what it comes from stands in the text.
    pub span: Span,
}

/// Whether a scope is another or lies inside it.
#[must_use]
pub fn lies_in(scopes: &[Scope], inner: ScopeId, outer: ScopeId) -> bool {
    // A parent has a smaller id, so the walk may end below the other's.
    let mut at = inner;
    while at > outer {
        match scopes[at.index()].parent {
            Some(parent) => at = parent,
            None => return false,
        }
    }
    at == outer
}
