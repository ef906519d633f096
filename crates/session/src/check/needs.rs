//! What the valid properties of a node need, looked for when all its verdicts are told.

use std::collections::VecDeque;
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_certify::{Answer, Checked, Element, ElementKind};
use lustral_coordinator::{CoreSearch, CoreWish, FoundCores, NoResult, Unit, within};
use lustral_report as report;
use lustral_report::{Coverage, Found, Needing, Needs};
use lustral_sema::program::{Premise, Stream};
use lustral_syntax::SourceMap;
use lustral_system::Goal;

use super::node::NodeCheck;
use super::{Check, Nodes, Stage};
use crate::event::{Covered, Event};
use crate::options::Wish;

/// What is still to be looked at of a node.
pub(super) struct NodeNeeds {
    unit: Arc<Unit>,
    sources: Arc<SourceMap>,
    search: Arc<CoreSearch>,
    /// Stops the search.
    cancel: Cancel,
    /// The elements as they are shown.
    elements: Vec<report::Element>,
    left: VecDeque<Checked<Answer>>,
    found: Vec<Needs>,
}

impl Nodes {
    /// How many nodes are still to be looked at, or to be looked at again.
    pub(super) fn waiting(&self) -> usize {
        self.left.len() + self.late.len()
    }

    /// Whether the node that is looked at will be looked at again.
    pub(super) fn comes_again(&self) -> bool {
        self.late.iter().any(|(root, _)| Some(*root) == self.at)
    }

    /// What was found of the node that is looked at, when its share of the time was up.
    pub(super) fn needs_so_far(&mut self) -> Option<NodeNeeds> {
        let place = self.needs.iter().position(|(root, _)| Some(*root) == self.at)?;
        Some(self.needs.swap_remove(place).1)
    }
}

impl Check {
    /// What is to be looked at of a node, if anything.
    pub(super) fn needs(&self, check: &NodeCheck, nodes: &mut Nodes) -> Option<NodeNeeds> {
        self.options.needs?;
        let earlier = nodes.needs_so_far();
        let unit = check.unit.clone();
        let proved = |answer: &&Checked<Answer>| {
            let goal = unit.system.property(answer.property()).goal;
            goal == Goal::Always && matches!(answer.get(), Answer::Valid(_))
        };
        let mut left: Vec<Checked<Answer>> = check.answers.iter().filter(proved).cloned().collect();
        if left.is_empty() {
            return earlier;
        }
        left.sort_by_key(|answer| answer.property().index());
        let sources = nodes.given.sources.clone();
        // Other nodes wait for their verdicts.
        let until = self.end_of_share(nodes.waiting() + 1);
        let until = until.or_else(|| self.work.cancel.deadline());
        let cancel = self.work.cancel.child_until(until);
        let search = CoreSearch::new(unit.clone(), &self.options.search, cancel.clone());
        let elements = &search.elements.list;
        let elements = elements.iter().enumerate();
        let elements = elements.map(|(number, e)| shown(&unit, &sources, e, number)).collect();
        let (left, search) = (left.into(), Arc::new(search));
        let found = earlier.map_or(Vec::new(), |earlier| earlier.found);
        Some(NodeNeeds { unit, sources, search, cancel, elements, left, found })
    }

    /// Says what no property of a node needs, of those of which it is known what they need.
    pub(super) fn tell_coverage(&mut self, needs: NodeNeeds) {
        let file = needs.found.first().map(|needs| needs.file.clone()).unwrap_or_default();
        let node = &needs.unit.system.root().node;
        let coverage = Coverage::new(&file, node, &needs.elements, &needs.found);
        let sources = needs.sources;
        let covered = coverage.map(|coverage| Box::new(Covered { coverage, sources }));
        self.work.log.waiting.extend(covered.map(Event::Coverage));
    }

