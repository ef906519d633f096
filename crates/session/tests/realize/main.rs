//! Whether contracts can be kept, through the library: small contracts, and random ones
//! against an explicit solver of games.

#![allow(clippy::unwrap_used)]

mod contracts;
mod explicit;
mod strategies;
mod verdicts;

use std::time::Duration;

use lustral_session::{Event, Realize, RealizeOptions, Request, report};

/// All that is heard of a program.
fn realize(text: &str) -> Vec<Event> {
    let time = Some(Duration::from_secs(60));
    let options = RealizeOptions { time, strategies: true, ..RealizeOptions::default() };
    Realize::new(Request::text("main.lus", text), options).collect()
}

/// The one verdict about a program.
fn verdict(text: &str) -> report::ContractVerdict {
    let events = realize(text);
    let mut found = events.iter().filter_map(|event| match event {
        Event::Contract(verdict) => Some(&**verdict),
        _ => None,
    });
    match (found.next(), found.next()) {
        (Some(one), None) => one.clone(),
        _ => panic!("{events:?}\n{text}"),
    }
}
