//! Who calls whom: the nodes in topological order, callees first, found
//! depth-first with an explicit stack.

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Span};

use crate::program::{NodeId, Program};

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Waiting,
    Open,
    Done,
}

/// Sorts the nodes, callees first; reports those that call themselves.
pub(crate) fn order_nodes(program: &mut Program, diagnostics: &mut Diagnostics) {
    let n = program.nodes.len();
    let mut marks = vec![Mark::Waiting; n];
    let mut order = Vec::with_capacity(n);
    for root in 0..n {
        // Each entry: a node and how many of its calls were followed.
        let mut stack = vec![(root, 0usize)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if marks[node] != Mark::Waiting {
                    continue;
                }
                marks[node] = Mark::Open;
            }
            let Some(call) = program.nodes[node].calls.get(next) else {
                marks[node] = Mark::Done;
                order.push(NodeId(node as u32));
                continue;
            };
            let (callee, span) = (call.callee.index(), call.span);
            stack.push((node, next + 1));
            match marks[callee] {
                Mark::Waiting => stack.push((callee, 0)),
                Mark::Done => {}
                Mark::Open => diagnostics.push(recursive(program, &stack, callee, span)),
            }
        }
    }
    program.callees_first = order;
}

fn recursive(program: &Program, stack: &[(usize, usize)], callee: usize, span: Span) -> Diagnostic {
    let start = stack.iter().position(|(node, _)| *node == callee).unwrap_or(0);
    let name = &program.nodes[callee].name;
    let path: Vec<String> =
        stack[start..].iter().map(|(node, _)| format!("`{}`", program.nodes[*node].name)).collect();
    let diagnostic =
        Diagnostic::error(Code::Recursion, span, format!("the node `{name}` calls itself"));
    if path.len() > 1 {
        diagnostic.note(format!("{} calls `{name}` again", path.join(" calls ")))
    } else {
        diagnostic
    }
}
