//! Typed programs, kept as files in `snapshots`. After a change: look at each
//! difference, then accept it with
//! `INSTA_UPDATE=always cargo test -p lustral-sema --test snapshots`.

#![allow(clippy::unwrap_used)]

mod common;

use common::{check_text, programs};

#[test]
fn typed_programs() {
    let all = programs(&["programs"]);
    assert!(all.len() >= 6, "the programs are not where they were");
    for (name, text) in all {
        let checked = check_text(&text);
        assert!(checked.errors.is_empty(), "{name}\n{checked}");
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let shown = lustral_sema::dump::dump(checked.analysis.program());
        settings.bind(|| insta::assert_snapshot!(format!("{name}-typed"), shown));
    }
}
