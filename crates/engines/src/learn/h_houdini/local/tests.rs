//! The local search on chains of cells.

use super::super::super::tests::{Builder, settled};
use super::*;
use lustral_term::{Sort, Terms};

/// Cells in a row: two counters that go together as long as those of the cell before do.
fn chain(cells: usize, together: bool) -> Task {
    let mut builder = Builder::default();
    let mut before: Option<(TermId, TermId)> = None;
    let mut all = Vec::new();
    for cell in 0..cells {
        let (x, y) = (builder.memory(0), builder.memory(0));
        let tick = builder.input(Sort::Bool);
        let terms = &mut builder.system.terms;
        let (zero, one, two) = (terms.int(0), terms.int(1), terms.int(2));
        let fine = before.map_or(Terms::TRUE, |(x, y)| terms.eq(x, y));
        // The last of a chain that comes apart does not look at the one before.
        let fine = if together || cell + 1 < cells { fine } else { tick };
        let faster = terms.ite(fine, one, two);
        let (more, less) = (terms.ite(tick, faster, zero), terms.ite(tick, one, zero));
        let (x_next, y_next) = (terms.add(&[x, more]), terms.add(&[y, less]));
        let y_next = if together || cell + 1 < cells { y_next } else { y };
        all.push(terms.eq(x, y));
        builder.next(x, x_next);
        builder.next(y, y_next);
        before = Some((x, y));
    }
    let property = builder.system.terms.and(all);
    builder.property(property);
    builder.task()
}

fn run(search: &mut Local<'_>) {
    while !search.round().unwrap() {}
}

/// Cells of two counters that keep a sum; each is fed by the one before in the same step, so
/// that its next value reads all cells before it. No short execution gets to the third.
fn fed(cells: usize) -> Task {
    fed_by(cells, false)
}

/// The same, fed by what the one before was a step ago if it is `late`.
fn fed_by(cells: usize, late: bool) -> Task {
    let mut builder = Builder::default();
    let mut feed = builder.input(Sort::Bool);
    let mut all = Vec::new();
    for _ in 0..cells {
        let (a, b) = (builder.memory(0), builder.memory(10));
        let terms = &mut builder.system.terms;
        let [zero, one, ten] = [0, 1, 10].map(|i| terms.int(i));
        let is_low = terms.lt(a, ten);
        let moves = terms.and([feed, is_low]);
        let is_full = terms.le(ten, a);
        let (more, less) = (terms.add(&[a, one]), terms.sub(b, one));
        let (a_stays, b_stays) = (terms.ite(is_full, zero, a), terms.ite(is_full, ten, b));
        let (a_next, b_next) = (terms.ite(moves, more, a_stays), terms.ite(moves, less, b_stays));
        let sum = terms.add(&[a_next, b_next]);
        all.extend([terms.le(zero, b_next), terms.eq(sum, ten)]);
        feed = terms.eq(a_next, ten);
        if late {
            let before = builder.memory(false);
            builder.next(before, feed);
            feed = before;
        }
        builder.next(a, a_next);
        builder.next(b, b_next);
    }
    let property = builder.system.terms.and(all);
    builder.property(property);
    builder.task()
}

/// The work for a cell does not grow with the cells before it.
#[test]
fn what_is_read_in_the_end_is_not_looked_at() {
    let task = fed(80);
    let mut search = Local::new(&task);
    run(&mut search);
    assert!(settled(&task));
    assert!(search.levels.is_empty(), "{:?}", search.levels);
    assert!(search.refuted.is_empty(), "{:?}", search.refuted);
    assert!(search.abducts.len() < 80 * 8, "{}", search.abducts.len());
}

/// What feeds two counters is as near to them as they are, and is no reason to look far.
#[test]
fn what_feeds_a_cell_is_not_looked_behind() {
    let task = fed_by(40, true);
    let mut search = Local::new(&task);
    run(&mut search);
    assert!(settled(&task));
    assert!(search.levels.values().all(|level| *level == Level::Trio), "{:?}", search.levels);
    assert!(search.refuted.is_empty(), "{:?}", search.refuted);
}

/// What is found is found in parts, and holds in the whole.
#[test]
fn abducts_of_parts_are_abducts_of_the_whole() {
    let task = chain(60, true);
    let mut search = Local::new(&task);
    run(&mut search);
    assert!(settled(&task));
    let property = task.system.properties[0].term;
    let mut step = Consecution::new(&task, Case::Induction(1)).unwrap();
    for (target, abduct) in &search.abducts {
        assert!(*target == property || abduct.len() < 4, "{abduct:?}");
        let hypotheses = [&[*target], &abduct[..]].concat();
        // A conjunction follows from its parts at the same step.
        if *target != property {
            let found = step.ask(&search.regions.terms, &hypotheses, &[*target]).unwrap();
            assert!(matches!(found, Step::Holds(_)), "{target:?}");
        }
    }
}

/// A property that is false is given up, and nothing is said of it.
#[test]
fn what_is_false_is_given_up() {
    let task = chain(20, false);
    let mut search = Local::new(&task);
    run(&mut search);
    assert!(!settled(&task));
    assert!(search.wanted.is_empty());
}

/// For docs/scale.md: `cargo test -p lustral-engines as_many_cells -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn as_many_cells_take_so_long() {
    for cells in [10, 30, 100, 300, 1000] {
        let task = fed(cells);
        let start = std::time::Instant::now();
        let mut search = Local::new(&task);
        run(&mut search);
        assert!(settled(&task), "{cells}");
        println!("{cells} cells: {:?}", start.elapsed());
    }
}
