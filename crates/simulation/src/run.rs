//! Random executions, side by side, that respect the constraints.

use lustral_base::Random;
use lustral_system::TransitionSystem;

use crate::column::ones;
use crate::domain::{Domain, domains};
use crate::draw::{ATTEMPTS, Drawer};
use crate::machine::{Lanes, Machine};
use crate::record::Record;
use crate::scalar::Scalar;

/// A machine and what its inputs may be.
#[derive(Clone, Debug)]
pub struct Simulator {
    /// The compiled system.
    pub machine: Machine,
    domains: Vec<Domain>,
}

impl Simulator {
    /// A simulator of a system.
    #[must_use]
    pub fn new(system: &TransitionSystem) -> Simulator {
        Simulator::of(system, Machine::new(system, &[]))
    }

    /// A simulator with a machine of the system.
    #[must_use]
    pub fn of(system: &TransitionSystem, machine: Machine) -> Simulator {
        let domains = domains(system, &machine);
        Simulator { machine, domains }
    }

    /// Executions in so many lanes, all before their first step. Equal seeds
    /// give equal executions.
    #[must_use]
    pub fn run(&self, lanes: usize, seed: u64) -> Run<'_> {
        let lanes = self.machine.lanes(lanes);
        let count = lanes.count();
        Run {
            drawer: Drawer::new(&self.machine.inputs, &self.domains, count, seed),
            machine: &self.machine,
            valid: vec![!0; lanes.words()],
            leads_on: vec![!0; lanes.words()],
            began: vec![0; count],
            origin: vec![None; count],
            record: None,
            steps: 0,
            lanes,
        }
    }
}

/// Executions at work.
///
/// The order: [`Run::step`], look at it, [`Run::advance`], perhaps
/// [`Run::start`] for some lanes.
#[derive(Clone, Debug)]
pub struct Run<'m> {
    machine: &'m Machine,
    /// The lanes.
    pub lanes: Lanes<'m>,
    drawer: Drawer,
    /// The lanes at which this step obeys the constraints.
    valid: Vec<u64>,
    /// The lanes that are not in a dead end after it.
    leads_on: Vec<u64>,
    /// By lane: the step at which its execution began, and from where.
    began: Vec<usize>,
    origin: Vec<Option<u32>>,
    /// The inputs of all steps, if they are recorded.
    record: Option<Record>,
    steps: usize,
}

impl Run<'_> {
    /// Records the inputs of all steps, from the first, with room for some bytes.
    #[must_use]
    pub fn recorded(mut self, room: usize) -> Self {
        self.record = Some(Record::new(self.machine.inputs.len(), room));
        self
    }

    /// Draws inputs and computes a step. Afterwards [`Run::valid`] says in
    /// which lanes the constraints could be obeyed.
    pub fn step(&mut self) {
        let constrained = self.machine.is_constrained();
        self.drawer.draw(&mut self.lanes, constrained);
        self.lanes.constrain();
        self.judge();
        for attempt in 0..if constrained { ATTEMPTS } else { 0 } {
            let again: Vec<u64> =
                self.valid.iter().zip(&self.leads_on).map(|(a, b)| !(a & b)).collect();
            if again.iter().all(|word| *word == 0) {
                break;
            }
            self.drawer.retry(&mut self.lanes, &again, attempt);
            self.lanes.constrain();
            self.judge();
        }
        self.lanes.evaluate();
    }

    fn judge(&mut self) {
        self.valid = self.lanes.obeying();
        self.leads_on = self.lanes.promising();
    }

    /// The lanes whose step obeys the constraints: those in which it is a step
    /// of an execution.
    #[must_use]
    pub fn valid(&self) -> &[u64] {
        &self.valid
    }

    /// The lanes that begin anew when the step is taken: those that could not
    /// take it, and those in which nothing of interest can follow.
    #[must_use]
    pub fn lost(&self) -> Vec<u64> {
        self.valid.iter().zip(&self.leads_on).map(|(a, b)| !(a & b)).collect()
    }

    /// Takes the step.
    pub fn advance(&mut self) {
        if let Some(record) = &mut self.record {
            let inputs = self.machine.inputs.iter();
            inputs.for_each(|input| record.push(self.lanes.register(input.reg).0));
        }
        self.steps += 1;
        self.lanes.advance();
        ones(&self.lost()).for_each(|lane| self.start(lane, None));
    }

    /// Begins a new execution in a lane, after [`Run::advance`]: from a state
    /// that is known to be reachable and its number, or from the beginning.
    pub fn start(&mut self, lane: usize, from: Option<(u32, &[Scalar])>) {
        match from {
            Some((_, state)) => self.lanes.set_state(lane, state),
            None => self.lanes.restart(lane),
        }
        self.origin[lane] = from.map(|(number, _)| number);
        self.began[lane] = self.steps;
    }

    /// From here on, the execution of a lane counts as one that began in the
    /// state that it is in, which has this number.
    pub(crate) fn rebase(&mut self, lane: usize, number: u32) {
        self.origin[lane] = Some(number);
        self.began[lane] = self.steps;
    }

    /// Where the execution of a lane began: the number of a state.
    #[must_use]
    pub fn origin(&self, lane: usize) -> Option<u32> {
        self.origin[lane]
    }

    /// The steps that the execution of a lane has taken from where it began.
    #[must_use]
    pub fn len(&self, lane: usize) -> usize {
        self.steps - self.began[lane]
    }

    /// The bytes that the record of all inputs takes.
    pub(crate) fn recorded_bytes(&self) -> usize {
        self.record.as_ref().map_or(0, Record::bytes)
    }

    /// The recorded inputs of the execution of a lane, from where it began,
    /// in the order of [`Machine::inputs`].
    #[must_use]
    pub fn inputs(&self, lane: usize) -> Vec<Vec<Scalar>> {
        let Some(record) = &self.record else { return Vec::new() };
        let steps = self.began[lane]..self.steps;
        steps.map(|step| record.step(step, lane).collect()).collect()
    }

    /// The same, one step after another.
    pub(crate) fn values(&self, lane: usize) -> impl Iterator<Item = Scalar> {
        let steps = self.began[lane]..self.steps;
        let record = self.record.iter();
        record.flat_map(move |r| steps.clone().flat_map(move |step| r.step(step, lane)))
    }

    /// The random numbers of this run, for further decisions.
    pub fn random(&mut self) -> &mut Random {
        &mut self.drawer.random
    }
}
