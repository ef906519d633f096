//! What is known of a program, whether it is whole or not: what is wrong with one
//! part says nothing of the others.

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, SourceMap, Span, ast};

use crate::program::{Node, NodeId, Program, Stream, StreamId, StreamKind};
use crate::resolve;
use crate::types::Type;
use crate::{causality, clocks, guards, parts, pinned, skipped};

/// A program with all that was found out about it.
pub struct Analysis {
    program: Program,
    /// What stands beside each node of the program.
    nodes: Vec<NodeState>,
    diagnostics: Diagnostics,
}

/// What is known of a node beside its meaning.
#[derive(Clone)]
pub(crate) struct NodeState {
    pub types: Vec<Option<Type>>,
    pub broken: bool,
}

/// A program as it was resolved, before what its nodes are to each other is looked at.
#[derive(Clone)]
pub(crate) struct Reading {
    pub env: resolve::Environment,
    pub program: Program,
    pub states: Vec<NodeState>,
    /// What contracts say that was left out.
    pub dropped: Vec<Span>,
    pub diagnostics: Diagnostics,
}

/// Resolves all that a program declares, and its nodes one by one.
pub(crate) fn read(sources: &SourceMap, ast: &ast::Program) -> Reading {
    let mut diagnostics = Diagnostics::new();
    let (env, mut program) = resolve::declare(sources, ast, &mut diagnostics);
    let mut nodes = Vec::new();
    let mut states = Vec::new();
    let mut dropped = Vec::new();
    let (mut values, mut asked) = (Vec::new(), Vec::new());
    for (i, (tree, node)) in ast.nodes().enumerate() {
        let id = NodeId(i as u32);
        let which = resolve::Which::Declared(id);
        let found = resolve::resolve_node(sources, (&env, &program), ast, (tree, node), which);
        found.diagnostics.iter().for_each(|d| diagnostics.push(d.clone()));
        dropped.extend(found.dropped.filter(|_| !found.node.template));
        nodes.push(found.node);
        states.push(NodeState { types: found.types, broken: found.broken });
        values.extend(found.values.map(|values| (id, values)));
        asked.push(found.asked);
    }
    // Those for values of constant inputs may ask for others; at last those that nobody
    // has asked for are there for all their values.
    let mut next = 0;
    let mut made = Vec::new();
    while let Some(special) = env.specialised(next).or_else(|| {
        let asked = |id: NodeId| nodes.iter().any(|n| n.of == Some(id) && !n.for_all);
        let templates = templates(&nodes);
        for (id, values) in std::mem::take(&mut values) {
            let base = nodes[id.index()].of.unwrap_or(id);
            if templates[id.index()] && !asked(base) {
                let (id, known) = (base, (&env, &program));
                resolve::specialise_all(sources, known, (id, values), &mut diagnostics);
            }
        }
        env.specialised(next)
    }) {
        next += 1;
        let (tree, position) = &special.interface.source;
        let ast::Declaration::Node(node) = &tree.declarations[*position] else { continue };
        let which = resolve::Which::For(&special);
        let found = resolve::resolve_node(sources, (&env, &program), ast, (tree, node), which);
        asked.push(found.asked);
        let mut wrong = special.diagnostics.clone();
        wrong.push_new(&found.diagnostics);
        made.push(skipped::Made { special: special.clone(), wrong, dropped: found.dropped });
        // Other constant inputs are needed as well.
        let more = found.values.filter(|_| special.for_all);
        values.extend(
            more.map(|more| (NodeId(nodes.len() as u32), more.among(special.only.as_ref()))),
        );
        nodes.push(found.node);
        states.push(NodeState { types: found.types, broken: found.broken });
    }
    let left_out = skipped::leave_out(&mut nodes, &asked, &made);
    let declared = nodes.len() - made.len();
    for ((node, left_out), made) in nodes.iter().zip(left_out).skip(declared).zip(&made) {
        if !left_out {
            // The same is wrong with many of them.
            diagnostics.push_new(&made.wrong);
            dropped.extend(made.dropped.filter(|_| !node.template));
        }
    }
    program.nodes = nodes;
    Reading { env, program, states, dropped, diagnostics }
}

