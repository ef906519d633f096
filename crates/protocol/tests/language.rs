//! The language: protocols that are read as they are meant, and mistakes that are said where
//! they are, with what to write instead.

use lustral_first_order::Shown;
use lustral_protocol::{Protocol, read};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostics, SourceMap};

/// What is said of a text, but for warnings about what is declared and not used: that would be most of
/// what stands in front of the texts below.
fn analyse(text: &str) -> (Protocol, Vec<String>) {
    let quiet = [Code::Unused, Code::Unconstrained];
    let (protocol, said) = all(text);
    let told = said.into_iter().filter(|(code, _)| !quiet.contains(code));
    (protocol, told.map(|(_, text)| text).collect())
}

fn all(text: &str) -> (Protocol, Vec<(Code, String)>) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.pyv", text);
    let mut found = Diagnostics::new();
    let protocol = read(&sources, file, &mut found);
    let said = found.sorted().into_iter().map(|diagnostic| {
        let place = sources.line_column(diagnostic.primary.span);
        let help = diagnostic.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
        let said = format!("{}:{}: {}{help}", place.line, place.column, diagnostic.message);
        (diagnostic.code, said)
    });
    (protocol, said.collect())
}

/// What is warned of, with the names of the lints.
fn warned(text: &str) -> Vec<String> {
    all(text).1.into_iter().map(|(code, said)| format!("{}: {said}", code.as_str())).collect()
}

/// What all the protocols below begin with.
const DECLARATIONS: &str = "\
sort node
sort value
immutable relation le(node, node)
immutable constant first: node
mutable relation has(node, value) @no_minimize @printed_by(set, rows)
mutable relation busy
mutable function next(node): node
";

/// A declaration after those above is accepted, or this is said of it.
#[track_caller]
fn says(declaration: &str, expected: &[&str]) {
    let safety = if declaration.contains("safety") { "" } else { "\nsafety true" };
    let (_, said) = analyse(&format!("{DECLARATIONS}{declaration}{safety}"));
    assert_eq!(said, expected, "{}", &declaration[..declaration.len().min(200)]);
}

/// The formula of a safety property is read so.
#[track_caller]
fn means(formula: &str, shown: &str) {
    let (protocol, said) = analyse(&format!("{DECLARATIONS}safety {formula}"));
    assert!(said.is_empty(), "{formula}: {said:?}");
    let formula = &protocol.safety[0].formula;
    assert_eq!(Shown(&protocol.signature, formula).to_string(), shown);
}

#[test]
fn operators_group_as_in_mypyvy() {
    means("busy & busy | busy -> busy <-> busy", "busy & busy | busy -> busy <-> busy");
    means("busy -> busy -> busy", "busy -> busy -> busy");
    means("(busy -> busy) -> busy", "(busy -> busy) -> busy");
    means("!busy = busy", "!busy <-> busy");
    means("busy & forall X. le(X, X) -> busy", "busy & (forall X:node. le(X, X) -> busy)");
    means("& busy\n & first = first\n & busy", "busy & first = first & busy");
    means("| busy | busy & busy", "busy | busy & busy");
    means("if busy then busy else busy & busy", "if busy then busy else busy & busy");
    means("distinct(first, next(first))", "first != next(first)");
    means("let x = next(first) in le(x, x)", "le(next(first), next(first))");
}

#[test]
fn capital_names_are_for_all_elements_and_sorts_are_found() {
    means("le(X, Y) -> X = Y", "forall X:node, Y:node. le(X, Y) -> X = Y");
    means("X = Y & has(Y, V)", "forall X:node, Y:node, V:value. X = Y & has(Y, V)");
    means(
        "(exists X. le(X, N)) & X = N",
        "forall N:node, X:node. (exists X:node. le(X, N)) & X = N",
    );
    means("N1 != next(next(N1))", "forall N1:node. N1 != next(next(N1))");
    means("forall X:value. X = X", "forall X:value. X = X");
}

