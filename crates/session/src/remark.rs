//! What there is to say of a program, or of the work on it, that is no verdict
//! and no diagnostic.

use std::path::PathBuf;
use std::sync::Arc;

use lustral_certify::{NotModular, Vacuous};
use lustral_coordinator::{Broken, NotRemoved, TooManyInstances, Unwritten};
use lustral_engines::LeftOut;
use lustral_kernel::Clocked;
use lustral_modular::Unlearned;
use lustral_modular::houdini::Unexplained;
use lustral_modular::model::Gap;
use lustral_report::event::NoteSeverity;
use lustral_system::Reason;

use crate::learn::Unsummarised;
use crate::load::Unreadable;
use crate::select::{NoSuchNode, NoSuchProperty};

/// Something that the user should know.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Remark {
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The text is no UTF-8.
    #[error("it is not UTF-8, read as Latin-1")]
    Latin,
    /// Nothing can be said of the candidates.
    #[error("nothing is known of the candidates: {0}")]
    Unexplained(Arc<Unexplained>),
    /// There are none.
    #[error("there are no candidates (`--templates all` has the templates propose some)")]
    NoCandidates,
    /// There is nothing to be known of the program: all was stopped before.
    #[error("{0} while the program was read")]
    NotRead(Reason),
    /// A node that was asked for does not exist.
    #[error(transparent)]
    NoSuchNode(#[from] NoSuchNode),
    /// A property that was asked for does not exist.
    #[error(transparent)]
    NoSuchProperty(#[from] NoSuchProperty),
    /// A node, or the whole program, states nothing.
    #[error(
        "{} to check: no property, no contract, no subrange (`--outputs` takes boolean outputs as \
         properties)",
        nothing(node.as_deref())
    )]
    NothingToCheck {
        /// The node, if one was asked for.
        node: Option<String>,
    },
    /// A protocol states nothing.
    #[error("nothing to check: no `safety`, no `invariant`, and no theorem or trace for all sizes")]
    NothingStated,
    /// Nodes state properties, and nothing that is checked calls them.
    #[error(
        "the properties of {} are not checked: no node that is checked calls {} (`--node` chooses)",
        listed(nodes), if nodes.len() == 1 { "it" } else { "them" }
    )]
    LeftOut {
        /// The nodes.
        nodes: Vec<String>,
    },
    /// A node is looked at for some values of its constants: of the node itself nothing is known.
    #[error("node `{node}` is looked at for {values}; other values were not looked at")]
    SomeValues {
        /// The node.
        node: String,
        /// Which values these are.
        values: String,
    },
    /// Properties of called nodes are open, which may hold whatever the nodes are given.
    #[error(
        "{}: such are often easier node by node, with `--compositional`",
        if *count == 1 {
            "a property of a called node is open".to_string()
        } else {
            format!("{count} properties of called nodes are open")
        }
    )]
    PerhapsByNodes {
        /// How many.
        count: usize,
    },
    /// A node that was asked for has a contract and no body.
    #[error(
        "node `{node}` has no body that could break its contract (`lustral realize` says whether a \
         body can keep it)"
    )]
    NoBody {
        /// The node.
        node: String,
    },
    /// Proofs rest on a contract that nobody can keep.
    #[error(
        "no body can keep the contract of `{node}`, on which proofs rest: they are about no program in which it \
         has one (see `lustral realize`)"
    )]
    Unkeepable {
        /// The node without a body.
        node: String,
    },
    /// A node, or every node, has a body: there is nothing left to choose.
    #[error(
        "{} to realize: no contract, no `any {{ x | p }}`, no `--%REALIZABLE`",
        nothing(node.as_deref())
    )]
    NothingToRealize {
        /// The node, if one was asked for.
        node: Option<String>,
    },
    /// A node cannot be unfolded.
    #[error(transparent)]
    TooManyInstances(#[from] TooManyInstances),
    /// The program has clocks, and was to be looked at node by node.
    #[error("{0}: what such nodes guarantee is not supported yet")]
    Clocked(#[from] Clocked),
    /// There was no time to list which properties of a node have no verdict.
    #[error("{reason} before {} of `{node}` had a verdict", open(*count))]
    Unlisted {
        /// Why they have none.
        reason: Reason,
        /// The node.
        node: String,
        /// How many they are, if that is known.
        count: Option<usize>,
    },
    /// The time was up before anything was known of a node.
    #[error("node {node}: {reason} before anything was settled")]
    Unfinished {
        /// The node.
        node: String,
        /// What stopped it.
        reason: Reason,
    },
    /// Something that was learned of a called node is not used.
    #[error("{0}")]
    NotUsed(String),
    /// Nothing is known of what a node guarantees.
    #[error("node {node}: {reason}")]
    Unlearned {
        /// The node.
        node: String,
        /// Why.
        reason: Unlearned,
    },
    /// Not all candidates of a node were tried.
    #[error(
        "node {node}: not all candidates of the templates were tried: {left_out} (`--%CANDIDATE` and \
         `--candidates` add some, whatever the limits)"
    )]
    Limited {
        /// The node.
        node: String,
        /// The limits that were reached.
        left_out: LeftOut,
    },
    /// Something is not known of the summaries below a root.
    #[error("node {node}: {why}")]
    Unsummarised {
        /// The root.
        node: String,
        /// What, and why.
        why: Unsummarised,
    },
    /// The summaries below a root are not from the certificates that were given.
    #[error("node {node}: found anew, not from the certificate: {why}")]
    Anew {
        /// The root.
        node: String,
        /// Why.
        why: Gap,
    },
    /// There are no certificates where they should be.
    #[error("{}: there is no such folder", .0.display())]
    NoFolder(PathBuf),
    /// The program is not one to be looked at node by node.
    #[error(transparent)]
    NotModular(#[from] NotModular),
    /// A node states nothing but has boolean outputs.
    #[error("node `{node}` states no property: its boolean outputs are checked")]
    ByOutputs {
        /// The node.
        node: String,
    },
    /// A part of this program failed: some verdicts are missing for that reason.
    #[error("internal error: {0}; please report this with the program")]
    Broken(#[from] Broken),
    /// An engine found something that is none: a mistake of this program.
    #[error(
        "internal error: {engine} found an answer for `{property}` that did not pass its check; \
         please report this with the program"
    )]
    NotPassed {
        /// The engine.
        engine: &'static str,
        /// The property.
        property: String,
    },
    /// A certificate was not written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// An earlier certificate is still there.
    #[error(transparent)]
    NotRemoved(Arc<NotRemoved>),
    /// What a protocol says besides, and what nobody looks at.
    #[error("{}", not_checked(*theorems, *traces))]
    NotChecked {
        /// The number of theorems.
        theorems: usize,
        /// The number of traces.
        traces: usize,
    },
    /// The sizes that were asked for are none of the protocol.
    #[error("{0}")]
    WrongSizes(String),
    /// The cache was not written. It is a convenience: the verdicts are as good
    /// without it.
    #[error("cannot write the cache {}: {error}", folder.display())]
    CacheUnwritten {
        /// Its folder.
        folder: PathBuf,
        /// Why not.
        error: Arc<std::io::Error>,
    },
    /// Which states and transitions of automata are reached, if an explanation is wanted.
    #[error("node `{node}` reaches {}{}", listed_in_words(reached), still_open(open))]
    Reached {
        /// The node.
        node: String,
        /// What, and at which step an execution was seen to reach it.
        reached: Vec<String>,
        /// What nothing is known of.
        open: Vec<String>,
    },
    /// A state or a transition of an automaton is never reached.
    #[error("in node `{node}`, {what} is unreachable")]
    Unreachable {
        /// The node that is checked.
        node: String,
        /// The state or transition.
        what: String,
    },
    /// A valid property says nothing.
    #[error("of `{property}`: {}", why_nothing(*vacuous))]
    SaysNothing {
        /// The property.
        property: String,
        /// Why it says nothing.
        vacuous: Vacuous,
    },
    /// A warning that is denied.
    #[error("{0}")]
    Denied(Box<Remark>),
}

