//! Templates that nobody calls: nodes whose constant inputs are sizes of arrays, and which
//! are to be checked themselves. Where what is given of these inputs (their types, the
//! assumptions and the assertions of the node) leaves only a few values, there is a node for
//! each list of them, and all of these are checked (case distinction). With any other value
//! what is given fails at the first step, so there is no execution.

use std::sync::Arc;

use lustral_syntax::ast::{self, ContractItem, Item, NodeDeclaration};
use lustral_syntax::{Diagnostics, SourceMap};

use super::operations::Given;
use super::quantifiers::{integers, narrow};
use super::scope::{Bound, Scope};
use super::{Environment, Resolver};
use crate::program::{
    Assertion, BinaryOp, ExprKind, Meaning, Node, NodeId, Premise, Program, StreamId,
};
use crate::types::{Type, Value};

/// How many nodes there may be for one that nobody calls.
const MOST: usize = 32;

impl<'a> Resolver<'a> {
    /// All lists of values that the constant inputs of a node can have, if they are few.
    pub(super) fn all_values(&mut self, node: &'a NodeDeclaration) -> Option<Vec<Vec<Value>>> {
        let mut given: Vec<ast::ExprId> = Vec::new();
        // What a contract declares hides constants in what it assumes. (In the body as well,
        // here: of a bound that is not understood nothing depends but that there is one.)
        let contracts = node.items.iter().filter_map(|item| match item {
            Item::Contract(contract) => Some(contract),
            _ => None,
        });
        self.hide_ghosts(contracts.flat_map(|contract| &contract.items));
        for item in &node.items {
            match item {
                Item::Assert(expr, _) => given.push(*expr),
                Item::Contract(contract) => {
                    given.extend(contract.items.iter().filter_map(|item| match item {
                        ContractItem::Assume(claim) if !claim.weak => Some(claim.expr),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        let mut all = vec![Vec::new()];
        for (i, input) in node.inputs.iter().enumerate().filter(|(_, input)| input.constant) {
            let values = self.values_of(StreamId(i as u32), input, &given)?;
            if values.len() * all.len() > MOST {
                return None;
            }
            let with = |list: &Vec<Value>, value: &Value| {
                [&list[..], std::slice::from_ref(value)].concat()
            };
            all = all
                .iter()
                .flat_map(|list| values.iter().map(move |value| with(list, value)))
                .collect();
        }
        (!all.is_empty()).then_some(all)
    }

    /// All values that a constant input can have, if they are few.
    fn values_of(
        &mut self,
        stream: StreamId,
        input: &'a ast::Variable,
        given: &[ast::ExprId],
    ) -> Option<Vec<Value>> {
        let ty = self.scope.types[stream.index()].clone()?;
        let own = match &ty {
            Type::Bool => return Some(vec![Value::Bool(false), Value::Bool(true)]),
            Type::Enum(id) => {
                let count = self.program.enums[id.index()].values.len() as u32;
                return Some((0..count).map(Value::Enum).collect());
            }
            Type::Subrange(bounds) => (bounds.low.clone(), bounds.high.clone()),
            Type::Int => (None, None),
            _ => return None,
        };
        let mut known = self.bounds_of_type(&input.ty);
        narrow(&mut known, own);
        let found = self.bounds_of(&input.name.name, &[], given.to_vec());
        narrow(&mut known, found);
        let (low, high) = (known.0?, known.1?);
        Some(integers(&low, &high).take(MOST + 1).map(Value::Int).collect())
    }

    /// That the constant inputs of a node for some values have these: what is resolved does
    /// not depend on it, but executions show it.
    pub(super) fn give_values(&mut self, result: &mut Node) {
        for binding in self.scope.bindings.clone() {
            let (Meaning::Stream(stream), Bound::Constant(value)) =
                (binding.meaning, binding.value)
            else {
                continue;
            };
            if stream.index() >= result.inputs {
                continue;
            }
            let (span, ty) = (result.stream(stream).span, binding.ty);
            let exprs = &mut self.scope.exprs;
            let now = exprs.push(ExprKind::Stream(stream), ty.clone(), span);
            let value = exprs.push(value, ty, span);
            let same = ExprKind::Binary(BinaryOp::Equal, now, value);
            let expr = exprs.push(same, Type::Bool, span);
            result.asserts.push(Assertion { expr, premise: Premise::Constant, span });
        }
    }
}

/// Asks for the nodes for all values of the constant inputs of a template.
pub(crate) fn specialise_all(
    sources: &SourceMap,
    (env, program): (&Environment, &Program),
    (base, values): (NodeId, Vec<Vec<Value>>),
    diagnostics: &mut Diagnostics,
) {
    let interface = &env.interfaces[base.index()];
    let tree = &interface.source.0;
    let mut resolver = Resolver::new(sources, env, program, &tree.exprs, Scope::default());
    let types = interface.type_parameters.iter();
    let types: Vec<Type> = types.map(|(known, _)| Type::Abstract(known.clone())).collect();
    for values in values {
        let given = Given { types: types.clone(), statics: Vec::new() };
        let made = resolver.specialise(base, interface, (values, given), interface.span);
        if let Some(mut made) = made {
            made.for_all = true;
            env.specialised.borrow_mut().push(Arc::new(made));
        }
    }
    resolver.diagnostics.iter().for_each(|diagnostic| diagnostics.push_once(diagnostic));
}
