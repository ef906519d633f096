//! Which of the facts that Houdini kept properties need. Not trusted: what is left is proved.
//!
//! A property follows from some facts; each of these is preserved given some others: all that
//! is reached that way is enough. Then facts are left out one by one, as long as what needed them
//! does with others.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

use lustral_first_order::Formula;
use lustral_protocol::Protocol;
use rustc_hash::FxHashMap;

use crate::asked::Asked;
use crate::houdini::Kept;
use crate::obligations::{Invariant, step};
use crate::prove::Limits;
use crate::smtlib::Writer;

impl Kept {
    /// Facts from which properties follow, with all that they need, made fewer until then; and the
    /// numbers of those properties that do follow. Nothing if none does.
    #[must_use]
    pub fn invariant_for(
        &self,
        protocol: &Protocol,
        properties: &[&Formula],
        limits: &Limits,
        until: Instant,
    ) -> Option<(Vec<usize>, Invariant)> {
        let writer = Writer { protocol, step: None };
        let mut script = writer.declarations();
        for axiom in &protocol.axioms {
            let _ = writeln!(script, "(assert {})", writer.formula(&axiom.formula));
        }
        let mut state = Asked::new(limits)?;
        state.tell(&script)?;
        state.assume(&writer, self.formulas.iter().enumerate())?;
        let (mut following, mut texts, mut by) = (Vec::new(), Vec::new(), Vec::new());
        for (number, property) in properties.iter().enumerate() {
            // A property that was kept is one of the facts: there is nothing to ask.
            let itself = self.formulas.iter().position(|kept| kept == *property);
            let text = writer.formula(property);
            let needed = match itself {
                Some(place) => Some(BTreeSet::from([place])),
                None => state.follows(&text),
            };
            if let Some(needed) = needed {
                following.push(number);
                texts.push(text);
                by.push(needed);
            }
        }
        if following.is_empty() {
            return None;
        }
        let mut chosen = Chosen { by, needs: self.needs.clone() };
        if !chosen.reached().is_empty() {
            self.fewer(&mut chosen, protocol, (&mut state, &texts), limits, until);
        }
        Some((following, self.part(&chosen)))
    }

    /// The facts that are needed, by new numbers.
    fn part(&self, chosen: &Chosen) -> Invariant {
        let reached = chosen.reached();
        let place: FxHashMap<usize, usize> = reached.iter().copied().zip(0..).collect();
        let renumbered = |needed: &BTreeSet<usize>| {
            needed.iter().filter_map(|i| place.get(i).copied()).collect()
        };
        let needs = |fact: &usize| chosen.needs[*fact].iter().map(renumbered).collect();
        let facts = reached.iter().map(|i| self.formulas[*i].clone()).collect();
        Invariant::with_needs(facts, reached.iter().map(needs).collect())
    }

    /// Leaves out facts as long as there is time. Nothing if a solver is gone.
    fn fewer(
        &self,
        chosen: &mut Chosen,
        protocol: &Protocol,
        (state, properties): (&mut Asked, &[String]),
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
            let mut holds = true;
            for (by, property) in tried.by.iter_mut().zip(properties) {
                if holds && by.contains(&without) {
                    state.assumed.clone_from(&left);
                    match state.follows(property) {
                        Some(others) => *by = others,
                        None => holds = false,
                    }
                }
            }
            if !holds {
                continue;
            }
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
    /// By property: those from which it follows.
    by: Vec<BTreeSet<usize>>,
    /// By fact and transition: what it needs to be preserved.
    needs: Vec<Vec<BTreeSet<usize>>>,
}

impl Chosen {
    /// All that is needed.
    fn reached(&self) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = self.by.iter().flatten().copied().collect();
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
