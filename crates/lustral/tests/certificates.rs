//! Certificates: accepted as they are written, by two solvers, and rejected
//! whatever is changed in them.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, Scratch, cases, require_cvc5};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Cases with proofs of every kind: inductions of several depths, by states that
/// differ, assertions, executions that end, calls, divisions, reals, ranges, names.
const SAMPLE: &[&str] = &[
    "assert-blocks-in-call",
    "assert-blocks-later",
    "assert-in-called-node",
    "counters-gray-and-integer",
    "div-zero-functional",
    "divmod-variable-divisor",
    "fibonacci",
    "filter-bound",
    "int-real-casts",
    "map-structured",
    "names-of-solvers",
    "needs-distinct-states",
    "pre-keeps-type",
    "property-in-called-node",
    "real-exact",
    "set-limits",
    "set-operators",
    "subrange-chain",
    "thermostat",
    "trap-termination-only",
    "two-induction",
];

/// Checks a case by induction and writes its certificates; gives their folders.
/// Bounds that preparation finds would make most of the proofs of one kind.
fn certify(scratch: &Scratch, name: &str) -> Vec<PathBuf> {
    certify_by(&["k-induction", "--prepare", "memories,sofar,slice"], scratch, name)
}

fn certify_by(engine: &[&str], scratch: &Scratch, name: &str) -> Vec<PathBuf> {
    let path = cases::named(name).path;
    let how = ["check", "--json", "--certificate", "out", "--max-k", "32", "--engine"];
    let run = scratch.lustral(&[&how[..], engine, &[path.to_str().unwrap()]].concat());
    let verdicts = run.events("verdict");
    let proved = verdicts.iter().filter(|v| v["verdict"] == "valid");
    let folder = |v: &Value| scratch.path().join(v["certificate"]["folder"].as_str().unwrap());
    proved.map(folder).collect()
}

/// The files of a folder with this ending, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == ending));
    files.sort();
    files
}

#[test]
fn certificates_are_accepted_by_two_solvers() {
    require_cvc5();
    let scratch = Scratch::new();
    let written: usize = SAMPLE.iter().map(|name| certify(&scratch, name).len()).sum();
    assert!(written > 30, "{written}");
    accepted_by_two(&scratch, written);
}

/// Bounds are facts like all others.
#[test]
fn certificates_with_bounds_are_accepted() {
    require_cvc5();
    let scratch = Scratch::new();
    let one = |name: &&str| certify_by(&["k-induction"], &scratch, name).len();
    accepted_by_two(&scratch, SAMPLE.iter().map(one).sum());
}

