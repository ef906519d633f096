//! Lines of every kind follow the schema, and are read as they were written.

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::*;

fn validator() -> Validator {
    let schema = serde_json::from_str(&schema()).expect("the schema is JSON");
    assert!(jsonschema::meta::is_valid(&schema), "the schema is a schema");
    jsonschema::validator_for(&schema).expect("the schema can be used")
}

fn trace() -> Value {
    let row = |name: &str, role: &str, ty: &str, values: Value| json!({ "name": name, "role": role, "type": ty, "relevant": true, "values": values });
    json!({
        "steps": 2,
        "instances": [{ "path": "", "node": "top", "streams": [
            row("b", "input", "bool", json!([true, false])),
            row("n", "local", "int", json!([-1, "9007199254740993"])),
            row("r", "output", "real", json!(["0.5", "1/3"])),
            row("e", "output", "enum", json!(["red", "green"])),
        ] }],
        "choices": [{ "name": "(first value of `pre`)", "value": 3 }],
        "divisions": [{ "operation": "div", "dividend": 2, "value": 5 }],
    })
}

fn note() -> Value {
    let count = |name: &str| json!({ "name": name, "meaning": "a phrase" });
    let side = json!([count("a"), count("b"), count("c")]);
    json!({
        "engine": "pdh", "title": "A search", "answer": "unprovable", "summary": "It ended.",
        "sections": [
            {
                "kind": "rounds", "parameter": "width", "sides": [side, side],
                "rounds": [{ "parameter": 1, "sides": [[7, 5, 2], [6, 4, 1]] }],
            },
            {
                "kind": "facts", "name": "given", "title": "given", "ordered": false,
                "groups": [["x >= 0"]],
            },
            {
                "kind": "states", "name": "states", "title": "states", "memories": ["x"],
                "states": [[1], [false]],
            },
        ],
    })
}

fn verdict(word: &str, details: Value) -> Value {
    let mut line = json!({
        "event": "verdict", "file": "a.lus", "node": "top", "property": "p", "line": 1,
        "column": 2, "expression": "x > 0", "verdict": word, "warnings": [],
    });
    let (Value::Object(line_map), Value::Object(details)) = (&mut line, details) else {
        panic!("objects")
    };
    line_map.extend(details);
    line
}

fn proof() -> Value {
    json!({ "proof": "induction", "compression": false, "invariants": ["x >= 0"], "folder": null })
}

/// A line of each kind, with the keys that may be left out.
fn lines() -> Vec<(Value, &'static [&'static str])> {
    let composition = json!({
        "every_call": true, "given": ["in"], "abstracted": ["a.b"],
        "guarantees": [{ "node": "b", "given": [], "expressions": ["y"] }],
    });
    let hint = json!({ "k": 1, "possibly_unreachable": true, "trace": trace() });
    vec![
        (
            verdict(
                "valid",
                json!({
                    "k": 2, "certificate": proof(), "engine": "ic3", "solver": "z3-builtin",
                    "seconds": 0.25, "composition": composition,
                    "explanation": [{ "fact": "p", "needs": [0, 1] }, { "fact": "x", "needs": [] }],
                }),
            ),
            &["seconds", "composition", "explanation"],
        ),
        (
            verdict(
                "falsifiable",
                json!({
                    "step": 1, "first": true, "trace": trace(), "engine": "simulation",
                    "parts": [{ "expression": "x", "value": 3 }],
                }),
            ),
            &[],
        ),
        (
            verdict(
                "unknown",
                json!({
                    "reason": "out of time", "reason_code": "timeout", "vacuous": false,
                    "counterexample_to_induction": hint, "notes": [note()],
                }),
            ),
            &["counterexample_to_induction", "notes"],
        ),
        (
            json!({
                "event": "summary", "valid": 1, "falsifiable": 0, "unknown": 2, "seconds": 1.5
            }),
            &["seconds"],
        ),
        (
            json!({ "event": "profile", "shares": [
                { "who": "bmc", "what": "base", "count": 3, "seconds": 0.5, "longest": 0.25 },
            ] }),
            &[],
        ),
        (json!({ "event": "note", "file": "a.lus", "severity": "warning", "message": "m" }), &[]),
        (
            json!({
                "event": "invariant", "file": "a.lus", "node": "n", "expression": "x",
                "given": ["y"],
            }),
            &["given"],
        ),
        (
            json!({
                "event": "modular_invariant", "file": "a.lus", "node": "n", "predicate": "Inv",
                "expression": null, "formula": "x' = x", "interface": false,
            }),
            &[],
        ),
        (
            json!({
                "event": "rank", "file": "a.lus", "node": "n", "state": [3, 1], "said": [1, 0],
                "smallest": true,
            }),
            &[],
        ),
        (
            json!({
                "event": "diagnostic", "file": "a.lus", "line": 1, "column": 1,
                "severity": "error", "code": "E001", "message": "m", "notes": [], "help": null,
            }),
            &[],
        ),
    ]
}

