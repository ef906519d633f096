//! A node with all its calls unfolded: the survey of its assertions, the
//! engines at work on it, and what is heard of them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use lustral_base::Cancel;
use lustral_base::profile::{measured, record};
use lustral_certify::{Answer, Checked, Rejected, unknown};
use lustral_coordinator as coordinator;
use lustral_coordinator::{
    Assertions, Broken, CheckResult, Job, NoResult, Open, Run, Scope, Unit, Unwritten, within,
};
use lustral_modular::compositional::Looked;
use lustral_report::Hint;
use lustral_sema::InstanceId;
use lustral_system::Reason;

use super::idle;
use super::verdicts::Verdicts;
use super::{Check, Given, Nodes, Stage, Turn, nothing_to_check};
use crate::event::{Event, Heading};
use crate::remark::Remark;

/// The engines at work on a node.
pub(super) struct NodeCheck {
    pub(super) unit: Arc<Unit>,
    verdicts: Verdicts,
    looked: Looked,
    run: Run,
    /// Stops the engines of this node.
    cancel: Cancel,
    /// The answers, if somebody wants to know what they rest on.
    pub(super) answers: Vec<Checked<Answer>>,
    started: Instant,
    pub(super) turn: Turn,
}

impl Check {
    /// Looks at the assertions of a node, and starts the engines if they leave
    /// any execution.
    pub(super) fn start(
        &mut self,
        given: &Given,
        unit: Arc<Unit>,
        turn: Turn,
    ) -> Option<NodeCheck> {
        let node = unit.system.root().node.clone();
        if unit.properties.is_empty() {
            self.work.log.say(nothing_to_check(&given.program, node));
            return None;
        }
        let again = turn.open.is_some();
        if unit.by_outputs() && !again {
            self.work.log.say(Remark::ByOutputs { node: node.clone() });
        }
        let heading = Heading { node: node.clone(), every_call: false };
        self.work.log.waiting.push_back(Event::Node(heading));
        if !again {
            self.discard(given, &node, Scope::Node);
        }
        let verdicts = self.verdicts(given);
        // When the time is up, nothing is begun for the nodes that are left.
        if let Some(cause) = self.work.cancel.cause() {
            self.work.log.stopped(&self.work.cancel);
            self.all_open(&unit, &verdicts, &cause.into());
            return None;
        }
        // The engines of a node are stopped with it, not with the program.
        let until = turn.until.or_else(|| self.work.cancel.deadline());
        let cancel = self.work.cancel.child_until(until);
        let assertions = {
            let (unit, cancel) = (unit.clone(), cancel.clone());
            let options = self.options.search.clone();
            let survey = move || Assertions::survey(&unit.system, &options, &cancel);
            measured("survey", || within(&self.work.cancel, survey))
        };
        let looked = match assertions {
            Ok(Assertions::BlockAt(0)) => {
                self.all_open(&unit, &verdicts, &Reason::Vacuous);
                return None;
            }
            Ok(found) => {
                Looked { warnings: found.warning().into_iter().collect(), doubt: found.doubt() }
            }
            // Nothing is known of the assertions, and the engines say that the time is up.
            Err(NoResult::Stopped) => Looked::default(),
            Err(why) => {
                let broken = Broken { stage: "survey", why };
                self.work.log.broken(broken.clone());
                self.all_open(&unit, &verdicts, &broken.reason());
                return None;
            }
        };
        let certificates = given.certificates.as_ref();
        let all = || (0..unit.properties.len()).collect();
        let numbers = turn.open.clone().unwrap_or_else(all);
        let started = Instant::now();
        let job = Job {
            unit: unit.clone(),
            cut: None,
            partial: false,
            lemmas: Vec::new(),
            store: certificates.map(|certificates| certificates.store(numbers)),
            patience: None,
            cancel: cancel.clone(),
        };
        let run = Run::start(job, &self.options.search);
        let answers = Vec::new();
        Some(NodeCheck { unit, verdicts, looked, run, cancel, answers, started, turn })
    }

    /// Nothing is known of any property.
    fn all_open(&mut self, unit: &Unit, verdicts: &Verdicts, reason: &Reason) {
        for property in unit.system.property_ids() {
            let answer = unknown(&unit.system, property, reason.clone());
            let run = verdicts.run_info();
            self.work.log.waiting.push_back(verdicts.verdict(
                unit,
                &Looked::default(),
                &answer,
                run,
            ));
        }
    }

