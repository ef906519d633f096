//! The product of two versions of a node.
//!
//! ```text
//! node product(x: int) returns (y: int; n: int);      -- the flows of the old version have their names
//! var y_new: int; n_new: int;
//! let
//!   (y, n) = f_old(x);                                -- copies of the two nodes, whose local flows are outputs
//!   (y_new, n_new) = f_new(x);
//!   check "y" y = y_new;
//!   --%CANDIDATE n = n_new;
//! tel
//! ```
//!
//! Equivalence mostly holds because the memories of the two agree: that is why local flows are
//! seen, and equations between those of one name are candidates for invariants. What the old
//! version assumes in its contract is assumed; the assertions of both count, as those of called nodes do.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use lustral_sema::Program;
use lustral_syntax::ast::{Contract, ContractItem, Exprs, Ident, Item, NodeDeclaration, Variable};
use lustral_syntax::printer::{print_node, print_variables};
use lustral_syntax::{Dialect, Loader, NoFiles, Severity};

use super::Version;
use super::names::{Renaming, declarations, fresh, shared, untaken, words};
use crate::load::{Analysed, Request, Unreadable};
use crate::select::{NoSuchNode, roots};

/// A program in which two versions of a node run on the same inputs.
#[derive(Clone, Debug)]
pub struct Product {
    /// Its text.
    pub text: String,
    /// The dialect of both versions.
    pub dialect: Dialect,
    /// Its node that compares.
    pub node: String,
    /// The node in the old version.
    pub old_node: String,
    /// The node in the new version.
    pub new_node: String,
    /// The inputs.
    pub inputs: Vec<Pair>,
    /// The outputs that are compared; the property about each has the name of the pair.
    pub outputs: Vec<Pair>,
    /// Whether one of the versions has a node without a body: such nodes do what they like.
    pub may_be_open: bool,
}

/// A flow of both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The flow of the old version, in the product.
    pub name: String,
    /// The flow of the new version, in the product.
    pub new_flow: String,
    /// What it is called in the old version.
    pub old: String,
    /// What it is called in the new version.
    pub new: String,
}

/// Why two versions are not compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Incomparable {
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The node that was asked for is not there.
    #[error("{which} version: {error}")]
    NoNode {
        /// Which version.
        which: &'static str,
        /// Why not.
        error: NoSuchNode,
    },
    /// No node was asked for, and there are several.
    #[error("{which} version: several nodes could be compared: {}", .names.join(", "))]
    Several {
        /// Which version.
        which: &'static str,
        /// They.
        names: Vec<String>,
    },
    /// A node that is no node of the text with a body.
    #[error("{which} version: node `{node}` {why}")]
    Unsuitable {
        /// Which version.
        which: &'static str,
        /// The node.
        node: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// They have other inputs or outputs.
    #[error("the versions have different {kind}s: {old} and {new}")]
    Interface {
        /// Inputs or outputs.
        kind: &'static str,
        /// Those of the old version.
        old: String,
        /// Those of the new version.
        new: String,
    },
    /// They are in different dialects.
    #[error("the versions are written in different dialects: {0} and {1}")]
    Dialects(&'static str, &'static str),
    /// A name is used as a word of the language as well.
    #[error(
        "a name that the new version declares is used as a word of the language too: rename it"
    )]
    Words,
    /// The product is no program.
    #[error("the versions cannot be run together: {0}")]
    Rejected(String),
}

/// A version with what it is made of.
struct Side<'a> {
    which: &'static str,
    tree: lustral_syntax::Program,
    program: &'a Program,
    node: String,
}

