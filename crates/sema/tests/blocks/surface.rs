//! A literal reading of blocks and automata, on the tree that the parser gives.
//!
//! What a part of a node remembers is a [`Memory`], in which the memories of the parts inside
//! are. A part that does not run is not touched; one that begins anew gets an empty memory.
//! Blocks have neither clocks nor sampled flows here: this is the oracle for the translation
//! that makes such of them. (What is sampled in the text is in `clocks.rs`.)
//!
//! A step is repeated until no more flow gets a value, and then done once more to remember what the
//! next one needs. All values are integers; a `pre` at a first step is zero, so programs must
//! not look at that.

mod clocks;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use lustral_syntax::ast::{
    self, Automaton, BinaryOp, BlockKind, Conditional, Declaration, ExprId, ExprKind, Exprs, Item,
    NodeDeclaration, Transition, TypeKind, UnaryOp, Variable,
};

/// What a part remembers.
#[derive(Clone, Default)]
pub struct Memory {
    begun: bool,
    before: HashMap<ExprId, i64>,
    /// Of delays by several steps.
    waiting: HashMap<ExprId, VecDeque<i64>>,
    last: HashMap<u32, i64>,
    /// By place of the block and which of its parts.
    inside: HashMap<(u32, usize), Memory>,
    /// The state of each automaton, and whether it is to begin anew.
    automata: HashMap<u32, (usize, bool)>,
}

/// Which of the memories of a block an expression or part has.
#[derive(Clone, Copy)]
enum Which {
    Part(usize),
    /// The conditions after the first ones of a choice.
    Otherwise(usize),
    /// The strong transitions of a state.
    Strong(usize),
    Call,
    /// A side of a lazy operator.
    Side(usize),
}

impl Which {
    fn key(self) -> usize {
        match self {
            Which::Part(i) => 3 * i,
            Which::Otherwise(i) => 3 * i + 1,
            Which::Strong(i) => 3 * i + 2,
            Which::Call => usize::MAX,
            Which::Side(i) => usize::MAX - 1 - i,
        }
    }
}

/// A program to be run.
pub struct Surface<'a> {
    exprs: &'a Exprs,
    nodes: HashMap<Arc<str>, &'a NodeDeclaration>,
    values: HashMap<Arc<str>, i64>,
}

/// The flows of a node at a step, as far as they are known.
#[derive(Default)]
struct Flows {
    /// By where they are declared.
    known: HashMap<u32, i64>,
    /// What names mean, the innermost last.
    names: Vec<(Arc<str>, u32)>,
    /// The last values that are given, the innermost last.
    last: Vec<(u32, Option<i64>)>,
    /// What was sampled around a branch of `merge`.
    sampled: HashMap<ExprId, Option<i64>>,
}

impl Flows {
    fn key(&self, name: &str) -> Option<u32> {
        self.names.iter().rev().find(|(n, _)| **n == *name).map(|(_, key)| *key)
    }

    fn declare(&mut self, variables: &[Variable]) {
        self.names.extend(variables.iter().map(|v| (v.name.name.clone(), v.name.span.start)));
    }

    fn last(&self, name: &str) -> Option<i64> {
        let key = self.key(name)?;
        self.last.iter().rev().find(|(k, _)| *k == key)?.1
    }

    fn define(&mut self, name: &str, value: Option<i64>) {
        if let (Some(key), Some(value)) = (self.key(name), value) {
            self.known.insert(key, value);
        }
    }
}

/// A part while it takes a step: what it remembered, and what it will.
struct Part<'m> {
    old: &'m Memory,
    new: &'m mut Memory,
}

