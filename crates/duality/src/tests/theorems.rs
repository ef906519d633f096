//! What the paper says of induction duality and of the two Houdinis, tried on random finite systems.

use super::{Finite, bits, of_predicates, of_states};
use crate::duality::{InductionStep, PredicateId, Predicates, StateId, States, Transition};
use crate::houdini::{dual_houdini, primal_houdini};
use crate::search::{Answer, PrimalDualHoudini};
use lustral_base::Random;

fn states(set: u32) -> States {
    bits(set).map(StateId).collect()
}

fn predicates(set: u32) -> Predicates {
    bits(set).map(PredicateId).collect()
}

/// A random subset of so many.
fn subset(random: &mut Random, number: u32) -> u32 {
    random.below(1 << number) as u32
}

impl Finite {
    fn all_states(&self) -> u32 {
        (1 << self.states) - 1
    }

    fn number(&self) -> u32 {
        self.predicates.len() as u32
    }

    /// All edges of `E`, without what is not needed of their source.
    pub(super) fn transitions(&self) -> Vec<Transition> {
        let first = bits(self.initial).map(|s| Transition { from: None, to: StateId(s) });
        let steps = (0..self.states).flat_map(|s| {
            let step = move |t| Transition { from: Some(StateId(s)), to: StateId(t) };
            bits(self.next[s as usize]).map(step)
        });
        first.chain(steps).collect()
    }

    /// Whether an edge of `E` is a counterexample to the induction of some predicates.
    fn is_cti(&self, transition: &Transition, p: u32) -> bool {
        let p = self.meaning(p);
        transition.from.is_none_or(|s| p >> s.0 & 1 == 1) && p >> transition.to.0 & 1 == 0
    }

    /// Whether an induction step is a dual counterexample for some states.
    fn is_dual_cti(&self, step: &InductionStep, s: u32) -> bool {
        let [from, adds] = [&step.from, &step.adds].map(|set| self.meaning(of_predicates(set)));
        s & !from == 0 && s & !adds != 0
    }
}

/// A path of `Ẽ` of steps of this width: what it begins with, and what it ends with.
fn dual_path(finite: &Finite, random: &mut Random, k: u32) -> (u32, u32) {
    let begin = subset(random, finite.number());
    let mut reached = begin;
    for _ in 0..8 {
        let adds = subset(random, finite.number());
        if adds.count_ones() <= k && finite.is_edge(reached, adds) {
            reached |= adds;
        }
    }
    (begin, reached)
}

#[test]
fn theorem_3_2_relates_whole_paths() {
    let mut random = Random::new(32);
    let mut related = 0;
    for _ in 0..3_000 {
        let finite = Finite::random(&mut random);
        // A path of `E`, which begins anywhere.
        let begin = subset(&mut random, finite.states);
        let mut reached = begin;
        for transition in finite.transitions() {
            let follows = transition.from.is_none_or(|s| reached >> s.0 & 1 == 1);
            if follows && random.below(2) == 0 {
                reached |= 1 << transition.to.0;
            }
        }
        let (first, last) = dual_path(&finite, &mut random, 2);
        let holds = |s: u32, p: u32| s & !finite.meaning(p) == 0;
        if holds(begin, last) && holds(reached, first) {
            related += usize::from(reached != begin && last != first);
            assert!(holds(reached, last), "a path breaks what the other one adds");
        }
    }
    assert!(related > 100, "{related}");
}

#[test]
fn theorem_3_8_closes_edges_under_paths() {
    let mut random = Random::new(38);
    let mut joined = 0;
    for _ in 0..2_000 {
        let finite = Finite::random(&mut random);
        // Items 1 and 3: increasing induction steps of any width compose, and what is none is broken by a transition.
        let (begin, end) = dual_path(&finite, &mut random, finite.number());
        joined += usize::from(begin != end);
        assert!(finite.is_edge(begin, end));
        let (p, q) = (subset(&mut random, finite.number()), subset(&mut random, finite.number()));
        let (holds, adds) = (finite.meaning(p), finite.meaning(q));
        let breaks = |t: &Transition| {
            t.from.is_none_or(|s| (holds & adds) >> s.0 & 1 == 1)
                && (holds & !adds) >> t.to.0 & 1 == 1
        };
        assert_eq!(finite.is_edge(p, q), !finite.transitions().iter().any(breaks));
        // Items 1 and 2: what is reachable is abstractly reachable, for any width.
        let reachable = finite.reachable(finite.all_states());
        assert!(finite.is_dual_inductive(reachable, 1 + random.below(2) as usize));
    }
    assert!(joined > 300, "{joined}");
}

