//! Verdicts as one self-contained page.

use crate::model::{Summary, Verdict};

/// The page.
#[must_use]
pub fn html(verdicts: &[Verdict], summary: &Summary) -> String {
    let _ = (verdicts, summary);
    String::new()
}