#[test]
fn every_line_can_be_read_and_written_again() {
    for (line, _) in lines() {
        let event: Event = serde_json::from_value(line.clone()).expect("a line is an event");
        let text = event.line();
        assert!(text.starts_with(r#"{"event":""#), "{text}");
        assert_eq!(text.find('\n'), Some(text.len() - 1));
        let again: Value = serde_json::from_str(&text).expect("a line is JSON");
        assert_eq!(again, line);
    }
}

#[test]
fn the_schema_accepts_the_lines_and_nothing_else() {
    let validator = validator();
    for (line, optional) in lines() {
        validator.validate(&line).unwrap_or_else(|error| panic!("{error} in {line}"));
        for (place, object) in objects(&line) {
            let changed = |object: Map<String, Value>| {
                let mut changed = line.clone();
                *changed.pointer_mut(&place).expect("the place is there") = object.into();
                changed
            };
            let mut more = object.clone();
            more.insert("surprise".into(), 1.into());
            assert!(!validator.is_valid(&changed(more)), "surprise at {place} in {line}");
            for key in object.keys() {
                let mut less = object.clone();
                less.remove(key);
                let may_miss = place.is_empty() && optional.contains(&key.as_str());
                let accepted = validator.is_valid(&changed(less));
                assert_eq!(accepted, may_miss, "{line} without {place}/{key}");
            }
        }
    }
}

/// All objects of a line, by their places.
fn objects(line: &Value) -> Vec<(String, Map<String, Value>)> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), line)];
    while let Some((place, value)) = pending.pop() {
        match value {
            Value::Object(object) => {
                found.push((place.clone(), object.clone()));
                pending.extend(object.iter().map(|(key, v)| (format!("{place}/{key}"), v)));
            }
            Value::Array(list) => {
                pending.extend(list.iter().enumerate().map(|(i, v)| (format!("{place}/{i}"), v)));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn the_schema_knows_what_belongs_together() {
    let validator = validator();
    let rejected = [
        verdict("valid", json!({ "k": 1, "certificate": proof() })),
        verdict("valid", json!({ "k": 1, "certificate": proof(), "engine": "bmc" })),
        verdict("valid", json!({ "step": 1, "trace": trace(), "engine": "simulation" })),
        verdict("perhaps", json!({})),
        verdict("unknown", json!({ "reason": "r", "reason_code": "Not A Code", "vacuous": false })),
        verdict(
            "unknown",
            json!({
                "reason": "r", "reason_code": "timeout", "vacuous": false,
                "explanation": [{ "fact": "p", "needs": [0] }],
            }),
        ),
        json!({ "event": "surprise" }),
        json!([]),
    ];
    for line in rejected {
        assert!(!validator.is_valid(&line), "{line}");
    }
}

#[test]
fn times_have_no_more_digits_than_they_are_worth() {
    let summary = Summary { seconds: Some(0.123_456_789), ..Summary::default() };
    let line = Event::Summary(summary).line();
    assert!(line.contains(r#""seconds":0.123457"#), "{line}");
}
