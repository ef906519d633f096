//! What is heard of a check, or of a search for what nodes guarantee.

use std::sync::Arc;

use lustral_coordinator::{Broken, Progress};
use lustral_report::{
    ContractVerdict, Coverage, Event as Line, Houdini, Mutants, Needs, ProtocolVerdict, Verdict,
};
use lustral_syntax::{Diagnostics, SourceMap};
use lustral_system::Reason;

use crate::candidates::Invariants;
use crate::learn::{NodeGuarantees, NodeModels};
use crate::remark::Remark;

/// What is heard of a program, in the order in which it happens. All of it is
/// owned, and can go to another thread.
#[derive(Clone, Debug)]
pub enum Event {
    /// What is wrong with the program, or looks wrong.
    Diagnostics(Diagnosed),
    /// The verdicts that follow are about this node.
    Node(Heading),
    /// What is known of a property. There is one verdict for each.
    Verdict(Box<Verdict>),
    /// What a property needs, if that was asked for. It comes after the verdicts of its node.
    Needs(Box<Needs>),
    /// What no property of a node needs, after all that they need.
    Coverage(Box<Covered>),
    /// What the properties of a node notice of small changes, if that was asked for.
    Mutants(Box<Mutants>),
    /// What is known of a property of a protocol. There is one verdict for each.
    Protocol(Box<ProtocolVerdict>),
    /// Something to know about a program.
    Remark {
        /// The file, or what the caller called the text.
        file: Arc<str>,
        /// What there is to know.
        remark: Remark,
    },
    /// Nothing new, but so far the engines got.
    Progress(Progress),
    /// What the proofs rest on, if that was asked for.
    Invariants(Invariants),
    /// What a node guarantees.
    Guarantees(Box<NodeGuarantees>),
    /// What became of the candidates of a program.
    Candidates(Box<Houdini>),
    /// Summaries of the nodes below a root.
    Models(Box<NodeModels>),
    /// Whether some node keeps the contract of one without a body.
    Contract(Box<ContractVerdict>),
    /// The last event: how all ended.
    Ended(Ending),
}

/// The diagnostics of a program, with the texts that they are about.
#[derive(Clone, Debug)]
pub struct Diagnosed {
    /// The texts.
    pub sources: Arc<SourceMap>,
    /// What is wrong; the program is rejected if there is an error.
    pub list: Diagnostics,
}

/// What the cores of a node leave out.
#[derive(Clone, Debug)]
pub struct Covered {
    /// That.
    pub coverage: Coverage,
    /// The texts that it is about.
    pub sources: Arc<SourceMap>,
}

/// A node that verdicts are about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// The node.
    pub node: String,
    /// Whether they are about every call of it, whatever its inputs are.
    pub every_call: bool,
}

/// How a check ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everything was gone through: every property has a verdict, which says
    /// why there is no answer if there is none.
    Complete,
    /// The program was not checked, or not all of it: its diagnostics or a
    /// remark say why.
    Rejected,
    /// All was stopped before the end: the time was up, or the caller stopped
    /// it. Properties that were known by then have a verdict.
    Stopped(Reason),
    /// A part of this program failed.
    Broken(Broken),
}

impl Event {
    /// As plain data, in the form of the lines of `lustral check --json` and
    /// `lustral invariants --json`. What is of use only while work goes on has no
    /// line.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        match self {
            Event::Diagnostics(Diagnosed { sources, list }) => {
                list.sorted().into_iter().map(|d| Line::diagnostic(sources, d)).collect()
            }
            Event::Verdict(verdict) => vec![Line::from(&**verdict)],
            Event::Contract(verdict) => vec![Line::from(&**verdict)],
            Event::Protocol(verdict) => vec![Line::Protocol(verdict.clone())],
            Event::Remark { file, remark } => {
                vec![Line::note(file, remark.severity(), &remark.to_string())]
            }
            Event::Needs(needs) => vec![Line::Core(needs.clone())],
            Event::Coverage(covered) => vec![Line::Coverage(covered.coverage.clone())],
            Event::Mutants(found) => vec![Line::Mutants(found.clone())],
            Event::Guarantees(found) => found.lines(),
            Event::Models(found) => found.lines(),
            Event::Candidates(found) => found.events(),
            Event::Node(_) | Event::Progress(_) | Event::Invariants(_) | Event::Ended(_) => {
                Vec::new()
            }
        }
    }
}
