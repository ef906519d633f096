//! The printer is a fixed point on random programs, and no text, however broken,
//! is too much for the parser.

use lustral_syntax::printer::print_program;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_candidates, parse_program};
use lustral_testing::{Failure, Parentheses, Profile, each_program, each_text, expect_equal};

/// What the printer makes of a text that must be accepted.
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

/// Parsing what was printed gives what was printed, and needless parentheses
/// do not matter.
#[test]
fn printed_programs_parse_to_themselves() {
    each_program("printer", 3000, Profile::mixed, |program, _| {
        let once = printed(&program.text(Parentheses::Needed))?;
        let twice = printed(&once)?;
        expect_equal("printed twice", &twice, &once, || "printed again".into())?;
        let all = printed(&program.text(Parentheses::All))?;
        expect_equal("parentheses", &all, &once, || "with all parentheses".into())
    });
}

/// Neither as a program nor as candidates does a broken text make the parser
/// panic or hang; and of candidates, none is an error.
#[test]
fn broken_texts_are_survived() {
    each_text("broken text", 600, |text, _| {
        let mut sources = SourceMap::new();
        let main = sources.add("random.lus", text);
        let mut tree = parse_program(&mut sources, main, &NoFiles, &mut Diagnostics::new());
        let mut diagnostics = Diagnostics::new();
        parse_candidates(&sources, main, &mut tree, &mut diagnostics);
        if diagnostics.has_errors() {
            return Err(Failure::new("candidates", "candidates are rejected"));
        }
        Ok(())
    });
}
