//! Contracts by themselves: a node with a body is looked at as if it had none, and a contract node
//! as the contract of a node that has none.

use std::collections::HashSet;
use std::sync::Arc;

use lustral_syntax::ast::{
    ContractDeclaration, ContractItem, Declaration, Item, NodeDeclaration, NodeGaps, Program, Tree,
};

/// The contract nodes that no contract imports, by name.
pub(crate) fn not_imported(program: &Program) -> Vec<String> {
    let all = || program.trees.iter().flat_map(|tree| &tree.declarations);
    let contracts = all().flat_map(|declared| match declared {
        Declaration::Contract(contract) => vec![&contract.contract],
        Declaration::Node(node) => {
            let contracts = node.items.iter().filter_map(|item| match item {
                Item::Contract(contract) => Some(contract),
                _ => None,
            });
            contracts.collect()
        }
        _ => Vec::new(),
    });
    let imports = contracts.flat_map(|contract| &contract.items).filter_map(|item| match item {
        ContractItem::Import(import) => Some(&*import.contract.name),
        _ => None,
    });
    let imported: HashSet<&str> = imports.collect();
    let declared = all().filter_map(|declared| match declared {
        Declaration::Contract(contract) => Some(&*contract.name.name),
        _ => None,
    });
    declared.filter(|name| !imported.contains(name)).map(ToString::to_string).collect()
}

/// Lets the node with a contract by this name have no body; if there is no node but a contract
/// node of that name, lets there be a node without a body that has this contract.
pub(crate) fn open(program: &mut Program, name: &str) {
    let place = |wanted: &dyn Fn(&Declaration) -> bool| {
        let mut all = program.trees.iter().enumerate();
        all.find_map(|(i, tree)| Some((i, tree.declarations.iter().position(wanted)?)))
    };
    let node = place(&|known| matches!(known, Declaration::Node(node) if *node.name.name == *name));
    let contract =
        place(&|known| matches!(known, Declaration::Contract(c) if *c.name.name == *name));
    let change = |tree: &mut Tree, at: usize| match &mut tree.declarations[at] {
        Declaration::Node(node) => take_body(node),
        Declaration::Contract(contract) => {
            let node = node_of(contract);
            tree.declarations.push(Declaration::Node(node));
        }
        _ => {}
    };
    if let Some((tree, at)) = node.or(contract) {
        change(Arc::make_mut(&mut program.trees[tree]), at);
    }
}

/// Leaves of a node what can be seen from outside.
fn take_body(node: &mut NodeDeclaration) {
    let is_contract = |item: &Item| matches!(item, Item::Contract(_));
    if node.items.iter().any(is_contract) {
        node.items.retain(is_contract);
        node.locals.clear();
        node.imported = true;
    }
}

/// A node without a body that has a contract.
fn node_of(contract: &ContractDeclaration) -> NodeDeclaration {
    NodeDeclaration {
        name: contract.name.clone(),
        is_function: false,
        imported: true,
        type_parameters: contract.type_parameters.clone(),
        statics: Vec::new(),
        alias: None,
        inputs: contract.inputs.clone(),
        outputs: contract.outputs.clone(),
        locals: Vec::new(),
        constants: Vec::new(),
        items: vec![Item::Contract(contract.contract.clone())],
        gaps: NodeGaps::default(),
        span: contract.span,
        header: contract.name.span,
        body: contract.span,
    }
}
