//! Explicit search: all states of a finite program, by the interpreter.

use std::collections::{BTreeSet, HashMap};

use lustral_sema::interp::{Choices, Machine, Open, State, Undefined, default_value};
use lustral_sema::program::{ExprId, ExprKind, Node};
use lustral_sema::{InstanceId, Program, Type, Value};

use crate::frontend::Unit;
use crate::values::all;

/// Steps of the interpreter that a search may take.
const MOST_STEPS: usize = 20_000;

/// Steps up to which it is asked whether all executions have ended.
pub const HORIZON: usize = 15;

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The first step at which each property fails in some execution.
    pub fails: Vec<Option<usize>>,
    /// The first step that no execution has, up to [`HORIZON`].
    pub blocks: Option<usize>,
}

/// Searches all states; nothing if there are too many.
#[must_use]
pub fn search(unit: &Unit) -> Option<Found> {
    let mut search = Search::new(unit)?;
    let initial = Machine::new(&unit.program, &unit.tree).state();
    let mut level = search.successors(&initial, 0)?;
    let first: BTreeSet<usize> = level.iter().copied().collect();
    let mut step = 1;
    while !level.is_empty() {
        let mut next = Vec::new();
        for index in level {
            if search.edges[index].is_none() {
                let state = search.states[index].clone();
                let found = search.successors(&state, step)?;
                search.edges[index] = Some(found.iter().copied().collect());
                next.extend(found);
            }
        }
        level = next;
        step += 1;
    }
    let blocks = search.blocks(first);
    Some(Found { fails: search.fails, blocks })
}

struct Search<'u> {
    unit: &'u Unit,
    machine: Machine<'u>,
    inputs: Vec<Vec<Value>>,
    /// The values of the arbitrary first values that may matter.
    free: HashMap<Open, Vec<Value>>,
    states: Vec<State>,
    known: HashMap<State, usize>,
    /// The successors of each state that was looked at.
    edges: Vec<Option<BTreeSet<usize>>>,
    fails: Vec<Option<usize>>,
    steps: usize,
}

impl<'u> Search<'u> {
    fn new(unit: &'u Unit) -> Option<Search<'u>> {
        let root = unit.tree.node(&unit.program, InstanceId::ROOT);
        let leaves = root.leaves(root.input_ids());
        let domains =
            leaves.map(|(stream, leaf)| domain(&unit.program, root.stream(stream).ty.leaf(leaf)));
        let inputs = combinations(&domains.collect::<Option<Vec<_>>>()?)?;
        let mut free = HashMap::new();
        for id in unit.tree.ids() {
            let node = unit.tree.node(&unit.program, id);
            for expr in unguarded(node) {
                let ty = &node.exprs[expr].ty;
                for leaf in 0..ty.leaves() {
                    let values = domain(&unit.program, ty.leaf(leaf))?;
                    free.insert(Open { instance: id, expr, leaf }, values);
                }
            }
        }
        Some(Search {
            unit,
            machine: Machine::new(&unit.program, &unit.tree),
            inputs,
            free,
            states: Vec::new(),
            known: HashMap::new(),
            edges: Vec::new(),
            fails: vec![None; unit.properties.len()],
            steps: 0,
        })
    }

    /// The states after a step from a state, with all first values that are asked for;
    /// nothing if there have been too many steps.
    fn successors(&mut self, from: &State, step: usize) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for position in 0..self.inputs.len() {
            let mut given = Given { free: std::mem::take(&mut self.free), asked: Vec::new() };
            let mut more = true;
            while more && self.steps < MOST_STEPS {
                self.steps += 1;
                self.machine.resume(from);
                self.machine.step(&self.inputs[position], &mut given);
                found.extend(self.observe(step));
                more = given.next();
            }
            self.free = given.free;
            if more {
                return None;
            }
        }
        Some(found)
    }

    /// The state after the step just taken, if that is one of an execution.
    fn observe(&mut self, step: usize) -> Option<usize> {
        if self.machine.failed_assertion().is_some() {
            return None;
        }
        for (property, fails) in self.unit.properties.iter().zip(&mut self.fails) {
            if fails.is_none() && !self.machine.holds(property) {
                *fails = Some(step);
            }
        }
        let state = self.machine.state();
        let next = self.states.len();
        let index = *self.known.entry(state.clone()).or_insert(next);
        if index == next {
            self.states.push(state);
            self.edges.push(None);
        }
        Some(index)
    }

