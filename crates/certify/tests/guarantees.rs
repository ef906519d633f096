//! What nodes guarantee: what holds passes, and whatever is changed in it so that
//! it may not hold is refused.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::{Guarantees, Nodes, Picks, Preconditions, ProofChecker, Rejected};
use lustral_sema::NodeId;
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::Terms;
use lustral_testing::encoding::accepted;

/// The nodes of a program; the last of the text is the root.
fn nodes(text: &str) -> Arc<Nodes> {
    let kernel = Arc::new(accepted(text).unwrap().kernel);
    let root = NodeId(kernel.nodes.len() as u32 - 1);
    let nodes = Nodes::below(&kernel, &[root], |_, _| Vec::new()).unwrap();
    assert_eq!(nodes.len(), kernel.nodes.len());
    Arc::new(nodes)
}

fn position(nodes: &Nodes, name: &str) -> usize {
    (0..nodes.len()).find(|node| nodes.name(*node) == name).unwrap()
}

/// A comparison of a flow of the first instance, or of a memory.
fn fact(
    system: &TransitionSystem,
    name: &str,
    compare: impl Fn(&mut Terms, lustral_term::TermId) -> lustral_term::TermId,
) -> Predicate {
    let (id, variable) = system.variables().find(|(_, v)| v.name == name).unwrap();
    let mut terms = system.terms.clone();
    let flow = terms.variable(id, variable.sort);
    let term = compare(&mut terms, flow);
    Predicate { terms: Arc::new(terms), term }
}

fn at_least(system: &TransitionSystem, name: &str, bound: i64) -> Predicate {
    fact(system, name, |terms, flow| {
        let bound = terms.int(bound);
        terms.le(bound, flow)
    })
}

fn at_most(system: &TransitionSystem, name: &str, bound: i64) -> Predicate {
    fact(system, name, |terms, flow| {
        let bound = terms.int(bound);
        terms.le(flow, bound)
    })
}

fn checker() -> ProofChecker {
    ProofChecker::new(&Cancel::new()).unwrap()
}

fn refused(result: Result<(), Rejected>) -> bool {
    matches!(result, Err(Rejected::Obligation(_)))
}

fn malformed(result: Result<(), Rejected>) -> bool {
    matches!(result, Err(Rejected::Malformed(_)))
}

const UP_AND_DOWN: &str = "
    node up(r: bool) returns (n: int); let n = 0 -> if r then 0 else pre n + 1; tel
    node down(r: bool) returns (n: int); let n = 0 -> if r then 0 else pre n - 1; tel
    node main(r: bool) returns (a, b: int); let a = up(r); b = down(r); tel";

#[test]
fn facts_of_called_nodes_stand_at_their_own_calls() {
    let nodes = nodes(UP_AND_DOWN);
    let numbers = ["up", "down", "main"].map(|name| position(&nodes, name));
    let [up, down, main] = numbers.map(|node| nodes.system(node));
    let (mut known, mut checker) = (Guarantees::none(&nodes), checker());
    let mut add = |number: usize, facts| known.add(&mut checker, numbers[number], facts);
    // Nothing is known of the calls yet.
    assert!(refused(add(2, vec![at_least(main, "a", 0)])));
    // A step too far, and the wrong way.
    assert!(refused(add(0, vec![at_least(up, "n", 1)])));
    assert!(refused(add(0, vec![at_most(up, "n", 0)])));
    assert!(refused(add(0, vec![at_most(up, "n", 1000)])));
    assert_eq!(add(0, vec![at_least(up, "n", 0)]), Ok(()));
    assert_eq!(add(1, vec![at_most(down, "n", 0)]), Ok(()));
    // Each at the other's call.
    assert!(refused(add(2, vec![at_most(main, "a", 0)])));
    assert!(refused(add(2, vec![at_least(main, "b", 0)])));
    let both = vec![at_least(main, "a", 0), at_most(main, "b", 0)];
    assert_eq!(add(2, both), Ok(()));
    let shown = Picks { always: vec![1], ..Picks::default() };
    let shown = known.describe(&mut checker, numbers[2], &shown);
    assert_eq!((shown.node(), shown.get().always().len()), ("main", 1));
}

/// Together they are inductive, and neither is alone.
#[test]
fn no_part_of_what_is_inductive_together_may_be_missing() {
    let text = "
        node main(r: bool) returns (n, m: int);
        let n = 0 -> pre m; m = 0 -> if r then pre n else pre n + 1; tel";
    let nodes = nodes(text);
    let main = nodes.system(0);
    let (n, m) = (at_least(main, "n", 0), at_least(main, "m", 0));
    let (mut known, mut checker) = (Guarantees::none(&nodes), checker());
    assert!(refused(known.add(&mut checker, 0, vec![n.clone()])));
    assert!(refused(known.add(&mut checker, 0, vec![m.clone()])));
    assert_eq!(known.add(&mut checker, 0, vec![n, m]), Ok(()));
}

