//! Z3 in the process, driven by SMT-LIB 2 text.
//!
//! This is what checks proofs by default: it shares no state with the sessions
//! that found them, and it reads the very text that a certificate holds.

use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex, Once, Weak};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use z3::Context;
use z3_sys::{
    Z3_context, Z3_del_config, Z3_del_context, Z3_eval_smtlib2_string, Z3_global_param_set,
    Z3_interrupt, Z3_mk_config, Z3_mk_context, Z3_set_error_handler,
};

use crate::alarm::Alarm;
use crate::dialogue::{Dialogue, one_answer, reason_of};
use crate::session::{Fault, NoAnswer};
use crate::smtlib::SExpr;

/// A fresh Z3.
pub struct Z3Text {
    handle: Arc<Mutex<Handle>>,
    cancel: Cancel,
    limit: Option<Duration>,
    /// Whether the last query was ended by its limit.
    late: bool,
    /// The context, if it is that of the thread and not to be deleted here.
    shared: Option<Context>,
}

thread_local! {
    /// Whether the context of this thread has been told something as text. A
    /// context has one state for all text, so there can be one [`Z3Text`] in it.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// The context, or nothing once it is gone: an interrupt may come late.
pub(crate) struct Handle(pub(crate) Option<Z3_context>);

// SAFETY: the pointer is used from other threads for `Z3_interrupt` only, which
// Z3 documents as safe to call at any time, and only while the lock is held, so
// never after the owner has cleared it.
unsafe impl Send for Handle {}

impl Handle {
    /// Makes a context interruptible by whoever cancels, until its owner
    /// clears the handle.
    pub(crate) fn register(context: Z3_context, cancel: &Cancel) -> Arc<Mutex<Handle>> {
        let handle = Arc::new(Mutex::new(Handle(Some(context))));
        let shared = Arc::downgrade(&handle);
        cancel.register(Arc::new(move || interrupt(&shared)));
        handle
    }

    fn interrupt(&self) {
        if let Some(context) = self.0 {
            // SAFETY: the context is alive, its owner clears it before the end.
            unsafe { Z3_interrupt(context) };
        }
    }
}

/// Interrupts what works in a context, if it is still there.
fn interrupt(handle: &Weak<Mutex<Handle>>) {
    if let Some(handle) = handle.upgrade()
        && let Ok(handle) = handle.lock()
    {
        handle.interrupt();
    }
}

impl Z3Text {
    /// A Z3 that has been told nothing, in the context of this thread where that
    /// was told nothing as text before, and otherwise in one of its own.
    ///
    /// A context costs more time than a small proof, and 17 MB. What sessions
    /// of this thread assert is not in it: text has a solver and declarations
    /// of its own, and what a context shares is terms. Still this is for
    /// threads that find nothing themselves.
    ///
    /// # Errors
    /// If Z3 cannot make a context.
    pub fn on_this_thread(cancel: Cancel) -> Result<Z3Text, Fault> {
        if TOLD.replace(true) {
            return Z3Text::new(cancel);
        }
        keep_signals();
        let context = Context::thread_local();
        let handle = Handle::register(context.get_z3_context(), &cancel);
        Ok(Z3Text { handle, cancel, limit: None, late: false, shared: Some(context) })
    }

    /// A Z3 that has been told nothing, in a context of its own.
    ///
    /// # Errors
    /// If Z3 cannot make a context.
    pub fn new(cancel: Cancel) -> Result<Z3Text, Fault> {
        let failed = || Fault::Start("Z3".into(), "it makes no context".into());
        keep_signals();
        // SAFETY: a configuration is made, used for one context, and deleted.
        let context = unsafe {
            let config = Z3_mk_config().ok_or_else(failed)?;
            let context = Z3_mk_context(config);
            Z3_del_config(config);
            let context = context.ok_or_else(failed)?;
            Z3_set_error_handler(context, None);
            context
        };
        let handle = Handle::register(context, &cancel);
        Ok(Z3Text { handle, cancel, limit: None, late: false, shared: None })
    }

    fn eval(&mut self, commands: &str) -> Result<String, Fault> {
        if self.cancel.is_cancelled() {
            return Err(Fault::Stopped);
        }
        let text = CString::new(commands).map_err(|_| Fault::Nonsense("a NUL byte".into()))?;
        // The lock is not held while Z3 works, or nothing could interrupt it.
        let context = self.handle.lock().expect("no holder panics").0.ok_or(Fault::Died)?;
        // SAFETY: the context is alive until `drop`, and this value is not
        // shared between threads; the answer is copied before the next call.
        let answer = unsafe {
            let answer = Z3_eval_smtlib2_string(context, text.as_ptr());
            if answer.is_null() {
                return Err(Fault::Died);
            }
            CStr::from_ptr(answer).to_string_lossy().into_owned()
        };
        if self.cancel.is_cancelled() {
            return Err(Fault::Stopped);
        }
        Ok(answer)
    }
}

/// Signals are for the program to handle, not for a library in it. Whoever makes
/// a context says so before.
///
/// Z3 reads such options without a lock whenever it makes a solver, so a thread
/// that sets one moves what others read: it is done once, and nobody goes on
/// before it is done. For the same reason nobody tells Z3 `(set-option …)` of
/// what it does not keep for each context, such as `:timeout` and `:rlimit`.
pub(crate) fn keep_signals() {
    static ONCE: Once = Once::new();
    // SAFETY: both are strings that end with a zero.
    ONCE.call_once(|| unsafe { Z3_global_param_set(c"ctrl_c".as_ptr(), c"false".as_ptr()) });
}

/// The command that limits how much work each query from here on may be, for the Z3 that is told
/// it; zero is no limit.
#[must_use]
pub fn limit_of_work(units: u32) -> String {
    format!("(set-option :reproducible-resource-limit {units})")
}

impl Dialogue for Z3Text {
    fn tell(&mut self, commands: &str) -> Result<(), Fault> {
        let answer = self.eval(commands)?;
        if answer.trim().is_empty() { Ok(()) } else { one_answer(&answer).map(|_| ()) }
    }

    fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    fn ask(&mut self, command: &str) -> Result<SExpr, Fault> {
        // Nobody else need be there to interrupt a query that takes too long.
        let limit = self.limit.and_then(|limit| Instant::now().checked_add(limit));
        let alarm = self.cancel.deadline().into_iter().chain(limit).min().map(|time| {
            let handle = Arc::downgrade(&self.handle);
            Alarm::at(time, move || interrupt(&handle))
        });
        let alarm = alarm.transpose()?;
        let answer = self.eval(command)?;
        self.late = alarm.is_some_and(|alarm| alarm.rang());
        one_answer(&answer)
    }

    fn reason(&mut self) -> String {
        if self.late { NoAnswer::Limit.to_string() } else { reason_of(self) }
    }
}

impl Drop for Z3Text {
    fn drop(&mut self) {
        let context = match self.handle.lock() {
            Ok(mut handle) => handle.0.take(),
            Err(_) => None,
        };
        if let Some(context) = context.filter(|_| self.shared.is_none()) {
            // SAFETY: taken out under the lock: nobody can use it any more.
            unsafe { Z3_del_context(context) };
        }
    }
}

#[cfg(test)]
mod tests {
    use lustral_term::{Sort, Terms, VarId};

    use super::*;
    use crate::session::{Outcome, Session};
    use crate::{SolverOptions, Z3Session};

    #[test]
    fn one_of_a_thread_is_apart_from_the_sessions_and_from_the_next() {
        let mut terms = Terms::new();
        let x = terms.variable(VarId(0), Sort::Bool);
        let mut session = Z3Session::new(&SolverOptions::default(), Cancel::new());
        session.assert(&terms, x);
        let mut first = Z3Text::on_this_thread(Cancel::new()).unwrap();
        assert!(first.shared.is_some());
        first.tell("(declare-const x Bool)\n(assert (not x))").unwrap();
        assert_eq!(first.query("(check-sat)"), Outcome::Sat);
        assert_eq!(session.check(&terms, &[]), Outcome::Sat);
        first.tell("(assert x)").unwrap();
        assert_eq!(first.query("(check-sat)"), Outcome::Unsat);
        assert_eq!(session.check(&terms, &[]), Outcome::Sat);
        for _ in 0..2 {
            let mut next = Z3Text::on_this_thread(Cancel::new()).unwrap();
            assert!(next.tell("(assert x)").is_err(), "nothing is left of the first");
            drop(next);
        }
        drop(first);
        let mut last = Z3Text::on_this_thread(Cancel::new()).unwrap();
        assert!(last.tell("(assert x)").is_err(), "not even when it is gone");
        assert_eq!(session.check(&terms, &[]), Outcome::Sat, "the context is still there");
    }

    #[test]
    fn answers_and_complaints() {
        let mut z3 = Z3Text::new(Cancel::new()).unwrap();
        z3.tell("(declare-const x Int)\n(assert (> x 3))").unwrap();
        assert_eq!(z3.query("(check-sat)"), Outcome::Sat);
        z3.tell("(assert (< x 3))").unwrap();
        assert_eq!(z3.query("(check-sat)"), Outcome::Unsat);
        assert!(matches!(z3.tell("(assert nonsense)"), Err(Fault::Reported(_))));
    }

    /// x² + y² = 7 z² has no solution but zero, and Z3 does not find out.
    const HARD: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(push 1)\n\
         (assert (and (> z 0) (= (+ (* x x) (* y y)) (* 7 z z))))";

    #[test]
    fn a_limit_ends_one_query_and_is_known_to_nobody_else() {
        let mut z3 = Z3Text::new(Cancel::new()).unwrap();
        z3.limit(Some(Duration::from_millis(30)));
        z3.tell(HARD).unwrap();
        let late = Outcome::Unknown(NoAnswer::GaveUp(NoAnswer::Limit.to_string()));
        assert_eq!(z3.query("(check-sat)"), late);
        z3.tell("(pop 1)\n(assert (> x 3))").unwrap();
        assert_eq!(z3.query("(check-sat)"), Outcome::Sat, "the next one has a time of its own");
        let text = |name: &CStr| {
            let mut value = std::ptr::null();
            // SAFETY: the name ends with a zero, and the value is copied before the next call.
            unsafe {
                assert!(z3_sys::Z3_global_param_get(name.as_ptr(), &raw mut value));
                CStr::from_ptr(value).to_string_lossy().into_owned()
            }
        };
        assert_eq!(text(c"timeout"), u32::MAX.to_string(), "what all of the process share");
    }

    #[test]
    fn work_is_limited_for_one_only() {
        let mut z3 = Z3Text::new(Cancel::new()).unwrap();
        z3.tell(HARD).unwrap();
        z3.tell(&limit_of_work(10_000)).unwrap();
        assert!(matches!(z3.query("(check-sat)"), Outcome::Unknown(_)));
        z3.tell(&format!("(pop 1)\n{}\n(assert (> x 3))", limit_of_work(0))).unwrap();
        assert_eq!(z3.query("(check-sat)"), Outcome::Sat);
        let mut value = std::ptr::null();
        // SAFETY: the name ends with a zero, and the value is read before the next call.
        let value = unsafe {
            assert!(z3_sys::Z3_global_param_get(c"rlimit".as_ptr(), &raw mut value));
            CStr::from_ptr(value)
        };
        assert_eq!(value, c"0");
    }

    /// An alarm may ring when the answer is there already and nothing works any more.
    #[test]
    fn an_interrupt_of_nothing_ends_no_later_query() {
        let mut z3 = Z3Text::new(Cancel::new()).unwrap();
        z3.tell("(declare-const x Int)(push 1)(assert (> x 3))").unwrap();
        for round in 0..3 {
            interrupt(&Arc::downgrade(&z3.handle));
            assert_eq!(z3.query("(check-sat)"), Outcome::Sat, "round {round}");
        }
    }
}
