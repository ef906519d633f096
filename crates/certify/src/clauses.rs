//! The nodes of a program as Horn clauses, and what passed as a model of them.
//!
//! The clauses are trusted: [`NodeClauses`] are made here from the program only,
//! by `flow` and `horn`. Where they hold with some definitions, each definition
//! holds of the steps and states that its predicate is about: of `I_N` and `T_N`
//! by induction over the depth of calls, of `Inv_N` and `Main` by induction over
//! the steps.

use std::ops::Deref;
use std::sync::Arc;

use lustral_flow::places;
use lustral_horn::{
    Application, Argument, Clauses, Definition, Model, ModularClauses, Selection, Signature,
};
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_sema::NodeId;
use lustral_sema::instances::{Wanted, node_properties};
use lustral_syntax::Span;
use lustral_system::{Modular, ModularNode, TooLarge};
use lustral_term::{Sort, TermId, Terms, Translation};

use crate::{Checked, Nodes, ProofChecker, Rejected};

/// Why a program is not looked at node by node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotModular {
    /// The states of the nodes are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A node has parts with a clock of their own.
    #[error(transparent)]
    Clocked(#[from] Clocked),
}

/// The nodes below one root with the layout of their states, which is a
/// [`Modular`] to read.
#[derive(Debug)]
pub struct CutProgram {
    nodes: Arc<Nodes>,
    modular: Modular,
}

impl Deref for CutProgram {
    type Target = Modular;

    fn deref(&self) -> &Modular {
        &self.modular
    }
}

impl CutProgram {
    /// The nodes below a root. `place` says for people where something stands in
    /// the text.
    ///
    /// # Errors
    /// If the states of the nodes are too large, or a node has inner clocks.
    pub fn below(
        kernel: &Arc<Kernel>,
        root: NodeId,
        wanted: Wanted,
        place: &dyn Fn(Span) -> String,
    ) -> Result<CutProgram, NotModular> {
        let stated = |node, _: &_| node_properties(&kernel.typed, node, root, wanted);
        let nodes = Nodes::below(kernel, &[root], stated)?;
        let laid = |(node, id): (usize, &NodeId)| {
            let unit = nodes.unit(node);
            ModularNode {
                name: nodes.name(node).to_string(),
                place: place(kernel.node(*id).span),
                system: unit.system.clone(),
                calls: nodes.calls(node).to_vec(),
                places: places(kernel, &unit.tree, &unit.system, place),
                state: Vec::new(),
            }
        };
        let mut modular = Modular { nodes: nodes.order().iter().enumerate().map(laid).collect() };
        modular.lay_out()?;
        Ok(CutProgram { nodes: Arc::new(nodes), modular })
    }

    /// The nodes.
    #[must_use]
    pub fn cut_nodes(&self) -> &Arc<Nodes> {
        &self.nodes
    }
}

/// The clauses of a program, node by node, for some of its properties.
#[derive(Debug)]
pub struct NodeClauses {
    program: Arc<CutProgram>,
    clauses: ModularClauses,
}

impl Deref for NodeClauses {
    type Target = ModularClauses;

    fn deref(&self) -> &ModularClauses {
        &self.clauses
    }
}

/// Definitions of the predicates of a program's clauses. As [`Checked`], they are
/// a model of all clauses that have a head.
#[derive(Clone, Debug)]
pub struct NodeModel {
    clauses: Arc<NodeClauses>,
    model: Model,
    /// Whether the other clauses hold too: then so do the properties.
    properties: bool,
}

impl NodeModel {
    /// The definitions.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Whether the properties of the clauses follow.
    #[must_use]
    pub fn proves_properties(&self) -> bool {
        self.properties
    }

    /// The definitions as functions of SMT-LIB 2.
    #[must_use]
    pub fn smt2(&self) -> String {
        self.model.smt2(&self.clauses.clauses.clauses)
    }
}

/// Parts of the definitions of one node's predicates.
#[derive(Clone, Default, Debug)]
pub struct Parts {
    /// Of `I_N`: what holds at the first step.
    pub first: PartList,
    /// Of `T_N`: what holds at later steps, from states that are reached.
    pub later: PartList,
    /// Of `Inv_N`: what holds of the states that are reached.
    pub states: PartList,
    /// Of `Main`, if the node is the root: what holds at every step.
    pub main: Option<PartList>,
}

/// Parts of a definition. Variables are positions among the arguments of the
/// predicate.
#[derive(Clone, Default, Debug)]
pub struct PartList {
    /// The arena.
    pub terms: Terms,
    /// The parts.
    pub parts: Vec<TermId>,
}

/// What holds of a node, part by part. As [`Checked`], it follows from a model.
#[derive(Clone, Debug)]
pub struct NodeSummary {
    clauses: Arc<NodeClauses>,
    node: usize,
    parts: Parts,
}

impl NodeSummary {
    /// The program, node by node.
    #[must_use]
    pub fn program(&self) -> &CutProgram {
        &self.clauses.program
    }

    /// Its clauses.
    #[must_use]
    pub fn clauses(&self) -> &NodeClauses {
        &self.clauses
    }

