//! Programs in several files.

use crate::common::Scratch;

const USER: &str = "node main(x: int) returns (ok: bool);\nlet\n  ok = twice(x) = x + x;\ntel\n";
const TWICE: &str = "node twice(x: int) returns (y: int);\nlet\n  y = two * x;\ntel\n";

fn files() -> Scratch {
    let files = Scratch::new();
    files.write("main.lus", format!("include \"sub/twice.lus\"\n{USER}"));
    files.write("sub/twice.lus", format!("include \"two.lus\"\n{TWICE}"));
    files.write("sub/two.lus", "const two = 2;\n");
    files
}

#[test]
fn paths_are_relative_to_the_file_they_stand_in() {
    let files = files();
    files.lustral(&["check", "main.lus"]).expect(0);
    let mut elsewhere = files.command(&["check", "../main.lus"]);
    elsewhere.current_dir(files.path().join("sub"));
    crate::common::run(elsewhere, crate::common::LIMIT).expect(0);
}

#[test]
fn a_file_that_is_included_twice_counts_once() {
    let files = files();
    let again = "include \"sub/two.lus\"\ninclude \"sub/../sub/twice.lus\"\n";
    files.write("main.lus", format!("{again}include \"sub/twice.lus\"\n{USER}"));
    files.lustral(&["check", "main.lus"]).expect(0);
}

#[test]
fn files_that_include_each_other_are_read_once() {
    let files = files();
    files.write("sub/two.lus", "include \"../main.lus\"\ninclude \"two.lus\"\nconst two = 2;\n");
    files.lustral(&["check", "main.lus"]).expect(0);
}

#[test]
fn a_file_that_cannot_be_included_is_an_error_at_its_name() {
    let files = files();
    let text = format!("include \"none.lus\"\n\n  include \"sub\"\n{USER}");
    let run = files.check(&text, &[]).expect(3);
    let found = run.events("diagnostic");
    let place = |d: &serde_json::Value| (d["line"].clone(), d["column"].clone());
    assert!(found.iter().take(2).all(|d| d["code"] == "include"), "{found:?}");
    assert_eq!(place(&found[0]), (1.into(), 9.into()));
    assert_eq!(place(&found[1]), (3.into(), 11.into()));
}

#[test]
fn an_error_is_shown_in_the_file_where_it_is() {
    let files = files();
    files.write("sub/two.lus", "const two = 2;\nconst three = two + true;\n");
    let run = files.lustral(&["check", "--json", "main.lus"]).expect(3);
    let error = &run.events("diagnostic")[0];
    assert_eq!((&error["file"], &error["line"]), (&"sub/two.lus".into(), &2.into()));
    let text = files.lustral(&["check", "main.lus"]).expect(3).stderr;
    assert!(text.contains("--> sub/two.lus:2:"), "{text}");
}

#[test]
fn a_property_is_shown_in_the_file_where_it_is() {
    let files = files();
    let stated = TWICE.replace("tel", "  --%PROPERTY \"even\" y mod 2 = 0;\ntel");
    files.write("sub/twice.lus", format!("include \"two.lus\"\n{stated}"));
    let run = files.lustral(&["check", "--json", "main.lus"]).expect(0);
    let verdict = &run.events("verdict")[0];
    assert_eq!((&verdict["property"], &verdict["line"]), (&"twice.even".into(), &5.into()));
    assert_eq!(verdict["file"], "sub/twice.lus", "line and column mean nothing in another file");
}

#[test]
fn what_is_no_include_is_a_syntax_error() {
    for text in ["include two\n", "include 2\n", "include <two.lus>\n", "include \"two.lus\n"] {
        let run = files().check(&format!("{text}{USER}"), &[]).expect(3);
        assert_eq!(run.events("diagnostic")[0]["code"], "syntax");
        assert_eq!(run.events("diagnostic")[0]["line"], 1, "{}", run.stdout);
    }
}

const HALF: &str = "node half(x: int) returns (y: int);\nlet\n  y = x div 2;\ntel\n";

/// A file means the same for all who include it, whatever their order.
#[test]
fn a_file_is_read_in_one_dialect() {
    let files = Scratch::new();
    files.write("half.lus", HALF);
    let user = |name: &str, dialect: &str| {
        let node = format!("node {name}(x: int) returns (y: int);\nlet\n  y = half(x);\ntel\n");
        format!("--%DIALECT {dialect}\ninclude \"half.lus\"\n{node}")
    };
    files.write("a.lus", user("a", "v6"));
    files.write("b.lus", user("b", "kind2"));
    let main =
        "node main(x: int) returns (ok: bool);\nlet\n  ok = a(x) = b(x);\n  check ok;\ntel\n";
    for [first, second] in [["a", "b"], ["b", "a"]] {
        files.write(
            "main.lus",
            format!("include \"{first}.lus\"\ninclude \"{second}.lus\"\n{main}"),
        );
        let said = files.lustral(&["check", "main.lus"]).expect(3).stderr;
        assert!(said.contains("`half.lus` is included twice"), "{said}");
    }
    files.write("half.lus", format!("--%DIALECT v6\n{HALF}"));
    files.lustral(&["check", "main.lus"]).expect(0);
}

/// What belongs to a program is read as if the first file included it.
#[test]
fn other_files_have_the_dialect_of_the_first() {
    let files = Scratch::new();
    files.write("half.lus", HALF);
    let main = "--%DIALECT v6\nnode main() returns (ok: bool);\nlet\n  ok = half(-7) = -3;\n  check ok;\ntel\n";
    files.write("with.lus", main);
    files.lustral(&["check", "with.lus", "--with", "half.lus"]).expect(0);
    files.write("including.lus", format!("{main}include \"half.lus\"\n"));
    files.lustral(&["check", "including.lus"]).expect(0);
    files.lustral(&["check", "including.lus", "--with", "half.lus"]).expect(0);
}
