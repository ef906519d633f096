//! The properties of a program: a program in, events out.

mod blame;
mod kept;
mod library;
mod idle;
mod verdicts;
mod node;
mod said;
mod by_nodes;
mod needs;
mod of_nodes;
mod mutants;
mod states;

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Certificates, Pace, Scope, TooManyInstances, Unit, within};
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program, select};
use lustral_syntax::{Loader, SourceMap};

use crate::cache::{Keys, keep};
use crate::candidates::Invariants;
use crate::event::Event;
use crate::load::Request;
use crate::log::Accepted;
use crate::options::{CheckOptions, Selection};
use crate::remark::Remark;
use crate::select::{ChosenProperties, every, roots};
use crate::staged::{Work, next_event, share_of};
use by_nodes::ByNodes;
use mutants::NodeMutants;
use needs::NodeNeeds;
use node::NodeCheck;
use verdicts::Verdicts;

/// What to say of a node that states nothing: or does it state what others shall keep?
fn nothing_to_check(program: &Program, node: String) -> Remark {
    let known = program.node_named(&node).map(|id| program.node(id));
    if known.is_some_and(|known| known.imported && !known.clauses.is_empty()) {
        Remark::NoBody { node }
    } else {
        Remark::NothingToCheck { node: Some(node) }
    }
}

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
    options: CheckOptions,
    /// Times of verdicts are counted from its beginning.
    work: Work<Stage>,
    /// What the proofs rest on.
    invariants: Invariants,
    /// The nodes without a body on whose contracts they rest.
    relied: BTreeSet<String>,
    /// The program, when it was read, and its texts.
    kernel: Option<Arc<Kernel>>,
    sources: Option<Arc<SourceMap>>,
    /// How many properties of called nodes the time was not enough for.
    open_below: usize,
}

/// What is to be done next.
enum Stage {
    Read,
    Nodes(Box<Nodes>),
    Engines(Box<(NodeCheck, Nodes)>),
    ByNodes(Box<ByNodes>),
    Needs(Box<(NodeNeeds, Nodes)>),
    Mutants(Box<(Box<NodeMutants>, Nodes)>),
    States(Box<(NodeId, Nodes)>),
    Last(Keys),
}

/// The nodes that are left to check, and the program.
struct Nodes {
    given: Given,
    left: VecDeque<NodeId>,
    /// Those that need more than their share of the time, with the properties that are open.
    late: VecDeque<(NodeId, Vec<usize>)>,
    /// What was found that properties of these need: which equations none needs is said when they were
    /// looked at again.
    needs: Vec<(NodeId, NodeNeeds)>,
    /// The one that is looked at.
    at: Option<NodeId>,
    /// Its mutants that are to be looked at when all else is told of it.
    mutants: Option<Box<NodeMutants>>,
    /// Of the nodes that nobody asked for by name, those with nothing to check
    /// are helpers that are not used; but something must be checked.
    asked: bool,
    checked: bool,
    properties: ChosenProperties,
}

/// When a node is looked at.
struct Turn {
    /// The end of its share of the time, if others wait.
    until: Option<Instant>,
    /// The properties that are open, if it was looked at before.
    open: Option<Vec<usize>>,
}

