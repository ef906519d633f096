//! Templates that nobody calls: nodes whose constant inputs are sizes of arrays, and which
//! are to be checked themselves. Where what is given of these inputs (their types, the
//! assumptions and the assertions of the node) leaves only a few values, there is a node for
//! each list of them, and all of these are checked (case distinction). With any other value
//! what is given fails at the first step, so there is no execution. Where there is no end of
//! values, there are nodes for the first few (`Node::only` says which), and that something
//! holds in all of these is no answer about the node.

use std::sync::Arc;

use lustral_syntax::ast::{self, ContractItem, Declaration, Item, NodeDeclaration};
use lustral_syntax::{Diagnostics, SourceMap};
use num_bigint::BigInt;

use super::operations::Given;
use super::quantifiers::{Ends, integers, narrow};
use super::scope::{Bound, Scope};
use super::{Environment, Resolver};
use crate::program::{
    Assertion, BinaryOp, ConstId, ExprKind, Meaning, Node, NodeId, Premise, Program, StreamId,
};
use crate::types::{Type, Value};

/// How many nodes there may be for one that nobody calls.
const MOST: usize = 32;

/// How many values of a constant input are checked where there is no end of them, by the
/// number of such inputs.
const SOME: [usize; 3] = [4, 3, 2];

/// Values of constant inputs that a node is to be checked for.
#[derive(Clone)]
pub(crate) struct Values {
    /// Each list has a value for each constant input that needs one.
    pub lists: Vec<Vec<Option<Value>>>,
    /// Where these are not all values: which they are.
    pub only: Option<Arc<str>>,
}

impl Values {
    /// The same for a node that is itself one of those for some values only.
    pub(crate) fn among(self, only: Option<&Arc<str>>) -> Values {
        let only = match (only, self.only) {
            (Some(outer), Some(own)) => Some(format!("{outer}, {own}").into()),
            (outer, own) => outer.cloned().or(own),
        };
        Values { only, ..self }
    }
}

/// The values that a constant input can have.
enum Domain {
    Few(Vec<Value>),
    /// Those from here on, to the other end if there is one.
    Many(BigInt, Option<BigInt>),
}

impl<'a> Resolver<'a> {
    /// The lists of values of its constant inputs that a node is to be checked for, if it is a
    /// template or may become one by what it calls; none if there are too many.
    pub(super) fn values_to_check(&mut self, node: &'a NodeDeclaration) -> Option<Values> {
        if self.template {
            // The types of inputs and outputs were looked at elsewhere.
            let outer = std::mem::take(&mut self.diagnostics);
            let uses = self.uses.len();
            node.inputs.iter().chain(&node.outputs).for_each(|flow| drop(self.ty(&flow.ty)));
            self.uses.truncate(uses);
            self.diagnostics = outer;
        }
        if self.needed.is_empty() {
            return None;
        }
        let constants = || (0..).map(StreamId).zip(&node.inputs).filter(|(_, i)| i.constant);
        // What a local constant is made of is not looked up.
        let local = self.needed.iter().any(|id| constants().all(|(input, _)| input != *id));
        let given = self.premises(node);
        let mut domains = Vec::new();
        for (stream, input) in constants() {
            let bound = self.scope.bindings.iter().find(|b| b.meaning == Meaning::Stream(stream));
            domains.push(match bound.map(|b| b.value.clone()) {
                Some(Bound::Constant(known)) => Some(Domain::Few(vec![value(&known)?])),
                _ if local || self.needed.contains(&stream) => {
                    Some(self.domain_of(stream, input, &given)?)
                }
                _ => None,
            });
        }
        lists(constants().map(|(_, input)| &input.name.name).zip(domains).collect())
    }

    /// What is given of the inputs of a node that is checked.
    fn premises(&mut self, node: &'a NodeDeclaration) -> Vec<ast::ExprId> {
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
        given
    }