    /// Waits for what is heard next of the engines.
    pub(super) fn listen(&mut self, mut at_work: Box<(NodeCheck, Nodes)>) -> Stage {
        let check = &mut at_work.0;
        match check.run.next() {
            Some(coordinator::Event::Checked(result)) => self.checked(check, *result),
            Some(coordinator::Event::Progress(progress)) => {
                self.work.log.waiting.push_back(Event::Progress(progress));
            }
            Some(coordinator::Event::Broken(broken)) => self.work.log.broken(broken),
            // There is none of a whole system.
            Some(coordinator::Event::Execution(_) | coordinator::Event::Ended(_)) => {}
            None => {
                let (check, mut nodes) = *at_work;
                let needs = self.needs(&check, &mut nodes);
                nodes.mutants = self.mutants(&check, &nodes);
                let late = self.finish(check);
                if let Some(root) = nodes.at.filter(|_| !late.is_empty()) {
                    nodes.late.push_back((root, late));
                }
                return match needs {
                    Some(needs) => Stage::Needs(Box::new((needs, nodes))),
                    None => self.after(nodes),
                };
            }
        }
        Stage::Engines(at_work)
    }

    fn checked(&mut self, check: &mut NodeCheck, result: CheckResult) {
        let NodeCheck { unit, verdicts, looked, run: engines, cancel, answers, .. } = check;
        let CheckResult { property, engine, answer, dependencies, first, certificate } = result;
        let mut run = verdicts.found_by(engine);
        run.dependencies = dependencies;
        run.first = first;
        // Only of the engine that found the answer.
        run.notes = engines.notes(property);
        run.notes.retain(|note| note.engine == engine && !note.only_open);
        let no_answer = |reason| unknown(&unit.system, property, reason);
        let answer = match (answer, cancel.cause()) {
            (Ok(answer), _) => answer,
            (Err(Rejected::NoAnswer(obligation, reason)), None) => {
                no_answer(Reason::Solver(format!("checking the obligation {obligation}: {reason}")))
            }
            (Err(Rejected::NoAnswer(..)), Some(cause)) => no_answer(cause.into()),
            (Err(rejected), _) => {
                let property = unit.system.property(property).name.clone();
                self.work.log.say(Remark::NotPassed { engine, property });
                no_answer(Reason::CheckFailed(rejected.to_string()))
            }
        };
        run.certificate = self.written(certificate);
        run.warnings.extend(idle::warning(&mut self.work.log, unit, &answer));
        let verdict = verdicts.verdict(unit, looked, &answer, run);
        self.note_contracts(&verdict);
        self.work.log.waiting.push_back(verdict);
        let is_asked = self.options.needs.is_some() || self.options.mutants.is_some();
        if self.options.kept.wants_invariants() || is_asked {
            answers.push(answer);
        }
    }

    /// The folder of a certificate, if there is one; says if it was not written.
    pub(super) fn written(
        &mut self,
        certificate: Option<Result<PathBuf, Unwritten>>,
    ) -> Option<String> {
        match certificate? {
            Ok(folder) => Some(folder.display().to_string()),
            Err(unwritten) => {
                self.work.log.say(unwritten);
                None
            }
        }
    }

    /// Says why properties are left without an answer, but of those for which only a share of the
    /// time is up: they are given back.
    fn finish(&mut self, check: NodeCheck) -> Vec<usize> {
        let NodeCheck { unit, verdicts, looked, run: engines, answers, started, turn, .. } = check;
        if !answers.is_empty() && self.options.kept.wants_invariants() {
            self.invariants.add(&unit, &answers);
        }
        // Finishing stops what is left of the engines, not the check.
        let mut open = engines.finish();
        let mut late = Vec::new();
        if turn.until.is_some() && turn.open.is_none() && !self.work.cancel.is_cancelled() {
            let is_late = |open: &Open| open.reason == Reason::Timeout;
            late.extend(open.iter().filter(|open| is_late(open)).map(|open| open.property.index()));
            open.retain(|open| !is_late(open));
        }
        if !open.is_empty() {
            self.work.log.stopped(&self.work.cancel);
        }
        for Open { property, reason, counterexample_to_induction, notes } in open {
            let of_call = unit.properties[property.index()].instance != InstanceId::ROOT;
            self.open_below += usize::from(of_call && reason == Reason::Timeout);
            let mut run = verdicts.run_info();
            run.hint = counterexample_to_induction.map(|(k, trace)| Hint { k, trace });
            run.notes = notes;
            let answer = unknown(&unit.system, property, reason);
            self.work.log.waiting.push_back(verdicts.verdict(&unit, &looked, &answer, run));
        }
        record("engines", started.elapsed());
        late
    }
}
