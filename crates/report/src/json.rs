//! Verdicts as JSON Lines. The schema ships with the tool: [`SCHEMA`].

use lustral_syntax::{Diagnostic, Severity, SourceMap};
use serde_json::{Map, Value, json};

use crate::model::{Outcome, Summary, Verdict};

/// The JSON Schema of every line.
pub const SCHEMA: &str = include_str!("../schema.json");

fn line(value: &Value) -> String {
    format!("{value}\n")
}

/// Milliseconds are as exact as a time can be.
fn seconds(s: f64) -> Value {
    json!((s * 1e6).round() / 1e6)
}

/// The line of an invariant of a node, with what it rests on, if every call of
/// the node establishes that.
#[must_use]
pub fn invariant_line(file: &str, node: &str, expression: &str, given: &[&str]) -> String {
    let mut object = json!({
        "event": "invariant",
        "file": file,
        "node": node,
        "expression": expression,
    });
    if !given.is_empty() {
        object["given"] = json!(given);
    }
    line(&object)
}

/// The line of a part of a definition of a node's predicate.
#[must_use]
pub fn modular_line(
    file: &str,
    node: &str,
    predicate: &str,
    part: &crate::modular::Part,
) -> String {
    line(&json!({
        "event": "modular_invariant",
        "file": file,
        "node": node,
        "predicate": predicate,
        "expression": part.lustre,
        "formula": part.formula,
        "interface": part.interface,
    }))
}

/// The line of the ranks of a node's state: numbers and bits, of all of it and
/// of what is said of it; and whether it is known that less would not do.
#[must_use]
pub fn rank_line(
    file: &str,
    node: &str,
    state: [usize; 2],
    said: [usize; 2],
    smallest: bool,
) -> String {
    line(&json!({
        "event": "rank",
        "file": file,
        "node": node,
        "state": state,
        "said": said,
        "smallest": smallest,
    }))
}

/// The line of a verdict.
#[must_use]
pub fn verdict_line(verdict: &Verdict) -> String {
    let mut object = Map::new();
    object.insert("event".into(), "verdict".into());
    object.insert("file".into(), verdict.file.clone().into());
    object.insert("node".into(), verdict.node.clone().into());
    object.insert("property".into(), verdict.property.clone().into());
    object.insert("line".into(), verdict.line.into());
    object.insert("column".into(), verdict.column.into());
    object.insert("verdict".into(), verdict.word().into());
    match &verdict.outcome {
        Outcome::Valid { k, exhausted, compression, invariants } => {
            object.insert("k".into(), (*k).into());
            let kind = if *exhausted { "exhausted" } else { "induction" };
            let certificate = json!({
                "proof": kind,
                "compression": compression,
                "invariants": invariants,
                "folder": verdict.run.certificate,
            });
            object.insert("certificate".into(), certificate);
        }
        Outcome::Falsifiable { step, trace } => {
            object.insert("step".into(), (*step).into());
            let trace = serde_json::to_value(trace).expect("plain data can be written");
            object.insert("trace".into(), trace);
        }
        Outcome::Unknown { reason, vacuous, .. } => {
            object.insert("reason".into(), reason.clone().into());
            object.insert("vacuous".into(), (*vacuous).into());
        }
    }
    if let Some((k, table)) = &verdict.induction {
        let trace = serde_json::to_value(table).expect("plain data can be written");
        let hint = json!({ "k": k, "possibly_unreachable": true, "trace": trace });
        object.insert("counterexample_to_induction".into(), hint);
    }
    if let Some(explanation) = &verdict.explanation {
        let facts = serde_json::to_value(&explanation.facts).expect("plain data can be written");
        object.insert("explanation".into(), facts);
    }
    if let Some(duality) = &verdict.duality {
        let duality = serde_json::to_value(duality).expect("plain data can be written");
        object.insert("primal_dual".into(), duality);
    }
    if let Some(composition) = &verdict.composition {
        let parts = serde_json::to_value(composition).expect("plain data can be written");
        object.insert("composition".into(), parts);
    }
    if let Some(engine) = verdict.run.engine {
        object.insert("engine".into(), engine.into());
    }
    if let Some(solver) = &verdict.run.solver {
        object.insert("solver".into(), solver.clone().into());
    }
    object.extend(verdict.run.seconds.map(|s| ("seconds".into(), seconds(s))));
    object.insert("warnings".into(), verdict.run.warnings.clone().into());
    line(&Value::Object(object))
}

/// The last line.
#[must_use]
pub fn summary_line(summary: &Summary) -> String {
    let mut summary_object = json!({
        "event": "summary",
        "valid": summary.valid,
        "falsifiable": summary.falsifiable,
        "unknown": summary.unknown,
    });
    if let Some(s) = summary.seconds {
        summary_object["seconds"] = seconds(s);
    }
    line(&summary_object)
}

/// The line of something that the user should know about a file.
#[must_use]
pub fn note_line(file: &str, message: &str) -> String {
    line(&json!({ "event": "note", "file": file, "message": message }))
}

/// The line of a diagnostic.
#[must_use]
pub fn diagnostic_line(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let place = sources.line_column(diagnostic.primary.span);
    line(&json!({
        "event": "diagnostic",
        "file": sources.file(diagnostic.primary.span.file).name,
        "line": place.line,
        "column": place.column,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": diagnostic.code.as_str(),
        "message": diagnostic.message,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    }))
}