#[test]
fn transitions_and_what_they_modify() {
    let text = format!(
        "{DECLARATIONS}safety busy\n\
         transition give(n, m: node, v: value)\n modifies has, busy\n has(n, v) & new(busy) &\n \
         (new(has(N, V)) <-> has(N, V) & N != n | N = m & V = v)\n\
         transition idle() = !busy\n\
         derived relation some(node): some(N) <-> exists V. has(N, V)\n\
         sat trace {{ assert init give(first, *, *) idle | give any transition assert busy }}\n\
         unsat trace {{ assert exists X. some(X) }}\n\
         twostate theorem [kept] busy -> new(some(first))\n"
    );
    let (protocol, said) = analyse(&text);
    assert!(said.is_empty(), "{said:?}");
    let transition = &protocol.transitions[0];
    let shown = Shown(&protocol.signature, &transition.body).to_string();
    assert_eq!(
        shown,
        "forall N:node, V:value. has(n, v) & new(busy) & \
         (new(has(N, V)) <-> has(N, V) & N != n | N = m & V = v)"
    );
    let sorts: Vec<&str> =
        transition.parameters.iter().map(|p| protocol.signature.sort(p.sort)).collect();
    assert_eq!(sorts, ["node", "node", "value"]);
    assert_eq!(transition.modifies.len(), 2);
    assert!(protocol.transitions[1].modifies.is_empty());
    assert_eq!(protocol.traces.len(), 2);
    assert_eq!(protocol.theorems[0].1.name, "kept");
}

#[test]
fn mistakes_in_names() {
    says("safety ha(N, V)", &["8:8: nothing is called `ha` (did you mean `has`?)"]);
    says(
        "safety le(Node, Node)",
        &["8:11: nothing is called `Node` (what is meant for all elements is written in capitals \
         only: `NODE`)"],
    );
    says("mutable relation r(noed)", &["8:20: there is no sort `noed` (did you mean `node`?)"]);
    says(
        "mutable relation r(bool)",
        &["8:20: arguments and values of the sort `bool` are not supported yet"],
    );
    says("sort node", &["8:6: `node` is declared twice"]);
    says("mutable relation le", &["8:18: `le` is declared twice"]);
    says(
        "sat trace { giev }\ntransition give() = busy",
        &["8:13: there is no transition `giev` (did you mean `give`?)"],
    );
}

#[test]
fn mistakes_in_sorts_and_arguments() {
    says(
        "safety le(N, V) & has(N, V)",
        &["8:26: `V` is of the sort `node`, and `has` wants a `value` here"],
    );
    says("safety has(N, V) & N = V", &["8:24: `node` and `value` are different sorts"]);
    says(
        "safety le(N)",
        &["8:8: `le` has 2 arguments, and here are 1 (it is declared as `le(node, node)`)"],
    );
    says(
        "safety busy(N)",
        &["8:8: `busy` has 0 arguments, and here are 1 (it is declared as `busy()`)"],
    );
    says(
        "safety X = Y",
        &[
            "8:8: nothing says of which sort `X` is (write it where it is bound: `X: …`)",
            "8:12: nothing says of which sort `Y` is (write it where it is bound: `Y: …`)",
        ],
    );
    says("safety first", &["8:8: `first` is of the sort `node`, and a formula is wanted here"]);
    says("safety first = busy", &["8:16: `busy` is a formula, and an element is wanted here"]);
    says(
        "safety !first = first",
        &["8:8: `!` binds tighter than `=`: `!first` is no element (write `first != first`)"],
    );
}

