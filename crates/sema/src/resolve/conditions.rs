//! What types say of values beyond the bounds of their leaves: `subtype { x: t | p }`, and
//! subranges whose bounds are no constants. A type has no conditions itself: they are
//! written out for each flow that is declared with it, part by part, as an expression of
//! the node. So a condition may call functions, and one that stands in a node may name
//! its flows.

mod limits;

use std::rc::Rc;
use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Declaration, TypeKind};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::environment::Global;
use super::parameters::arguments;
use super::quantifiers::{Ends, narrow};
use super::scope::{Binding, Bound, Scope, ScopeKind};
use super::{Resolver, TypeArguments};
use crate::program::{
    Assertion, BinaryOp, ConstId, ExprId, ExprKind, Meaning, Node, Premise, Stream, StreamId,
    StreamKind,
};
use crate::types::Type;

/// How many conditions one flow may have.
const MOST: usize = 100_000;

/// How deep conditions may stand in types that other conditions name.
const DEEPEST: usize = 32;

/// A part of a value, and the type that it is declared with.
struct Part<'a> {
    exprs: &'a ast::Exprs,
    ty: &'a ast::Type,
    value: ExprId,
    /// Where it is a part: where a constructor made the value that has it.
    guard: Option<ExprId>,
    /// What the type parameters of the type stand for, if it is declared outside of the
    /// node and sees none of its flows.
    outside: Option<Rc<TypeArguments>>,
}

impl<'a> Resolver<'a> {
    /// Whether a type says more of a value than the bounds of its leaves.
    pub(super) fn is_refined(&self, ty: &ast::Type) -> bool {
        let mut types = vec![ty];
        while let Some(ty) = types.pop() {
            match &ty.kind {
                TypeKind::Refinement(..) => return true,
                TypeKind::Named(name) if self.is_refined_name(name) => return true,
                TypeKind::Applied(name, _) if self.is_refined_name(&name.name) => return true,
                TypeKind::Applied(name, list) if self.means_keyed(&name.name, list.len()) => {
                    if self.has_limits(list) {
                        return true;
                    }
                }
                TypeKind::Applied(_, list) => types.extend(list),
                TypeKind::Subrange(low, high) => {
                    if [low, high].into_iter().flatten().any(|bound| self.is_symbolic(*bound)) {
                        return true;
                    }
                }
                TypeKind::Record(fields) => types.extend(fields.iter().map(|field| &field.ty)),
                TypeKind::Tuple(list) => types.extend(list),
                TypeKind::Array(element, _) => types.push(element),
                TypeKind::Data(list) => {
                    types.extend(list.iter().flat_map(|c| &c.fields).map(|field| &field.ty));
                }
                TypeKind::Bool
                | TypeKind::Int
                | TypeKind::Real
                | TypeKind::Enum(_)
                | TypeKind::Named(_)
                | TypeKind::Abstract
                | TypeKind::Machine(_)
                | TypeKind::Error => {}
            }
        }
        false
    }

    fn is_refined_name(&self, name: &Arc<str>) -> bool {
        self.env.refined.contains(name) && !self.type_arguments.contains_key(name)
    }

