//! Blocks of bodies.

use super::{Expr, Item, Parentheses};

/// A part of a body with equations of its own.
#[derive(Clone, Debug)]
pub enum Block {
    /// `if c then … elsif d then … else … fi`
    If(Vec<(Expr, Vec<Item>)>, Option<Vec<Item>>),
    /// `frame (x, y) x = e; let … tel`: the flows, the initial values, the body.
    Frame(Vec<String>, Vec<Item>, Vec<Item>),
}

impl Block {
    /// The parts of which it is made.
    #[must_use]
    pub fn parts(&self) -> Vec<&Vec<Item>> {
        match self {
            Block::If(branches, otherwise) => {
                branches.iter().map(|(_, items)| items).chain(otherwise).collect()
            }
            Block::Frame(_, initial, items) => vec![initial, items],
        }
    }

    /// All expressions in it.
    pub fn expressions(&mut self) -> Vec<&mut Expr> {
        let mut found = Vec::new();
        let mut items: Vec<&mut Item> = Vec::new();
        match self {
            Block::If(branches, otherwise) => {
                for (condition, inside) in branches {
                    found.push(condition);
                    items.extend(inside);
                }
                items.extend(otherwise.iter_mut().flatten());
            }
            Block::Frame(_, initial, inside) => items.extend(initial.iter_mut().chain(inside)),
        }
        found.extend(items.into_iter().flat_map(Item::expressions));
        found
    }

    pub(super) fn text(&self, style: Parentheses) -> String {
        let items = |list: &[Item]| -> String {
            list.iter().map(|item| format!("    {}\n", item.text(style))).collect()
        };
        match self {
            Block::If(branches, otherwise) => {
                let mut out = String::new();
                let mut word = "if";
                for (condition, inside) in branches {
                    out += &format!("{word} {} then\n{}", condition.text(style), items(inside));
                    word = "  elsif";
                }
                if let Some(inside) = otherwise {
                    out += &format!("  else\n{}", items(inside));
                }
                out + "  fi"
            }
            Block::Frame(flows, initial, inside) => {
                let (flows, initial) = (flows.join(", "), items(initial));
                format!("frame ({flows})\n{initial}  let\n{}  tel", items(inside))
            }
        }
    }
}
