//! Where the names of declarations stand in a tree: those that are declared, those that are
//! mentioned, with what each may be, and those of flows, which hide others.
//!
//! What is mentioned is what `mentions.rs` says; here the names can be changed.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ast::{
    Block, BlockKind, Case, ConstDeclaration, Contract, ContractItem, Declaration, ExprId,
    ExprKind, Exprs, Ident, Item, Operator, Pattern, Sampling, Selector, StaticArgument,
    StaticParameter, Type, TypeKind, Variable,
};
use crate::mentions::Kind;
use crate::source::Span;

/// What is told of each name: what it may be, the name, where it stands.
pub(super) type Visitor<'v> = dyn FnMut(&[Kind], &mut Arc<str>, Span) + 'v;

/// The names that a declaration declares.
pub(super) fn names_of(declaration: &mut Declaration) -> Vec<(Kind, &mut Ident)> {
    match declaration {
        Declaration::Type(d) => {
            let mut names = vec![(Kind::Type, &mut d.name)];
            match &mut d.definition.kind {
                TypeKind::Enum(list) => names.extend(list.iter_mut().map(|v| (Kind::Value, v))),
                TypeKind::Data(list) => {
                    names.extend(list.iter_mut().map(|c| (Kind::Value, &mut c.name)));
                }
                _ => {}
            }
            names
        }
        Declaration::Const(d) => vec![(Kind::Value, &mut d.name)],
        Declaration::Node(d) => vec![(Kind::Node, &mut d.name)],
        Declaration::Contract(d) => vec![(Kind::Contract, &mut d.name)],
    }
}

/// The names that hide those of packages in a declaration.
#[derive(Default)]
pub(super) struct Flows {
    values: FxHashSet<Arc<str>>,
    types: FxHashSet<Arc<str>>,
    nodes: FxHashSet<Arc<str>>,
    /// Those that hide them in a part of it only.
    pub inner: FxHashSet<Arc<str>>,
}

impl Flows {
    pub fn hide(&self, kind: Kind, name: &str) -> bool {
        match kind {
            Kind::Value => self.values.contains(name),
            Kind::Type => self.types.contains(name),
            Kind::Node => self.nodes.contains(name),
            Kind::Contract => false,
        }
    }

    pub fn declared(&mut self, declaration: &Declaration) {
        let parameters = declaration.type_parameters();
        self.types.extend(parameters.iter().map(|parameter| parameter.name.clone()));
        let (inputs, outputs) = match declaration {
            Declaration::Node(d) => (&d.inputs, &d.outputs),
            Declaration::Contract(d) => {
                self.contract(&d.contract);
                (&d.inputs, &d.outputs)
            }
            _ => return,
        };
        self.values.extend(inputs.iter().chain(outputs).map(|flow| flow.name.name.clone()));
        let Declaration::Node(node) = declaration else { return };
        self.values.extend(node.locals.iter().map(|flow| flow.name.name.clone()));
        self.values.extend(node.constants.iter().map(|constant| constant.name.name.clone()));
        for parameter in &node.statics {
            let name = parameter.name().name.clone();
            match parameter {
                StaticParameter::Const(_) => self.values.insert(name),
                StaticParameter::Type(_) => self.types.insert(name),
                StaticParameter::Node(_) => self.nodes.insert(name),
            };
        }
        node.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Equation(equation) => {
                self.inner.extend(equation.indices.iter().map(|index| index.name.clone()));
            }
            Item::Contract(contract) => self.contract(contract),
            Item::Block(block) => {
                for (locals, items) in block.kind.parts() {
                    self.inner.extend(locals.iter().map(|local| local.name.name.clone()));
                    items.iter().for_each(|item| self.item(item));
                }
            }
            _ => {}
        }
    }

    fn contract(&mut self, contract: &Contract) {
        for item in &contract.items {
            if let ContractItem::Ghost(ghost) = item {
                self.inner.extend(ghost.names.iter().map(|name| name.name.clone()));
            }
        }
    }

    /// What an expression declares.
    pub fn bound(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Quantified(_, variables, _) => {
                self.inner.extend(variables.iter().map(|variable| variable.name.name.clone()));
            }
            ExprKind::Match(_, _, arms) => arms.iter().for_each(|(arm, _)| self.pattern(arm)),
            _ => {}
        }
    }

    /// Names inside of a pattern are rather new ones than values.
    fn pattern(&mut self, pattern: &Pattern) {
        let Pattern::Fields(_, fields) = pattern else { return };
        for field in fields {
            if let Pattern::Name(name) = field {
                self.inner.insert(name.name.clone());
            }
            self.pattern(field);
        }
    }
}

