//! What proves a property for all sizes, and what does not.

use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_first_order::{Formula, Shown, Universe};
use lustral_protocol::{Protocol, read};
use lustral_quantified::{
    Candidates, Clause, Invariant, Limits, Literal, Prover, Unproved, houdini, lift, obligations,
    reasons,
};
use lustral_smt::Solver;
use lustral_syntax::{Diagnostics, SourceMap};

fn protocol(text: &str) -> Protocol {
    let mut sources = SourceMap::new();
    let file = sources.add("test.pyv", text);
    let mut found = Diagnostics::new();
    let protocol = read(&sources, file, &mut found);
    assert!(!found.has_errors(), "{:?}", found.iter().collect::<Vec<_>>());
    protocol
}

fn limits() -> Limits {
    Limits { query: Duration::from_secs(20), cancel: Cancel::new() }
}

/// What the protocol states as invariants, and its first safety property.
fn facts(protocol: &Protocol) -> Vec<Formula> {
    protocol.safety.iter().chain(&protocol.invariants).map(|s| s.formula.clone()).collect()
}

fn proved(protocol: &Protocol, facts: &[Formula]) -> Result<(), Unproved> {
    let invariant = Invariant::new(facts.to_vec());
    Prover::new(&[Solver::BuiltIn]).prove(protocol, 0, &invariant, &limits()).map(|_| ())
}

/// Names that SMT-LIB has as well, a derived relation, a function, and what a step leaves alone.
const TWO_PHASES: &str = "\
sort Bool
sort value
mutable relation and(Bool)
mutable relation sent(Bool, value)
mutable function not(Bool): value
immutable constant true0: value
derived relation quiet: quiet <-> forall X: Bool, Y: value. !sent(X, Y)
init !and(X)
init !sent(X, Y)
init not(X) = true0
transition send(n: Bool, v: value)
  modifies sent, not
  !and(n) & not(n) = true0 & new(not(n)) = v
  & (X != n -> new(not(X)) = not(X))
  & (new(sent(X, Y)) <-> sent(X, Y) | X = n & Y = v)
transition finish(n: Bool)
  modifies and
  (exists V. sent(n, V)) & (new(and(X)) <-> and(X) | X = n)
safety [no_quiet_end] and(X) -> !quiet
invariant [sent] and(X) -> exists V. sent(X, V)
invariant [value] sent(X, Y) & not(X) != true0 -> exists Z. sent(X, Z) & not(X) = Z
";

#[test]
fn inductive_facts_prove() {
    let protocol = protocol(TWO_PHASES);
    assert_eq!(proved(&protocol, &facts(&protocol)[..2]), Ok(()));
    let names: Vec<String> = obligations(
        &protocol,
        &Invariant::new(facts(&protocol)[..1].to_vec()),
        ("p", &facts(&protocol)[0]),
    )
    .into_iter()
    .map(|obligation| obligation.name)
    .collect();
    let expected = [
        "fact 0 holds of first states",
        "fact 0 is kept by send",
        "fact 0 is kept by finish",
        "the facts imply p",
    ];
    assert_eq!(names, expected);
}

fn refuted(protocol: &Protocol, facts: &[Formula], obligation: &str) {
    match proved(protocol, facts) {
        Err(Unproved::Refuted(name)) => assert_eq!(name, obligation),
        other => panic!("{other:?}"),
    }
}

/// Each kind of obligation refuses what is not so.
#[test]
fn nothing_else_proves() {
    let protocol = protocol(TWO_PHASES);
    let all = facts(&protocol);
    refuted(&protocol, &[], "the facts imply no_quiet_end");
    let no_send = all[1].clone().negated();
    refuted(&protocol, &[all[0].clone(), no_send], "fact 1 holds of first states");
    // That everything stays quiet holds at first.
    let text = TWO_PHASES
        .replace("invariant [sent] and(X) -> exists V. sent(X, V)", "invariant [sent] quiet");
    let quiet = self::protocol(&text);
    refuted(&quiet, &facts(&quiet)[..2], "fact 1 is kept by send");
    let text =
        TWO_PHASES.replace("(exists V. sent(n, V)) & (new(and", "(exists V. true0 = V) & (new(and");
    let unsafe_ = self::protocol(&text);
    refuted(&unsafe_, &facts(&unsafe_)[..2], "fact 0 is kept by finish");
    // What is not modified stays: if it might change, this would not be kept.
    let text = TWO_PHASES.replace("  modifies and\n", "  modifies and, sent\n");
    let forgets = self::protocol(&text);
    refuted(&forgets, &facts(&forgets)[..2], "fact 0 is kept by finish");
}