impl<'a> Side<'a> {
    fn new(
        which: &'static str,
        version: &Version<'a>,
        loader: &dyn Loader,
    ) -> Result<Side<'a>, Incomparable> {
        let program = &*version.analysed.program;
        let asked: Vec<String> = version.node.iter().map(ToString::to_string).collect();
        let roots =
            roots(program, &asked).map_err(|error| Incomparable::NoNode { which, error })?;
        let name = |root: &_| program.node(*root).name.to_string();
        let [root] = &roots[..] else {
            return Err(Incomparable::Several { which, names: roots.iter().map(name).collect() });
        };
        Ok(Side { which, tree: version.request.tree(loader)?, program, node: name(root) })
    }

    /// Its node in the tree.
    fn declaration(&self) -> Result<(&Exprs, &NodeDeclaration), Incomparable> {
        let unsuitable =
            |why| Incomparable::Unsuitable { which: self.which, node: self.node.clone(), why };
        let found = self.tree.nodes().find(|(_, node)| *node.name.name == *self.node);
        let (tree, node) =
            found.ok_or_else(|| unsuitable("stands for some values of constants"))?;
        let no_body =
            node.imported || node.items.iter().all(|item| matches!(item, Item::Contract(_)));
        // Those of outputs may be found out and not written.
        let known = self.program.node_named(&self.node).map(|id| self.program.node(id));
        let has_clocks = known.is_some_and(|node| {
            node.input_ids().chain(node.output_ids()).any(|id| node.stream(id).clock.is_some())
        });
        let why = if node.alias.is_some() {
            "is another name for something else"
        } else if no_body {
            "has no body"
        } else if !node.statics.is_empty() || !node.type_parameters.is_empty() {
            "has parameters: compare a node that calls it"
        } else if has_clocks {
            "has inputs or outputs on clocks, which are not compared yet: compare a node that calls it"
        } else {
            return Ok((&tree.exprs, node));
        };
        Err(unsuitable(why))
    }

    /// The type of a flow of its node, as it is written.
    fn type_of(&self, flow: &str) -> String {
        let node = self.program.node_named(&self.node).map(|id| self.program.node(id));
        let stream = node.and_then(|node| Some(node.stream(node.stream_named(flow)?)));
        stream.map(|stream| self.program.show_type(&stream.ty)).unwrap_or_default()
    }

    fn interface(&self, flows: &[Variable]) -> Vec<(String, String)> {
        flows.iter().map(|v| (v.name.name.to_string(), self.type_of(&v.name.name))).collect()
    }

    /// The dialect of its files, if all have one.
    fn dialect(&self) -> Result<Dialect, Incomparable> {
        let mut dialects = self.tree.trees.iter().map(|tree| tree.exprs.reading().dialect);
        let first = dialects.next().unwrap_or_default();
        match dialects.find(|other| *other != first) {
            Some(other) => Err(Incomparable::Dialects(first.as_str(), other.as_str())),
            None => Ok(first),
        }
    }
}

