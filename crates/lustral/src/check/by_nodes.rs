//! `check --compositional`: the verdicts of a program that is checked node by node.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::unknown;
use lustral_coordinator::{Broken, Certificates, Scope, Unit, caught};
use lustral_flow::called_first;
use lustral_kernel::Program as Kernel;
use lustral_modular::compositional::{Event, Found, Looked, Work, Worker};
use lustral_render::printable;
use lustral_report::event::NoteSeverity;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceTree, NodeId, Program, PropertySource, Type};
use lustral_syntax::SourceMap;
use lustral_system::{PropId, Reason};

use super::said::Said;
use super::{Job, Session, by_outputs, nothing_to_check};
use crate::exit::Exit;
use crate::signals;

/// How long the thread that works may go on after the time is up: it has to
/// say which properties are open.
const GRACE: Duration = Duration::from_secs(3);

/// Of a program with more instances it is not listed which properties have no
/// verdict: that takes time, and there is none.
const MOST_LISTED: usize = 20_000;

/// A program as it was given.
pub struct Given<'a> {
    pub file: &'a Path,
    pub sources: Arc<SourceMap>,
    pub program: Arc<Program>,
    pub kernel: Arc<Kernel>,
    /// Where its certificates go, if they are wanted.
    pub certificates: Option<Certificates>,
    pub wanted: Wanted,
}

/// What was heard so far.
#[derive(Default)]
struct Course {
    /// The node that the last verdict was about.
    header: String,
    said: Said,
    /// What failed first, if something did.
    broken: Option<Broken>,
}

