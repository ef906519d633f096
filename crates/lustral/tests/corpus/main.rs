//! The corpus: programs whose verdicts follow from the semantics, under every
//! engine, with and without preparation, path compression and abstraction.
//!
//! The tests are made of the list of engines, so a new engine is tested without
//! a line here; where it need not decide everything, an allowance below says so.

#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod undecided;
mod unsupported;

use std::path::Path;
use std::process::ExitCode;

use common::cases::{self, Case, Expected};
use common::{Run, lustral};
use libtest_mimic::{Arguments, Trial};
use lustral_engines::{EngineChoice, Settles};
use serde_json::Value;
use undecided::{
    UNDECIDED, UNDECIDED_UNCOMPRESSED, UNDECIDED_UNPREPARED, UNDECIDED_WITH_BOUNDS, UNREFUTED,
    UNSURE_BY_IC3, UNSURE_UNCOMPRESSED,
};

/// How the cases are run.
#[derive(Clone, Copy)]
struct Setup {
    /// The one engine; if none is asked for, those that run then.
    engine: Option<EngineChoice>,
    /// `on`, `off` or a list of passes.
    prepare: &'static str,
    /// `on`, `off` or `eager`.
    compression: &'static str,
    /// `on` or `off`.
    abstraction: &'static str,
}

impl Setup {
    /// As the options are without being given.
    const USUAL: Setup =
        Setup { engine: None, prepare: "on", compression: "on", abstraction: "off" };

    /// With one engine.
    fn of(name: &str) -> Setup {
        Setup { engine: Some(EngineChoice::named(name).expect(name)), ..Setup::USUAL }
    }

    /// Whether it is with this engine alone.
    fn is(self, name: &str) -> bool {
        self.engine.is_some_and(|engine| engine.name() == name)
    }

    /// Whether induction does without compression, with which abstraction is not
    /// combined.
    fn is_uncompressed(self) -> bool {
        self.compression == "off" || self.is("abstraction")
    }

    /// Whether every property may be unknown: that it has no incremental proof is an
    /// answer of its own.
    fn may_leave_open(self) -> bool {
        self.is("pdh")
    }

    /// Whether whatever holds must be proved: not by engines that are there to
    /// refute, nor by those that prove what their templates can say, or trees over their attributes.
    fn must_prove(self) -> bool {
        let limited = |e: EngineChoice| {
            e.name == "ice" || e.options.iter().any(|option| option.name == "templates")
        };
        self.engine.is_none_or(|e| e.settles != Settles::Refutations && !limited(e))
    }
}

/// Preparation without bounds, which decide too much: the cases that are there
/// for compression, termination or abstraction would never come to these.
const UNBOUNDED: &str = "memories,sofar,slice";

/// Whether a property is on the lists.
fn is_listed(setup: Setup, case: &Case, property: &str) -> bool {
    let pair = (&*case.name, property);
    if setup.is("simulation") {
        return UNREFUTED.contains(&pair);
    }
    let induction = setup.is("k-induction");
    if !(induction || setup.is("abstraction") && setup.prepare == UNBOUNDED) {
        return false;
    }
    if UNDECIDED_WITH_BOUNDS.contains(&pair) {
        return true;
    }
    // Bounds decide all others.
    if setup.prepare == "on" {
        return false;
    }
    let unprepared = setup.prepare == "off" && UNDECIDED_UNPREPARED.contains(&pair);
    let uncompressed = setup.is_uncompressed() && UNDECIDED_UNCOMPRESSED.contains(&pair);
    unprepared || uncompressed || UNDECIDED.contains(&pair)
}

/// Whether a property is proved or not, as the turns fall.
fn is_unsure(setup: Setup, case: &Case, property: &str) -> bool {
    let pair = (&*case.name, property);
    // With bounds, or on the program as it is, what abstraction proves depends on
    // which equations it takes up; it must not be wrong.
    setup.is("ic3") && UNSURE_BY_IC3.contains(&pair)
        || setup.is_uncompressed() && UNSURE_UNCOMPRESSED.contains(&pair)
        || setup.is("abstraction") && setup.prepare != UNBOUNDED
}

