//! Names of what has none in the program: the first values of `pre`.

use std::collections::HashMap;
use std::fmt::Write;

use lustral_sema::{InstanceId, InstanceTree, Program};
use lustral_syntax::SourceMap;
use lustral_syntax::source::LineColumn;
use lustral_system::{Origin, TransitionSystem};

/// Names the first value of each `pre` by its line; by its column too where
/// the line has several, and by a number where one `pre` has several values.
pub fn name_first_values(
    system: &mut TransitionSystem,
    program: &Program,
    tree: &InstanceTree,
    sources: &SourceMap,
) {
    let places: Vec<Option<(InstanceId, LineColumn)>> = system
        .variables
        .iter()
        .map(|variable| {
            let Origin::FirstValue { instance, expr } = variable.origin else { return None };
            let node = tree.node(program, instance);
            Some((instance, sources.line_column(node.exprs[expr].span)))
        })
        .collect();
    // How many there are at each place, and how many places on each line.
    let mut at: HashMap<(InstanceId, u32, u32), usize> = HashMap::new();
    let mut on_line: HashMap<(InstanceId, u32), usize> = HashMap::new();
    for (instance, LineColumn { line, column }) in places.iter().flatten() {
        let here = at.entry((*instance, *line, *column)).or_default();
        *here += 1;
        if *here == 1 {
            *on_line.entry((*instance, *line)).or_default() += 1;
        }
    }
    let mut numbers: HashMap<(InstanceId, u32, u32), usize> = HashMap::new();
    for (variable, place) in system.variables.iter_mut().zip(places) {
        let Some((instance, LineColumn { line, column })) = place else { continue };
        let known = &system.instances[instance.index()];
        let path = if known.path.is_empty() { &known.node } else { &known.path };
        let mut name = format!("(first value of `pre` in {path}, line {line}");
        if on_line[&(instance, line)] > 1 {
            let _ = write!(name, ", column {column}");
        }
        if at[&(instance, line, column)] > 1 {
            let number = numbers.entry((instance, line, column)).or_default();
            *number += 1;
            let _ = write!(name, ", value {number}");
        }
        variable.name = name + ")";
    }
}
