//! The clauses of a program, node by node.
//!
//! ```text
//! (i)   later step of the body of N, T_M for each call of M   ⇒ T_N(in, out, before, after)
//! (ii)  first step of the body of N, I_M for each call of M   ⇒ I_N(in, out, after)
//! (iii) I_root(in, out, s)                                    ⇒ Main(in, out, s)
//! (iv)  Main(_, _, s) ∧ T_root(in, out, s, t)                 ⇒ Main(in, out, t)
//! (v)   Main(in, out, s) ∧ ¬properties                        ⇒ false
//!       I_N(_, _, s) ⇒ Inv_N(s)        Inv_N(s) ∧ T_N(_, _, s, t) ⇒ Inv_N(t)
//! ```
//!
//! Assertions of a node are in the bodies of its clauses (i) and (ii): a step
//! that violates one is no step of the node, so none of its callers either, and
//! no execution has it. The arbitrary first values of `pre` are variables of
//! clause (ii). Properties are flows that are only known inside, so a node in
//! whose instances some count has one more output, a flag that says that they
//! all hold. The bounds of inputs are stated, and those of memories, where they
//! follow from the clauses for every state that is reached; that a value of an
//! enumeration is one is known by its sort.

use lustral_system::{Modular, StreamRole};
use lustral_term::{Sort, TermId, VarId};

use crate::body::Rule;
use crate::clauses::{Application, Argument, Clauses, Signature};
use crate::select::Selection;

/// The clauses of a program with what their predicates are about.
#[derive(Clone, Debug)]
pub struct ModularClauses {
    /// The clauses. Those of node N are `2 * N` (first step) and `2 * N + 1`.
    pub clauses: Clauses,
    /// By node.
    pub nodes: Vec<NodePredicates>,
    /// The properties that count.
    pub selection: Selection,
    /// The predicate of the steps that the program reaches. Its arguments are
    /// those of the root's `initial`.
    pub main: usize,
}

/// The predicates of a node.
#[derive(Clone, Debug)]
pub struct NodePredicates {
    /// `I_N`: the first step.
    pub initial: usize,
    /// The arguments of `I_N`.
    pub initial_places: Vec<Place>,
    /// `T_N`: a later step.
    pub step: usize,
    /// The arguments of `T_N`.
    pub step_places: Vec<Place>,
    /// `Inv_N`: the states after some steps, if it is asked for. Its arguments
    /// are the parts of the state.
    pub invariant: Option<usize>,
}

/// What an argument of a predicate is, in the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// An input or output.
    Flow(VarId),
    /// The flag that says that the properties hold.
    Flag,
    /// A part of the state before the step, by position.
    Before(usize),
    /// A part of the state after the step, by position.
    After(usize),
}

impl ModularClauses {
    /// The clauses (i) to (v), and those of `Inv` if the states of nodes are asked for.
    #[must_use]
    pub fn new(modular: &Modular, selection: &Selection, states: bool) -> ModularClauses {
        let mut build =
            Build { modular, selection, clauses: Clauses::default(), nodes: Vec::new() };
        for node in 0..modular.nodes.len() {
            build.declare(node, states);
        }
        let main = build.declare_main();
        for node in 0..modular.nodes.len() {
            for first in [true, false] {
                let clause = Rule::new(&mut build, node, first).clause();
                build.clauses.clauses.push(clause);
            }
        }
        build.main_clauses(main);
        for node in 0..modular.nodes.len() {
            build.state_clauses(node);
        }
        let selection = selection.clone();
        ModularClauses { clauses: build.clauses, nodes: build.nodes, selection, main }
    }
}

/// Clauses in the making.
pub(crate) struct Build<'m> {
    pub modular: &'m Modular,
    pub selection: &'m Selection,
    pub clauses: Clauses,
    pub nodes: Vec<NodePredicates>,
}

