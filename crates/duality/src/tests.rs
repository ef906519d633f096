//! The algorithm on small finite systems, where every claim of Theorem 4.5 can
//! be checked by trying everything.

use crate::duality::{
    Domain, InductionStep, Judged, PredicateId, Predicates, Separation, StateId, States, Transition,
};
use crate::houdini::reach_predicates;
use crate::search::{Answer, PrimalDualHoudini};
use lustral_base::Random;

mod theorems;

/// A finite system: states and predicates are positions of bits.
struct Finite {
    states: u32,
    initial: u32,
    /// By state: the states that may follow.
    next: Vec<u32>,
    /// By predicate: the states that satisfy it.
    predicates: Vec<u32>,
    known: Vec<Transition>,
    /// The E-solver answers with transitions between these and known states, if it can.
    preferred: u32,
}

/// The predicates in each layer.
const LAYER: usize = 2;

fn bits(set: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |i| set >> i & 1 == 1)
}

impl Finite {
    fn random(random: &mut Random) -> Finite {
        let states = 3 + random.below(4) as u32;
        let all = 1u64 << states;
        let initial = 1 << random.below(states.into());
        let next = (0..states).map(|_| (random.below(all) & random.below(all)) as u32);
        let next = next.collect();
        let number = 2 + random.below(4);
        let predicates = (0..number).map(|_| (random.below(all) | random.below(all)) as u32);
        Finite {
            states,
            initial,
            next,
            predicates: predicates.collect(),
            known: Vec::new(),
            preferred: 0,
        }
    }

    /// The states that satisfy all predicates of a set of bits.
    fn meaning(&self, set: u32) -> u32 {
        bits(set).fold((1 << self.states) - 1, |s, p| s & self.predicates[p as usize])
    }

    /// Eqs. (11) and (12).
    fn is_edge(&self, p: u32, q: u32) -> bool {
        self.broken(p, q).is_none()
    }

    fn broken(&self, p: u32, q: u32) -> Option<Transition> {
        let (p, q) = (self.meaning(p), self.meaning(q));
        if let Some(s) = bits(self.initial & p & !q).next() {
            return Some(Transition { from: None, to: StateId(s) });
        }
        bits(p & q).find_map(|s| {
            let to = bits(self.next[s as usize] & p & !q).next()?;
            Some(Transition { from: Some(StateId(s)), to: StateId(to) })
        })
    }

    fn subsets(&self) -> std::ops::Range<u32> {
        0..1 << self.predicates.len()
    }

    /// Whether no induction step of this width is a dual-CTI for some states.
    fn is_dual_inductive(&self, states: u32, k: usize) -> bool {
        self.subsets().all(|p| {
            let satisfied = states & !self.meaning(p) == 0;
            !satisfied
                || self.subsets().all(|q| {
                    q.count_ones() as usize > k
                        || states & !self.meaning(q) == 0
                        || !self.is_edge(p, q)
                })
        })
    }

    /// What paths of `Ẽ` inside of some predicates reach.
    fn provable(&self, inside: u32, k: usize) -> u32 {
        let mut reached = 0;
        loop {
            let more = self.subsets().find(|q| {
                q & !inside == 0
                    && q & !reached != 0
                    && q.count_ones() as usize <= k
                    && self.is_edge(reached, *q)
            });
            match more {
                Some(q) => reached |= q,
                None => return reached,
            }
        }
    }

