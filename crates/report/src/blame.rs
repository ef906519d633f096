//! Who is to blame where a contract does not hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who is to blame for a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "side", rename_all = "snake_case")]
pub enum Blame {
    /// A caller: it gave a call what the contract of the called node, or the type of an input, excludes.
    Caller {
        /// The node that calls.
        node: String,
        /// The call, by its path.
        call: String,
        /// What it broke, by its name in the called node.
        broken: String,
        /// At which step.
        step: usize,
    },
    /// A node: it was given all that it assumes, at all steps so far.
    Node {
        /// The node.
        node: String,
        /// Its call, by its path; none if it is the node that is checked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<String>,
    },
    /// The modes of a contract: in some situation none of them applies.
    Modes {
        /// The node whose contract it is.
        node: String,
    },
    /// A contract that says too little, or a node that relies on more than it says: what nodes without a body
    /// do here is all that their contracts ask for.
    Contract {
        /// The node that relies on them.
        node: String,
        /// The nodes without a body.
        of: Vec<String>,
    },
}

impl Blame {
    /// For people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Blame::Caller { node, call, broken, step } => format!(
                "to blame: the caller `{node}`, which breaks `{broken}` of `{call}` at step {step}"
            ),
            Blame::Node { node, call: None } => {
                format!("to blame: the node `{node}`, which is given what it assumes")
            }
            Blame::Node { node, call: Some(call) } => {
                format!(
                    "to blame: the node `{node}`, which is given what it assumes at the call `{call}`"
                )
            }
            Blame::Modes { node } => {
                format!("to blame: the contract of `{node}`, of whose modes none applies here")
            }
            Blame::Contract { node, of } => {
                let of: Vec<String> = of.iter().map(|name| format!("`{name}`")).collect();
                let (contracts, say) =
                    if of.len() == 1 { ("contract", "says") } else { ("contracts", "say") };
                format!(
                    "to blame: the {contracts} of {} {say} too little for `{node}`",
                    of.join(", ")
                )
            }
        }
    }
}