/// What holds with few elements only is no proof for all.
#[test]
fn a_fact_about_few_elements_is_refuted() {
    let text = "sort node
        mutable relation p(node)
        init p(X) & p(Y) -> X = Y
        transition t(n: node) modifies p (new(p(X)) <-> p(X) | X = n)
        safety [few] exists X, Y. X != Y -> !p(X) | !p(Y) | X = Y";
    let text = text.replace(
        "exists X, Y. X != Y -> !p(X) | !p(Y) | X = Y",
        "forall X, Y, Z. p(X) & p(Y) & p(Z) -> X = Y | Y = Z | X = Z",
    );
    let protocol = protocol(&text);
    refuted(&protocol, &facts(&protocol), "fact 0 is kept by t");
}

/// Of candidates, Houdini keeps what is inductive, and of that what a property needs is enough.
#[test]
fn houdini_keeps_what_is_inductive() {
    let protocol = protocol(TWO_PHASES);
    let mut candidates = Candidates::default();
    let all = facts(&protocol);
    let quiet = protocol_formula(&protocol, "quiet");
    candidates.extend([quiet, all[0].clone(), all[1].clone(), all[0].clone()]);
    assert_eq!(candidates.len(), 3, "the same is not added twice");
    let kept = houdini(&protocol, &mut candidates, &limits());
    assert_eq!(kept.len(), 2);
    let soon = Instant::now() + Duration::from_secs(20);
    let (following, needed) =
        kept.invariant_for(&protocol, &[&all[0]], &limits(), soon).expect("it follows");
    assert_eq!(following, [0]);
    let facts = needed.facts();
    assert!(!facts.is_empty() && proved(&protocol, facts).is_ok(), "{needed:?}");
    let mut prover = Prover::new(&[]);
    assert!(prover.prove(&protocol, 0, &needed, &limits()).is_ok(), "with what is needed only");
    let not = all[0].clone().negated();
    assert_eq!(kept.invariant_for(&protocol, &[&not], &limits(), soon), None);
    let both = kept.invariant_for(&protocol, &[&not, &all[1]], &limits(), soon);
    assert_eq!(both.expect("one of them follows").0, [1]);
}

/// What facts are said to need can only cost a proof: with too little of it nothing is proved, and what
/// was shown of one invariant is not taken to be shown of another.
#[test]
fn what_facts_are_said_to_need_is_not_trusted() {
    let protocol = protocol(TWO_PHASES);
    let all = facts(&protocol)[..2].to_vec();
    let mut prover = Prover::new(&[Solver::BuiltIn]);
    let mut tried = |needs: Vec<Vec<Vec<usize>>>, facts: &[Formula]| {
        let invariant = Invariant::with_needs(facts.to_vec(), needs);
        match prover.prove(&protocol, 0, &invariant, &limits()) {
            Ok(_) => None,
            Err(why) => Some(why.to_string()),
        }
    };
    let enough = vec![vec![vec![0], vec![0]], vec![vec![1], vec![1]]];
    assert_eq!(tried(enough, &all), None);
    // Without the fact itself the step may begin anywhere.
    let too_little = vec![vec![vec![0], vec![0]], vec![vec![], vec![1]]];
    assert_eq!(tried(too_little, &all), Some("not so: fact 1 is kept by send".into()));
    let wrong = [all[0].clone(), all[0].clone().negated()];
    let circular = vec![vec![vec![0], vec![0]], vec![vec![1], vec![1]]];
    assert_eq!(tried(circular, &wrong), Some("not so: fact 1 holds of first states".into()));
    // Facts that are not there are none.
    let beyond = vec![vec![vec![0], vec![0]], vec![vec![7], vec![1]]];
    assert_eq!(tried(beyond, &all), Some("not so: fact 1 is kept by send".into()));
}

