//! From a text to its kernel.

use std::sync::Arc;

use lustral_kernel::{Program, translate};
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};

/// The kernel of a text that must be accepted.
pub fn kernel(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let main = sources.add("program.lus", text);
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    let program = lustral_sema::analyse(&sources, &tree, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.sorted());
    translate(&Arc::new(program), &sources)
}
