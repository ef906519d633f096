//! Random programs: the engines, the Horn clauses and an explicit search must
//! agree on them. What the stages before the engines make of random programs is
//! tested in their own crates.
//!
//! Few seeds by default; `LUSTRAL_SEEDS=N` runs more, see [`seeds`].

#![allow(clippy::unwrap_used)]

mod candidates;
mod compositional;
mod consistency;
mod contracts;
mod engines;
mod horn;
mod metamorphic;
mod quantifiers;
mod vacuity;
mod verdicts;

use engines::Setup;
use lustral_testing::generate::{Feature, Language, Profile, program};
use lustral_testing::{failure, seeds, tree};
use verdicts::Tally;

/// Programs without clocks, for what declines them: candidates, which speak of steps at which
/// their node is active.
fn on_one_clock(profile: Profile) -> Language {
    Language::from(profile).without(Feature::Clocks)
}

/// Every engine says what an explicit search of all states finds. By far the longest of
/// these tests: two of them run beside each other.
fn engines_and_search_agree(is_mine: fn(u64) -> bool) {
    let tally = Tally::default();
    let setups = Setup::all();
    seeds::for_each(160, |seed| {
        let check = |p: &tree::Program| verdicts::check(p, &setups, &tally);
        if is_mine(seed) {
            failure::run("verdicts", seed, &program(Profile::Finite, seed), &check);
        }
    });
    let idle = engines::IDLE.load(std::sync::atomic::Ordering::Relaxed);
    println!("{}; {idle} times said to say nothing", tally.text());
    tally.expect_everything();
}

#[test]
fn engines_and_search_agree_on_even_seeds() {
    engines_and_search_agree(|seed| seed.is_multiple_of(2));
}

#[test]
fn engines_and_search_agree_on_odd_seeds() {
    engines_and_search_agree(|seed| !seed.is_multiple_of(2));
}

/// The same with one set of engines for each program, which one by its seed: for a hundred thousand
/// programs with clocks, blocks and automata, `cargo xtask fuzz -p lustral --seeds 100000 one_setup`.
#[test]
fn one_setup_and_search_agree() {
    let tally = Tally::default();
    let setups = Setup::all();
    seeds::for_each(200, |seed| {
        let place = seed as usize % setups.len();
        let check = |p: &tree::Program| verdicts::check(p, &setups[place..=place], &tally);
        failure::run("verdicts", seed, &program(Profile::Finite, seed), &check);
    });
    println!("{}", tally.text());
    tally.expect_everything();
}

/// Quantifiers that are chosen or eliminated, against those that are written out.
#[test]
fn quantifiers_are_what_is_written_out() {
    let fails = std::sync::atomic::AtomicUsize::new(0);
    seeds::for_each(24, |seed| {
        let one = usize::from(quantifiers::check(seed));
        fails.fetch_add(one, std::sync::atomic::Ordering::Relaxed);
    });
    println!("{} fail", fails.into_inner());
}

/// Nodes against summaries of what they call: the same verdicts.
#[test]
fn nodes_one_by_one_and_search_agree() {
    let (tally, abstracted) = (Tally::default(), std::sync::atomic::AtomicUsize::new(0));
    seeds::for_each(60, |seed| {
        let check = |p: &tree::Program| {
            let calls = compositional::check(p, &tally)?;
            abstracted.fetch_add(calls, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        };
        failure::run("compositional", seed, &program(Profile::Finite, seed), &check);
    });
    let abstracted = abstracted.into_inner();
    println!("{}; {abstracted} calls abstracted", tally.text());
    assert!(abstracted > 0, "no call was abstracted in any proof");
}

/// Nodes against the contracts of those that they call: the same verdicts as of the whole.
/// `cargo xtask fuzz -p lustral --seeds 10000 contracts_of_nodes` runs many more.
#[test]
fn contracts_of_nodes_and_the_whole_agree() {
    let (tally, counts) = (Tally::default(), std::cell::Cell::new(contracts::Counts::default()));
    seeds::for_each(40, |seed| {
        let check = |p: &tree::Program| {
            let (new, mut all) = (contracts::check(p, &tally)?, counts.get());
            all.abstracted += new.abstracted;
            all.kept += new.kept;
            all.open += new.open;
            counts.set(all);
            Ok(())
        };
        failure::run("contracts", seed, &program(Profile::mixed(seed), seed), &check);
    });
    let contracts::Counts { abstracted, kept, open } = counts.get();
    println!(
        "{}; {abstracted} calls abstracted, {kept} proofs on kept assumptions, {open} only as a whole",
        tally.text()
    );
    assert!(abstracted > 0, "no call was abstracted in any proof");
    assert!(kept > 0, "no proof rests on a contract that assumes something");
}

/// The Horn clauses of a program mean what the program does.
#[test]
fn horn_clauses_and_search_agree() {
    let answers = horn::Answers::default();
    seeds::for_each(60, |seed| {
        let check = |p: &tree::Program| horn::check(p, seed, &answers);
        failure::run("horn", seed, &program(Profile::Finite, seed), &check);
    });
    println!("{}", answers.text());
    for counter in [&answers.safe, &answers.unsafe_] {
        assert!(counter.load(std::sync::atomic::Ordering::Relaxed) > 0, "{}", answers.text());
    }
}

/// Where no search is possible, no answer contradicts another or an execution.
#[test]
fn answers_are_consistent() {
    let tally = Tally::default();
    seeds::for_each(250, |seed| {
        let check = |p: &tree::Program| consistency::check(p, seed, &tally);
        failure::run("consistency", seed, &program(Profile::Rich, seed), &check);
    });
    println!("{}", tally.text());
}

/// Neither names nor the order of equations change a verdict.
#[test]
fn names_and_order_do_not_matter() {
    let tally = Tally::default();
    seeds::for_each(160, |seed| {
        let check = |p: &tree::Program| metamorphic::check(p, seed, &tally);
        failure::run("names and order", seed, &program(Profile::Finite, seed), &check);
    });
    println!("{}", tally.text());
}

/// Predicates that are written as Lustre and read back keep their meaning.
#[test]
fn written_predicates_mean_the_same() {
    let count = std::cell::Cell::new(0);
    seeds::for_each(800, |seed| {
        let profile = if seed % 4 == 3 { Profile::Finite } else { Profile::Rich };
        let check = |p: &tree::Program| {
            count.set(count.get() + candidates::check(p, seed)?);
            Ok(())
        };
        failure::run("candidates", seed, &program(on_one_clock(profile), seed), &check);
    });
    println!("{} predicates", count.get());
    assert!(count.get() > 0, "no predicate could be written");
}

/// Shows the programs of some seeds, both kinds.
#[test]
#[ignore = "for people: run it with --nocapture and LUSTRAL_FIRST_SEED"]
fn show_programs() {
    seeds::for_each(1, |seed| {
        for profile in [Profile::Rich, Profile::Finite] {
            let text = program(profile, seed).text(tree::Parentheses::Needed);
            println!("-- {profile:?}, seed {seed}\n{text}");
        }
    });
}