    /// The definition of the type that a part is declared with, if that has conditions;
    /// `None` inside where it has an error.
    fn definition(&mut self, part: &Part<'a>) -> Option<Option<Part<'a>>> {
        let (name, types) = match &part.ty.kind {
            TypeKind::Named(name) => (name, &[][..]),
            TypeKind::Applied(name, types) => (&name.name, &types[..]),
            _ => return None,
        };
        // The names of type parameters are those of the place where the type is written.
        let own = part.outside.as_deref().unwrap_or(&self.type_arguments);
        if !self.env.refined.contains(name) || own.contains_key(name) {
            return None;
        }
        let env = self.env;
        let source = env.type_sources.get(name);
        let Some((tree, position)) = source else { return Some(None) };
        let Declaration::Type(declared) = &tree.declarations[*position] else { return Some(None) };
        let parameters = env.type_parameters.get(name).map_or(&[][..], Vec::as_slice);
        // What is wrong with them was said where the type of the flow was resolved.
        let (uses, diagnostics) = (self.uses.len(), std::mem::take(&mut self.diagnostics));
        let types = self.at(part, |r| r.types_given(types));
        self.diagnostics = diagnostics;
        self.uses.truncate(uses);
        let Some(types) = types else { return Some(None) };
        let outside = Some(Rc::new(arguments(parameters, &types)));
        Some(Some(Part {
            exprs: &tree.exprs,
            ty: &declared.definition,
            value: part.value,
            guard: part.guard,
            outside,
        }))
    }

    /// Whether a bound names a flow, a constant input whose value is not known or a free
    /// constant, so that it is no number.
    pub(super) fn is_symbolic(&self, bound: ast::ExprId) -> bool {
        let mut stack = vec![bound];
        while let Some(id) = stack.pop() {
            if let ast::ExprKind::Name(name) = &self.ast[id].kind {
                if self.scope.bindings.iter().any(|binding| binding.name == *name) {
                    continue;
                }
                let flow = self.scope.streams.contains_key(name);
                let open = match self.env.values.get(name).map(|known| &known.what) {
                    Some(Global::Const(id, _)) => self.program.consts[id.index()].open,
                    _ => false,
                };
                if flow || open {
                    return true;
                }
            }
            stack.extend(self.ast.operands(id));
        }
        false
    }

    /// What a type says of a value beyond the bounds of its leaves; none where that has an
    /// error.
    pub(super) fn conditions(&mut self, ty: &'a ast::Type, value: ExprId) -> Option<Vec<ExprId>> {
        if !self.is_refined(ty) {
            return Some(Vec::new());
        }
        let found = self.written_out(ty, value);
        if found.is_none() {
            // Where a type outside of nodes has an error, that is said there.
            self.left_out(ty.span);
        }
        found
    }

    fn written_out(&mut self, ty: &'a ast::Type, value: ExprId) -> Option<Vec<ExprId>> {
        let mut found = Vec::new();
        let mut work = vec![Part { exprs: self.ast, ty, value, guard: None, outside: None }];
        while let Some(part) = work.pop() {
            if found.len() + work.len() > MOST {
                let message = format!("the type of a flow has at most {MOST} conditions");
                self.push(Diagnostic::error(Code::Type, part.ty.span, message));
                return None;
            }
            if let Some(definition) = self.definition(&part) {
                work.push(definition?);
                continue;
            }
            let Part { exprs, ty, value, guard, ref outside } = part;
            let here = |ty, value| Part { exprs, ty, value, guard, outside: outside.clone() };
            let span = self.scope.exprs[value].span;
            match &ty.kind {
                TypeKind::Applied(name, list) if self.means_keyed(&name.name, list.len()) => {
                    let all = self.at(&part, |r| r.limits_of(list, value, span))?;
                    found.extend(all.into_iter().map(|holds| self.guarded(guard, holds, span)));
                }
                TypeKind::Refinement(variable, condition) => {
                    work.push(here(&variable.ty, value));
                    let name = &variable.name;
                    // In `x: t | p` the flow itself is named.
                    let itself = name.span.start < ty.span.start;
                    let one = |r: &mut Resolver<'a>| r.holds_of((name, itself), *condition, value);
                    let holds = self.at(&part, one)?;
                    found.push(self.guarded(guard, holds, span));
                }
                TypeKind::Subrange(low, high) => {
                    let ends = [(low, BinaryOp::GreaterEqual), (high, BinaryOp::LessEqual)];
                    for (bound, op) in ends {
                        let Some(bound) = *bound else { continue };
                        let one = |r: &mut Resolver<'a>| r.symbolic_bound(bound, op, value);
                        let holds = self.at(&part, one)?;
                        found.extend(holds.map(|holds| self.guarded(guard, holds, span)));
                    }
                }
                TypeKind::Record(fields) => {
                    for (i, field) in (0..).zip(fields) {
                        work.push(here(&field.ty, self.part(value, i, span)));
                    }
                }
                TypeKind::Data(list) => {
                    let mut next = 1;
                    for (i, constructor) in (0..).zip(list) {
                        let made = self.is_made_by(value, i, span);
                        let both =
                            guard.map_or(made, |outer| self.conjunction(&[outer, made], span));
                        for (part, field) in (next..).zip(&constructor.fields) {
                            let value = self.part(value, part, span);
                            work.push(Part { guard: Some(both), ..here(&field.ty, value) });
                        }
                        next += constructor.fields.len() as u32;
                    }
                }
                TypeKind::Tuple(list) => {
                    for (i, ty) in (0..).zip(list) {
                        work.push(here(ty, self.part(value, i, span)));
                    }
                }
                TypeKind::Array(element, sizes) => {
                    let all = self.elements(value, sizes.len(), span);
                    work.extend(all.into_iter().map(|value| here(element, value)));
                }
                TypeKind::Bool
                | TypeKind::Int
                | TypeKind::Real
                | TypeKind::Enum(_)
                | TypeKind::Named(_)
                | TypeKind::Applied(..)
                | TypeKind::Abstract
                | TypeKind::Machine(_)
                | TypeKind::Error => {}
            }
        }
        Some(found)
    }

    /// A condition where something holds.
    fn guarded(&mut self, guard: Option<ExprId>, holds: ExprId, span: Span) -> ExprId {
        guard.map_or(holds, |guard| {
            self.push_bool(ExprKind::Binary(BinaryOp::Implies, guard, holds), span)
        })
    }

    /// Resolves something of a type where that is declared. What is wrong with a type
    /// outside of nodes is said there ([`Resolver::check_type`]).
    fn at<T>(
        &mut self,
        part: &Part<'a>,
        resolve: impl FnOnce(&mut Resolver<'a>) -> Option<T>,
    ) -> Option<T> {
        if self.conditions_around >= DEEPEST {
            let message = format!("conditions of types name each other at most {DEEPEST} deep");
            self.push(Diagnostic::error(Code::Type, part.ty.span, message));
            return None;
        }
        self.conditions_around += 1;
        let exprs = std::mem::replace(&mut self.ast, part.exprs);
        let found = if let Some(types) = &part.outside {
            let hides_flows = std::mem::take(&mut self.scope.hides_flows);
            let Scope { streams, bindings, parameters, .. } = &mut self.scope;
            let (streams, bindings, parameters) =
                (std::mem::take(streams), std::mem::take(bindings), std::mem::take(parameters));
            let own = std::mem::replace(&mut self.type_arguments, (**types).clone());
            let (uses, indices) = (self.uses.len(), self.scope.declared_indices.len());
            let diagnostics = std::mem::take(&mut self.diagnostics);
            let found = resolve(self);
            self.diagnostics = diagnostics;
            self.uses.truncate(uses);
            self.scope.declared_indices.truncate(indices);
            self.type_arguments = own;
            self.scope.hides_flows = hides_flows;
            (self.scope.streams, self.scope.bindings, self.scope.parameters) =
                (streams, bindings, parameters);
            found
        } else {
            resolve(self)
        };
        self.ast = exprs;
        self.conditions_around -= 1;
        self.broken |= found.is_none();
        found
    }

    /// The condition of a refinement for a value.
    fn holds_of(
        &mut self,
        (name, itself): (&ast::Ident, bool),
        condition: ast::ExprId,
        value: ExprId,
    ) -> Option<ExprId> {
        let meaning = match self.scope.exprs[value].kind {
            ExprKind::Stream(stream) if itself => Meaning::Stream(stream),
            _ => Meaning::Index(self.variable(name)),
        };
        let (name, ty) = (name.name.clone(), self.scope.exprs[value].ty.clone());
        let value = Bound::Expr(value, self.scope.sampled.len());
        self.scope.bindings.push(Binding { name, value, ty, meaning });
        let found = self.boolean(condition, "what holds of a value");
        self.scope.bindings.pop();
        found
    }

    /// The number of a variable; it is the same one for all values that it stands for.
    fn variable(&mut self, name: &ast::Ident) -> u32 {
        let known = &mut self.scope.declared_indices;
        let found = known.iter().rposition(|(_, span)| *span == name.span);
        let position = found.unwrap_or_else(|| {
            known.push((name.name.clone(), name.span));
            known.len() - 1
        });
        position as u32
    }

    /// That a value respects a bound of a subrange, if that is no number.
    fn symbolic_bound(
        &mut self,
        bound: ast::ExprId,
        op: BinaryOp,
        value: ExprId,
    ) -> Option<Option<ExprId>> {
        if !self.is_symbolic(bound) {
            return Some(None);
        }
        let found = self.expr(bound)?;
        let span = self.ast[bound].span;
        let bound = self.single(found, "a bound", span)?;
        if !self.expect(bound, &Type::Int, "a bound of a subrange") {
            return None;
        }
        Some(Some(self.push_bool(ExprKind::Binary(op, value, bound), span)))
    }

    /// The bounds that the conditions of a type of integers give them.
    pub(super) fn bounds_of_type(&mut self, ty: &'a ast::Type) -> Ends {
        let mut ends = (None, None);
        let mut part = Part { exprs: self.ast, ty, value: ExprId(0), guard: None, outside: None };
        loop {
            if let Some(definition) = self.definition(&part) {
                let Some(definition) = definition else { return ends };
                part = definition;
                continue;
            }
            match &part.ty.kind {
                TypeKind::Refinement(variable, condition) => {
                    let name = &variable.name.name;
                    let one = |r: &mut Resolver<'a>| Some(r.bounds_of(name, &[], vec![*condition]));
                    let Some(found) = self.at(&part, one) else { return ends };
                    narrow(&mut ends, found);
                    part.ty = &variable.ty;
                }
                _ => return ends,
            }
        }
    }

    /// What the type of a flow says of it, as one condition.
    pub(super) fn condition_of(
        &mut self,
        ty: &'a ast::Type,
        stream: StreamId,
        span: Span,
    ) -> Option<ExprId> {
        if !self.is_refined(ty) {
            return None;
        }
        let known = self.scope.types[stream.index()].clone()?;
        let value = self.scope.exprs.push(ExprKind::Stream(stream), known, span);
        let all = self.conditions(ty, value)?;
        (!all.is_empty()).then(|| self.conjunction(&all, span))
    }

    /// The conditions of the declared flows of a node. Those of inputs are given where the
    /// node is checked, and so are those of free constants.
    pub(super) fn flow_conditions(&mut self, result: &mut Node, node: &'a ast::NodeDeclaration) {
        let inputs = (0..).map(StreamId).zip(&node.inputs);
        let others = (result.inputs as u32..).map(StreamId);
        let constants = node.constants.iter().map(|c| c.ty.as_ref());
        let outputs = node.outputs.iter().map(|v| Some(&v.ty));
        let others =
            others.zip(outputs.chain(constants).chain(node.locals.iter().map(|v| Some(&v.ty))));
        let declared = inputs.map(|(id, v)| (id, Some(&v.ty))).chain(others);
        let free = (result.inputs + result.outputs) as u32;
        for (id, ty) in declared.collect::<Vec<_>>() {
            let Stream { span, kind, .. } = *result.stream(id);
            let Some(condition) = ty.and_then(|ty| self.condition_of(ty, id, span)) else {
                continue;
            };
            let constant = id.0.checked_sub(free).and_then(|i| node.constants.get(i as usize));
            if constant.is_some_and(|constant| constant.value.is_none()) {
                // It is chosen so.
                self.scope.chosen.push((condition, span));
                continue;
            }
            result.streams[id.index()].condition = Some(condition);
            if kind == StreamKind::Input {
                result.asserts.push(Assertion { expr: condition, premise: Premise::Typed, span });
            }
        }
        for id in result.input_ids() {
            let Some(constant) = result.stream(id).constant else { continue };
            let Some(condition) = self.free_condition(constant, id) else { continue };
            let span = result.stream(id).span;
            result.asserts.push(Assertion { expr: condition, premise: Premise::Typed, span });
        }
    }

    /// What the type of a free constant says of it.
    fn free_condition(&mut self, id: ConstId, stream: StreamId) -> Option<ExprId> {
        let constant = &self.program.consts[id.index()];
        let (tree, position) = self.env.const_sources.get(&id)?;
        let Declaration::Const(declared) = &tree.declarations[*position] else { return None };
        let ty = declared.ty.as_ref()?;
        let outer = std::mem::replace(&mut self.ast, &tree.exprs);
        let flows = std::mem::take(&mut self.scope.streams);
        let bindings = std::mem::take(&mut self.scope.bindings);
        let types = std::mem::take(&mut self.type_arguments);
        let uses = self.uses.len();
        let found = self.condition_of(ty, stream, constant.span);
        self.uses.truncate(uses);
        self.type_arguments = types;
        (self.ast, self.scope.streams, self.scope.bindings) = (outer, flows, bindings);
        found
    }

    /// Resolves what a declared type says, of any value, for what is wrong with it.
    pub(super) fn check_type(&mut self, name: &str) {
        let known = self.env.types.get(name).and_then(|(_, ty)| ty.clone());
        let (Some(ty), Some((tree, position))) = (known, self.env.type_sources.get(name)) else {
            return;
        };
        let Declaration::Type(declared) = &tree.declarations[*position] else { return };
        self.outside_of_nodes();
        let any = self.scope.exprs.push(ExprKind::Any, ty, declared.name.span);
        // What is wrong with the types that it names is said there.
        self.conditions(&declared.definition, any);
        self.keep_variables();
    }

    /// What was an index of a node is a variable outside of nodes.
    fn keep_variables(&mut self) {
        let first = (self.program.variables.len() + self.variables.len()) as u32;
        for used in &mut self.uses {
            if let Meaning::Index(i) = used.meaning {
                used.meaning = Meaning::Variable(first + i);
            }
        }
        self.variables.extend(std::mem::take(&mut self.scope.declared_indices));
    }

    /// Says so if the value of a constant is not as its type says.
    pub(super) fn check_constant_type(&mut self, name: &str) {
        let known = self.env.values.get(name).map(|known| &known.what);
        let Some(Global::Const(id, known)) = known else { return };
        let Some((tree, position)) = self.env.const_sources.get(id) else { return };
        let Declaration::Const(declared) = &tree.declarations[*position] else { return };
        let Some(ty) = declared.ty.as_ref().filter(|ty| self.is_refined(ty)) else { return };
        self.outside_of_nodes();
        let value = self.scope.exprs.push(ExprKind::Const(*id), known.clone(), ty.span);
        let all = self.conditions(ty, value);
        self.keep_variables();
        // A free one is so.
        let Some(all) = all.filter(|_| declared.value.is_some()) else { return };
        let expr = self.conjunction(&all, ty.span);
        let span = declared.name.span;
        let diagnostic = match self.known_value(expr).as_deref() {
            Some([crate::types::Value::Bool(true)]) => return,
            Some(_) => {
                let message = "the value of this constant is not as its type says";
                Diagnostic::error(Code::Type, span, message)
            }
            None => {
                let what = "constants whose type has a condition that is not known";
                Diagnostic::unsupported(span, what).help("state it in the nodes that use it")
            }
        };
        self.push(diagnostic);
    }

    /// A scope in which all that conditions may name can be named, for a look.
    fn outside_of_nodes(&mut self) {
        let free = (0..).map(ConstId).take(self.program.consts.len());
        let free = free.map(|id| (id, StreamId(0))).collect();
        self.scope = Scope { kind: ScopeKind::Node, free, ..Scope::default() };
    }
}