fn accepted_by_two(scratch: &Scratch, written: usize) {
    for solver in ["z3-builtin", "cvc5"] {
        let run = scratch.lustral(&["certify", "--solver", solver, "out"]).expect(0);
        assert_eq!(run.stdout.lines().count(), written, "{}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.starts_with("accepted  ")), "{}", run.stdout);
    }
}

/// Invariants that Spacer finds are certified like all others.
#[test]
fn certificates_from_horn_clauses() {
    require_cvc5();
    let scratch = Scratch::new();
    let names = ["needs-invariant", "thermostat", "real-exact", "growth-two"];
    let written: usize = names.iter().map(|name| certify_by(&["horn"], &scratch, name).len()).sum();
    assert!(written > 5, "{written}");
    for solver in ["z3-builtin", "cvc5"] {
        let run = scratch.lustral(&["certify", "--solver", solver, "out"]).expect(0);
        assert_eq!(run.stdout.lines().count(), written, "{}", run.stdout);
    }
}

#[test]
fn every_file_is_a_script_with_its_answer() {
    require_cvc5();
    let scratch = Scratch::new();
    for name in SAMPLE {
        for folder in certify(&scratch, name) {
            for file in files(&folder, "smt2") {
                let text = fs::read_to_string(&file).unwrap();
                let header = text.lines().find_map(|l| l.strip_prefix("; expected answer: "));
                let output = Command::new("cvc5").arg(&file).output().unwrap();
                let answer = String::from_utf8(output.stdout).unwrap();
                assert_eq!(Some(answer.trim()), header, "{}", file.display());
            }
        }
    }
}

#[test]
fn the_manifest_names_what_was_checked() {
    let scratch = Scratch::new();
    let folder = &certify(&scratch, "two-induction")[0];
    let manifest = manifest(folder);
    assert_eq!((&manifest["node"], &manifest["property"]), (&"main".into(), &"ok".into()));
    assert_eq!((&manifest["proof"], &manifest["k"]), (&"induction".into(), &2.into()));
    let source = fs::read(cases::named("two-induction").path).unwrap();
    assert_eq!(manifest["sources"][0]["sha256"], hash(&source).as_str());
    assert_eq!(manifest["obligations"].as_array().unwrap().len(), files(folder, "smt2").len());
}

#[test]
fn the_folders_of_different_files_are_different() {
    let scratch = Scratch::new();
    let program = |right: &str| {
        format!("node main(x: int) returns (ok: bool);\nlet\n  ok = {right};\n  check ok;\ntel\n")
    };
    scratch.write("a/p.lus", program("x = x"));
    scratch.write("b/p.lus", program("x >= x"));
    let run = scratch.lustral(&["check", "--json", "--certificate", "out", "a/p.lus", "b/p.lus"]);
    let folders: Vec<Value> = run
        .expect(0)
        .events("verdict")
        .iter()
        .map(|v| v["certificate"]["folder"].clone())
        .collect();
    assert_ne!(folders[0], folders[1], "the second has overwritten the first");
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Changes a certificate of depth 2 and has it checked again. The change gets
/// the folder and the manifest, which is written back.
fn changed(change: impl FnOnce(&Path, &mut Value)) -> Run {
    changed_case("two-induction", change)
}

fn changed_case(case: &str, change: impl FnOnce(&Path, &mut Value)) -> Run {
    let scratch = Scratch::new();
    let folder = certify(&scratch, case).remove(0);
    let mut manifest = manifest(&folder);
    change(&folder, &mut manifest);
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    scratch.lustral(&["certify", folder.to_str().unwrap()])
}

#[track_caller]
fn assert_rejected(reason: &str, change: impl FnOnce(&Path, &mut Value)) {
    assert_case_rejected("two-induction", reason, change);
}

#[track_caller]
fn assert_case_rejected(case: &str, reason: &str, change: impl FnOnce(&Path, &mut Value)) {
    let run = changed_case(case, change);
    assert_eq!(run.code, 1, "accepted:\n{}", run.stdout);
    let said = run.stdout + &run.stderr;
    assert!(said.contains(reason), "{said}");
    assert!(!said.contains("accepted"), "{said}");
}

fn obligation<'m>(manifest: &'m mut Value, name: &str) -> &'m mut Value {
    let list = manifest["obligations"].as_array_mut().unwrap();
    list.iter_mut().find(|o| o["name"] == name).unwrap()
}

fn remove(manifest: &mut Value, name: &str) {
    manifest["obligations"].as_array_mut().unwrap().retain(|o| o["name"] != name);
}

const NEEDED: [&str; 4] = ["base-0.smt2", "base-1.smt2", "step.smt2", "implication.smt2"];
const SHOWING: [&str; 3] = ["initial.smt2", "transition.smt2", "negation.smt2"];

#[test]
fn an_unchanged_certificate_is_accepted() {
    changed(|_, _| {}).expect(0);
}

#[test]
fn a_changed_file_is_noticed() {
    for name in NEEDED.iter().chain(&SHOWING) {
        assert_rejected("not the one that the manifest describes", |folder, _| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            fs::write(folder.join(name), text.replace("; step", "; Step")).unwrap();
        });
    }
}

#[test]
fn a_missing_file_is_noticed() {
    assert_rejected("cannot be read", |folder, _| {
        fs::remove_file(folder.join("step.smt2")).unwrap();
    });
}

#[test]
fn a_missing_obligation_is_noticed() {
    for name in NEEDED {
        assert_rejected(&format!("the obligation `{name}` is missing"), |_, manifest| {
            remove(manifest, name);
        });
    }
}

/// Without it the proof may be about no execution at all.
#[test]
fn a_missing_initial_state_is_noticed() {
    assert_rejected("initial.smt2", |_, manifest| remove(manifest, "initial.smt2"));
}

#[test]
fn a_flipped_answer_is_noticed() {
    for name in NEEDED {
        assert_rejected("must be expected to be unsat", |_, manifest| {
            obligation(manifest, name)["expected"] = "sat".into();
        });
    }
    for name in SHOWING {
        let complaint = match name {
            "initial.smt2" => "must be expected to be sat",
            _ => "the answer is sat, expected unsat",
        };
        assert_rejected(complaint, |_, manifest| {
            obligation(manifest, name)["expected"] = "unsat".into();
        });
    }
}

#[test]
fn another_depth_is_noticed() {
    assert_rejected("`base-2.smt2` is missing", |_, manifest| manifest["k"] = 3.into());
    assert_rejected("k = 0", |_, manifest| manifest["k"] = 0.into());
}

/// The step case assumes the invariant at two steps: with only one base case
/// that is no proof.
#[test]
fn a_lower_depth_is_noticed() {
    assert_rejected("step.smt2", |_, manifest| manifest["k"] = 1.into());
    assert_rejected("step.smt2", |_, manifest| {
        manifest["k"] = 1.into();
        remove(manifest, "base-1.smt2");
    });
}

