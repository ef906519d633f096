//! Contracts of nodes: ghost flows, assumptions, guarantees, modes, and imported
//! contract nodes, which are expanded like macros with flows of their own.
//!
//! A contract is resolved in *frames*: one for the contract of the node itself and
//! one for each contract that is imported, directly or not. First every frame
//! declares its flows (ghosts, conditions of modes, inputs and outputs of the
//! imported contract), so that names may be used before their declaration; then every
//! frame is resolved against its own names. All of them are flows of the node.

use std::sync::Arc;

use lustral_syntax::ast::{self, Claim, ContractItem, Declaration, Item, NodeDeclaration};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Span, ast::ContractDeclaration};
use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::count;
use super::{Resolver, similar};
use crate::program::{
    Assertion, BinaryOp, Clause, ClauseKind, ExprId, ExprKind, Node, Stream, StreamId, StreamKind,
};
use crate::types::Type;

/// A contract with the names that can be used in it.
struct Frame<'a> {
    exprs: &'a ast::Exprs,
    items: Vec<&'a ContractItem>,
    /// What its names begin with in reports: empty for the node's own contract.
    prefix: String,
    names: FxHashMap<Arc<str>, StreamId>,
    /// Some of the contract could not be read: a name may be one of its flows.
    hides_flows: bool,
    /// The contracts that lead here, for cycles.
    path: Vec<Arc<str>>,
    /// The frame of each import among the items, in order; none where it has an
    /// error.
    imports: Vec<Option<usize>>,
    /// The flows that stand for the inputs and outputs of the contract.
    parameters: Vec<StreamId>,
}