/// The names in a declaration, but for those in its expressions.
pub(super) fn declaration(declaration: &mut Declaration, to: &mut Visitor<'_>) {
    match declaration {
        Declaration::Type(d) => ty(&mut d.definition, to),
        Declaration::Const(d) => constant(d, to),
        Declaration::Contract(d) => {
            d.inputs.iter_mut().chain(&mut d.outputs).for_each(|flow| variable(flow, to));
            contract(&mut d.contract, to);
        }
        Declaration::Node(d) => {
            for flow in d.inputs.iter_mut().chain(&mut d.outputs).chain(&mut d.locals) {
                variable(flow, to);
            }
            d.constants.iter_mut().for_each(|known| constant(known, to));
            for parameter in &mut d.statics {
                match parameter {
                    StaticParameter::Const(known) => variable(known, to),
                    StaticParameter::Type(_) => {}
                    StaticParameter::Node(node) => {
                        let flows = node.inputs.iter_mut().chain(&mut node.outputs);
                        flows.for_each(|flow| variable(flow, to));
                    }
                }
            }
            d.alias.iter_mut().for_each(|other| operator(other, to));
            d.items.iter_mut().for_each(|part| item(part, to));
        }
    }
}

fn constant(constant: &mut ConstDeclaration, to: &mut Visitor<'_>) {
    constant.ty.iter_mut().for_each(|known| ty(known, to));
}

fn contract(contract: &mut Contract, to: &mut Visitor<'_>) {
    for item in &mut contract.items {
        match item {
            ContractItem::Ghost(ghost) => ghost.types.iter_mut().for_each(|known| ty(known, to)),
            ContractItem::Import(import) => {
                import.types.iter_mut().for_each(|known| ty(known, to));
                ident(&[Kind::Contract], &mut import.contract, to);
            }
            _ => {}
        }
    }
}

fn item(item: &mut Item, to: &mut Visitor<'_>) {
    match item {
        Item::Contract(said) => contract(said, to),
        Item::Block(block) => parts(block, to),
        _ => {}
    }
}

/// Blocks are nested at most so deep that this may recurse.
fn parts(block: &mut Block, to: &mut Visitor<'_>) {
    let mut part = |locals: &mut [Variable], items: &mut [Item]| {
        locals.iter_mut().for_each(|local| variable(local, to));
        items.iter_mut().for_each(|inside| item(inside, to));
    };
    match &mut block.kind {
        BlockKind::Conditional(choice) => {
            let branches = choice.branches.iter_mut().map(|branch| &mut branch.part);
            for one in branches.chain(&mut choice.otherwise) {
                part(&mut one.locals, &mut one.items);
            }
        }
        BlockKind::Frame(frame) => part(&mut [], &mut frame.items),
        BlockKind::Switch(switch) => {
            switch.cases.iter_mut().for_each(|(_, one)| part(&mut one.locals, &mut one.items));
        }
        BlockKind::Automaton(automaton) => {
            let states = automaton.states.iter_mut().map(|state| &mut state.part);
            states.for_each(|one| part(&mut one.locals, &mut one.items));
        }
        BlockKind::Reset(items, _) => part(&mut [], items),
        BlockKind::Local(one) => part(&mut one.locals, &mut one.items),
    }
}

fn variable(variable: &mut Variable, to: &mut Visitor<'_>) {
    ty(&mut variable.ty, to);
    variable.clock.iter_mut().for_each(|clock| sampling(clock, to));
}

