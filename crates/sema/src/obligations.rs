//! What a node owes and what it is owed: properties, ranges, contracts. Which
//! there are is said here and nowhere else.
//!
//! An obligation has a *role*, which says who shows it and who may rely on it
//! (assume–guarantee reasoning):
//!
//! | role | at the node that is checked | at a call that is unfolded | at a call that is cut |
//! |---|---|---|---|
//! | `Given` | assumed of the environment | to be shown | to be shown |
//! | `Shown` | to be shown | to be shown | known, once it was shown of the node |
//! | `Alone` | to be shown | nothing | nothing |
//!
//! Where the root of a tree stands for any call of its node, what is `Given` is
//! not assumed either: its callers owe it, at their calls. Nothing is ever
//! assumed of what is to be shown in the same place.

use lustral_base::Goal;
use lustral_syntax::Span;

use crate::instances::PropertySource;
use crate::program::{Clause, ClauseKind, NodeId, Program, PropertyKind, Stream, StreamKind};
use crate::types::Type;

/// What an obligation is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObligationKind {
    /// A stated property.
    Stated,
    /// That a flow is as its type says: within its bounds, and what else holds of it.
    Range,
    /// A boolean output: counts only where nothing is stated.
    Output,
    /// An assumption of a contract, about the inputs (and the outputs before).
    Assume,
    /// A guarantee of a contract.
    Guarantee,
    /// What a mode ensures, where its requirements hold.
    Ensure,
    /// That some mode of a contract applies.
    OneMode,
    /// That something is reachable; what it claims is the opposite.
    Reachable,
    /// That a condition that others depend on is reachable.
    Occurs,
}

/// Who shows an obligation, and who may rely on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObligationRole {
    /// Given at the root, shown at each call: assumptions, ranges of inputs.
    Given,
    /// Shown here, known to callers: properties, ranges of defined flows,
    /// guarantees, ensures.
    Shown,
    /// Shown where the node is checked by itself, and of no use to callers.
    Alone,
}

/// Where in a tree a node stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// At the root: it is checked, or stands for any call.
    Root,
    /// It is called, and unfolded.
    Called,
    /// It is called, and only its interface is there.
    Cut,
}

/// An obligation of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What it is.
    pub kind: ObligationKind,
    /// Who owes it.
    pub role: ObligationRole,
    /// What it is in the node.
    pub source: PropertySource,
    /// Its name in the node.
    pub name: String,
    /// Where it stands in the text.
    pub span: Span,
}

impl ObligationKind {
    /// The role of what a kind says of defined flows. Ranges of inputs are
    /// [`ObligationRole::Given`].
    #[must_use]
    pub fn role(self) -> ObligationRole {
        match self {
            ObligationKind::Assume => ObligationRole::Given,
            ObligationKind::Stated
            | ObligationKind::Range
            | ObligationKind::Output
            | ObligationKind::Guarantee
            | ObligationKind::OneMode
            | ObligationKind::Ensure
            | ObligationKind::Reachable => ObligationRole::Shown,
            ObligationKind::Occurs => ObligationRole::Alone,
        }
    }

    /// What is wanted of the claim.
    #[must_use]
    pub fn goal(self) -> Goal {
        match self {
            ObligationKind::Reachable => Goal::Reachable,
            ObligationKind::Occurs => Goal::Occurs,
            ObligationKind::Assume
            | ObligationKind::Stated
            | ObligationKind::Range
            | ObligationKind::Output
            | ObligationKind::Guarantee
            | ObligationKind::OneMode
            | ObligationKind::Ensure => Goal::Always,
        }
    }
}

impl ObligationRole {
    /// Whether it is to be shown where a node stands.
    #[must_use]
    pub fn is_shown(self, standing: Standing) -> bool {
        match (self, standing) {
            (ObligationRole::Given, Standing::Called | Standing::Cut)
            | (ObligationRole::Shown, Standing::Root | Standing::Called)
            | (ObligationRole::Alone, Standing::Root) => true,
            (ObligationRole::Given, Standing::Root)
            | (ObligationRole::Shown, Standing::Cut)
            | (ObligationRole::Alone, Standing::Called | Standing::Cut) => false,
        }
    }
}

/// The obligations of a node: what it states, then its contracts, then its ranges, then
/// its boolean outputs. A node without a body owes nothing: what its contract
/// guarantees is all that is known of it.
#[must_use]
pub fn obligations(program: &Program, node: NodeId) -> Vec<Obligation> {
    let node = program.node(node);
    let stated = node.properties.iter().enumerate().map(|(i, property)| {
        let kind = match property.kind {
            PropertyKind::Always => ObligationKind::Stated,
            PropertyKind::Reachable => ObligationKind::Reachable,
            PropertyKind::Occurs => ObligationKind::Occurs,
        };
        let (source, name) = (PropertySource::Stated(i), property.name.to_string());
        Obligation { kind, role: kind.role(), source, name, span: property.span }
    });
    let owed = |clause: &&(usize, &Clause)| !node.imported || clause.1.kind == ClauseKind::Assume;
    let clauses: Vec<(usize, &Clause)> = node.clauses.iter().enumerate().collect();
    let clauses = clauses.iter().filter(owed).map(|(i, clause)| {
        let kind = match clause.kind {
            ClauseKind::Assume => ObligationKind::Assume,
            ClauseKind::Guarantee => ObligationKind::Guarantee,
            ClauseKind::Mode => ObligationKind::Ensure,
            ClauseKind::OneMode => ObligationKind::OneMode,
        };
        let (source, name) = (PropertySource::Clause(*i), clause.name.to_string());
        Obligation { kind, role: kind.role(), source, name, span: clause.span }
    });
    // What holds of free constants is given by nobody, and owed by nobody.
    let own = node.stream_ids().filter(|s| node.stream(*s).constant.is_none());
    // The outputs of a node without a body are as their types say; its ghosts have equations.
    let own = own.filter(|s| !node.imported || node.stream(*s).kind != StreamKind::Output);
    let ranged = own.filter(|s| node.stream(*s).is_restricted());
    let ranged = ranged.map(|stream| Obligation {
        kind: ObligationKind::Range,
        role: if stream.index() < node.inputs {
            ObligationRole::Given
        } else {
            ObligationKind::Range.role()
        },
        source: PropertySource::InRange(stream),
        name: match node.stream(stream) {
            Stream { condition: None, name, .. } => format!("subrange({name})"),
            Stream { name, .. } => format!("subtype({name})"),
        },
        span: node.stream(stream).span,
    });
    let outputs = node.output_ids().filter(|s| node.stream(*s).ty == Type::Bool);
    let outputs = outputs.map(|stream| Obligation {
        kind: ObligationKind::Output,
        role: ObligationKind::Output.role(),
        source: PropertySource::Output(stream),
        name: node.stream(stream).name.to_string(),
        span: node.stream(stream).span,
    });
    stated.chain(clauses).chain(ranged).chain(outputs).collect()
}
