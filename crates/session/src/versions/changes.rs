//! What becomes of the verdicts of a program when it changes.

use std::collections::BTreeMap;

use lustral_render::execution::Execution;
use lustral_report::Verdict;
use serde_json::json;

use super::product::Pair;

/// What became of a property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// It was as wanted, and is not any more.
    Lost,
    /// It was as wanted, and nobody knows whether it still is.
    InDoubt,
    /// It was not as wanted or not known, and is now.
    Gained,
    /// It is still not as wanted, or not known, as before or otherwise.
    StillOpen,
    /// It is not stated any more.
    Removed,
    /// It was not stated before.
    Added,
    /// It is as wanted, as before.
    Kept,
}

impl Change {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Change::Lost => "lost",
            Change::InDoubt => "in doubt",
            Change::Gained => "gained",
            Change::StillOpen => "still open",
            Change::Removed => "removed",
            Change::Added => "added",
            Change::Kept => "kept",
        }
    }
}

/// A property of two versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// Its name.
    pub property: String,
    /// What became of it.
    pub change: Change,
    /// The word for what is known of it in the old version, if it is stated there.
    pub old: Option<&'static str>,
    /// The word for what is known of it in the new version.
    pub new: Option<&'static str>,
}

/// What became of the properties of a node, by their names.
#[must_use]
pub fn changes(old: &[Verdict], new: &[Verdict]) -> Vec<Changed> {
    let mut found: BTreeMap<&str, [Option<&Verdict>; 2]> = BTreeMap::new();
    for (side, verdicts) in [old, new].into_iter().enumerate() {
        for verdict in verdicts {
            found.entry(&verdict.property).or_default()[side] = Some(verdict);
        }
    }
    let changed = found.into_iter().map(|(property, [old, new])| Changed {
        property: property.to_string(),
        change: change(old, new),
        old: old.map(Verdict::word),
        new: new.map(Verdict::word),
    });
    let mut all: Vec<Changed> = changed.collect();
    all.sort_by_key(|changed| changed.change);
    all
}

fn change(old: Option<&Verdict>, new: Option<&Verdict>) -> Change {
    let (Some(old), Some(new)) = (old, new) else {
        return if new.is_some() { Change::Added } else { Change::Removed };
    };
    match (old.is_as_wanted(), new.is_as_wanted()) {
        (Some(true), Some(true)) => Change::Kept,
        (Some(true), Some(false)) => Change::Lost,
        (Some(true), None) => Change::InDoubt,
        (_, Some(true)) => Change::Gained,
        _ => Change::StillOpen,
    }
}

/// A line of `lustral diff --json` about a property.
#[must_use]
pub fn property_line(
    property: &str,
    change: Change,
    old: Option<&str>,
    new: Option<&str>,
) -> String {
    let word = change.word().replace(' ', "_");
    let line = json!({
        "event": "change", "property": property, "change": word, "old": old, "new": new,
    });
    format!("{line}\n")
}

/// A line of `lustral diff --json` about an output.
#[must_use]
pub fn output_line(pair: &Pair, word: &str, why: &str, trace: Option<&Execution>) -> String {
    let Pair { name, old, new, new_flow } = pair;
    let mut line = json!({
        "event": "output", "output": name, "old": old, "new": new, "verdict": word, "how": why,
    });
    if let Some(trace) = trace {
        line["flows"] = json!([name, new_flow]);
        line["counterexample"] = json!(trace);
    }
    format!("{line}\n")
}