/// A node with all its calls, for its properties, or those of them that were asked for, or of
/// these the ones that are open; and the names of all that it has.
fn unit_of(
    kernel: &Arc<Kernel>,
    root: NodeId,
    wanted: Wanted,
    asked: &[String],
    open: Option<&[usize]>,
) -> Result<(Unit, Vec<String>), TooManyInstances> {
    let mut unit = Unit::new(kernel, root, wanted)?;
    let names = unit.system.property_ids().map(|id| unit.system.property(id).name.clone());
    let names: Vec<String> = names.collect();
    if !asked.is_empty() {
        unit = unit.only(|name| asked.iter().any(|asked| asked == name));
    }
    if let Some(open) = open {
        let properties = open.iter().map(|position| unit.properties[*position].clone()).collect();
        unit = Unit::cut(kernel, unit.tree, properties);
    }
    Ok((unit, names))
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
        let request = request
            .with_candidates(options.kept.candidates.clone())
            .asking(options.selection.hazards);
        let work = Work::new(request, options.time, Stage::Read);
        Check::of(work, options)
    }

    /// A check of candidates: those that the request says.
    pub(crate) fn stating(request: Request, options: CheckOptions) -> Check {
        let work = Work::new(request, options.time, Stage::Read);
        Check::of(work, options)
    }

    fn of(work: Work<Stage>, options: CheckOptions) -> Check {
        let (invariants, relied) = (Invariants::default(), BTreeSet::new());
        Check { work, options, invariants, relied, kernel: None, sources: None, open_below: 0 }
    }

    /// Where the text of what the program includes comes from: by default from
    /// the file system for a file, and from nowhere for a text.
    #[must_use]
    pub fn with_loader(mut self, loader: impl Loader + Send + 'static) -> Check {
        self.work.load_by(loader);
        self
    }

    /// With the times of verdicts counted from then.
    #[must_use]
    pub fn since(mut self, began: Instant) -> Check {
        self.work.began = began;
        self
    }

    /// What stops the check from another thread. What is known by then is told,
    /// and every property has a verdict all the same.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.work.cancel
    }

    /// The texts that were read, once the program was accepted: its files, and after them those of candidates.
    #[must_use]
    pub fn sources(&self) -> Option<&SourceMap> {
        self.sources.as_deref()
    }

    /// Reads the program, and chooses the nodes to check.
    fn read(&mut self) -> Stage {
        self.work
            .read()
            .and_then(|accepted| {
                if self.options.selection.learn_nodes {
                    return self.with_facts_of_nodes(accepted);
                }
                Some(accepted)
            })
            .and_then(|accepted| self.choose(accepted))
            .unwrap_or(Stage::Last(Keys::new()))
    }

    fn choose(&mut self, accepted: Accepted) -> Option<Stage> {
        let Accepted { sources, program, kernel, files, keys } = accepted;
        let Selection { nodes, every_node, called_nodes, outputs, compositional, .. } =
            self.options.selection.clone();
        let roots =
            if every_node && nodes.is_empty() { every(&program) } else { roots(&program, &nodes) };
        let roots = roots.map_err(|none| self.work.log.reject(none)).ok()?;
        self.work.chosen(&program, &nodes, &roots);
        // Who names nodes knows that there are others.
        if nodes.is_empty() {
            self.say_what_is_left_out(&program, &roots);
        }
        let certificates = self.certificates(&sources, files);
        self.kernel = Some(kernel.clone());
        self.sources = Some(sources.clone());
        let wanted = Wanted { called_nodes, outputs };
        let given = Given { sources, program, kernel, keys, certificates, wanted };
        let asked = !nodes.is_empty() || roots.len() == 1;
        let nodes = Nodes {
            given,
            left: roots.into(),
            late: VecDeque::new(),
            needs: Vec::new(),
            at: None,
            mutants: None,
            asked,
            checked: false,
            properties: ChosenProperties::new(&self.options.selection.properties),
        };
        Some(if compositional { self.start_by_nodes(nodes) } else { Stage::Nodes(Box::new(nodes)) })
    }

    /// Properties that are written down and not looked at should not go unnoticed.
    fn say_what_is_left_out(&mut self, program: &Program, roots: &[NodeId]) {
        let left_out = select::left_out(program, roots);
        if !left_out.is_empty() {
            let names = left_out.into_iter().map(|id| program.node(id).name.to_string());
            self.work.log.say(Remark::LeftOut { nodes: names.collect() });
        }
    }

    /// Where the certificates of the program go, if they are wanted. Its own
    /// files come first among the sources.
    fn certificates(&self, sources: &SourceMap, files: usize) -> Option<Certificates> {
        let base = self.options.kept.certificates.clone()?;
        let texts = sources.files().take(files).map(|(_, f)| (f.name.clone(), f.text.clone()));
        Some(Certificates {
            base,
            file: PathBuf::from(&*self.work.log.file),
            texts: texts.collect(),
        })
    }

    /// Encodes the next node and starts the engines on it.
    fn next_node(&mut self, mut nodes: Box<Nodes>) -> Stage {
        let Some((root, turn)) = self.next_turn(&mut nodes) else {
            for missing in nodes.properties.missing() {
                self.work.log.reject(missing);
            }
            if !nodes.checked && self.options.selection.properties.is_empty() {
                self.work.log.say(Remark::NothingToCheck { node: None });
            }
            return Stage::Last(nodes.given.keys);
        };
        nodes.at = Some(root);
        let (kernel, wanted) = (nodes.given.kernel.clone(), nodes.given.wanted);
        let (asked, open) = (self.options.selection.properties.clone(), turn.open.clone());
        let is_choice = !asked.is_empty();
        let encode = move || unit_of(&kernel, root, wanted, &asked, open.as_deref());
        let unit = match measured("encode", || within(&self.work.cancel, encode)) {
            Ok(unit) => unit,
            Err(why) => {
                self.work.log.unread(&self.work.cancel, "encoding", why);
                return Stage::Last(nodes.given.keys);
            }
        };
        let unit = unit.map(|(unit, names)| {
            nodes.properties.met(names);
            unit
        });
        match unit {
            Ok(unit) if unit.properties.is_empty() && (!nodes.asked || is_choice) => {}
            Ok(unit) => {
                nodes.checked = true;
                if let Some(check) = self.start(&nodes.given, Arc::new(unit), turn) {
                    return Stage::Engines(Box::new((check, *nodes)));
                }
                if let Some(needs) = nodes.needs_so_far() {
                    self.tell_coverage(needs);
                }
                return self.after(*nodes);
            }
            Err(error) => {
                nodes.checked = true;
                self.work.log.reject(error);
            }
        }
        Stage::Nodes(nodes)
    }

    /// The next node, with its share of the time that is left: what one does not need is there for
    /// the others, and in the end for those that need more than their share. By a clock that counts
    /// work there are no shares, because the time that is left is not the same in every run.
    fn next_turn(&self, nodes: &mut Nodes) -> Option<(NodeId, Turn)> {
        let count = if nodes.left.is_empty() { nodes.late.len() } else { nodes.left.len() };
        let (root, open) = match nodes.left.pop_front() {
            Some(root) => (root, None),
            None => nodes.late.pop_front().map(|(root, open)| (root, Some(open)))?,
        };
        Some((root, Turn { until: self.end_of_share(count), open }))
    }

    /// When the share of one of so many is up, if there are shares.
    fn end_of_share(&self, count: usize) -> Option<Instant> {
        let is_shared = count > 1 && self.options.search.pace != Pace::Counted;
        let deadline = self.work.cancel.deadline().filter(|_| is_shared)?;
        let now = Instant::now();
        Some(now + share_of(deadline.saturating_duration_since(now), count))
    }

    /// What verdicts about a program have in common.
    fn verdicts(&self, given: &Given) -> Verdicts {
        let counted = self.options.search.pace == Pace::Counted;
        let began = (!counted).then_some(self.work.began);
        Verdicts::new(given.sources.clone(), began, &self.options.search)
    }

    /// Removes the certificates of a node that earlier runs wrote.
    fn discard(&mut self, given: &Given, node: &str, scope: Scope) {
        let certificates = given.certificates.as_ref();
        if let Some(Err(not_removed)) = certificates.map(|known| known.discard(node, scope)) {
            self.work.log.say(Remark::NotRemoved(Arc::new(not_removed)));
        }
    }

    /// Keeps what the proofs rest on.
    fn end(&mut self, keys: &Keys) {
        let found = std::mem::take(&mut self.invariants);
        if let Some(folder) = self.options.kept.candidates.cache.clone()
            && let Err(error) = keep(&folder, keys, &found)
        {
            self.work.log.say(Remark::CacheUnwritten { folder, error: Arc::new(error) });
        }
        if self.options.kept.invariants {
            self.work.log.waiting.push_back(Event::Invariants(found));
        }
    }

    /// Does what a stage asks for, and says which is next.
    fn advance(&mut self, stage: Stage) -> Option<Stage> {
        Some(match stage {
            Stage::Read => self.read(),
            Stage::Nodes(nodes) => self.next_node(nodes),
            Stage::Engines(at_work) => self.listen(at_work),
            Stage::Needs(at_work) => self.next_need(at_work),
            Stage::Mutants(at_work) => self.next_mutant(at_work),
            Stage::States(at_work) => self.states(at_work.0, at_work.1),
            Stage::ByNodes(by_nodes) => self.listen_by_nodes(by_nodes),
            Stage::Last(keys) => {
                if self.open_below > 0 {
                    self.work.log.say(Remark::PerhapsByNodes { count: self.open_below });
                }
                self.say_what_nobody_keeps();
                self.end(&keys);
                return None;
            }
        })
    }
}

/// The events, each as it comes.
impl Iterator for Check {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        next_event(self, |this| &mut this.work, Check::advance)
    }
}
