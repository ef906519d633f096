//! What was said so far of a program, and how it stands.

use std::collections::VecDeque;
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Broken, NoResult, within};
use lustral_kernel::Program as Kernel;
use lustral_sema::Program;
use lustral_syntax::{Level, Levels, Loader, SourceMap};
use lustral_system::Reason;

use crate::cache::Keys;
use crate::event::{Diagnosed, Ending, Event};
use crate::load::{Analysed, Request, Unreadable};
use crate::remark::Remark;

/// What is to be told of a program, and how it stands.
pub(crate) struct Log {
    /// What all remarks are about.
    pub file: Arc<str>,
    /// What the caller has not heard yet.
    pub waiting: VecDeque<Event>,
    /// How all would end if it ended now.
    pub ending: Ending,
    /// How much warnings matter.
    pub levels: Levels,
}

/// A program without errors.
pub(crate) struct Accepted {
    pub sources: Arc<SourceMap>,
    pub program: Arc<Program>,
    pub kernel: Arc<Kernel>,
    /// The number of the program's own files, which come first.
    pub files: usize,
    pub keys: Keys,
}

impl From<Analysed> for Accepted {
    /// A program of which it is known that it has no errors.
    fn from(analysed: Analysed) -> Accepted {
        let Analysed { sources, program, kernel, files, keys, .. } = analysed;
        Accepted { sources: Arc::new(sources), program, kernel, files, keys }
    }
}

impl Log {
    pub fn new(request: &Request) -> Log {
        let file = request.name().into();
        let levels = request.levels().clone();
        Log { file, waiting: VecDeque::new(), ending: Ending::Complete, levels }
    }

    pub fn say(&mut self, remark: impl Into<Remark>) {
        let (file, remark) = (self.file.clone(), remark.into());
        match remark.lint().map(|lint| self.levels.of(lint, None)) {
            Some(Level::Allow) => return,
            Some(Level::Deny) => return self.deny(remark),
            Some(Level::Warn) | None => {}
        }
        self.waiting.push_back(Event::Remark { file, remark });
    }

    /// Rejects the program for a warning.
    pub fn deny(&mut self, warning: Remark) {
        let (file, remark) = (self.file.clone(), Remark::Denied(Box::new(warning)));
        self.ending = Ending::Rejected;
        self.waiting.push_back(Event::Remark { file, remark });
    }

    /// Says why there is nothing to check, or not all.
    pub fn reject(&mut self, remark: impl Into<Remark>) {
        self.say(remark);
        self.ending = Ending::Rejected;
    }

    pub fn broken(&mut self, broken: Broken) {
        self.ending = Ending::Broken(broken.clone());
        self.say(broken);
    }

    /// All was stopped while something was not yet settled.
    pub fn stopped(&mut self, cancel: &Cancel) {
        if let (Some(cause), Ending::Complete) = (cancel.cause(), &self.ending) {
            self.ending = Ending::Stopped(cause.into());
        }
    }

    /// There is nothing to give a verdict on: the time was up before, or a
    /// stage failed.
    pub fn unread(&mut self, cancel: &Cancel, stage: &'static str, why: NoResult) {
        if why != NoResult::Stopped {
            return self.broken(Broken { stage, why });
        }
        let reason = cancel.cause().map_or(Reason::Timeout, Reason::from);
        self.ending = Ending::Stopped(reason.clone());
        self.say(Remark::NotRead(reason));
    }

    /// Reads and analyses a program; nothing if it is rejected, and then that
    /// was said.
    pub fn read(
        &mut self,
        request: &Request,
        loader: Box<dyn Loader + Send>,
        cancel: &Cancel,
    ) -> Option<Accepted> {
        let request = request.clone();
        let analyse = move || request.analyse(&*loader);
        match measured("front end", || within(cancel, analyse)) {
            Ok(analysed) => self.accept(analysed),
            Err(why) => {
                self.unread(cancel, "front end", why);
                None
            }
        }
    }

    /// Says what is wrong with a program.
    fn accept(&mut self, analysed: Result<Analysed, Unreadable>) -> Option<Accepted> {
        let analysed = analysed.map_err(|unreadable| self.reject(unreadable)).ok()?;
        self.levels = analysed.levels.clone();
        if analysed.latin {
            self.say(Remark::Latin);
        }
        let Analysed { sources, program, kernel, files, keys, diagnostics, quiet, .. } = analysed;
        let (sources, is_wrong) = (Arc::new(sources), diagnostics.has_errors());
        if diagnostics.iter().next().is_some() {
            let sources = sources.clone();
            self.waiting.push_back(Event::Diagnostics(Diagnosed { sources, list: diagnostics }));
        }
        if is_wrong {
            self.ending = Ending::Rejected;
            return None;
        }
        quiet.count(&program);
        Some(Accepted { sources, program, kernel, files, keys })
    }
}