impl Remark {
    /// The name of the warning that it is, if it is one: see `lustral_syntax::lint`.
    #[must_use]
    pub fn lint(&self) -> Option<&'static str> {
        match self {
            Remark::Latin => Some("not-utf-8"),
            Remark::NotChecked { .. } => Some("unchecked-theorems"),
            Remark::LeftOut { .. } => Some("unchecked-properties"),
            Remark::NotUsed(_) => Some("not-used"),
            Remark::Unkeepable { .. } => Some("unrealizable"),
            Remark::NotRemoved(_) => Some("not-removed"),
            Remark::CacheUnwritten { .. } => Some("unwritten-cache"),
            Remark::Unreachable { .. } => Some("unreachable"),
            Remark::SaysNothing { .. } => Some("says-nothing"),
            Remark::Denied(warning) => warning.lint(),
            _ => None,
        }
    }

    /// Its severity as it is shown, with the name of the warning.
    #[must_use]
    pub fn mark(&self) -> String {
        let word = self.severity().word();
        self.lint().map_or(word.into(), |lint| format!("{word}[{lint}]"))
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> NoteSeverity {
        match self {
            Remark::Latin
            | Remark::NotChecked { .. }
            | Remark::LeftOut { .. }
            | Remark::Unreachable { .. }
            | Remark::SaysNothing { .. }
            | Remark::NotUsed(_)
            | Remark::Unkeepable { .. }
            | Remark::NotRemoved(_)
            | Remark::CacheUnwritten { .. } => NoteSeverity::Warning,
            Remark::ByOutputs { .. }
            | Remark::Reached { .. }
            | Remark::NothingToCheck { .. }
            | Remark::NothingStated
            | Remark::NothingToRealize { .. }
            | Remark::NoBody { .. }
            | Remark::PerhapsByNodes { .. }
            | Remark::NoCandidates
            | Remark::Limited { .. }
            | Remark::Anew { .. } => NoteSeverity::Note,
            Remark::Unexplained(_)
            | Remark::SomeValues { .. }
            | Remark::Unfinished { .. }
            | Remark::Unlearned { .. }
            | Remark::Unsummarised { .. } => NoteSeverity::Unknown,
            Remark::Unreadable(_)
            | Remark::NotRead(_)
            | Remark::Unlisted { .. }
            | Remark::NoSuchNode(_)
            | Remark::NoSuchProperty(_)
            | Remark::TooManyInstances(_)
            | Remark::Clocked(_)
            | Remark::NoFolder(_)
            | Remark::NotModular(_)
            | Remark::Broken(_)
            | Remark::NotPassed { .. }
            | Remark::WrongSizes(_)
            | Remark::Denied(_)
            | Remark::Unwritten(_) => NoteSeverity::Error,
        }
    }
}

