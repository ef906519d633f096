//! With an explanation: which states and transitions of the automata of a node can be reached,
//! looked for when its verdicts are told. An unreachable one is a warning; no verdict and no
//! exit code depends on it. What is said was checked as verdicts are.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::profile::measured;
use lustral_certify::{Answer, Checked};
use lustral_coordinator as coordinator;
use lustral_coordinator::{Job, Run, Unit, within};
use lustral_kernel::translate;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, state_coverage};

use super::{Check, Nodes, Stage};
use crate::remark::Remark;

/// How long the search may take, if nothing else ends it.
const LONGEST: Duration = Duration::from_secs(10);

impl Check {
    /// What comes after the verdicts of a node.
    pub(super) fn after(&self, mut nodes: Nodes) -> Stage {
        if let Some(mutants) = nodes.mutants.take() {
            return Stage::Mutants(Box::new((mutants, nodes)));
        }
        let is_over = self.work.cancel.is_cancelled() || nodes.comes_again();
        let wanted = self.options.search.explain && !is_over;
        match nodes.at.filter(|_| wanted) {
            Some(root) => Stage::States(Box::new((root, nodes))),
            None => Stage::Nodes(Box::new(nodes)),
        }
    }

    /// Looks which states and transitions can be reached, and says it.
    pub(super) fn states(&mut self, root: NodeId, nodes: Nodes) -> Stage {
        let (program, sources) = (nodes.given.program.clone(), nodes.given.sources.clone());
        let encode = move || {
            let asked = state_coverage(&program)?;
            let kernel = Arc::new(translate(&Arc::new(asked), &sources));
            let wanted = Wanted { called_nodes: true, outputs: false };
            Unit::new(&kernel, root, wanted).ok()
        };
        let unit = measured("encode", || within(&self.work.cancel, encode));
        if let Ok(Some(unit)) = unit
            && unit.properties.iter().any(|property| is_question(&property.name))
        {
            self.look_at_states(&Arc::new(unit), &nodes);
        }
        Stage::Nodes(Box::new(nodes))
    }

    fn look_at_states(&mut self, unit: &Arc<Unit>, nodes: &Nodes) {
        let left =
            self.work.cancel.deadline().map(|end| end.saturating_duration_since(Instant::now()));
        let patience = left.map_or(LONGEST, |left| (left / 2).min(LONGEST));
        let job = Job {
            unit: unit.clone(),
            cut: None,
            partial: false,
            lemmas: Vec::new(),
            store: None,
            patience: Some(patience),
            cancel: self.work.cancel.child(),
        };
        let mut run = Run::start(job, &self.options.search);
        let mut answers: Vec<Checked<Answer>> = Vec::new();
        for event in run.by_ref() {
            match event {
                coordinator::Event::Checked(result) => answers.extend(result.answer),
                coordinator::Event::Broken(broken) => self.work.log.broken(broken),
                _ => {}
            }
        }
        drop(run.finish());
        self.say_what_is_reached(unit, nodes, &answers);
    }

    fn say_what_is_reached(&mut self, unit: &Unit, nodes: &Nodes, answers: &[Checked<Answer>]) {
        let (mut reached, mut open) = (Vec::new(), Vec::new());
        // By place: a state of a node that is called twice need be reached in one call only.
        let mut never: BTreeMap<(u32, u32), (Vec<String>, bool)> = BTreeMap::new();
        let questions = unit.system.property_ids().zip(&unit.properties);
        for (id, property) in questions.filter(|(_, property)| is_question(&property.name)) {
            let answer = answers.iter().find(|answer| answer.property() == id);
            let place = (property.span.file.0, property.span.start);
            let entry = never.entry(place).or_insert((Vec::new(), true));
            match answer.map(Checked::get) {
                Some(Answer::Falsifiable(trace)) => {
                    reached.push(format!("{} at step {}", property.name, trace.len() - 1));
                    entry.1 = false;
                }
                Some(Answer::Valid(_)) => {
                    entry.0.push(property.name.clone());
                }
                _ => {
                    open.push(property.name.clone());
                    entry.1 = false;
                }
            }
        }
        let node = unit.system.root().node.clone();
        self.work.log.say(Remark::Reached { node: node.clone(), reached, open });
        for property in &unit.properties {
            let place = (property.span.file.0, property.span.start);
            let Some((calls, true)) = never.remove(&place) else { continue };
            let Some(first) = calls.first() else { continue };
            let line = nodes.given.sources.line_column(property.span).line;
            // Once for all calls of its node.
            let what = match calls.len() {
                1 => format!("{first} (line {line})"),
                several => format!("{} (line {line}, in {several} calls)", own_name(first)),
            };
            self.work.log.say(Remark::Unreachable { node: node.clone(), what });
        }
    }
}

/// Whether a property is one of the questions; others, such as what contracts say, are not asked.
fn is_question(name: &str) -> bool {
    let own = own_name(name);
    own.starts_with("state ") || own.starts_with("transition ")
}

/// The name of a question without the path of the call.
fn own_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
