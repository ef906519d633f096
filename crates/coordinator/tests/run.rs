//! The coordinator from outside: what is heard of a run, and what becomes of it
//! where a thread panics.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::Answer;
use lustral_coordinator::{
    Assertions, Certificates, Event, Faults, Job, NoResult, Open, Options, Pace, Run, Unit,
};
use lustral_engines::{EngineChoice, engines};
use lustral_sema::instances::Wanted;
use lustral_system::Reason;
use lustral_testing::{Encoded, encoding};

const TWO: &str = "\
node main(x: bool) returns (n: int);
let
  n = 0 -> if x and pre n < 5 then pre n + 1 else pre n;
  check \"low\" n <= 5;
  check \"lower\" n <= 3;
tel
";

/// Cubes of whole numbers: nobody decides this.
const HARD: &str = "\
node main(p, q, r: int) returns (ok: bool);
let
  ok = p*p*p + q*q*q + r*r*r <> 42;
  --%PROPERTY ok;
tel
";

fn unit(text: &str) -> Arc<Unit> {
    let Encoded { unit, kernel, .. } = encoding::accepted(text).unwrap();
    let root = unit.program.node_named("main").unwrap();
    Arc::new(Unit::new(&Arc::new(kernel), root, Wanted::ALL).unwrap())
}

fn options() -> Options {
    // Without the engine that needs worker processes.
    let engines =
        vec![EngineChoice(&engines::bmc::ENGINE), EngineChoice(&engines::kinduction::ENGINE)];
    Options { engines, ..Options::default() }
}

fn job(text: &str, seconds: u64) -> Job {
    Job {
        unit: unit(text),
        cut: None,
        partial: false,
        lemmas: Vec::new(),
        store: None,
        patience: None,
        cancel: Cancel::with_deadline(Some(Instant::now() + Duration::from_secs(seconds))),
    }
}

/// What is heard, without what says how far all is; and what is open in the end.
fn heard(job: Job, options: &Options) -> (Vec<Event>, Vec<Open>) {
    let mut run = Run::start(job, options);
    let mut events = Vec::new();
    for event in run.by_ref() {
        if !matches!(event, Event::Progress(_) | Event::Ended(_)) {
            events.push(event);
        }
    }
    (events, run.finish())
}

/// The answers in a word, by property; none may be missing.
fn answers(text: &str, options: &Options) -> Vec<String> {
    let job = job(text, 20);
    let mut words = vec![String::new(); job.unit.properties.len()];
    let (events, open) = heard(job, options);
    for event in events {
        let Event::Checked(result) = event else { continue };
        words[result.property.index()] = match result.answer {
            Ok(answer) => match answer.get() {
                Answer::Valid(_) => "valid".into(),
                Answer::Falsifiable(trace) => format!("fails at {}", trace.len() - 1),
                Answer::Unknown(reason) => reason.to_string(),
            },
            Err(rejected) => rejected.to_string(),
        };
    }
    for open in open {
        let word = &mut words[open.property.index()];
        assert!(word.is_empty(), "{open:?} after {word}");
        *word = open.reason.to_string();
    }
    assert!(!words.contains(&String::new()), "{words:?}");
    words
}

#[test]
fn every_property_has_its_answer() {
    for pace in [Pace::Processors, Pace::Jobs(1), Pace::Counted] {
        assert_eq!(answers(TWO, &Options { pace, ..options() }), ["valid", "fails at 4"]);
    }
    let shallow = Options { max_k: Some(2), ..options() };
    assert_eq!(answers(TWO, &shallow)[0], "valid");
    assert!(answers(TWO, &shallow)[1].contains("up to depth 2"), "{:?}", answers(TWO, &shallow));
}

#[test]
fn by_work_a_run_ends_at_the_same_point_every_time() {
    let counted = Options { pace: Pace::Counted, ..options() };
    let run = || {
        let mut job = job(HARD, 60);
        job.patience = Some(Duration::from_millis(50));
        let cancel = job.cancel.clone();
        let mut run = Run::start(job, &counted);
        assert!(run.by_ref().all(|event| matches!(event, Event::Progress(_) | Event::Ended(_))));
        let worked = run.worked();
        assert!(!cancel.is_cancelled(), "the run has ended, not its caller");
        (worked, run.finish().into_iter().map(|open| open.reason).collect::<Vec<Reason>>())
    };
    let (worked, reasons) = run();
    assert_eq!((worked, &reasons[..]), (Duration::from_millis(50), &[Reason::Timeout][..]));
    assert_eq!(run(), (worked, reasons));
}

