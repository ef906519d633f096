//! From a text to the typed program, its instances and its properties.

use std::sync::Arc;

use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{
    Hazards, InstanceTree, Program, PropertyInstance, analyse, select, state_hazards,
};
use lustral_syntax::{Diagnostics, NoFiles, Severity, SourceMap, parse_program};

use crate::failure::Failure;

/// A node to be checked, with its instances and properties.
pub struct Unit {
    /// The typed program.
    pub program: Arc<Program>,
    /// Its text.
    pub sources: SourceMap,
    /// The instances of the node.
    pub tree: InstanceTree,
    /// Its properties and those of called nodes.
    pub properties: Vec<PropertyInstance>,
}

/// The typed program of a text, or its errors.
///
/// # Errors
/// If the text is rejected: a line for each error.
pub fn analysed(text: &str) -> Result<Program, String> {
    read(text).map(|(program, _)| program)
}

/// The typed program of a text, with the text; or its errors.
fn read(text: &str) -> Result<(Program, SourceMap), String> {
    let mut sources = SourceMap::new();
    let main = sources.add("random.lus", text);
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    // A tree with errors is analysed too: that must not panic.
    let program = analyse(&sources, &tree, &mut diagnostics);
    let errors = diagnostics.sorted().into_iter().filter(|d| d.severity == Severity::Error);
    let errors: Vec<String> = errors
        .map(|d| {
            let place = sources.line_column(d.primary.span);
            format!("{}:{}: {}: {}", place.line, place.column, d.code.as_str(), d.message)
        })
        .collect();
    if errors.is_empty() { Ok((program, sources)) } else { Err(errors.join("\n")) }
}

/// Whether a text is accepted and has a node.
#[must_use]
pub fn is_accepted(text: &str) -> bool {
    analysed(text).is_ok_and(|program| !program.nodes.is_empty())
}

/// What is made of a text that must be accepted.
///
/// # Errors
/// If it is rejected, or there is no node.
pub fn accepted(text: &str) -> Result<Unit, Failure> {
    asked(text, Hazards::default())
}

/// The same with properties about indices and overflows.
///
/// # Errors
/// If it is rejected, or there is no node.
pub fn asked(text: &str, hazards: Hazards) -> Result<Unit, Failure> {
    let read = read(text).map_err(|errors| Failure::new("rejected", errors));
    let (mut program, sources) = read?;
    state_hazards(&mut program, &sources, hazards);
    let program = Arc::new(program);
    let roots = select::roots(&program, &[]);
    let roots = roots.map_err(|missing| Failure::new("rejected", format!("{missing:?}")))?;
    // Nodes that nobody calls are roots too, where no node is marked.
    let main = program.node_named("main").filter(|id| roots.contains(id));
    let root = main.or(roots.last().copied());
    let root = root.ok_or_else(|| Failure::new("rejected", "it has no node"))?;
    let tree = InstanceTree::new(&program, root);
    let tree = tree.map_err(|e| Failure::new("rejected", format!("{e:?}")))?;
    let properties = properties(&program, &tree, Wanted::ALL);
    Ok(Unit { program, sources, tree, properties })
}
