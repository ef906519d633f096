//! Random programs are accepted, printed or not, and no text, however broken, is
//! too much for the analysis.

use lustral_sema::analyse;
use lustral_syntax::printer::print_program;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_candidates, parse_program};
use lustral_testing::frontend::{accepted, analysed};
use lustral_testing::{Failure, Parentheses, Profile, each_program, each_text, expect_equal};

/// Well-typed and causal by construction: the checks have nothing to object,
/// and neither do they when the program was parsed and printed.
#[test]
fn random_programs_are_accepted() {
    each_program("analysis", 3000, Profile::mixed, |program, _| {
        let text = program.text(Parentheses::Needed);
        accepted(&text)?;
        let mut sources = SourceMap::new();
        let main = sources.add("random.lus", text);
        let tree = parse_program(&mut sources, main, &NoFiles, &mut Diagnostics::new());
        let again = analysed(&print_program(&tree));
        again.map(drop).map_err(|errors| Failure::new("printed is rejected", errors))
    });
}

/// A program inside of a package is the same program: its names have a path, and nothing else
/// is another.
#[test]
fn a_package_changes_names_only() {
    let printed = |text: &str| {
        let mut sources = SourceMap::new();
        let main = sources.add("random.lus", text.to_string());
        print_program(&parse_program(&mut sources, main, &NoFiles, &mut Diagnostics::new()))
    };
    let inside = std::cell::Cell::new(0);
    each_program("package", 1500, Profile::mixed, |program, _| {
        let text = program.text(Parentheses::Needed);
        let packed = format!("package P\nbody\n{text}\nend\n");
        match accepted(&packed) {
            // A flow of a part with the name of something in the package.
            Err(failure) if failure.text.contains("in their package are not supported") => {
                return Ok(());
            }
            other => drop(other?),
        }
        inside.set(inside.get() + 1);
        let (plain, packed) = (printed(&text), printed(&packed));
        expect_equal("in a package", &packed.replace("P::", ""), &plain, || text.clone())?;
        // What stands in the package has names of the package only.
        accepted(&packed).map(drop)
    });
    println!("{} programs in packages", inside.get());
    assert!(inside.get() > 0, "no program was accepted in a package");
}

/// A broken program is rejected or means something, and what is not accepted is
/// analysed too, also as candidates for the nodes that it declares itself: most
/// of it does not fit, and none of it is an error.
#[test]
fn broken_programs_are_survived() {
    each_text("broken program", 600, |text, _| {
        if analysed(text).is_ok_and(|program| !program.nodes.is_empty()) {
            accepted(text)?;
        }
        let mut sources = SourceMap::new();
        let main = sources.add("random.lus", text);
        let mut tree = parse_program(&mut sources, main, &NoFiles, &mut Diagnostics::new());
        let mut diagnostics = Diagnostics::new();
        parse_candidates(&sources, main, &mut tree, &mut diagnostics);
        analyse(&sources, &tree, &mut diagnostics);
        Ok(())
    });
}
