//! What a program may contain: a profile, and features that can be switched off.

use super::Profile;

/// Constructs that a test can do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Real numbers.
    Reals,
    /// Subranges of the integers.
    Subranges,
    /// Enumerations.
    Enumerations,
    /// `->`, `pre`, `fby`.
    Time,
    /// Calls of nodes and functions.
    Calls,
    /// Equations of several flows at once.
    Tuples,
    /// Assertions.
    Assertions,
    /// Records and arrays.
    Structures,
    /// Blocks: `if … fi`, frames.
    Blocks,
    /// Machine integers.
    Machine,
    /// Clocks: `condact`, `activate`, `restart`, `when`, `merge`, `current`.
    Clocks,
    /// Conditions in types.
    Conditions,
    /// Constants without a value.
    FreeConstants,
    /// `any@<t>`.
    Arbitrary,
    /// Functions without a body.
    Imported,
    /// Polymorphic nodes.
    Polymorphic,
    /// Contracts of nodes and functions with a body.
    Contracts,
    /// Iterators over arrays.
    Iterators,
    /// Nodes with static parameters.
    Statics,
    /// Data types: constructors, testers, selectors, `match`.
    Data,
    /// Sets and maps; finite programs have none.
    Keyed,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 21] = [
        Feature::Reals,
        Feature::Subranges,
        Feature::Enumerations,
        Feature::Time,
        Feature::Calls,
        Feature::Tuples,
        Feature::Assertions,
        Feature::Structures,
        Feature::Blocks,
        Feature::Machine,
        Feature::Clocks,
        Feature::Conditions,
        Feature::FreeConstants,
        Feature::Arbitrary,
        Feature::Imported,
        Feature::Polymorphic,
        Feature::Contracts,
        Feature::Iterators,
        Feature::Statics,
        Feature::Data,
        Feature::Keyed,
    ];
}

/// The language of generated programs: everything that is not switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// How large its values and its states are.
    pub profile: Profile,
    off: [bool; Feature::ALL.len()],
}

impl From<Profile> for Language {
    /// All features.
    fn from(profile: Profile) -> Language {
        Language { profile, off: [false; Feature::ALL.len()] }
    }
}

impl Language {
    /// The same language without a feature.
    #[must_use]
    pub fn without(mut self, feature: Feature) -> Language {
        self.off[feature as usize] = true;
        self
    }

    /// Whether a feature is there.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        !self.off[feature as usize]
    }
}
