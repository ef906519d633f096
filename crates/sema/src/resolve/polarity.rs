//! Where quantifiers stand: whether what they say is to be shown or is assumed.
//!
//! A property `P` that says `forall (x: t) B` in a place where it is to be shown fails in an
//! execution exactly where it fails for some choice of `x`: with `B` of an arbitrary value in
//! place of the quantifier it is true wherever `P` is (all that stands around the place is
//! monotonic), and the same as `P` where the value is one for which `B` fails, if there is such
//! a one. In the same way an assertion that says `exists (x: t) B` in a place where it is
//! assumed allows the executions in which some choice of `x` makes it true. So in such
//! places, and in no others, the variable may stand for a value that is chosen at each step.

use lustral_syntax::ast::{self, BinaryOp as A, ExprKind as Ast, Quantifier, UnaryOp};
use rustc_hash::FxHashMap;

/// What is done with a truth value; nothing is known of places that have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stance {
    /// It is to be shown.
    Shown,
    /// It is assumed.
    Assumed,
}

impl Stance {
    fn opposite(self) -> Stance {
        match self {
            Stance::Shown => Stance::Assumed,
            Stance::Assumed => Stance::Shown,
        }
    }

    /// Whether the variables of a quantifier may be chosen where it stands.
    pub(super) fn lets_choose(self, quantifier: Quantifier) -> bool {
        match self {
            Stance::Shown => quantifier == Quantifier::All,
            Stance::Assumed => quantifier == Quantifier::Some,
        }
    }
}

/// What is done with the quantifiers, and with the sides of lazy operators, below an
/// expression. Not under `pre` and `fby`: a value that is chosen at one step would decide
/// about another, and executions could end that need not. Not under `=`, `xor` and the
/// conditions of `if`, where both are done. Not on the left of lazy operators: that decides whether
/// the right side takes a step and has to be shown what it assumes, whatever else is true.
pub(super) fn stances(
    ast: &ast::Exprs,
    root: ast::ExprId,
    stance: Stance,
) -> FxHashMap<ast::ExprId, Stance> {
    let mut found = FxHashMap::default();
    let mut stack = vec![(root, stance)];
    while let Some((id, stance)) = stack.pop() {
        match &ast[id].kind {
            Ast::Quantified(Quantifier::All | Quantifier::Some, ..) => {
                found.insert(id, stance);
            }
            Ast::Unary(UnaryOp::Not, a) => stack.push((*a, stance.opposite())),
            Ast::Binary(op, a, b) => {
                if op.is_lazy() {
                    found.insert(id, stance);
                }
                match op {
                    A::And | A::Or | A::Arrow => stack.extend([(*a, stance), (*b, stance)]),
                    A::Implies => stack.extend([(*a, stance.opposite()), (*b, stance)]),
                    A::AndThen | A::OrElse | A::LazyImplies => stack.push((*b, stance)),
                    _ => {}
                }
            }
            Ast::If(_, a, b) => stack.extend([(*a, stance), (*b, stance)]),
            Ast::Lazy(_, a, b) => {
                found.insert(id, stance);
                stack.extend([(*a, stance), (*b, stance)]);
            }
            Ast::Tuple(list) if list.len() == 1 => stack.push((list[0], stance)),
            _ => {}
        }
    }
    found
}
