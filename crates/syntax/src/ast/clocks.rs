//! Clocks as written: when a flow is sampled, and when a called node runs.

use crate::ast::{ExprId, Ident};

/// When a flow is sampled: `c`, `not c` or `C(c)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampling {
    /// The flow that says so.
    pub flow: Ident,
    /// The value that it must have.
    pub case: Case,
    /// What that flow is said to be on itself, the first one first: of `on c on d` it is `c`.
    pub on: Vec<Sampling>,
}

/// A value that a clock can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Case {
    /// `true`
    True,
    /// `false`
    False,
    /// A value of an enumeration.
    Value(Ident),
}

/// When a called node runs and begins anew: `condact(c, f(x), d)`, `(activate f every c
/// initial default d restart every r)(x)`, `(activate f every c default d)(x)`, `(restart f every r)(x)`, `f(x) every r`.
#[derive(Clone, PartialEq, Debug)]
pub struct Activation {
    /// The call.
    pub call: ExprId,
    /// When it runs; none for always.
    pub clock: Option<ExprId>,
    /// What its outputs are before it has run; none where nobody asks for them while
    /// it does not run.
    pub defaults: Option<Vec<ExprId>>,
    /// Whether the outputs keep their values while it does not run, and the defaults are for
    /// before; else these are the values wherever it does not run.
    pub initial: bool,
    /// When it begins anew; none for never.
    pub reset: Option<ExprId>,
}

impl Activation {
    /// All its operands, in the order in which they are written.
    #[must_use]
    pub fn operands(&self) -> Vec<ExprId> {
        let defaults = self.defaults.iter().flatten().copied();
        let mut all: Vec<ExprId> = self.clock.into_iter().chain(defaults).collect();
        all.extend(self.reset);
        all.push(self.call);
        // The call stands before or behind the others: the arena is in the order
        // of the text.
        all.sort_unstable();
        all
    }
}
