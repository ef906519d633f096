//! A program in, events out: the order of the stages.
//!
//! The stages that take long have threads of their own; those of this module
//! are done on the thread that asks for the next event, one after the other.
//! So nothing happens that nobody asks for, and a caller that is slow holds up
//! no engine.

mod verdicts;
mod node;
mod said;
mod by_nodes;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Certificates, Pace, Scope, Unit, within};
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program};
use lustral_syntax::{Loader, SourceMap};

use crate::cache::{Keys, keep};
use crate::candidates::Invariants;
use crate::event::Event;
use crate::load::Request;
use crate::log::{Accepted, Log};
use crate::options::{CheckOptions, Selection};
use crate::remark::Remark;
use crate::select::roots;
use by_nodes::ByNodes;
use node::NodeCheck;
use verdicts::Verdicts;

/// A check of a program, as an iterator over what is heard of it. The last
/// event is [`Event::Ended`]. Dropping it stops all that goes on for it.
///
/// ```
/// use lustral_session::{Check, CheckOptions, Event, Request};
///
/// let text = "node main(x: bool) returns (n: int);
///     let n = 0 -> if x then pre n + 1 else pre n; check n >= 0; tel";
/// for event in Check::new(Request::text("main.lus", text), CheckOptions::default()) {
///     if let Event::Verdict(verdict) = event {
///         assert_eq!(verdict.word(), "valid");
///     }
/// }
/// ```
pub struct Check {
    request: Request,
    /// Gone when the program was read.
    loader: Option<Box<dyn Loader + Send>>,
    options: CheckOptions,
    /// Stops this check.
    cancel: Cancel,
    /// From when the times of verdicts are counted.
    began: Instant,
    log: Log,
    stage: Stage,
    /// What the proofs rest on.
    invariants: Invariants,
}

/// What is to be done next.
enum Stage {
    Read,
    Nodes(Box<Nodes>),
    Engines(Box<(NodeCheck, Nodes)>),
    ByNodes(Box<ByNodes>),
    Last(Keys),
    Over,
}

/// The nodes that are left to check, and the program.
struct Nodes {
    given: Given,
    left: VecDeque<NodeId>,
    /// Of the nodes that nobody asked for by name, those with nothing to check
    /// are helpers that are not used; but something must be checked.
    asked: bool,
    checked: bool,
}

/// A program as it was read.
struct Given {
    sources: Arc<SourceMap>,
    program: Arc<Program>,
    kernel: Arc<Kernel>,
    keys: Keys,
    /// Where its certificates go, if they are wanted.
    certificates: Option<Certificates>,
    wanted: Wanted,
}

impl Check {
    /// A check of a program. Its time begins now; the work begins when the
    /// first event is asked for.
    #[must_use]
    pub fn new(request: Request, options: CheckOptions) -> Check {
        let began = Instant::now();
        let deadline = options.time.and_then(|time| began.checked_add(time));
        Check {
            loader: Some(request.usual_loader()),
            log: Log::new(&request),
            request: request.with_candidates(options.kept.candidates.clone()),
            options,
            cancel: Cancel::with_deadline(deadline),
            began,
            stage: Stage::Read,
            invariants: Invariants::default(),
        }
    }

    /// Where the text of what the program includes comes from: by default from
    /// the file system for a file, and from nowhere for a text.
    #[must_use]
    pub fn with_loader(mut self, loader: impl Loader + Send + 'static) -> Check {
        self.loader = Some(Box::new(loader));
        self
    }

    /// With the times of verdicts counted from then.
    #[must_use]
    pub fn since(mut self, began: Instant) -> Check {
        self.began = began;
        self
    }

    /// What stops the check from another thread. What is known by then is told,
    /// and every property has a verdict all the same.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Reads the program, and chooses the nodes to check.
    fn read(&mut self) -> Stage {
        let Some(loader) = self.loader.take() else { return Stage::Over };
        let accepted = self.log.read(&self.request, loader, &self.cancel);
        accepted.and_then(|accepted| self.choose(accepted)).unwrap_or(Stage::Last(Keys::new()))
    }

