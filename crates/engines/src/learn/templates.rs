//! Which kinds of candidates are tried.

use crate::portfolio::description::no_program;
use crate::portfolio::{EngineOption, InvalidValue};

/// The options that all share who learn invariants from templates.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// What candidates look like.
    pub templates: Templates,
}

/// The option `--templates`.
pub static TEMPLATES: EngineOption = EngineOption {
    name: "templates",
    value: "LIST",
    values: &[],
    default: Some("all"),
    help: "The kinds of invariants that are tried, separated by commas: implications, bounds, \
           octagons, triples, modes, affine, atoms, streams; or all, or none",
    set: |options, list| {
        options.learn.templates = Templates::parse(list)?;
        Ok(())
    },
    program: no_program,
};

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

    /// Those of single numbers and of equations, of which there are few.
    #[must_use]
    pub fn lines(self) -> Templates {
        Templates { octagons: false, modes: false, triples: false, ..self }
    }

    /// The names of the kinds.
    pub const NAMES: [&'static str; 8] =
        ["implications", "bounds", "octagons", "triples", "modes", "affine", "atoms", "streams"];

    /// Reads a list of kinds, separated by commas.
    ///
    /// # Errors
    /// If there is no kind of some name.
    pub fn parse(list: &str) -> Result<Templates, InvalidValue> {
        let mut templates = Templates::NONE;
        for name in list.split(',').map(str::trim) {
            match name {
                "all" => templates = Templates::ALL,
                "none" => {}
                _ if templates.enable(name) => {}
                _ => {
                    let names = Templates::NAMES.join(", ");
                    let message =
                        format!("there is no kind `{name}`: expected {names}, all or none");
                    return Err(InvalidValue(message));
                }
            }
        }
        Ok(templates)
    }

    /// The names of the kinds that are tried.
    #[must_use]
    pub fn enabled(&self) -> Vec<&'static str> {
        let Templates {
            implications,
            bounds,
            octagons,
            triples,
            modes,
            affine,
            atoms,
            streams,
            ..
        } = *self;
        let all = [implications, bounds, octagons, triples, modes, affine, atoms, streams];
        Templates::NAMES.into_iter().zip(all).filter(|(_, on)| *on).map(|(name, _)| name).collect()
    }

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
