//! Nodes that are looked at for some values of their constants only, because there is no end
//! of these: what was found for each value, and what that says of the node. A failure for one
//! value is one of the node; that a property holds for all that were tried is no answer. What
//! such nodes call with their values is looked at for some values only as well.
//!
//! All work on programs that says something of nodes goes through here ([`crate::staged`]):
//! what it has chosen is told before, and no event leaves unseen.

use std::collections::BTreeMap;
use std::sync::Arc;

use lustral_report::{Outcome, Verdict};
use lustral_sema::{NodeId, Program};
use lustral_system::{Goal, Reason};

use crate::event::{Event, Heading};
use crate::remark::Remark;
use crate::select::tried;

/// What is known of such nodes.
#[derive(Default)]
pub(crate) struct Sizes {
    families: Vec<Family>,
    /// The names of nodes for some values, with those of the nodes that they are made from:
    /// the longest first.
    names: Vec<(String, String)>,
}

/// A node that is looked at for some values.
struct Family {
    base: NodeId,
    node: String,
    /// Which values these are; none where the node is called with whatever its callers have.
    only: Option<Arc<str>>,
    /// The nodes for these values.
    members: Vec<String>,
    properties: BTreeMap<Property, Said>,
}

/// A property of all nodes of a family: its place, and its name without values.
type Property = (u32, u32, String);

/// What was said of a property.
struct Said {
    /// The last verdict, for its place and its name.
    last: Box<Verdict>,
    /// By node, whether there is no execution against it, or for it if it shall be reached.
    holds: BTreeMap<String, bool>,
    /// Whether an execution for one value settles it.
    settled: bool,
}

impl Sizes {
    /// The nodes that stand for some values of others, among those that are looked at
    /// and what these call. Who names one node for a value wants no other.
    pub(crate) fn new(program: &Program, asked: &[String], roots: &[NodeId]) -> Sizes {
        let mut sizes = Sizes::default();
        let mut seen = vec![false; program.nodes.len()];
        let roots = tried(program, asked, roots);
        for root in &roots {
            sizes.add(program, *root, program.node(*root).only.clone());
            seen[root.index()] = true;
        }
        let callees = |id: NodeId| program.node(id).calls.iter().map(|call| call.callee);
        let mut stack: Vec<NodeId> = roots.iter().rev().flat_map(|id| callees(*id)).collect();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                sizes.add(program, id, None);
                stack.extend(callees(id));
            }
        }
        sizes.names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        sizes
    }

    fn add(&mut self, program: &Program, id: NodeId, only: Option<Arc<str>>) {
        let node = program.node(id);
        let Some(base) = node.of else { return };
        let (name, of) = (node.name.to_string(), program.node(base).name.to_string());
        self.names.push((name.clone(), of.clone()));
        let is_same = |family: &&mut Family| family.base == base && family.only == only;
        match self.families.iter_mut().find(is_same) {
            Some(family) => family.members.push(name),
            None => self.families.push(Family {
                base,
                node: of,
                only,
                members: vec![name],
                properties: BTreeMap::new(),
            }),
        }
    }

    /// What to say of such nodes where nobody gives verdicts on them that could be open.
    pub(crate) fn remarks(&self) -> Vec<Remark> {
        let chosen =
            self.families.iter().filter_map(|family| Some((family, family.only.as_ref()?)));
        let remark = |(family, values): (&Family, &Arc<str>)| Remark::SomeValues {
            node: family.node.clone(),
            values: values.to_string(),
        };
        chosen.map(remark).collect()
    }

    /// Takes notice of what is said.
    pub(crate) fn note(&mut self, event: &Event) {
        let Event::Verdict(verdict) = event else { return };
        let is_of = |family: &&mut Family| family.members.contains(&verdict.node);
        let Some(family) = self.families.iter_mut().find(is_of) else { return };
        let mut name = verdict.property.clone();
        for (with, without) in &self.names {
            name = name.replace(with, without);
        }
        let property = (verdict.line, verdict.column, name);
        let said = family.properties.entry(property).or_insert_with(|| Said {
            last: verdict.clone(),
            holds: BTreeMap::new(),
            settled: false,
        });
        let holds = matches!(verdict.outcome(), Outcome::Valid { .. });
        *said.holds.entry(verdict.node.clone()).or_insert(true) &= holds;
        // An execution is one, whatever the other values do.
        said.settled |= matches!(verdict.outcome(), Outcome::Falsifiable { .. });
    }

    /// What is to be said at the end: of properties that no value has settled nothing is
    /// known for the others.
    pub(crate) fn open(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for family in std::mem::take(&mut self.families) {
            let called = family.only.is_none();
            let open = family.properties.iter().filter(|(_, said)| !said.settled);
            for (i, ((_, _, name), said)) in open.enumerate() {
                if i == 0 {
                    let node = family.node.clone();
                    events.push(Event::Node(Heading { node, every_call: called }));
                }
                let reason = Reason::Sizes(family.known(said));
                let verdict = said.last.of_all_values(&family.node, name, &reason);
                events.push(Event::Verdict(Box::new(verdict)));
            }
        }
        events
    }
}

impl Family {
    /// What is known of a property.
    fn known(&self, said: &Said) -> String {
        let word = match said.last.goal {
            Goal::Always => "holds",
            Goal::Reachable | Goal::Occurs => "is unreachable",
        };
        let holds: Vec<&str> =
            said.holds.iter().filter(|(_, holds)| **holds).map(|(node, _)| &**node).collect();
        let holds_in = |nodes: &[&str]| format!("it {word} in {}", nodes.join(", "));
        match &self.only {
            Some(only) if holds.len() == self.members.len() => format!("it {word} for {only}"),
            Some(only) if holds.is_empty() => format!("nothing is known even for {only}"),
            Some(only) => format!("of {only}, {}", holds_in(&holds)),
            None if holds.is_empty() => {
                format!("nothing is known even of {}", self.members.join(", "))
            }
            None => holds_in(&holds),
        }
    }
}
