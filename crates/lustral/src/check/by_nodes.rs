//! `check --compositional`: the verdicts of a program that is checked node by node.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{Summaries, unknown};
use lustral_flow::called_first;
use lustral_kernel::Program as Kernel;
use lustral_report::printable;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceTree, NodeId, Program, PropertySource, Type};
use lustral_smt::SolverOptions;
use lustral_syntax::SourceMap;
use lustral_system::Reason;

use super::{Job, Session};
use crate::compositional::{Event, Found, Looked, Settings, Worker};
use crate::exit::Exit;
use crate::signals;
use crate::unit::Unit;

/// How long the thread that works may go on after the time is up: it has to
/// say which properties are open.
const GRACE: Duration = Duration::from_secs(3);

/// A program as it was given.
pub struct Given<'a> {
    pub file: &'a Path,
    pub sources: Arc<SourceMap>,
    pub program: Arc<Program>,
    pub kernel: Arc<Kernel>,
    /// The number of files that are the program's own.
    pub files: usize,
    pub wanted: Wanted,
}

impl Session<'_> {
    /// Checks some nodes and what they call, each once.
    pub fn by_nodes(&mut self, given: &Given<'_>, roots: &[NodeId], cancel: &Cancel) {
        let asked = !self.options.nodes.is_empty() || roots.len() == 1;
        let roots: Vec<NodeId> =
            roots.iter().copied().filter(|root| self.has_goals(given, *root, asked)).collect();
        if roots.is_empty() {
            if !asked {
                let message =
                    "no node has anything to check: no property, no subrange, no boolean output";
                self.note(given.file, "error", message);
                self.worst(Exit::Rejected);
            }
            return;
        }
        for node in called_first(&given.program, &roots) {
            let name = &given.program.node(node).name;
            self.discard(given.file, name, !roots.contains(&node));
        }
        let (events, heard) = channel();
        let worker = self.worker(given, cancel, events);
        let work = roots.clone();
        let thread = lustral_base::spawn("compositional", move || worker.run(&work));
        let mut header = String::new();
        let mut noticed = None;
        loop {
            match heard.recv_timeout(Duration::from_millis(50)) {
                Ok(event) => self.event(given, event, cancel, &mut header),
                Err(RecvTimeoutError::Disconnected) => match thread.join() {
                    Ok(()) => break,
                    // Verdicts are missing, and whoever waits must hear of it.
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                Err(RecvTimeoutError::Timeout) => {}
            }
            let ended = cancel.is_cancelled()
                || cancel.deadline().is_some_and(|deadline| Instant::now() >= deadline);
            // There is a verdict for what is left, with the reason.
            let since = *noticed.get_or_insert_with(Instant::now);
            if !ended {
                noticed = None;
            }
            if self.output.failed() || ended && since.elapsed() >= GRACE {
                let why = match signals::received() {
                    Some(_) => "the run was interrupted",
                    None => "the time was up",
                };
                let message = format!("{why} before all properties had their verdict");
                self.note(given.file, "error", &message);
                return self.worst(Exit::Unknown);
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
            let message =
                format!("node `{name}` states no property: its boolean outputs are checked");
            self.note(given.file, "note", &message);
        }
        let below = called_first(program, &[root]).into_iter().any(|id| {
            let node = program.node(id);
            let ranged = node.streams.iter().any(|s| matches!(s.ty, Type::Subrange(_)));
            id != root && given.wanted.called_nodes && (ranged || !node.properties.is_empty())
        });
        let some = !own.is_empty() || below;
        if !some && asked {
            let message = format!(
                "node `{name}` has nothing to check: no property, no subrange, no boolean output"
            );
            self.note(given.file, "error", &message);
            self.worst(Exit::Rejected);
        }
        some
    }

    fn worker(
        &self,
        given: &Given<'_>,
        cancel: &Cancel,
        events: std::sync::mpsc::Sender<Event>,
    ) -> Worker {
        let solver = SolverOptions { seed: self.options.seed, ..SolverOptions::default() };
        let certificates = self.options.certificate.as_ref().map(|base| {
            let files = given.sources.files().take(given.files);
            let texts = files.map(|(_, f)| (f.name.clone(), f.text.clone())).collect();
            (base.clone(), given.file.to_path_buf(), Arc::new(texts))
        });
        Worker {
            program: given.program.clone(),
            kernel: given.kernel.clone(),
            wanted: given.wanted,
            settings: Settings::new(self.options, solver),
            certificates,
            cancel: cancel.clone(),
            summaries: Summaries::new(&given.kernel),
            events,
        }
    }

    fn event(&mut self, given: &Given<'_>, event: Event, cancel: &Cancel, header: &mut String) {
        let (unit, looked) = match &event {
            Event::Found(found, looked) => (found.unit.clone(), looked.clone()),
            Event::Open { unit, .. } => (unit.clone(), Looked::default()),
            Event::Note(message) => return self.note(given.file, "warning", message),
        };
        self.header(given.file, &unit, header);
        let Looked { warnings, doubt } = looked;
        let (sources, files) = (&*given.sources, given.files);
        let job =
            Job { file: given.file, sources, files, unit, cancel: cancel.clone(), warnings, doubt };
        let mut run = self.run_info(&job);
        match event {
            Event::Found(found, _) => {
                let Found { answer, engine, dependencies, certificate, .. } = *found;
                run.engine = Some(engine);
                run.solver = self.solver_of(engine);
                run.dependencies = dependencies;
                match certificate {
                    Some(Ok(folder)) => run.certificate = Some(folder),
                    Some(Err(error)) => {
                        let message = format!("cannot write the certificate: {error}");
                        self.note(given.file, "error", &message);
                        self.worst(Exit::Failure);
                    }
                    None => {}
                }
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
                self.verdict(&job, &unknown(&job.unit.system, property, reason), run);
            }
            Event::Note(_) => {}
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
