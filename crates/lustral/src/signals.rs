//! Ctrl-C and SIGTERM.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use lustral_base::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The signal that was received, 0 for none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// What the signal stops: the run that is under way.
static CURRENT: Mutex<Option<Cancel>> = Mutex::new(None);

/// How long the main thread has to say what it knows.
const GRACE: Duration = Duration::from_millis(350);

/// Watches for signals from now on. The first one stops the current run, whose
/// verdicts so far are out already; if the main thread is not done soon, the
/// process ends without it.
pub fn watch() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let body = move || {
        for signal in signals.forever() {
            let again = RECEIVED.swap(signal, Ordering::SeqCst) != 0;
            if let Ok(current) = CURRENT.lock()
                && let Some(cancel) = &*current
            {
                cancel.interrupt();
            }
            if again {
                signal_hook::low_level::exit(128 + signal);
            }
            std::thread::spawn(move || {
                std::thread::sleep(GRACE);
                signal_hook::low_level::exit(128 + signal);
            });
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(body);
}

/// Says what a signal is to stop.
pub fn stop_with(cancel: &Cancel) {
    if let Ok(mut current) = CURRENT.lock() {
        *current = Some(cancel.clone());
    }
    if received().is_some() {
        cancel.interrupt();
    }
}

/// The exit code of a signal that was received.
pub fn received() -> Option<i32> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(128 + signal),
    }
}
