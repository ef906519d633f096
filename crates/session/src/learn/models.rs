//! Summaries of the nodes below each root, from which the properties follow:
//! models of the program's Horn clauses.

use std::collections::VecDeque;
use std::sync::Arc;

use lustral_certify::{CutProgram, NotModular, ProofChecker, Rejected};
use lustral_coordinator::{Broken, NoResult, soon_after};
use lustral_flow::called_first;
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_modular::Blocked;
use lustral_modular::model::{
    Found, Gap, Minimised, Missing, NoModel, Rank, Setup, Source, find, find_small,
};
use lustral_report::event::RankEvent;
use lustral_report::{Event as Line, ModularInvariants};
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program, select};
use lustral_syntax::{SourceMap, Span};
use lustral_system::{Modular, ModularNode};

use super::{Learn, Stage, SummaryOptions};
use crate::event::Event;
use crate::log::Accepted;
use crate::remark::Remark;

/// The roots that are left, and the program.
pub(super) struct Models {
    accepted: Accepted,
    file: Arc<str>,
    options: SummaryOptions,
    setup: Setup,
    left: VecDeque<NodeId>,
    /// Those that were looked at, or will be.
    listed: Vec<NodeId>,
    only_root: bool,
    /// All nodes in the order in which they were met: their numbers.
    names: Vec<String>,
}

/// A checked model of the clauses of the nodes below a root.
#[derive(Clone, Debug)]
pub struct NodeModels {
    /// The file, or what the caller called the text.
    pub file: Arc<str>,
    /// The root.
    pub root: String,
    /// Whether there is no other.
    pub only_root: bool,
    /// The definitions of all predicates, as SMT-LIB.
    pub smt2: String,
    /// What there is to show of the nodes that were asked for.
    pub nodes: Vec<ModularInvariants>,
    /// The names of the nodes, as `minimised` lists them.
    pub names: Vec<String>,
    /// How much of the states they speak of, if that was asked for.
    pub minimised: Option<Minimised>,
    /// Why certificates that were given have no part in it, if that is so.
    pub anew: Option<Gap>,
}

impl NodeModels {
    pub(crate) fn lines(&self) -> Vec<Line> {
        let nodes = self.nodes.iter().flat_map(|node| node.events(&self.file));
        nodes.chain(self.ranks()).collect()
    }

    /// How much of its state each node's summary speaks of, if that was asked for.
    #[must_use]
    pub fn ranks(&self) -> Vec<Line> {
        let Some(Minimised { ranks, smallest }) = &self.minimised else { return Vec::new() };
        let rank = |(node, (before, after)): (&String, &(Rank, Rank))| {
            Line::Rank(RankEvent {
                file: self.file.to_string(),
                node: node.clone(),
                state: (*before).into(),
                said: (*after).into(),
                smallest: *smallest,
            })
        };
        self.names.iter().zip(ranks).map(rank).collect()
    }
}

/// The nodes below a root with their calls cut; where they stand is named by
/// the lines of their texts.
///
/// # Errors
/// If the program is not one to be looked at node by node.
pub fn cut_program(
    kernel: &Arc<Kernel>,
    sources: &SourceMap,
    root: NodeId,
    wanted: Wanted,
) -> Result<CutProgram, NotModular> {
    let main = sources.files().next().map(|(id, _)| id);
    let place = |span: Span| {
        let line = sources.line_column(span).line;
        if Some(span.file) == main {
            format!("line {line}")
        } else {
            format!("{}:{line}", sources.file(span.file).name)
        }
    };
    CutProgram::below(kernel, root, wanted, &place)
}

impl Learn {
    /// Looks for models below the roots around the nodes that were asked for.
    pub(super) fn models(
        &mut self,
        accepted: Accepted,
        asked: &[NodeId],
        options: SummaryOptions,
    ) -> Option<Stage> {
        if let Some(folder) = options.certificates.as_ref().filter(|folder| !folder.is_dir()) {
            self.work.log.reject(Remark::NoFolder(folder.clone()));
            return None;
        }
        let roots = match options.certificates {
            // Certificates are about the node that was asked for.
            Some(_) => asked.to_vec(),
            None => around(&accepted.program, asked, &self.options.nodes),
        };
        let setup = Setup {
            learning: self.learning(),
            worker: options.worker.clone(),
            time: self.options.time,
        };
        let file = self.work.log.file.clone();
        let (only_root, listed, names) = (roots.len() == 1, roots.clone(), Vec::new());
        let left = roots.into();
        let models = Models { accepted, file, options, setup, left, listed, only_root, names };
        Some(Stage::Models(Box::new(models)))
    }

