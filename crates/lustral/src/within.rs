//! Work that does not outlast the time limit.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use lustral_base::Cancel;

/// The result of some work, or nothing if the time was up before: the work may
/// then go on until the process ends, but nobody waits for it.
pub fn within<T>(cancel: &Cancel, work: impl FnOnce() -> T + Send + 'static) -> Option<T>
where
    T: Send + 'static,
{
    let (sender, receiver) = channel();
    let thread = lustral_base::spawn("work", move || drop(sender.send(work())));
    loop {
        match receiver.recv_timeout(Duration::from_millis(20)) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // The work panicked, and so does whoever waits for it.
                let panic = thread.join().err().unwrap_or_else(|| Box::new("no result"));
                std::panic::resume_unwind(panic);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn nobody_waits_longer_than_the_limit() {
        assert_eq!(within(&Cancel::new(), || 7), Some(7));
        let start = Instant::now();
        let cancel = Cancel::with_deadline(Some(start + Duration::from_millis(100)));
        let late = within(&cancel, || std::thread::sleep(Duration::from_secs(5)));
        assert_eq!(late, None);
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}
