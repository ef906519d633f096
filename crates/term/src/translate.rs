//! From one arena to another, with terms for variables.

use crate::arena::Terms;
use crate::term::{Term, TermId, VarId};
use lustral_base::sort::Sort;

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
        source.post_order(
            root,
            &mut self.done,
            |done, id| done[id.index()].is_some(),
            |done, id| {
                let translated = match source.get(id) {
                    Term::Var(var, sort) => variable(target, var, sort),
                    term => target.rebuild(term, |operand| {
                        done[operand.index()].expect("operands come before their users")
                    }),
                };
                done[id.index()] = Some(translated);
            },
        );
        self.done[root.index()].expect("the root was translated")
    }
}
