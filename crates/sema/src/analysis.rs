//! What is known of a program, whether it is whole or not: what is wrong with one
//! part says nothing of the others.

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, SourceMap, Span, ast};

use crate::program::{NodeId, Program, Stream, StreamId, StreamKind};
use crate::resolve;
use crate::types::Type;
use crate::{causality, clocks, guards};

/// A program with all that was found out about it.
pub struct Analysis {
    program: Program,
    /// What stands beside each node of the program.
    nodes: Vec<NodeState>,
    diagnostics: Diagnostics,
}

/// What is known of a node beside its meaning.
struct NodeState {
    types: Vec<Option<Type>>,
    broken: bool,
}

impl Analysis {
    /// Resolves and checks a program, of whose trees some may be broken.
    #[must_use]
    pub fn new(sources: &SourceMap, ast: &ast::Program) -> Analysis {
        let mut diagnostics = Diagnostics::new();
        let (env, mut program) = resolve::declare(sources, ast, &mut diagnostics);
        let mut nodes = Vec::new();
        let mut states = Vec::new();
        let mut dropped = Vec::new();
        let mut values = Vec::new();
        for (i, (tree, node)) in ast.nodes().enumerate() {
            let id = NodeId(i as u32);
            let which = resolve::Which::Declared(id);
            let found = resolve::resolve_node(sources, (&env, &program), ast, (tree, node), which);
            found.diagnostics.iter().for_each(|d| diagnostics.push(d.clone()));
            dropped.extend(found.dropped.filter(|_| !found.node.template));
            nodes.push(found.node);
            states.push(NodeState { types: found.types, broken: found.broken });
            values.extend(found.values.map(|values| (id, values)));
        }
        // Those for values of constant inputs may ask for others; at last those that nobody
        // has asked for are there for all their values.
        let mut next = 0;
        while let Some(special) = env.specialised(next).or_else(|| {
            let asked = |id: NodeId| nodes.iter().any(|node| node.of == Some(id));
            for (id, values) in std::mem::take(&mut values) {
                if !asked(id) {
                    let known = (&env, &program);
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
            // The same is wrong with many of them.
            diagnostics.push_new(&found.diagnostics);
            dropped.extend(found.dropped);
            nodes.push(found.node);
            states.push(NodeState { types: found.types, broken: found.broken });
        }
        program.nodes = nodes;
        program.number_functions();
        resolve::order_nodes(&mut program, &mut diagnostics);
        // What calls a node that is nothing without the values of its constant inputs is
        // nothing without its own.
        for id in program.callees_first.clone() {
            let calls = &program.node(id).calls;
            if calls.iter().any(|call| program.node(call.callee).template) {
                program.nodes[id.index()].template = true;
                states[id.index()].broken = true;
            }
        }
        let readable = !ast.incomplete && ast.trees.iter().all(|t| !t.diagnostics.has_errors());
        if readable {
            // What could not be read may have called them.
            resolve::templates_of_nobody(&program, &mut diagnostics);
        }
        resolve::candidates_of_nobody(&env, ast, &mut diagnostics);
        let whole = |id: NodeId| !states[id.index()].broken;
        for id in clocks::check(&mut program, whole, &mut diagnostics) {
            states[id.index()].broken = true;
        }
        let whole = |id: NodeId| !states[id.index()].broken;
        causality::check(&program, whole, &mut diagnostics);
        guards::check(&program, whole, &mut diagnostics);
        if readable && !diagnostics.has_errors() {
            complete(&program, &dropped, &mut diagnostics);
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

/// The last line of defence: in a program without errors everything that contracts say is
/// there, and every flow but the inputs has a definition. Nobody asks again.
fn complete(program: &Program, dropped: &[Span], diagnostics: &mut Diagnostics) {
    for span in dropped {
        let message = "this has no meaning here: what it names has no type or no place in the node";
        let help = "give ghost flows a type";
        diagnostics.push(Diagnostic::error(Code::Type, *span, message).help(help));
    }
    for node in program.nodes.iter().filter(|node| !node.template) {
        let open = |s: &&Stream| s.kind != StreamKind::Input && s.definition.is_none();
        if let Some(stream) = node.streams.iter().find(open) {
            let message = format!("`{}` has no definition", stream.name);
            diagnostics.push(Diagnostic::error(Code::Definition, stream.span, message));
        }
    }
}
