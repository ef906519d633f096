//! Which passes the preparation consists of.

/// The passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// Memories that never change or that always agree are replaced.
    pub memories: bool,
    /// Memories that a solver says are equal are replaced.
    pub equal: bool,
    /// What all properties presuppose of the past is assumed.
    pub sofar: bool,
    /// What no property and no constraint depends on is dropped.
    pub slice: bool,
    /// Bounds of memories become facts.
    pub bounds: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes =
        Passes { memories: true, equal: true, sofar: true, slice: true, bounds: true };

    /// Those that pay: all but `equal`, which found nothing in 57 programs that
    /// `memories` had left (docs/performance.md).
    pub const DEFAULT: Passes = Passes { equal: false, ..Passes::ALL };

    /// None of them.
    pub const NONE: Passes =
        Passes { memories: false, equal: false, sofar: false, slice: false, bounds: false };

    /// Their names.
    pub const NAMES: [&'static str; 5] = ["memories", "equal", "sofar", "slice", "bounds"];

    /// Switches a pass on; false if there is none of this name.
    pub fn enable(&mut self, name: &str) -> bool {
        match name {
            "memories" => self.memories = true,
            "equal" => self.equal = true,
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
        Passes::DEFAULT
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
