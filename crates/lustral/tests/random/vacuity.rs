//! Properties that are said to say nothing, against the explicit search.

use std::sync::Arc;

use lustral_certify::Vacuous;
use lustral_sema::program::{BinaryOp, ExprKind, Node, UnaryOp};
use lustral_sema::{PropertySource, Type};
use lustral_syntax::SourceMap;
use lustral_system::PropId;
use lustral_testing::encoding::Encoded;
use lustral_testing::failure::Failure;
use lustral_testing::frontend::Unit;
use lustral_testing::search::search;

/// In no execution does the condition hold of a property of which that is said. How many were
/// looked at.
pub fn agrees(unit: &Encoded, said: &[(PropId, Vacuous)]) -> Result<usize, Failure> {
    let mut count = 0;
    for (id, _) in said.iter().filter(|(_, vacuous)| *vacuous == Vacuous::Condition) {
        let property = &unit.properties[id.index()];
        // What types and contracts say is written out elsewhere.
        let PropertySource::Stated(index) = property.source else { continue };
        let mut program = (*unit.program).clone();
        let node = &mut program.nodes[unit.tree.instance(property.instance).node.index()];
        if !never(node, index) {
            continue;
        }
        let (program, tree) = (Arc::new(program), unit.tree.clone());
        let (sources, properties) = (SourceMap::default(), unit.properties.clone());
        let Some(found) = search(&Unit { program, sources, tree, properties }) else { continue };
        if let Some(step) = found.fails[id.index()] {
            let text = format!("the condition of `{}` holds at step {step}", property.name);
            return Err(Failure::new("says nothing", text));
        }
        count += 1;
    }
    Ok(count)
}

/// Has a property say that its condition never holds; not if it is a flow by itself.
fn never(node: &mut Node, index: usize) -> bool {
    let (mut at, mut first, mut conditions) = (node.properties[index].expr, None, Vec::new());
    loop {
        match node.exprs[at].kind {
            ExprKind::Binary(BinaryOp::Implies, a, b) => {
                conditions.push(a);
                at = b;
            }
            ExprKind::Arrow(a, b) if conditions.is_empty() && first.is_none() => {
                (first, at) = (Some(a), b);
            }
            _ => break,
        }
    }
    let span = node.exprs[at].span;
    let mut push = |kind| node.exprs.push(kind, Type::Bool, span);
    let all = conditions.into_iter().reduce(|a, b| push(ExprKind::Binary(BinaryOp::And, a, b)));
    let Some(all) = all else { return false };
    let never = push(ExprKind::Unary(UnaryOp::Not, all));
    node.properties[index].expr = first.map_or(never, |first| push(ExprKind::Arrow(first, never)));
    true
}