impl Build<'_> {
    fn declare(&mut self, node: usize, states: bool) {
        let known = &self.modular.nodes[node];
        let flows = known.flows(StreamRole::Input).chain(known.flows(StreamRole::Output));
        let mut common: Vec<Place> = flows.map(Place::Flow).collect();
        if self.selection.is_flagged(node) {
            common.push(Place::Flag);
        }
        let slots = 0..known.state.len();
        let after: Vec<Place> = slots.clone().map(Place::After).collect();
        let before = slots.map(Place::Before);
        let step_places: Vec<Place> =
            common.iter().copied().chain(before).chain(after.clone()).collect();
        let initial_places: Vec<Place> = common.into_iter().chain(after.clone()).collect();
        let (name, place, number) = (&known.name, &known.place, node + 1);
        let about = |what: &str| format!("{what} of node {name}, {place}");
        let initial =
            self.predicate(node, format!("I_{number}"), about("the first step"), &initial_places);
        let step = self.predicate(node, format!("T_{number}"), about("a later step"), &step_places);
        let invariant = states.then(|| {
            self.predicate(node, format!("Inv_{number}"), about("a state after some steps"), &after)
        });
        self.nodes.push(NodePredicates { initial, initial_places, step, step_places, invariant });
    }

    fn declare_main(&mut self) -> usize {
        let root = self.modular.root();
        let places = self.nodes[root].initial_places.clone();
        let about = format!("a step of the program, node {}", self.modular.nodes[root].name);
        self.predicate(root, "Main".into(), about, &places)
    }

    fn predicate(&mut self, node: usize, name: String, about: String, places: &[Place]) -> usize {
        let arguments = places.iter().map(|place| self.argument(node, *place)).collect();
        self.clauses.predicates.push(Signature { name, arguments, about });
        self.clauses.predicates.len() - 1
    }

    fn argument(&self, node: usize, place: Place) -> Argument {
        let (modular, known) = (self.modular, &self.modular.nodes[node]);
        let slot = |slot: usize, when: &str| {
            let slot = known.state[slot];
            let (owner, var) = modular.memory(node, slot);
            let line = &modular.nodes[owner].places[var.index()];
            let sort = modular.slot_variable(node, slot).sort;
            let name = modular.short_slot_name(node, slot);
            let about = format!("{when} the step: {name}, {line}");
            Argument { sort, about }
        };
        match place {
            Place::Flow(var) => {
                let variable = known.system.variable(var);
                let input = known.flows(StreamRole::Input).any(|v| v == var);
                let role = if input { "input" } else { "output" };
                let line = &known.places[var.index()];
                let about = format!("{role} {}, {line}", variable.name);
                Argument { sort: variable.sort, about }
            }
            Place::Flag => {
                let own = self.selection.own[node].iter();
                let mut names: Vec<String> =
                    own.map(|p| known.system.properties[*p].name.clone()).collect();
                let calls = self.selection.calls[node].iter();
                names.extend(calls.map(|c| known.system.instances[c + 1].path.clone() + ".…"));
                let about = format!("whether these hold: {}", names.join(", "));
                Argument { sort: Sort::Bool, about }
            }
            Place::Before(i) => slot(i, "before"),
            Place::After(i) => slot(i, "after"),
        }
    }

    /// A predicate of new variables.
    fn fresh(&mut self, predicate: usize, prefix: char) -> Application {
        let sorts: Vec<Sort> =
            self.clauses.predicates[predicate].arguments.iter().map(|a| a.sort).collect();
        let arguments = sorts.iter().map(|s| self.clauses.variable(prefix, *s)).collect();
        Application { predicate, arguments }
    }

    fn main_clauses(&mut self, main: usize) {
        let root = self.modular.root();
        let NodePredicates { initial, step, ref step_places, .. } = self.nodes[root];
        let places = step_places.clone();
        let now = self.fresh(initial, 'm');
        let head = Application { predicate: main, arguments: now.arguments.clone() };
        self.clauses.push("(iii) the program begins", vec![now], Vec::new(), Some(head));

        let later = self.fresh(step, 'm');
        let pick = |wanted: fn(&Place) -> bool| -> Vec<TermId> {
            let chosen = places.iter().zip(&later.arguments).filter(|(p, _)| wanted(p));
            chosen.map(|(_, term)| *term).collect()
        };
        let before = pick(|p| matches!(p, Place::Before(_)));
        let after = pick(|p| !matches!(p, Place::Before(_)));
        let mut previous = self.fresh(main, 'm');
        let flows = previous.arguments.len() - before.len();
        previous.arguments.splice(flows.., before);
        let head = Application { predicate: main, arguments: after };
        self.clauses.push(
            "(iv) the program goes on",
            vec![previous, later],
            Vec::new(),
            Some(head),
        );

        let now = self.fresh(main, 'm');
        let flag = self.nodes[root].initial_places.iter().position(|p| *p == Place::Flag);
        if let Some(flag) = flag {
            let fails = self.clauses.terms.not(now.arguments[flag]);
            self.clauses.push("(v) a property fails", vec![now], vec![fails], None);
        }
    }

    fn state_clauses(&mut self, node: usize) {
        let NodePredicates { initial, step, invariant: Some(invariant), .. } = self.nodes[node]
        else {
            return;
        };
        let size = self.modular.nodes[node].state.len();
        let name = self.modular.nodes[node].name.clone();
        let first = self.fresh(initial, 'm');
        let after = first.arguments[first.arguments.len() - size..].to_vec();
        let head = Application { predicate: invariant, arguments: after };
        self.clauses.push(
            &format!("states of node {name} after its first step"),
            vec![first],
            Vec::new(),
            Some(head),
        );
        let later = self.fresh(step, 'm');
        let states = later.arguments[later.arguments.len() - 2 * size..].to_vec();
        let (before, after) = states.split_at(size);
        let previous = Application { predicate: invariant, arguments: before.to_vec() };
        let head = Application { predicate: invariant, arguments: after.to_vec() };
        let about = format!("states of node {name} after a later step");
        self.clauses.push(&about, vec![previous, later], Vec::new(), Some(head));
    }
}
