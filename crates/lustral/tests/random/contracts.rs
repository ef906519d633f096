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

/// Compares what is said of each property of the whole; how many calls did without the body of
/// their node, and how many properties only the whole was enough for.
pub fn check(program: &Program, tally: &Tally) -> Result<(usize, usize), Failure> {
    let text = program.text(Parentheses::Needed);
    let unit = accepted(&text)?;
    Tally::count(&tally.programs);
    let (whole, by_nodes) = (run(&text, &[])?, run(&text, &["--compositional"])?);
    let root = unit.system.root().node.clone();
    let (mut abstracted, mut open) = (0, 0);
    for property in &unit.properties {
        let name = &property.name;
        let wrong = |text: String| Err(Failure::new("contracts", format!("`{name}` {text}")));
        let Some(all) = whole.get(&(root.clone(), name.clone())) else {
            return wrong("has no verdict".into());
        };
        let Some(single) = about(&by_nodes, &root, name) else {
            return wrong("has no verdict node by node".into());
        };
        abstracted += single["composition"]["abstracted"].as_array().map_or(0, Vec::len);
        for line in [all, single] {
            if line["reason"].as_str().is_some_and(|reason| reason.contains("internal error")) {
                return wrong(format!("has no answer: {}", line["reason"]));
            }
        }
        match (known(all), known(single)) {
            (Known::Holds | Known::Fails, Known::Nothing) => open += 1,
            (Known::Nothing, _) => {}
            (one, other) if one == other => {}
            (one, other) => return wrong(format!("is {one:?}, but {other:?} node by node")),
        }
        tally.verdict(&crate::compositional::verdict(single));
    }
    Ok((abstracted, open))
}
