//! Contracts of nodes: ghost flows, assumptions, guarantees, modes, and imported
//! contract nodes, which are expanded like macros with flows of their own.
//!
//! A contract is resolved in *frames*: one for the contract of the node itself and
//! one for each contract that is imported, directly or not. First every frame
//! declares its flows (ghosts, conditions of modes, inputs and outputs of the
//! imported contract), so that names may be used before their declaration; then every
//! frame is resolved against its own names. All of them are flows of the node.

use std::sync::Arc;

use lustral_syntax::ast::{self, ContractItem, Declaration, Item, NodeDeclaration};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Span, ast::ContractDeclaration};
use rustc_hash::FxHashMap;

use super::expressions::count;
use super::ghosts::NO_FLOW_YET;
use super::local_constants::{Constants, Early};
use super::scope::{Binding, flow_names};
use super::{Resolver, TypeArguments, duplicate, similar};
use crate::program::{Clause, ClauseKind, ExprId, Meaning, Node, StreamId, StreamKind};
use crate::types::Type;

/// How many contracts one may import, directly or not.
const MOST_IMPORTS: usize = 10_000;

/// A contract with the names that can be used in it.
pub(super) struct Frame<'a> {
    exprs: &'a ast::Exprs,
    items: Vec<&'a ContractItem>,
    /// What its names begin with in reports: empty for the node's own contract.
    pub(super) prefix: String,
    pub(super) names: FxHashMap<Arc<str>, StreamId>,
    /// Some of the contract could not be read: a name may be one of its flows.
    hides_flows: bool,
    /// The contracts that lead here, for cycles.
    path: Vec<Arc<str>>,
    /// The frame of each import among the items, in order; none where it has an
    /// error.
    imports: Vec<Option<usize>>,
    /// The flows that stand for the inputs and outputs of the contract.
    parameters: Vec<StreamId>,
    /// What is imported; none for the contract of the node itself.
    declaration: Option<&'a ContractDeclaration>,
    /// What the names of its type parameters stand for.
    types: TypeArguments,
    /// What its names stand for that are known before the program runs.
    constants: Constants,
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
        let types = self.type_arguments.clone();
        let visible = result.inputs + result.outputs;
        let names = flow_names(&result.streams[..visible]);
        self.scope.unseen =
            outer.1.keys().filter(|name| !names.contains_key(*name)).cloned().collect();
        let mut frames = vec![Frame {
            exprs: self.ast,
            items: contracts.iter().flat_map(|contract| &contract.items).collect(),
            prefix: String::new(),
            names,
            hides_flows: node.gaps.hides_flows() || contracts.iter().any(|c| c.incomplete),
            path: Vec::new(),
            imports: Vec::new(),
            parameters: Vec::new(),
            declaration: None,
            types: self.type_arguments.clone(),
            constants: Constants::default(),
        }];
        // Local constants are no part of a contract.
        let local = |b: &Binding| match b.meaning {
            Meaning::Stream(id) => result.stream(id).kind == StreamKind::Local,
            _ => false,
        };
        let outside = Constants {
            bindings: self.scope.bindings.clone(),
            parameters: self.scope.parameters.clone(),
        };
        // The constant inputs of the node have no part in what it imports.
        frames[0].constants = outside.clone();
        frames[0].constants.bindings.retain(|binding| !local(binding));
        let mut next = 0;
        while next < frames.len() {
            self.declare_frame(result, &mut frames, next, ast);
            next += 1;
        }
        self.qualify_modes(&mut frames);
        // What has no type gets that of its value, which others may need.
        for frame in &frames {
            self.enter(frame);
            for item in &frame.items {
                if let ContractItem::Ghost(ghost) = item
                    && ghost.types.is_empty()
                {
                    self.define_ghost(result, frame, ghost);
                }
            }
        }
        for i in 0..frames.len() {
            self.resolve_frame(result, &frames, i);
        }
        outside.enter(&mut self.scope);
        if !node.imported {
            self.one_mode(result);
            self.modes_occur(result);
        }
        (self.ast, self.scope.streams) = outer;
        self.scope.unseen.clear();
        self.type_arguments = types;
        self.scope.hides_flows = node.gaps.hides_flows();
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
        self.type_arguments = frames[at].types.clone();
        frames[at].constants.enter(&mut self.scope);
        // All of them hide constants in the types of the others.
        self.scope.streams = frames[at].names.clone();
        self.hide_ghosts(frames[at].items.iter().copied());
        let items = frames[at].items.clone();
        // The types of the others may be made of its constants.
        let constants = items.iter().filter_map(|item| match item {
            ContractItem::Ghost(ghost) if ghost.constant => Some(ghost),
            _ => None,
        });
        let constants: Vec<&ast::Ghost> = constants.collect();
        self.declare_constants(result, &mut frames[at], &constants);
        for item in items {
            let prefix = frames[at].prefix.clone();
            match item {
                ContractItem::Ghost(ghost) if ghost.constant => {}
                ContractItem::Ghost(ghost) => self.declare_ghost(result, &mut frames[at], ghost),
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
                    let mut found = self.find_contract(&frames[at], import, ast);
                    if found.is_some() && frames.len() >= MOST_IMPORTS {
                        let message = format!("a contract imports at most {MOST_IMPORTS} others");
                        self.push(Diagnostic::error(Code::Recursion, import.span, message));
                        found = None;
                    }
                    let frame = found.and_then(|found| {
                        let types = self.types_of_import(&frames[at].names, import, found)?;
                        Some(self.import_frame(result, (&frames[at], import), found, types))
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
        frames[at].constants.clone_from(&Constants {
            bindings: std::mem::take(&mut self.scope.bindings),
            parameters: std::mem::take(&mut self.scope.parameters),
        });
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
        let same = known.iter().filter(|(_, contract)| contract.name.name == name.name);
        if let Some((_, second)) = same.clone().nth(1) {
            let (span, first) = (second.name.span, contract.name.span);
            self.push(duplicate("contract", &name.name, span, first));
            return None;
        }
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
        (importer, import): (&Frame<'a>, &'a ast::Import),
        (exprs, contract): (&'a ast::Exprs, &'a ContractDeclaration),
        types: TypeArguments,
    ) -> Frame<'a> {
        // What its constant inputs are is written in the contract that imports it.
        let given = contract.inputs.iter().zip(&import.inputs).map(|(input, value)| {
            let is_constant = input.constant && import.inputs.len() == contract.inputs.len();
            is_constant.then(|| self.early(*value))
        });
        let given: Vec<Option<Early>> = given.collect();
        self.ast = exprs;
        self.type_arguments = types.clone();
        let own =
            (std::mem::take(&mut self.scope.bindings), std::mem::take(&mut self.scope.parameters));
        let mut given = given.into_iter();
        let mut path = importer.path.clone();
        path.push(contract.name.name.clone());
        let prefix = format!("{}{}.", importer.prefix, name_of_import(importer, import));
        let (mut names, mut parameters) = (FxHashMap::default(), Vec::new());
        let interface = contract.inputs.iter().chain(&contract.outputs);
        let hiding = interface.map(|variable| (variable.name.name.clone(), NO_FLOW_YET)).collect();
        let around = std::mem::replace(&mut self.scope.streams, hiding);
        for variable in contract.inputs.iter().chain(&contract.outputs) {
            let ty = self.ty(&variable.ty);
            let shown = format!("{prefix}{}", variable.name.name);
            let id = self.ghost(result, shown, ty.clone(), variable.name.span);
            if let Some(value) = given.next().flatten() {
                // One that is not known is said where it is given.
                let is_known = value.is_known();
                let ty = self.stands_for_value(&variable.name.name, Some(ty), value, id);
                self.scope.types[id.index()] = ty.filter(|_| is_known);
            }
            if names.insert(variable.name.name.clone(), id).is_some() {
                let name = &variable.name;
                self.push(duplicate("flow", &name.name, name.span, contract.name.span));
            }
            parameters.push(id);
        }
        let constants = Constants {
            bindings: std::mem::replace(&mut self.scope.bindings, own.0),
            parameters: std::mem::replace(&mut self.scope.parameters, own.1),
        };
        self.scope.streams = around;
        self.type_arguments = importer.types.clone();
        let items = contract.contract.items.iter().collect();
        let hides_flows = contract.contract.incomplete;
        let (imports, declaration) = (Vec::new(), Some(contract));
        Frame {
            exprs,
            items,
            prefix,
            names,
            hides_flows,
            path,
            imports,
            parameters,
            declaration,
            types,
            constants,
        }
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

    fn resolve_frame(&mut self, result: &mut Node, frames: &[Frame<'a>], at: usize) {
        let frame = &frames[at];
        self.enter(frame);
        self.interface_conditions(result, frame);
        let mut imports = frame.imports.iter();
        for item in &frame.items {
            match item {
                ContractItem::Ghost(ghost) if ghost.types.is_empty() => {}
                ContractItem::Ghost(ghost) => self.define_ghost(result, frame, ghost),
                ContractItem::Assume(claim) => {
                    self.clause(result, frame, ClauseKind::Assume, claim, "an assumption");
                }
                ContractItem::Guarantee(claim) => {
                    self.clause(result, frame, ClauseKind::Guarantee, claim, "a guarantee");
                }
                ContractItem::Mode(mode) => {
                    let mode = self.mode(result, frame, mode);
                    result.modes.extend(mode);
                }
                ContractItem::Import(import) => {
                    if let Some(Some(inner)) = imports.next() {
                        self.bind(result, import, &frames[*inner]);
                    }
                }
            }
        }
    }

    /// What the types of the inputs of a contract say is assumed, and what those of its
    /// outputs say is guaranteed.
    fn interface_conditions(&mut self, result: &mut Node, frame: &Frame<'a>) {
        let Some(declaration) = frame.declaration else { return };
        let inputs = declaration.inputs.iter().map(|v| (ClauseKind::Assume, v));
        let outputs = declaration.outputs.iter().map(|v| (ClauseKind::Guarantee, v));
        for ((kind, variable), id) in inputs.chain(outputs).zip(&frame.parameters) {
            if !self.is_refined(&variable.ty) {
                continue;
            }
            let span = variable.name.span;
            let Some(expr) = self.condition_of(&variable.ty, *id, span) else { continue };
            let named = Some(format!("{}subtype({})", frame.prefix, variable.name.name));
            let name = self.claim_name(result, named, expr, span);
            result.clauses.push(Clause { kind, name, expr, span });
        }
    }

    /// Lets names be those of a frame.
    fn enter(&mut self, frame: &Frame<'a>) {
        self.ast = frame.exprs;
        self.type_arguments = frame.types.clone();
        self.scope.streams = frame.names.clone();
        self.scope.hides_flows = frame.hides_flows;
        frame.constants.enter(&mut self.scope);
    }

    /// Notes that something that a contract says is left out. If nothing else is wrong with
    /// the program, that is: nothing may be dropped silently.
    pub(super) fn left_out(&mut self, span: Span) {
        self.dropped.get_or_insert(span);
    }

    /// Defines the flows of an imported contract by what they are here.
    fn bind(&mut self, result: &mut Node, import: &ast::Import, inner: &Frame<'_>) {
        let parameters = &inner.parameters;
        let actual: Option<Vec<Vec<ExprId>>> =
            import.inputs.iter().chain(&import.outputs).map(|id| self.expr(*id)).collect();
        let Some(actual) = actual.map(|parts| parts.concat()) else {
            return self.left_out(import.span);
        };
        if actual.len() != parameters.len() {
            let (want, have) = (count(parameters.len(), "flow"), actual.len());
            let message =
                format!("the contract `{}` has {want}, {have} given", import.contract.name);
            self.push(Diagnostic::error(Code::Arity, import.span, message));
            return;
        }
        let inputs = inner.declaration.map_or(&[][..], |contract| &contract.inputs);
        for (i, (id, value)) in parameters.iter().zip(actual).enumerate() {
            if inputs.get(i).is_some_and(|input| input.constant) && !self.is_parameter(value) {
                let message = format!("this input of `{}` is a constant", import.contract.name);
                let span = self.scope.exprs[value].span;
                let diagnostic = Diagnostic::error(Code::NotConstant, span, message);
                self.push(diagnostic.label("this is not known before the program runs"));
                continue;
            }
            let name = ast::Ident {
                name: result.stream(*id).name.clone(),
                span: self.scope.exprs[value].span,
            };
            if self.fits(result, *id, &name, value) {
                result.streams[id.index()].definition = Some(value);
            }
        }
    }
}

/// What an import is called in reports: the contract, with a number if there are several of it.
fn name_of_import(importer: &Frame<'_>, import: &ast::Import) -> String {
    let name = &import.contract.name;
    let same = importer.items.iter().filter_map(|item| match item {
        ContractItem::Import(other) if other.contract.name == *name => Some(other.span),
        _ => None,
    });
    let same: Vec<Span> = same.collect();
    match same.iter().position(|span| *span == import.span) {
        Some(position) if same.len() > 1 => format!("{name}[{}]", position + 1),
        _ => name.to_string(),
    }
}
