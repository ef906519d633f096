//! Predicates over the variables of a system as Lustre text, in the scope of
//! one node.
//!
//! An instance can name its own flows, and those of others that its flows are
//! by definition: an argument by the name of the input, an output by the name
//! of the flow that it defines. A memory is `pre` of what it remembers. At the
//! first step memories have fixed values, later they have not; so what depends
//! on memories is written `a -> b`, with `a` for the first step. Every `pre`
//! stands on the right of an arrow, and the text means exactly the predicate.
//! There, what a flow is defined to be after the first step is written by its
//! name: engines have put the definitions in the place of the flows. But where the
//! flow itself is spoken of beside its definition, that is spelled out: `n = n`
//! would tell nobody what `n = pre n + 1` does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lustral_base::EnumId;
use lustral_system::{InstanceId, Memory, Origin, Predicate, Role, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Translation, Value, VarId, strength};

mod data;
mod formula;
mod machine;
mod operators;
mod scope;
#[cfg(test)]
mod tests;

pub use formula::{Named, formula};
use operators::{Work, expand};

/// What is longer than this is for nobody to read, and is not written.
const LONGEST: usize = 4_000;

/// A predicate as a boolean expression of Lustre in the scope of a node;
/// `None` if no single instance can name all that it speaks of, if it speaks
/// of a value that the semantics leaves open, or if it is too long.
#[must_use]
pub fn lustre_expression(system: &TransitionSystem, predicate: &Predicate) -> Option<String> {
    LustreWriter::new(system).expression(predicate).map(|(_, text)| text)
}

/// Writes predicates of one system as Lustre.
pub struct LustreWriter<'s> {
    system: &'s TransitionSystem,
    /// Whether no part of the program has a clock of its own.
    one_clock: bool,
    /// By variable: the one that it is by definition.
    same: Vec<VarId>,
    /// By variable: the memory that it is.
    memories: Vec<Option<usize>>,
    /// What is written is put together here.
    terms: Terms,
    first: Translation,
    later: Translation,
    /// The flows that are, after the first step, some term.
    flows: BTreeMap<TermId, Vec<VarId>>,
    /// The enumerations of the constructors of data types.
    constructors: BTreeSet<EnumId>,
    /// Whether what has no name in scope is called by its path.
    paths: bool,
}

