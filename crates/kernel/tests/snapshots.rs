//! What kernel programs look like, kept as files in `snapshots`. After a change:
//! look at each difference, then accept it with
//! `INSTA_UPDATE=always cargo test -p lustral-kernel --test snapshots`.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::kernel;
use lustral_kernel::dump;

fn keep(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The small programs that the other stages are shown with.
#[test]
fn small_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lustral/tests/programs");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        keep(&name, &dump(&kernel(&std::fs::read_to_string(&path).unwrap())));
    }
}

/// What is translated, and not only copied.
#[test]
fn sugar() {
    let text = "\
type colour = enum { Red, Green };
const Limit = 10 div 3;

node count(reset: bool; step: subrange [1, 2] of int) returns (n: int);
let
  n = 0 fby (if reset then 0 else n + step);
  check \"small\" n < Limit;
tel

node main(a, b, c: bool) returns (ok: bool);
var m: subrange [0, 3] of int; shade: colour;
let
  m = count(a, 1) mod 4;
  shade = Red -> if pre shade = Red then Green else Red;
  ok = #(a, b, c) => not (a and b) -> pre (m >= 0) and shade <> Red;
  assert not c;
  --%PROPERTY ok;
tel
";
    keep("sugar", &dump(&kernel(text)));
}