#[test]
fn mistakes_about_states() {
    says(
        "safety new(busy)",
        &[
            "8:8: `new(…)` in a safety property, which speaks of one state only (`new` belongs into \
         transitions and `twostate theorem`s)",
        ],
    );
    says(
        "axiom busy",
        &[
            "8:7: `busy` may change, and an axiom speaks of no state (what holds of the first state \
         is written as `init`, and of every state as `safety` or `invariant`)",
        ],
    );
    says(
        "transition t() modifies busy new(has(N, V))",
        &["8:34: `has` is not among what the transition modifies (add it: `modifies …, has`)"],
    );
    says(
        "transition t() modifies busi new(busy)",
        &["8:25: nothing is called `busi` (did you mean `busy`?)"],
    );
    says("transition t() modifies le true", &["8:25: `le` is immutable: nothing may change it"]);
    says(
        "transition t() modifies busy new(new(busy))",
        &["8:34: `new(…)` inside of `new(…)`: there are two states only"],
    );
    says(
        "derived relation d(node): le(X, X) -> d(X)",
        &["8:27: derived relations that are not defined by `<->` are not supported yet (write \
         `d(X1) <-> …`)"],
    );
    says(
        "derived relation d: d <-> !d",
        &["8:21: `d` is defined by itself, or by what is derived later"],
    );
}

#[test]
fn mistakes_in_the_grammar_do_not_hide_what_follows() {
    says(
        "transitoin t() = busy\nsafety bus",
        &[
            "8:1: expected a declaration, found `transitoin` (did you mean `transition`?)",
            "9:8: nothing is called `bus` (did you mean `busy`?)",
        ],
    );
    says(
        "safety (busy & \nsafety has(N, V, V)",
        &[
            "9:1: expected a formula or a term, found `safety`",
            "9:8: `has` has 2 arguments, and here are 3 (it is declared as `has(node, value)`)",
        ],
    );
    says(
        "init busy <-> busy <-> busy",
        &["8:20: `<->` twice in a row has no meaning (write parentheses around one of them)"],
    );
    says(
        "transition t(n: node) busy",
        &[
            "8:23: expected `modifies` and what the transition may change, found `busy` (a transition \
         that changes nothing is written with `=` instead)",
        ],
    );
    says(
        "transition t(n: node) { assume busy; }",
        &["8:23: transitions as blocks of statements are not supported yet"],
    );
    says(
        "relation r(node)",
        &["8:1: expected a declaration, found `relation` (write `mutable relation` or `immutable \
         relation`)"],
    );
    says(
        "mutable constant c",
        &["9:1: expected `:` and the sort of the constant `c`, found `safety`"],
    );
    says(
        "mutable relation new",
        &["8:18: expected the name of a relation, found `new` (`new` is a word of the language: \
         take another name)"],
    );
    says("init ~busy", &["8:6: `~` means nothing in a protocol (negation is written `!`)"]);
    let deep = format!("safety {}busy{}", "(".repeat(5000), ")".repeat(5000));
    says(
        &deep,
        &["8:208: the formula is nested too deeply (give parts of it names, as derived relations)"],
    );
}

#[test]
fn nothing_to_check_is_said() {
    let (_, said) = analyse("sort node\ninit true");
    assert_eq!(
        said,
        ["2:1: there is nothing to check (what has to hold in every state is written as `safety`)",]
    );
}

/// Whatever is done to a text, the parser ends, and its places are in the text.
#[test]
fn broken_texts() {
    let text = format!(
        "{DECLARATIONS}transition t(n: node)\n modifies has\n new(has(N, V)) <-> has(N, V) | \
         (if N = n then busy else exists X. le(X, n))\nsat trace {{ assert init t(*) }}\n"
    );
    let mut random = lustral_base::Random::new(0);
    for _ in 0..2000 {
        let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', ',', '\n']).collect();
        for _ in 0..=random.below(4) {
            let (from, to) = (random.below(words.len() as u64), random.below(words.len() as u64));
            match random.below(3) {
                0 => words.swap(from as usize, to as usize),
                1 => words[from as usize] = words[to as usize],
                _ => drop(words.remove(from as usize)),
            }
        }
        analyse(&words.concat());
    }
}