/// Whether the engine for Horn clauses says of all verdicts that are missing
/// that they are not for it.
fn is_declined(setup: Setup, verdicts: &[&Value]) -> bool {
    let mut unknown = verdicts.iter().filter(|v| v["verdict"] == "unknown");
    let declined = |v: &&Value| v["reason_code"] == "declined";
    setup.is("horn") && unknown.all(declined)
}

fn check(case: &Case, setup: Setup) -> Run {
    let path = case.path.to_str().unwrap();
    // Nothing is waited for that need not come.
    let waits = |(property, _): &(String, Expected)| {
        !is_listed(setup, case, property) && !is_unsure(setup, case, property)
    };
    let seconds = match setup.must_prove() && case.expected.iter().all(waits) {
        _ if setup.may_leave_open() => "2",
        false => "3",
        true => "20",
    };
    let limits = ["check", "--json", "--max-k", "32", "--timeout", seconds];
    let Setup { prepare, compression, abstraction, .. } = setup;
    let how = ["--prepare", prepare, "--compression", compression, "--abstraction", abstraction];
    let engine = setup.engine.map(|engine| ["--engine", engine.name()]);
    let engine = engine.as_ref().map_or(&[][..], |pair| &pair[..]);
    lustral(&[&limits[..], &how, engine, &[path]].concat())
}

/// The verdicts on a property of the header: those of all instances of its node.
fn about<'v>(verdicts: &'v [Value], property: &str) -> Vec<&'v Value> {
    let suffix = format!(".{property}");
    let same = |name: &str| name == property || property.contains('.') && name.ends_with(&suffix);
    verdicts.iter().filter(|v| same(&without_numbers(v["property"].as_str().unwrap()))).collect()
}

/// `filter.delay[2].bounded` is the property `filter.delay.bounded`.
fn without_numbers(name: &str) -> String {
    let parts = name.split('[').enumerate();
    let after = |(i, part): (usize, &str)| match part.split_once(']') {
        Some((number, rest)) if i > 0 && number.bytes().all(|b| b.is_ascii_digit()) => {
            rest.to_string()
        }
        _ if i > 0 => format!("[{part}"),
        _ => part.to_string(),
    };
    parts.map(after).collect()
}

/// What the instances say together, or that nothing is known.
fn together(verdicts: &[&Value]) -> Option<Expected> {
    let step = |word: &str| {
        let those = verdicts.iter().filter(|v| v["verdict"] == word);
        those.map(|v| v["step"].as_u64().unwrap()).min()
    };
    let all = |word: &str| verdicts.iter().all(|v| v["verdict"] == word);
    if let Some(step) = step("falsifiable") {
        return Some(Expected::Falsified(step));
    }
    if let Some(step) = step("reachable") {
        return Some(Expected::Reached(step));
    }
    if verdicts.iter().any(|v| v["vacuous"] == true) {
        return Some(Expected::Vacuous);
    }
    let unreachable = all("unreachable").then_some(Expected::Unreachable);
    unreachable.or(all("valid").then_some(Expected::Valid))
}

/// Whether a verdict is about something that the case need not mention.
fn is_extra(case: &Case, verdict: &Value) -> bool {
    let name = verdict["property"].as_str().unwrap();
    (name == "one mode active" || name.starts_with("mode "))
        && case.expected.iter().all(|(property, _)| property != name)
}

/// Whether an answer is what is expected. Random executions need not find the
/// first failure, only one.
fn is_right(setup: Setup, answer: &Expected, expected: &Expected) -> bool {
    match (answer, expected) {
        (Expected::Falsified(step), Expected::Falsified(first))
        | (Expected::Reached(step), Expected::Reached(first))
            if setup.engine.is_none() || setup.is("simulation") || setup.is("pdh") =>
        {
            step >= first
        }
        _ => answer == expected,
    }
}

