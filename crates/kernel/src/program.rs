//! Kernel programs as data.

use std::sync::Arc;

use lustral_sema::instances::CallGraph;
use lustral_sema::obligations::{ObligationKind, ObligationRole};
use lustral_sema::program::{CallId, ConstId, Enumeration};
use lustral_sema::{NodeId, PropertySource, StreamId};
use lustral_syntax::Span;
use lustral_syntax::source::LineColumn;
use rustc_hash::FxHashMap;

use crate::clocked::held_value;
use crate::expr::{Expr, ExprKind, Exprs};
use crate::ids::{ExprId, FlowId, ScopeId};
use crate::scope::Scope;
use crate::shape::Shapes;
use crate::types::{Sort, Type};

/// A kernel program.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The typed program that it is the translation of: the interpreter runs
    /// it, and where things come from is said with its ids.
    pub typed: Arc<lustral_sema::Program>,
    /// The enumerations.
    pub enums: Vec<Enumeration>,
    /// The constants, each after those that it uses. They are kept: what a
    /// division by zero in one of them gives is left open.
    pub constants: Vec<Constant>,
    /// The expressions of the constants, which have no flows and no state.
    pub constant_exprs: Exprs,
    /// The nodes, by the ids of the typed program.
    pub nodes: Vec<Node>,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Arc<str>,
    /// Its value, an expression of [`Program::constant_exprs`].
    pub expr: ExprId,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// All flows: inputs, then outputs, then the others.
    pub flows: Vec<Flow>,
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// The clock scopes, parents first; the first is the node's own.
    pub scopes: Vec<Scope>,
    /// The expressions.
    pub exprs: Exprs,
    /// The calls, by the ids of the typed program.
    pub calls: Vec<Call>,
    /// What every execution satisfies.
    pub constraints: Vec<Constraint>,
    /// What is given or to be shown.
    pub obligations: Vec<Obligation>,
    /// What may be an invariant.
    pub candidates: Candidates,
    /// What the declared flows are made of.
    pub shapes: Shapes,
    /// Where each `pre` stands, by which its arbitrary first value is named, and
    /// each [`ExprKind::Any`].
    pub places: FxHashMap<ExprId, LineColumn>,
}

/// A scalar flow.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Its name: as declared, with fields and indices, or one of the translation.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Its scope; for most inputs and outputs the node's own.
    pub scope: ScopeId,
    /// What it is.
    pub kind: FlowKind,
    /// Its equation, in its scope; inputs have none.
    pub definition: Option<ExprId>,
    /// The leaf of a flow of the typed program that it is; none if only the
    /// translation knows it.
    pub source: Option<(StreamId, u32)>,
    /// Where that is declared.
    pub span: Span,
    /// Whether it is of no interest to readers.
    pub hidden: bool,
    /// Of a field of a data type: the flows that say which constructors made the values
    /// that it is a part of, with the constructors that have it. Elsewhere nothing depends
    /// on its value.
    pub counts: Vec<(FlowId, u32)>,
}

/// What a flow is in its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowKind {
    /// Given by the caller.
    Input,
    /// Given to the caller.
    Output,
    /// Known inside only.
    Local,
}

/// A call: an instance with a state of its own.
#[derive(Clone, Debug)]
pub struct Call {
    /// The node.
    pub callee: NodeId,
    /// Where the instance lives: this is the callee's own scope.
    pub scope: ScopeId,
    /// One argument for each input, in the scope of the call. An argument on a
    /// faster clock is a flow of its own there.
    pub args: Vec<ExprId>,
    /// Where it stands.
    pub span: Span,
}

/// Something that every execution satisfies at the active steps of a scope.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Where it counts.
    pub scope: ScopeId,
    /// What holds.
    pub expr: ExprId,
    /// The position of the assertion in the typed node.
    pub assertion: u32,
    /// It restricts the environment: it counts where the node is the one that is
    /// checked, and not where it is called.
    pub given: bool,
    /// Where it stands.
    pub span: Span,
}

/// Something that is given, or to be shown, at the active steps of a scope.
/// Which obligations a node has and what their roles mean is said in
/// [`lustral_sema::obligations`]; here they get their scalar claim.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it is.
    pub kind: ObligationKind,
    /// Who owes it.
    pub role: ObligationRole,
    /// What it is in the typed node.
    pub source: PropertySource,
    /// Its name in the node.
    pub name: String,
    /// Where it counts.
    pub scope: ScopeId,
    /// What it says.
    pub claim: Claim,
    /// Where it stands.
    pub span: Span,
}

/// What an obligation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A boolean expression is true.
    Expr(ExprId),
    /// A boolean flow is true.
    Flow(FlowId),
    /// Some flows side by side are as the type says that they are the leaves of: within
    /// their bounds, and what else holds of them.
    InRange {
        /// The first of them.
        first: FlowId,
        /// How many they are.
        count: u32,
        /// What holds beyond their bounds.
        condition: Option<ExprId>,
    },
}

