//! What ends a query of Z3 in the process at a given time.
//!
//! Z3 has a limit for the queries of its API. For text there is only an option, and that
//! option belongs to the whole process: it would limit the queries of all other threads, which read it
//! without a lock while it changes. So one thread waits for the times of all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::thread::Builder;
use std::time::Instant;

use crate::session::Fault;

/// What happens when the time has come.
type Ring = Box<dyn Fn() + Send>;

/// An alarm that was set. It does nothing any more once this is gone.
pub(crate) struct Alarm {
    key: (Instant, u64),
    rang: Arc<AtomicBool>,
}

impl Alarm {
    /// Sets an alarm.
    ///
    /// # Errors
    /// If the system starts no thread to wait for it.
    pub fn at(time: Instant, ring: impl Fn() + Send + 'static) -> Result<Alarm, Fault> {
        let rang = Arc::new(AtomicBool::new(false));
        let noted = rang.clone();
        let clock = Clock::of_the_process()?;
        let mut alarms = clock.alarms();
        alarms.next += 1;
        let key = (time, alarms.next);
        let ring = move || {
            noted.store(true, Ordering::Relaxed);
            ring();
        };
        alarms.set.insert(key, Box::new(ring));
        if alarms.set.keys().next() == Some(&key) {
            clock.changed.notify_one();
        }
        Ok(Alarm { key, rang })
    }

    /// Whether the time has come.
    pub fn rang(&self) -> bool {
        self.rang.load(Ordering::Relaxed)
    }
}

impl Drop for Alarm {
    /// The clock rings with the list of alarms in its hands, so what rings now has rung when this
    /// returns.
    fn drop(&mut self) {
        if let Some(Ok(clock)) = CLOCK.get() {
            clock.alarms().set.remove(&self.key);
        }
    }
}

/// All alarms of the process.
#[derive(Default)]
struct Clock {
    alarms: Mutex<Alarms>,
    /// The first of the alarms is another one.
    changed: Condvar,
}

#[derive(Default)]
struct Alarms {
    set: BTreeMap<(Instant, u64), Ring>,
    next: u64,
}

static CLOCK: OnceLock<Result<Arc<Clock>, String>> = OnceLock::new();

impl Clock {
    fn of_the_process() -> Result<&'static Clock, Fault> {
        let clock = CLOCK.get_or_init(|| {
            let clock = Arc::new(Clock::default());
            let waiting = clock.clone();
            let thread = Builder::new().name("alarms".into()).spawn(move || waiting.wait());
            thread.map(|_| clock).map_err(|error| error.to_string())
        });
        clock.as_deref().map_err(|error| Fault::Start("the thread of alarms".into(), error.clone()))
    }

    fn alarms(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().expect("no holder panics")
    }

    fn wait(&self) {
        let mut alarms = self.alarms();
        loop {
            let now = Instant::now();
            alarms = match alarms.set.first_key_value().map(|(key, _)| key.0) {
                None => self.changed.wait(alarms).expect("no holder panics"),
                Some(time) if time > now => {
                    let waited = self.changed.wait_timeout(alarms, time - now);
                    waited.expect("no holder panics").0
                }
                Some(_) => {
                    if let Some((_, ring)) = alarms.set.pop_first() {
                        ring();
                    }
                    alarms
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn alarms_ring_in_their_order_and_not_when_they_are_gone() {
        let (sender, receiver) = channel();
        let now = Instant::now();
        let set = |millis: u64| {
            let sender = sender.clone();
            let ring = move || sender.send(millis).unwrap();
            Alarm::at(now + Duration::from_millis(millis), ring).unwrap()
        };
        let (late, gone, early) = (set(60), set(40), set(20));
        drop(gone);
        assert_eq!(receiver.recv(), Ok(20));
        assert!(early.rang());
        assert_eq!(receiver.recv(), Ok(60));
        assert!(late.rang());
        assert!(Alarm::at(now, || ()).is_ok(), "a time that has passed");
    }
}
