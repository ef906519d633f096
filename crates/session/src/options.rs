//! How a program is checked: plain data, one structure for each concern.

use std::path::PathBuf;
use std::time::Duration;

use lustral_coordinator::CoreWish;
use lustral_sema::Hazards;

use crate::candidates::Origins;

/// How a program is checked.
#[derive(Clone, Default)]
pub struct CheckOptions {
    /// What is checked.
    pub selection: Selection,
    /// Which engines search, with which solver, at which pace, and what is done
    /// with the proofs that they find.
    pub search: lustral_coordinator::Options,
    /// What is to be found of what properties need, if anything.
    pub needs: Option<Wish>,
    /// How many mutants of each node are looked at, whether its properties notice, if any.
    pub mutants: Option<usize>,
    /// What is kept from run to run.
    pub kept: Kept,
    /// How long all may take, from the time at which the check is made.
    pub time: Option<Duration>,
}

/// What is to be found of what valid properties need of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// Which cores.
    pub cores: CoreWish,
    /// The largest size of the cut sets that are wanted, if they are.
    pub cut_sets: Option<usize>,
}

/// What is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The nodes by name; if there are none, those marked as main, else those
    /// that no other calls.
    pub nodes: Vec<String>,
    /// The properties, by the names that verdicts give them; if there are none, all.
    pub properties: Vec<String>,
    /// Whether every node that has a body is checked by itself, if none is named.
    pub every_node: bool,
    /// Whether the properties of called nodes are checked too, at each call.
    pub called_nodes: bool,
    /// Whether the boolean outputs of a node that states nothing are its properties.
    pub outputs: bool,
    /// What is asked of indices and of operations on machine integers.
    pub hazards: Hazards,
    /// Whether each node is checked once, against what the nodes that it calls
    /// guarantee, instead of with all calls unfolded.
    pub compositional: bool,
    /// Whether what nodes guarantee and are given is learned first, and tried at every call.
    pub learn_nodes: bool,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            nodes: Vec::new(),
            properties: Vec::new(),
            every_node: false,
            called_nodes: true,
            outputs: false,
            hazards: Hazards::default(),
            compositional: false,
            learn_nodes: false,
        }
    }
}

/// What is kept from run to run.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    /// Where candidates for invariants come from, beside the program. What a
    /// run finds goes to the cache as well.
    pub candidates: Origins,
    /// Whether the invariants that proofs rest on are wanted, as text.
    pub invariants: bool,
    /// The folder below which the certificates of proofs are written.
    pub certificates: Option<PathBuf>,
}

impl Kept {
    /// Whether somebody wants to know what proofs rest on.
    pub(crate) fn wants_invariants(&self) -> bool {
        self.invariants || self.candidates.cache.is_some()
    }
}
