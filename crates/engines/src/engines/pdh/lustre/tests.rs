//! The figures of the paper, as systems.

use std::collections::BTreeSet;

use lustral_system::Predicate;
use lustral_term::{TermId, Terms, Value};

use super::*;
use crate::learn::tests::Builder;
use lustral_duality::{Answer, PrimalDualHoudini, dual_cti, reach_predicates};

/// Figure 1: `a, b, c := a + b, b + c, c + 1`, or `c + a + 1` in the second one.
fn figure(second: bool) -> (Task, [TermId; 3]) {
    let mut builder = Builder::default();
    let [a, b, c] = [0, 0, 0].map(|zero| builder.memory(zero));
    let terms = &mut builder.system.terms;
    let (zero, one) = (terms.int(0), terms.int(1));
    let (next_a, next_b) = (terms.add(&[a, b]), terms.add(&[b, c]));
    let next_c = if second { terms.add(&[c, a, one]) } else { terms.add(&[c, one]) };
    let property = terms.le(zero, a);
    builder.next(a, next_a);
    builder.next(b, next_b);
    builder.next(c, next_c);
    builder.property(property);
    (builder.task(), [a, b, c])
}

fn slice(task: &Task) -> Slice {
    Slice::new(&task.system, lustral_system::PropId(0))
}

/// Gives predicates of the system to the domain.
fn give(
    task: &Task,
    domain: &mut Lustre<'_>,
    make: impl Fn(&mut Terms) -> Vec<TermId>,
) -> Vec<PredicateId> {
    let mut terms = task.system.terms.clone();
    let list = make(&mut terms);
    let terms = std::sync::Arc::new(terms);
    let give = |term: &TermId| domain.give(&Predicate { terms: terms.clone(), term: *term });
    list.iter().map(give).map(|p| p.expect("it holds initially")).collect()
}

#[test]
fn figure_1a_is_provable_by_one_fact_after_the_other() {
    let (task, [_, b, c]) = figure(false);
    let slice = slice(&task);
    let mut domain = Lustre::new(&task, &slice).unwrap();
    let mut search = PrimalDualHoudini::new(Lustre::P0, Predicates::new(), 1);
    let answer = loop {
        if let Some(answer) = search.round(&mut domain).unwrap() {
            break answer;
        }
    };
    let Answer::Provable(steps) = answer else { panic!("{answer:?}") };
    let expected = give(&task, &mut domain, |terms| {
        let zero = terms.int(0);
        vec![terms.le(zero, c), terms.le(zero, b)]
    });
    let order: Vec<Vec<PredicateId>> =
        steps.iter().map(|step| step.adds.iter().copied().collect()).collect();
    assert_eq!(order, [vec![expected[0]], vec![expected[1]], vec![Lustre::P0]]);
}

#[test]
fn figure_1b_needs_a_step_of_three_facts() {
    let (task, [_, b, c]) = figure(true);
    let slice = slice(&task);
    let mut domain = Lustre::new(&task, &slice).unwrap();
    let others = give(&task, &mut domain, |terms| {
        let zero = terms.int(0);
        vec![terms.le(zero, b), terms.le(zero, c)]
    });
    let all: Predicates = others.into_iter().chain([Lustre::P0]).collect();
    for (k, provable) in [(1, false), (2, false), (3, true)] {
        let (reached, steps) = reach_predicates(&mut domain, &all, k).unwrap();
        assert_eq!(reached.contains(&Lustre::P0), provable, "width {k}");
        assert_eq!(steps.len(), usize::from(provable));
    }
}

/// The set of section 3.2.
fn abstractly_reachable(domain: &mut Lustre<'_>) -> States {
    let states = [(0, 0, -1), (0, -1, 0), (-1, -1, 1), (-2, 0, 1), (-2, 1, 0), (-1, 1, -1)];
    let state = |(a, b, c): (i64, i64, i64)| [a, b, c].map(|n| Value::Int(n.into())).to_vec();
    states.into_iter().map(|s| domain.known.state(state(s))).collect()
}

#[test]
fn the_states_of_section_3_2_are_dual_inductive_for_the_predicates_of_figure_3() {
    let (task, memories) = figure(true);
    let slice = slice(&task);
    let mut domain = Lustre::new(&task, &slice).unwrap();
    let r = abstractly_reachable(&mut domain);
    let predicates = give(&task, &mut domain, |terms| {
        let zero = terms.int(0);
        let bounds: Vec<TermId> = memories.iter().map(|m| terms.le(zero, *m)).collect();
        let equal = memories.iter().map(|m| terms.eq(*m, zero)).collect::<Vec<_>>();
        [bounds, equal].concat()
    });
    // The only set of them that all states satisfy is the empty one, and no step
    // of width 1 or 2 leads from it anywhere.
    for (i, p) in predicates.iter().enumerate() {
        assert!(!domain.all_satisfy(&r, *p).unwrap());
        for q in &predicates[..=i] {
            let step = BTreeSet::from([*p, *q]);
            let judged = domain.judge(&Predicates::new(), &step).unwrap();
            assert!(matches!(judged, Judged::Broken(_)), "{p:?} {q:?}");
        }
    }
    let three = predicates[..3].iter().copied().collect();
    let judged = domain.judge(&Predicates::new(), &three).unwrap();
    assert!(matches!(judged, Judged::Holds(_)));
}

#[test]
fn the_states_of_section_3_2_have_no_dual_cti_among_all_comparisons_with_constants() {
    let (mut task, _) = figure(true);
    task.options.learn.templates = Templates { bounds: true, modes: true, ..Templates::NONE };
    let slice = slice(&task);
    let mut domain = Lustre::new(&task, &slice).unwrap();
    let r = abstractly_reachable(&mut domain);
    assert_eq!(dual_cti(&mut domain, &r, &Predicates::new(), 1).unwrap(), None);
    assert!(domain.is_exact());
    // Where c is never negative, c >= 0 makes b >= 0 inductive.
    let values = |s: &&StateId| domain.known.values(**s)[2] >= Value::Int(0.into());
    let fewer: States = r.iter().filter(values).copied().collect();
    let step = dual_cti(&mut domain, &fewer, &Predicates::new(), 1).unwrap();
    let step = step.expect("a state is excluded");
    assert!(domain.gamma(&fewer, &step.adds).unwrap().len() < fewer.len());
}