impl<'s> LustreWriter<'s> {
    /// A writer for the original system, whose flows have their definitions.
    #[must_use]
    pub fn new(system: &'s TransitionSystem) -> LustreWriter<'s> {
        let mut memories = vec![None; system.variables.len()];
        for (i, memory) in system.memories.iter().enumerate() {
            memories[memory.var.index()] = Some(i);
        }
        let mut terms = Terms::new();
        let flows = scope::flows(system, &mut terms);
        LustreWriter {
            system,
            one_clock: system.is_on_one_clock(),
            same: scope::definitions(system),
            memories,
            terms,
            first: Translation::new(),
            later: Translation::new(),
            flows,
            constructors: data::constructors(system),
            paths: false,
        }
    }

    /// A predicate as an expression for people where no instance can name all
    /// that it speaks of: in the scope of the root, with paths as names. It is
    /// no Lustre, but looks like it, with the names of values.
    #[must_use]
    pub fn with_paths(&mut self, predicate: &Predicate) -> Option<String> {
        self.leaves(predicate)?;
        let source = predicate.terms.clone();
        let (mut first, mut later) = (Translation::new(), Translation::new());
        let parts = self.parts(&source, predicate.term, &mut first, &mut later);
        self.paths = true;
        let text = self.write(InstanceId::ROOT, parts);
        self.paths = false;
        text
    }

    /// A predicate as a boolean expression, and the instance in whose scope it is.
    #[must_use]
    pub fn expression(&mut self, predicate: &Predicate) -> Option<(InstanceId, String)> {
        let leaves = self.leaves(predicate)?;
        let instance = scope::choose(self.system, &self.same, &leaves)?;
        // A node for certain values or types of its parameters (`f<<3>>`) is no node of the text.
        if self.system.instance(instance).node.contains("<<") {
            return None;
        }
        let source = predicate.terms.clone();
        let (mut first, mut later) = (Translation::new(), Translation::new());
        let parts = self.parts(&source, predicate.term, &mut first, &mut later);
        Some((instance, self.write(instance, parts)?))
    }

    /// What a flow of the root is by definition, in the root's scope, other flows by their names;
    /// `None` if it is no such flow, or the root cannot say it.
    #[must_use]
    pub fn definition(&mut self, var: VarId) -> Option<String> {
        let mut var = var;
        let terms = Arc::new(self.system.terms.clone());
        // What is the same as something that has no name in the text would be written by its own.
        let term = loop {
            let Role::Defined(term) = self.system.variable(var).role else { return None };
            match self.system.terms.var(term) {
                Some(other) if !self.is_of_root(other) => var = other,
                _ => break term,
            }
        };
        // Nor is what it is after the first step to be written by its own name.
        let flows = std::mem::take(&mut self.flows);
        let written = self.in_root(&Predicate { terms, term });
        self.flows = flows;
        written
    }

    /// A predicate as an expression in the scope of the root, if the root can name all that it
    /// speaks of.
    #[must_use]
    pub fn in_root(&mut self, predicate: &Predicate) -> Option<String> {
        let leaves = self.leaves(predicate)?;
        let named =
            |var: &VarId| scope::name(self.system, &self.same, InstanceId::ROOT, *var).is_some();
        if !leaves.flows.iter().all(named) {
            return None;
        }
        let source = predicate.terms.clone();
        let (mut first, mut later) = (Translation::new(), Translation::new());
        let parts = self.parts(&source, predicate.term, &mut first, &mut later);
        self.write(InstanceId::ROOT, parts)
    }

    /// Whether a variable is a flow of the root that has a name.
    fn is_of_root(&self, var: VarId) -> bool {
        self.system.root().streams.iter().any(|s| s.var == var && !s.hidden)
    }

    /// All that a predicate speaks of, now and through memories.
    fn leaves(&self, predicate: &Predicate) -> Option<scope::Leaves> {
        // Text in which `pre` and `->` go by other clocks than the text around
        // it would say something else.
        if !self.one_clock {
            return None;
        }
        let mut seen = vec![false; self.system.variables.len()];
        let mut pending = predicate.terms.variables([predicate.term]);
        let mut leaves = scope::Leaves::default();
        while let Some(var) = pending.pop() {
            if std::mem::replace(seen.get_mut(var.index())?, true) {
                continue;
            }
            match (self.memory(var), self.system.variable(var).role) {
                (Some(memory), _) => {
                    if let Origin::Delay { instance, .. } = self.system.variable(var).origin {
                        leaves.delays.push(instance);
                    }
                    pending.extend(self.system.terms.variables([memory.next]));
                }
                (None, Role::Input | Role::Defined(_)) => leaves.flows.push(var),
                (None, _) => return None,
            }
        }
        Some(leaves)
    }

    fn memory(&self, var: VarId) -> Option<&'s Memory> {
        let index = *self.memories.get(var.index())?;
        index.map(|i| &self.system.memories[i])
    }

    /// What a term is at the first step, and what later, where that differs.
    fn parts(
        &mut self,
        source: &Terms,
        term: TermId,
        first: &mut Translation,
        later: &mut Translation,
    ) -> (TermId, TermId) {
        let system = self.system;
        let memories = &self.memories;
        let memory = |var: VarId| memories[var.index()].map(|i| &system.memories[i]);
        let at_first =
            first.apply(source, &mut self.terms, term, |terms, var, sort| match memory(var) {
                Some(memory) => terms.constant(memory.initial.clone()),
                None => terms.variable(var, sort),
            });
        let after = later.apply(source, &mut self.terms, term, |terms, var, sort| {
            match system.variable(var).origin {
                Origin::First => Terms::FALSE,
                _ => terms.variable(var, sort),
            }
        });
        (at_first, after)
    }

