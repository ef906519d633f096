//! What all work on a program has in common: the program is read, the work goes from
//! stage to stage, and events say what is heard of it.
//!
//! The stages that take long have threads of their own; the others are done on the thread
//! that asks for the next event, one after the other. So nothing happens that nobody asks
//! for, and a caller that is slow holds up no engine.

use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_coordinator::{Broken, caught};
use lustral_sema::{NodeId, Program};
use lustral_syntax::Loader;

use crate::event::Event;
use crate::load::Request;
use crate::log::{Accepted, Log};
use crate::sizes::Sizes;

/// Work on a program that goes through stages. Dropping it stops all that goes on for it.
pub(crate) struct Work<S> {
    request: Request,
    /// Gone when the program was read.
    loader: Option<Box<dyn Loader + Send>>,
    /// Stops this work.
    pub cancel: Cancel,
    /// When it began.
    pub began: Instant,
    pub log: Log,
    /// What was found of nodes that are looked at for some values of their constants.
    sizes: Sizes,
    next: Next<S>,
}

/// What is to be done next.
enum Next<S> {
    Stage(S),
    /// To say how all ended.
    End,
    Nothing,
}

impl<S> Work<S> {
    /// Work on a program that begins with a stage, with so much time from now on.
    pub fn new(request: Request, time: Option<Duration>, first: S) -> Work<S> {
        let began = Instant::now();
        let deadline = time.and_then(|time| began.checked_add(time));
        Work {
            loader: Some(request.usual_loader()),
            log: Log::new(&request),
            request,
            cancel: Cancel::with_deadline(deadline),
            sizes: Sizes::default(),
            began,
            next: Next::Stage(first),
        }
    }

    /// What the work is about.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// With the text of what the program includes from elsewhere.
    pub fn load_by(&mut self, loader: impl Loader + Send + 'static) {
        self.loader = Some(Box::new(loader));
    }

    /// Reads and analyses the program; nothing if it is rejected, and then that was said.
    pub fn read(&mut self) -> Option<Accepted> {
        let loader = self.loader.take()?;
        self.log.read(&self.request, loader, &self.cancel)
    }

    /// The nodes that are looked at, by the names that were asked for: whoever says something
    /// of nodes says so before.
    pub fn chosen(&mut self, program: &Program, asked: &[String], nodes: &[NodeId]) {
        self.sizes = Sizes::new(program, asked, nodes);
    }

    /// Says of which nodes only some values are looked at: for work that gives no verdicts
    /// on properties, after which the open ones would be listed.
    pub fn say_what_is_tried(&mut self) {
        for remark in self.sizes.remarks() {
            self.log.say(remark);
        }
    }
}

impl<S> Drop for Work<S> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Waits for what happens next with the work of `this`: `advance` does what a stage asks
/// for, and says which is next, or that it was the last. The last event is
/// [`Event::Ended`].
pub(crate) fn next_event<T, S>(
    this: &mut T,
    work: fn(&mut T) -> &mut Work<S>,
    advance: fn(&mut T, S) -> Option<S>,
) -> Option<Event> {
    loop {
        let at_work = work(this);
        if let Some(event) = at_work.log.waiting.pop_front() {
            at_work.sizes.note(&event);
            return Some(event);
        }
        match std::mem::replace(&mut at_work.next, Next::Nothing) {
            Next::Stage(stage) => {
                // A mistake in a stage must not take the program down in which this is a library, nor what
                // was said so far.
                let next = caught(|| advance(this, stage));
                let at_work = work(this);
                at_work.next = match next {
                    Ok(next) => next.map_or(Next::End, Next::Stage),
                    Err(why) => {
                        at_work.log.broken(Broken { stage: "work", why });
                        Next::End
                    }
                };
            }
            Next::End => {
                let open = at_work.sizes.open();
                if open.is_empty() {
                    return Some(Event::Ended(at_work.log.ending.clone()));
                }
                at_work.log.waiting.extend(open);
                at_work.next = Next::End;
            }
            Next::Nothing => return None,
        }
    }
}

/// The least time for one of several nodes: where there are more of them than time, the first ones
/// get an answer.
const LEAST: Duration = Duration::from_secs(1);

/// The share of the time that is left for one of so many nodes.
pub(crate) fn share_of(left: Duration, nodes: usize) -> Duration {
    (left / nodes.max(1) as u32).max(LEAST).min(left)
}
