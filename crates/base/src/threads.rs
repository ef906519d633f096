//! Threads for work with solvers.

use std::io::{Error, Result};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

use rustix::process::Resource;

use crate::{fault, profile};

/// Solvers recurse as deep as terms are nested. The memory is only reserved;
/// it is used as far as the recursion goes.
const STACKS: [usize; 3] = [1 << 30, 64 << 20, 8 << 20];

/// Starts a thread with as large a stack as the system gives. It works for whom
/// this one works.
///
/// # Panics
/// If no thread can be started at all. Where a panic would not be caught, [`try_spawn`] is meant.
pub fn spawn<F>(name: &str, body: F) -> JoinHandle<()>
where
    F: FnOnce() + Send + 'static,
{
    match try_spawn(name, body) {
        Ok(handle) => handle,
        Err(error) => panic!("the system starts no thread: {error}"),
    }
}

/// The same; where memory is short, the system may start no thread at all.
///
/// # Errors
/// If it starts none; then the body was not run.
pub fn try_spawn<F>(name: &str, body: F) -> Result<JoinHandle<()>>
where
    F: FnOnce() + Send + 'static,
{
    if fault::is_due(fault::Place::Thread) {
        return Err(Error::other("an injected fault"));
    }
    // The body can be handed over once only, so it waits in a slot.
    let slot = Arc::new(Mutex::new(Some(body)));
    let place = profile::place();
    // Where addresses are limited, reserving counts as using.
    let limit = rustix::process::getrlimit(Resource::As).current.unwrap_or(u64::MAX);
    let [.., least] = STACKS;
    let mut why = Error::other("no size of its stack is allowed");
    for size in STACKS.into_iter().filter(|size| *size as u64 <= limit / 16 || *size == least) {
        let (slot, place) = (slot.clone(), place.clone());
        let take_and_run = move || {
            let body = slot.lock().ok().and_then(|mut slot| slot.take());
            profile::set_place(place);
            if let Some(body) = body {
                body();
            }
        };
        match Builder::new().name(name.into()).stack_size(size).spawn(take_and_run) {
            Ok(handle) => return Ok(handle),
            Err(error) => why = error,
        }
    }
    Err(why)
}
