//! What is worth showing of a node: the parts of its definitions without what
//! follows from the rest.

use lustral_certify::{Checked, NodeSummary, PartList, Parts, ProofChecker};
use lustral_engines::LearnOptions;
use lustral_horn::{About, Definition, restate};
use lustral_render::LustreWriter;
use lustral_system::InstanceId;
use lustral_term::{TermId, Terms, Translation, VarId};

use super::Found;
use crate::thin;

impl Found {
    /// What there is to show of a node: what does not follow from the rest; all of
    /// it if there is no time to check that.
    pub fn describe(
        &self,
        checker: &mut ProofChecker,
        node: usize,
        learning: &LearnOptions,
    ) -> Checked<NodeSummary> {
        let program = self.clauses.program();
        let predicates = &self.clauses.nodes[node];
        let summary = &self.summaries[node];
        let system = &program.nodes[node].system;
        let mut thinning = Thinning {
            found: self,
            node,
            learning,
            writer: LustreWriter::new(system),
            given: Definition::always(),
        };
        let invariant = predicates.invariant.unwrap_or(predicates.initial);
        let states = thinning.list(About::State, invariant, &summary.states);
        let first = thinning.list(About::First, predicates.initial, &summary.first);
        let later = thinning.list(About::Later, predicates.step, &summary.later);
        let is_root = node == program.root();
        let main = is_root.then(|| thinning.list(About::Main, self.clauses.main, &[]));
        let parts = Parts { first, later, states, main };
        self.model.describe(checker, node, parts).unwrap_or_else(|rejected| {
            tracing::warn!(node = program.nodes[node].name, %rejected, "shown as it is");
            self.model.as_it_is(node)
        })
    }
}

/// The parts of a node being chosen.
struct Thinning<'f> {
    found: &'f Found,
    node: usize,
    learning: &'f LearnOptions,
    writer: LustreWriter<'f>,
    /// What holds of reached states, which is said of them once.
    given: Definition,
}

impl Thinning<'_> {
    /// What is to be shown of a predicate, which has a definition by Spacer; and
    /// this was learned.
    fn list(&mut self, about: About, of: usize, learned: &[TermId]) -> PartList {
        let Found { clauses, summaries, spacer, .. } = self.found;
        let state = clauses.program().nodes[self.node].state.len();
        let flows = clauses.nodes[self.node].initial_places.len() - state;
        let mut all = Definition::always();
        let mut parts = copy(&mut all.terms, (&summaries[self.node].terms, learned), 0);
        if let Some(spacer) = spacer.as_ref().map(|model| &model.definitions[of]) {
            parts.extend(copy(&mut all.terms, (&spacer.terms, &spacer.conjuncts()), 0));
        }
        let given = &self.given;
        let states = match about {
            // What is said of the states already is not said of the program again.
            About::Later | About::Main => {
                copy(&mut all.terms, (&given.terms, &given.conjuncts()), flows)
            }
            _ => Vec::new(),
        };
        let parts = thin(&all.terms, &parts, &states, self.learning);
        if about == About::State {
            let copies = copy(&mut self.given.terms, (&all.terms, &parts), 0);
            self.given.term = self.given.terms.and(copies);
        }
        let parts = self.in_words(about, &all.terms, &parts);
        PartList { terms: all.terms, parts }
    }

    /// Parts without those that follow from others in the node's own words:
    /// different arguments may be one flow, or what it is by definition.
    fn in_words(&mut self, about: About, terms: &Terms, parts: &[TermId]) -> Vec<TermId> {
        let Found { clauses, .. } = self.found;
        let mut words = Terms::new();
        let mut word = |part: &TermId| {
            let said = restate(clauses.program(), clauses, self.node, about, (terms, *part))?;
            let word = copy(&mut words, (&said.terms, &[said.term]), 0)[0];
            let (instance, _) = self.writer.expression(&said)?;
            (instance == InstanceId::ROOT).then_some(word)
        };
        let said: Vec<(TermId, Option<TermId>)> =
            parts.iter().map(|part| (*part, word(part))).collect();
        let all: Vec<TermId> = said.iter().filter_map(|(_, word)| *word).collect();
        let kept = thin(&words, &all, &[], self.learning);
        let stays = |(_, word): &&(TermId, Option<TermId>)| word.is_none_or(|w| kept.contains(&w));
        said.iter().filter(stays).map(|(part, _)| *part).collect()
    }
}

/// Terms in another arena, about arguments from some position on.
fn copy(target: &mut Terms, (source, list): (&Terms, &[TermId]), from: usize) -> Vec<TermId> {
    let mut translation = Translation::new();
    let mut one = |term: &TermId| {
        translation.apply(source, target, *term, |terms, var, sort| {
            terms.variable(VarId(var.0 + from as u32), sort)
        })
    };
    list.iter().map(&mut one).collect()
}
