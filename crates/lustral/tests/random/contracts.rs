//! Programs with contracts: `check --compositional`, which looks at each node once against the
//! contracts of those that it calls, and `check`, which looks at the whole, agree.

use serde_json::Value;

use crate::compositional::{about, run};
use crate::verdicts::Tally;
use lustral_testing::encoding::accepted;
use lustral_testing::failure::Failure;
use lustral_testing::tree::{Parentheses, Program};

/// What is known of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// It holds; what should be reachable is not.
    Holds,
    Fails,
    /// There are no executions.
    Vacuous,
    Nothing,
}

fn known(line: &Value) -> Known {
    match line["verdict"].as_str() {
        Some("valid" | "unreachable") => Known::Holds,
        Some("falsifiable" | "reachable") => Known::Fails,
        _ if line["vacuous"] == true => Known::Vacuous,
        _ => Known::Nothing,
    }
}

/// What was seen in some programs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Calls that did without the body of their node.
    pub abstracted: usize,
    /// Proofs that rest on calls being given what they should be.
    pub kept: usize,
    /// Properties that only the whole was enough for.
    pub open: usize,
}

/// Compares what is said of each property of the whole.
pub fn check(program: &Program, tally: &Tally) -> Result<Counts, Failure> {
    let text = program.text(Parentheses::Needed);
    let unit = accepted(&text)?;
    Tally::count(&tally.programs);
    let (whole, by_nodes) = (run(&text, &[])?, run(&text, &["--compositional"])?);
    let root = unit.system.root().node.clone();
    let mut counts = Counts::default();
    for property in &unit.properties {
        let name = &property.name;
        let wrong = |text: String| Err(Failure::new("contracts", format!("`{name}` {text}")));
        let Some(all) = whole.get(&(root.clone(), name.clone())) else {
            return wrong("has no verdict".into());
        };
        let Some(single) = about(&by_nodes, &root, name) else {
            return wrong("has no verdict node by node".into());
        };
        let composition = &single["composition"];
        counts.abstracted += composition["abstracted"].as_array().map_or(0, Vec::len);
        let given = |of: &Value| of["given"].as_array().is_some_and(|names| !names.is_empty());
        let guarantees = composition["guarantees"].as_array();
        let at_calls = guarantees.is_some_and(|list| list.iter().any(given));
        counts.kept += usize::from(given(composition) || at_calls);
        for line in [all, single] {
            if line["reason"].as_str().is_some_and(|reason| reason.contains("internal error")) {
                return wrong(format!("has no answer: {}", line["reason"]));
            }
        }
        match (known(all), known(single)) {
            (Known::Holds | Known::Fails, Known::Nothing) => counts.open += 1,
            (Known::Nothing, _) => {}
            (one, other) if one == other => {}
            (one, other) => return wrong(format!("is {one:?}, but {other:?} node by node")),
        }
        tally.verdict(&crate::compositional::verdict(single));
    }
    Ok(counts)
}
