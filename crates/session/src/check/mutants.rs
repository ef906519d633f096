//! Which small changes of a node its proved properties notice, looked for when all its verdicts are told.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Fate, MutantSearch, Unit, within};
use lustral_kernel::translate;
use lustral_report::{Killer, Mutant, Mutants};
use lustral_sema::{InstanceTree, Mutation, NodeId, mutations};
use lustral_syntax::source::with_parentheses;
use lustral_syntax::{SourceMap, Span};
use lustral_system::PropId;

use super::node::NodeCheck;
use super::{Check, Nodes, Stage};
use crate::event::Event;

/// What is still to be looked at of a node.
pub(super) struct NodeMutants {
    unit: Arc<Unit>,
    root: NodeId,
    sources: Arc<SourceMap>,
    search: Arc<MutantSearch>,
    /// Stops the search.
    cancel: Cancel,
    left: VecDeque<Mutation>,
    /// What was found so far.
    found: Mutants,
    killed_by: BTreeMap<PropId, usize>,
}

impl Check {
    /// What is to be looked at of a node, if anything.
    pub(super) fn mutants(&self, check: &NodeCheck, nodes: &Nodes) -> Option<Box<NodeMutants>> {
        let most = self.options.mutants?;
        let (unit, root) = (check.unit.clone(), nodes.at?);
        // Other nodes wait for their verdicts.
        let until = self.end_of_share(nodes.waiting() + 1);
        let cancel = self.work.cancel.child_until(until.or_else(|| self.work.cancel.deadline()));
        let (options, answers) = (&self.options.search, &check.answers);
        let search = MutantSearch::new(unit.clone(), answers, options, cancel.clone());
        // Of a node that is looked at again it was told at the first time.
        if search.properties().len() == 0 || check.turn.open.is_some() {
            return None;
        }
        let sources = nodes.given.sources.clone();
        let mut of: Vec<NodeId> = unit.tree.ids().map(|id| unit.tree.instance(id).node).collect();
        of.sort_unstable();
        of.dedup();
        let all = mutations(&unit.program, &sources, of);
        let count = all.len();
        let left = evenly(all, most);
        let place = unit.program.node(root).span;
        let found = Mutants {
            file: sources.file(place.file).name.clone(),
            node: unit.system.root().node.clone(),
            mutants: 0,
            killed: 0,
            survivors: Vec::new(),
            undecided: Vec::new(),
            left: count,
            properties: Vec::new(),
        };
        let (search, killed_by) = (Arc::new(search), BTreeMap::new());
        Some(Box::new(NodeMutants { unit, root, sources, search, cancel, left, found, killed_by }))
    }

    /// Looks at the next mutant of a node.
    pub(super) fn next_mutant(&mut self, mut at_work: Box<(Box<NodeMutants>, Nodes)>) -> Stage {
        let (mutants, _) = &mut *at_work;
        // When the time is up, nothing is begun for those that are left.
        let next = mutants.left.pop_front().filter(|_| !mutants.cancel.is_cancelled());
        let Some(mutation) = next else {
            let (mutants, nodes) = *at_work;
            let found = mutants.found();
            self.work.log.waiting.push_back(Event::Mutants(Box::new(found)));
            return self.after(nodes);
        };
        let (search, unit, root) = (mutants.search.clone(), mutants.unit.clone(), mutants.root);
        let (change, sources) = (mutation.clone(), mutants.sources.clone());
        let judge = move || {
            let mutant = unit_of(&change, &unit, root, &sources)?;
            Some(search.judge(&Arc::new(mutant)))
        };
        let fate = measured("mutants", || within(&mutants.cancel, judge));
        match fate {
            // The time was up before anything was known of it.
            Err(_) if mutants.cancel.is_cancelled() => {}
            Err(_) => mutants.add(&mutation, Fate::Undecided),
            Ok(fate) => mutants.add(&mutation, fate.unwrap_or(Fate::Undecided)),
        }
        Stage::Mutants(at_work)
    }
}

/// The same node of a mutant, with the same properties.
fn unit_of(mutation: &Mutation, unit: &Unit, root: NodeId, sources: &SourceMap) -> Option<Unit> {
    let program = Arc::new(mutation.of(&unit.program));
    let kernel = Arc::new(translate(&program, sources));
    let tree = InstanceTree::new(&*kernel, root).ok()?;
    Some(Unit::cut(&kernel, tree, unit.properties.clone()))
}

/// So many of some things, from all over the text.
fn evenly(all: Vec<Mutation>, most: usize) -> VecDeque<Mutation> {
    let count = all.len();
    let is_chosen = |i: &usize| count <= most || i * most / count != (i + 1) * most / count;
    all.into_iter().enumerate().filter(|(i, _)| is_chosen(i)).map(|(_, m)| m).collect()
}

impl NodeMutants {
    fn add(&mut self, mutation: &Mutation, fate: Fate) {
        self.found.mutants += 1;
        self.found.left -= 1;
        match fate {
            Fate::Killed(property) => {
                self.found.killed += 1;
                *self.killed_by.entry(property).or_default() += 1;
            }
            Fate::Vacuous => self.found.killed += 1,
            Fate::Survived => self.found.survivors.push(self.shown(mutation)),
            Fate::Undecided => self.found.undecided.push(self.shown(mutation)),
        }
    }

    /// A mutant as it is shown.
    fn shown(&self, mutation: &Mutation) -> Mutant {
        let Mutation { span, .. } = *mutation;
        let sources = &self.sources;
        let (place, end) = (sources.line_column(span), Span { start: span.end, ..span });
        let words: Vec<&str> = sources.text(span).split_whitespace().collect();
        Mutant {
            file: sources.file(span.file).name.clone(),
            line: place.line,
            column: place.column,
            last_line: sources.line_column(end).line,
            node: mutation.node.map(|id| self.unit.program.node(id).name.to_string()),
            text: with_parentheses(&words.join(" ")),
            becomes: mutation.becomes.clone(),
        }
    }

    fn found(self) -> Mutants {
        let NodeMutants { unit, search, killed_by, found, .. } = self;
        let killer = |id: PropId| Killer {
            property: unit.properties[id.index()].name.clone(),
            killed: killed_by.get(&id).copied().unwrap_or(0),
        };
        Mutants { properties: search.properties().map(killer).collect(), ..found }
    }
}
