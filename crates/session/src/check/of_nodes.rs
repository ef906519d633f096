//! What nodes guarantee and are given, learned node by node before the engines start, and tried at every call.
//!
//! A node is looked at once, however many calls it has, so that what is said of its flows is found whatever
//! the limits on candidates of the whole program are. That a call gives a node something is a candidate at
//! that call, and what holds within that is one too: engines take them for guesses like all others, and what
//! they prove by them is checked like all else.

use std::time::{Duration, Instant};

use lustral_certify::NodeInvariants;
use lustral_coordinator::{NoResult, soon_after};
use lustral_engines::{LearnOptions, Templates};
use lustral_modular::invariants::find;
use lustral_render::LustreWriter;
use lustral_system::Predicate;

use super::Check;
use crate::candidates::{Invariants, in_node};
use crate::log::Accepted;
use crate::remark::Remark;
use crate::select::roots;

/// What stands for the file of these candidates.
const NAME: &str = "what was learned of nodes";
/// The most time for it, and which part of the time that is left.
const MOST: Duration = Duration::from_secs(10);
const PART: u32 = 3;

impl Check {
    /// The program with what can be learned of its nodes as candidates. Where nothing is learned in time
    /// the program is as it was, and that is said.
    pub(super) fn with_facts_of_nodes(&mut self, accepted: Accepted) -> Option<Accepted> {
        // Names that are wrong are told of when the nodes to check are chosen.
        let Ok(roots) = roots(&accepted.program, &self.options.selection.nodes) else {
            return Some(accepted);
        };
        let cancel = &self.work.cancel;
        let now = Instant::now();
        let left = cancel.deadline().map(|deadline| deadline.saturating_duration_since(now));
        let time = left.map_or(MOST, |left| MOST.min(left / PART));
        let search = &self.options.search;
        let learning = LearnOptions {
            solver: search.solver.clone(),
            options: search.solver_options.clone(),
            templates: Templates { names: true, ..search.engine_options.learn.templates },
            cancel: cancel.child_until(Some(now + time)),
        };
        let kernel = accepted.kernel.clone();
        let (until, work) = (learning.cancel.clone(), learning);
        let not_used = |why: String| Remark::NotUsed(format!("nothing is learned of nodes: {why}"));
        let mut facts = Invariants::default();
        match soon_after(&until, move || find(&kernel, &roots, &work, true)) {
            Ok(Ok(found)) => {
                let known = found.iter().filter_map(|found| found.result.as_ref().ok());
                known.for_each(|known| state(&mut facts, known.node(), known.get()));
            }
            Ok(Err(clocked)) => self.work.log.say(not_used(clocked.to_string())),
            Err(NoResult::Stopped) => self.work.log.say(not_used("there was no time".into())),
            Err(why) => self.work.log.say(not_used(why.to_string())),
        }
        if facts.by_node.is_empty() {
            return Some(accepted);
        }
        let request = self.work.request().clone().proposing(NAME, facts.to_text());
        let loader = request.usual_loader();
        // What was wrong with the program has been said.
        let said = self.work.log.waiting.len();
        let accepted = self.work.log.read(&request, loader, &self.work.cancel);
        self.work.log.waiting.truncate(said);
        accepted
    }
}

/// Adds what is known of a node, as far as it can be said in its text.
fn state(facts: &mut Invariants, node: &str, known: &NodeInvariants) {
    let mut writer = LustreWriter::new(known.system());
    let mut say = |list: &[Predicate], role: &str| {
        for text in list.iter().filter_map(|said| in_node(&mut writer, said)) {
            if text != "true" {
                facts.insert(node, format!("{role}{text}"));
            }
        }
    };
    say(known.always(), "");
    say(known.given(), "requires ");
    say(known.within(), "");
}