    /// What transitions inside of some states reach.
    fn reachable(&self, inside: u32) -> u32 {
        let mut reached = self.initial & inside;
        loop {
            let next = bits(reached).fold(reached, |r, s| r | self.next[s as usize] & inside);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// That there were more sets of predicates than may be tried.
#[derive(Debug)]
struct TooMany;

impl Domain for Finite {
    type Halt = TooMany;

    fn too_many(&self, _: usize) -> TooMany {
        TooMany
    }

    fn satisfies(&mut self, s: StateId, p: PredicateId) -> Result<bool, TooMany> {
        Ok(self.predicates[p.0 as usize] >> s.0 & 1 == 1)
    }

    fn transition_between(
        &mut self,
        from: &States,
        to: &States,
    ) -> Result<Option<Transition>, TooMany> {
        let is_initial = |s: &&StateId| self.initial >> s.0 & 1 == 1;
        if let Some(s) = to.iter().find(is_initial) {
            return Ok(Some(Transition { from: None, to: *s }));
        }
        Ok(from.iter().find_map(|s| {
            let to = to.iter().find(|t| self.next[s.0 as usize] >> t.0 & 1 == 1)?;
            Some(Transition { from: Some(*s), to: *to })
        }))
    }

    fn judge(&mut self, p: &Predicates, q: &Predicates) -> Result<Judged, TooMany> {
        let (p_bits, q_bits) = (of_predicates(p), of_predicates(q));
        let (holds, adds) = (self.meaning(p_bits), self.meaning(q_bits));
        let known = self.known.iter().flat_map(Transition::states);
        let kind = known.fold(self.preferred, |all, s| all | 1 << s.0);
        let between = |t: &Transition| t.states().all(|s| kind >> s.0 & 1 == 1);
        let breaks = |t: &Transition| {
            t.from.is_none_or(|s| (holds & adds) >> s.0 & 1 == 1)
                && (holds & !adds) >> t.to.0 & 1 == 1
        };
        let wanted = |t: &Transition| self.preferred != 0 && between(t) && breaks(t);
        let preferred = self.transitions().into_iter().find(wanted);
        let broken = preferred.or_else(|| self.broken(p_bits, q_bits));
        self.known.extend(broken);
        Ok(broken.map_or_else(|| Judged::Holds(p.clone()), Judged::Broken))
    }

    fn separate(&mut self, query: &Separation<'_>) -> Result<Option<Predicates>, TooMany> {
        let mut sets: Vec<u32> = self.subsets().collect();
        sets.sort_by_key(|set| (set.count_ones(), *set));
        let found = sets.into_iter().find(|set| {
            let meaning = self.meaning(*set);
            let holds = |s: &StateId| meaning >> s.0 & 1 == 1;
            set.count_ones() as usize <= query.width
                && bits(*set).all(|p| (p as usize) < LAYER * query.stratum)
                && query.positive.iter().all(holds)
                && !query.some_negative.iter().all(holds)
                && query.implications.iter().all(|(s, t)| !holds(s) || holds(t))
        });
        Ok(found.map(|set| bits(set).map(PredicateId).collect()))
    }

    fn strata(&self) -> usize {
        self.predicates.len().div_ceil(LAYER)
    }

    fn grow(&mut self, _: &States) -> bool {
        false
    }

    fn known(&self) -> Vec<Transition> {
        self.known.clone()
    }
}

fn of_predicates(set: &Predicates) -> u32 {
    set.iter().map(|p| 1 << p.0).sum()
}

fn of_states(set: &States) -> u32 {
    set.iter().map(|s| 1 << s.0).sum()
}

/// Items 1 to 6 of Theorem 4.5, by their definitions.
fn check_invariants(finite: &Finite, search: &PrimalDualHoudini) {
    let k = search.k;
    let (p, p_i, p_r) =
        (of_predicates(&search.p), of_predicates(&search.p_i), of_predicates(&search.p_r));
    let (s, s_i, s_r) = (of_states(&search.s), of_states(&search.s_i), of_states(&search.s_r));
    // (1) the largest inductive subset of P: a union of inductive sets is one.
    let inductive = finite.subsets().filter(|q| q & !p == 0 && finite.is_edge(0, *q));
    assert_eq!(p_i, inductive.fold(0, |all, q| all | q));
    // (2) the largest evidently k-provable subset of P.
    assert_eq!(p_r, finite.provable(p, k));
    // (3) the largest dual-inductive subset of S.
    let subsets = (0..1u32 << finite.states).filter(|t| t & !s == 0);
    let dual = subsets.filter(|t| finite.is_dual_inductive(*t, k));
    assert_eq!(s_i, dual.fold(0, |all, t| all | t));
    // (4) the largest evidently reachable subset of S.
    assert_eq!(s_r, finite.reachable(s));
    check_evidence(finite, search, (p, p_i), (s, s_i));
}

/// (5) and (6): the CTIs and dual-CTIs are enough to see it.
fn check_evidence(
    finite: &Finite,
    search: &PrimalDualHoudini,
    (p, p_i): (u32, u32),
    (s, s_i): (u32, u32),
) {
    let seen: u32 = search.e_h.iter().flat_map(Transition::states).fold(0, |all, s| all | 1 << s.0);
    let satisfied = bits(p).filter(|q| seen & !finite.predicates[*q as usize] == 0);
    assert_eq!(p_i, satisfied.fold(0, |all, q| all | 1 << q));
    for q in finite.subsets().filter(|q| q & !p == 0 && q & !p_i != 0) {
        for assumed in finite.subsets().filter(|a| a & !p_i == 0) {
            let (a, q) = (finite.meaning(assumed), finite.meaning(q));
            let breaks = |t: &Transition| {
                t.from.is_none_or(|s| (a & q) >> s.0 & 1 == 1) && (a & !q) >> t.to.0 & 1 == 1
            };
            assert!(search.e_h.iter().any(breaks));
        }
    }
    let learned = search.dual_e_h.iter().flat_map(InductionStep::predicates);
    let learned = learned.fold(0, |all, p| all | 1 << p.0);
    assert_eq!(s_i, s & finite.meaning(learned));
    for r in (0..1u32 << finite.states).filter(|r| r & !s == 0 && r & !s_i != 0) {
        for inside in (0..1u32 << finite.states).filter(|i| i & !s_i == 0) {
            let breaks = |step: &InductionStep| {
                let from = finite.meaning(of_predicates(&step.from));
                let adds = finite.meaning(of_predicates(&step.adds));
                inside & !(from & adds) == 0 && r & !from == 0 && r & !adds != 0
            };
            assert!(search.dual_e_h.iter().any(breaks));
        }
    }
}

/// Corollary 4.6: the answer is what it says it is.
fn check_answer(finite: &Finite, k: usize, answer: &Answer) {
    let bad = !finite.predicates[0];
    let reachable = finite.reachable((1 << finite.states) - 1);
    match answer {
        Answer::Provable(steps) => {
            let mut reached = 0;
            for InductionStep { from, adds } in steps {
                assert!(of_predicates(from) & !reached == 0 && adds.len() <= k);
                assert!(finite.is_edge(of_predicates(from), of_predicates(adds)));
                reached |= of_predicates(adds);
            }
            assert!(reached & 1 == 1 && reachable & bad == 0);
        }
        Answer::Safe(set) => {
            let set = of_predicates(set);
            assert!(set & 1 == 1 && finite.is_edge(0, set) && reachable & bad == 0);
        }
        Answer::Unsafe(path) => {
            assert!(finite.initial >> path[0].0 & 1 == 1);
            let steps = path.windows(2);
            assert!(steps.map(|w| finite.next[w[0].0 as usize] >> w[1].0 & 1).all(|bit| bit == 1));
            let (last, before) = path.split_last().unwrap();
            assert!(bad >> last.0 & 1 == 1);
            assert!(before.iter().all(|s| bad >> s.0 & 1 == 0));
        }
        Answer::Unprovable(states) => {
            let states = of_states(states);
            assert!(states & bad != 0 && finite.is_dual_inductive(states, k));
            assert!(finite.provable((1 << finite.predicates.len()) - 1, k) & 1 == 0);
        }
    }
}

#[test]
fn theorem_4_5_holds_in_every_round_of_random_systems() {
    let mut random = Random::new(5);
    let mut answers = [0; 4];
    for round in 0..400 {
        let k = 1 + round % 2;
        let mut finite = Finite::random(&mut random);
        // Sometimes it begins with more than the property.
        let given = if round % 3 == 0 { finite.predicates.len() as u32 } else { 0 };
        let seeds = (0..given).map(PredicateId).collect();
        let mut search = PrimalDualHoudini::new(PredicateId(0), seeds, k);
        let answer = loop {
            let answer = search.primal_half(&mut finite).unwrap();
            check_invariants(&finite, &search);
            if let Some(answer) = answer {
                break answer;
            }
            let answer = search.dual_half(&mut finite).unwrap();
            check_invariants(&finite, &search);
            if let Some(answer) = answer {
                break answer;
            }
            search.learn();
        };
        check_answer(&finite, k, &answer);
        answers[match answer {
            Answer::Provable(_) => 0,
            Answer::Safe(_) => 1,
            Answer::Unsafe(_) => 2,
            Answer::Unprovable(_) => 3,
        }] += 1;
    }
    assert!(answers.iter().all(|n| *n > 0), "each answer occurs: {answers:?}");
}

#[test]
fn every_round_explores_and_every_search_ends() {
    // The assertions of `round` are on in tests.
    let mut random = Random::new(77);
    for _ in 0..400 {
        let mut finite = Finite::random(&mut random);
        let mut search = PrimalDualHoudini::new(PredicateId(0), Predicates::new(), 1);
        let most = finite.states as usize + finite.predicates.len();
        let answer = (0..=most).find_map(|_| search.round(&mut finite).unwrap());
        check_answer(&finite, 1, &answer.expect("a round explores something new"));
    }
}

/// Bad states in a ring, none of which is reachable, and a predicate against
/// each: they are inductive all together, and no few of them are.
fn ring() -> Finite {
    let states = 31;
    let next = |s: u32| if s == 0 { 1 } else { 1 << (s % (states - 1) + 1) };
    Finite {
        states,
        initial: 1,
        next: (0..states).map(next).collect(),
        predicates: (1..states).map(|bad| ((1 << states) - 1) & !(1 << bad)).collect(),
        known: Vec::new(),
        preferred: 0,
    }
}

#[test]
fn an_invariant_is_not_lost_to_the_search_for_a_narrow_proof() {
    let mut finite = ring();
    let all: Predicates = (0..30).map(PredicateId).collect();
    // There are more sets of three than may be tried.
    assert!(matches!(reach_predicates(&mut finite, &all, 3), Err(TooMany)));
    let mut search = PrimalDualHoudini::new(PredicateId(0), all.clone(), 3);
    let answer = search.round(&mut finite);
    let Ok(Some(Answer::Safe(set))) = answer else { panic!("{answer:?}") };
    assert_eq!(set, all);
}
