//! From one arena to another, with terms for variables.

use crate::arena::{Op, TermId, Terms, VarId};
use crate::value::Sort;

/// Translates terms of a source arena into a target arena, each once. The two
/// may be copies of each other; the cache is what makes a substitution.
#[derive(Clone, Default, Debug)]
pub struct Translation {
    done: Vec<Option<TermId>>,
}

impl Translation {
    /// A translation that has done nothing yet.
    #[must_use]
    pub fn new() -> Translation {
        Translation::default()
    }

    /// The translation of a term. `variable` says what a variable becomes.
    pub fn apply(
        &mut self,
        source: &Terms,
        target: &mut Terms,
        root: TermId,
        mut variable: impl FnMut(&mut Terms, VarId, Sort) -> TermId,
    ) -> TermId {
        if self.done.len() < source.len() {
            self.done.resize(source.len(), None);
        }
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.done[id.index()].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            source.operands(id, |operand| {
                if self.done[operand.index()].is_none() {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                let translated = match source.op(id) {
                    Op::Var(var, sort) => variable(target, *var, *sort),
                    op => target.rebuild(op, |operand| {
                        self.done[operand.index()].expect("operands come before their users")
                    }),
                };
                self.done[id.index()] = Some(translated);
                stack.pop();
            }
        }
        self.done[root.index()].expect("the root was translated")
    }
}