/// All that is wrong with an answer.
fn faults(case: &Case, setup: Setup, run: &Run) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |text: String| faults.push(format!("{}: {text}", case.name));
    if let (_, Expected::Error(kind)) = &case.expected[0] {
        let errors = run.events("diagnostic").into_iter().filter(|d| d["severity"] == "error");
        let codes: Vec<String> = errors.map(|d| d["code"].as_str().unwrap().into()).collect();
        if codes.is_empty() || codes.iter().any(|code| code != kind) || run.code != 3 {
            fault(format!("expected {kind}, got {codes:?} and exit code {}", run.code));
        }
        if !run.events("verdict").is_empty() {
            fault("a program that is rejected has no verdicts".into());
        }
        return faults;
    }
    let verdicts = run.events("verdict");
    let mut code = 0;
    let mut matched = 0;
    for (property, expected) in &case.expected {
        let found = about(&verdicts, property);
        matched += found.len();
        let answer = if found.is_empty() { None } else { together(&found) };
        let listed = is_listed(setup, case, property);
        let may_be_unknown = listed
            || is_unsure(setup, case, property)
            || !setup.must_prove() && matches!(expected, Expected::Valid | Expected::Unreachable)
            || setup.may_leave_open();
        match &answer {
            _ if found.is_empty() => fault(format!("there is no property {property}")),
            None if may_be_unknown || is_declined(setup, &found) => {}
            Some(answer) if is_right(setup, answer, expected) && listed => {
                fault(format!("{property} is decided: take it off the list of the undecided"));
            }
            Some(answer) if is_right(setup, answer, expected) => {}
            _ => fault(format!("{property} should be {expected:?}, is {answer:?}: {found:?}")),
        }
        code = match (code, answer) {
            (_, Some(Expected::Falsified(_) | Expected::Unreachable)) | (40, _) => 40,
            (_, None | Some(Expected::Vacuous)) => 30,
            (code, _) => code,
        };
    }
    // That modes cover everything is a property of its own, which cases may leave out.
    let extra: Vec<_> = verdicts.iter().filter(|v| is_extra(case, v)).collect();
    if extra.iter().any(|verdict| verdict["verdict"] == "unknown") && code == 0 {
        code = 30;
    }
    if matched + extra.len() != verdicts.len() {
        fault(format!("{} verdicts, {matched} expected: {verdicts:?}", verdicts.len()));
    }
    if run.code != code {
        fault(format!("exit code {}, expected {code}", run.code));
    }
    for verdict in &verdicts {
        if let Some(problem) = blocking(case, verdict).or_else(|| length(verdict)) {
            fault(format!("{problem}: {verdict}"));
        }
    }
    let mut last = run.json().pop().unwrap();
    last["seconds"].take();
    let count = |word: &str| verdicts.iter().filter(|v| v["verdict"] == word).count();
    let mut summary = serde_json::json!({ "event": "summary", "seconds": null,
        "valid": count("valid"), "falsifiable": count("falsifiable"), "unknown": count("unknown") });
    for word in ["reachable", "unreachable"] {
        if count(word) > 0 {
            summary[word] = count(word).into();
        }
    }
    if last != summary {
        fault(format!("the summary is {last}"));
    }
    faults
}

/// The warning that no execution goes on must be there where it is so, and only
/// there. The look for it has little time: on a slow machine it may be missing.
fn blocking(case: &Case, verdict: &Value) -> Option<String> {
    let warnings: Vec<&str> =
        verdict["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
    let blocks: Vec<&&str> = warnings.iter().filter(|w| w.starts_with("blocks at ")).collect();
    match case.blocks {
        None if blocks.is_empty() => None,
        Some(step) if blocks.iter().any(|w| w.starts_with(&format!("blocks at step {step}:"))) => {
            None
        }
        Some(_) if blocks.is_empty() && verdict["seconds"].as_f64() > Some(0.25) => None,
        wanted => Some(format!("the step at which it blocks is {wanted:?}, warned of {blocks:?}")),
    }
}

/// A counterexample shows every step up to the one at which the property fails.
fn length(verdict: &Value) -> Option<String> {
    let steps = verdict["step"].as_u64()? + 1;
    let trace = &verdict["trace"];
    let streams = trace["instances"].as_array().unwrap().iter();
    let streams = streams.flat_map(|i| i["streams"].as_array().unwrap());
    let right = trace["steps"] == steps
        && streams.map(|s| s["values"].as_array().unwrap().len()).all(|n| n as u64 == steps);
    (!right).then(|| "the trace has another length".into())
}

fn run_all(cases: &[Case], setup: Setup) {
    let check = |case: &Case| faults(case, setup, &check(case, setup));
    let faults: Vec<String> = cases.iter().flat_map(check).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// All cases in some setup.
fn trial(name: impl Into<String>, setup: Setup) -> Trial {
    test(name, move || {
        let mut cases = cases::read_all(&cases::folder());
        // What is rejected is so before any engine hears of it.
        if setup.engine.is_some() {
            cases.retain(|case| !matches!(case.expected[0].1, Expected::Error(_)));
        }
        run_all(&cases, setup);
    })
}

fn test(name: impl Into<String>, body: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        body();
        Ok(())
    })
}

