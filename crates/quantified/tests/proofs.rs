//! What proves a property for all sizes, and what does not.

use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_first_order::{Formula, Shown, Universe};
use lustral_protocol::{Protocol, read};
use lustral_quantified::{
    Candidates, Clause, Limits, Literal, Unproved, houdini, lift, obligations, prove,
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
    prove(protocol, 0, facts, &[Solver::BuiltIn], &limits()).map(|_| ())
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
    let names: Vec<String> =
        obligations(&protocol, &facts(&protocol)[..1], ("p", &facts(&protocol)[0]))
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
    let needed = kept.facts_for(&protocol, &all[0], &limits(), soon).expect("it follows");
    assert!(!needed.is_empty() && proved(&protocol, &needed).is_ok(), "{needed:?}");
    let not = all[0].clone().negated();
    assert_eq!(kept.facts_for(&protocol, &not, &limits(), soon), None);
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