    /// The values that a constant input can have; none if they cannot be listed.
    fn domain_of(
        &mut self,
        stream: StreamId,
        input: &'a ast::Variable,
        given: &[ast::ExprId],
    ) -> Option<Domain> {
        let ty = self.scope.types[stream.index()].clone()?;
        let own = match &ty {
            Type::Bool => {
                return Some(Domain::Few(vec![Value::Bool(false), Value::Bool(true)]));
            }
            Type::Enum(id) => {
                let count = self.program.enums[id.index()].values.len() as u32;
                return Some(Domain::Few((0..count).map(Value::Enum).collect()));
            }
            Type::Subrange(bounds) => (bounds.low.clone(), bounds.high.clone()),
            Type::Int => (None, None),
            _ => return None,
        };
        let mut known = self.bounds_of_type(&input.ty);
        narrow(&mut known, own);
        let found = self.bounds_of(&input.name.name, &[], given.to_vec());
        narrow(&mut known, found);
        Some(listed(known))
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

/// All lists of a value from each domain, as far as they are tried; none if that are too many.
fn lists(domains: Vec<(&Arc<str>, Option<Domain>)>) -> Option<Values> {
    let is_many = |domain: &Domain| matches!(domain, Domain::Many(..));
    let many = domains.iter().filter_map(|(_, domain)| domain.as_ref()).filter(|d| is_many(d));
    let some = SOME[many.count().clamp(1, SOME.len()) - 1];
    let (mut lists, mut only) = (vec![Vec::new()], Vec::new());
    for (name, domain) in domains {
        let values = match domain {
            None => vec![None],
            Some(Domain::Few(values)) => values.into_iter().map(Some).collect(),
            Some(Domain::Many(low, high)) => {
                let last = &low + (some - 1);
                let last = high.map_or(last.clone(), |high| high.min(last));
                only.push(format!("{name} = {low} to {last}"));
                integers(&low, &last).map(|n| Some(Value::Int(n))).collect::<Vec<_>>()
            }
        };
        let with = |list: &Vec<Option<Value>>, value: &Option<Value>| {
            [&list[..], std::slice::from_ref(value)].concat()
        };
        if values.len() * lists.len() > MOST {
            return None;
        }
        lists = lists
            .iter()
            .flat_map(|list| values.iter().map(move |value| with(list, value)))
            .collect();
    }
    let only = (!only.is_empty()).then(|| only.join(", ").into());
    (!lists.is_empty()).then_some(Values { lists, only })
}

/// The lists of values that free constants are given where these are sizes; none if there
/// are too many, or one is no integer.
pub(crate) fn values_of_constants(
    sources: &SourceMap,
    (env, program): (&Environment, &Program),
    constants: &[ConstId],
) -> Option<Values> {
    let mut domains = Vec::new();
    for id in constants {
        let constant = &program.consts[id.index()];
        let (tree, position) = env.const_sources.get(id)?;
        let Declaration::Const(declared) = &tree.declarations[*position] else { return None };
        let mut known = match &constant.ty {
            Type::Subrange(bounds) => (bounds.low.clone(), bounds.high.clone()),
            Type::Int => (None, None),
            _ => return None,
        };
        let mut resolver = Resolver::new(sources, env, program, &tree.exprs, Scope::default());
        narrow(&mut known, resolver.bounds_of_type(declared.ty.as_ref()?));
        domains.push((&constant.name, Some(listed(known))));
    }
    lists(domains)
}

/// The integers between bounds, all if they are few. Where they are not, those that are
/// tried are sizes: arrays have at least one element.
fn listed((low, high): Ends) -> Domain {
    if let (Some(low), Some(high)) = (&low, &high) {
        let few: Vec<Value> = integers(low, high).take(MOST + 1).map(Value::Int).collect();
        if few.len() <= MOST {
            return Domain::Few(few);
        }
    }
    let one = BigInt::from(1);
    Domain::Many(low.map_or(one.clone(), |low| low.max(one)), high)
}

/// The value that an expression is.
fn value(kind: &ExprKind) -> Option<Value> {
    Some(match kind {
        ExprKind::Bool(b) => Value::Bool(*b),
        ExprKind::Int(n) => Value::Int(n.clone()),
        ExprKind::Real(r) => Value::Real(r.clone()),
        ExprKind::Machine(shape, n) => Value::Machine(*shape, n.clone()),
        ExprKind::Enum(_, i) => Value::Enum(*i),
        _ => return None,
    })
}

/// Asks for the nodes for the values of the constant inputs of a template that are checked.
pub(crate) fn specialise_all(
    sources: &SourceMap,
    (env, program): (&Environment, &Program),
    (base, values): (NodeId, Values),
    diagnostics: &mut Diagnostics,
) {
    let interface = &env.interfaces[base.index()];
    let tree = &interface.source.0;
    let mut resolver = Resolver::new(sources, env, program, &tree.exprs, Scope::default());
    let types = interface.type_parameters.iter();
    let types: Vec<Type> = types.map(|(known, _)| Type::Abstract(known.clone())).collect();
    let (mut all, mut wrong, mut refused) = (Vec::new(), Diagnostics::new(), Vec::new());
    for list in values.lists {
        let given = Given { types: types.clone(), statics: Vec::new() };
        let made = resolver.specialise(base, interface, (list.clone(), given), interface.span);
        let found = std::mem::take(&mut resolver.diagnostics);
        let is_wrong = found.has_errors();
        // Of errors that differ with the value the first will do.
        if values.only.is_none() || refused.is_empty() {
            found.iter().for_each(|diagnostic| wrong.push_once(diagnostic));
        }
        match made {
            // Where there is no end of values, those for which the node has no meaning are
            // not tried.
            _ if is_wrong && values.only.is_some() => refused.push(list),
            Some(made) => all.push(made),
            None => {}
        }
    }
    if all.is_empty() || values.only.is_none() {
        wrong.iter().for_each(|diagnostic| diagnostics.push_once(diagnostic));
    }
    let only = values.only.zip(interface.declaration()).map(|(only, node)| {
        let refused: Vec<String> = refused.iter().map(|list| shown_values(node, list)).collect();
        but_not(&only, &refused)
    });
    for mut made in all {
        made.for_all = true;
        made.only.clone_from(&only);
        env.specialised.borrow_mut().push(Arc::new(made));
    }
}

/// Which values are tried, where some of them are not.
pub(crate) fn but_not(only: &Arc<str>, refused: &[String]) -> Arc<str> {
    if refused.is_empty() {
        return only.clone();
    }
    let refused = refused.join(" or ");
    format!("{only} (but not {refused}, for which the program has an error)").into()
}

/// The values of the constant inputs of a node that have one.
pub(crate) fn shown_values(node: &NodeDeclaration, values: &[Option<Value>]) -> String {
    let inputs = node.inputs.iter().filter(|input| input.constant);
    let known = inputs.zip(values).filter_map(|(input, value)| Some((input, value.as_ref()?)));
    let shown = known.map(|(input, value)| shown(&input.name.name, value));
    shown.collect::<Vec<String>>().join(" with ")
}

/// A constant that has a value.
pub(crate) fn shown(name: &str, value: &Value) -> String {
    match value {
        Value::Int(n) => format!("{name} = {n}"),
        Value::Bool(b) => format!("{name} = {b}"),
        other => format!("{name} = {other:?}"),
    }
}