impl Analysis {
    /// Resolves and checks a program, of whose trees some may be broken.
    #[must_use]
    pub fn new(sources: &SourceMap, ast: &ast::Program) -> Analysis {
        let Reading { env, mut program, mut states, dropped, mut diagnostics } =
            pinned::read_all(sources, ast);
        program.number_functions();
        resolve::order_nodes(&mut program, &mut diagnostics);
        let templates = templates(&program.nodes);
        for ((node, state), template) in program.nodes.iter_mut().zip(&mut states).zip(templates) {
            node.template = template;
            state.broken |= template;
        }
        let readable = !ast.incomplete && ast.trees.iter().all(|t| !t.diagnostics.has_errors());
        if readable {
            // What could not be read may have called them.
            resolve::templates_of_nobody(&program, &mut diagnostics);
        }
        resolve::candidates_of_nobody(&env, ast, &mut diagnostics);
        parts::read_inside(&mut program, &mut states);
        let whole = |id: NodeId| !states[id.index()].broken;
        for id in clocks::check(&mut program, whole, &mut diagnostics) {
            states[id.index()].broken = true;
        }
        let whole = |id: NodeId| !states[id.index()].broken;
        causality::check(&program, whole, &mut diagnostics);
        guards::check(&program, whole, &mut diagnostics);
        if readable && !diagnostics.has_errors() {
            complete(&program, &states, &dropped, &mut diagnostics);
        }
        Analysis { program, nodes: states, diagnostics }
    }

    /// The program. It has a meaning only if no error was found, here or by the
    /// parser.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program, and nothing else of what is known.
    #[must_use]
    pub fn into_program(self) -> Program {
        self.program
    }

    /// What is wrong with the meaning of the program.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The type of a flow; none where its declaration has an error.
    #[must_use]
    pub fn flow_type(&self, node: NodeId, stream: StreamId) -> Option<&Type> {
        self.nodes[node.index()].types[stream.index()].as_ref()
    }

    /// Whether a node has no error by itself.
    #[must_use]
    pub fn is_whole(&self, node: NodeId) -> bool {
        !self.nodes[node.index()].broken
    }
}

/// Which nodes are nothing without the values of their constant inputs. What calls such a node is
/// nothing without its own.
fn templates(nodes: &[Node]) -> Vec<bool> {
    let mut found: Vec<bool> = nodes.iter().map(|node| node.template).collect();
    let calls = |found: &[bool], node: &Node| {
        node.calls.iter().any(|call| found.get(call.callee.index()) == Some(&true))
    };
    loop {
        let before = found.clone();
        for (i, node) in nodes.iter().enumerate() {
            found[i] |= calls(&found, node);
        }
        if found == before {
            return found;
        }
    }
}

/// The last line of defence: in a program without errors everything that contracts say is
/// there, every flow but the inputs has a definition, and no node has an error that was not
/// said. Nobody asks again.
fn complete(
    program: &Program,
    states: &[NodeState],
    dropped: &[Span],
    diagnostics: &mut Diagnostics,
) {
    for span in dropped {
        let message = "this has no meaning here: what it names has no type or no place in the node";
        let help = "give ghost flows a type";
        diagnostics.push(Diagnostic::error(Code::Type, *span, message).help(help));
    }
    for (node, state) in program.nodes.iter().zip(states).filter(|(node, _)| !node.template) {
        if state.broken {
            let message = format!("node `{}` has no meaning", node.name);
            diagnostics.push(Diagnostic::error(Code::Definition, node.span, message));
        }
        let open = |s: &&Stream| s.kind != StreamKind::Input && s.definition.is_none();
        if let Some(stream) = node.streams.iter().find(open) {
            let message = format!("`{}` has no definition", stream.name);
            diagnostics.push(Diagnostic::error(Code::Definition, stream.span, message));
        }
    }
}
