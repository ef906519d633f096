//! What every kernel program keeps to (as Core Lint does for Haskell's core
//! language). Translations are checked with it where debug assertions are on.

mod causality;

use crate::expr::{ExprKind, Exprs};
use crate::ids::{ExprId, FlowId, ScopeId};
use crate::program::{Claim, FlowKind, Node, Program};
use crate::scope::lies_in;
use crate::types::{Sort, Type};

/// A rule of the kernel that a program breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mistake {
    /// An expression stands before one of its operands.
    #[error("{node}: the expression {expr:?} stands before an operand")]
    Order {
        /// The node.
        node: String,
        /// The expression.
        expr: ExprId,
    },
    /// The scopes are no tree with parents first.
    #[error("{node}: the scope {scope:?} has no parent before it")]
    Scopes {
        /// The node.
        node: String,
        /// The scope.
        scope: ScopeId,
    },
    /// A flow is read from outside its scope as if it were present.
    #[error("{node}: a flow is read in the scope {scope:?}, outside its own")]
    Outside {
        /// The node.
        node: String,
        /// The scope that reads.
        scope: ScopeId,
    },
    /// A delay is shared by two scopes.
    #[error("{node}: the expression {expr:?} has state in two scopes")]
    Shared {
        /// The node.
        node: String,
        /// The expression.
        expr: ExprId,
    },
    /// The interface is not in front, or a flow has no equation, or an input has one.
    #[error("{node}: the flow {flow:?} is out of place")]
    Flow {
        /// The node.
        node: String,
        /// The flow.
        flow: FlowId,
    },
    /// A call has not one argument for each input.
    #[error("{node}: a call has {arguments} arguments")]
    Arguments {
        /// The node.
        node: String,
        /// Their number.
        arguments: usize,
    },
    /// Something depends on itself at the same step.
    #[error("{node}: values depend on themselves at the same step, through the flows {flows:?}")]
    Causality {
        /// The node.
        node: String,
        /// The flows that do; none where a reset depends on an output of a call
        /// that it resets.
        flows: Vec<FlowId>,
    },
    /// A node calls itself, directly or through others.
    #[error("{node} calls itself")]
    Recursion {
        /// The node.
        node: String,
    },
    /// What must be a truth value is none.
    #[error("{node}: the expression {expr:?} is no truth value")]
    Truth {
        /// The node.
        node: String,
        /// The expression.
        expr: ExprId,
    },
}

/// Checks a program.
///
/// # Errors
/// The first rule that it breaks.
pub fn lint(program: &Program) -> Result<(), Mistake> {
    for node in &program.nodes {
        let check = Check { program, node };
        check.order(&node.exprs)?;
        check.order(&node.candidates.exprs)?;
        check.scopes()?;
        check.flows()?;
        check.reads()?;
    }
    causality::check(program)
}

struct Check<'p> {
    program: &'p Program,
    node: &'p Node,
}

