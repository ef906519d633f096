//! What the runs of a group amount to.

use std::collections::HashSet;

use super::Measured;
use super::groups::EASY;
use crate::bench::answer::Verdict;
use crate::bench::judge::{Judged, Status};
use crate::bench::run::Row;

/// The figures of one configuration.
#[derive(Debug, PartialEq)]
pub struct Figures {
    /// How many programs are easy, and their times; as far as it solved them.
    pub easy: Sum,
    /// The same of the hard ones: what some configuration solved, but not the
    /// first one soon.
    pub hard: Sum,
    /// The largest depth of an answer.
    pub depth: Option<u64>,
}

/// Programs, and the time they took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    pub solved: usize,
    pub seconds: f64,
}

/// The programs that the first configuration solves soon, by their places.
fn easy(measured: &Measured<'_>) -> HashSet<usize> {
    let soon = |row: &&Row<'_>| row.ours.solved_wall().is_some_and(|wall| wall <= EASY);
    measured.runs[0].iter().filter(soon).map(|row| row.index).collect()
}

/// The figures of each configuration.
pub fn figures(measured: &Measured<'_>) -> Vec<Figures> {
    let easy = easy(measured);
    let of = |rows: &Vec<Row<'_>>| {
        let mut figures = Figures { easy: Sum::default(), hard: Sum::default(), depth: None };
        for row in rows {
            let Some(wall) = row.ours.solved_wall() else { continue };
            let sum = if easy.contains(&row.index) { &mut figures.easy } else { &mut figures.hard };
            sum.solved += 1;
            sum.seconds += wall;
            let depth = row.ours.measure.answer.as_ref().and_then(|answer| answer.depth);
            figures.depth = figures.depth.max(depth.map(|depth| depth + measured.group.first));
        }
        figures
    };
    measured.runs.iter().map(of).collect()
}

/// The programs that some configuration solves.
pub fn solved_by_some(measured: &Measured<'_>) -> usize {
    let rows = measured.runs.iter().flatten();
    let solved: HashSet<usize> =
        rows.filter(|row| row.ours.status.solved()).map(|row| row.index).collect();
    solved.len()
}

/// The programs that one configuration solves and another does not.
pub fn only<'a>(measured: &Measured<'a>, one: usize, not: usize) -> Vec<&'a str> {
    let others: HashSet<usize> = solved(&measured.runs[not]).map(|row| row.index).collect();
    let rows = solved(&measured.runs[one]).filter(|row| !others.contains(&row.index));
    rows.map(|row| row.program.name.as_str()).collect()
}

fn solved<'r, 'a>(rows: &'r [Row<'a>]) -> impl Iterator<Item = &'r Row<'a>> {
    rows.iter().filter(|row| row.ours.status.solved())
}

/// Runs that ended as they should not, without a wrong answer.
pub fn errors(measured: &Measured<'_>) -> Vec<String> {
    let rows = measured.group.configurations.iter().zip(&measured.runs);
    let rows = rows.flat_map(|(c, rows)| rows.iter().map(|row| (c.name, row)));
    let error = |(name, row): (&str, &Row<'_>)| match &row.ours.status {
        Status::Error(how) => Some(format!("{}, {name}: {how}", row.program.name)),
        _ => None,
    };
    rows.filter_map(error).collect()
}

/// Answers that are wrong, or that differ between configurations.
pub fn faults(measured: &Measured<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut first: Vec<Option<(&str, Decision)>> = vec![None; measured.programs];
    for (configuration, rows) in measured.group.configurations.iter().zip(&measured.runs) {
        for row in rows {
            let file = &row.program.name;
            if let Status::Wrong(how) = &row.ours.status {
                faults.push(format!("{file}, {}: {how}", configuration.name));
            }
            let Some(answer) = decided(&row.ours) else { continue };
            match first[row.index] {
                Some((other, known)) if known != answer => faults.push(format!(
                    "{file}: {other} says {known:?}, {} says {answer:?}",
                    configuration.name
                )),
                Some(_) => {}
                None => first[row.index] = Some((configuration.name, answer)),
            }
        }
    }
    faults
}

/// What all configurations must agree on: the verdict, and the step of a
/// shortest counterexample. (Proofs of different k may be equally good.)
type Decision = (Verdict, Option<u64>);

fn decided(run: &Judged) -> Option<Decision> {
    let answer = run.measure.answer.as_ref()?;
    match answer.verdict {
        Verdict::Valid => Some((Verdict::Valid, None)),
        // A run that was cut short leaves a verdict without its step.
        Verdict::Falsifiable => answer.depth.map(|step| (Verdict::Falsifiable, Some(step))),
        Verdict::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::GROUPS;
    use super::*;
    use crate::bench::answer::Answer;
    use crate::bench::judge::Measure;
    use crate::bench::table::{Expected, Program};

    fn program(name: &str) -> Program {
        let expected = Some(Expected::Falsifiable(None));
        Program { name: name.into(), path: name.into(), expected }
    }

    fn row(program: &Program, index: usize, step: Option<u64>, wall: f64) -> Row<'_> {
        let verdict = if step.is_some() { Verdict::Falsifiable } else { Verdict::Unknown };
        let answer = Some(Answer { verdict, depth: step, engine: String::new() });
        let measure = Measure { answer, failure: None, wall, peak: 1.0, shares: Vec::new() };
        Row { index, program, ours: Judged::new(measure, program.expected), other: None }
    }

    #[test]
    fn easy_is_what_the_first_configuration_solves_soon() {
        let [a, b, c] = ["a", "b", "c"].map(program);
        let first =
            vec![row(&a, 0, Some(4), 1.0), row(&b, 1, Some(9), 3.0), row(&c, 2, None, 10.0)];
        let second =
            vec![row(&a, 0, Some(4), 5.0), row(&b, 1, None, 10.0), row(&c, 2, Some(20), 1.0)];
        let measured = Measured { group: &GROUPS[0], programs: 3, runs: vec![first, second] };
        let sum = |solved, seconds| Sum { solved, seconds };
        let expected = [
            Figures { easy: sum(1, 1.0), hard: sum(1, 3.0), depth: Some(10) },
            Figures { easy: sum(1, 5.0), hard: sum(1, 1.0), depth: Some(21) },
        ];
        assert_eq!(figures(&measured), expected);
        assert_eq!(solved_by_some(&measured), 3);
        assert_eq!((only(&measured, 0, 1), only(&measured, 1, 0)), (vec!["b"], vec!["c"]));
        assert!(faults(&measured).is_empty());
    }

    #[test]
    fn another_step_is_a_fault() {
        let a = program("a");
        let runs = vec![vec![row(&a, 0, Some(4), 1.0)], vec![row(&a, 0, Some(5), 1.0)]];
        let measured = Measured { group: &GROUPS[0], programs: 1, runs };
        assert_eq!(faults(&measured).len(), 1);
    }

    #[test]
    fn a_wrong_answer_is_a_fault() {
        let valid = Program { expected: Some(Expected::Valid), ..program("a") };
        let runs = vec![vec![row(&valid, 0, Some(4), 1.0)]];
        let measured = Measured { group: &GROUPS[1], programs: 1, runs };
        assert_eq!(faults(&measured).len(), 1);
        assert_eq!(solved_by_some(&measured), 0);
    }
}