/// One test for each engine and setup, so that the harness runs them beside each
/// other.
fn main() -> ExitCode {
    let mut trials = vec![
        trial("all_engines", Setup::USUAL),
        trial("all_engines_unprepared", Setup { prepare: "off", ..Setup::USUAL }),
    ];
    for engine in EngineChoice::ALL {
        let name = engine.name().replace('-', "_");
        let setup = Setup { engine: Some(engine), ..Setup::USUAL };
        // Long, and preparation is tried above and with those that prove by induction.
        let is_long = engine.settles == Settles::Refutations
            || setup.is("pdh")
            || setup.is("ice")
            || engine.options.iter().any(|option| option.name == "templates");
        let unprepared = trial(format!("{name}_unprepared"), Setup { prepare: "off", ..setup });
        trials.push(unprepared.with_ignored_flag(is_long));
        trials.push(trial(name, setup));
    }
    let induction = Setup::of("k-induction");
    let unbounded = Setup { prepare: UNBOUNDED, ..induction };
    let abstraction = Setup { abstraction: "on", ..unbounded };
    trials.extend([
        trial("k_induction_without_bounds", unbounded),
        trial("uncompressed", Setup { compression: "off", ..unbounded }),
        trial("compressed_eagerly", Setup { compression: "eager", ..unbounded }),
        trial(
            "compressed_eagerly_unprepared",
            Setup { compression: "eager", prepare: "off", ..induction },
        ),
        trial(
            "abstraction_without_bounds",
            Setup { prepare: UNBOUNDED, ..Setup::of("abstraction") },
        ),
        trial("with_abstraction", Setup { abstraction: "on", ..induction }),
        trial("with_abstraction_uncompressed", Setup { compression: "off", ..abstraction }),
        trial("with_abstraction_compressed_eagerly", Setup { compression: "eager", ..abstraction }),
        test(
            "what_proves_the_programs_that_need_different_states",
            what_proves_the_programs_that_need_different_states,
        ),
        test("cases_beside_the_workspace", cases_beside_the_workspace).with_ignored_flag(true),
        test(
            "what_is_not_supported_is_named_where_it_stands",
            unsupported::what_is_not_supported_is_named_where_it_stands,
        ),
        test(
            "what_is_not_supported_is_no_syntax_error",
            unsupported::what_is_not_supported_is_no_syntax_error,
        ),
    ]);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Compression and the termination check each prove what the other does not.
/// (That neither is proved without them is what the lists above say.)
fn what_proves_the_programs_that_need_different_states() {
    for (case, property, proof, compression) in [
        ("trap-compression-only", "ok", "induction", true),
        ("trap-termination-only", "ok", "exhausted", false),
        ("trap-folded-memory", "ok", "exhausted", false),
        ("trap-other-property", "left", "induction", true),
        ("trap-other-property", "ended", "exhausted", false),
    ] {
        for way in ["on", "eager"] {
            let setup = Setup { prepare: UNBOUNDED, compression: way, ..Setup::of("k-induction") };
            let verdicts = check(&cases::named(case), setup).events("verdict");
            let certificate = &about(&verdicts, property)[0]["certificate"];
            assert_eq!(certificate["compression"], compression, "{case}: {certificate}");
            assert_eq!(certificate["proof"], proof, "{case}: {certificate}");
        }
    }
}

/// More cases, where a larger collection lies beside the workspace.
/// Ignored without being asked for; `cargo xtask test` runs it where they are.
fn cases_beside_the_workspace() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    run_all(&cases::read_all(&folder), Setup::USUAL);
}
