//! Which declarations mention which, by the names in their texts.
//!
//! Names are looked up by themselves: a name that is also a flow's counts as a
//! mention of both. So there are too many mentions rather than too few.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{
    Case, ConstDeclaration, Contract, ContractItem, Declaration, ExprId, ExprKind, Exprs, Ident,
    Item, NodeDeclaration, Pattern, Program, Property, Sampling, Selector, Static, StaticArgument,
    StaticParameter, Type, TypeKind, Variable,
};

/// The names of one kind do not meet those of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Type,
    Value,
    Node,
    Contract,
}

/// What is declared under which name.
pub(crate) struct Names<'a> {
    by_name: FxHashMap<(Kind, &'a str), usize>,
}

impl<'a> Names<'a> {
    pub fn new(list: &[(&'a Exprs, &'a Declaration)]) -> Names<'a> {
        let mut by_name: FxHashMap<(Kind, &str), usize> = FxHashMap::default();
        for (i, (_, declaration)) in list.iter().enumerate() {
            for (kind, name) in declared(declaration) {
                by_name.entry((kind, name)).or_insert(i);
            }
        }
        Names { by_name }
    }

    /// The declarations of some names, in the order of the names: where a declaration
    /// stands does not matter.
    pub fn find(&self, mentions: &Mentions<'_>) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let found = mentions.found.iter().filter_map(|key| self.by_name.get(key).copied());
        found.filter(|declaration| seen.insert(*declaration)).collect()
    }
}

/// By declaration, those of some targets that it depends on, directly or not, itself
/// included; both by their positions among the declarations of the program.
#[must_use]
pub fn reached(program: &Program, is_target: impl Fn(&Declaration) -> bool) -> Vec<Vec<usize>> {
    let list: Vec<(&Exprs, &Declaration)> =
        program.declarations().map(|(tree, d)| (&tree.exprs, d)).collect();
    let mut found = vec![Vec::new(); list.len()];
    let targets: Vec<usize> = (0..list.len()).filter(|i| is_target(list[*i].1)).collect();
    if targets.is_empty() {
        return found;
    }
    let names = Names::new(&list);
    let mut users = vec![Vec::new(); list.len()];
    for (i, (exprs, declaration)) in list.iter().enumerate() {
        let mut mentions = Mentions::new(exprs);
        mentions.behaviour(declaration);
        mentions.stated(declaration);
        names.find(&mentions).into_iter().for_each(|used| users[used].push(i));
    }
    for target in targets {
        let mut stack = vec![target];
        while let Some(at) = stack.pop() {
            if found[at].last() != Some(&target) {
                found[at].push(target);
                stack.extend(&users[at]);
            }
        }
    }
    found
}

/// The names that a declaration declares.
fn declared(declaration: &Declaration) -> Vec<(Kind, &str)> {
    let name = &*declaration.name().name;
    match declaration {
        Declaration::Type(d) => match &d.definition.kind {
            TypeKind::Enum(values) => {
                let values = values.iter().map(|value| (Kind::Value, &*value.name));
                values.chain([(Kind::Type, name)]).collect()
            }
            TypeKind::Data(constructors) => {
                let values = constructors.iter().map(|c| (Kind::Value, &*c.name.name));
                values.chain([(Kind::Type, name)]).collect()
            }
            _ => vec![(Kind::Type, name)],
        },
        Declaration::Const(_) => vec![(Kind::Value, name)],
        Declaration::Node(_) => vec![(Kind::Node, name)],
        Declaration::Contract(_) => vec![(Kind::Contract, name)],
    }
}

/// The names that declarations of a tree mention.
pub(crate) struct Mentions<'a> {
    exprs: &'a Exprs,
    found: BTreeSet<(Kind, &'a str)>,
    /// The type parameters of the declaration, whose names mean nothing outside.
    parameters: &'a [Ident],
}

