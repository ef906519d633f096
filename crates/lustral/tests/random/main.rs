//! Random tests.
#[test]
fn nothing() {}