#[test]
fn another_kind_of_proof_is_noticed() {
    assert_rejected(".smt2` is missing", |_, manifest| {
        manifest["proof"] = "exhausted".into();
    });
    assert_rejected("no known kind of proof", |_, manifest| manifest["proof"] = "magic".into());
}

#[test]
fn another_format_is_noticed() {
    assert_rejected("format", |_, manifest| manifest["format"] = 1.into());
}

/// What an attacker would do: the hashes are right, the proof is not.
#[test]
fn a_weaker_invariant_is_noticed() {
    assert_rejected("holds at the next: the answer is sat, expected unsat", |folder, manifest| {
        let path = folder.join("step.smt2");
        let text = fs::read_to_string(&path).unwrap();
        let assumed = text.lines().find(|line| line.starts_with("(assert (and true ")).unwrap();
        let weaker = text.replacen(assumed, "(assert true)", 1);
        fs::write(&path, &weaker).unwrap();
        obligation(manifest, "step.smt2")["sha256"] = hash(weaker.as_bytes()).into();
    });
}

/// What makes it sound to leave out repeated states, in both kinds of proof.
const STATES: [&str; 3] = ["facts-initial.smt2", "facts-step.smt2", "state.smt2"];
const WITH_STATES: [&str; 2] = ["needs-distinct-states", "trap-termination-only"];

#[test]
fn missing_obligations_about_states_are_noticed() {
    for case in WITH_STATES {
        changed_case(case, |_, _| {}).expect(0);
        for name in STATES {
            assert_case_rejected(case, &format!("`{name}` is missing"), |_, manifest| {
                remove(manifest, name);
            });
        }
    }
}

#[test]
fn states_are_named_where_they_matter() {
    let scratch = Scratch::new();
    for (case, proof) in WITH_STATES.into_iter().zip(["induction", "exhausted"]) {
        let manifest = manifest(&certify(&scratch, case)[0]);
        assert_eq!(manifest["proof"], proof);
        assert!(!manifest["state"].as_array().unwrap().is_empty(), "{manifest}");
    }
    let manifest = manifest(&certify(&scratch, "two-induction")[0]);
    assert_eq!(manifest["state"], Value::Null);
}

/// A step case over different states passed off as a plain one.
#[test]
fn hidden_compression_is_noticed() {
    assert_case_rejected("needs-distinct-states", "step.smt2", |_, manifest| {
        manifest["compression"] = false.into();
        STATES.iter().for_each(|name| remove(manifest, name));
    });
}

/// With one memory less, equal states do not mean the same future.
#[test]
fn a_state_without_one_of_its_memories_is_noticed() {
    for case in WITH_STATES {
        assert_case_rejected(case, "state.smt2", |folder, manifest| {
            let path = folder.join("state.smt2");
            let text = fs::read_to_string(&path).unwrap();
            // Of the equations between the two steps the memories' are the last.
            let equal = text.lines().rfind(|line| line.starts_with("(assert (= v"));
            let weaker = text.replacen(equal.unwrap(), "", 1);
            fs::write(&path, &weaker).unwrap();
            obligation(manifest, "state.smt2")["sha256"] = hash(weaker.as_bytes()).into();
        });
    }
}

#[test]
fn a_file_that_says_another_answer_is_noticed() {
    let edit = |name: &'static str, from: &'static str, to: &'static str| {
        move |folder: &Path, manifest: &mut Value| {
            let path = folder.join(name);
            let text = fs::read_to_string(&path).unwrap();
            let edited = text.replace(&format!("(set-info :status {from})"), to);
            assert_ne!(text, edited);
            fs::write(&path, &edited).unwrap();
            obligation(manifest, name)["sha256"] = hash(edited.as_bytes()).into();
        }
    };
    let says = "the answer is unsat, as expected, but the file says sat";
    assert_rejected(says, edit("step.smt2", "unsat", "(set-info :status sat)"));
    let says = "the answer is sat, as expected, but the file says unsat";
    assert_rejected(says, edit("initial.smt2", "sat", "(set-info :status unsat)"));
    assert_rejected("but the file says nothing", edit("step.smt2", "unsat", ""));
}

#[test]
fn a_file_without_its_query_is_noticed() {
    assert_rejected("does not end with its query", |folder, manifest| {
        let path = folder.join("step.smt2");
        let text = fs::read_to_string(&path).unwrap().replace("(check-sat)\n", "");
        fs::write(&path, &text).unwrap();
        obligation(manifest, "step.smt2")["sha256"] = hash(text.as_bytes()).into();
    });
}