    /// The first step that no execution has.
    fn blocks(&self, first: BTreeSet<usize>) -> Option<usize> {
        let mut level = first;
        for step in 0..=HORIZON {
            if level.is_empty() {
                return Some(step);
            }
            let edges = level.iter().filter_map(|i| self.edges[*i].as_ref());
            level = edges.flatten().copied().collect();
        }
        None
    }
}

fn domain(program: &Program, ty: &Type) -> Option<Vec<Value>> {
    (!matches!(ty, Type::Int | Type::Real)).then(|| all(program, ty))
}

/// One value of each list, in all ways; nothing if these are too many.
fn combinations(lists: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let mut result = vec![Vec::new()];
    for list in lists {
        let with = |known: &Vec<Value>| {
            let known = known.clone();
            list.iter().map(move |v| [&known[..], std::slice::from_ref(v)].concat())
        };
        result = result.iter().flat_map(with).collect();
        if result.len() > MOST_STEPS {
            return None;
        }
    }
    Some(result)
}

/// The `pre` whose first values may reach something: those that are not on the
/// right of `->`. Found by a walk of its own, not with what is under test.
fn unguarded(node: &Node) -> BTreeSet<ExprId> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let definitions = node.streams.iter().filter_map(|s| s.definition);
    let asserts = node.asserts.iter().map(|a| a.expr);
    let properties = node.properties.iter().map(|p| p.expr);
    let arguments = node.calls.iter().flat_map(|c| c.args.iter().copied());
    let clocks = node.scopes.iter().flat_map(|s| s.activation.into_iter().chain(s.reset));
    let clauses = node.clauses.iter().map(|c| c.expr);
    let stated = asserts.chain(properties).chain(clauses);
    let roots = definitions.chain(stated).chain(arguments).chain(clocks);
    let mut stack: Vec<(ExprId, bool)> = roots.map(|e| (e, false)).collect();
    while let Some((id, guarded)) = stack.pop() {
        if !seen.insert((id, guarded)) {
            continue;
        }
        match &node.exprs[id].kind {
            ExprKind::Arrow(a, b) => stack.extend([(*a, guarded), (*b, true)]),
            ExprKind::Fby(a, b) => stack.extend([(*a, guarded), (*b, false)]),
            ExprKind::Pre(operand) => {
                if !guarded {
                    found.insert(id);
                }
                stack.push((*operand, false));
            }
            // What is held or sampled is of another clock, whose first steps are others.
            ExprKind::Held(..) | ExprKind::When(..) | ExprKind::Merge(..) => {
                // What is held before there is a value may matter long after the first step.
                if matches!(node.exprs[id].kind, ExprKind::Held(_, None)) {
                    found.insert(id);
                }
                node.exprs.present_operands(id, |operand| stack.push((operand, false)));
            }
            _ => node.exprs.present_operands(id, |operand| stack.push((operand, guarded))),
        }
    }
    found
}

/// The first values of a step, one way after another; those that do not matter are plain.
struct Given {
    free: HashMap<Open, Vec<Value>>,
    /// Those that were asked for, each with the position of the value that is given now.
    asked: Vec<(Open, usize)>,
}

impl Given {
    /// Goes on to the next way; false after the last one. What is asked for may depend
    /// on what was given before, so what comes later is forgotten.
    fn next(&mut self) -> bool {
        while let Some((place, position)) = self.asked.pop() {
            if position + 1 < self.free[&place].len() {
                self.asked.push((place, position + 1));
                return true;
            }
        }
        false
    }
}

impl Choices for Given {
    fn first_value(&mut self, pre: Open, _: usize, ty: &Type) -> Value {
        let Some(values) = self.free.get(&pre) else { return default_value(ty) };
        let known = self.asked.iter().find(|(place, _)| *place == pre);
        let position = known.map_or(0, |(_, position)| *position);
        if known.is_none() {
            self.asked.push((pre, 0));
        }
        values[position].clone()
    }

    /// A finite program has such an element only where it does not matter.
    fn any_value(&mut self, _: Open, _: usize, ty: &Type) -> Value {
        default_value(ty)
    }

    /// Nor what a function reads outside of an array, which is a function of its inputs: no other
    /// function without a body is in such a program.
    fn apply(&mut self, _: u32, _: &[(&Type, Value)], ty: &Type) -> Value {
        default_value(ty)
    }

    fn division_by_zero(&mut self, _: Undefined, _: &Value) -> Value {
        panic!("a finite program divides by zero")
    }
}
