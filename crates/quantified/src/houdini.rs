//! Houdini over closed formulas: of candidates it keeps those that are inductive together, as
//! far as the solver says so. Not trusted: what comes out is proved again.
//!
//! A candidate that does not hold of every first state goes; then those go, again and again,
//! that some transition does not keep, given all that are left. In the end each of the rest
//! follows from the rest, and unsat cores say from which (`minimise.rs` makes use of that).

use std::collections::BTreeSet;

use lustral_first_order::{Formula, Shown};
use lustral_protocol::{Protocol, Transition};
use lustral_smt::Outcome;
use rustc_hash::FxHashMap;

use crate::asked::Asked;
use crate::obligations::{initiation, step};
use crate::prove::Limits;
use crate::smtlib::Writer;

/// Candidates, and what is known of them.
#[derive(Clone, Default, Debug)]
pub struct Candidates {
    formulas: Vec<Formula>,
    /// Whether each holds of all first states, if that is known.
    begins: Vec<Option<bool>>,
}

impl Candidates {
    /// Adds candidates; those that are there already are not added again.
    pub fn extend(&mut self, formulas: impl IntoIterator<Item = Formula>) {
        for formula in formulas {
            if !self.formulas.contains(&formula) {
                self.formulas.push(formula);
                self.begins.push(None);
            }
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }
}

/// What Houdini kept: each formula is preserved by every transition given some of the others.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    pub(crate) formulas: Vec<Formula>,
    /// By position and transition: those that it needs to be preserved.
    pub(crate) needs: Vec<Vec<BTreeSet<usize>>>,
    /// What was not kept, and the number of the transition that was the first not to keep it.
    lost: Vec<(Formula, usize)>,
}

impl Kept {
    /// What was kept.
    #[must_use]
    pub fn facts(&self) -> &[Formula] {
        &self.formulas
    }

    /// The number of the transition that does not keep a candidate, as far as is known; nothing if it was
    /// kept, or does not hold of all first states.
    #[must_use]
    pub fn lost_by(&self, formula: &Formula) -> Option<usize> {
        self.lost.iter().find(|(lost, _)| lost == formula).map(|(_, transition)| *transition)
    }

    /// How many were kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }
}

/// The candidates that are inductive together, as far as is known within the limits.
#[must_use]
pub fn houdini(protocol: &Protocol, candidates: &mut Candidates, limits: &Limits) -> Kept {
    for (formula, begins) in candidates.formulas.iter().zip(&mut candidates.begins) {
        if begins.is_none() {
            *begins = holds_at_first(protocol, formula, limits);
        }
    }
    let holds = |i: &usize| candidates.begins[*i] == Some(true);
    let mut alive: BTreeSet<usize> = (0..candidates.len()).filter(holds).collect();
    let mut needs = vec![Needed::default(); protocol.transitions.len()];
    let mut lost = Vec::new();
    loop {
        let before = alive.len();
        for ((number, transition), needs) in protocol.transitions.iter().enumerate().zip(&mut needs)
        {
            let known = alive.clone();
            if sift(protocol, transition, candidates, (&mut alive, needs), limits).is_none() {
                return Kept::default();
            }
            let gone = known.difference(&alive);
            lost.extend(gone.map(|i| (candidates.formulas[*i].clone(), number)));
        }
        // The last round removed nothing, so that nothing needs what is gone.
        if alive.len() == before {
            return Kept { lost, ..kept(candidates, &alive, &needs) };
        }
    }
}

/// What each candidate was found to need of the others, by one transition.
type Needed = FxHashMap<usize, BTreeSet<usize>>;

fn kept(candidates: &Candidates, alive: &BTreeSet<usize>, needs: &[Needed]) -> Kept {
    let place: FxHashMap<usize, usize> = alive.iter().copied().zip(0..).collect();
    let by = |needed: &Needed, i: &usize| -> BTreeSet<usize> {
        let known = needed.get(i).into_iter().flatten();
        known.filter_map(|other| place.get(other).copied()).collect()
    };
    Kept {
        formulas: alive.iter().map(|i| candidates.formulas[*i].clone()).collect(),
        needs: alive.iter().map(|i| needs.iter().map(|n| by(n, i)).collect()).collect(),
        lost: Vec::new(),
    }
}

fn holds_at_first(protocol: &Protocol, formula: &Formula, limits: &Limits) -> Option<bool> {
    let mut asked = Asked::new(limits)?;
    asked.tell(&initiation(protocol, formula))?;
    match asked.check() {
        Outcome::Unsat => Some(true),
        Outcome::Sat => Some(false),
        Outcome::Unknown(_) => None,
    }
}

/// Removes the candidates that a transition does not keep, given those that are left, and notes what
/// the others need. Only those are asked about of which it is not known, or which needed one that is
/// gone. Nothing if the time is up.
fn sift(
    protocol: &Protocol,
    transition: &Transition,
    candidates: &Candidates,
    (alive, needs): (&mut BTreeSet<usize>, &mut Needed),
    limits: &Limits,
) -> Option<()> {
    needs.retain(|i, needed| alive.contains(i) && needed.is_subset(alive));
    let writer = Writer { protocol, step: Some(transition) };
    let touched = |i: &usize| {
        let changed = |symbol| transition.modifies.contains(&symbol);
        protocol.expanded(&candidates.formulas[*i]).mentions(&|atom| changed(atom.symbol))
    };
    let mut open: Vec<usize> = alive.iter().copied().filter(|i| !needs.contains_key(i)).collect();
    // What speaks of nothing that changes stays as it is, by itself.
    needs.extend(open.iter().filter(|i| !touched(i)).map(|i| (*i, BTreeSet::from([*i]))));
    open.retain(touched);
    if open.is_empty() {
        return Some(());
    }
    let mut asked = Asked::new(limits)?;
    asked.tell(&step(&writer))?;
    asked.assume(&writer, alive.iter().map(|i| (*i, &candidates.formulas[*i])))?;
    for i in open {
        if limits.cancel.is_cancelled() {
            return None;
        }
        match asked.follows(&writer.next(&candidates.formulas[i])) {
            Some(core) => {
                needs.insert(i, core);
            }
            None => {
                let lost = Shown(&protocol.signature, &candidates.formulas[i]);
                tracing::debug!(by = transition.name, %lost, "not kept, as far as is known");
                alive.remove(&i);
                asked.assumed.remove(&i);
            }
        }
    }
    Some(())
}
