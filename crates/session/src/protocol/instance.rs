//! A protocol at given sizes: its instance as a program, engines at work on it, and what they
//! found, said of the protocol again.
//!
//! That an instance holds what the protocol says of its size is the business of
//! `lustral_protocol::instance`; here its text goes the way of every program, with the same
//! checks. An execution that fails is replayed by the evaluator of formulas before anybody
//! hears of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::{Answer, Checked, Rejected};
use lustral_coordinator::{
    Assertions, Broken, Event, Job, NoResult, Open, Options, Progress, Run, Unit, within,
};
use lustral_first_order::{TooLarge, Universe};
use lustral_protocol::instance::Instance;
use lustral_protocol::{Protocol, Replayed, replay};
use lustral_quantified::{Clause, Literal};
use lustral_sema::instances::Wanted;
use lustral_syntax::NoFiles;
use lustral_system::{Certificate, Predicate, Proof, Reason, Trace, TransitionSystem};
use lustral_term::{Operator, Term, TermId, Value, VarId};
use rustc_hash::FxHashMap;

use crate::load::Request;

/// An instance that engines can work on.
pub(super) struct Sized {
    pub universe: Universe,
    instance: Instance,
    unit: Arc<Unit>,
    /// The flows by name.
    flows: FxHashMap<String, VarId>,
}

/// What was found of a property of an instance.
pub(super) enum Found {
    /// It holds, and these clauses are part of why.
    Holds(Box<Checked<Answer>>, Vec<Clause>),
    /// It fails.
    Fails(Box<Replayed>),
    /// Nothing.
    Open(Reason),
}

/// What was found of an instance.
pub(super) enum Looked {
    /// By property.
    At(Vec<(usize, Found)>),
    /// It has no first state.
    Empty,
    /// A part of this program failed.
    Broken(Broken),
}

/// Why there is no instance.
pub(super) enum Unsized {
    /// It would have too many parts.
    TooLarge,
    /// What was written is no program: a mistake of this program.
    Mistaken(String),
}

impl From<TooLarge> for Unsized {
    fn from(_: TooLarge) -> Unsized {
        Unsized::TooLarge
    }
}

impl Sized {
    /// Writes out an instance and encodes it.
    pub fn new(protocol: &Protocol, universe: Universe) -> Result<Sized, Unsized> {
        let instance = Instance::new(protocol, universe.clone())?;
        let text = instance.program(protocol);
        let mistaken = |what: &str| Unsized::Mistaken(what.to_string());
        let analysed = Request::text("instance", text).analyse(&NoFiles);
        let analysed = analysed.map_err(|_| mistaken("it cannot be read"))?;
        if analysed.diagnostics.has_errors() {
            return Err(mistaken("it is no program"));
        }
        let root = analysed.program.node_named("instance").ok_or_else(|| mistaken("no node"))?;
        let wanted = Wanted { called_nodes: true, outputs: false };
        let unit =
            Unit::new(&analysed.kernel, root, wanted).map_err(|e| mistaken(&e.to_string()))?;
        if unit.properties.len() != protocol.safety.len() {
            return Err(mistaken("it has other properties"));
        }
        let named = unit.system.variables.iter().zip(0..);
        let flows = named.map(|(known, id)| (known.name.clone(), VarId(id))).collect();
        Ok(Sized { universe, instance, unit: Arc::new(unit), flows })
    }

    /// Sets engines to work on those properties that are open.
    pub fn look(
        &self,
        protocol: &Protocol,
        open: &BTreeSet<usize>,
        options: &Options,
        cancel: &Cancel,
        mut progress: impl FnMut(Progress),
    ) -> Looked {
        let survey = {
            let (unit, options, cancel) = (self.unit.clone(), options.clone(), cancel.clone());
            move || Assertions::survey(&unit.system, &options, &cancel)
        };
        match within(cancel, survey) {
            Ok(Assertions::BlockAt(0)) => return Looked::Empty,
            Ok(_) | Err(NoResult::Stopped) => {}
            Err(why) => return Looked::Broken(Broken { stage: "survey", why }),
        }
        let job = Job {
            unit: self.unit.clone(),
            cut: None,
            partial: false,
            lemmas: Vec::new(),
            store: None,
            patience: None,
            cancel: cancel.clone(),
        };
        let mut run = Run::start(job, options);
        let mut found = Vec::new();
        for event in run.by_ref() {
            match event {
                Event::Checked(result) => {
                    let property = result.property.index();
                    found.push((property, self.found(protocol, property, result.answer)));
                }
                Event::Progress(so_far) => progress(so_far),
                Event::Broken(broken) => return Looked::Broken(broken),
                Event::Execution(_) | Event::Ended(_) => {}
            }
        }
        for Open { property, reason, .. } in run.finish() {
            found.push((property.index(), Found::Open(reason)));
        }
        found.retain(|(property, _)| open.contains(property));
        Looked::At(found)
    }

