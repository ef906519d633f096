//! What a node is, by its content: a hash of its own text, without comments and
//! layout, and of all that it depends on. Two programs in which a node has the
//! same identity give it the same behaviour, wherever it stands in them; what was
//! found out about it in one holds in the other.
//!
//! The hash of a declaration covers the hashes of those that it mentions (a
//! Merkle tree over the graph of mentions), so the time is linear in the program.
//! Names are looked up by themselves: a name that is also a flow's counts as a
//! mention of both. That can only tell nodes apart that are the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_base::Digest;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{
    Contract, ContractItem, Declaration, ExprId, ExprKind, Exprs, Item, NodeDeclaration, Program,
    Selector, Type, TypeKind,
};
use crate::printer::{print_declaration, print_interface, print_item};

/// What a node is, by its content.
#[derive(Clone, Debug)]
pub struct NodeIdentity {
    /// The name of the node.
    pub name: Arc<str>,
    /// What the node does: its flows, equations and assertions, and those of the
    /// nodes that it calls. Candidates, properties and marks are no part of it.
    pub behaviour: Digest,
    /// The same with the properties that it states itself, and those of the nodes
    /// that it calls.
    pub stated: Digest,
}

/// The identities of all nodes, in the order of the text.
#[must_use]
pub fn identities(program: &Program) -> Vec<NodeIdentity> {
    let list: Vec<(&Exprs, &Declaration)> =
        program.declarations().map(|(tree, d)| (&tree.exprs, d)).collect();
    let digests = Graph::new(&list).digests();
    let nodes = list.iter().zip(digests).filter_map(|((_, declaration), digest)| {
        let Declaration::Node(node) = declaration else { return None };
        let Pair { behaviour, stated } = digest;
        Some(NodeIdentity { name: node.name.name.clone(), behaviour, stated })
    });
    nodes.collect()
}

#[derive(Clone, Copy)]
struct Pair {
    behaviour: Digest,
    stated: Digest,
}

/// The names of one kind do not meet those of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Type,
    Value,
    Node,
    Contract,
}

/// Which declaration mentions which.
struct Graph<'a> {
    list: &'a [(&'a Exprs, &'a Declaration)],
    /// For what a node does, and for what it states.
    edges: Vec<[Vec<usize>; 2]>,
}

impl<'a> Graph<'a> {
    fn new(list: &'a [(&'a Exprs, &'a Declaration)]) -> Graph<'a> {
        let mut by_name: FxHashMap<(Kind, &str), usize> = FxHashMap::default();
        for (i, (_, declaration)) in list.iter().enumerate() {
            for (kind, name) in declared(declaration) {
                by_name.entry((kind, name)).or_insert(i);
            }
        }
        // In the order of the names: where a declaration stands does not matter.
        let find = |names: BTreeSet<(Kind, &str)>| -> Vec<usize> {
            let mut seen = FxHashSet::default();
            let found = names.iter().filter_map(|key| by_name.get(key).copied());
            found.filter(|declaration| seen.insert(*declaration)).collect()
        };
        let edges = list.iter().map(|(exprs, declaration)| {
            let mut mentions = Mentions { exprs, found: BTreeSet::new() };
            mentions.behaviour(declaration);
            let behaviour = find(mentions.found.clone());
            mentions.stated(declaration);
            [behaviour, find(mentions.found)]
        });
        Graph { list, edges: edges.collect() }
    }

    /// The hashes of all declarations, those that they mention first; depth-first
    /// with an explicit stack. On a cycle, which is an error in any program, the
    /// name of what is not yet hashed stands for it.
    fn digests(&self) -> Vec<Pair> {
        let mut done: Vec<Option<Pair>> = vec![None; self.list.len()];
        let mut opened = vec![false; self.list.len()];
        for root in 0..self.list.len() {
            let mut stack = vec![root];
            while let Some(&at) = stack.last() {
                if done[at].is_some() || std::mem::replace(&mut opened[at], true) {
                    stack.pop();
                    if done[at].is_none() {
                        done[at] = Some(self.digest(at, &done));
                    }
                    continue;
                }
                // What is stated mentions all that the behaviour mentions.
                let open = self.edges[at][1].iter().filter(|next| !opened[**next]);
                stack.extend(open);
            }
        }
        done.into_iter().map(|pair| pair.expect("every declaration is a root")).collect()
    }

    fn digest(&self, at: usize, done: &[Option<Pair>]) -> Pair {
        let (exprs, declaration) = self.list[at];
        // The same text may mean another thing in another dialect.
        let dialect = exprs.reading().dialect.as_str();
        let (mut behaviour, mut stated) = (format!("{dialect}\n"), String::new());
        match declaration {
            Declaration::Node(node) => {
                print_interface(exprs, node, &mut behaviour);
                for item in &node.items {
                    match item {
                        Item::Equation(_) | Item::Assert(..) | Item::Last(..) | Item::Block(_) => {
                            print_item(exprs, item, &mut behaviour);
                        }
                        Item::Property(_) => print_item(exprs, item, &mut stated),
                        // A contract is printed with the interface.
                        Item::Candidate(..) | Item::Main(_) | Item::Contract(_) => {}
                    }
                }
            }
            _ => print_declaration(exprs, declaration, &mut behaviour),
        }
        let below = |edges: &[usize], which: fn(&Pair) -> Digest| -> Vec<String> {
            let one = |i: &usize| {
                let name = &self.list[*i].1.name().name;
                format!("{name} {}", done[*i].map_or_else(String::new, |p| which(&p).to_string()))
            };
            edges.iter().map(one).collect()
        };
        let [mentions, all] = &self.edges[at];
        let own = Digest::of_parts([behaviour].into_iter().chain(below(mentions, |p| p.behaviour)));
        let more = [own.to_string(), stated].into_iter().chain(below(all, |p| p.stated));
        Pair { behaviour: own, stated: Digest::of_parts(more) }
    }
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
            _ => vec![(Kind::Type, name)],
        },
        Declaration::Const(_) => vec![(Kind::Value, name)],
        Declaration::Node(_) => vec![(Kind::Node, name)],
        Declaration::Contract(_) => vec![(Kind::Contract, name)],
    }
}

