//! The Ẽ-solver (Algorithm 4): dual counterexamples to induction, from the
//! E-solver and the SEP-solver.

use crate::duality::{
    Domain, InductionStep, Judged, Predicates, Separation, StateId, States, Transition,
};

/// What Algorithm 4 works with: states that satisfy `P`, and the transitions
/// between them that are known.
struct Relaxation {
    w: States,
    known: Vec<Transition>,
}

impl Relaxation {
    /// The known transitions between states of `W`.
    fn inside(&self) -> impl Iterator<Item = Transition> + '_ {
        self.known.iter().copied().filter(|t| t.states().all(|s| self.w.contains(&s)))
    }

    /// `ι ∩ W` and what the implications make of it: it is all the same to the
    /// query whether these are positive or follow.
    fn positive(&self) -> States {
        let mut found = States::new();
        loop {
            let before = found.len();
            for Transition { from, to } in self.inside() {
                if from.is_none_or(|s| found.contains(&s)) {
                    found.insert(to);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn implications(&self, positive: &States) -> Vec<(StateId, StateId)> {
        let open = |t: &Transition| !positive.contains(&t.to);
        self.inside().filter(open).filter_map(|t| Some((t.from?, t.to))).collect()
    }

    fn add(&mut self, transition: Transition) {
        self.known.push(transition);
        self.w.extend(transition.states());
    }
}

/// A dual-CTI for `S`: an induction step `(P, P ∪ Q)` with `S ⊨ P` and not
/// `S ⊨ Q`, from the lowest layers of predicates that have one, as Theorem 4.13
/// asks for. Nothing if `S` is dual-inductive.
pub fn dual_cti<D: Domain>(
    domain: &mut D,
    s: &States,
    satisfied: &Predicates,
    k: usize,
) -> Result<Option<InductionStep>, D::Halt> {
    for stratum in 1..=domain.strata() {
        if let Some(step) = in_stratum(domain, s, satisfied, k, stratum)? {
            return Ok(Some(step));
        }
    }
    while domain.grow(s) {
        let last = domain.strata();
        if let Some(step) = in_stratum(domain, s, satisfied, k, last)? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// Algorithm 4, for predicates of the first layers only.
///
/// Unlike the paper's, `P` begins with predicates that `S` is known to satisfy
/// and `W` with known states. More in `P` breaks no step, more in `W` rules out
/// nothing but what is none; so the answers are the same, sooner.
fn in_stratum<D: Domain>(
    domain: &mut D,
    s: &States,
    satisfied: &Predicates,
    k: usize,
    stratum: usize,
) -> Result<Option<InductionStep>, D::Halt> {
    let mut p = satisfied.clone();
    let known = domain.known();
    let all: States = known.iter().flat_map(Transition::states).collect();
    let mut relaxed = Relaxation { w: domain.gamma(&all, &p)?, known };
    loop {
        while let Some(q) = candidate(domain, &relaxed, s, k, stratum)? {
            match domain.judge(&p, &q)? {
                Judged::Broken(transition) => relaxed.add(transition),
                Judged::Holds(from) => return Ok(Some(InductionStep { from, adds: q })),
            }
        }
        let (some_negative, implications) = (&relaxed.w, &[][..]);
        let query = Separation { positive: s, some_negative, implications, width: 1, stratum };
        let Some(stronger) = domain.separate(&query)? else { return Ok(None) };
        p.extend(stronger);
        relaxed.w = domain.gamma(&relaxed.w, &p)?;
    }
}

/// Line 4: some `Q` that nothing in `W` speaks against.
fn candidate<D: Domain>(
    domain: &mut D,
    relaxed: &Relaxation,
    s: &States,
    k: usize,
    stratum: usize,
) -> Result<Option<Predicates>, D::Halt> {
    let positive = relaxed.positive();
    let implications = relaxed.implications(&positive);
    let query = Separation {
        positive: &positive,
        some_negative: s,
        implications: &implications,
        width: k,
        stratum,
    };
    domain.separate(&query)
}