fn ident(kinds: &[Kind], name: &mut Ident, to: &mut Visitor<'_>) {
    to(kinds, &mut name.name, name.span);
}

fn sampling(sampling: &mut Sampling, to: &mut Visitor<'_>) {
    case(&mut sampling.case, to);
}

fn case(case: &mut Case, to: &mut Visitor<'_>) {
    if let Case::Value(value) = case {
        ident(&[Kind::Value], value, to);
    }
}

fn operator(operator: &mut Operator, to: &mut Visitor<'_>) {
    ident(&[Kind::Node], &mut operator.name, to);
    operator.arguments.iter_mut().for_each(|one| argument(one, to));
}

fn argument(argument: &mut StaticArgument, to: &mut Visitor<'_>) {
    match argument {
        // The expression is the name as a constant.
        StaticArgument::Name(name, _) => {
            ident(&[Kind::Value, Kind::Type, Kind::Node], name, to);
        }
        StaticArgument::Const(_) => {}
        StaticArgument::Type(known) => ty(known, to),
        StaticArgument::Operator(other) => operator(other, to),
    }
}

fn ty(known: &mut Type, to: &mut Visitor<'_>) {
    match &mut known.kind {
        TypeKind::Named(name) => to(&[Kind::Type], name, known.span),
        TypeKind::Applied(name, types) => {
            ident(&[Kind::Type], name, to);
            types.iter_mut().for_each(|part| ty(part, to));
        }
        TypeKind::Data(constructors) => {
            let fields = constructors.iter_mut().flat_map(|constructor| &mut constructor.fields);
            fields.for_each(|field| variable(field, to));
        }
        TypeKind::Record(fields) => fields.iter_mut().for_each(|field| variable(field, to)),
        TypeKind::Tuple(types) => types.iter_mut().for_each(|part| ty(part, to)),
        TypeKind::Array(element, _) => ty(element, to),
        TypeKind::Refinement(flow, _) => variable(flow, to),
        _ => {}
    }
}

/// The names in one expression, but for those in its operands.
pub(super) fn expression(exprs: &mut Exprs, id: ExprId, to: &mut Visitor<'_>) {
    let (types, arguments) = exprs.arguments_mut(id);
    types.iter_mut().for_each(|known| ty(known, to));
    arguments.iter_mut().for_each(|one| argument(one, to));
    let expr = exprs.expr_mut(id);
    match &mut expr.kind {
        ExprKind::Name(name) => to(&[Kind::Value], name, expr.span),
        ExprKind::Call(name, _) => ident(&[Kind::Node, Kind::Value], name, to),
        ExprKind::Tester(name, _) => ident(&[Kind::Value], name, to),
        ExprKind::Record(name, _) => ident(&[Kind::Type], name, to),
        ExprKind::Ascribed(_, known) | ExprKind::Arbitrary(_, known) => ty(known, to),
        ExprKind::Quantified(_, variables, _) => {
            variables.iter_mut().for_each(|bound| variable(bound, to));
        }
        // An index, or a field, whose name is no constant of the package then.
        ExprKind::Update(_, _, changes) => {
            for (selector, _) in changes {
                if let Selector::Name(name) = selector {
                    ident(&[Kind::Value], name, to);
                }
            }
        }
        ExprKind::When(_, when) => sampling(when, to),
        ExprKind::Merge(_, branches) => branches.iter_mut().for_each(|(of, _)| case(of, to)),
        ExprKind::Match(_, _, arms) => arms.iter_mut().for_each(|(arm, _)| pattern(arm, to)),
        _ => {}
    }
}

fn pattern(found: &mut Pattern, to: &mut Visitor<'_>) {
    match found {
        Pattern::Any(_) => {}
        Pattern::Name(name) => ident(&[Kind::Value], name, to),
        Pattern::Fields(name, fields) => {
            ident(&[Kind::Value], name, to);
            fields.iter_mut().for_each(|field| pattern(field, to));
        }
    }
}
