//! From the goal to what it needs, to what that needs, and so on.

use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::schedule::{Moment, is_counted};
use lustral_smt::{Outcome, SolverOptions};
use lustral_system::Dependencies;

use super::step_cases::{Induction, StepCases};

/// How much is done to need little.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// What the core of a query names is needed.
    Core,
    /// What can be left out of a core is not, as far as the time allows.
    Minimal,
}

/// The time for leaving out parts, all queries of a proof together.
const TRIALS: Duration = Duration::from_secs(1);

/// No more than this share of what is left of the run goes into a proof that is
/// known already: no smaller proof and no explanation is worth an answer.
const SHARE: u32 = 4;

/// Larger cores stay as they are.
const LARGEST_CORE: usize = 60;

/// With a larger core, nothing is left out unless there is something to explain.
const LARGEST_USEFUL_CORE: usize = 200;

/// The parts that a proof needs, by index and in order, the goal first; and
/// what each of them needs.
pub(super) struct Needs {
    pub(super) parts: Vec<usize>,
    pub(super) dependencies: Dependencies,
}

/// What the first part needs. Nothing if the solver cannot tell, or not within
/// the allowance.
pub(super) fn find(
    induction: Induction<'_>,
    effort: Effort,
    allowance: Duration,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Option<Needs> {
    let mut cases = StepCases::new(induction, options, cancel, until(allowance, cancel))?;
    let mut trials = match effort {
        Effort::Minimal => {
            // In a session of its own, with a time of its own.
            let until = until(TRIALS.min(allowance), cancel);
            Some(StepCases::new(induction, options, cancel, until)?)
        }
        Effort::Core => None,
    };
    let size = |part: &usize| induction.system.terms.closure([induction.parts[*part]]).len();
    let mut by_size: Vec<usize> = (0..induction.parts.len()).collect();
    if effort == Effort::Minimal {
        by_size.sort_by_cached_key(size);
    }
    let mut minimal = effort == Effort::Minimal;
    let mut found: Vec<usize> = vec![0];
    let mut is_found = vec![false; induction.parts.len()];
    is_found[0] = true;
    let mut needs: Vec<Vec<usize>> = Vec::new();
    while let Some(&part) = found.get(needs.len()) {
        let easy = trials.as_mut().and_then(|trials| follows_from_known(trials, part, &found));
        let mut core = match easy {
            Some(core) => core,
            None => {
                // What is known comes first, and what is short before what is
                // long: solvers tend to use what they see early.
                let others = by_size.iter().filter(|i| !is_found[**i]);
                let all: Vec<usize> = found.iter().chain(others).copied().collect();
                cases.ask(part, &all).ok()?
            }
        };
        // One query for each would take longer than the proof is worth, and there is
        // little to leave out.
        if effort == Effort::Core && core.len() > LARGEST_USEFUL_CORE {
            return None;
        }
        if let Some(trials) = &mut trials {
            minimal &= shrink(trials, part, &mut core, &found);
        }
        for &part in &core {
            if !std::mem::replace(&mut is_found[part], true) {
                found.push(part);
            }
        }
        needs.push(core);
    }
    Some(in_order(&found, &needs, minimal))
}

/// The end of an allowance, which is never more than a share of the run.
fn until(allowance: Duration, cancel: &Cancel) -> Moment {
    // What is left of the run is another time in every run.
    let deadline = cancel.deadline().filter(|_| !is_counted());
    let left = deadline.map(|d| d.saturating_duration_since(std::time::Instant::now()) / SHARE);
    Moment::now() + left.map_or(allowance, |left| left.min(allowance))
}

/// A core among the part itself, or else among the parts that are needed
/// anyway: nothing new is the best to need.
fn follows_from_known(
    trials: &mut StepCases<'_>,
    part: usize,
    found: &[usize],
) -> Option<Vec<usize>> {
    trials.ask(part, &[part]).or_else(|_| trials.ask(part, found)).ok()
}

/// Leaves out of a core what can be left out; whether it is known that no more
/// can. What is needed anyway may take the place of something new: it is added
/// first. New parts are left out first, then the known ones, the nearest to the
/// goal before others to have few circles, and the part itself at the end.
fn shrink(trials: &mut StepCases<'_>, part: usize, core: &mut Vec<usize>, found: &[usize]) -> bool {
    if core.len() > LARGEST_CORE {
        return false;
    }
    let new: Vec<usize> = core.iter().rev().copied().filter(|i| !found.contains(i)).collect();
    let mut kept =
        if new.is_empty() { core.clone() } else { found.iter().chain(&new).copied().collect() };
    let known = found.iter().copied().filter(|i| *i != part);
    let mut minimal = true;
    for candidate in new.into_iter().chain(known).chain([part]) {
        // The core of an earlier trial may be without it already.
        if !kept.contains(&candidate) {
            continue;
        }
        let mut rest: Vec<usize> = kept.iter().copied().filter(|i| *i != candidate).collect();
        match trials.ask(part, &rest) {
            Ok(smaller) => {
                // What has its turn later stays till then, whatever the solver used.
                let later = |i| i == part || !found.contains(&candidate) && found.contains(&i);
                rest.retain(|i| smaller.contains(i) || later(*i));
                kept = rest;
            }
            // It stays needed when more is left out: fewer hypotheses exclude less.
            Err(Outcome::Sat) => {}
            Err(_) => minimal = false,
        }
    }
    // Out of time, what was added may still be there.
    if minimal || kept.len() < core.len() {
        *core = kept;
    }
    minimal
}

/// The same by ascending indices, with needs by position among the parts found.
fn in_order(found: &[usize], needs: &[Vec<usize>], minimal: bool) -> Needs {
    let mut parts = found.to_vec();
    parts.sort_unstable();
    let place = |part: &usize| parts.partition_point(|other| other < part);
    let mut lists = vec![Vec::new(); parts.len()];
    for (part, core) in found.iter().zip(needs) {
        let mut list: Vec<usize> = core.iter().map(place).collect();
        list.sort_unstable();
        lists[place(part)] = list;
    }
    Needs { parts, dependencies: Dependencies { needs: lists, minimal } }
}