    /// The parts of what a memory remembers.
    fn remembered(&mut self, memory: &Memory) -> (TermId, TermId) {
        let system = self.system;
        let mut first = std::mem::take(&mut self.first);
        let mut later = std::mem::take(&mut self.later);
        let parts = self.parts(&system.terms, memory.next, &mut first, &mut later);
        (self.first, self.later) = (first, later);
        parts
    }

    fn write(&mut self, instance: InstanceId, parts: (TermId, TermId)) -> Option<String> {
        let mut out = String::new();
        // With each piece, the term about the later steps only that it stands in.
        let mut stack = vec![(Work::Parts(parts, 0), None)];
        let mut spoken: BTreeMap<TermId, BTreeSet<VarId>> = BTreeMap::new();
        while let Some((work, after)) = stack.pop() {
            if out.len() > LONGEST {
                return None;
            }
            let (strength, least, parts) = match work {
                Work::Text(text) => {
                    out.push_str(&text);
                    continue;
                }
                Work::Parts((a, b), least) if a == b => {
                    stack.push((Work::Term(a, least), None));
                    continue;
                }
                Work::Parts((a, b), least) => {
                    let arrow = Work::Text(" -> ".into());
                    spoken.entry(b).or_insert_with(|| self.spoken(b));
                    let (a, work) = (Work::Term(a, 2), Work::Term(b, 1));
                    (1, least, vec![(a, None), (arrow, None), (work, Some(b))])
                }
                Work::Term(term, least) => {
                    let beside = after.and_then(|all| spoken.get(&all));
                    let flow = beside.and_then(|said| self.flow(instance, term, said));
                    let (strength, parts) = match (flow, self.terms.var(term)) {
                        (Some(name), _) => (strength::TIGHT, vec![Work::Text(name)]),
                        (None, Some(var)) => self.variable(instance, var)?,
                        (None, None) if self.is_test(term) => self.test(instance, term)?,
                        (None, None) => {
                            let value = |value: &Value| self.value(instance, value);
                            expand(&self.terms, term, &value)?
                        }
                    };
                    (strength, least, parts.into_iter().map(|part| (part, after)).collect())
                }
            };
            if strength < least {
                out.push('(');
                stack.push((Work::Text(")".into()), after));
            }
            stack.extend(parts.into_iter().rev());
        }
        Some(out)
    }

    /// The flows that a term speaks of by their names, not through memories.
    fn spoken(&self, term: TermId) -> BTreeSet<VarId> {
        let flows = self.terms.variables([term]).into_iter();
        flows.map(|var| self.same[var.index()]).collect()
    }

    /// The name of a flow that is some term after the first step, unless it is
    /// spoken of beside the term.
    fn flow(&self, instance: InstanceId, term: TermId, beside: &BTreeSet<VarId>) -> Option<String> {
        let fits = |var: &&VarId| self.is_named(**var) && !beside.contains(&self.same[var.index()]);
        let flows = self.flows.get(&term)?.iter().filter(fits);
        let mut names =
            flows.filter_map(|var| scope::name(self.system, &self.same, instance, *var));
        names.next().map(ToString::to_string)
    }

    /// Whether programs can name a variable: a map is two flows and more here, and none of them.
    fn is_named(&self, var: VarId) -> bool {
        self.paths || !matches!(self.system.variable(var).sort, Sort::Array(_))
    }

    /// A flow by its name, a memory by what it remembers.
    fn variable(&mut self, instance: InstanceId, var: VarId) -> Option<(u8, Vec<Work>)> {
        if !self.is_named(var) {
            return None;
        }
        if let Some(memory) = self.memory(var) {
            let parts = self.remembered(memory);
            let operand = Work::Parts(parts, strength::PREFIX);
            return Some((strength::PREFIX, vec![Work::Text("pre ".into()), operand]));
        }
        let path = || self.paths.then(|| self.system.shown_name(var));
        let name = scope::name(self.system, &self.same, instance, var).or_else(path)?;
        Some((strength::TIGHT, vec![Work::Text(name.to_string())]))
    }
}