#[test]
fn by_work_engines_wait_for_a_check_however_long_it_takes() {
    let faults = Faults::slow("check", Duration::from_millis(400));
    let counted = Options { pace: Pace::Counted, faults, ..options() };
    let (mut checked, mut waited) = (0, 0);
    for event in Run::start(job(TWO, 60), &counted) {
        match event {
            Event::Checked(_) => checked += 1,
            // One of the two properties is in its check, and nobody goes on.
            Event::Progress(progress) => {
                assert!(checked + progress.open >= 1, "after {checked}: {progress:?}");
                waited += 1;
            }
            _ => {}
        }
    }
    assert!(checked == 2 && waited > 0, "{checked}, {waited}");
}

#[test]
fn the_time_of_a_run_is_its_own() {
    let mut job = job(HARD, 60);
    job.patience = Some(Duration::from_millis(300));
    let (cancel, started) = (job.cancel.clone(), Instant::now());
    let (_, open) = heard(job, &options());
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(open[0].reason, Reason::Timeout);
    assert!(!cancel.is_cancelled(), "the caller goes on");
}

#[test]
fn a_run_can_be_stopped_at_any_time() {
    let job = job(HARD, 60);
    let cancel = job.cancel.clone();
    let mut run = Run::start(job, &options());
    for event in run.by_ref() {
        if let Event::Progress(_) = event {
            cancel.interrupt();
        }
    }
    assert_eq!(run.finish()[0].reason, Reason::Interrupted);
}

/// The threads that a run needs before it has answers: without one of them
/// there are none, and that is said of each property.
#[test]
fn a_panic_before_an_answer_is_an_event() {
    for (fault, stage) in [("preparation", "preparation"), ("checker", "checker")] {
        let options = Options { faults: Faults::at(fault), ..options() };
        let (events, open) = heard(job(TWO, 20), &options);
        let [Event::Broken(broken)] = &events[..] else { panic!("{fault}: {events:?}") };
        assert_eq!(broken.stage, stage);
        assert!(matches!(&broken.why, NoResult::Panicked(why) if why.contains(fault)));
        assert_eq!(open.len(), 2);
        for open in open {
            let Reason::Broken(reason) = &open.reason else { panic!("{open:?}") };
            assert!(reason.contains(fault), "{reason}");
        }
    }
}

/// A check that panics is no answer, and the next finding is checked all the same.
#[test]
fn a_panic_in_a_check_is_no_answer() {
    let options = Options { faults: Faults::at("check"), ..options() };
    for word in answers(TWO, &options) {
        assert!(word.contains("the checker panicked"), "{word}");
    }
}

#[test]
fn a_panic_of_an_engine_leaves_reasons() {
    let started = Instant::now();
    let options = Options { faults: Faults::at("engine"), ..options() };
    for word in answers(TWO, &options) {
        assert!(word.contains("panicked"), "{word}");
    }
    assert!(started.elapsed() < Duration::from_secs(10), "nobody waits for what is lost");
}

#[test]
fn a_certificate_that_cannot_be_written_costs_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let (base, file) = (folder.path().to_path_buf(), "program.lus".into());
    let certificates = Certificates { base, file, texts: [].into() };
    let options = Options { faults: Faults::at("certificate"), ..options() };
    let job = Job { store: Some(certificates.store(vec![0, 1])), ..job(TWO, 20) };
    let (events, open) = heard(job, &options);
    assert!(open.is_empty(), "{open:?}");
    let written = events.iter().filter_map(|event| match event {
        Event::Checked(result) => result.certificate.clone(),
        _ => None,
    });
    let written: Vec<_> = written.collect();
    assert!(!written.is_empty());
    for unwritten in written {
        let message = unwritten.unwrap_err().to_string();
        assert!(message.contains("injected fault"), "{message}");
    }
}

#[test]
fn assertions_are_looked_at() {
    let look = |assertion: &str| {
        let text = format!(
            "node main(x: int) returns (n: int);\nlet\n  n = 0 -> pre n + 1;\n  \
             assert {assertion};\n  check n >= 0;\ntel\n"
        );
        Assertions::survey(&unit(&text).system, &options(), &Cancel::new())
    };
    assert_eq!(look("x > 0"), Assertions::Open);
    assert_eq!(look("x > 0 and x < 1"), Assertions::BlockAt(0));
    assert_eq!(look("n < 3"), Assertions::BlockAt(3));
}