/// Makes the product, with the local flows of the nodes or without.
pub(super) fn build(
    old: &Version<'_>,
    new: &Version<'_>,
    loader: &dyn Loader,
    locals: bool,
) -> Result<Product, Incomparable> {
    let old = Side::new("the old", old, loader)?;
    let new = Side::new("the new", new, loader)?;
    let dialect = old.dialect()?;
    if new.dialect()? != dialect {
        return Err(Incomparable::Dialects(dialect.as_str(), new.dialect()?.as_str()));
    }
    let ((old_exprs, old_node), (new_exprs, new_node)) = (old.declaration()?, new.declaration()?);
    let inputs =
        matched("input", &old.interface(&old_node.inputs), &new.interface(&new_node.inputs))?;
    let outputs =
        matched("output", &old.interface(&old_node.outputs), &new.interface(&new_node.outputs))?;
    if outputs.is_empty() {
        let why = "has no outputs to compare";
        return Err(Incomparable::Unsuitable { which: old.which, node: old.node, why });
    }
    let (old_all, new_all) = (declarations(&old.tree), declarations(&new.tree));
    let shared = shared(&old_all, &new_all);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for declared in old_all.iter().chain(&new_all) {
        taken.extend(words(&declared.text).into_iter().map(str::to_string));
    }
    let renaming = Renaming::new(&new_all, &shared, &mut taken);
    if !renaming.keeps(&new.tree) {
        return Err(Incomparable::Words);
    }
    let mut text = format!("--%DIALECT {}\n", dialect.as_str());
    old_all.iter().for_each(|declared| text.push_str(&declared.text));
    let own = new_all.iter().filter(|declared| !shared.contains(&declared.text));
    own.for_each(|declared| text.push_str(&renaming.of(&declared.text)));
    // The nodes that are compared, once more: what they say of themselves is left out.
    let [old_copy, new_copy] =
        ["old", "new"].map(|which| untaken(format!("{}_{which}_copy", old.node), &mut taken));
    let (old_copied, old_flows) = copy(old_exprs, old_node, &old_copy, locals);
    let (new_copied, new_flows) = copy(new_exprs, new_node, &new_copy, locals);
    text.push_str(&old_copied);
    text.push_str(&renaming.of(&new_copied));
    let mut root = Root { inputs, outputs, taken, body: String::new(), new_flows: Vec::new() };
    let node = untaken(format!("{}_old_and_new", old.node), &mut root.taken);
    root.calls((&old_copy, &old_flows), (&new_copy, &new_flows), &new_node.inputs);
    root.compares(&old, &new, (&old_flows, &new_flows));
    let contract = assumed(old_node);
    let header = NodeDeclaration {
        name: named(&node, &old_node.name),
        imported: true,
        outputs: old_flows.clone(),
        items: contract.map(Item::Contract).into_iter().collect(),
        constants: Vec::new(),
        locals: Vec::new(),
        ..old_node.clone()
    };
    let mut head = String::new();
    print_node(old_exprs, &NodeDeclaration { is_function: false, ..header }, &mut head);
    text.push_str(&head.replacen("node imported", "node", 1));
    let variables = renaming.of(&print_variables(new_exprs, &root.renamed(&new_flows)));
    let _ = write!(text, "var {variables};\nlet\n{}tel\n", root.body);
    let may_be_open = old.tree.nodes().chain(new.tree.nodes()).any(|(_, node)| node.imported);
    let Root { inputs, outputs, .. } = root;
    let (old_node, new_node) = (old.node, new.node);
    Ok(Product { text, dialect, node, old_node, new_node, inputs, outputs, may_be_open })
}

/// Flows of the two versions that are compared: by name where they have the same names, else one after the other.
fn matched(
    kind: &'static str,
    old: &[(String, String)],
    new: &[(String, String)],
) -> Result<Vec<Pair>, Incomparable> {
    let named = |list: &[(String, String)]| list.iter().cloned().collect::<BTreeSet<_>>();
    let types =
        |list: &[(String, String)]| list.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
    let by_name = named(old) == named(new);
    if !by_name && types(old) != types(new) {
        let show = |list: &[(String, String)]| {
            let flows: Vec<String> =
                list.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
            format!("({})", flows.join("; "))
        };
        return Err(Incomparable::Interface { kind, old: show(old), new: show(new) });
    }
    let pair = |(i, (name, _)): (usize, &(String, String))| Pair {
        name: name.clone(),
        new_flow: name.clone(),
        old: name.clone(),
        new: if by_name { name.clone() } else { new[i].0.clone() },
    };
    Ok(old.iter().enumerate().map(pair).collect())
}

fn named(name: &str, place: &Ident) -> Ident {
    Ident { name: Arc::from(name), span: place.span }
}

/// A node under another name, without what it says of itself; its local flows may be outputs.
fn copy(
    exprs: &Exprs,
    node: &NodeDeclaration,
    name: &str,
    locals: bool,
) -> (String, Vec<Variable>) {
    let (seen, kept): (Vec<Variable>, Vec<Variable>) =
        node.locals.iter().cloned().partition(|v| locals && v.clock.is_none());
    let says = |item: &&Item| {
        !matches!(
            item,
            Item::Property(_) | Item::Main(_) | Item::Realizable(..) | Item::Contract(_)
        )
    };
    let copy = NodeDeclaration {
        name: named(name, &node.name),
        outputs: node.outputs.iter().cloned().chain(seen).collect(),
        locals: kept,
        items: node.items.iter().filter(says).cloned().collect(),
        ..node.clone()
    };
    let mut text = String::new();
    print_node(exprs, &copy, &mut text);
    (text, copy.outputs)
}

