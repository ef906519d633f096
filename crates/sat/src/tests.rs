//! Against trying everything.

use lustral_base::Random;

use crate::{Answer, Lit, Solver};

fn models(variables: u32, clauses: &[Vec<Lit>]) -> impl Iterator<Item = u32> + '_ {
    (0..1u32 << variables).filter(move |model| clauses.iter().all(|clause| holds(*model, clause)))
}

fn holds(model: u32, clause: &[Lit]) -> bool {
    clause.iter().any(|l| (model >> l.variable() & 1 == 1) == l.holds())
}

#[test]
fn answers_models_and_cores_are_right() {
    let mut random = Random::new(11);
    let mut answers = [0; 2];
    for _ in 0..600 {
        let variables = 3 + random.below(8) as u32;
        let mut solver = Solver::new(None);
        (0..variables).for_each(|_| {
            solver.variable();
        });
        let literal = |random: &mut Random| {
            Lit::new(random.below(variables.into()) as u32, random.below(2) == 0)
        };
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        // Clauses and questions in turn: what was learned must stay right.
        for _ in 0..6 {
            for _ in 0..variables {
                let length = 2 + random.below(2);
                let clause: Vec<Lit> = (0..length).map(|_| literal(&mut random)).collect();
                solver.add(&clause);
                clauses.push(clause);
            }
            if random.below(3) == 0 {
                solver.tidy();
            }
            // Questions that begin with the same assumptions: what followed from those is kept.
            let mut assumptions: Vec<Lit> = Vec::new();
            for _ in 0..3 {
                assumptions.truncate(random.below(4) as usize);
                assumptions.extend((0..random.below(3)).map(|_| literal(&mut random)));
                let answer = is_right(&mut solver, variables, &clauses, &assumptions);
                answers[usize::from(answer == Answer::Unsat)] += 1;
            }
        }
    }
    assert!(answers.iter().all(|n| *n > 100), "{answers:?}");
}

/// Asks, and sees whether the answer is right.
fn is_right(
    solver: &mut Solver,
    variables: u32,
    clauses: &[Vec<Lit>],
    assumptions: &[Lit],
) -> Answer {
    let mut all = clauses.to_vec();
    all.extend(assumptions.iter().map(|l| vec![*l]));
    let answer = solver.solve(assumptions);
    match answer {
        Answer::Sat => {
            assert!(all.iter().all(|clause| clause.iter().any(|l| solver.value(*l))));
        }
        Answer::Unsat => {
            assert_eq!(models(variables, &all).next(), None);
            assert!(solver.core().iter().all(|l| assumptions.contains(l)));
            let mut core = clauses.to_vec();
            core.extend(solver.core().iter().map(|l| vec![*l]));
            assert_eq!(models(variables, &core).next(), None, "the core is enough");
        }
        Answer::Stopped => unreachable!("nobody stops it"),
    }
    answer
}

/// More pigeons than holes: hard enough for restarts and for forgetting.
#[test]
fn pigeons_do_not_fit() {
    let (pigeons, holes) = (8, 7);
    let mut solver = Solver::new(None);
    let place = |pigeon: u32, hole: u32| Lit::new(pigeon * holes + hole, true);
    (0..pigeons * holes).for_each(|_| {
        solver.variable();
    });
    for pigeon in 0..pigeons {
        let somewhere: Vec<Lit> = (0..holes).map(|hole| place(pigeon, hole)).collect();
        solver.add(&somewhere);
        for other in 0..pigeon {
            (0..holes).for_each(|hole| solver.add(&[!place(pigeon, hole), !place(other, hole)]));
        }
    }
    assert_eq!(solver.solve(&[]), Answer::Unsat);
    assert!(solver.conflicts() > 1_000);
}
