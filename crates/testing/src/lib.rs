//! Random programs, and what tests do with them. For tests only, and without a
//! solver: every crate from `syntax` upwards can use it in its own tests.
//!
//! Three layers, so that a test needs to compile only what it judges:
//!
//! - always: `generate` makes programs as `tree`s, `broken` breaks their
//!   texts, `seeds` says how many, `failure` tells what went wrong after
//!   `reduce` has made it small, `expect` compares texts;
//! - with the feature `programs`: `frontend` analyses them, `execution` runs
//!   them in the interpreter on random `values`, `search` visits all their
//!   states;
//! - with the feature `systems`: `encoding` has their transition systems too.
//!
//! Beside them, with the feature `protocols`: random `protocols` and their states.
//!
//! ```
//! use lustral_testing::{Failure, Parentheses, Profile, each_program};
//!
//! each_program("has a node", 20, Profile::mixed, |program, _seed| {
//!     match program.text(Parentheses::Needed).contains("node main") {
//!         true => Ok(()),
//!         false => Err(Failure::new("no node", "")),
//!     }
//! });
//! ```

pub mod broken;
pub mod dice;
pub mod expect;
pub mod failure;
pub mod generate;
pub mod reduce;
pub mod seeds;
pub mod tree;

#[cfg(feature = "programs")]
pub mod execution;
#[cfg(feature = "programs")]
pub mod frontend;
#[cfg(feature = "protocols")]
pub mod protocols;
#[cfg(feature = "programs")]
pub mod search;
#[cfg(feature = "programs")]
pub mod values;

#[cfg(feature = "systems")]
pub mod encoding;

pub use dice::Dice;
pub use expect::check;
pub use failure::{Failure, expect_equal};
pub use generate::{Feature, Language, Profile, program};
pub use seeds::{each_program, each_text};
pub use tree::{Parentheses, Program};

#[cfg(feature = "systems")]
pub use encoding::Encoded;
#[cfg(feature = "programs")]
pub use frontend::Unit;
