//! What a node is, by its content: a hash of its own text, without comments and
//! layout, and of all that it depends on. Two programs in which a node has the
//! same identity give it the same behaviour, wherever it stands in them; what was
//! found out about it in one holds in the other.
//!
//! The hash of a declaration covers the hashes of those that it mentions (a
//! Merkle tree over the graph of mentions), so the time is linear in the program.
//! Names are looked up by themselves: a name that is also a flow's counts as a
//! mention of both. That can only tell nodes apart that are the same.

use std::sync::Arc;

use lustral_base::Digest;

use crate::ast::{Declaration, Exprs, Item, Program};
use crate::mentions::{Mentions, Names};
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

/// Which declaration mentions which.
struct Graph<'a> {
    list: &'a [(&'a Exprs, &'a Declaration)],
    /// For what a node does, and for what it states.
    edges: Vec<[Vec<usize>; 2]>,
}

impl<'a> Graph<'a> {
    fn new(list: &'a [(&'a Exprs, &'a Declaration)]) -> Graph<'a> {
        let names = Names::new(list);
        let edges = list.iter().map(|(exprs, declaration)| {
            let mut mentions = Mentions::new(exprs);
            mentions.behaviour(declaration);
            let behaviour = names.find(&mentions);
            mentions.stated(declaration);
            [behaviour, names.find(&mentions)]
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
                        Item::Property(_) | Item::Realizable(..) => {
                            print_item(exprs, item, &mut stated);
                        }
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