impl<'a> Resolver<'a> {
    /// Resolves the contracts of a node, whose flows are known.
    pub(super) fn contracts(
        &mut self,
        result: &mut Node,
        node: &'a NodeDeclaration,
        ast: &'a ast::Program,
    ) {
        let contracts: Vec<&'a ast::Contract> = node
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Contract(contract) => Some(contract),
                _ => None,
            })
            .collect();
        if contracts.is_empty() {
            return;
        }
        let outer = (self.ast, std::mem::take(&mut self.scope.streams));
        let visible = node.inputs.len() + node.outputs.len();
        let names = result.streams[..visible].iter().enumerate().rev();
        let names = names.map(|(i, stream)| (stream.name.clone(), StreamId(i as u32))).collect();
        let mut frames = vec![Frame {
            exprs: self.ast,
            items: contracts.iter().flat_map(|contract| &contract.items).collect(),
            prefix: String::new(),
            names,
            hides_flows: node.gaps.hides_flows() || contracts.iter().any(|c| c.incomplete),
            path: Vec::new(),
            imports: Vec::new(),
            parameters: Vec::new(),
        }];
        let mut next = 0;
        while next < frames.len() {
            self.declare_frame(result, &mut frames, next, ast);
            next += 1;
        }
        self.qualify_modes(&mut frames);
        let mut modes = Vec::new();
        for i in 0..frames.len() {
            self.resolve_frame(result, &frames, i, &mut modes);
        }
        if let [first, ..] = modes[..]
            && !node.imported
        {
            self.one_mode(result, &modes, first);
        }
        (self.ast, self.scope.streams) = outer;
        self.scope.hides_flows = node.gaps.hides_flows();
        self.no_present_outputs(result);
    }

    /// Adds a flow that only contracts see.
    fn ghost(&mut self, result: &mut Node, name: String, ty: Option<Type>, span: Span) -> StreamId {
        let id = StreamId(result.streams.len() as u32);
        result.streams.push(Stream {
            name: name.into(),
            ty: ty.clone().unwrap_or(Type::Bool),
            span,
            kind: StreamKind::Local,
            definition: None,
        });
        self.scope.types.push(ty);
        id
    }

    /// Declares the flows of a frame, and the frames of what it imports.
    fn declare_frame(
        &mut self,
        result: &mut Node,
        frames: &mut Vec<Frame<'a>>,
        at: usize,
        ast: &'a ast::Program,
    ) {
        self.ast = frames[at].exprs;
        for item in frames[at].items.clone() {
            let prefix = frames[at].prefix.clone();
            match item {
                ContractItem::Ghost(ghost) => {
                    for (i, name) in ghost.names.iter().enumerate() {
                        // The type of what has none is that of its value, which is
                        // resolved later.
                        let ty = ghost.types.get(i).and_then(|ty| self.ty(ty));
                        self.check_fresh(&frames[at], name);
                        let full = format!("{prefix}{}", name.name);
                        let id = self.ghost(result, full, ty, name.span);
                        frames[at].names.insert(name.name.clone(), id);
                    }
                }
                ContractItem::Mode(mode) => {
                    let name = format!("::{}", mode.name.name);
                    let shown = format!("{prefix}{name}");
                    let id = self.ghost(result, shown, Some(Type::Bool), mode.name.span);
                    if frames[at].names.insert(name.into(), id).is_some() {
                        let message = format!("the mode `{}` is declared twice", mode.name.name);
                        self.push(Diagnostic::error(Code::Duplicate, mode.name.span, message));
                    }
                }
                ContractItem::Import(import) => {
                    let found = self.find_contract(&frames[at], import, ast);
                    let frame = found.map(|(exprs, declaration)| {
                        self.import_frame(result, &frames[at], exprs, declaration)
                    });
                    let position = frame.is_some().then_some(frames.len());
                    // Its modes are not known.
                    frames[at].hides_flows |= frame.is_none();
                    frames[at].imports.push(position);
                    frames.extend(frame);
                    self.ast = frames[at].exprs;
                }
                ContractItem::Assume(_) | ContractItem::Guarantee(_) => {}
            }
        }
    }

    fn check_fresh(&mut self, frame: &Frame<'_>, name: &ast::Ident) {
        if frame.names.contains_key(&name.name) {
            let message = format!("the contract has another flow `{}`", name.name);
            self.push(Diagnostic::error(Code::Duplicate, name.span, message));
        }
    }

    /// The contract that an import means.
    fn find_contract(
        &mut self,
        frame: &Frame<'a>,
        import: &ast::Import,
        ast: &'a ast::Program,
    ) -> Option<(&'a ast::Exprs, &'a ContractDeclaration)> {
        let name = &import.contract;
        let known = ast.declarations().filter_map(|(tree, declaration)| match declaration {
            Declaration::Contract(contract) => Some((&tree.exprs, contract)),
            _ => None,
        });
        let known: Vec<(&ast::Exprs, &ContractDeclaration)> = known.collect();
        let found = known.iter().find(|(_, contract)| contract.name.name == name.name);
        let Some(&(exprs, contract)) = found else {
            if self.env.hidden.hides_node(&name.name) {
                return None;
            }
            let message = format!("there is no contract `{}`", name.name);
            let mut diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
            if let Some(meant) = similar(&name.name, known.iter().map(|(_, c)| &*c.name.name)) {
                diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
            }
            self.push(diagnostic);
            return None;
        };
        if frame.path.contains(&name.name) {
            let message = format!("the contract `{}` imports itself", name.name);
            self.push(Diagnostic::error(Code::Recursion, name.span, message));
            return None;
        }
        let sides = [
            ("input", import.inputs.len(), contract.inputs.len()),
            ("output", import.outputs.len(), contract.outputs.len()),
        ];
        for (what, have, want) in sides {
            // A list of several values may stand for one of them.
            if have > want && !contract.incomplete {
                let message =
                    format!("the contract `{}` has {}, {have} given", name.name, count(want, what));
                let diagnostic = Diagnostic::error(Code::Arity, import.span, message);
                self.push(diagnostic.also(contract.name.span, "declared here"));
                return None;
            }
        }
        (!contract.incomplete).then_some((exprs, contract))
    }

    /// A frame with a flow for each input and output of an imported contract.
    fn import_frame(
        &mut self,
        result: &mut Node,
        importer: &Frame<'a>,
        exprs: &'a ast::Exprs,
        contract: &'a ContractDeclaration,
    ) -> Frame<'a> {
        self.ast = exprs;
        let mut path = importer.path.clone();
        path.push(contract.name.name.clone());
        let prefix = format!("{}{}.", importer.prefix, contract.name.name);
        let (mut names, mut parameters) = (FxHashMap::default(), Vec::new());
        for variable in contract.inputs.iter().chain(&contract.outputs) {
            let ty = self.ty(&variable.ty);
            let shown = format!("{prefix}{}", variable.name.name);
            let id = self.ghost(result, shown, ty, variable.name.span);
            names.insert(variable.name.name.clone(), id);
            parameters.push(id);
        }
        let items = contract.contract.items.iter().collect();
        let hides_flows = contract.contract.incomplete;
        Frame { exprs, items, prefix, names, hides_flows, path, imports: Vec::new(), parameters }
    }

    /// Lets each frame name the modes of what it imports: `::contract::mode`.
    fn qualify_modes(&mut self, frames: &mut [Frame<'_>]) {
        for at in (0..frames.len()).rev() {
            let mut found = Vec::new();
            for import in frames[at].imports.iter().flatten() {
                let Frame { path, names, .. } = &frames[*import];
                let Some(contract) = path.last() else { continue };
                let modes = names.iter().filter(|(name, _)| name.starts_with("::"));
                found.extend(modes.map(|(name, id)| (format!("::{contract}{name}"), *id)));
            }
            for (name, id) in found {
                frames[at].names.entry(name.into()).or_insert(id);
            }
        }
    }

    fn resolve_frame(
        &mut self,
        result: &mut Node,
        frames: &[Frame<'a>],
        at: usize,
        modes: &mut Vec<StreamId>,
    ) {
        let frame = &frames[at];
        self.ast = frame.exprs;
        self.scope.streams = frame.names.clone();
        self.scope.hides_flows = frame.hides_flows;
        let mut imports = frame.imports.iter();
        for item in &frame.items {
            match item {
                ContractItem::Ghost(ghost) => self.define_ghost(result, frame, ghost),
                ContractItem::Assume(claim) => {
                    self.clause(result, frame, ClauseKind::Assume, claim, "an assumption");
                }
                ContractItem::Guarantee(claim) => {
                    self.clause(result, frame, ClauseKind::Guarantee, claim, "a guarantee");
                }
                ContractItem::Mode(mode) => modes.extend(self.mode(result, frame, mode)),
                ContractItem::Import(import) => {
                    if let Some(Some(inner)) = imports.next() {
                        self.bind(result, import, &frames[*inner].parameters);
                    }
                }
            }
        }
    }

    fn define_ghost(&mut self, result: &mut Node, frame: &Frame<'_>, ghost: &ast::Ghost) {
        let Some(values) = self.expr(ghost.value) else { return };
        if values.len() != ghost.names.len() {
            let (names, values) = (count(ghost.names.len(), "flow"), count(values.len(), "value"));
            let message = format!("this defines {names} by {values}");
            self.push(Diagnostic::error(Code::Arity, ghost.span, message));
            return;
        }
        for (name, value) in ghost.names.iter().zip(values) {
            let id = frame.names[&name.name];
            if ghost.types.is_empty() {
                let ty = self.scope.exprs[value].ty.clone();
                result.streams[id.index()].ty = ty.clone();
                self.scope.types[id.index()] = Some(ty);
            }
            if self.fits(result, id, name, value) {
                result.streams[id.index()].definition = Some(value);
            }
        }
    }

    /// Defines the flows of an imported contract by what they are here.
    fn bind(&mut self, result: &mut Node, import: &ast::Import, parameters: &[StreamId]) {
        let actual: Option<Vec<Vec<ExprId>>> =
            import.inputs.iter().chain(&import.outputs).map(|id| self.expr(*id)).collect();
        let Some(actual) = actual.map(|parts| parts.concat()) else { return };
        if actual.len() != parameters.len() {
            let (want, have) = (count(parameters.len(), "flow"), actual.len());
            let message =
                format!("the contract `{}` has {want}, {have} given", import.contract.name);
            self.push(Diagnostic::error(Code::Arity, import.span, message));
            return;
        }
        for (id, value) in parameters.iter().zip(actual) {
            let name = ast::Ident {
                name: result.stream(*id).name.clone(),
                span: self.scope.exprs[value].span,
            };
            if self.fits(result, *id, &name, value) {
                result.streams[id.index()].definition = Some(value);
            }
        }
    }

    fn clause(
        &mut self,
        result: &mut Node,
        frame: &Frame<'_>,
        kind: ClauseKind,
        claim: &Claim,
        what: &str,
    ) {
        let Some(expr) = self.boolean(claim.expr, what) else { return };
        let named = claim.name.as_ref().map(|name| format!("{}{}", frame.prefix, name.name));
        let name = self.claim_name(result, named, expr, claim.span);
        result.clauses.push(Clause { kind, name, expr, span: claim.span });
    }

    /// The condition of a mode, and what it ensures.
    fn mode(&mut self, result: &mut Node, frame: &Frame<'_>, mode: &ast::Mode) -> Option<StreamId> {
        let requires = self.all_of(&mode.requires, "a requirement");
        let ensures = self.all_of(&mode.ensures, "what a mode ensures");
        let (requires, ensures) = (requires?, ensures?);
        let condition = frame.names[&*format!("::{}", mode.name.name)];
        result.streams[condition.index()].definition = Some(self.conjunction(&requires, mode.span));
        if !ensures.is_empty() {
            let active = self.push_bool(ExprKind::Stream(condition), mode.span);
            let all = self.conjunction(&ensures, mode.span);
            let expr = self.push_bool(ExprKind::Binary(BinaryOp::Implies, active, all), mode.span);
            let named = Some(format!("{}{}", frame.prefix, mode.name.name));
            let name = self.claim_name(result, named, expr, mode.span);
            let (kind, span) = (ClauseKind::Mode, mode.span);
            result.clauses.push(Clause { kind, name, expr, span });
        }
        Some(condition)
    }

    fn all_of(&mut self, claims: &[Claim], what: &str) -> Option<Vec<ExprId>> {
        let found: Vec<Option<ExprId>> =
            claims.iter().map(|claim| self.boolean(claim.expr, what)).collect();
        found.into_iter().collect()
    }

    fn push_bool(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.scope.exprs.push(kind, Type::Bool, span)
    }

    fn conjunction(&mut self, list: &[ExprId], span: Span) -> ExprId {
        let Some((first, others)) = list.split_first() else {
            return self.push_bool(ExprKind::Bool(true), span);
        };
        others.iter().fold(*first, |all, one| {
            self.push_bool(ExprKind::Binary(BinaryOp::And, all, *one), span)
        })
    }

    /// That some mode applies at every step.
    fn one_mode(&mut self, result: &mut Node, modes: &[StreamId], first: StreamId) {
        let span = result.stream(first).span;
        let mut any = self.push_bool(ExprKind::Stream(first), span);
        for mode in &modes[1..] {
            let mode = self.push_bool(ExprKind::Stream(*mode), span);
            any = self.push_bool(ExprKind::Binary(BinaryOp::Or, any, mode), span);
        }
        let name = self.claim_name(result, Some("one mode active".into()), any, span);
        result.clauses.push(Clause { kind: ClauseKind::OneMode, name, expr: any, span });
    }

    /// What the environment and callers owe may not depend on what the node makes
    /// of it at the same step.
    fn no_present_outputs(&mut self, result: &Node) {
        let conditions = result.streams.iter().filter(|s| s.name.contains("::"));
        let conditions = conditions.filter_map(|s| Some((s.definition?, s.span)));
        let assumed = result.clauses.iter().filter(|c| c.kind == ClauseKind::Assume);
        let roots: Vec<(ExprId, Span)> =
            assumed.map(|clause| (clause.expr, clause.span)).chain(conditions).collect();
        for (root, span) in roots {
            if let Some(output) = self.present_output(result, root) {
                let message = format!(
                    "this depends on the output `{}` at the same step",
                    result.stream(output).name
                );
                let help =
                    "assumptions and requirements are about inputs and the past: write `pre`";
                self.push(
                    Diagnostic::error(Code::Causality, span, message)
                        .also(result.stream(output).span, "the output")
                        .help(help),
                );
            }
        }
    }

    /// An output of the node that an expression depends on at the same step, through
    /// the flows of contracts and calls in them.
    fn present_output(&self, result: &Node, root: ExprId) -> Option<StreamId> {
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            for id in self.scope.exprs.present_closure([id]) {
                if !seen.insert(id) {
                    continue;
                }
                match &self.scope.exprs[id].kind {
                    ExprKind::Stream(stream) => match result.stream(*stream) {
                        flow if flow.kind == StreamKind::Output => return Some(*stream),
                        flow => stack.extend(flow.definition),
                    },
                    ExprKind::Output(call, _) => {
                        stack.extend(&self.scope.calls[call.index()].args);
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// Makes the assumptions of a node constraints of its environment, where it is the
    /// one that is checked.
    pub(super) fn assume(&mut self, result: &mut Node) {
        let assumed = result.clauses.iter().filter(|c| c.kind == ClauseKind::Assume);
        let given = assumed.map(|c| Assertion { expr: c.expr, span: c.span, given: true });
        result.asserts.extend(given.collect::<Vec<_>>());
    }

    /// A node without a body: its outputs are whatever its contract allows. At a step
    /// what it guarantees holds if what it assumes has held at all its steps so far, the
    /// present one included; beyond that nothing is known.
    pub(super) fn known_by_contract(&mut self, result: &mut Node) {
        for output in result.output_ids() {
            let Stream { ty, span, .. } = result.stream(output).clone();
            let any = self.scope.exprs.push(ExprKind::Any, ty, span);
            result.streams[output.index()].definition = Some(any);
        }
        let of = |kinds: &[ClauseKind], result: &Node| -> Vec<(ExprId, Span)> {
            let wanted = result.clauses.iter().filter(|c| kinds.contains(&c.kind));
            wanted.map(|clause| (clause.expr, clause.span)).collect()
        };
        let assumed = of(&[ClauseKind::Assume], result);
        let known = of(&[ClauseKind::Guarantee, ClauseKind::Mode], result);
        if known.is_empty() {
            return;
        }
        let kept = (!assumed.is_empty()).then(|| self.so_far(result, &assumed));
        for (expr, span) in known {
            let expr = match kept {
                None => expr,
                Some(kept) => {
                    let kept = self.push_bool(ExprKind::Stream(kept), span);
                    self.push_bool(ExprKind::Binary(BinaryOp::Implies, kept, expr), span)
                }
            };
            result.asserts.push(Assertion { expr, given: false, span });
        }
    }

    /// A flow that is true as long as some conditions have held at all steps.
    fn so_far(&mut self, result: &mut Node, conditions: &[(ExprId, Span)]) -> StreamId {
        let span = result.span;
        let flow = self.ghost(result, "(assumptions so far)".into(), Some(Type::Bool), span);
        let conditions: Vec<ExprId> = conditions.iter().map(|(expr, _)| *expr).collect();
        let now = self.conjunction(&conditions, span);
        let itself = self.push_bool(ExprKind::Stream(flow), span);
        let before = self.push_bool(ExprKind::Pre(itself), span);
        let yes = self.push_bool(ExprKind::Bool(true), span);
        let before = self.push_bool(ExprKind::Arrow(yes, before), span);
        let all = self.push_bool(ExprKind::Binary(BinaryOp::And, now, before), span);
        result.streams[flow.index()].definition = Some(all);
        flow
    }
}