#[test]
fn a_file_outside_the_folder_is_not_read() {
    for name in ["../step.smt2", "/etc/hostname", "", ".", "..", "sub/../step.smt2"] {
        assert_rejected("leaves the folder", |folder, manifest| {
            let mut more = obligation(manifest, "step.smt2").clone();
            more["name"] = name.into();
            fs::copy(folder.join("step.smt2"), folder.join("../step.smt2")).unwrap();
            manifest["obligations"].as_array_mut().unwrap().push(more);
        });
    }
}

#[test]
fn what_is_no_certificate_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("empty/readme", "");
    scratch.write("bad/manifest.json", "{ \"format\": ");
    scratch.write("list/manifest.json", "[]");
    for folder in ["empty", "bad", "list", "missing", "empty/readme"] {
        let run = scratch.lustral(&["certify", folder]).expect(1);
        assert!(run.stderr.starts_with("error: "), "{folder}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn one_bad_certificate_among_good_ones_is_enough() {
    let scratch = Scratch::new();
    let folders = certify(&scratch, "thermostat");
    fs::write(folders[1].join("step.smt2"), "(check-sat)\n(exit)\n").unwrap();
    let run = scratch.lustral(&["certify", "out"]).expect(1);
    let starts = |word: &str| run.stdout.lines().filter(|l| l.starts_with(word)).count();
    assert_eq!((starts("accepted"), starts("REJECTED")), (folders.len() - 1, 1));
}

#[test]
fn a_solver_that_does_not_answer_accepts_nothing() {
    let scratch = Scratch::new();
    certify(&scratch, "two-induction");
    for (name, body) in [
        ("silent", "exec sleep 60"),
        ("gone", "exit 0"),
        ("unsure", "while read -r line; do case $line in *check-sat*) echo unknown;; esac; done"),
        ("babbling", "while read -r line; do echo '(error \"no\")'; done"),
    ] {
        scratch.script(name, body);
        let solver = format!("./{name}");
        let args = ["certify", "--solver", &solver, "--timeout", "0.3", "out"];
        let run = scratch.lustral(&args).expect(1);
        assert!(!run.stdout.contains("accepted"), "{}", run.stdout);
    }
}

/// A proof about another text is none about this one.
#[test]
fn certificates_of_a_program_that_was_changed_are_outdated() {
    let scratch = Scratch::new();
    let program =
        "node main(a: bool) returns (n: int);\nlet\n  n = 0 -> pre n;\n  check n = 0;\ntel\n";
    scratch.write("a.lus", program);
    scratch.lustral(&["check", "--certificate", "c", "a.lus"]).expect(0);
    let same = scratch.lustral(&["certify", "c"]).expect(0).stdout;
    assert!(same.starts_with("accepted") && same.contains("a.lus as it is now"), "{same}");
    scratch.write("a.lus", program.replace("pre n", "pre n + 1"));
    let changed = scratch.lustral(&["certify", "c"]).expect(1).stdout;
    assert!(changed.starts_with("OUTDATED") && changed.contains("it has changed"), "{changed}");
    fs::remove_file(scratch.path().join("a.lus")).unwrap();
    let gone = scratch.lustral(&["certify", "c"]).expect(0).stdout;
    assert!(gone.starts_with("accepted") && gone.contains("not here to compare"), "{gone}");
}

/// What an earlier run proved may not hold any more.
#[test]
fn certificates_of_earlier_runs_do_not_stay() {
    let program = |most: u32| {
        format!(
            "node f(a: bool) returns (n: int);\n\
             let\n  n = 0 -> if a and pre n < {most} then pre n + 1 else pre n;\n  \
             check \"r\" n <= 5;\ntel\n\
             node main(a: bool) returns (n: int);\n\
             let\n  n = f(a);\n  check \"p\" n <= 5;\n  check \"q\" n >= 0;\n  --%MAIN;\ntel\n"
        )
    };
    for more in [&[][..], &["--compositional"]] {
        let scratch = Scratch::new();
        let check = |most: u32, code: i32| {
            scratch.write("a.lus", program(most));
            let args = ["check", "--certificate", "c", "a.lus"];
            scratch.lustral(&[&args[..], more].concat()).expect(code);
            scratch.lustral(&["certify", "c"]).expect(0).stdout
        };
        assert_eq!(check(5, 0).matches("accepted").count(), 3);
        // Nothing that is not a certificate is removed.
        scratch.write("c/a.lus/main/notes.txt", "mine");
        let left = check(7, 40);
        assert_eq!(left.matches("accepted").count(), 1, "{left}");
        assert!(left.contains("accepted  q"), "{left}");
        assert!(scratch.path().join("c/a.lus/main/notes.txt").is_file());
    }
}