    fn found(
        &self,
        protocol: &Protocol,
        property: usize,
        answer: Result<Checked<Answer>, Rejected>,
    ) -> Found {
        let checked = match answer {
            Ok(checked) => checked,
            Err(rejected) => return Found::Open(Reason::CheckFailed(rejected.to_string())),
        };
        match checked.get() {
            Answer::Valid(certificate) => {
                let clauses = self.clauses(protocol, certificate);
                Found::Holds(Box::new(checked), clauses)
            }
            Answer::Falsifiable(trace) => match self.replayed(protocol, property, trace) {
                Ok(replayed) => Found::Fails(Box::new(replayed)),
                Err(why) => Found::Open(Reason::CheckFailed(why)),
            },
            Answer::Unknown(reason) => Found::Open(reason.clone()),
        }
    }

    fn replayed(
        &self,
        protocol: &Protocol,
        property: usize,
        trace: &Trace,
    ) -> Result<Replayed, String> {
        let value = |name: &str, step: usize| {
            let var = self.flows.get(name)?;
            match trace.steps.get(step)?.get(var.index())? {
                Value::Bool(value) => Some(*value),
                _ => None,
            }
        };
        let execution = self.instance.read(protocol, trace.len(), &value);
        let execution = execution.ok_or("a flow has no value")?;
        replay(protocol, &execution, property).map_err(|why| why.to_string())
    }

    /// The clauses over cells that the invariants of a proof consist of, as far as they do.
    fn clauses(&self, protocol: &Protocol, certificate: &Certificate) -> Vec<Clause> {
        let Proof::Induction { invariants, .. } = &certificate.proof else { return Vec::new() };
        let mut reader =
            Reader { protocol, sized: self, system: &self.unit.system, found: BTreeSet::new() };
        invariants.iter().for_each(|invariant| reader.conjunction(invariant));
        reader.found.into_iter().collect()
    }
}

/// Reads clauses out of invariants. What it does not understand it leaves out: clauses are
/// guesses for other sizes.
struct Reader<'r> {
    protocol: &'r Protocol,
    sized: &'r Sized,
    system: &'r TransitionSystem,
    found: BTreeSet<Clause>,
}

impl Reader<'_> {
    fn conjunction(&mut self, predicate: &Predicate) {
        let mut left = vec![predicate.term];
        while let Some(term) = left.pop() {
            if let Term::Apply(Operator::And, parts) = predicate.terms.get(term) {
                left.extend(parts);
                continue;
            }
            let mut clause = Clause::new();
            if self.disjunction(predicate, term, true, &mut clause).is_some() && !clause.is_empty()
            {
                self.found.insert(clause);
            }
        }
    }

    /// Adds the parts of a disjunction; nothing if some part is no literal.
    fn disjunction(
        &self,
        predicate: &Predicate,
        term: TermId,
        holds: bool,
        clause: &mut Clause,
    ) -> Option<()> {
        match predicate.terms.get(term) {
            Term::Apply(Operator::Not, parts) => {
                self.disjunction(predicate, parts[0], !holds, clause)
            }
            Term::Apply(Operator::Or, parts) if holds => {
                parts.iter().try_for_each(|part| self.disjunction(predicate, *part, true, clause))
            }
            Term::Apply(Operator::And, parts) if !holds => {
                parts.iter().try_for_each(|part| self.disjunction(predicate, *part, false, clause))
            }
            Term::Var(var, _) => {
                // Whether it is the first step is no matter of the state.
                if let Some(literal) = self.literal(var, holds)? {
                    clause.insert(literal);
                }
                Some(())
            }
            _ => None,
        }
    }

    /// What a flow says of a cell; nothing inside for the flag of the first step.
    fn literal(&self, var: VarId, holds: bool) -> Option<Option<Literal>> {
        let variable = &self.system.variables[var.index()];
        if variable.origin == lustral_system::Origin::First {
            return Some(None);
        }
        let remembered = || {
            let memory = self.system.memories.iter().find(|memory| memory.var == var)?;
            match self.system.terms.get(memory.next) {
                Term::Var(next, _) => Some(&self.system.variables[next.index()].name),
                _ => None,
            }
        };
        let cell = self.sized.instance.cell_named(&variable.name);
        let cell = cell.or_else(|| self.sized.instance.cell_named(remembered()?))?;
        let elements = self.sized.instance.elements(self.protocol, cell);
        Some(Some(Literal { symbol: cell.symbol, elements, holds }))
    }
}
