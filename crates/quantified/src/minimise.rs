//! Which of the facts that Houdini kept a property needs. Not trusted: what is left is proved.
//!
//! A property follows from some facts; each of these is preserved given some others: all that
//! is reached that way is enough. Then facts are left out one by one, as long as what needed them
//! does with others.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

use lustral_first_order::Formula;
use lustral_protocol::Protocol;

use crate::asked::Asked;
use crate::houdini::Kept;
use crate::obligations::step;
use crate::prove::Limits;
use crate::smtlib::Writer;

impl Kept {
    /// The facts from which a property follows, with all that they need, made fewer until then.
    /// Nothing if it does not follow.
    #[must_use]
    pub fn facts_for(
        &self,
        protocol: &Protocol,
        property: &Formula,
        limits: &Limits,
        until: Instant,
    ) -> Option<Vec<Formula>> {
        let writer = Writer { protocol, step: None };
        let mut script = writer.declarations();
        for axiom in &protocol.axioms {
            let _ = writeln!(script, "(assert {})", writer.formula(&axiom.formula));
        }
        let mut state = Asked::new(limits)?;
        state.tell(&script)?;
        state.assume(&writer, self.formulas.iter().enumerate())?;
        let property = writer.formula(property);
        let by = state.follows(&property)?;
        let mut chosen = Chosen { by, needs: self.needs.clone() };
        if chosen.reached().len() > 1 {
            self.fewer(&mut chosen, protocol, (&mut state, &property), limits, until);
        }
        Some(chosen.reached().into_iter().map(|i| self.formulas[i].clone()).collect())
    }

    /// Leaves out facts as long as there is time. Nothing if a solver is gone.
    fn fewer(
        &self,
        chosen: &mut Chosen,
        protocol: &Protocol,
        (state, property): (&mut Asked, &str),
        limits: &Limits,
        until: Instant,
    ) -> Option<()> {
        let steps = protocol.transitions.iter();
        let writers: Vec<Writer<'_>> =
            steps.map(|step| Writer { protocol, step: Some(step) }).collect();
        let mut asked = Vec::new();
        for writer in &writers {
            let mut one = Asked::new(limits)?;
            one.tell(&step(writer))?;
            one.assume(writer, self.formulas.iter().enumerate())?;
            asked.push(one);
        }
        // Long facts first: short ones say more.
        let mut order: Vec<usize> = chosen.reached().into_iter().collect();
        order.sort_by_key(|i| {
            std::cmp::Reverse(Writer { protocol, step: None }.formula(&self.formulas[*i]).len())
        });
        for without in order {
            if Instant::now() > until || limits.cancel.is_cancelled() {
                return None;
            }
            let mut left = chosen.reached();
            if !left.remove(&without) {
                continue;
            }
            let mut tried = chosen.clone();
            if tried.by.contains(&without) {
                state.assumed.clone_from(&left);
                let Some(by) = state.follows(property) else { continue };
                tried.by = by;
            }
            let mut holds = true;
            'facts: for fact in &left {
                for (number, writer) in writers.iter().enumerate() {
                    if tried.needs[*fact][number].contains(&without) {
                        asked[number].assumed.clone_from(&left);
                        match asked[number].follows(&writer.next(&self.formulas[*fact])) {
                            Some(core) => tried.needs[*fact][number] = core,
                            None => {
                                holds = false;
                                break 'facts;
                            }
                        }
                    }
                }
            }
            if holds {
                *chosen = tried;
            }
        }
        Some(())
    }
}

/// Facts that are chosen, by what they are needed for.
#[derive(Clone)]
struct Chosen {
    /// Those from which the property follows.
    by: BTreeSet<usize>,
    /// By fact and transition: what it needs to be preserved.
    needs: Vec<Vec<BTreeSet<usize>>>,
}

impl Chosen {
    /// All that is needed.
    fn reached(&self) -> BTreeSet<usize> {
        let mut found = self.by.clone();
        let mut left: Vec<usize> = found.iter().copied().collect();
        while let Some(one) = left.pop() {
            for other in self.needs[one].iter().flatten() {
                if found.insert(*other) {
                    left.push(*other);
                }
            }
        }
        found
    }
}