    /// Looks for a model below the next root.
    pub(super) fn next_root(&mut self, mut models: Box<Models>) -> Option<Stage> {
        let root = models.left.pop_front()?;
        let program = models.accepted.program.clone();
        let left: Vec<NodeId> = [root].into_iter().chain(models.left.iter().copied()).collect();
        let name = program.node(root).name.to_string();
        let asked = self.options.nodes.clone();
        let search = move || {
            let Accepted { kernel, sources, .. } = &models.accepted;
            let modular = cut_program(kernel, sources, root, Wanted::ALL);
            let found = modular.map(|modular| models.below(root, &Arc::new(modular), &asked));
            (found, models)
        };
        let ((notes, found), models) = match soon_after(&self.work.cancel, search) {
            Ok((Ok(found), models)) => (found, models),
            Ok((Err(NotModular::Clocked(clocked)), mut models)) if self.asks_for_no_node() => {
                // What it calls may be known all the same.
                let below = models.instead_of(root);
                if below.is_empty() && models.listed.len() == 1 {
                    self.work.log.reject(NotModular::Clocked(clocked));
                    return None;
                }
                models.left.extend(below);
                let why = Unsummarised::Clocked(clocked);
                self.work.log.say(Remark::Unsummarised { node: name, why });
                return Some(Stage::Models(models));
            }
            Ok((Err(error), _)) => {
                self.work.log.reject(error);
                return None;
            }
            Err(NoResult::Stopped) => {
                self.unfinished(&program, &left);
                return None;
            }
            Err(why) => {
                self.work.log.broken(Broken { stage: "search for summaries", why });
                return None;
            }
        };
        if let Some(why) = found.as_ref().and_then(|found| found.anew.clone()) {
            self.work.log.say(Remark::Anew { node: name.clone(), why });
        }
        for why in notes {
            self.work.log.stopped(&self.work.cancel);
            self.work.log.say(Remark::Unsummarised { node: name.clone(), why });
        }
        found.into_iter().for_each(|found| {
            self.work.log.waiting.push_back(Event::Models(Box::new(found)));
        });
        Some(Stage::Models(models))
    }
}

impl Learn {
    /// Whether everything is wanted that can be found out.
    fn asks_for_no_node(&self) -> bool {
        let certificates = self.options.summaries.as_ref().map(|s| s.certificates.is_some());
        self.options.nodes.is_empty() && certificates != Some(true)
    }
}

/// What is not known of the nodes below a root.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unsummarised {
    /// A node has a last step, and what follows is about no execution.
    #[error("the assertions of {} allow no execution with a step {}", .0.node, .0.step)]
    Blocked(Blocked),
    /// What was validated of a node says that it has no first step.
    #[error("{0} has no execution: {CONTRADICTION}")]
    NoExecution(String),
    /// Something has a clock of its own.
    #[error("{0}: it is left out, and what it calls is looked at by itself")]
    Clocked(Clocked),
    /// Something is not in the model.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// There is no model.
    #[error(transparent)]
    NoModel(Arc<NoModel>),
    /// Nothing can be checked.
    #[error(transparent)]
    NoChecker(Rejected),
}

const CONTRADICTION: &str = "the assertions, with those of what it calls, contradict each other";

impl Models {
    /// What is looked at in place of a root that has, or calls, parts with a clock of their own: the
    /// nodes that it calls, as if each were a root.
    fn instead_of(&mut self, root: NodeId) -> Vec<NodeId> {
        self.only_root = false;
        let mut below = Vec::new();
        for call in &self.accepted.program.node(root).calls {
            if !self.listed.contains(&call.callee) {
                self.listed.push(call.callee);
                below.push(call.callee);
            }
        }
        below
    }

    /// Looks for a model below a root, and for what there is to show of it.
    fn below(
        &mut self,
        root: NodeId,
        program: &Arc<CutProgram>,
        asked: &[String],
    ) -> (Vec<Unsummarised>, Option<NodeModels>) {
        let learning = &self.setup.learning;
        let blocked = Blocked::by_node(&self.accepted.kernel, program, learning);
        let mut notes = blocking(program, &blocked);
        let mut missing = Vec::new();
        let found = self.find(root, program, &mut missing);
        notes.extend(missing.into_iter().map(Unsummarised::Missing));
        let models = match found {
            Ok(found) => Some(self.describe(&found, &blocked, asked, &mut notes)),
            Err(reason) => {
                notes.push(Unsummarised::NoModel(Arc::new(reason)));
                None
            }
        };
        (notes, models)
    }

