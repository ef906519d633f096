//! Random programs that are well-typed and causal by construction.
//!
//! A flow is defined from inputs and from flows of a smaller rank; of others it
//! knows the past only. Calls go to nodes of a smaller rank.

mod bodies;
mod definitions;
mod expressions;
mod world;

use crate::dice::Dice;
use crate::tree::{Declaration, Program};
use world::World;

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

/// The program of a seed.
#[must_use]
pub fn program(profile: Profile, seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut world = World::new(profile, &mut dice);
    let mut nodes = Vec::new();
    let count = dice.weighted(&[0, 3, 4, 2, 1]);
    for rank in 0..count {
        let is_main = rank + 1 == count;
        let (node, signature) = bodies::node(&world, &mut dice, rank, is_main);
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
