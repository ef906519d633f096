//! Random programs that are well-typed and causal by construction.
//!
//! A flow is defined from inputs and from flows of a smaller rank; of others it
//! knows the past only. Calls go to nodes of a smaller rank.
//!
//! `world.rs` has what all nodes share: types, constants, signatures; `nodes.rs`
//! writes interfaces, equations and statements; `writer.rs` chooses how to write
//! an expression, among the productions of `families/`.
//!
//! # A new construct of the language
//!
//! enters the generator in the change that brings it:
//!
//! 1. A file in `families/` with a table of `Production`s: weights, and functions
//!    that write the construct with operands from `Writer::expr` at `at.deeper()`.
//!    Enter the table in `families/mod.rs`, under `ANY` if it gives all types.
//! 2. What [`crate::tree`] cannot say becomes a variant there, with its text, and
//!    [`crate::reduce`] learns how to make it smaller (`operands`).
//! 3. A new type is a variant of `Ty` in `world.rs`: its declaration, how often
//!    flows have it, its literals, and how many values it has if the program is
//!    to be finite; and values of it in `crate::values`.
//! 4. A new item of a body (a contract, an automaton) is written by `nodes.rs`.
//! 5. A [`Feature`] for it, which its productions name, so that a test that cannot
//!    have it says `.without(Feature::…)`; the test below sees to it that the
//!    switch works and that the construct occurs.
//!
//! What the construct must keep: programs are well-typed and causal (present
//! values only of flows before `Place::known`), and those of [`Profile::Finite`]
//! have few states: numbers are bounded, no first value of a number is arbitrary,
//! nothing is divided by zero.

mod contracts;
mod families;
mod language;
mod nodes;
mod world;
mod writer;

use crate::dice::Dice;
use crate::tree::{Declaration, Program};
use world::World;

pub use language::{Feature, Language};

/// What a program may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// All numbers and all operators, division by zero included.
    Rich,
    /// Finitely many states, inputs and arbitrary values.
    Finite,
}

impl Profile {
    /// Mostly rich programs, some finite ones.
    #[must_use]
    pub fn mixed(seed: u64) -> Profile {
        if seed % 4 == 3 { Profile::Finite } else { Profile::Rich }
    }

    /// Finite programs only.
    #[must_use]
    pub fn finite(_seed: u64) -> Profile {
        Profile::Finite
    }

    /// Rich programs only.
    #[must_use]
    pub fn rich(_seed: u64) -> Profile {
        Profile::Rich
    }
}

/// The program of a seed, in the language of a profile or in a smaller one.
#[must_use]
pub fn program(language: impl Into<Language>, seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut world = World::new(language.into(), &mut dice);
    // What others have takes no more dice than before.
    world.keyed(&mut Dice::new(!seed ^ 0x5e75));
    let mut nodes = Vec::new();
    let count = dice.weighted(&[0, 3, 4, 2, 1]);
    for rank in 0..count {
        let is_main = rank + 1 == count;
        let (mut node, signature) = nodes::node(&world, &mut dice, rank, is_main);
        if world.language.has(Feature::Contracts) {
            let mut dice = Dice::new(!seed ^ (rank as u64) << 56);
            contracts::add(&world, &mut dice, &mut node, &signature);
        }
        nodes.push(Declaration::Node(node));
        world.nodes.push(signature);
    }
    let mut declarations = world.declarations;
    declarations.extend(nodes);
    // Types, constants and nodes may be used before they are declared.
    if dice.chance(70) {
        dice.shuffle(&mut declarations);
    }
    let mut program = Program { declarations };
    in_order(&mut program);
    program
}

/// Whether an enumeration must come before the constants that are its values.
const ENUMERATIONS_FIRST: bool = true;

/// Puts declarations where they may stand.
pub fn in_order(program: &mut Program) {
    let is_enumeration = |declaration: &Declaration| matches!(declaration, Declaration::Type(_, definition) if definition.starts_with("enum"));
    if ENUMERATIONS_FIRST {
        program.declarations.sort_by_key(|d| !is_enumeration(d));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Item, Parentheses};

    /// Whether a program contains a construct, as far as its text or its tree
    /// tells.
    fn contains(program: &Program, feature: Feature) -> bool {
        let text = program.text(Parentheses::Needed);
        let word = |words: &[&str]| text.split([' ', '(', '\n']).any(|w| words.contains(&w));
        let nodes = program.declarations.iter().filter_map(|d| match d {
            Declaration::Node(node) => Some(node),
            _ => None,
        });
        let mut items = nodes.flat_map(|node| &node.items);
        match feature {
            Feature::Reals => word(&["real", "real;", "real)", "real);"]),
            Feature::Subranges => word(&["subrange"]),
            Feature::Enumerations => word(&["enum"]),
            Feature::Time => word(&["->", "pre", "fby"]),
            // A name of a node that stands in no header.
            Feature::Calls => {
                let headers = |line: &&str| {
                    !["node", "function"].iter().any(|word| line.trim_start().starts_with(word))
                };
                text.lines().filter(headers).any(|line| line.contains("node"))
            }
            Feature::Tuples => {
                items.any(|item| matches!(item, Item::Equation(names, _) if names.len() > 1))
            }
            Feature::Assertions => items.any(|item| matches!(item, Item::Assert(_))),
            Feature::Blocks => items.any(|item| matches!(item, Item::Block(_))),
            Feature::Machine => text.contains("uint") || text.contains("sint") || word(&["int8"]),
            Feature::Clocks => {
                word(&["condact", "activate", "restart", "when", "merge", "current"])
            }
            // Elsewhere the bar stands between constructors, or arms.
            Feature::Conditions => {
                let flows = |line: &&str| {
                    ["node", "function", "var"].iter().any(|word| line.starts_with(word))
                };
                word(&["subtype"]) || text.lines().filter(flows).any(|line| line.contains(" | "))
            }
            Feature::FreeConstants => {
                program.declarations.iter().any(|d| matches!(d, Declaration::Free(..)))
            }
            Feature::Polymorphic => text.contains("<T>"),
            Feature::Contracts => word(&["con"]),
            Feature::Data => word(&["datatype"]),
            Feature::Keyed => {
                text.contains("set<") || text.contains("map<int") || text.contains("map<bool")
            }
            Feature::Imported => word(&["imported"]),
            Feature::Arbitrary => text.contains("any@<"),
            Feature::Iterators => ["map<<", "red<<", "fold<<"].iter().any(|w| text.contains(w)),
            Feature::Statics => text.contains("<<const"),
            Feature::Structures => word(&["struct", "struct;"]) || text.contains('^'),
        }
    }

    #[test]
    fn features_occur_unless_they_are_switched_off() {
        for feature in Feature::ALL {
            let language = Language::from(Profile::Rich);
            let smaller = language.without(feature);
            let count =
                (0..200).filter(|seed| contains(&program(language, *seed), feature)).count();
            assert!(count >= 20, "{feature:?} occurs in {count} of 200 programs");
            for seed in 0..200 {
                let program = program(smaller, seed);
                let text = program.text(Parentheses::Needed);
                assert!(!contains(&program, feature), "{feature:?} in seed {seed}:\n{text}");
            }
        }
    }

    /// A seed gives the same program today and tomorrow, in this process and
    /// in another.
    #[test]
    fn a_seed_is_a_program() {
        for seed in 0..20 {
            let text = || program(Profile::Rich, seed).text(Parentheses::Needed);
            assert_eq!(text(), text());
        }
    }
}