impl<'a> Mentions<'a> {
    pub fn new(exprs: &'a Exprs) -> Mentions<'a> {
        Mentions { exprs, found: BTreeSet::new(), parameters: &[] }
    }

    /// What the behaviour depends on.
    pub fn behaviour(&mut self, declaration: &'a Declaration) {
        self.parameters = declaration.type_parameters();
        match declaration {
            Declaration::Type(d) => self.ty(&d.definition),
            Declaration::Const(d) => self.constant(d),
            Declaration::Node(node) => self.node(node),
            Declaration::Contract(d) => {
                d.inputs.iter().chain(&d.outputs).for_each(|variable| self.variable(variable));
                self.contract(&d.contract);
            }
        }
    }

    fn constant(&mut self, constant: &'a ConstDeclaration) {
        constant.ty.iter().for_each(|ty| self.ty(ty));
        constant.value.iter().for_each(|value| self.expr(*value));
    }

    fn contract(&mut self, contract: &'a Contract) {
        for item in &contract.items {
            match item {
                ContractItem::Ghost(ghost) => {
                    ghost.types.iter().for_each(|ty| self.ty(ty));
                    self.expr(ghost.value);
                }
                ContractItem::Assume(claim) | ContractItem::Guarantee(claim) => {
                    self.expr(claim.expr);
                }
                ContractItem::Mode(mode) => {
                    let claims = mode.requires.iter().chain(&mode.ensures);
                    claims.for_each(|claim| self.expr(claim.expr));
                }
                ContractItem::Import(import) => {
                    import.types.iter().for_each(|ty| self.ty(ty));
                    self.found.insert((Kind::Contract, &import.contract.name));
                    import.inputs.iter().chain(&import.outputs).for_each(|id| self.expr(*id));
                }
            }
        }
    }

    fn node(&mut self, node: &'a NodeDeclaration) {
        let variables = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        variables.for_each(|variable| self.variable(variable));
        node.constants.iter().for_each(|constant| self.constant(constant));
        for parameter in &node.statics {
            match parameter {
                StaticParameter::Const(variable) => self.variable(variable),
                StaticParameter::Type(_) => {}
                StaticParameter::Node(node) => {
                    let all = node.inputs.iter().chain(&node.outputs);
                    all.for_each(|variable| self.variable(variable));
                }
            }
        }
        if let Some(operator) = &node.alias {
            self.found.insert((Kind::Node, &operator.name.name));
            let constants = self.statics(&operator.arguments);
            constants.into_iter().for_each(|expr| self.expr(expr));
        }
        node.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &'a Item) {
        match item {
            Item::Equation(equation) => self.expr(equation.right),
            Item::Assert(expr, _) | Item::Last(_, expr, _) => self.expr(*expr),
            Item::Contract(contract) => self.contract(contract),
            Item::Property(_) | Item::Candidate(..) | Item::Main(_) | Item::Realizable(..) => {}
            Item::Block(block) => {
                block.kind.exprs().into_iter().for_each(|expr| self.expr(expr));
                for (locals, items) in block.kind.parts() {
                    locals.iter().for_each(|variable| self.variable(variable));
                    items.iter().for_each(|item| self.item_of_block(item));
                }
            }
        }
    }

    /// What a block states is a part of its text, and so of what the node does.
    fn item_of_block(&mut self, item: &'a Item) {
        if let Item::Property(property) = item {
            self.property(property);
        }
        self.item(item);
    }

    fn property(&mut self, property: &'a Property) {
        self.expr(property.expr);
        property.question.exprs().for_each(|expr| self.expr(expr));
    }

    /// What the properties depend on.
    pub fn stated(&mut self, declaration: &'a Declaration) {
        self.parameters = declaration.type_parameters();
        let Declaration::Node(node) = declaration else { return };
        for item in &node.items {
            if let Item::Property(property) = item {
                self.property(property);
            }
        }
    }

    fn variable(&mut self, variable: &'a Variable) {
        self.ty(&variable.ty);
        variable.clock.iter().for_each(|clock| self.sampling(clock));
    }

    fn sampling(&mut self, sampling: &'a Sampling) {
        for clock in sampling.on.iter().chain([sampling]) {
            self.found.insert((Kind::Value, &clock.flow.name));
            self.case(&clock.case);
        }
    }

    fn case(&mut self, case: &'a Case) {
        if let Case::Value(value) = case {
            self.found.insert((Kind::Value, &value.name));
        }
    }

    fn ty(&mut self, ty: &'a Type) {
        match &ty.kind {
            TypeKind::Named(name) if self.parameters.iter().any(|p| p.name == *name) => {}
            TypeKind::Named(name) => {
                self.found.insert((Kind::Type, name));
            }
            TypeKind::Applied(name, types) => {
                self.found.insert((Kind::Type, &name.name));
                types.iter().for_each(|ty| self.ty(ty));
            }
            TypeKind::Subrange(low, high) => {
                [low, high].into_iter().flatten().for_each(|bound| self.expr(*bound));
            }
            TypeKind::Refinement(variable, condition) => {
                self.ty(&variable.ty);
                self.expr(*condition);
            }
            TypeKind::Record(fields) => fields.iter().for_each(|field| self.ty(&field.ty)),
            TypeKind::Tuple(types) => types.iter().for_each(|ty| self.ty(ty)),
            TypeKind::Data(constructors) => {
                let fields = constructors.iter().flat_map(|c| &c.fields);
                fields.for_each(|field| self.ty(&field.ty));
            }
            TypeKind::Array(element, sizes) => {
                self.ty(element);
                sizes.iter().for_each(|size| self.expr(*size));
            }
            TypeKind::Abstract
            | TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::Enum(_)
            | TypeKind::Machine(_)
            | TypeKind::Error => {}
        }
    }

    /// What static arguments mention; the constants among them are left to the caller.
    fn statics(&mut self, list: &'a [StaticArgument]) -> Vec<ExprId> {
        let mut constants = Vec::new();
        StaticArgument::visit(list, &mut |part| match part {
            Static::Name(name) => {
                let kinds = [Kind::Type, Kind::Value, Kind::Node];
                self.found.extend(kinds.map(|kind| (kind, &*name.name)));
            }
            Static::Operator(name) => {
                self.found.insert((Kind::Node, &name.name));
            }
            Static::Const(expr) => constants.push(expr),
            Static::Type(ty) => self.ty(ty),
        });
        constants
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::Any(_) => {}
            Pattern::Name(name) => {
                self.found.insert((Kind::Value, &name.name));
            }
            Pattern::Fields(name, fields) => {
                self.found.insert((Kind::Value, &name.name));
                fields.iter().for_each(|field| self.pattern(field));
            }
        }
    }