    fn choose(&mut self, accepted: Accepted) -> Option<Stage> {
        let Accepted { sources, program, kernel, files, keys } = accepted;
        let Selection { nodes, called_nodes, outputs, compositional } =
            self.options.selection.clone();
        let roots = roots(&program, &nodes).map_err(|none| self.log.reject(none)).ok()?;
        let certificates = self.certificates(&sources, files);
        let wanted = Wanted { called_nodes, outputs };
        let given = Given { sources, program, kernel, keys, certificates, wanted };
        let asked = !nodes.is_empty() || roots.len() == 1;
        let nodes = Nodes { given, left: roots.into(), asked, checked: false };
        if !compositional {
            return Some(Stage::Nodes(Box::new(nodes)));
        }
        let all: Vec<NodeId> = nodes.given.program.node_ids().collect();
        Some(match nodes.given.kernel.all_on_one_clock(&all) {
            Ok(()) => self.start_by_nodes(nodes),
            Err(clocked) => {
                self.log.say(Remark::CheckedAsWhole(clocked));
                Stage::Nodes(Box::new(nodes))
            }
        })
    }

    /// Where the certificates of the program go, if they are wanted. Its own
    /// files come first among the sources.
    fn certificates(&self, sources: &SourceMap, files: usize) -> Option<Certificates> {
        let base = self.options.kept.certificates.clone()?;
        let texts = sources.files().take(files).map(|(_, f)| (f.name.clone(), f.text.clone()));
        Some(Certificates { base, file: PathBuf::from(&*self.log.file), texts: texts.collect() })
    }

    /// Encodes the next node and starts the engines on it.
    fn next_node(&mut self, mut nodes: Box<Nodes>) -> Stage {
        let Some(root) = nodes.left.pop_front() else {
            if !nodes.checked {
                self.log.say(Remark::NothingToCheck { node: None });
            }
            return Stage::Last(nodes.given.keys);
        };
        let (kernel, wanted) = (nodes.given.kernel.clone(), nodes.given.wanted);
        let encode = move || Unit::new(&kernel, root, wanted);
        let unit = match measured("encode", || within(&self.cancel, encode)) {
            Ok(unit) => unit,
            Err(why) => {
                self.log.unread(&self.cancel, "encoding", why);
                return Stage::Last(nodes.given.keys);
            }
        };
        match unit {
            Ok(unit) if unit.properties.is_empty() && !nodes.asked => {}
            Ok(unit) => {
                nodes.checked = true;
                if let Some(check) = self.start(&nodes.given, Arc::new(unit)) {
                    return Stage::Engines(Box::new((check, *nodes)));
                }
            }
            Err(error) => {
                nodes.checked = true;
                self.log.reject(error);
            }
        }
        Stage::Nodes(nodes)
    }

    /// What verdicts about a program have in common.
    fn verdicts(&self, given: &Given) -> Verdicts {
        let counted = self.options.search.pace == Pace::Counted;
        let began = (!counted).then_some(self.began);
        Verdicts::new(given.sources.clone(), began, &self.options.search)
    }

    /// Removes the certificates of a node that earlier runs wrote.
    fn discard(&mut self, given: &Given, node: &str, scope: Scope) {
        let certificates = given.certificates.as_ref();
        if let Some(Err(not_removed)) = certificates.map(|known| known.discard(node, scope)) {
            self.log.say(Remark::NotRemoved(Arc::new(not_removed)));
        }
    }

    /// Keeps what the proofs rest on, and says how all ended.
    fn end(&mut self, keys: &Keys) {
        let found = std::mem::take(&mut self.invariants);
        if let Some(folder) = self.options.kept.candidates.cache.clone()
            && let Err(error) = keep(&folder, keys, &found)
        {
            self.log.say(Remark::CacheUnwritten { folder, error: Arc::new(error) });
        }
        if self.options.kept.invariants {
            self.log.waiting.push_back(Event::Invariants(found));
        }
        self.log.waiting.push_back(Event::Ended(self.log.ending.clone()));
    }
}

/// The events, each as it comes.
impl Iterator for Check {
    type Item = Event;

    /// Waits for what happens next.
    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.log.waiting.pop_front() {
                return Some(event);
            }
            self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Read => self.read(),
                Stage::Nodes(nodes) => self.next_node(nodes),
                Stage::Engines(at_work) => self.listen(at_work),
                Stage::ByNodes(by_nodes) => self.listen_by_nodes(by_nodes),
                Stage::Last(keys) => {
                    self.end(&keys);
                    Stage::Over
                }
                Stage::Over => return None,
            };
        }
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
