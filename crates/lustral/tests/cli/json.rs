//! JSON Lines. That every line follows the schema is checked wherever a test
//! reads them; the corpus gives a few hundred runs of them.

use crate::common::{Scratch, lustral, node};

#[test]
fn the_schema_is_a_schema() {
    let schema = serde_json::from_str(&lustral(&["schema"]).expect(0).stdout).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
}

#[test]
fn the_schema_rejects_what_is_no_line() {
    let schema = serde_json::from_str(&lustral(&["schema"]).expect(0).stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let scratch = Scratch::new();
    let run = scratch.check(&node("  ok = b;\n  --%PROPERTY ok;\n  check i = i;"), &[]).expect(40);
    for line in run.json() {
        assert!(validator.is_valid(&line));
        let object = line.as_object().unwrap();
        // Times are left out where all is to be the same in every run, and a cause where none was
        // found in time.
        for key in object.keys().filter(|key| !["seconds", "cause"].contains(&key.as_str())) {
            let mut less = object.clone();
            less.remove(key);
            assert!(!validator.is_valid(&less.into()), "{line} without {key} is accepted");
        }
        let mut more = object.clone();
        more.insert("surprise".into(), 1.into());
        assert!(!validator.is_valid(&more.into()));
    }
    assert!(!validator.is_valid(&serde_json::json!({ "event": "verdict" })));
    assert!(!validator.is_valid(&serde_json::json!([])));
}

#[test]
fn the_last_line_is_the_summary() {
    for body in ["  ok = b;", "  ok = true;", "  ok = i;", "  ok = ;", "  ok = pre b;"] {
        let run = Scratch::new().check(&node(body), &[]);
        let events: Vec<_> = run.json().iter().map(|line| line["event"].clone()).collect();
        assert_eq!(events.iter().filter(|e| **e == "summary").count(), 1);
        assert_eq!(events.last().unwrap(), "summary");
    }
}

#[test]
fn nothing_else_is_on_the_standard_output() {
    let run = Scratch::new().check(&node("  ok = pre b;\n  check i div 0 = 0;"), &["-v"]);
    assert_eq!(run.events("diagnostic").len(), 2, "warnings are lines too");
    assert!(run.stderr.contains("INFO") || run.stderr.is_empty(), "{}", run.stderr);
}

#[test]
fn a_file_that_cannot_be_read_has_a_line_too() {
    let run = lustral(&["check", "--json", "./no-such-file.lus"]).expect(1);
    let lines = run.json();
    let about = |line: &serde_json::Value| line["file"] == "./no-such-file.lus";
    assert!(lines.iter().any(about), "who reads the standard output only must learn of it");
}

#[test]
fn values_are_exact() {
    let body = "  ok = i <> 123456789012345678901234567890 and r <> 0.1;\n  \
                check \"int\" i <> 123456789012345678901234567890;\n  \
                check \"small\" i <> -7;\n  \
                check \"third\" 3.0 * r <> 1.0;\n  check \"tenth\" r <> 0.1;\n  \
                check \"whole\" r <> -4.0;";
    let run = Scratch::new().check(&node(body), &[]).expect(40);
    let value = |property: &str, flow: &str| {
        let verdicts = run.events("verdict");
        let verdict = verdicts.iter().find(|v| v["property"] == property).unwrap();
        let streams = verdict["trace"]["instances"][0]["streams"].as_array().unwrap().clone();
        streams.iter().find(|s| s["name"] == flow).unwrap()["values"][0].clone()
    };
    assert_eq!(value("int", "i"), "123456789012345678901234567890");
    assert_eq!(value("small", "i"), -7);
    assert_eq!(value("third", "r"), "1/3");
    assert_eq!(value("tenth", "r"), "0.1");
    assert_eq!(value("whole", "r"), "-4.0");
}

#[test]
fn divisions_by_zero_and_arbitrary_first_values_are_told() {
    let body = "  ok = pre i <> 3 and i div 0 <> 5;\n  --%PROPERTY ok;\n  \
                check \"divides\" i <> 2 or i div 0 <> 5;";
    let run = Scratch::new().check(&node(body), &[]).expect(40);
    let verdicts = run.events("verdict");
    let trace = &verdicts.iter().find(|v| v["property"] == "divides").unwrap()["trace"];
    let division = serde_json::json!({ "operation": "div", "dividend": 2, "value": 5 });
    assert_eq!(trace["divisions"], serde_json::json!([division]));
    let trace = &verdicts.iter().find(|v| v["property"] == "ok").unwrap()["trace"];
    assert_eq!(trace["choices"].as_array().unwrap().len(), 1);
}

/// Two arbitrary values of one execution are told apart by their places.
#[test]
fn arbitrary_first_values_have_names_of_their_own() {
    let program = "node two(x: int) returns (a, b: int);\nlet\n  a = x;\n  b = x + 1;\ntel\n\
                   node main(x: int) returns (ok: bool);\nvar a, b, c, d: int;\nlet\n  \
                   a = pre x;\n  b = pre x + pre (x + 1);\n  (c, d) = pre two(x);\n  \
                   ok = a = b and b = c and c = d;\n  --%PROPERTY ok;\ntel\n";
    let run = Scratch::new().check(program, &[]).expect(40);
    let choices = run.events("verdict")[0]["trace"]["choices"].clone();
    let names: Vec<&str> =
        choices.as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    for place in [
        "line 9)",
        "line 10, column 7)",
        "line 10, column 15)",
        "line 11, value 1)",
        "line 11, value 2)",
    ] {
        let name = format!("(first value of `pre` in main, {place}");
        assert_eq!(names.iter().filter(|n| **n == name).count(), 1, "{name}: {names:?}");
    }
}

/// A property without a name, whatever the quotes, is known by its flow or line.
#[test]
fn a_name_that_nobody_sees_is_none() {
    let program = "node main(x: int) returns (ok: bool);\nlet\n  ok = true;\n  check \"\" ok;\n  \
                   check \" \" x = x;\n  --%PROPERTY \"\" x >= x;\ntel\n";
    let run = Scratch::new().check(program, &[]).expect(0);
    let mut names: Vec<String> = run.verdicts().into_iter().map(|(name, _)| name).collect();
    names.sort();
    assert_eq!(names, ["line 5", "line 6", "ok"]);
}