/// The candidates of a node, in the node's own scope. They have an arena of
/// their own and call nothing: what the node is and does must not depend on them.
#[derive(Clone, Default, Debug)]
pub struct Candidates {
    /// Their expressions.
    pub exprs: Exprs,
    /// The candidates.
    pub list: Vec<Candidate>,
}

/// Something that may hold at every active step of the node.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What may hold, an expression of [`Candidates::exprs`].
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// A node has parts with a clock of their own, or sets or maps, where that is not supported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} of the node `{node}` {have}")]
pub struct Clocked {
    /// Its name.
    pub node: String,
    what: &'static str,
    have: &'static str,
}

impl Program {
    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A constant.
    #[must_use]
    pub fn constant(&self, id: ConstId) -> &Constant {
        &self.constants[id.index()]
    }

    /// Whether all that some nodes do is on the clock of their call, with scalars only.
    ///
    /// # Errors
    /// A node with inner clock scopes, or with sets or maps.
    pub fn all_on_one_clock(&self, nodes: &[NodeId]) -> Result<(), Clocked> {
        let has_array = |node: &Node| {
            node.exprs.iter().any(|(_, expr)| matches!(expr.ty.sort, Sort::Array(_)))
                || node.flows.iter().any(|flow| matches!(flow.ty.sort, Sort::Array(_)))
        };
        for node in nodes.iter().map(|id| self.node(*id)) {
            let (what, have) = match node.scopes.len() {
                2.. => ("parts", "have a clock of their own"),
                _ if has_array(node) => ("flows", "are sets or maps"),
                _ => continue,
            };
            return Err(Clocked { node: node.name.to_string(), what, have });
        }
        Ok(())
    }

    /// How a type is written.
    #[must_use]
    pub fn show_type(&self, ty: &Type) -> String {
        match &ty.bounds {
            Some(bounds) => format!("subrange [{bounds}] of int"),
            None => self.show_sort(ty.sort),
        }
    }

    fn show_sort(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "bool".into(),
            Sort::Int => "int".into(),
            Sort::Real => "real".into(),
            Sort::Enum(e) => self.enums[e.id.index()].name.to_string(),
            Sort::BitVec(shape) => shape.to_string(),
            Sort::Uninterpreted(id) => format!("sort {}", id.0),
            // As deep as types are nested.
            Sort::Array(sort) => {
                let index = sort.index().iter().map(|scalar| self.show_sort((*scalar).into()));
                let index: Vec<String> = index.collect();
                format!("array [{}] of {}", index.join(", "), self.show_sort(sort.element()))
            }
        }
    }
}

impl CallGraph for Program {
    fn name(&self, node: NodeId) -> &str {
        &self.node(node).name
    }

    fn callees(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.node(node).calls.iter().map(|call| call.callee)
    }

    fn is_never_cut(&self, node: NodeId) -> bool {
        self.typed.is_never_cut(node)
    }
}

impl Claim {
    /// The flows that it is about, if it is about flows.
    pub fn flows(self) -> impl Iterator<Item = FlowId> {
        let flows = match self {
            Claim::Expr(_) => 0..0,
            Claim::Flow(flow) => flow.0..flow.0 + 1,
            Claim::InRange { first, count, .. } => first.0..first.0 + count,
        };
        flows.map(FlowId)
    }
}

impl Node {
    /// All flows.
    pub fn flow_ids(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.flows.len() as u32).map(FlowId)
    }

    /// A flow.
    #[must_use]
    pub fn flow(&self, id: FlowId) -> &Flow {
        &self.flows[id.index()]
    }

    /// A scope.
    #[must_use]
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// All scopes, parents first.
    pub fn scope_ids(&self) -> impl Iterator<Item = ScopeId> + use<> {
        (0..self.scopes.len() as u32).map(ScopeId)
    }

    /// A call.
    #[must_use]
    pub fn call(&self, id: CallId) -> &Call {
        &self.calls[id.index()]
    }

    /// A flow for the value that a flow of an inner scope holds (see
    /// [`crate::scope`]). The scope of the flow must have an activation; the
    /// default is an expression of its parent, where the new flow is.
    ///
    /// # Panics
    /// If the scope is the node's own.
    pub fn hold(&mut self, flow: FlowId, default: ExprId, name: Arc<str>) -> FlowId {
        let Flow { ty, scope: inner, span, .. } = self.flow(flow).clone();
        let Scope { parent, activation, .. } = self.scope(inner).clone();
        let scope = parent.expect("only scopes inside a node are held");
        let held = FlowId(self.flows.len() as u32);
        let mut push = |kind| self.exprs.push(Expr { kind, ty: ty.clone(), source: None, span });
        let now = push(ExprKind::Present(flow));
        let definition = match activation {
            None => now,
            Some(activation) => {
                let itself = push(ExprKind::Flow(held));
                held_value(&mut self.exprs, itself, [activation, now], Some(default))
            }
        };
        self.flows.push(Flow {
            name,
            ty,
            scope,
            kind: FlowKind::Local,
            definition: Some(definition),
            source: None,
            span,
            hidden: true,
            counts: Vec::new(),
        });
        held
    }
}