/// The names that a declaration mentions.
struct Mentions<'a> {
    exprs: &'a Exprs,
    found: BTreeSet<(Kind, &'a str)>,
}

impl<'a> Mentions<'a> {
    /// What the behaviour depends on.
    fn behaviour(&mut self, declaration: &'a Declaration) {
        match declaration {
            Declaration::Type(d) => self.ty(&d.definition),
            Declaration::Const(d) => {
                d.ty.iter().for_each(|ty| self.ty(ty));
                self.expr(d.value);
            }
            Declaration::Node(node) => self.node(node),
            Declaration::Contract(d) => {
                d.inputs.iter().chain(&d.outputs).for_each(|variable| self.ty(&variable.ty));
                self.contract(&d.contract);
            }
        }
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
                    self.found.insert((Kind::Contract, &import.contract.name));
                    import.inputs.iter().chain(&import.outputs).for_each(|id| self.expr(*id));
                }
            }
        }
    }

    fn node(&mut self, node: &'a NodeDeclaration) {
        let variables = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        variables.for_each(|variable| self.ty(&variable.ty));
        node.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &'a Item) {
        match item {
            Item::Equation(equation) => self.expr(equation.right),
            Item::Assert(expr, _) | Item::Last(_, expr, _) => self.expr(*expr),
            Item::Contract(contract) => self.contract(contract),
            Item::Property(_) | Item::Candidate(..) | Item::Main(_) => {}
            Item::Block(block) => {
                block.kind.exprs().into_iter().for_each(|expr| self.expr(expr));
                for (locals, items) in block.kind.parts() {
                    locals.iter().for_each(|variable| self.ty(&variable.ty));
                    items.iter().for_each(|item| self.item_of_block(item));
                }
            }
        }
    }

    /// What a block states is a part of its text, and so of what the node does.
    fn item_of_block(&mut self, item: &'a Item) {
        if let Item::Property(property) = item {
            self.expr(property.expr);
        }
        self.item(item);
    }

    /// What the properties depend on.
    fn stated(&mut self, declaration: &'a Declaration) {
        let Declaration::Node(node) = declaration else { return };
        for item in &node.items {
            if let Item::Property(property) = item {
                self.expr(property.expr);
                property.question.exprs().for_each(|expr| self.expr(expr));
            }
        }
    }

    fn ty(&mut self, ty: &'a Type) {
        match &ty.kind {
            TypeKind::Named(name) => {
                self.found.insert((Kind::Type, name));
            }
            TypeKind::Subrange(low, high) => {
                self.expr(*low);
                self.expr(*high);
            }
            TypeKind::Record(fields) => fields.iter().for_each(|field| self.ty(&field.ty)),
            TypeKind::Tuple(types) => types.iter().for_each(|ty| self.ty(ty)),
            TypeKind::Array(element, sizes) => {
                self.ty(element);
                sizes.iter().for_each(|size| self.expr(*size));
            }
            TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::Enum(_)
            | TypeKind::Error => {}
        }
    }

    fn expr(&mut self, root: ExprId) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            match &self.exprs[expr].kind {
                ExprKind::Name(name) => {
                    self.found.insert((Kind::Value, name));
                }
                ExprKind::Call(name, _) => {
                    self.found.insert((Kind::Node, &name.name));
                }
                ExprKind::Record(name, _) => {
                    self.found.insert((Kind::Type, &name.name));
                }
                ExprKind::Quantified(_, variables, _) => {
                    variables.iter().for_each(|variable| self.ty(&variable.ty));
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
