//! Which kinds of candidates are tried.

/// The kinds of candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Templates {
    /// Clauses of two literals: implications, exclusions.
    pub implications: bool,
    /// `x <= c` and `c <= x`.
    pub bounds: bool,
    /// The same of `x + y` and `x - y`.
    pub octagons: bool,
    /// The same of three memories that change together: `x - y - z`, `x + y + z`.
    pub triples: bool,
    /// Bounds behind a guard: `mode = 2 => x <= 5`.
    pub modes: bool,
    /// Affine equalities between any number of features.
    pub affine: bool,
    /// The comparisons of the program as booleans.
    pub atoms: bool,
    /// Inputs, outputs and locals beside the memories.
    pub streams: bool,
    /// These by their names, instead of what they stand for: for people.
    pub names: bool,
}

impl Templates {
    /// All of them.
    pub const ALL: Templates = Templates {
        implications: true,
        bounds: true,
        octagons: true,
        triples: true,
        modes: true,
        affine: true,
        atoms: true,
        streams: true,
        names: false,
    };

    /// None but constants and equivalences of booleans.
    pub const NONE: Templates = Templates {
        implications: false,
        bounds: false,
        octagons: false,
        triples: false,
        modes: false,
        affine: false,
        atoms: false,
        streams: false,
        names: false,
    };

    /// The names of the kinds.
    pub const NAMES: [&'static str; 8] =
        ["implications", "bounds", "octagons", "triples", "modes", "affine", "atoms", "streams"];

    /// Switches a kind on; false if there is none of this name.
    pub fn enable(&mut self, name: &str) -> bool {
        match name {
            "implications" => self.implications = true,
            "bounds" => self.bounds = true,
            "octagons" => self.octagons = true,
            "triples" => self.triples = true,
            "modes" => self.modes = true,
            "affine" => self.affine = true,
            "atoms" => self.atoms = true,
            "streams" => self.streams = true,
            _ => return false,
        }
        true
    }
}

impl Default for Templates {
    fn default() -> Templates {
        Templates::ALL
    }
}
