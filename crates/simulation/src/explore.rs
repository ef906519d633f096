//! Random executions that look for failing properties.
//!
//! States that are new, by what is watched of them, are kept with the way to
//! them; later executions begin there as well as at the beginning. So depth is
//! gained in pieces, and what is rare need not happen twice in a row.

use lustral_base::Random;
use std::sync::Arc;

use lustral_system::{PropId, TransitionSystem};
use lustral_term::{Sort, VarId};
use rustc_hash::FxHashSet;

use crate::column::{Column, bit, ones};
use crate::guide::{avoiding, watched};
use crate::machine::Machine;
use crate::packed::Packed;
use crate::run::{Run, Simulator};
use crate::scalar::Scalar;

/// Executions side by side.
const LANES: usize = 256;

/// Steps between two looks at what is new.
const GLANCE: usize = 6;

/// The steps of one round after another; later rounds begin again.
const LENGTHS: [usize; 8] = [8, 48, 16, 200, 32, 700, 64, 700];

/// Bytes of inputs and memories that are kept in all.
const MOST_KEPT: usize = 4_000_000;

/// Signatures that are remembered.
const MOST_SIGNATURES: usize = 200_000;

/// Bytes of inputs that a round may record.
const MOST_RECORDED: usize = 8_000_000;

/// Stream values that a round may compute, so that it takes no longer than
/// part of a second, however large the system.
const MOST_VALUES: usize = 300_000_000;

/// A state that was reached, and how.
#[derive(Clone, Debug)]
struct Kept {
    state: Packed,
    /// Where its execution began.
    origin: Option<u32>,
    /// The inputs from there, one step after another.
    inputs: Packed,
    /// Steps from the beginning.
    depth: usize,
    /// How often executions began here.
    used: u32,
}

/// An execution at whose last step a property fails.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The property.
    pub property: PropId,
    /// By step, in the order of [`Explorer::inputs`].
    pub inputs: Vec<Vec<Scalar>>,
}

/// What looks for failing properties.
#[derive(Clone, Debug)]
pub struct Explorer {
    plain: Arc<Simulator>,
    /// One that avoids dead ends, if there are any.
    guided: Option<Arc<Simulator>>,
    flags: Vec<VarId>,
    kept: Vec<Kept>,
    size: usize,
    /// Whether there is no more room.
    full: bool,
    /// By watched pair: the distances that it has had, as bits.
    distances: Vec<[u128; 2]>,
    /// Signatures of states that were seen.
    signatures: FxHashSet<u64>,
    random: Random,
    round: usize,
    deepest: usize,
    computed: u64,
}

impl Explorer {
    /// An explorer of a system. Equal seeds give equal executions.
    #[must_use]
    pub fn new(system: &TransitionSystem, seed: u64) -> Explorer {
        let pairs = watched(system);
        let extra: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let mut system = system.clone();
        let avoid = avoiding(&mut system);
        let plain = Simulator::of(&system, Machine::new(&system, &extra));
        let guided = (!avoid.is_empty())
            .then(|| Simulator::of(&system, Machine::avoiding(&system, &extra, &avoid)))
            // Both must mean the same by a list of inputs.
            .filter(|guided| guided.machine.inputs().eq(plain.machine.inputs()));
        let flags = plain.machine.memories();
        let flags = flags.filter(|v| system.variable(*v).sort == Sort::Bool);
        Explorer {
            flags: flags.collect(),
            plain: Arc::new(plain),
            guided: guided.map(Arc::new),
            kept: Vec::new(),
            size: 0,
            full: false,
            distances: vec![[0; 2]; pairs.len()],
            signatures: FxHashSet::default(),
            random: Random::new(seed),
            round: 0,
            deepest: 0,
            computed: 0,
        }
    }

    /// The inputs and choices that occur.
    pub fn inputs(&self) -> impl Iterator<Item = VarId> {
        self.plain.machine.inputs()
    }