/// mypyvy's own examples beside the workspace, where they are.
#[test]
#[ignore = "reads files beside the workspace"]
fn protocols_of_others() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/protocols");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|extension| extension == "pyv") {
            let (_, said) = analyse(&std::fs::read_to_string(&path).expect("it can be read"));
            assert!(said.is_empty(), "{}: {said:#?}", path.display());
            count += 1;
        }
    }
    assert!(count > 0);
}

/// What has a meaning that was perhaps not meant.
#[test]
fn what_is_not_said_is_warned_of() {
    let text = "sort node
mutable relation held(node)
mutable relation asks(node)
mutable relation spare(node)
mutable function next(node): node
derived relation quiet: quiet <-> forall X. !held(X)
init quiet
transition take(n: node)
  modifies held, asks, next
  asks(n) & (new(held(X)) <-> X = n)
transition rest()
  modifies held
  new(quiet)
safety [one] held(X) & held(Y) -> X = Y
invariant [one] held(X) -> X = X
";
    let expected = [
        "unconstrained: 3:18: `init` says nothing of `asks`",
        "unused: 4:18: nothing speaks of `spare`",
        "unconstrained: 8:12: `take` modifies `asks` and does not say how (say what `new(asks…)` is; \
         without `asks` under `modifies`, it stays as it is)",
        "unconstrained: 8:12: `take` modifies `next` and does not say how (say what `new(next…)` is; \
         without `next` under `modifies`, it stays as it is)",
        "duplicate: 15:1: two properties are called `one`",
    ];
    assert_eq!(warned(text), expected);
    let text =
        text.replace("held, asks, next", "held").replace("[one] held(X) -> X", "held(X) -> X");
    let text = text.replace("mutable relation spare(node)\n", "");
    let text = text.replace("mutable function next(node): node\n", "");
    let text = text.replace("init quiet", "init quiet & !asks(X)");
    assert_eq!(warned(&text), [""; 0]);
}

/// A parameter where a variable was meant: of all the others nothing is said.
#[test]
fn what_is_said_of_some_only_is_warned_of() {
    let text = |new: &str| {
        format!(
            "sort node
mutable relation to(node, node)
init !to(X, Y)
transition send(n: node, m: node)
  modifies to
  {new}
safety to(X, Y) -> X != Y
"
        )
    };
    let expected = "unconstrained: 4:12: `send` modifies `to` and says only of some what it becomes \
                    (say it of all: `new(to(N1, N2))`)";
    assert_eq!(warned(&text("new(to(n, Y)) <-> to(n, Y) | Y = m")), [expected]);
    assert_eq!(warned(&text("new(to(X, Y)) <-> to(X, Y) | X = n & Y = m")), [""; 0]);
    let others = "(X != n -> (new(to(X, Y)) <-> to(X, Y))) & (new(to(n, Y)) <-> Y = m)";
    assert_eq!(warned(&text(others)), [""; 0]);
}

/// Operators as other languages write them.
#[test]
fn operators_of_other_languages() {
    says(
        "safety busy and busy",
        &["8:13: expected a declaration, found `and` (and is written `&`)"],
    );
    says(
        "safety busy implies busy",
        &["8:13: expected a declaration, found `implies` (implication is written `->`)"],
    );
    says(
        "safety first == first",
        &["8:15: expected a formula or a term, found `=` (equality is written `=`)"],
    );
    says(
        "safety (busy or busy)",
        &["8:14: expected `)` at the end of what began with `(`, found `or` (or is written `|`)"],
    );
}

/// What is meant for all elements is written in capitals; a parameter that is nearer is meant first.
#[test]
fn names_in_small_letters() {
    let free = "what is meant for all elements is written in capitals";
    says("safety has(n1, V)", &[&format!("8:12: nothing is called `n1` ({free}: `N1`)")]);
    says(
        "safety has(N2, V) & has(n1, V)",
        &[&format!("8:25: nothing is called `n1` ({free}: `N1`)")],
    );
    says(
        "transition t(n: node) modifies has new(has(N, V)) <-> has(m, V)",
        &["8:59: nothing is called `m` (did you mean `n`?)"],
    );
}
