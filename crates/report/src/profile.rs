//! Where the time of a run went.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::micro;

/// What one kind of work of a stage or an engine took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProfileRow {
    /// The stage or the engine.
    pub who: String,
    /// The kind of work; `all` for all of an engine's, queries and the rest.
    pub what: String,
    /// How often.
    pub count: u64,
    /// How long in all. Engines work beside each other, so this may be more
    /// than the run took.
    #[serde(serialize_with = "micro")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub seconds: f64,
    /// How long at most.
    #[serde(serialize_with = "micro")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub longest: f64,
}

/// A table for people.
#[must_use]
pub fn profile_text(rows: &[ProfileRow]) -> String {
    let mut out = format!(
        "{:<14} {:<14} {:>8} {:>10} {:>10}\n",
        "where", "what", "times", "total s", "longest s"
    );
    for ProfileRow { who, what, count, seconds, longest } in rows {
        let _ = writeln!(out, "{who:<14} {what:<14} {count:>8} {seconds:>10.4} {longest:>10.4}");
    }
    out
}

/// A section of the page, if there is anything to show.
pub(crate) fn profile_html(out: &mut String, rows: &[ProfileRow]) {
    if rows.is_empty() {
        return;
    }
    out.push_str(
        "<details class=\"profile\">\n<summary>Where the time went</summary>\n<table>\n\
         <tr><th>where</th><th>what</th><th>times</th><th>total s</th><th>longest s</th></tr>\n",
    );
    // The names are ours, and have nothing to escape.
    for ProfileRow { who, what, count, seconds, longest } in rows {
        let _ = writeln!(
            out,
            "<tr><td>{who}</td><td>{what}</td><td>{count}</td><td>{seconds:.4}</td>\
             <td>{longest:.4}</td></tr>"
        );
    }
    out.push_str("</table>\n</details>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_renderings() {
        let row = ProfileRow {
            who: "bmc".into(),
            what: "base".into(),
            count: 3,
            seconds: 0.5,
            longest: 0.25,
        };
        let text = profile_text(std::slice::from_ref(&row));
        let words: Vec<&str> = text.lines().nth(1).unwrap_or_default().split_whitespace().collect();
        assert_eq!(words, ["bmc", "base", "3", "0.5000", "0.2500"]);
        let mut page = String::new();
        profile_html(&mut page, &[]);
        assert_eq!(page, "");
        profile_html(&mut page, &[row]);
        assert!(page.contains("<td>bmc</td><td>base</td><td>3</td>"), "{page}");
    }
}