    /// The machine without any guidance.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.plain.machine
    }

    /// The most steps that an execution has had so far.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// The stream values that were computed so far: a measure of the work that
    /// is the same in every run.
    #[must_use]
    pub fn computed(&self) -> u64 {
        self.computed
    }

    /// A round of executions, no longer than `most` steps from the beginning;
    /// ends at the first step at which one of the properties fails, and gives
    /// a shortest of the executions for each property that does. `stop` is
    /// asked now and then.
    pub fn round(
        &mut self,
        properties: &[PropId],
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Violation> {
        let values = self.plain.machine.values_per_step().max(1) * LANES;
        let affordable = (MOST_VALUES / values).max(1);
        let length = LENGTHS[self.round % LENGTHS.len()].min(most).min(affordable);
        // A dead end may be where a property fails, so not all rounds avoid them.
        let guided = self.guided.clone().filter(|_| self.round % 4 != 3);
        self.round += 1;
        let simulator = guided.unwrap_or_else(|| self.plain.clone());
        let mut run = simulator.run(LANES, self.random.number()).recorded(MOST_RECORDED);
        for lane in LANES / 4..LANES {
            self.begin(&mut run, lane, most);
        }
        for step in 0..length {
            if stop() || run.recorded_bytes() > MOST_RECORDED {
                break;
            }
            run.step();
            self.computed += values as u64;
            let mut failures = Vec::new();
            for property in properties {
                let failing = run.lanes.failing(*property);
                let lanes: Vec<u64> = failing.iter().zip(run.valid()).map(|(a, b)| a & b).collect();
                failures.extend(self.shortest(&run, *property, &lanes, most));
            }
            if !failures.is_empty() {
                return failures;
            }
            let lost = run.lost();
            run.advance();
            let deep = |lane: &usize| self.depth(&run, *lane) >= most;
            let over: Vec<usize> = (0..LANES).filter(deep).collect();
            for lane in ones(&lost).chain(over) {
                self.begin(&mut run, lane, most);
            }
            if step % GLANCE == GLANCE - 1 || step + 1 == length {
                self.look(&mut run);
            }
        }
        Vec::new()
    }

    /// The steps of the execution of a lane from the beginning.
    fn depth(&self, run: &Run<'_>, lane: usize) -> usize {
        let before = run.origin(lane).map_or(0, |origin| self.kept[origin as usize].depth);
        before + run.len(lane)
    }

    fn shortest(
        &self,
        run: &Run<'_>,
        property: PropId,
        lanes: &[u64],
        most: usize,
    ) -> Option<Violation> {
        let lane = ones(lanes).min_by_key(|lane| self.depth(run, *lane))?;
        // Including the step that was not taken yet.
        if self.depth(run, lane) >= most {
            return None;
        }
        let mut inputs = self.way(run.origin(lane));
        inputs.extend(run.inputs(lane));
        inputs.push(run.lanes.inputs(lane)?);
        Some(Violation { property, inputs })
    }

    /// The inputs that lead to a kept state.
    fn way(&self, mut origin: Option<u32>) -> Vec<Vec<Scalar>> {
        let mut parts: Vec<Vec<Vec<Scalar>>> = Vec::new();
        while let Some(number) = origin {
            let kept = &self.kept[number as usize];
            let before = kept.origin.map_or(0, |origin| self.kept[origin as usize].depth);
            let sorts: Vec<Sort> = self.machine().input_sorts().collect();
            let mut values = kept.inputs.values(sorts.iter().copied().cycle());
            let step = |_| values.by_ref().take(sorts.len()).collect();
            parts.push((before..kept.depth).map(step).collect());
            origin = kept.origin;
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// Begins an execution in a lane: at the beginning or in a kept state.
    fn begin(&mut self, run: &mut Run<'_>, lane: usize, most: usize) {
        if self.kept.is_empty() || self.random.below(4) == 0 {
            return run.start(lane, None);
        }
        // Of a few, the one that was used least.
        let count = self.kept.len() as u64;
        let drawn = [0; 3].map(|_| self.random.below(count) as usize);
        let Some(number) = drawn.into_iter().min_by_key(|n| self.kept[*n].used) else { return };
        let kept = &mut self.kept[number];
        kept.used += 1;
        if kept.depth + 1 >= most {
            return run.start(lane, None);
        }
        let state: Vec<Scalar> = kept.state.values(self.plain.machine.memory_sorts()).collect();
        run.start(lane, Some((number as u32, &state)));
    }

    /// Keeps the states of lanes in which something is new.
    fn look(&mut self, run: &mut Run<'_>) {
        let mut signatures = vec![0xcbf2_9ce4_8422_2325_u64; LANES];
        let mut mix = |lane: usize, value: u64| {
            let mixed = (signatures[lane] ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            signatures[lane] = mixed ^ (mixed >> 29);
        };
        let mut new = vec![false; LANES];
        for (i, seen) in self.distances.iter_mut().enumerate() {
            let ((a, _), (b, _)) = (run.lanes.extra(2 * i), run.lanes.extra(2 * i + 1));
            let (Column::Int(a), Column::Int(b)) = (a, b) else { continue };
            for lane in 0..LANES {
                let distance = rough(a[lane].wrapping_sub(b[lane]));
                let place = &mut seen[usize::from(distance / 128)];
                new[lane] |= *place >> (distance % 128) & 1 == 0;
                *place |= 1 << (distance % 128);
                mix(lane, distance.into());
            }
        }
        for var in &self.flags {
            let Some((Column::Bool(words), _)) = run.lanes.variable(*var) else { continue };
            (0..LANES).for_each(|lane| mix(lane, u64::from(bit(words, lane))));
        }
        for lane in 0..LANES {
            self.deepest = self.deepest.max(self.depth(run, lane));
            let room = self.signatures.len() < MOST_SIGNATURES;
            let first = room && self.signatures.insert(signatures[lane]);
            // What began just now is known already.
            if (first || new[lane]) && run.len(lane) > 0 {
                self.keep(run, lane);
            }
        }
    }

    /// Keeps the state of a lane. Its execution goes on from there, so that
    /// what is kept of it later need not repeat the way to here.
    fn keep(&mut self, run: &mut Run<'_>, lane: usize) {
        // To find out each time that there is no room takes longer than to keep.
        if self.full {
            return;
        }
        let Some(state) = run.lanes.state(lane) else { return };
        let (state, inputs) = (Packed::new(state.into_iter()), Packed::new(run.values(lane)));
        let size = state.bytes() + inputs.bytes();
        self.full = self.size + size > MOST_KEPT;
        if self.full {
            return;
        }
        self.size += size;
        let (origin, depth) = (run.origin(lane), self.depth(run, lane));
        run.rebase(lane, self.kept.len() as u32);
        self.kept.push(Kept { state, origin, inputs, depth, used: 0 });
    }
}

/// The sign and the size of a number, roughly.
fn rough(n: i64) -> u8 {
    let size = match n.unsigned_abs() {
        small @ 0..8 => small as u8,
        large => 5 + large.ilog2() as u8,
    };
    if n < 0 { 128 + size } else { size }
}