#[test]
fn propositions_4_1_and_4_2_say_what_primal_houdini_does() {
    let mut random = Random::new(41);
    for _ in 0..1_500 {
        let mut finite = Finite::random(&mut random);
        let p = subset(&mut random, finite.number());
        let s = subset(&mut random, finite.states);
        let (p_h, e_h) = primal_houdini(&mut finite, &predicates(p), &states(s)).unwrap();
        let p_h = of_predicates(&p_h);
        assert!(finite.is_edge(0, p_h));
        assert!(e_h.len() <= (p.count_ones() - p_h.count_ones()) as usize);
        let preferred = finite.reachable(s);
        for part in finite.subsets().filter(|part| part & !p == 0) {
            let ctis = || e_h.iter().filter(|t| finite.is_cti(t, part));
            // 4.1 (1) and (3).
            assert!(part & !p_h == 0 || ctis().next().is_some());
            assert!(part & !p_h == 0 || !finite.is_edge(0, part));
            // 4.2 (2): what reached states of `S` violate needs no other states.
            if preferred & !finite.meaning(part) != 0 {
                assert!(ctis().any(|t| t.states().all(|one| s >> one.0 & 1 == 1)));
            }
        }
    }
}

#[test]
fn propositions_4_3_and_4_4_say_what_dual_houdini_does() {
    let mut random = Random::new(43);
    for round in 0..600 {
        let k = 1 + round % 2;
        let mut finite = Finite::random(&mut random);
        let s = subset(&mut random, finite.states);
        let p = subset(&mut random, finite.number());
        let mut e_h = Vec::new();
        let s_h = dual_houdini(&mut finite, &states(s), &predicates(p), k, &mut e_h).unwrap();
        let s_h = of_states(&s_h);
        assert!(finite.is_dual_inductive(s_h, k));
        assert!(e_h.len() <= (s.count_ones() - s_h.count_ones()) as usize);
        let preferred = finite.meaning(finite.provable(p, k));
        for part in (0..=finite.all_states()).filter(|part| part & !s == 0) {
            let dual_ctis = || e_h.iter().filter(|step| finite.is_dual_cti(step, part));
            // 4.3 (1) and (3).
            assert!(part & !s_h == 0 || dual_ctis().next().is_some());
            assert!(part & !s_h == 0 || !finite.is_dual_inductive(part, k));
            // 4.4 (2): what a proof from `P` excludes needs no other predicates.
            if part & !preferred != 0 {
                let inside = |step: &&InductionStep| step.predicates().all(|q| p >> q.0 & 1 == 1);
                assert!(dual_ctis().any(|step| inside(&step)));
            }
        }
    }
}

/// Theorems 4.10 and 4.11: where the property fails, a round may learn a state of any execution at the end of which it
/// does; where it is provable, a predicate of any proof.
#[test]
fn theorems_4_10_and_4_11_promise_progress() {
    let mut random = Random::new(410);
    let (mut executions, mut proofs) = (0, 0);
    for round in 0..6_000 {
        let k = 1 + round % 2;
        let mut finite = Finite::random(&mut random);
        let whole = finite.reachable(finite.all_states());
        let fails = whole & !finite.predicates[0] != 0;
        let all = (1 << finite.number()) - 1;
        let proof = finite.provable(all, k);
        let mut search = PrimalDualHoudini::new(PredicateId(0), Predicates::new(), k);
        loop {
            if fails {
                // Among the executions of `Primal Houdini` is one that prefers these states.
                let (p, s) = (search.p.clone(), states(of_states(&search.s) | whole));
                let (_, e_h) = primal_houdini(&mut finite, &p, &s).unwrap();
                let found = e_h.iter().flat_map(Transition::states);
                let known = of_states(&search.s);
                assert!(found.fold(0, |all, s| all | 1 << s.0) & whole & !known != 0);
                executions += 1;
            }
            if search.primal_half(&mut finite).unwrap().is_some() {
                break;
            }
            if proof & 1 == 1 {
                let found = search.e_h.iter().flat_map(Transition::states).map(|s| 1 << s.0);
                let s = found.fold(of_states(&search.s), |all, one| all | one);
                let s = s & finite.meaning(of_predicates(&search.p_i)) | of_states(&search.s_i);
                let preferred = predicates(of_predicates(&search.p) | proof);
                let mut learned = Vec::new();
                dual_houdini(&mut finite, &states(s), &preferred, k, &mut learned).unwrap();
                let learned = learned.iter().flat_map(InductionStep::predicates);
                let learned = learned.fold(0, |all, p| all | 1 << p.0);
                assert!(learned & proof & !of_predicates(&search.p) != 0);
                proofs += 1;
            }
            if search.dual_half(&mut finite).unwrap().is_some() {
                break;
            }
            search.learn();
        }
    }
    assert!(executions > 100 && proofs > 20, "{executions} {proofs}");
}

/// Corollary 4.12, of states: an E-solver that answers with an execution whenever it can ends the search in as many
/// rounds as that has states.
#[test]
fn corollary_4_12_bounds_the_rounds_of_a_kind_solver() {
    let mut random = Random::new(412);
    let mut ended = 0;
    for _ in 0..1_500 {
        let mut finite = Finite::random(&mut random);
        let whole = finite.reachable(finite.all_states());
        if whole & !finite.predicates[0] == 0 {
            continue;
        }
        finite.preferred = whole;
        let mut search = PrimalDualHoudini::new(PredicateId(0), Predicates::new(), 1);
        let rounds = whole.count_ones();
        let answer = (0..rounds).find_map(|_| search.round(&mut finite).unwrap());
        assert!(matches!(answer, Some(Answer::Unsafe(_) | Answer::Unprovable(_))), "{answer:?}");
        ended += 1;
    }
    assert!(ended > 100, "{ended}");
}
