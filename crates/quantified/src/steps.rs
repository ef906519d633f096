//! Whether induction steps hold at all sizes: facts that follow from others after every transition, and of every
//! first state. Not trusted: what is told is proved again.

use std::collections::BTreeSet;

use lustral_first_order::Formula;
use lustral_protocol::Protocol;

use crate::asked::Asked;
use crate::obligations::{first_states, step};
use crate::prove::Limits;
use crate::smtlib::Writer;

/// Facts by number, and solvers that know all of them: of first states, and for each transition.
pub struct Steps<'p> {
    protocol: &'p Protocol,
    facts: Vec<Formula>,
    first: Asked,
    asked: Vec<Asked>,
}

/// What a fact is as an assumption about the state that is left, and about the one that is entered.
fn now(fact: &usize) -> usize {
    2 * fact
}
fn next(fact: &usize) -> usize {
    2 * fact + 1
}

impl<'p> Steps<'p> {
    /// No facts yet. Nothing if there is no solver.
    #[must_use]
    pub fn new(protocol: &'p Protocol, limits: &Limits) -> Option<Steps<'p>> {
        let mut asked = Vec::new();
        for transition in &protocol.transitions {
            let mut one = Asked::new(limits)?;
            one.tell(&step(&Writer { protocol, step: Some(transition) }))?;
            asked.push(one);
        }
        let mut first = Asked::new(limits)?;
        first.tell(&first_states(protocol))?;
        Some(Steps { protocol, facts: Vec::new(), first, asked })
    }

    /// The next fact. Nothing if a solver is gone.
    pub fn add(&mut self, fact: Formula) -> Option<()> {
        let number = self.facts.len();
        let text = Writer { protocol: self.protocol, step: None }.formula(&fact);
        self.first.assume_text(now(&number), &text)?;
        for (asked, transition) in self.asked.iter_mut().zip(&self.protocol.transitions) {
            let writer = Writer { protocol: self.protocol, step: Some(transition) };
            asked.assume_text(now(&number), &writer.formula(&fact))?;
            asked.assume_text(next(&number), &writer.next(&fact))?;
        }
        self.facts.push(fact);
        Some(())
    }

    /// Whether `(P, P ∪ Q)` is an induction step (the paper's eqs. 11 and 12): first states that satisfy P satisfy Q;
    /// what follows a state that satisfies both satisfies Q if it satisfies P. If so, those of P that are
    /// needed; nothing if it is not so, or not known.
    pub fn holds(&mut self, p: &BTreeSet<usize>, q: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        let mut needed = BTreeSet::new();
        for number in q {
            let fact = &self.facts[*number];
            self.first.assumed = p.iter().map(now).collect();
            let writer = Writer { protocol: self.protocol, step: None };
            needed.extend(self.first.follows(&writer.formula(fact))?);
            let expanded = self.protocol.expanded(fact);
            for (asked, transition) in self.asked.iter_mut().zip(&self.protocol.transitions) {
                // What speaks of nothing that changes stays as it is.
                if !expanded.mentions(&|atom| transition.modifies.contains(&atom.symbol)) {
                    continue;
                }
                let writer = Writer { protocol: self.protocol, step: Some(transition) };
                let both = p.union(q).map(now);
                asked.assumed = both.chain(p.iter().map(next)).collect();
                needed.extend(asked.follows(&writer.next(fact))?);
            }
        }
        let needed: BTreeSet<usize> = needed.iter().map(|assumption| assumption / 2).collect();
        Some(&needed & p)
    }
}
