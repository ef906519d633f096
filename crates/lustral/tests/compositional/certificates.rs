//! Certificates of compositional proofs: what they rest on is in them.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{chain, check, verdict};
use crate::common::{self, lustral};

#[test]
fn certificates_hold_what_is_known_of_calls() {
    let folder = TempDir::new().unwrap();
    let at = folder.path().to_str().unwrap();
    let run = check(&chain(3, 5), &["--certificate", at]).expect(0);
    let certificate = verdict(&run, "main", "ok")["certificate"]["folder"].clone();
    let certificate = Path::new(certificate.as_str().unwrap()).to_path_buf();
    lustral(&["certify", at]).expect(0);
    // Without the proof of what is known of the calls, it is none.
    let guarantee = certificate.join("guarantee-1");
    let step = guarantee.join("step.smt2");
    let text = std::fs::read_to_string(&step).unwrap();
    std::fs::write(&step, text.replace("(check-sat)", "(assert false)(check-sat)")).unwrap();
    lustral(&["certify", at]).expect(1);
    std::fs::remove_dir_all(&guarantee).unwrap();
    lustral(&["certify", at]).expect(1);
}

/// The property of a called node may be proved beside one that is left to the
/// callers of a node below, and so rest on nodes that its other guarantees do
/// not rest on: `sum` on `low`, which `mid` hides.
#[test]
fn certificates_hold_what_the_properties_of_calls_rest_on() {
    let text = "\
node low(x: int) returns (y: int);
let
  y = 0 -> pre y + 1;
tel
node leaf(x: int) returns (y: int);
let
  y = low(x);
  check \"left\" y > x;
tel
node mid(x: int) returns (y: int);
var unused: int;
let
  unused = leaf(x);
  y = x;
tel
node sum(x: int) returns (y: int);
let
  y = mid(-1) + x;
  check \"less\" y = x - 1;
tel
node main(x: int) returns (y: int);
let
  y = sum(x);
  check \"top\" y < x;
tel
";
    let folder = TempDir::new().unwrap();
    // By what is learned of `sum` alone, `less` would be proved without that.
    let options = ["--engine", "k-induction", "--certificate", folder.path().to_str().unwrap()];
    let run = check(text, &options).expect(0);
    let certificate = verdict(&run, "main", "top")["certificate"]["folder"].clone();
    let certificate = Path::new(certificate.as_str().unwrap());
    let manifest = |name: &str| -> Value {
        let text = std::fs::read_to_string(certificate.join(name).join("manifest.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let whole = manifest("");
    let parts: Vec<Value> = whole["rests_on"].as_array().unwrap().clone();
    let about: Vec<Value> = parts.iter().map(|p| manifest(p.as_str().unwrap())).collect();
    let rests_on = |node: &str| about.iter().any(|m| m["node"] == node);
    assert!(rests_on("sum") && rests_on("low"), "{about:?}");
}

/// A certificate that rests on less than an earlier one in its place leaves
/// nothing of that, but what is somebody else's.
#[test]
fn parts_of_earlier_certificates_are_removed() {
    let scratch = common::Scratch::new();
    let args = ["check", "--compositional", "--certificate", "proofs", "p.lus"];
    let count = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name());
        entries.filter(|name| name.to_str().unwrap().starts_with("guarantee-")).count()
    };
    scratch.write("p.lus", chain(3, 5));
    scratch.lustral(&args).expect(0);
    let folder = scratch.path().join("proofs/p.lus/main/1-ok");
    assert_eq!(count(&folder), 1);
    scratch.write("proofs/p.lus/main/1-ok/guarantee-7/notes.txt", "mine");
    scratch.write("p.lus", chain(3, 5).replace("ok = c2 <= 5", "ok = up or not up"));
    scratch.lustral(&args).expect(0);
    assert!(!folder.join("guarantee-1").exists());
    assert!(folder.join("guarantee-7/notes.txt").exists());
}

/// A part of a proof is none, nor is a proof without what it rests on.
#[test]
fn parts_of_certificates_are_no_certificates() {
    let text = "\
node leaf(x: int) returns (y: int);
let
  y = if x < 0 then 0 else x;
  check \"leaf\" y >= 0;
tel
node mid(x: int) returns (y: int);
let
  y = leaf(x) + 1;
  check \"mid\" y >= 1;
tel
node main(x: int) returns (y: int);
let
  y = mid(x);
  check \"top\" y >= 1;
tel
";
    let folder = TempDir::new().unwrap();
    let at = folder.path().to_str().unwrap();
    let run = check(text, &["--certificate", at]).expect(0);
    let certificate = verdict(&run, "main", "top")["certificate"]["folder"].clone();
    let certificate = Path::new(certificate.as_str().unwrap());
    lustral(&["certify", certificate.to_str().unwrap()]).expect(0);
    let mut parts = 0;
    while let part = certificate.join(format!("guarantee-{}", parts + 1))
        && part.exists()
    {
        lustral(&["certify", part.to_str().unwrap()]).expect(1);
        parts += 1;
    }
    assert!(parts > 0);
    let manifest = certificate.join("manifest.json");
    let mut known: Value =
        serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
    known.as_object_mut().unwrap().remove("rests_on").unwrap();
    std::fs::write(&manifest, known.to_string()).unwrap();
    let run = lustral(&["certify", certificate.to_str().unwrap()]).expect(1);
    assert!(run.stdout.contains("rests on other parts"), "{}", run.stdout);
}

/// The proof for all calls of a node is another one than that for the node.
#[test]
fn a_main_node_that_is_called_has_two_certificates() {
    let text = "\
node low(x: subrange [0, 9] of int) returns (y: int);
let
  --%MAIN;
  y = x;
  check \"any\" y <= 9 or y > 9;
tel
node main(z: int) returns (y: int);
let
  --%MAIN;
  y = low(z);
  check \"same\" true -> y = y;
tel
";
    let folder = TempDir::new().unwrap();
    let run = check(text, &["--certificate", folder.path().to_str().unwrap()]);
    let verdicts = run.events("verdict");
    let folders: Vec<&Value> = verdicts
        .iter()
        .filter(|v| v["property"].as_str().unwrap().contains("any"))
        .map(|v| &v["certificate"]["folder"])
        .collect();
    assert_eq!(folders.len(), 2, "{}", run.stdout);
    assert_ne!(folders[0], folders[1]);
}

/// Whatever engine proved it: the proof of the whole program becomes summaries
/// of its nodes, of which less and less is said.
#[test]
fn certificates_become_summaries() {
    let folder = TempDir::new().unwrap();
    let (file, certificates) = (folder.path().join("p.lus"), folder.path().join("certificates"));
    std::fs::write(&file, chain(3, 5)).unwrap();
    let [file, at] = [&file, &certificates].map(|p| p.to_str().unwrap());
    lustral(&["check", "--certificate", at, file]).expect(0);
    let from = ["invariants", "--modular", "--json", "--from", at, file];
    let run = lustral(&[&from[..], &["--minimise"]].concat()).expect(0);
    let ranks = run.events("rank");
    let rank = |node: &str| ranks.iter().find(|r| r["node"] == node).unwrap();
    assert_eq!(rank("counter")["state"], serde_json::json!([1, 0]));
    assert_eq!(rank("main")["state"], serde_json::json!([3, 0]));
    // The first two counters have no part in the proof.
    assert_eq!(rank("main")["said"], serde_json::json!([1, 0]));
    assert_eq!(rank("main")["smallest"], true);
    // What a certificate claims counts for nothing by itself.
    let mut pending = vec![certificates.clone()];
    while let Some(below) = pending.pop() {
        let invariant = below.join("invariant.txt");
        if invariant.is_file() {
            std::fs::write(&invariant, "(define-fun invariant1 () Bool (< 1 0))").unwrap();
        }
        let entries = std::fs::read_dir(&below).unwrap().map(|e| e.unwrap().path());
        pending.extend(entries.filter(|path| path.is_dir()));
    }
    lustral(&from).expect(30);
    std::fs::write(file, chain(3, 6)).unwrap();
    let run = lustral(&from).expect(30);
    assert!(run.stderr.contains("there is no certificate of this program"), "{}", run.stderr);
}
