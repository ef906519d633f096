//! What looks fine is fine: nothing that was stated is left out of the counts, and no answer that was found is lost.

use std::fmt::Write;

use crate::common::{GRACE, Scratch};
use std::time::Duration;

/// Of five files, one of which is rejected, the page and all summaries say so.
#[test]
fn rejected_files_are_counted_everywhere() {
    let scratch = Scratch::new();
    for i in 1..5 {
        scratch.write(
            &format!("f{i}.lus"),
            "node main(x: bool) returns (ok: bool); let ok = true; check ok; tel\n",
        );
    }
    scratch.write("f5.lus", "node main(x: int) returns (y: int); let y = y + x; tel\n");
    let files = ["f1.lus", "f2.lus", "f3.lus", "f4.lus", "f5.lus"];
    let page = |name: &str| std::fs::read_to_string(scratch.path().join(name)).unwrap();
    let text = scratch.lustral(&[&["check", "--html", "a.html"], &files[..]].concat()).expect(3);
    assert!(text.stdout.contains("4 valid, 1 file rejected"), "{}", text.stdout);
    assert!(page("a.html").contains("5 files"), "{}", page("a.html"));
    assert!(page("a.html").contains("depends on itself"), "why is on the page");
    let lines = scratch.lustral(&[&["check", "--json"], &files[..]].concat()).expect(3);
    let [summary] = &lines.events("summary")[..] else { panic!("{}", lines.stdout) };
    assert_eq!((&summary["valid"], &summary["rejected"]), (&4.into(), &1.into()));
    // Alone, it is a rejected file, and not nothing.
    scratch.lustral(&["check", "--html", "b.html", "f5.lus"]).expect(3);
    assert!(!page("b.html").contains("Nothing to check"), "{}", page("b.html"));
}

/// Whatever is written like an annotation and is none is told, and can be denied.
#[test]
fn misspelt_properties_do_not_vanish() {
    let scratch = Scratch::new();
    for comment in [
        "--%PROPRETY ok;",
        "--%PROP ok;",
        "--%PROPERTIES ok;",
        "--%Property ok;",
        "-- %PROPERTY ok;",
        "--% PROPERTY ok;",
        "--PROPERTY ok;",
    ] {
        let text = format!(
            "node main(x: int) returns (ok: bool);\nlet\n  ok = x > 0;\n  {comment}\n  \
             check \"t\" ok or x <= 0;\ntel\n"
        );
        scratch.write("p.lus", &text);
        let run = scratch.lustral(&["check", "p.lus"]).expect(0);
        assert!(run.stderr.contains("warning[misspelt-annotation]"), "{comment}: {}", run.stderr);
        scratch.lustral(&["check", "--deny", "misspelt-annotation", "p.lus"]).expect(3);
    }
}

/// A register of 3000 memories that shifts its input: k-induction has the proof soon, and it is not lost to making it
/// smaller, however little time is left for that.
#[test]
fn a_found_proof_of_a_long_register_is_not_lost() {
    let count = 3000;
    let mut text = String::from("node main(x: bool) returns (ok: bool);\nvar r0");
    for i in 1..count {
        let _ = write!(text, ", r{i}");
    }
    text += ": bool;\nlet\n  r0 = true -> pre r0;\n";
    for i in 1..count {
        let _ = writeln!(text, "  r{i} = true -> pre r{};", i - 1);
    }
    let _ = writeln!(text, "  ok = r{};\n  check \"on\" ok;\ntel", count - 1);
    let args = ["--engine", "k-induction", "--timeout", "30"];
    let run = Scratch::new().check(&text, &args).expect(0);
    assert_eq!(run.verdicts(), [("on".to_string(), "valid".to_string())]);
    assert!(run.time < Duration::from_secs(30) + GRACE, "{:?}", run.time);
}

/// The same of a tree of 2047 calls, and of an invariant that primal-dual Houdini could still make narrower.
#[test]
fn a_found_proof_of_a_tree_of_calls_is_not_lost() {
    let mut text = String::from(
        "node n0(x: int) returns (y: int);\n\
         let y = 0 -> if x > 0 and pre y < 5 then pre y + 1 else pre y; tel\n",
    );
    for i in 1..11 {
        let below = i - 1;
        let _ = writeln!(
            text,
            "node n{i}(x: int) returns (y: int);\nvar a, b: int;\nlet\n  a = n{below}(x);\n  \
             b = n{below}(x + 1);\n  y = if a > b then a else b;\ntel"
        );
    }
    text += "node main(x: int) returns (y: int);\n\
             let y = n10(x); check \"not negative\" y >= 0; tel\n";
    for engine in ["k-induction", "pdh"] {
        let args = ["--engine", engine, "--timeout", "45"];
        let run = Scratch::new().check(&text, &args).expect(0);
        assert_eq!(run.verdicts(), [("not negative".to_string(), "valid".to_string())], "{engine}");
    }
}

/// Where the time is up before anything is known, each property of a check node by node has its verdict, and the
/// summary counts it.
#[test]
fn no_property_is_without_a_verdict_at_the_time_limit() {
    let cubes = "x * x * x + y * y * y <> z * z * z or x < 1 or y < 1 or z < 1";
    let mut text = String::new();
    for i in 0..4 {
        let _ = writeln!(
            text,
            "node hard{i}(x, y, z: int) returns (b: bool);\nlet b = {cubes}; check \"hard\" b; tel"
        );
    }
    text += "node main(x, y, z: int) returns (b: bool);\nlet\n  \
             b = hard0(x, y, z) and hard1(x, y, z) and hard2(x, y, z) and hard3(x, y, z);\n  \
             check \"all\" b;\ntel\n";
    for time in ["0.01", "0.5", "2"] {
        let run = Scratch::new().check(&text, &["--compositional", "--timeout", time]).expect(30);
        let verdicts = run.verdicts();
        let [summary] = &run.events("summary")[..] else { panic!("{}", run.stdout) };
        let open = verdicts.iter().filter(|(_, word)| word == "unknown").count();
        assert_eq!(summary["unknown"], open, "{time}: {}", run.stdout);
        assert!(verdicts.iter().any(|(name, _)| name == "all"), "{time}: {verdicts:?}");
        // Of a called node there is a verdict for all calls, or one for each.
        let hard = verdicts.iter().filter(|(name, _)| name.ends_with("hard")).count();
        assert_eq!(hard, 4, "{time}: {verdicts:?}");
    }
}