/// Only what is assumed letter by letter is not asked.
#[test]
fn what_is_not_asked_is_assumed() {
    let protocol = protocol(TWO_PHASES);
    let all = facts(&protocol)[..2].to_vec();
    let same = |invariant: Invariant, property: &Formula| -> Vec<bool> {
        let all = obligations(&protocol, &invariant, ("p", property));
        all.iter().map(|obligation| obligation.same).collect()
    };
    // `finish` changes `and`, of which both speak; `send` changes `sent`.
    let expected = [false, false, false, false, false, false, true];
    assert_eq!(same(Invariant::new(all.clone()), &all[1]), expected);
    let of_and = protocol_formula_of(&protocol, "and(X) -> and(X)");
    let expected = [false, true, false, false];
    assert_eq!(same(Invariant::new(vec![of_and.clone()]), &all[0]), expected);
    // What is not among what is assumed has to be shown, even if it stays as it is.
    let not_assumed = Invariant::with_needs(vec![of_and.clone()], vec![vec![vec![], vec![]]]);
    assert_eq!(same(not_assumed, &all[0]), [false; 4]);
}

/// A formula in the language of a protocol that is given.
fn protocol_formula_of(_: &Protocol, text: &str) -> Formula {
    let protocol = protocol(&format!("{TWO_PHASES}invariant [last] {text}\n"));
    protocol.invariants.last().expect("it is there").formula.clone()
}

/// The formula of a relation without arguments.
fn protocol_formula(protocol: &Protocol, name: &str) -> Formula {
    let symbol =
        protocol.signature.symbols().find(|(_, s)| &*s.name == name).expect("it is there").0;
    let moment = lustral_first_order::Moment::Now;
    Formula::Relation(lustral_first_order::Application { symbol, moment, arguments: Vec::new() })
}

/// Elements become variables that differ, whatever the elements were called; what is said of all in
/// the same way may be said of some.
#[test]
fn clauses_are_lifted() {
    let protocol = protocol(
        "sort node\nmutable relation p(node)\nmutable relation q(node, node)\nsafety p(X)\n",
    );
    let symbol = |name: &str| {
        protocol.signature.symbols().find(|(_, s)| &*s.name == name).expect("it is there").0
    };
    let literal = |name: &str, elements: &[u32], holds| Literal {
        symbol: symbol(name),
        elements: elements.into(),
        holds,
    };
    let shown = |clause: &Clause, size: u32| -> Vec<String> {
        let universe = Universe::new(vec![size]);
        let all = lift(&protocol.signature, &universe, clause);
        all.iter().map(|f| Shown(&protocol.signature, f).to_string()).collect()
    };
    let one: Clause = [literal("q", &[2, 1], false), literal("p", &[1], true)].into();
    let other: Clause = [literal("q", &[0, 2], false), literal("p", &[2], true)].into();
    let said = ["forall N1:node, N2:node. N1 = N2 | p(N1) | !q(N2, N1)"];
    assert_eq!(shown(&one, 3), said);
    assert_eq!(shown(&other, 3), said);
    let all: Clause = [literal("p", &[0], true), literal("p", &[1], true)].into();
    let said = ["forall N1:node, N2:node. N1 = N2 | p(N1) | p(N2)", "exists N1:node. p(N1)"];
    assert_eq!(shown(&all, 2), said);
    assert_eq!(shown(&all, 3), &said[..1], "one more element may be the one");
}

/// What is in a relation has the reason for which it was put there, perhaps still.
#[test]
fn reasons_are_what_was_required() {
    let protocol = protocol(TWO_PHASES);
    let said = |formula: &Formula| Shown(&protocol.signature, formula).to_string();
    let all: Vec<String> = reasons(&protocol).iter().map(said).collect();
    assert_eq!(all.len(), 3, "{all:?}");
    let is = |said: &str| all.iter().any(|fact| fact.ends_with(said));
    let votes = |fact: &String| fact.contains("and(X0) -> ") && fact.contains("sent(X0, V)");
    assert!(all.iter().any(votes), "{all:?}");
    assert!(is("sent(X0, Y0) -> !and(X0)"), "{all:?}");
    assert!(is("sent(X0, Y0) -> not(X0) = true0"), "{all:?}");
    // Where it is not said how a relation grows, nothing is guessed.
    let text = TWO_PHASES.replace("(new(and(X)) <-> and(X) | X = n)", "(new(and(X)) -> X = n)");
    assert_eq!(reasons(&self::protocol(&text)).len(), 2);
}
