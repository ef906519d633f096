//! Nodes whose assertions end every execution: what holds of them says little.

use lustral_engines::{LearnOptions, Survey, survey};
use lustral_system::TransitionSystem;

/// A node whose assertions end every execution, its own and those of its callers.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// The node.
    pub node: String,
    /// The first step that there is not.
    pub step: usize,
}

impl Blocked {
    /// Whether a node has a last step: by its assertions, or because what it
    /// calls has one, whatever it is given. `calls` are what is known of those.
    pub fn find(
        name: &str,
        system: &TransitionSystem,
        calls: impl Iterator<Item = Option<Blocked>>,
        options: &LearnOptions,
    ) -> Option<Blocked> {
        let own = match survey(system, &options.solver, &options.options, &options.cancel) {
            Survey::BlocksAt(step) => Some(Blocked { node: name.into(), step }),
            _ => None,
        };
        own.into_iter().chain(calls.flatten()).min_by_key(|ends| ends.step)
    }

    /// Why nothing is said of a node: itself, or one that calls it.
    pub fn reason(&self, of: &str) -> String {
        let node = &self.node;
        let whose = match *node == of {
            true => "the assertions".into(),
            false => format!("the assertions of `{node}`, which it calls,"),
        };
        match self.step {
            0 => format!("{whose} contradict each other: there is no execution"),
            step => format!("{whose} allow no execution with a step {step}"),
        }
    }
}