fn not_checked(theorems: usize, traces: usize) -> String {
    let count = |n: usize, word: &str| match n {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let parts: Vec<String> =
        [count(theorems, "theorem"), count(traces, "trace")].into_iter().flatten().collect();
    let verb = if theorems + traces == 1 { "is" } else { "are" };
    format!(
        "{} of the protocol {verb} not checked: with --size, only safety and invariants are",
        parts.join(" and ")
    )
}

/// Why a valid property says nothing.
pub(crate) fn why_nothing(vacuous: Vacuous) -> &'static str {
    match vacuous {
        Vacuous::Condition => "it says nothing: what stands before `=>` is never true",
        Vacuous::Tautology => "it says nothing: it holds whatever the flows are",
    }
}

/// Properties that have no verdict.
fn open(count: Option<usize>) -> String {
    match count {
        None => "all properties".into(),
        Some(1) => "1 property".into(),
        Some(count) => format!("{count} properties"),
    }
}

fn listed_in_words(list: &[String]) -> String {
    if list.is_empty() { "no state of its automata".into() } else { list.join(", ") }
}

fn still_open(list: &[String]) -> String {
    if list.is_empty() { String::new() } else { format!("; unknown: {}", list.join(", ")) }
}

fn nothing(node: Option<&str>) -> String {
    node.map_or("no node has anything".into(), |node| format!("node `{node}` has nothing"))
}

/// Names of nodes, the first few of many.
fn listed(nodes: &[String]) -> String {
    const MOST: usize = 5;
    let mut names: Vec<String> = nodes.iter().take(MOST).map(|n| format!("`{n}`")).collect();
    if nodes.len() > MOST {
        names.push(format!("{} more", nodes.len() - MOST));
    }
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}
