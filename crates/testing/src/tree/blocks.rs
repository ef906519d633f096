//! Blocks of bodies.

use super::{Expr, Item, Parentheses};

/// A part of a body with equations of its own.
#[derive(Clone, Debug)]
pub enum Block {
    /// `if c then … elsif d then … else … fi`, or `when … end`, of which what is not
    /// chosen takes no step.
    Choice {
        /// Whether it is a `when` block.
        lazy: bool,
        /// Conditions and what they choose.
        branches: Vec<(Expr, Vec<Item>)>,
        /// What is chosen otherwise.
        otherwise: Option<Vec<Item>>,
    },
    /// `frame (x, y) x = e; let … tel`: the flows, the initial values, the body.
    Frame(Vec<String>, Vec<Item>, Vec<Item>),
    /// An automaton.
    Automaton(Vec<State>),
    /// `reset … every c`
    Reset(Vec<Item>, Expr),
}

/// A state of an automaton.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What holds in it.
    pub items: Vec<Item>,
    /// How it is left.
    pub transitions: Vec<Transition>,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// `unless` or `until`
    pub when: &'static str,
    /// When it is taken.
    pub condition: Expr,
    /// `then` or `continue`
    pub how: &'static str,
    /// The state that it leads to.
    pub target: String,
}

impl Block {
    /// The parts of which it is made.
    #[must_use]
    pub fn parts(&self) -> Vec<&Vec<Item>> {
        match self {
            Block::Choice { branches, otherwise, .. } => {
                branches.iter().map(|(_, items)| items).chain(otherwise).collect()
            }
            Block::Frame(_, initial, items) => vec![initial, items],
            Block::Automaton(states) => states.iter().map(|state| &state.items).collect(),
            Block::Reset(items, _) => vec![items],
        }
    }

    /// All expressions in it.
    pub fn expressions(&mut self) -> Vec<&mut Expr> {
        let mut found = Vec::new();
        let mut items: Vec<&mut Item> = Vec::new();
        match self {
            Block::Choice { branches, otherwise, .. } => {
                for (condition, inside) in branches {
                    found.push(condition);
                    items.extend(inside);
                }
                items.extend(otherwise.iter_mut().flatten());
            }
            Block::Frame(_, initial, inside) => items.extend(initial.iter_mut().chain(inside)),
            Block::Automaton(states) => {
                for state in states {
                    items.extend(&mut state.items);
                    found.extend(state.transitions.iter_mut().map(|t| &mut t.condition));
                }
            }
            Block::Reset(inside, every) => {
                items.extend(inside);
                found.push(every);
            }
        }
        found.extend(items.into_iter().flat_map(Item::expressions));
        found
    }

    pub(super) fn text(&self, style: Parentheses) -> String {
        let items = |list: &[Item]| -> String {
            list.iter().map(|item| format!("    {}\n", item.text(style))).collect()
        };
        match self {
            Block::Choice { lazy, branches, otherwise } => {
                let mut out = String::new();
                let mut word = if *lazy { "when" } else { "if" };
                for (condition, inside) in branches {
                    out += &format!("{word} {} then\n{}", condition.text(style), items(inside));
                    word = "  elsif";
                }
                if let Some(inside) = otherwise {
                    out += &format!("  else\n{}", items(inside));
                }
                out + if *lazy { "  end" } else { "  fi" }
            }
            Block::Frame(flows, initial, inside) => {
                let (flows, initial) = (flows.join(", "), items(initial));
                format!("frame ({flows})\n{initial}  let\n{}  tel", items(inside))
            }
            Block::Automaton(states) => {
                let mut out = String::from("automaton\n");
                for State { name, items: inside, transitions } in states {
                    out += &format!("  state {name} do\n{}", items(inside));
                    for Transition { when, condition, how, target } in transitions {
                        out += &format!("  {when} ({}) {how} {target}\n", condition.text(style));
                    }
                }
                out + "  end"
            }
            Block::Reset(inside, every) => {
                format!("reset\n{}  every {};", items(inside), every.text(style))
            }
        }
    }
}
