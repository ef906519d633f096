//! What is inductive together of small cubes, and whether it shows the properties.

use std::collections::{BTreeSet, VecDeque};

use lustral_sat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::atoms::{AtomLit, Cube};
use crate::frames::{FOREVER, Frames, Shape, Stopped};
use crate::pattern::Pattern;
use crate::samples::Samples;
use crate::small::Rows;

/// Cubes have no more literals.
const LONGEST: usize = 4;
/// No more candidates are tried together, with no more cubes in all.
const MOST_CANDIDATES: usize = 4_000;
const MOST_RENAMED: usize = 300_000;

/// What is perhaps never entered.
struct Candidate {
    shape: Shape,
    /// What it is asserted by.
    selector: Lit,
    /// Those that it was found to need.
    needs: Option<BTreeSet<usize>>,
    alive: bool,
}

impl Frames<'_> {
    /// Looks for an invariant of small cubes and of what is excluded from some frames. What it finds is
    /// excluded for ever. Whether it shows the property; then nothing else is.
    pub fn try_together(&mut self, property: Lit, samples: &Samples) -> Result<bool, Stopped> {
        let mut rows = Rows::new(&self.system.atoms);
        samples.states().iter().for_each(|state| rows.add(state));
        let mut open: Vec<Pattern> = Vec::new();
        for length in 1..=LONGEST {
            let mut patterns: Vec<Pattern> =
                self.blocked.iter().map(|b| b.shape.pattern.clone()).collect();
            patterns.extend(std::mem::take(&mut open));
            let mut small = rows.cubes(length);
            let listed = small.len();
            self.simplest_first(&mut small);
            for cube in small {
                if self.meets(FOREVER, &cube)? {
                    patterns.push(Pattern::of(&self.system.atoms, &cube));
                }
            }
            let mut candidates = self.candidates(patterns, samples)?;
            let entered = self.keep_inductive(&mut candidates)?;
            entered.iter().for_each(|state| rows.add(state));
            let alive = candidates.iter().filter(|c| c.alive).count();
            tracing::debug!(length, listed, tried = candidates.len(), alive, "small cubes");
            if self.shown_by(&candidates, property)? {
                return Ok(true);
            }
            open.extend(candidates.iter().filter(|c| !c.alive).map(|c| c.shape.pattern.clone()));
            self.exclude_all(candidates)?;
        }
        Ok(false)
    }

    fn simplest_first(&self, cubes: &mut [Cube]) {
        cubes.sort_by_cached_key(|cube| (self.system.atoms.mentioned(cube).len(), cube.clone()));
    }

    /// Those that no first state and no state that is known is in, with what asserts them.
    fn candidates(
        &mut self,
        patterns: Vec<Pattern>,
        samples: &Samples,
    ) -> Result<Vec<Candidate>, Stopped> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut renamed = 0;
        for pattern in patterns {
            if found.len() >= MOST_CANDIDATES || renamed >= MOST_RENAMED {
                break;
            }
            let Some(shape) = self.shape(pattern) else { continue };
            let new = seen.insert(shape.cubes.iter().min().cloned());
            if !new || samples.meet_one(&shape.cubes) || !self.begins_outside(&shape)? {
                continue;
            }
            renamed += shape.cubes.len();
            let selector = self.excluded(&shape.cubes);
            found.push(Candidate { shape, selector, needs: None, alive: true });
        }
        Ok(found)
    }

    /// Houdini: removes what a step enters from a state in which all the others hold. The states that were
    /// entered.
    fn keep_inductive(&mut self, candidates: &mut [Candidate]) -> Result<Vec<Cube>, Stopped> {
        let number: FxHashMap<Lit, usize> =
            candidates.iter().map(|c| c.selector).zip(0..).collect();
        let mut queue: VecDeque<usize> = (0..candidates.len()).collect();
        let mut all = Vec::new();
        while let Some(i) = queue.pop_front() {
            if !candidates[i].alive || candidates[i].needs.is_some() {
                continue;
            }
            match self.step_into(candidates, i)? {
                Some(entered) => {
                    let gone = remove(candidates, &entered);
                    let lacks =
                        |c: &Candidate| c.needs.as_ref().is_some_and(|n| !n.is_disjoint(&gone));
                    for (j, candidate) in candidates.iter_mut().enumerate() {
                        if candidate.alive && lacks(candidate) {
                            candidate.needs = None;
                            queue.push_back(j);
                        }
                    }
                    all.push(entered);
                }
                None => {
                    let needs = self.needed.iter().filter_map(|lit| number.get(lit).copied());
                    candidates[i].needs = Some(needs.collect());
                }
            }
        }
        Ok(all)
    }

    /// A state in a candidate that follows one in which all candidates hold; if there is none, what was
    /// needed for that is noted.
    fn step_into(
        &mut self,
        candidates: &[Candidate],
        which: usize,
    ) -> Result<Option<Cube>, Stopped> {
        self.needed.clear();
        let mut assumptions: Vec<Lit> =
            candidates.iter().filter(|c| c.alive).map(|c| c.selector).collect();
        assumptions.push(self.system.step);
        let begin = assumptions.len();
        for cube in &candidates[which].shape.each {
            assumptions.truncate(begin);
            assumptions.extend(cube.iter().map(|l| self.system.next(*l)));
            if self.ask(&assumptions)? {
                return Ok(Some(self.system.entered()));
            }
            let core = self.system.solver.core().to_vec();
            self.needed.extend(core);
        }
        Ok(None)
    }

    /// Whether the property holds where no state is in a candidate that is left. If so, those that this
    /// takes are all that is excluded from now on.
    fn shown_by(&mut self, candidates: &[Candidate], property: Lit) -> Result<bool, Stopped> {
        let alive: Vec<&Candidate> = candidates.iter().filter(|c| c.alive).collect();
        let mut assumptions: Vec<Lit> = alive.iter().map(|c| c.selector).collect();
        assumptions.push(!property);
        if self.ask(&assumptions)? {
            return Ok(false);
        }
        self.blocked.clear();
        for candidate in alive {
            self.add(candidate.shape.clone(), FOREVER, candidate.selector);
        }
        self.keep_needed(property)?;
        Ok(true)
    }

    /// Of what is excluded for ever, keeps what it takes to show a property that holds because of it: what the
    /// property needs, what that needs to be inductive, and so on.
    pub fn keep_needed(&mut self, property: Lit) -> Result<(), Stopped> {
        let kept: Vec<usize> =
            (0..self.blocked.len()).filter(|i| self.blocked[*i].level == FOREVER).collect();
        let selectors: Vec<Lit> = kept.iter().map(|i| self.blocked[*i].selector).collect();
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut left = Vec::new();
        let ask = |this: &mut Self, more: &[Lit], left: &mut Vec<usize>| {
            let assumptions = [&selectors[..], more].concat();
            if this.ask(&assumptions)? {
                return Ok(false);
            }
            let core = this.system.solver.core();
            left.extend((0..kept.len()).filter(|place| core.contains(&selectors[*place])));
            Ok(true)
        };
        let mut inductive = ask(self, &[!property], &mut left)?;
        while let Some(place) = left.pop() {
            if !needed.insert(place) {
                continue;
            }
            for cube in self.blocked[kept[place]].shape.each.clone() {
                let mut more = vec![self.system.step];
                more.extend(cube.iter().map(|l| self.system.next(*l)));
                inductive &= ask(self, &more, &mut left)?;
            }
        }
        // It always is.
        if inductive {
            let needed: BTreeSet<usize> = needed.into_iter().map(|place| kept[place]).collect();
            self.keep_only(&needed);
        }
        Ok(())
    }

    /// Excludes for ever what is left of candidates, but not what the others say.
    fn exclude_all(&mut self, candidates: Vec<Candidate>) -> Result<(), Stopped> {
        candidates.iter().for_each(|c| self.drop(c.selector));
        for candidate in candidates.into_iter().filter(|c| c.alive) {
            let mut says_more = false;
            for cube in &candidate.shape.each {
                says_more |= self.meets(FOREVER, cube)?;
            }
            if says_more {
                let selector = self.excluded(&candidate.shape.cubes);
                self.add(candidate.shape, FOREVER, selector);
            }
        }
        Ok(())
    }
}

/// Removes the candidates that a state is in.
fn remove(candidates: &mut [Candidate], state: &[AtomLit]) -> BTreeSet<usize> {
    let is_so = |(atom, holds): &AtomLit| state[*atom as usize].1 == *holds;
    let mut gone = BTreeSet::new();
    for (i, candidate) in candidates.iter_mut().enumerate().filter(|(_, c)| c.alive) {
        if candidate.shape.cubes.iter().any(|cube| cube.iter().all(is_so)) {
            candidate.alive = false;
            gone.insert(i);
        }
    }
    gone
}