    fn find(
        &self,
        root: NodeId,
        program: &Arc<CutProgram>,
        missing: &mut Vec<Missing>,
    ) -> Result<Found, NoModel> {
        let SummaryOptions { certificates, model, minimise, .. } = &self.options;
        if certificates.is_none() && model.is_none() && !minimise {
            return find(&self.setup, program, missing);
        }
        let Accepted { kernel, sources, .. } = &self.accepted;
        let source = match (certificates, model) {
            (Some(folder), _) => Source::Certificates { folder, kernel, sources, root },
            (None, Some(file)) => Source::Functions(file),
            (None, None) => Source::Spacer,
        };
        find_small(&self.setup, &source, *minimise, program, missing)
    }

    /// What there is to show of the nodes that were asked for. Notes those that
    /// turn out to have no execution.
    fn describe(
        &mut self,
        found: &Found,
        blocked: &[Option<Blocked>],
        asked: &[String],
        notes: &mut Vec<Unsummarised>,
    ) -> NodeModels {
        let program = found.clauses.program();
        let names: Vec<String> = program.nodes.iter().map(|node| node.name.clone()).collect();
        let mut models = NodeModels {
            file: self.file.clone(),
            root: names[program.root()].clone(),
            only_root: self.only_root,
            smt2: found.model.get().smt2(),
            nodes: Vec::new(),
            names,
            minimised: found.minimised.clone(),
            anew: found.anew.clone(),
        };
        if !self.options.describe {
            return models;
        }
        let mut checker = match ProofChecker::new(&self.setup.learning.cancel) {
            Ok(checker) => checker,
            Err(rejected) => {
                notes.push(Unsummarised::NoChecker(rejected));
                return models;
            }
        };
        for (node, name) in models.names.iter().enumerate() {
            let number = self.number(name);
            if !asked.is_empty() && !asked.contains(name) {
                continue;
            }
            let summary = found.describe(&mut checker, node, &self.setup.learning);
            let shown = ModularInvariants::new(number, &summary);
            models.nodes.push(match vacuous(&shown, name, blocked[node].as_ref(), notes) {
                Some(reason) => shown.vacuous(reason),
                None => shown,
            });
        }
        models
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|n| n == name);
        known.map_or_else(
            || {
                self.names.push(name.into());
                self.names.len()
            },
            |at| at + 1,
        )
    }
}

/// Why what is shown of a node is about no execution, if that is so.
fn vacuous(
    shown: &ModularInvariants,
    name: &str,
    blocked: Option<&Blocked>,
    notes: &mut Vec<Unsummarised>,
) -> Option<String> {
    if let Some(ends) = blocked.filter(|ends| ends.step == 0) {
        return Some(ends.reason(name));
    }
    // What was validated says that there is no first step.
    shown.has_no_first_step().then(|| {
        notes.push(Unsummarised::NoExecution(name.into()));
        format!("{CONTRADICTION}: there is no execution")
    })
}

/// The roots of the program below which the nodes are that were asked for, and
/// those of these that no root calls. A node in a program is no root: what it
/// returns is no property.
fn around(program: &Program, asked: &[NodeId], names: &[String]) -> Vec<NodeId> {
    if names.is_empty() {
        return asked.to_vec();
    }
    let mut roots = select::roots(program, &[]).unwrap_or_default();
    roots.retain(|root| called_first(program, &[*root]).iter().any(|node| asked.contains(node)));
    let reached = called_first(program, &roots);
    roots.extend(asked.iter().filter(|node| !reached.contains(node)));
    roots
}

/// The nodes whose assertions allow no execution.
fn blocking(modular: &Modular, blocked: &[Option<Blocked>]) -> Vec<Unsummarised> {
    let own = |(node, ends): (&ModularNode, &Option<Blocked>)| {
        let own = ends.as_ref().filter(|ends| ends.node == node.name)?;
        Some(Unsummarised::Blocked(own.clone()))
    };
    modular.nodes.iter().zip(blocked).filter_map(own).collect()
}
