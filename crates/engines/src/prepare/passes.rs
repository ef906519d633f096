//! Which passes the preparation consists of.

/// The passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// Memories that never change or that always agree are replaced.
    pub memories: bool,
    /// What all properties presuppose of the past is assumed.
    pub sofar: bool,
    /// What no property and no constraint depends on is dropped.
    pub slice: bool,
    /// Bounds of memories become facts.
    pub bounds: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes { memories: true, sofar: true, slice: true, bounds: true };

    /// None of them.
    pub const NONE: Passes = Passes { memories: false, sofar: false, slice: false, bounds: false };

    /// Their names.
    pub const NAMES: [&'static str; 4] = ["memories", "sofar", "slice", "bounds"];

    /// Switches a pass on; false if there is none of this name.
    pub fn enable(&mut self, name: &str) -> bool {
        match name {
            "memories" => self.memories = true,
            "sofar" => self.sofar = true,
            "slice" => self.slice = true,
            "bounds" => self.bounds = true,
            _ => return false,
        }
        true
    }
}

impl Default for Passes {
    fn default() -> Passes {
        Passes::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pass_has_a_name() {
        let mut passes = Passes::NONE;
        assert!(Passes::NAMES.iter().all(|name| passes.enable(name)));
        assert_eq!(passes, Passes::ALL);
        assert!(!passes.enable("everything"));
    }
}
