//! Cores and cut sets against brute force: every set of equations and assertions of small
//! random programs is tried by an explicit search of the program in which the others are
//! not there, as text: a flow without its equation is an input.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::{Answer, Checked, ElementKind, Unit};
use lustral_coordinator::{CoreSearch, CoreWish, Event, Job, Options, Run};
use lustral_sema::instances::Wanted;
use lustral_testing::dice::Dice;
use lustral_testing::encoding::{self, Encoded};
use lustral_testing::frontend::accepted;
use lustral_testing::search::search;
use lustral_testing::seeds::for_each;

const FLOWS: [&str; 4] = ["a", "b", "c", "d"];

/// A program of some equations and assertions; which of them are there is another question.
struct Sketch {
    equations: Vec<String>,
    assertions: Vec<String>,
    property: String,
}

impl Sketch {
    fn random(dice: &mut Dice) -> Sketch {
        let equation = |dice: &mut Dice, position: usize| {
            // A flow reads those before it, and all of them through a delay.
            let first = *dice.pick(&["true", "false", "x"]);
            let delayed = *dice.pick(&FLOWS);
            let now = operand(dice, position);
            let combined = *dice.pick(&["and", "or", "xor", "=>"]);
            match dice.below(4) {
                0 => format!("{first} -> pre {delayed}"),
                1 => format!("{now} {combined} {}", operand(dice, position)),
                2 => format!("{first} -> ({now} {combined} pre {delayed})"),
                _ => format!("hold({now})"),
            }
        };
        let equations = (0..FLOWS.len()).map(|i| equation(dice, i)).collect();
        let assertions =
            (0..dice.below(3)).map(|_| format!("{} or {}", operand(dice, 4), operand(dice, 4)));
        let assertions = assertions.collect();
        let claim = [operand(dice, 4), operand(dice, 4), operand(dice, 4)];
        let property = claim.join(*dice.pick(&[" or ", " => "]));
        Sketch { equations, assertions, property }
    }

    fn len(&self) -> usize {
        self.equations.len() + self.assertions.len()
    }

    /// The program with some equations and then some assertions, of all in this order.
    fn text(&self, kept: &[bool]) -> String {
        let (equations, assertions) = kept.split_at(self.equations.len());
        let chosen = |wanted: bool| {
            let flows = FLOWS.iter().zip(equations).filter(move |(_, k)| **k == wanted);
            flows.map(|(flow, _)| *flow).collect::<Vec<_>>()
        };
        let inputs = [vec!["x", "y"], chosen(false)].concat().join(", ");
        let locals = chosen(true);
        let locals = match &locals[..] {
            [] => String::new(),
            some => format!("var {}: bool;", some.join(", ")),
        };
        let mut body = String::new();
        for ((flow, right), _) in
            FLOWS.iter().zip(&self.equations).zip(equations).filter(|(_, k)| **k)
        {
            body += &format!("  {flow} = {right};\n");
        }
        for (assertion, _) in self.assertions.iter().zip(assertions).filter(|(_, k)| **k) {
            body += &format!("  assert {assertion};\n");
        }
        let property = &self.property;
        format!(
            "node hold(x: bool) returns (y: bool);\nlet y = x or (false -> pre y); tel\n\
             node main({inputs}: bool) returns (o: bool);\n{locals}\nlet\n{body}  o = x;\n  \
             check {property};\n  --%MAIN;\ntel\n"
        )
    }

    /// Whether the property holds of what is kept, if the search gets to the end.
    fn holds(&self, kept: &[bool]) -> Option<bool> {
        let unit = accepted(&self.text(kept)).unwrap();
        Some(search(&unit)?.fails[0].is_none())
    }
}

fn operand(dice: &mut Dice, before: usize) -> String {
    let known = [&["x", "y"], &FLOWS[..before]].concat();
    let not = if dice.chance(40) { "not " } else { "" };
    format!("({not}{})", dice.pick(&known))
}

fn unit(text: &str) -> Arc<Unit> {
    let Encoded { unit, kernel, .. } = encoding::accepted(text).unwrap();
    let root = unit.program.node_named("main").unwrap();
    Arc::new(Unit::new(&Arc::new(kernel), root, Wanted::ALL).unwrap())
}

fn proof(unit: &Arc<Unit>) -> Option<Checked<Answer>> {
    let job = Job {
        unit: unit.clone(),
        cut: None,
        partial: false,
        lemmas: Vec::new(),
        store: None,
        patience: None,
        cancel: Cancel::new(),
    };
    Run::start(job, &Options::default()).find_map(|event| match event {
        Event::Checked(result) => result.answer.ok(),
        _ => None,
    })
}