impl Check<'_> {
    fn name(&self) -> String {
        self.node.name.to_string()
    }

    fn order(&self, exprs: &Exprs) -> Result<(), Mistake> {
        for (expr, _) in exprs.iter() {
            let mut sorted = true;
            exprs.operands(expr, |operand| sorted &= operand < expr);
            if !sorted {
                return Err(Mistake::Order { node: self.name(), expr });
            }
        }
        Ok(())
    }

    fn scopes(&self) -> Result<(), Mistake> {
        for scope in self.node.scope_ids() {
            let known = self.node.scope(scope);
            let sound = match known.parent {
                Some(parent) => parent < scope,
                None => {
                    scope == ScopeId::NODE && known.activation.is_none() && known.reset.is_none()
                }
            };
            if !sound {
                return Err(Mistake::Scopes { node: self.name(), scope });
            }
        }
        Ok(())
    }

    fn flows(&self) -> Result<(), Mistake> {
        let (inputs, outputs) = (self.node.inputs, self.node.inputs + self.node.outputs);
        for flow in self.node.flow_ids() {
            let known = self.node.flow(flow);
            let expected = match flow.index() {
                i if i < inputs => FlowKind::Input,
                i if i < outputs => FlowKind::Output,
                _ => FlowKind::Local,
            };
            let placed = known.kind == expected
                && known.definition.is_some() == (known.kind != FlowKind::Input);
            if !placed {
                return Err(Mistake::Flow { node: self.name(), flow });
            }
        }
        Ok(())
    }

    /// Walks each expression in the scope of what uses it.
    fn reads(&self) -> Result<(), Mistake> {
        let node = self.node;
        let mut owner: Vec<Option<ScopeId>> = vec![None; node.exprs.len()];
        for flow in &node.flows {
            if let Some(definition) = flow.definition {
                self.walk(&node.exprs, flow.scope, definition, &mut owner)?;
            }
        }
        for scope in &node.scopes {
            for expr in [scope.activation, scope.reset].into_iter().flatten() {
                let parent = scope.parent.unwrap_or(ScopeId::NODE);
                self.truth(&node.exprs, expr)?;
                self.walk(&node.exprs, parent, expr, &mut owner)?;
            }
        }
        for call in &node.calls {
            if call.args.len() != self.program.node(call.callee).inputs {
                return Err(Mistake::Arguments { node: self.name(), arguments: call.args.len() });
            }
            for arg in &call.args {
                self.walk(&node.exprs, call.scope, *arg, &mut owner)?;
            }
        }
        for constraint in &node.constraints {
            self.truth(&node.exprs, constraint.expr)?;
            self.walk(&node.exprs, constraint.scope, constraint.expr, &mut owner)?;
        }
        for obligation in &node.obligations {
            match obligation.claim {
                Claim::Expr(expr) => {
                    self.truth(&node.exprs, expr)?;
                    self.walk(&node.exprs, obligation.scope, expr, &mut owner)?;
                }
                claim @ (Claim::Flow(_) | Claim::InRange { .. }) => {
                    for flow in claim.flows() {
                        self.readable(obligation.scope, node.flow(flow).scope)?;
                    }
                    if let Claim::InRange { condition: Some(expr), .. } = claim {
                        self.truth(&node.exprs, expr)?;
                        self.walk(&node.exprs, obligation.scope, expr, &mut owner)?;
                    }
                }
            }
        }
        let mut owner = vec![None; node.candidates.exprs.len()];
        for candidate in &node.candidates.list {
            self.truth(&node.candidates.exprs, candidate.expr)?;
            self.walk(&node.candidates.exprs, ScopeId::NODE, candidate.expr, &mut owner)?;
        }
        Ok(())
    }

    fn truth(&self, exprs: &Exprs, expr: ExprId) -> Result<(), Mistake> {
        match exprs[expr].ty {
            Type { sort: Sort::Bool, .. } => Ok(()),
            _ => Err(Mistake::Truth { node: self.name(), expr }),
        }
    }

    fn readable(&self, reader: ScopeId, read: ScopeId) -> Result<(), Mistake> {
        if lies_in(&self.node.scopes, reader, read) {
            Ok(())
        } else {
            Err(Mistake::Outside { node: self.name(), scope: reader })
        }
    }

    fn walk(
        &self,
        exprs: &Exprs,
        scope: ScopeId,
        root: ExprId,
        owner: &mut [Option<ScopeId>],
    ) -> Result<(), Mistake> {
        let mut stack = vec![root];
        while let Some(expr) = stack.pop() {
            // What was seen in this scope was seen with its operands.
            if owner[expr.index()] == Some(scope) {
                continue;
            }
            match &exprs[expr].kind {
                ExprKind::Flow(flow) => self.readable(scope, self.node.flow(*flow).scope)?,
                ExprKind::Output(call, _) => self.readable(scope, self.node.call(*call).scope)?,
                ExprKind::Pre(_) | ExprKind::Any if owner[expr.index()].is_some() => {
                    return Err(Mistake::Shared { node: self.name(), expr });
                }
                _ => {}
            }
            owner[expr.index()] = Some(scope);
            exprs.operands(expr, |operand| stack.push(operand));
        }
        Ok(())
    }
}
