//! Primal Houdini and dual Houdini (Algorithms 1 and 2), and the two kinds of
//! reachability (`Reach` of Algorithm 3). They are mirror images: exchange
//! states and predicates, `E` and `Ẽ`, `α` and `γ`.

use crate::dual_solver::dual_cti;
use crate::duality::{
    Domain, InductionStep, Judged, PredicateId, Predicates, StateId, States, Transition,
};

/// The most sets of predicates that are tried for one induction step.
const MOST_SUBSETS: usize = 4_000;

/// Algorithm 1: the largest inductive subset of `P`, and a CTI for every other.
/// Transitions between states of `S` are looked for first.
pub fn primal_houdini<D: Domain>(
    domain: &mut D,
    p: &Predicates,
    s: &States,
) -> Result<(Predicates, Vec<Transition>), D::Halt> {
    let (mut e_h, mut p_h) = (Vec::new(), p.clone());
    while let Some(cti) = cti(domain, &p_h, s)? {
        e_h.push(cti);
        p_h = domain.alpha(&p_h, &States::from([cti.to]))?;
    }
    Ok((p_h, e_h))
}

/// A counterexample to the induction of `P`: among `S`, or else any.
fn cti<D: Domain>(
    domain: &mut D,
    p: &Predicates,
    s: &States,
) -> Result<Option<Transition>, D::Halt> {
    let inside = domain.gamma(s, p)?;
    let outside: States = s.difference(&inside).copied().collect();
    if let Some(known) = domain.transition_between(&inside, &outside)? {
        return Ok(Some(known));
    }
    Ok(match domain.judge(&Predicates::new(), p)? {
        Judged::Holds(_) => None,
        Judged::Broken(transition) => Some(transition),
    })
}

/// Algorithm 2: the largest dual-inductive subset of `S`; a dual-CTI for every
/// other is added to `Ẽ_H`, one by one, so that an interruption loses none.
/// Induction steps between predicates of `P` are looked for first.
pub fn dual_houdini<D: Domain>(
    domain: &mut D,
    s: &States,
    p: &Predicates,
    k: usize,
    e_h: &mut Vec<InductionStep>,
) -> Result<States, D::Halt> {
    let mut s_h = s.clone();
    loop {
        let inside = domain.alpha(p, &s_h)?;
        let outside: Vec<PredicateId> = p.difference(&inside).copied().collect();
        let dual_cti = match step_among(domain, &inside, &outside, k)? {
            Some(step) => step,
            None => match dual_cti(domain, &s_h, &inside, k)? {
                Some(step) => step,
                None => return Ok(s_h),
            },
        };
        s_h = domain.gamma(&s_h, &dual_cti.adds)?;
        e_h.push(dual_cti);
    }
}

/// `Reach(E|S)`: the largest evidently reachable subset of `S`, in the order
/// in which its states were reached.
pub fn reach_states<D: Domain>(
    domain: &mut D,
    s: &States,
) -> Result<(States, Vec<Transition>), D::Halt> {
    let (mut reached, mut path) = (States::new(), Vec::new());
    let mut left = s.clone();
    while let Some(transition) = domain.transition_between(&reached, &left)? {
        reached.insert(transition.to);
        left.remove(&transition.to);
        path.push(transition);
    }
    Ok((reached, path))
}

/// `Reach(Ẽ|P)`: the largest evidently k-provable subset of `P`, and the steps
/// of its incremental proof.
pub fn reach_predicates<D: Domain>(
    domain: &mut D,
    p: &Predicates,
    k: usize,
) -> Result<(Predicates, Vec<InductionStep>), D::Halt> {
    let (mut reached, mut proof) = (Predicates::new(), Vec::new());
    loop {
        let left: Vec<PredicateId> = p.difference(&reached).copied().collect();
        let Some(step) = step_among(domain, &reached, &left, k)? else {
            return Ok((reached, proof));
        };
        reached.extend(&step.adds);
        proof.push(step);
    }
}

/// An edge of `Ẽ` from `X` that adds at most k of some predicates, the fewest
/// possible. More assumptions never break an edge, so the largest `X` finds
/// whatever a smaller one would.
fn step_among<D: Domain>(
    domain: &mut D,
    x: &Predicates,
    others: &[PredicateId],
    k: usize,
) -> Result<Option<InductionStep>, D::Halt> {
    // What can be added at all is part of the largest set that can (Houdini
    // relative to X), and often that is nothing.
    let mut q: Predicates = others.iter().copied().collect();
    loop {
        if q.is_empty() {
            return Ok(None);
        }
        match domain.judge(x, &q)? {
            Judged::Holds(_) => break,
            Judged::Broken(cti) => q = domain.alpha(&q, &States::from([cti.to]))?,
        }
    }
    let q: Vec<PredicateId> = q.into_iter().collect();
    let mut tried = 0;
    for size in 1..=k.min(q.len()) {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            tried += 1;
            if tried > MOST_SUBSETS {
                return Err(domain.too_many(MOST_SUBSETS));
            }
            let adds: Predicates = chosen.iter().map(|i| q[*i]).collect();
            if let Judged::Holds(from) = domain.judge(x, &adds)? {
                return Ok(Some(InductionStep { from, adds }));
            }
            if !next_subset(&mut chosen, q.len()) {
                break;
            }
        }
    }
    Ok(None)
}

/// The next choice of as many of n things, in lexicographic order.
fn next_subset(chosen: &mut [usize], n: usize) -> bool {
    let size = chosen.len();
    let Some(i) = (0..size).rev().find(|i| chosen[*i] < n - size + i) else { return false };
    chosen[i] += 1;
    for j in i + 1..size {
        chosen[j] = chosen[j - 1] + 1;
    }
    true
}

/// The steps of an incremental proof that a predicate needs, in their order.
pub fn needed_steps(proof: &[InductionStep], goal: PredicateId) -> Vec<InductionStep> {
    let mut wanted = Predicates::from([goal]);
    let mut kept: Vec<InductionStep> = Vec::new();
    for step in proof.iter().rev() {
        if step.adds.iter().any(|p| wanted.contains(p)) {
            wanted.extend(step.predicates());
            kept.push(step.clone());
        }
    }
    kept.reverse();
    kept
}

/// The states on the way to one of those that were reached.
pub fn path_to(path: &[Transition], goal: StateId) -> Vec<StateId> {
    let mut states = vec![goal];
    let before = |s: StateId| path.iter().find(|t| t.to == s).and_then(|t| t.from);
    while let Some(earlier) = states.last().and_then(|s| before(*s)) {
        states.push(earlier);
    }
    states.reverse();
    states
}