/// A counter that is given the step, and callers that give it one and two.
const GIVEN: &str = "
    node count(r: bool; step: int) returns (n: int);
    let n = 0 -> if r then 0 else pre n + step; tel
    node main(r: bool) returns (a, b: int); let a = count(r, 1); b = count(r, 2); tel";

/// What is claimed of the nodes of `GIVEN`.
fn claims(nodes: &Nodes) -> Vec<Preconditions> {
    let count = nodes.system(0);
    let (given, within) = (vec![at_least(count, "step", 0)], vec![at_least(count, "n", 0)]);
    let main = vec![at_least(nodes.system(1), "a", 0), at_least(nodes.system(1), "b", 0)];
    vec![
        Preconditions { given, within, order: Vec::new() },
        Preconditions { given: Vec::new(), within: main, order: vec![0, 1] },
    ]
}

#[test]
fn what_is_given_is_shown_at_every_call() {
    let nodes = nodes(GIVEN);
    let count = nodes.system(0);
    let (mut known, mut checker) = (Guarantees::none(&nodes), checker());
    let mut passes = |change: &dyn Fn(&mut Vec<Preconditions>)| {
        let mut changed = claims(&nodes);
        change(&mut changed);
        known.add_preconditions(&mut checker, changed)
    };
    assert_eq!(passes(&|_| {}), Ok(()));
    // What is relied on is not given.
    assert!(refused(passes(&|claims| claims[0].given.clear())));
    // One call gives it, the other does not.
    assert!(refused(passes(&|claims| claims[0].given.push(at_least(count, "step", 2)))));
    assert!(refused(passes(&|claims| claims[0].given.push(at_most(count, "step", 1)))));
    // The caller relies on what its calls do not guarantee.
    assert!(refused(passes(&|claims| claims[0].within.clear())));
    assert!(refused(passes(&|claims| claims[0].within.push(at_least(count, "n", 1)))));
    // Nobody can show what is inside.
    assert!(malformed(passes(&|claims| claims[0].given.push(at_least(count, "pre n", 0)))));
    // A call that is not visited is given nothing, and one cannot stand for two.
    assert!(malformed(passes(&|claims| claims[1].order = vec![0])));
    assert!(malformed(passes(&|claims| claims[1].order = vec![0, 0])));
    assert!(malformed(passes(&|claims| claims[1].order = vec![0, 1, 2])));
    // Nobody calls the root.
    let main = nodes.system(1);
    assert!(malformed(passes(&|claims| claims[1].given.push(at_least(main, "a", 0)))));
    assert!(malformed(passes(&|claims| claims.truncate(1))));
}

/// What is given is shown as it was picked only if the rest of it follows.
#[test]
fn what_is_given_is_not_shown_as_less() {
    let nodes = nodes(GIVEN);
    let count = nodes.system(0);
    let (mut known, mut checker) = (Guarantees::none(&nodes), checker());
    let mut claims = claims(&nodes);
    claims[0].given.extend([at_least(count, "step", 1), at_most(count, "step", 2)]);
    known.add_preconditions(&mut checker, claims).unwrap();
    let mut shown = |given: &[usize]| {
        let picks = Picks { always: Vec::new(), given: given.to_vec(), within: vec![0] };
        let shown = known.describe(&mut checker, 0, &picks);
        (shown.get().given().len(), shown.get().within().len())
    };
    assert_eq!(shown(&[1, 2]), (2, 1));
    assert_eq!(shown(&[0, 2]), (3, 1));
    assert_eq!(shown(&[1]), (3, 1));
    assert_eq!(shown(&[]), (3, 1));
}

/// Each is given what the other guarantees, one of them a step later: that is a
/// circle that takes time. Visited in the other order it takes none.
#[test]
fn a_circle_must_take_time() {
    let text = "
        node f(x: int) returns (y: int); let y = x; tel
        node g(x: int) returns (z: int); let z = x; tel
        node main(i: bool) returns (a, b: int); let a = f(0 -> pre b); b = g(a); tel";
    let nodes = nodes(text);
    let [f, g, main] = ["f", "g", "main"].map(|name| position(&nodes, name));
    let claim = |node: usize, output: &str| Preconditions {
        given: vec![at_least(nodes.system(node), "x", 0)],
        within: vec![at_least(nodes.system(node), output, 0)],
        order: Vec::new(),
    };
    let passes = |order: &[usize]| {
        let mut claims = vec![Preconditions::default(); nodes.len()];
        claims[f] = claim(f, "y");
        claims[g] = claim(g, "z");
        claims[main].order = order.to_vec();
        Guarantees::none(&nodes).add_preconditions(&mut checker(), claims)
    };
    assert_eq!(passes(&[0, 1]), Ok(()));
    assert!(refused(passes(&[1, 0])));
}
