//! Any text: the front end neither panics nor hangs, and printing what was
//! parsed without an error gives a text that parses to the same again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lustral_syntax::printer::print_program;
use lustral_syntax::{Diagnostics, NoFiles, Program, SourceMap, parse_program};

fuzz_target!(|text: &str| {
    let (sources, program, mut diagnostics) = parse(text);
    if diagnostics.has_errors() {
        return;
    }
    let printed = print_program(&program);
    let (_, again, complaints) = parse(&printed);
    assert!(!complaints.has_errors(), "{printed}");
    assert_eq!(print_program(&again), printed);
    let _ = lustral_sema::analyse(&sources, &program, &mut diagnostics);
});

fn parse(text: &str) -> (SourceMap, Program, Diagnostics) {
    let mut sources = SourceMap::new();
    let main = sources.add("fuzz.lus", text);
    let mut diagnostics = Diagnostics::new();
    let program = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    (sources, program, diagnostics)
}