impl Session<'_> {
    /// Checks some nodes and what they call, each once.
    pub fn by_nodes(&mut self, given: &Given<'_>, roots: &[NodeId], cancel: &Cancel) {
        let asked = !self.options.nodes.is_empty() || roots.len() == 1;
        let roots: Vec<NodeId> =
            roots.iter().copied().filter(|root| self.has_goals(given, *root, asked)).collect();
        if roots.is_empty() {
            if !asked {
                self.reject(given.file, &nothing_to_check(None));
            }
            return;
        }
        for node in called_first(&given.program, &roots) {
            let name = &given.program.node(node).name;
            let scope = if roots.contains(&node) { Scope::Node } else { Scope::Calls };
            self.discard(given.file, given.certificates.as_ref(), name, scope);
        }
        let (events, heard) = channel();
        let work = Work {
            kernel: given.kernel.clone(),
            wanted: given.wanted,
            options: self.coordination.clone(),
            certificates: given.certificates.clone(),
            cancel: cancel.clone(),
        };
        let worker = match Worker::new(work, events.clone()) {
            Ok(worker) => worker,
            Err(clocked) => {
                self.note(given.file, NoteSeverity::Error, &clocked.to_string());
                return self.worst(Exit::Rejected);
            }
        };
        let work = roots.clone();
        lustral_base::spawn("compositional", move || {
            if let Err(why) = caught(|| worker.run(&work)) {
                let _ = events.send(Event::Broken(Broken { stage: "check node by node", why }));
            }
        });
        let mut course = Course::default();
        let (mut noticed, mut late) = (None, false);
        loop {
            match heard.recv_timeout(Duration::from_millis(50)) {
                Ok(event) => self.event(given, event, cancel, &mut course),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let ended = cancel.is_cancelled()
                || cancel.deadline().is_some_and(|deadline| Instant::now() >= deadline);
            // There is a verdict for what is left, with the reason.
            let since = *noticed.get_or_insert_with(Instant::now);
            if !ended {
                noticed = None;
            }
            late = ended && since.elapsed() >= GRACE;
            if late || self.output.failed() {
                break;
            }
        }
        if late || course.broken.is_some() {
            self.unsaid(given, &roots, cancel, &mut course);
        }
    }

    /// Whatever happened to the thread that works, every property has a verdict.
    fn unsaid(
        &mut self,
        given: &Given<'_>,
        roots: &[NodeId],
        cancel: &Cancel,
        course: &mut Course,
    ) {
        let reason = match (&course.broken, cancel.cause()) {
            (Some(broken), _) => broken.reason(),
            (None, cause) => cause.map_or(Reason::Timeout, Reason::from),
        };
        for root in roots {
            let small = |tree: &InstanceTree| tree.len() <= MOST_LISTED;
            let Some(tree) = InstanceTree::new(&given.kernel, *root).ok().filter(small) else {
                let name = &given.program.node(*root).name;
                let message = format!("{reason} before all properties of `{name}` had a verdict");
                self.note(given.file, NoteSeverity::Error, &message);
                self.worst(Exit::Unknown);
                continue;
            };
            let unit = Arc::new(Unit::of_tree(&given.kernel, tree, given.wanted));
            for (i, property) in unit.properties.iter().enumerate() {
                if !course.said.has(&unit, property) {
                    let (unit, property) = (unit.clone(), PropId(i as u32));
                    let (reason, engine) = (reason.clone(), None);
                    let open = Event::Open { unit, property, reason, engine };
                    self.event(given, open, cancel, course);
                }
            }
        }
    }

    /// Whether there is something to check in a node; says so if not.
    fn has_goals(&mut self, given: &Given<'_>, root: NodeId, asked: bool) -> bool {
        let program = &given.program;
        let tree = InstanceTree::cut(program, root);
        let own = properties(program, &tree, given.wanted);
        let name = &program.node(root).name;
        if own.iter().any(|p| matches!(p.source, PropertySource::Output(_))) {
            self.note(given.file, NoteSeverity::Note, &by_outputs(name));
        }
        let below = called_first(program, &[root]).into_iter().any(|id| {
            let node = program.node(id);
            let ranged = node.streams.iter().any(|s| matches!(s.ty, Type::Subrange(_)));
            id != root && given.wanted.called_nodes && (ranged || !node.properties.is_empty())
        });
        let some = !own.is_empty() || below;
        if !some && asked {
            self.reject(given.file, &nothing_to_check(Some(name)));
        }
        some
    }

    fn event(&mut self, given: &Given<'_>, event: Event, cancel: &Cancel, course: &mut Course) {
        let (unit, looked) = match &event {
            Event::Found(found, looked) => (found.unit.clone(), looked.clone()),
            Event::Open { unit, .. } => (unit.clone(), Looked::default()),
            Event::Note(message) => return self.note(given.file, NoteSeverity::Warning, message),
            Event::Broken(broken) => {
                course.broken.get_or_insert_with(|| broken.clone());
                return self.broken(given.file, broken);
            }
        };
        self.header(given.file, &unit, &mut course.header);
        let Looked { warnings, doubt } = looked;
        let (sources, certificates) = (&*given.sources, given.certificates.clone());
        let (file, cancel) = (given.file, cancel.clone());
        let job = Job { file, sources, certificates, unit, cancel, warnings, doubt };
        let mut run = self.run_info(&job);
        match event {
            Event::Found(found, _) => {
                let Found { answer, engine, dependencies, certificate, .. } = *found;
                run.engine = Some(engine);
                run.solver = self.solver_of(engine);
                run.dependencies = dependencies;
                run.certificate = self.written(given.file, certificate);
                course.said.add(&job.unit, answer.property());
                self.verdict(&job, &answer, run);
            }
            Event::Open { property, reason, engine, .. } => {
                if let (Reason::CheckFailed(_), Some(engine)) = (&reason, engine) {
                    self.not_passed(&job, property, engine);
                }
                let reason = match signals::received() {
                    Some(_) => Reason::Interrupted,
                    None => reason,
                };
                course.said.add(&job.unit, property);
                self.verdict(&job, &unknown(&job.unit.system, property, reason), run);
            }
            Event::Note(_) | Event::Broken(_) => {}
        }
    }

    /// Says which node verdicts are about, where that changes.
    fn header(&mut self, file: &Path, unit: &Unit, header: &mut String) {
        if self.options.json {
            return;
        }
        let file = printable(&file.display().to_string());
        let node = printable(&unit.system.root().node);
        let every = if unit.tree.is_called() { ", at every call" } else { "" };
        let line = format!("{file}: node {node}{every}\n");
        if line != *header {
            self.output.write(&line);
            *header = line;
        }
    }
}
