//! Shows the counterexamples of a program as tables:
//! `cargo run -p lustral-session --example counterexamples -- FILE`.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use lustral_session::report::Outcome;
use lustral_session::{Check, CheckOptions, Ending, Event, Request};

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: counterexamples FILE");
        return ExitCode::from(2);
    };
    let options = CheckOptions { time: Some(Duration::from_secs(30)), ..CheckOptions::default() };
    let mut failures = 0;
    for event in Check::new(Request::file(Path::new(&file)), options) {
        match event {
            Event::Verdict(verdict) => {
                if let Outcome::Falsifiable { step, trace, .. } = verdict.outcome() {
                    failures += 1;
                    println!("{}: fails at step {step}\n{}", verdict.property, trace.table());
                }
            }
            Event::Diagnostics(found) => {
                for diagnostic in found.list.sorted() {
                    eprintln!("{}", diagnostic.message);
                }
            }
            Event::Remark { file, remark } => eprintln!("{file}: {remark}"),
            Event::Ended(Ending::Stopped(reason)) => eprintln!("not all was decided: {reason}"),
            _ => {}
        }
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
