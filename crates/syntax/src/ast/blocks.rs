//! Blocks: parts of a body that hold equations of their own, and define flows by
//! what is chosen at each step. They are nested at most [`super::DEEPEST`] deep, so
//! that walks over them may recurse.

use crate::ast::{Equation, ExprId, Ident, Item, Variable};
use crate::source::Span;

/// A block of a body.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// The place of the whole block.
    pub span: Span,
}

impl Block {
    /// An equation whose value begins anew at some steps, if it does.
    pub(crate) fn resetting(equation: Item, every: Option<ExprId>, span: Span) -> Item {
        match every {
            Some(every) => {
                Item::Block(Block { kind: BlockKind::Reset(vec![equation], every), span })
            }
            None => equation,
        }
    }
}

/// What a block is.
#[derive(Clone, Debug)]
pub enum BlockKind {
    /// `if c then … elsif d then … else … fi`, `when c then … else … end`, `cond`
    Conditional(Conditional),
    /// `frame (x, y) x = e; let … tel`
    Frame(Frame),
    /// `switch e | A do … | B do … end`
    Switch(Switch),
    /// `automaton state A do … until c then B … end`
    Automaton(Automaton),
    /// `reset … every c`
    Reset(Vec<Item>, ExprId),
    /// `do … done` or `var x: t; let … tel` in a body: flows that only it sees
    Local(Part),
}

/// Branches of which the first counts whose condition holds.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Whether what is not chosen takes no step.
    pub lazy: bool,
    /// The branches in the order of the text.
    pub branches: Vec<Branch>,
    /// What counts where no condition holds; nothing is defined there if it is
    /// missing.
    pub otherwise: Option<Part>,
    /// The flows that it says it defines, where it says so (SCADE).
    pub returns: Vec<Ident>,
}

/// A branch.
#[derive(Clone, Debug)]
pub struct Branch {
    /// When it counts.
    pub condition: ExprId,
    /// What it says.
    pub part: Part,
}

/// The inside of a block.
#[derive(Clone, Debug)]
pub struct Part {
    /// The flows that only it sees.
    pub locals: Vec<Variable>,
    /// What it says.
    pub items: Vec<Item>,
    /// Where it stands.
    pub span: Span,
}

/// A block whose flows keep their values where nothing defines them.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The flows that it defines.
    pub flows: Vec<Ident>,
    /// Their values before there is one to keep.
    pub initial: Vec<Equation>,
    /// What it says.
    pub items: Vec<Item>,
}

/// A choice by the value of an expression.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The expression.
    pub selector: ExprId,
    /// What each value means, and what is said then.
    pub cases: Vec<(ExprId, Part)>,
    /// The flows that it says it defines, where it says so (SCADE).
    pub returns: Vec<Ident>,
}

/// An automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Where it begins: the first state whose condition holds. Empty for the state
    /// that is marked, or else the first.
    pub initially: Vec<(Option<ExprId>, Ident)>,
    /// Its states in the order of the text.
    pub states: Vec<State>,
    /// The flows that it defines, where that is repeated at its end.
    pub returns: Vec<Ident>,
}

/// A state of an automaton.
#[derive(Clone, Debug)]
pub struct State {
    /// The name.
    pub name: Ident,
    /// Whether it is marked as the one to begin with.
    pub initial: bool,
    /// What holds in it.
    pub part: Part,
    /// How it is left, the first that applies.
    pub transitions: Vec<Transition>,
}

/// A transition from the state that it is written in.
#[derive(Clone, Debug)]
pub struct Transition {
    /// `unless`: it is tried before the state does anything, and its target runs at
    /// once. With `until`, the target runs from the next step on.
    pub strong: bool,
    /// When it is taken.
    pub condition: ExprId,
    /// Whether the target goes on where it was left, and does not begin anew.
    pub history: bool,
    /// The state that it leads to.
    pub target: Ident,
    /// Where it stands.
    pub span: Span,
}

impl BlockKind {
    /// How a message names it.
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match self {
            BlockKind::Conditional(choice) if choice.lazy => "`when` blocks",
            BlockKind::Conditional(_) => "`if` blocks",
            BlockKind::Frame(_) => "`frame` blocks",
            BlockKind::Switch(_) => "`switch` blocks",
            BlockKind::Automaton(_) => "automata",
            BlockKind::Reset(..) => "`reset` blocks",
            BlockKind::Local(_) => "blocks with flows of their own",
        }
    }

    /// The parts that it is made of, with their flows and what they say.
    #[must_use]
    pub fn parts(&self) -> Vec<(&[Variable], &[Item])> {
        fn both(part: &Part) -> (&[Variable], &[Item]) {
            (&part.locals, &part.items)
        }
        match self {
            BlockKind::Conditional(choice) => {
                let branches = choice.branches.iter().map(|branch| &branch.part);
                branches.chain(&choice.otherwise).map(both).collect()
            }
            BlockKind::Frame(frame) => vec![(&[], &frame.items)],
            BlockKind::Switch(switch) => switch.cases.iter().map(|(_, part)| both(part)).collect(),
            BlockKind::Automaton(automaton) => {
                automaton.states.iter().map(|state| both(&state.part)).collect()
            }
            BlockKind::Reset(items, _) => vec![(&[], items)],
            BlockKind::Local(part) => vec![both(part)],
        }
    }

    /// The expressions that stand in it, but not in its parts.
    #[must_use]
    pub fn exprs(&self) -> Vec<ExprId> {
        match self {
            BlockKind::Conditional(choice) => {
                choice.branches.iter().map(|branch| branch.condition).collect()
            }
            BlockKind::Frame(frame) => frame.initial.iter().map(|e| e.right).collect(),
            BlockKind::Switch(switch) => {
                let values = switch.cases.iter().map(|(value, _)| *value);
                [switch.selector].into_iter().chain(values).collect()
            }
            BlockKind::Automaton(automaton) => {
                let initially = automaton.initially.iter().filter_map(|(condition, _)| *condition);
                let transitions = automaton.states.iter().flat_map(|state| &state.transitions);
                initially.chain(transitions.map(|t| t.condition)).collect()
            }
            BlockKind::Reset(_, every) => vec![*every],
            BlockKind::Local(_) => Vec::new(),
        }
    }
}
