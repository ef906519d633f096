//! Random contracts over small domains, against an explicit solver of games.

use lustral_base::Random;
use lustral_session::report::ContractOutcome;

use crate::explicit::{Contract, Term, Truth, dead_end, solve};
use crate::verdict;

fn truth(random: &mut Random, depth: usize, outputs: bool, ghost: bool) -> Truth {
    if depth == 0 {
        return match random.below(6) {
            0 => Truth::Input(false),
            1 => Truth::Input(true),
            2 | 3 if outputs => Truth::Output(false),
            4 => Truth::Output(true),
            5 if ghost => Truth::Ghost,
            _ => Truth::Less(term(random, outputs), term(random, outputs)),
        };
    }
    let part = |random: &mut Random| Box::new(truth(random, depth - 1, outputs, ghost));
    match random.below(6) {
        0 => Truth::Not(part(random)),
        1 | 2 => Truth::And(part(random), part(random)),
        3 => Truth::Or(part(random), part(random)),
        4 => Truth::Implies(part(random), part(random)),
        _ => Truth::Equal(term(random, outputs), term(random, outputs)),
    }
}

fn term(random: &mut Random, outputs: bool) -> Term {
    match random.below(6) {
        0 => Term::Input(false),
        1 => Term::Input(true),
        2 | 3 if outputs => Term::Output(false),
        4 => Term::Output(true),
        _ => Term::Number(random.below(3) as i64),
    }
}

/// An assumption: sometimes one that a system can make impossible to keep.
fn truth_or_past(random: &mut Random) -> Truth {
    match random.below(4) {
        0 => Truth::Less(Term::Output(true), Term::Input(false)),
        _ => truth(random, 2, false, false),
    }
}

fn contract(seed: u64) -> Contract {
    let mut random = Random::new(seed);
    let random = &mut random;
    let some = |random: &mut Random, most: usize| random.below(most as u64 + 1);
    let assumptions = some(random, 2);
    let assumptions = (0..assumptions).map(|_| truth_or_past(random)).collect();
    let ghost = truth(random, 1, true, false);
    let guarantees = 1 + some(random, 3);
    let guarantees = (0..guarantees).map(|_| truth(random, 2, true, true)).collect();
    Contract { assumptions, ghost, guarantees }
}

#[test]
fn the_explicit_solver_agrees() {
    let seeds: u64 =
        std::env::var("LUSTRAL_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let first: u64 =
        std::env::var("LUSTRAL_FIRST_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut seen = [0, 0, 0];
    let mut ends = 0;
    for seed in first..first + seeds {
        let contract = contract(seed);
        let text = contract.text();
        let found = verdict(&text);
        match (solve(&contract), found.outcome()) {
            (None, ContractOutcome::Unknown { code, .. }) => {
                assert_eq!(code, "vacuous", "seed {seed}\n{text}");
                seen[0] += 1;
            }
            (Some(None), ContractOutcome::Realizable { node, .. }) => {
                let stuck = found.run.warnings.iter().find(|w| w.contains("without any input"));
                let after = stuck.map(|warning| warning.matches("step ").count());
                // The longest plays that are looked at have six steps.
                let expected = dead_end(&contract).filter(|steps| *steps <= 6);
                assert_eq!(after, expected, "seed {seed}: {stuck:?}\n{text}");
                ends += usize::from(after.is_some());
                // The strategy is a node that was checked against the contract.
                assert!(node.is_some(), "seed {seed}: {found:?}\n{text}");
                seen[1] += 1;
            }
            (Some(Some(steps)), ContractOutcome::Unrealizable { play, .. }) => {
                // The play is as short as the environment can make it.
                assert_eq!(play.steps, steps, "seed {seed}\n{text}");
                seen[2] += 1;
            }
            (expected, _) => {
                panic!("seed {seed}: {expected:?}, but {found:?}\n{text}")
            }
        }
    }
    assert!(seeds < 150 || ends > 3, "{ends} can be left without any input");
    assert!(seeds < 150 || seen.iter().skip(1).all(|n| *n > 10), "one-sided: {seen:?}");
}
