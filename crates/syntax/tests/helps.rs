//! What is not supported says what to write instead.

use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};

/// Texts, with what of them is not supported and a part of what to write instead.
const TEXTS: [(&str, &str, &str); 8] = [
    (
        "node f(x: int) returns (y: int); let y = 1; check forall (o: history(x)) (x >= o); tel",
        "histories",
        "`ok = p(x) -> p(x) and pre ok;`",
    ),
    (
        "function rec f(n: int) returns (y: int); let y = if n = 0 then 0 else f(n - 1); tel",
        "recursive functions",
        "without a body",
    ),
    ("lemma f(x: int) returns (); let tel", "lemmas", "`check …;`"),
    ("opaque node f(x: int) returns (y: int); let y = x; tel", "`opaque` nodes", "leave `opaque`"),
    (
        "contract c<<const n: int>>(x: int) returns (y: int); let guarantee y = n; tel",
        "parameters of contracts",
        "constant inputs",
    ),
    (
        "node f(r: bool) returns (a: bool) contract assume true enforce not a with (c: bool) \
         let a = r and c; tel",
        "contracts of Heptagon",
        "`guarantee`",
    ),
    (
        "node f(x: bool) returns (y: bool); let automaton initial state A let y = x; tel until \
         x then B; final state B let y = true; tel returns y; tel",
        "final states",
        "a flow that is true in this state",
    ),
    (
        "node f(x: bool) returns (y: bool); let automaton initial state A let y = x; tel until \
         synchro restart B; state B let y = true; tel returns y; tel",
        "synchronised transitions",
        "`until done …`",
    ),
];

#[test]
fn what_is_not_supported_says_what_to_write() {
    for (text, what, wanted) in TEXTS {
        let mut sources = SourceMap::new();
        let main = sources.add("test.lus", text);
        let mut diagnostics = Diagnostics::new();
        parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
        let all = diagnostics.sorted();
        let found = all.iter().find(|d| d.message.starts_with(what));
        let help = found.and_then(|d| d.help.clone()).unwrap_or_default();
        let heard: Vec<&String> = all.iter().map(|d| &d.message).collect();
        assert!(help.contains(wanted), "{text}: {help:?} of {heard:?}");
    }
}
