//! Shorter executions (delta debugging): whatever can be left out is, many
//! attempts side by side.

use lustral_system::PropId;
use rustc_hash::FxHashMap;

use crate::column::bit;
use crate::machine::Machine;
use crate::scalar::Scalar;

/// Attempts side by side.
const LANES: usize = 256;

/// Stream values that shortening may compute; then what there is will do.
const EFFORT: usize = 200_000_000;

/// A shorter execution in which the property fails at the last step and not
/// before; nothing if it does not fail in the given one, or if it is not known
/// that it holds before. Inputs are by step, in the order of
/// [`Machine::inputs`].
#[must_use]
pub fn shorten(
    machine: &Machine,
    property: PropId,
    inputs: Vec<Vec<Scalar>>,
) -> Option<Vec<Vec<Scalar>>> {
    let mut best = Replay::new(machine, property).without_loops(inputs)?;
    let mut effort = 0;
    let mut size = best.len() / 2;
    while size > 0 && effort < EFFORT {
        let attempts = attempts(best.len(), size);
        effort += attempts.len() * best.len() * machine.values_per_step();
        match attempts.chunks(LANES).find_map(|some| improve(machine, property, &best, some)) {
            Some(better) => {
                best = better;
                size = size.min(best.len() / 2);
            }
            None => size /= 2,
        }
    }
    Some(best)
}

/// Ways to leave out so many successive steps, as `(first, after)`. The last
/// step stays: there the property fails.
fn attempts(length: usize, size: usize) -> Vec<(usize, usize)> {
    let starts = (0..length - 1).step_by(size.div_ceil(2));
    starts.map(|first| (first, (first + size).min(length - 1))).filter(|(a, b)| a < b).collect()
}

/// The best of some attempts, if one succeeds.
fn improve(
    machine: &Machine,
    property: PropId,
    inputs: &[Vec<Scalar>],
    attempts: &[(usize, usize)],
) -> Option<Vec<Vec<Scalar>>> {
    let replay = Replay::new(machine, property);
    let lengths = replay.first_failures(inputs, attempts);
    let found = attempts.iter().zip(lengths);
    let found = found.filter_map(|(attempt, length)| Some((attempt, length?)));
    let ((first, after), length) = found.min_by_key(|(_, length)| *length)?;
    let mut list = [&inputs[..*first], &inputs[*after..]].concat();
    list.truncate(length);
    replay.without_loops(list)
}

/// Executions on given inputs.
struct Replay<'m> {
    machine: &'m Machine,
    property: PropId,
}

impl<'m> Replay<'m> {
    fn new(machine: &'m Machine, property: PropId) -> Replay<'m> {
        Replay { machine, property }
    }

    /// By attempt: the steps up to the first at which the property fails, if
    /// it does and the constraints are obeyed up to there.
    fn first_failures(
        &self,
        inputs: &[Vec<Scalar>],
        attempts: &[(usize, usize)],
    ) -> Vec<Option<usize>> {
        let mut lanes = self.machine.lanes(attempts.len());
        let mut found = vec![None; attempts.len()];
        let mut alive = vec![true; attempts.len()];
        for step in 0..inputs.len() {
            for (lane, (first, after)) in attempts.iter().enumerate() {
                let place = if step < *first { step } else { step + after - first };
                match inputs.get(place) {
                    Some(inputs) if alive[lane] => lanes.set_inputs(lane, inputs),
                    _ => alive[lane] = false,
                }
            }
            if !alive.contains(&true) {
                break;
            }
            lanes.constrain();
            lanes.evaluate();
            let (obeying, holding) = (lanes.obeying(), lanes.holding(self.property));
            let failing = lanes.failing(self.property);
            for lane in 0..attempts.len() {
                alive[lane] &= bit(&obeying, lane);
                alive[lane] &= bit(&holding, lane) || bit(&failing, lane);
                if alive[lane] && bit(&failing, lane) {
                    found[lane] = Some(step + 1);
                    alive[lane] = false;
                }
            }
            lanes.advance();
        }
        found
    }

    /// The execution up to its first failure, without the steps between two
    /// equal states. The inputs are those that the machine used: some follow
    /// from constraints.
    fn without_loops(&self, inputs: Vec<Vec<Scalar>>) -> Option<Vec<Vec<Scalar>>> {
        let mut lanes = self.machine.lanes(1);
        let mut last: FxHashMap<Vec<Scalar>, usize> = FxHashMap::default();
        let mut states = Vec::new();
        let mut used = Vec::new();
        let mut failed = false;
        for (step, inputs) in inputs.iter().enumerate() {
            // A state that is not known is like no other.
            let state = lanes.state(0);
            if let Some(state) = &state {
                last.insert(state.clone(), step);
            }
            states.push(state);
            lanes.set_inputs(0, inputs);
            lanes.constrain();
            lanes.evaluate();
            if !bit(&lanes.obeying(), 0) {
                return None;
            }
            used.push(lanes.inputs(0)?);
            failed = bit(&lanes.failing(self.property), 0);
            if failed {
                break;
            }
            if !bit(&lanes.holding(self.property), 0) {
                return None;
            }
            lanes.advance();
        }
        if !failed {
            return None;
        }
        let mut kept = Vec::new();
        let mut step = 0;
        while step < used.len() {
            let same = states[step].as_ref().and_then(|state| last.get(state));
            step = same.copied().unwrap_or(step);
            kept.push(used[step].clone());
            step += 1;
        }
        Some(kept)
    }
}