    /// The node, by its position.
    #[must_use]
    pub fn node(&self) -> usize {
        self.node
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &Parts {
        &self.parts
    }
}

impl NodeClauses {
    /// The clauses of some properties of a program, with predicates for the
    /// states of its nodes.
    #[must_use]
    pub fn new(program: &Arc<CutProgram>, selection: &Selection) -> Arc<NodeClauses> {
        let clauses = ModularClauses::new(&program.modular, selection, true);
        Arc::new(NodeClauses { program: program.clone(), clauses })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<CutProgram> {
        &self.program
    }

    /// Checks that the clauses with a head hold with some definitions; those
    /// without, which say that properties hold, too if that is asked for.
    ///
    /// # Errors
    /// If a clause does not hold, or the solver cannot tell.
    pub fn check(
        self: &Arc<Self>,
        checker: &mut ProofChecker,
        model: Model,
        properties: bool,
    ) -> Result<Checked<NodeModel>, Rejected> {
        checker.check_model(&self.clauses.clauses, &model, properties)?;
        let root = self.program.modular.nodes[self.program.root()].name.clone();
        Ok(Checked::of_node(root, NodeModel { clauses: self.clone(), model, properties }))
    }
}

impl Checked<NodeModel> {
    /// Checks that parts follow from the definitions of a node's predicates.
    ///
    /// # Errors
    /// If they do not, or the solver cannot tell.
    pub fn describe(
        &self,
        checker: &mut ProofChecker,
        node: usize,
        parts: Parts,
    ) -> Result<Checked<NodeSummary>, Rejected> {
        let NodeModel { clauses, model, .. } = &self.answer;
        let modular = &clauses.program.modular;
        let predicates = &clauses.nodes[node];
        let invariant = predicates.invariant.ok_or_else(|| {
            Rejected::Malformed("nothing is known of the states that are reached".into())
        })?;
        let mut follows = |predicate: usize, before: Option<usize>, list: &PartList| {
            let mut claim = Claim::new(&clauses.clauses.clauses, model, predicate);
            if let Some(before) = before {
                claim.given(invariant, before);
            }
            claim.check(checker, list)
        };
        let flows = predicates.initial_places.len() - modular.nodes[node].state.len();
        follows(predicates.initial, None, &parts.first)?;
        follows(predicates.step, Some(flows), &parts.later)?;
        follows(invariant, None, &parts.states)?;
        match &parts.main {
            Some(_) if node != modular.root() => {
                return Err(Rejected::Malformed("`Main` is about the root".into()));
            }
            Some(main) => follows(clauses.main, None, main)?,
            None => {}
        }
        Ok(self.summary(node, parts))
    }

    /// The definitions of a node's predicates as they are, part by part: what
    /// there is to show where there is no time to choose.
    #[must_use]
    pub fn as_it_is(&self, node: usize) -> Checked<NodeSummary> {
        let NodeModel { clauses, model, .. } = &self.answer;
        let list = |predicate: usize| {
            let definition = &model.definitions[predicate];
            PartList { terms: definition.terms.clone(), parts: definition.conjuncts() }
        };
        let predicates = &clauses.nodes[node];
        let is_root = node == clauses.program.root();
        let parts = Parts {
            first: list(predicates.initial),
            later: list(predicates.step),
            states: predicates.invariant.map(list).unwrap_or_default(),
            main: is_root.then(|| list(clauses.main)),
        };
        self.summary(node, parts)
    }

    fn summary(&self, node: usize, parts: Parts) -> Checked<NodeSummary> {
        let clauses = self.answer.clauses.clone();
        let name = clauses.program.modular.nodes[node].name.clone();
        Checked::of_node(name, NodeSummary { clauses, node, parts })
    }
}

/// That parts follow from definitions: one more clause, whose head they define.
struct Claim {
    clauses: Clauses,
    model: Model,
    body: Vec<Application>,
    arguments: Vec<TermId>,
}

impl Claim {
    /// From the definition of a predicate, of any arguments.
    fn new(clauses: &Clauses, model: &Model, predicate: usize) -> Claim {
        let predicates = clauses.predicates.clone();
        let mut clauses = Clauses { predicates, ..Clauses::default() };
        let sorts = clauses.predicates[predicate].arguments.iter().map(|a| a.sort);
        let sorts: Vec<Sort> = sorts.collect();
        let arguments: Vec<TermId> =
            sorts.into_iter().map(|sort| clauses.variable('a', sort)).collect();
        let body = vec![Application { predicate, arguments: arguments.clone() }];
        Claim { clauses, model: model.clone(), body, arguments }
    }

    /// And from that of another, of the arguments from some position on.
    fn given(&mut self, predicate: usize, from: usize) {
        let count = self.clauses.predicates[predicate].arguments.len();
        let arguments = self.arguments[from..from + count].to_vec();
        self.body.push(Application { predicate, arguments });
    }

    fn check(
        mut self,
        checker: &mut ProofChecker,
        PartList { terms, parts }: &PartList,
    ) -> Result<(), Rejected> {
        let Some(defined) = self.body.first().map(|a| a.predicate) else { return Ok(()) };
        if parts.is_empty() {
            return Ok(());
        }
        let mut definition = Definition::always();
        let mut translation = Translation::new();
        let copies: Vec<TermId> = parts
            .iter()
            .map(|part| {
                translation.apply(terms, &mut definition.terms, *part, |terms, var, sort| {
                    terms.variable(var, sort)
                })
            })
            .collect();
        definition.term = definition.terms.and(copies);
        let arguments: Vec<Argument> = self.clauses.predicates[defined].arguments.clone();
        let head = self.clauses.predicates.len();
        let (name, about) = ("Parts".into(), String::new());
        self.clauses.predicates.push(Signature { name, arguments, about });
        self.model.definitions.push(definition);
        let head = Application { predicate: head, arguments: self.arguments };
        self.clauses.push("parts of a definition", self.body, Vec::new(), Some(head));
        checker.check_model(&self.clauses, &self.model, false)
    }
}
