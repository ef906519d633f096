//! Work on a thread of its own that nobody waits for longer than the time limit.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;

/// Why some work has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoResult {
    /// The time was up, or all was stopped: the work may go on until the
    /// process ends, but nobody waits for it.
    #[error("it was stopped before it had a result")]
    Stopped,
    /// It panicked, and said this.
    #[error("it panicked: {0}")]
    Panicked(String),
    /// The system starts no thread for it: memory is short.
    #[error("the system starts no thread: {0}")]
    NoThread(String),
}

/// How long work that heeds the limit itself may take to end and to say what it has.
const LAST_WORDS: Duration = Duration::from_millis(600);

/// The result of some work, on a thread of its own.
///
/// # Errors
/// If all is stopped before there is one, or the work panics.
pub fn within<T>(cancel: &Cancel, work: impl FnOnce() -> T + Send + 'static) -> Result<T, NoResult>
where
    T: Send + 'static,
{
    waiting(cancel, Duration::ZERO, work)
}

/// The same for work that heeds the limit itself and has something to say then: it is given a
/// little more, and nobody waits any longer for it.
///
/// # Errors
/// If it does not end soon after all is stopped, or panics.
pub fn soon_after<T>(
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NoResult>
where
    T: Send + 'static,
{
    waiting(cancel, LAST_WORDS, work)
}

fn waiting<T>(
    cancel: &Cancel,
    after: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NoResult>
where
    T: Send + 'static,
{
    let (sender, receiver) = channel();
    lustral_base::try_spawn("work", move || drop(sender.send(caught(work))))
        .map_err(|error| NoResult::NoThread(error.to_string()))?;
    let mut stopped: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(Duration::from_millis(20)) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                if stopped.get_or_insert_with(Instant::now).elapsed() >= after {
                    return Err(NoResult::Stopped);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(NoResult::Panicked("the thread ended without a word".into()));
            }
        }
    }
}

/// The result of some work on this thread; a panic is an error.
///
/// # Errors
/// If the work panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, NoResult> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| NoResult::Panicked(said(&*panic)))
}

/// What was said in a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "nothing more is known".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_longer_than_the_limit() {
        assert_eq!(within(&Cancel::new(), || 7), Ok(7));
        let deadline = Instant::now() + Duration::from_millis(100);
        let cancel = Cancel::with_deadline(Some(deadline));
        // The work ends when its sender is gone, and that is after the answer:
        // whoever waited for the work would get it, after a minute.
        let (sender, receiver) = channel::<()>();
        let late = within(&cancel, move || receiver.recv_timeout(Duration::from_secs(60)));
        assert_eq!(late, Err(NoResult::Stopped));
        drop(sender);
    }

    #[test]
    fn who_heeds_the_limit_has_a_last_word() {
        let cancel = Cancel::with_deadline(Some(Instant::now()));
        let heeds = cancel.clone();
        let said = move || {
            while !heeds.is_cancelled() {}
            std::thread::sleep(Duration::from_millis(50));
            7
        };
        assert_eq!(soon_after(&cancel, said), Ok(7));
        let (sender, receiver) = channel::<()>();
        let late = soon_after(&cancel, move || receiver.recv_timeout(Duration::from_secs(60)));
        assert_eq!(late, Err(NoResult::Stopped));
        drop(sender);
    }

    #[test]
    fn a_panic_is_no_result() {
        let broken = within(&Cancel::new(), || -> u8 { panic!("number {}", 7) });
        assert_eq!(broken, Err(NoResult::Panicked("number 7".into())));
    }
}