/// A set of elements by which of the sketch it has: equations of `main`, then its
/// assertions; and whether it has the equation of `hold`.
fn of_sketch(
    unit: &Unit,
    search: &CoreSearch,
    sketch: &Sketch,
    set: &[usize],
) -> (Vec<bool>, bool) {
    let mut found = (vec![false; sketch.len()], false);
    for number in set {
        let element = &search.elements.list[*number];
        let node = unit.program.node(element.node);
        match &element.what {
            _ if &*node.name == "hold" => found.1 = true,
            ElementKind::Equation(streams) => {
                let name = &*node.stream(streams[0]).name;
                let position = FLOWS.iter().position(|flow| *flow == name);
                // The output is no part of it.
                position.into_iter().for_each(|i| found.0[i] = true);
            }
            ElementKind::Statement(i) => found.0[sketch.equations.len() + i] = true,
        }
    }
    found
}

fn is_smallest(sets: &[Vec<bool>], set: &[bool]) -> bool {
    let within = |other: &Vec<bool>| {
        other != set && other.iter().zip(set).all(|(inside, around)| !inside || *around)
    };
    !sets.iter().any(within)
}

/// The positions of the smallest of some sets.
fn smallest(sets: &[Vec<bool>]) -> BTreeSet<Vec<usize>> {
    let numbers = |set: &Vec<bool>| (0..set.len()).filter(|i| set[*i]).collect();
    sets.iter().filter(|set| is_smallest(sets, set)).map(numbers).collect()
}

/// Compares one program; whether there was something to compare.
fn compare(seed: u64) -> Option<usize> {
    let sketch = Sketch::random(&mut Dice::new(seed));
    let all = vec![true; sketch.len()];
    let whole = search(&accepted(&sketch.text(&all)).unwrap())?;
    if whole.fails[0].is_some() || whole.blocks == Some(0) {
        return None;
    }
    let mut enough = Vec::new();
    let mut cuts = Vec::new();
    for bits in 0..1_usize << sketch.len() {
        let kept: Vec<bool> = (0..sketch.len()).map(|i| bits >> i & 1 == 1).collect();
        if sketch.holds(&kept)? {
            enough.push(kept);
        } else {
            cuts.push(kept.iter().map(|k| !k).collect::<Vec<_>>());
        }
    }
    let text = sketch.text(&all);
    let unit = unit(&text);
    let answer = proof(&unit)?;
    let search = CoreSearch::new(unit.clone(), &Options::default(), Cancel::new());
    let part = |set: &[usize]| of_sketch(&unit, &search, &sketch, set);
    let result = search.find(&answer, CoreWish::All).unwrap();
    assert!(result.complete && result.minimal, "{seed}: {text}");
    // The search by hand always has the equation of `hold`. The minimal cores with it are the
    // smallest of all when it is not looked at, and cut sets with it are none there.
    let expected = smallest(&enough);
    let cores: Vec<Vec<bool>> = result.cores.iter().map(|c| part(&c.get().elements).0).collect();
    assert_eq!(smallest(&cores), expected, "seed {seed}: {text}");
    let cut = result.cut_sets.iter().map(|c| part(&c.get().elements));
    let cut: Vec<Vec<bool>> = cut.filter(|(_, hold)| !hold).map(|(set, _)| set).collect();
    assert_eq!(smallest(&cut), smallest(&cuts), "seed {seed}: {text}");
    assert_eq!(smallest(&cut).len(), cut.len(), "a cut set is not minimal: seed {seed}: {text}");
    for wish in [CoreWish::One, CoreWish::Minimal] {
        let result = search.find(&answer, wish).unwrap();
        let (core, _) = part(&result.cores[0].get().elements);
        assert!(enough.contains(&core), "seed {seed}: {core:?} is no core of {text}");
        assert!(result.minimal || wish == CoreWish::One, "seed {seed}: {text}");
    }
    Some(expected.len())
}

#[test]
fn all_minimal_cores_and_cut_sets_agree_with_brute_force() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (compared, several) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_each(60, |seed| {
        if let Some(cores) = compare(seed) {
            compared.fetch_add(1, Ordering::Relaxed);
            several.fetch_add(usize::from(cores > 1), Ordering::Relaxed);
        }
    });
    // A test in which nothing happens tests nothing.
    if std::env::var_os("LUSTRAL_SEEDS").is_none() {
        let (compared, several) = (compared.into_inner(), several.into_inner());
        assert!(compared >= 8 && several >= 1, "{compared} compared, {several} with several cores");
    }
}
