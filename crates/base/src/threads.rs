//! Threads for work with solvers.

use std::io::{Error, Result};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, scope};

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
    // The body can be handed over once only, so it waits in a slot.
    let slot = Arc::new(Mutex::new(Some(body)));
    started(name, |builder| {
        let (slot, place) = (slot.clone(), profile::place());
        builder.spawn(move || {
            profile::set_place(place);
            if let Some(body) = taken(&slot) {
                body();
            }
        })
    })
}

/// The results of some work, in its order: the first is done on this thread, the others each on one
/// of its own, with as large a stack as the system gives, or here, where it starts none.
///
/// # Panics
/// If one of them does, as it does.
pub fn side_by_side<T: Send, F: FnOnce() -> T + Send>(name: &str, work: Vec<F>) -> Vec<T> {
    let mut work = work.into_iter();
    let Some(first) = work.next() else { return Vec::new() };
    scope(|scope| {
        let others: Vec<_> = work.map(|one| beside(scope, name, one)).collect();
        let mut results = vec![first()];
        results.extend(others.into_iter().map(|other| match other {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(work) => work(),
        }));
        results
    })
}

/// A thread for some work, or the work, if there is none for it.
fn beside<'s, T: Send + 's, F: FnOnce() -> T + Send + 's>(
    scope: &'s Scope<'s, '_>,
    name: &str,
    work: F,
) -> std::result::Result<ScopedJoinHandle<'s, T>, F> {
    let slot = Arc::new(Mutex::new(Some(work)));
    let thread = started(name, |builder| {
        let (slot, place) = (slot.clone(), profile::place());
        builder.spawn_scoped(scope, move || {
            profile::set_place(place);
            taken(&slot).expect("only the thread that is started takes it")()
        })
    });
    thread.map_err(|_| taken(&slot).expect("no thread has taken it"))
}

fn taken<F>(slot: &Mutex<Option<F>>) -> Option<F> {
    slot.lock().ok().and_then(|mut slot| slot.take())
}

/// A thread with as large a stack as the system gives.
fn started<H>(name: &str, start: impl Fn(Builder) -> Result<H>) -> Result<H> {
    if fault::is_due(fault::Place::Thread) {
        return Err(Error::other("an injected fault"));
    }
    // Where addresses are limited, reserving counts as using.
    let limit = rustix::process::getrlimit(Resource::As).current.unwrap_or(u64::MAX);
    let [.., least] = STACKS;
    let mut why = Error::other("no size of its stack is allowed");
    for size in STACKS.into_iter().filter(|size| *size as u64 <= limit / 16 || *size == least) {
        match start(Builder::new().name(name.into()).stack_size(size)) {
            Ok(handle) => return Ok(handle),
            Err(error) => why = error,
        }
    }
    Err(why)
}