/// What the old version assumes.
fn assumed(node: &NodeDeclaration) -> Option<Contract> {
    let contracts = node.items.iter().filter_map(|item| match item {
        Item::Contract(contract) => Some(contract),
        _ => None,
    });
    let items: Vec<ContractItem> = contracts
        .clone()
        .flat_map(|contract| &contract.items)
        .filter(|item| !matches!(item, ContractItem::Guarantee(_)))
        .cloned()
        .collect();
    let assumes =
        |item: &ContractItem| matches!(item, ContractItem::Assume(_) | ContractItem::Import(_));
    let first = contracts.clone().next()?;
    items.iter().any(assumes).then(|| Contract { items: items.clone(), ..first.clone() })
}

/// The node that compares, while it is made.
struct Root {
    inputs: Vec<Pair>,
    outputs: Vec<Pair>,
    taken: BTreeSet<String>,
    body: String,
    /// What the outputs of the new copy are called in it.
    new_flows: Vec<String>,
}

impl Root {
    /// Runs the copies. The inputs of the new one may be in another order.
    fn calls(&mut self, old: (&str, &[Variable]), new: (&str, &[Variable]), order: &[Variable]) {
        let old_flows: Vec<&str> = old.1.iter().map(|v| &*v.name.name).collect();
        self.new_flows = new.1.iter().map(|v| fresh(&v.name.name, &mut self.taken)).collect();
        let given: Vec<&str> = self.inputs.iter().map(|pair| &*pair.name).collect();
        let input = |v: &Variable| self.inputs.iter().find(|pair| *pair.new == *v.name.name);
        let new_given = order.iter().filter_map(input).map(|pair| &*pair.name);
        let new_given: Vec<&str> = new_given.collect();
        let (old_flows, new_flows) = (old_flows.join(", "), self.new_flows.join(", "));
        let _ = writeln!(self.body, "  ({old_flows}) = {}({});", old.0, given.join(", "));
        let _ = writeln!(self.body, "  ({new_flows}) = {}({});", new.0, new_given.join(", "));
    }

    /// Compares the outputs; suggests that local flows of one name agree.
    fn compares(&mut self, old: &Side<'_>, new: &Side<'_>, flows: (&[Variable], &[Variable])) {
        let names: Vec<&str> = flows.1.iter().map(|v| &*v.name.name).collect();
        for pair in &mut self.outputs {
            let at = names.iter().position(|name| **name == *pair.new).unwrap_or_default();
            pair.new_flow.clone_from(&self.new_flows[at]);
            let Pair { name, new_flow, .. } = &*pair;
            let _ = writeln!(self.body, "  check \"{name}\" {name} = {new_flow};");
        }
        for local in &flows.0[self.outputs.len()..] {
            let name = &*local.name.name;
            let at = names.iter().skip(self.outputs.len()).position(|other| *other == name);
            if let Some(at) = at.filter(|_| old.type_of(name) == new.type_of(name)) {
                let new_flow = &self.new_flows[self.outputs.len() + at];
                let _ = writeln!(self.body, "  --%CANDIDATE {name} = {new_flow};");
            }
        }
    }

    fn renamed(&self, flows: &[Variable]) -> Vec<Variable> {
        let renamed = flows.iter().zip(&self.new_flows);
        renamed.map(|(v, name)| Variable { name: named(name, &v.name), ..v.clone() }).collect()
    }
}

impl Product {
    /// The program.
    #[must_use]
    pub fn request(&self) -> Request {
        Request::text("product.lus", self.text.clone()).in_dialect(Some(self.dialect))
    }

    fn analysed(&self) -> Option<Analysed> {
        self.request().analyse(&NoFiles).ok()
    }

    pub(super) fn is_accepted(&self) -> bool {
        self.analysed().is_some_and(|analysed| !analysed.diagnostics.has_errors())
    }

    /// What is wrong with it.
    pub(super) fn first_error(&self) -> Option<String> {
        let analysed = self.analysed()?;
        let all = analysed.diagnostics.sorted();
        let error = all.into_iter().find(|d| d.severity == Severity::Error)?;
        Some(error.message.clone())
    }
}