    /// Looks at the next property of a node.
    pub(super) fn next_need(&mut self, mut at_work: Box<(NodeNeeds, Nodes)>) -> Stage {
        let (needs, _) = &mut *at_work;
        let (Some(answer), Some(wish)) = (needs.left.pop_front(), self.options.needs) else {
            let (needs, mut nodes) = *at_work;
            match nodes.at.filter(|_| nodes.comes_again()) {
                Some(root) => nodes.needs.push((root, needs)),
                None => self.tell_coverage(needs),
            }
            return self.after(nodes);
        };
        let property = &needs.unit.properties[answer.property().index()];
        let file = &needs.sources.file(property.span.file).name;
        let needing = Needing {
            file,
            node: &needs.unit.system.root().node,
            property: &property.name,
            elements: &needs.elements,
        };
        let search = needs.search.clone();
        let (known, id) = (needs.search.clone(), answer.property());
        let find = move || search.find(&answer, wish.cores());
        // When the time is up, nothing is begun for those that are left.
        let found = if needs.cancel.is_cancelled() {
            Err(NoResult::Stopped)
        } else {
            measured("cores", || within(&needs.cancel, find))
        };
        // A core that is known is told, also where the search for smaller or more ones took too long.
        let partial = if found.is_err() { known.so_far(id) } else { None };
        let told = match (&found, &partial) {
            (Ok(Ok(found)), _) | (Err(_), Some(found)) => {
                Needs::new(&needing, &chosen(found, wish))
            }
            (Ok(Err(rejected)), _) => Needs::none(&needing, Some(rejected.to_string())),
            (Err(NoResult::Stopped), None) => Needs::none(&needing, Some("the time was up".into())),
            (Err(why), None) => Needs::none(&needing, Some(why.to_string())),
        };
        needs.found.push(told.clone());
        self.work.log.waiting.push_back(Event::Needs(Box::new(told)));
        Stage::Needs(at_work)
    }
}

impl Wish {
    /// Cut sets come with all cores.
    fn cores(self) -> CoreWish {
        if self.cut_sets.is_some() { CoreWish::All } else { self.cores }
    }
}

/// What is shown of what was found.
fn chosen(found: &FoundCores, wish: Wish) -> Found<'_> {
    let small = |most| -> Vec<_> {
        found.cut_sets.iter().filter(move |set| set.get().elements.len() <= most).collect()
    };
    // What is larger than was asked for is not shown, so there are others.
    let is_larger = |most| small(most).len() < found.cut_sets.len();
    let left_out = wish.cut_sets.is_some_and(is_larger);
    Found {
        cores: &found.cores,
        cut_sets: wish.cut_sets.map(small),
        minimal: found.minimal,
        complete: found.complete && !left_out,
    }
}

/// An element as it is shown.
fn shown(unit: &Unit, sources: &SourceMap, element: &Element, number: usize) -> report::Element {
    let node = unit.program.node(element.node);
    let place = sources.line_column(element.span);
    let end = lustral_syntax::Span { start: element.whole.end, ..element.whole };
    let (kind, flows) = match &element.what {
        ElementKind::Equation(streams) => {
            // What a block or an automaton goes by is no flow of the text, but has a name.
            let name = |s: &Stream| {
                if s.hidden { format!("({})", s.name) } else { s.name.to_string() }
            };
            let streams = streams.iter().map(|id| name(node.stream(*id)));
            (report::ElementKind::Equation, streams.collect())
        }
        ElementKind::Statement(position) => {
            let kind = match node.asserts[*position].premise {
                Premise::Asserted => report::ElementKind::Assertion,
                Premise::Assumed => report::ElementKind::Assumption,
                Premise::Typed | Premise::Constant => report::ElementKind::Type,
                Premise::Guaranteed => report::ElementKind::Guarantee,
                Premise::Chosen => report::ElementKind::Choice,
            };
            (kind, Vec::new())
        }
    };
    report::Element {
        file: sources.file(element.span.file).name.clone(),
        line: place.line,
        column: place.column,
        last_line: sources.line_column(end).line,
        kind,
        node: node.name.to_string(),
        flows,
        number,
    }
}