impl<'a> Surface<'a> {
    pub fn new(tree: &'a ast::Tree) -> Surface<'a> {
        let mut surface =
            Surface { exprs: &tree.exprs, nodes: HashMap::new(), values: HashMap::new() };
        for declaration in &tree.declarations {
            match declaration {
                Declaration::Node(node) => {
                    surface.nodes.insert(node.name.name.clone(), node);
                }
                Declaration::Type(ty) => {
                    if let TypeKind::Enum(values) = &ty.definition.kind {
                        let values = values.iter().map(|v| v.name.clone());
                        surface.values.extend(values.zip(0..));
                    }
                }
                _ => {}
            }
        }
        surface
    }

    /// A step of a node: the values of its outputs and local flows by name.
    pub fn step(&self, node: &str, inputs: &[i64], memory: &mut Memory) -> HashMap<Arc<str>, i64> {
        let node = self.nodes[node];
        let old = std::mem::take(memory);
        let (flows, new) = self.run(node, inputs, &old);
        *memory = new;
        let all = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        let value = |v: &Variable| {
            let known = flows.known.get(&v.name.span.start);
            (v.name.name.clone(), *known.unwrap_or_else(|| panic!("{} has none", v.name.name)))
        };
        all.map(value).collect()
    }

    fn run(&self, node: &'a NodeDeclaration, inputs: &[i64], old: &Memory) -> (Flows, Memory) {
        let mut flows = Flows::default();
        for variables in [&node.inputs, &node.outputs, &node.locals] {
            flows.declare(variables);
        }
        for (input, value) in node.inputs.iter().zip(inputs) {
            flows.known.insert(input.name.span.start, *value);
        }
        loop {
            let before = flows.known.len();
            let mut new = old.clone();
            self.items(&node.items, &mut Part { old, new: &mut new }, &mut flows);
            if flows.known.len() == before {
                return (flows, new);
            }
        }
    }

    fn items(&self, items: &'a [Item], part: &mut Part<'_>, flows: &mut Flows) {
        let given = flows.last.len();
        for item in items {
            let Item::Last(name, value, _) = item else { continue };
            let key = flows.key(&name.name).expect("a flow");
            let first = self.expr(*value, part, flows);
            let last = if part.old.begun { part.old.last.get(&key).copied() } else { first };
            flows.last.push((key, last));
        }
        for item in items {
            match item {
                Item::Equation(equation) => {
                    let value = self.expr(equation.right, part, flows);
                    flows.define(&equation.left[0].name, value);
                }
                Item::Block(block) => self.block(block, part, flows),
                _ => {}
            }
        }
        for (key, _) in flows.last.drain(given..) {
            if let Some(value) = flows.known.get(&key) {
                part.new.last.insert(key, *value);
            }
        }
        part.new.begun = true;
    }

    /// Something takes a step with a memory of its own, perhaps an empty one.
    fn inside<T>(
        &self,
        part: &mut Part<'_>,
        (block, which, anew): (u32, Which, bool),
        run: impl FnOnce(&mut Part<'_>) -> T,
    ) -> T {
        let key = (block, which.key());
        let known = if anew { None } else { part.old.inside.get(&key) };
        let old = known.cloned().unwrap_or_default();
        let mut new = old.clone();
        let found = run(&mut Part { old: &old, new: &mut new });
        new.begun = true;
        part.new.inside.insert(key, new);
        found
    }

    fn block(&self, block: &'a ast::Block, part: &mut Part<'_>, flows: &mut Flows) {
        let at = block.span.start;
        let all = defined(&block.kind);
        match &block.kind {
            BlockKind::Local(local) => self.part(local, &all, part, flows),
            BlockKind::Reset(items, every) => {
                if let Some(every) = self.expr(*every, part, flows) {
                    self.inside(part, (at, Which::Part(0), every != 0), |inner| {
                        self.items(items, inner, flows);
                    });
                }
            }
            BlockKind::Switch(switch) => {
                let Some(chosen) = self.expr(switch.selector, part, flows) else { return };
                let case = |(case, _): &(ExprId, ast::Part)| self.constant(*case) == chosen;
                let case = switch.cases.iter().position(case);
                match case {
                    Some(i) => self.inside(part, (at, Which::Part(i), false), |inner| {
                        self.part(&switch.cases[i].1, &all, inner, flows);
                    }),
                    None => keep(&all, &BTreeSet::new(), flows),
                }
            }
            BlockKind::Conditional(choice) => self.choice(choice, 0, (at, &all), part, flows),
            BlockKind::Automaton(automaton) => self.automaton(automaton, (at, &all), part, flows),
            BlockKind::Frame(frame) => self.frame(frame, part, flows),
        }
    }

    /// A part with flows of its own; what it leaves out of all that its block defines keeps its value.
    fn part(
        &self,
        own: &'a ast::Part,
        all: &BTreeSet<Arc<str>>,
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) {
        keep(all, &defined_in(own), flows);
        let names = flows.names.len();
        flows.declare(&own.locals);
        self.items(&own.items, part, flows);
        flows.names.truncate(names);
    }

    fn choice(
        &self,
        choice: &'a Conditional,
        from: usize,
        (at, all): (u32, &BTreeSet<Arc<str>>),
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) {
        let Some(branch) = choice.branches.get(from) else {
            match &choice.otherwise {
                Some(own) => self.part(own, all, part, flows),
                None => keep(all, &BTreeSet::new(), flows),
            }
            return;
        };
        let Some(chosen) = self.expr(branch.condition, part, flows) else { return };
        let which = if chosen != 0 { Which::Part(from) } else { Which::Otherwise(from) };
        self.inside(part, (at, which, false), |inner| match chosen {
            0 => self.choice(choice, from + 1, (at, all), inner, flows),
            _ => self.part(&branch.part, all, inner, flows),
        });
    }

    fn automaton(
        &self,
        automaton: &'a Automaton,
        (at, all): (u32, &BTreeSet<Arc<str>>),
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) {
        let states = &automaton.states;
        let position = |name: &str| states.iter().position(|s| *s.name.name == *name).expect(name);
        let remembered = part.old.automata.get(&at).copied();
        let (before, pending) = match (remembered, automaton.initially.first()) {
            (Some(remembered), _) => remembered,
            (None, Some((_, name))) => (position(&name.name), false),
            (None, None) => (states.iter().position(|s| s.initial).unwrap_or(0), false),
        };
        // The first transition that can be taken; nothing while a condition is not known.
        let taken = |state: usize, strong: bool, part: &mut Part<'_>, flows: &mut Flows| {
            let tried = states[state].transitions.iter().filter(|t| t.strong == strong);
            let all: Vec<(&Transition, Option<i64>)> =
                tried.map(|t| (t, self.expr(t.condition, part, flows))).collect();
            let known = all.iter().all(|(_, value)| value.is_some());
            let first = all.iter().find(|(_, value)| *value != Some(0)).map(|(t, _)| *t);
            known.then_some(first)
        };
        let strong = self.inside(part, (at, Which::Strong(before), pending), |inner| {
            taken(before, true, inner, flows)
        });
        let Some(strong) = strong else { return };
        let (now, anew) = match strong {
            Some(transition) => (position(&transition.target.name), !transition.history),
            None => (before, pending),
        };
        let own = &states[now].part;
        let weak = self.inside(part, (at, Which::Part(now), anew), |inner| {
            keep(all, &defined_in(own), flows);
            let names = flows.names.len();
            flows.declare(&own.locals);
            self.items(&own.items, inner, flows);
            let weak = taken(now, false, inner, flows);
            flows.names.truncate(names);
            weak
        });
        let next = match weak.flatten() {
            Some(transition) => (position(&transition.target.name), !transition.history),
            None => (now, false),
        };
        part.new.automata.insert(at, next);
    }

    /// A side of a lazy operator takes a step.
    fn side(
        &self,
        id: ExprId,
        (which, side): (usize, ExprId),
        part: &mut Part<'_>,
        flows: &mut Flows,
    ) -> Option<i64> {
        let key = (id.0, Which::Side(which), false);
        self.inside(part, key, |inner| self.expr(side, inner, flows))
    }

    /// A call takes a step.
    fn call(
        &self,
        (id, name): (ExprId, &str),
        values: &[i64],
        anew: bool,
        part: &mut Part<'_>,
    ) -> Option<i64> {
        let node = self.nodes[name];
        self.inside(part, (id.0, Which::Call, anew), |inner| {
            let (found, new) = self.run(node, values, inner.old);
            *inner.new = new;
            found.known.get(&node.outputs[0].name.span.start).copied()
        })
    }

    fn constant(&self, id: ExprId) -> i64 {
        match &self.exprs[id].kind {
            ExprKind::Bool(value) => i64::from(*value),
            ExprKind::Name(name) => self.values[name],
            other => unreachable!("{other:?} is not generated"),
        }
    }

    fn expr(&self, id: ExprId, part: &mut Part<'_>, flows: &mut Flows) -> Option<i64> {
        match &self.exprs[id].kind {
            ExprKind::Bool(value) => Some(i64::from(*value)),
            ExprKind::Int(text) => text.parse().ok(),
            ExprKind::Name(name) => match flows.key(name) {
                Some(key) => flows.known.get(&key).copied(),
                None => Some(self.values[name]),
            },
            ExprKind::Last(flow) => flows.last(&flow.name),
            ExprKind::Unary(UnaryOp::Pre, operand) => {
                if let Some(value) = self.expr(*operand, part, flows) {
                    part.new.before.insert(id, value);
                }
                Some(part.old.before.get(&id).copied().unwrap_or(0))
            }
            ExprKind::Unary(op, operand) => {
                let value = self.expr(*operand, part, flows)?;
                Some(match op {
                    UnaryOp::Not => i64::from(value == 0),
                    UnaryOp::Minus => -value,
                    _ => unreachable!("{op:?} is not generated"),
                })
            }
            ExprKind::Lazy(c, a, b) => {
                let chosen = self.expr(*c, part, flows)? != 0;
                self.side(id, if chosen { (1, *a) } else { (0, *b) }, part, flows)
            }
            ExprKind::Binary(op, a, b) if op.is_lazy() => {
                let left = self.expr(*a, part, flows)?;
                match (op, left) {
                    (BinaryOp::AndThen, 0) => Some(0),
                    (BinaryOp::OrElse, 1) | (BinaryOp::LazyImplies, 0) => Some(1),
                    _ => self.side(id, (0, *b), part, flows),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(*a, part, flows), self.expr(*b, part, flows));
                match op {
                    BinaryOp::Arrow if part.old.begun => right,
                    BinaryOp::Arrow => left,
                    BinaryOp::Fby => {
                        if let Some(value) = right {
                            part.new.before.insert(id, value);
                        }
                        if part.old.begun { part.old.before.get(&id).copied() } else { left }
                    }
                    _ => binary(*op, left?, right?),
                }
            }
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (
                    self.expr(*c, part, flows),
                    self.expr(*a, part, flows),
                    self.expr(*b, part, flows),
                );
                if c? != 0 { a } else { b }
            }
            ExprKind::Call(name, arguments) => {
                let values: Vec<Option<i64>> =
                    arguments.iter().map(|a| self.expr(*a, part, flows)).collect();
                let values: Vec<i64> = values.into_iter().collect::<Option<_>>()?;
                self.call((id, &name.name), &values, false, part)
            }
            ExprKind::When(..) => flows.sampled.get(&id).copied().flatten(),
            ExprKind::Merge(clock, branches) => self.merge(id, (clock, branches), part, flows),
            ExprKind::Activated(of) => self.activated(id, of, part, flows),
            ExprKind::Delayed(e, steps, first) => {
                self.delayed(id, [*e, *steps, *first], part, flows)
            }
            other => unreachable!("{other:?} is not generated"),
        }
    }
}