    fn expr(&mut self, root: ExprId) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            match &self.exprs[expr].kind {
                ExprKind::Name(name) => {
                    self.found.insert((Kind::Value, name));
                    self.exprs.type_arguments(expr).iter().for_each(|ty| self.ty(ty));
                }
                ExprKind::Tester(name, _) => {
                    self.found.insert((Kind::Value, &name.name));
                }
                ExprKind::Match(_, _, arms) => {
                    arms.iter().for_each(|(pattern, _)| self.pattern(pattern));
                }
                ExprKind::Call(name, _) => {
                    // A node, or a constructor.
                    self.found.insert((Kind::Node, &name.name));
                    self.found.insert((Kind::Value, &name.name));
                    self.exprs.type_arguments(expr).iter().for_each(|ty| self.ty(ty));
                    let constants = self.statics(self.exprs.static_arguments(expr));
                    pending.extend(constants);
                }
                ExprKind::Set(_) | ExprKind::EmptyMap => {
                    self.exprs.type_arguments(expr).iter().for_each(|ty| self.ty(ty));
                }
                ExprKind::Record(name, _) => {
                    self.found.insert((Kind::Type, &name.name));
                    self.exprs.type_arguments(expr).iter().for_each(|ty| self.ty(ty));
                }
                ExprKind::Quantified(_, variables, _) => {
                    variables.iter().for_each(|variable| self.variable(variable));
                }
                ExprKind::Arbitrary(_, ty) | ExprKind::Ascribed(_, ty) => self.ty(ty),
                ExprKind::When(_, sampling) => self.sampling(sampling),
                ExprKind::Merge(flow, branches) => {
                    self.found.insert((Kind::Value, &flow.name));
                    branches.iter().for_each(|(case, _)| self.case(case));
                }
                ExprKind::Update(_, _, changes) => {
                    for (selector, _) in changes {
                        if let Selector::Name(name) = selector {
                            self.found.insert((Kind::Value, &name.name));
                        }
                    }
                }
                _ => {}
            }
            pending.extend(self.exprs.operands(expr));
        }
    }
}
