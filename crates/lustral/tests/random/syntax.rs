//! The printer is a fixed point, and no text, however broken, is too much for
//! the front end.

use std::time::{Duration, Instant};

use lustral_syntax::printer::print_program;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_candidates, parse_program};

use crate::agreement;
use lustral_testing::dice::Dice;
use lustral_testing::encoding::accepted;
use lustral_testing::execution::Execution;
use lustral_testing::failure::{Failure, expect_equal};
use lustral_testing::frontend::analysed;
use lustral_testing::tree::{Parentheses, Program};

/// A text that prints and parses the program once more.
fn printed(text: &str) -> Result<String, Failure> {
    let mut sources = SourceMap::new();
    let main = sources.add("random.lus", text);
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    if diagnostics.has_errors() {
        let first = diagnostics.sorted()[0].message.clone();
        return Err(Failure::new("rejected", format!("{first}\n{text}")));
    }
    Ok(print_program(&tree))
}

/// Printing and parsing change nothing, and needless parentheses do not matter.
pub fn printer_is_stable(program: &Program) -> Result<(), Failure> {
    let once = printed(&program.text(Parentheses::Needed))?;
    let twice = printed(&once)?;
    expect_equal("printed twice", &twice, &once, || "printed again".into())?;
    let all = printed(&program.text(Parentheses::All))?;
    expect_equal("parentheses", &all, &once, || "with all parentheses".into())?;
    analysed(&once).map(|_| ()).map_err(|errors| Failure::new("rejected", errors))
}

/// A broken text gets its answer soon; an accepted one means what it says.
pub fn survives(text: &str, dice: &mut Dice) -> Result<(), Failure> {
    let started = Instant::now();
    let result = analysed(text);
    as_candidates(text);
    if started.elapsed() > Duration::from_secs(5) {
        return Err(Failure::new("slow", "the front end takes long"));
    }
    let Ok(program) = result else { return Ok(()) };
    if program.nodes.is_empty() {
        return Ok(());
    }
    let unit = accepted(text)?;
    agreement::compare(&unit, &Execution::random(&unit, dice, 4))
}

/// Reads a text as candidates for the nodes that it declares itself: most of
/// it does not fit, and none of it is an error.
fn as_candidates(text: &str) {
    let mut sources = SourceMap::new();
    let main = sources.add("random.lus", text);
    let mut tree = parse_program(&mut sources, main, &NoFiles, &mut Diagnostics::new());
    let mut diagnostics = Diagnostics::new();
    parse_candidates(&sources, main, &mut tree, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "candidates are rejected");
    lustral_sema::analyse(&sources, &tree, &mut diagnostics);
}