fn binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Plus => a.wrapping_add(b),
        BinaryOp::Minus => a.wrapping_sub(b),
        BinaryOp::Equal => i64::from(a == b),
        BinaryOp::Less => i64::from(a < b),
        BinaryOp::LessEqual => i64::from(a <= b),
        _ => unreachable!("{op:?} is not generated"),
    })
}

/// Flows that a part leaves out keep their values.
fn keep(all: &BTreeSet<Arc<str>>, own: &BTreeSet<Arc<str>>, flows: &mut Flows) {
    for name in all.difference(own) {
        let last = flows.last(name);
        flows.define(name, last);
    }
}

/// What a block defines.
fn defined(block: &BlockKind) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    for (locals, items) in block.parts() {
        found.extend(defined_by(locals, items));
    }
    found
}

fn defined_in(part: &ast::Part) -> BTreeSet<Arc<str>> {
    defined_by(&part.locals, &part.items)
}

fn defined_in_items(items: &[Item]) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    for item in items {
        match item {
            Item::Equation(equation) => {
                found.insert(equation.left[0].name.clone());
            }
            // A frame defines all its flows.
            Item::Block(ast::Block { kind: BlockKind::Frame(frame), .. }) => {
                found.extend(frame.flows.iter().map(|flow| flow.name.clone()));
            }
            Item::Block(block) => found.extend(defined(&block.kind)),
            _ => {}
        }
    }
    found
}

fn defined_by(locals: &[Variable], items: &[Item]) -> BTreeSet<Arc<str>> {
    let mut found = defined_in_items(items);
    locals.iter().for_each(|local| {
        found.remove(&local.name.name);
    });
    found
}
