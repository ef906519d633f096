//! Which values of an execution are read at which of its steps: of `if` only the branch that is
//! taken, of `and` with a false operand only that. A choice that nobody reads says nothing to a
//! reader, though it has a value at every step.

use lustral_system::{Role, Trace, TransitionSystem};
use lustral_term::{Evaluator, Operator, Term, TermId, VarId};

/// By step and variable: whether something that is shown rests on the value.
pub(super) struct Reads {
    steps: Vec<Vec<bool>>,
}

impl Reads {
    /// What the relevant flows rest on where they have values, and the constraints.
    pub fn new(system: &TransitionSystem, relevant: &[bool], trace: &Trace) -> Reads {
        let streams = || system.instances.iter().flat_map(|instance| &instance.streams);
        let mut steps = vec![Vec::new(); trace.len()];
        let mut later: Option<Vec<bool>> = None;
        for step in (0..trace.len()).rev() {
            let active = |flag: VarId| trace.value(step, flag).is_true();
            let shown = streams().filter(|stream| {
                stream.is_shown()
                    && relevant[stream.var.index()]
                    && stream.active.is_none_or(active)
            });
            let mut walk = Walk {
                system,
                trace,
                step,
                read: vec![false; relevant.len()],
                seen: vec![false; system.terms.len()],
                pending: system.constraints.iter().map(|constraint| constraint.term).collect(),
            };
            shown.for_each(|stream| walk.variable(stream.var));
            if let Some(later) = &later {
                let remembered = system.memories.iter().filter(|m| later[m.var.index()]);
                walk.pending.extend(remembered.map(|memory| memory.next));
            }
            walk.all();
            steps[step].clone_from(&walk.read);
            later = Some(walk.read);
        }
        Reads { steps }
    }

    /// The steps at which the value of a variable is read.
    pub fn of(&self, var: VarId) -> Vec<usize> {
        (0..self.steps.len()).filter(|step| self.steps[*step][var.index()]).collect()
    }
}

/// What is read at one step.
struct Walk<'a> {
    system: &'a TransitionSystem,
    trace: &'a Trace,
    step: usize,
    read: Vec<bool>,
    seen: Vec<bool>,
    pending: Vec<TermId>,
}

impl Walk<'_> {
    fn variable(&mut self, var: VarId) {
        if !std::mem::replace(&mut self.read[var.index()], true)
            && let Role::Defined(definition) = self.system.variable(var).role
        {
            self.pending.push(definition);
        }
    }

    fn all(&mut self) {
        let terms = &self.system.terms;
        let (trace, step) = (self.trace, self.step);
        let mut evaluator = Evaluator::new(terms, &trace.answers);
        let mut is_true =
            |term| evaluator.eval(term, |var| trace.value(step, var).clone()).is_true();
        while let Some(term) = self.pending.pop() {
            if std::mem::replace(&mut self.seen[term.index()], true) {
                continue;
            }
            match terms.get(term) {
                Term::Value(_) => {}
                Term::Var(var, _) => self.variable(var),
                Term::Apply(Operator::Ite, &[condition, then, other]) => {
                    let taken = if is_true(condition) { then } else { other };
                    self.pending.extend([condition, taken]);
                }
                Term::Apply(operator @ (Operator::And | Operator::Or), operands) => {
                    let decides = operator == Operator::Or;
                    match operands.iter().find(|operand| is_true(**operand) == decides) {
                        Some(decisive) => self.pending.push(*decisive),
                        None => self.pending.extend(operands),
                    }
                }
                Term::Apply(_, operands) => self.pending.extend(operands),
            }
        }
    }
}
