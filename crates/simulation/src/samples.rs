//! Samples: steps of executions as a table, for judging many predicates.

use lustral_system::TransitionSystem;
use lustral_term::{TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::code::{Code, Compiler, Reg, Source};
use crate::column::{Column, WORD, bit, set_bit};
use crate::machine::Machine;
use crate::registers::Registers;
use crate::run::{Run, Simulator};
use crate::scalar::Scalar;

/// Rows that are evaluated at a time: few at first, because the first rows
/// already refute most of what is wrong.
const FIRST_ROWS: usize = 2 * WORD;
const MOST_ROWS: usize = 8 * WORD;

/// How samples are collected.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// The largest number of rows.
    pub rows: usize,
    /// Equal seeds give equal samples.
    pub seed: u64,
    /// Executions side by side.
    pub lanes: usize,
    /// The steps of one execution after another.
    pub lengths: Vec<usize>,
    /// The first steps of an execution, of which all lanes are kept.
    pub first: usize,
    /// More states to begin in, in the order of the system's memories. They
    /// must be reachable.
    pub starts: Vec<Vec<Value>>,
}

impl Default for SampleOptions {
    fn default() -> SampleOptions {
        let (lengths, starts) = (vec![24, 96, 400], Vec::new());
        SampleOptions { rows: 8192, seed: 0, lanes: 256, lengths, first: 4, starts }
    }
}

/// Different steps of executions: the values of the variables of a system at
/// steps that are reached and obey the constraints.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// By variable; those that do not occur have none.
    columns: Vec<Option<Column>>,
    rows: usize,
    successors: Vec<(u32, u32)>,
}

/// Where a predicate is true and where it is known, as bits of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The rows at which it is known to be true.
    pub holds: Vec<u64>,
    /// The rows at which it is known.
    pub known: Vec<u64>,
}

impl Samples {
    /// Runs a system and keeps what it sees.
    #[must_use]
    pub fn collect(system: &TransitionSystem, options: &SampleOptions) -> Samples {
        let simulator = Simulator::new(system);
        let mut table = Table::new(system, &simulator.machine, options.rows);
        let fit = |start: &Vec<Value>| start.iter().map(Scalar::new).collect();
        let starts: Vec<Vec<Scalar>> = options.starts.iter().filter_map(fit).collect();
        for (i, length) in options.lengths.iter().enumerate() {
            let mut run = simulator.run(options.lanes, options.seed.wrapping_add(i as u64));
            // Half of the lanes, where there are states to begin in.
            let lanes = run.lanes.count() / 2;
            for (lane, start) in (0..lanes).zip(starts.iter().cycle()) {
                run.start(lane, Some((0, start)));
            }
            let parts = options.lengths.len() - i;
            let limit = table.rows + (options.rows - table.rows) / parts;
            table.fill(&mut run, *length, options.first, limit);
        }
        table.finish(system.variables.len())
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The values of a variable, by row; nothing if it does not occur.
    #[must_use]
    pub fn column(&self, var: VarId) -> Option<&Column> {
        self.columns.get(var.index())?.as_ref()
    }

    /// Pairs of rows of which the second is a step that follows the first.
    #[must_use]
    pub fn successors(&self) -> &[(u32, u32)] {
        &self.successors
    }

    /// A table with a row for each pair of successive rows: the variables have
    /// their values at the first, and `next` names the variables that stand
    /// for their values at the second.
    #[must_use]
    pub fn paired(&self, next: impl Fn(VarId) -> Option<VarId>) -> Samples {
        let first: Vec<usize> = self.successors.iter().map(|(a, _)| *a as usize).collect();
        let second: Vec<usize> = self.successors.iter().map(|(_, b)| *b as usize).collect();
        let mut columns: Vec<Option<Column>> = Vec::new();
        for (i, column) in self.columns.iter().enumerate() {
            let Some(column) = column else { continue };
            let var = VarId(i as u32);
            for (target, rows) in [(Some(var), &first), (next(var), &second)] {
                let Some(target) = target else { continue };
                if columns.len() <= target.index() {
                    columns.resize(target.index() + 1, None);
                }
                columns[target.index()] = Some(gather(column, rows));
            }
        }
        Samples { columns, rows: first.len(), successors: Vec::new() }
    }

    /// Evaluates predicates over all rows. The arena has the variables of the
    /// system; a variable without a column is not known.
    #[must_use]
    pub fn evaluate(&self, terms: &Terms, predicates: &[TermId]) -> Vec<Truth> {
        let words = self.rows.div_ceil(WORD);
        let none = || Truth { holds: vec![0; words], known: vec![0; words] };
        let mut truths: Vec<Truth> = predicates.iter().map(|_| none()).collect();
        let mut judge = Judge::new(terms, predicates, MOST_ROWS);
        for start in (0..self.rows).step_by(MOST_ROWS) {
            judge.load(self, start);
            for (truth, reg) in truths.iter_mut().zip(&judge.roots) {
                for word in 0..MOST_ROWS.min(self.rows - start).div_ceil(WORD) {
                    let (value, known) = judge.truth(*reg, word, self.rows - start);
                    truth.holds[start / WORD + word] = value & known;
                    truth.known[start / WORD + word] = known;
                }
            }
        }
        truths
    }

    /// Which predicates are false at some row.
    #[must_use]
    pub fn falsified(&self, terms: &Terms, predicates: &[TermId]) -> Vec<bool> {
        let mut falsified = vec![false; predicates.len()];
        let mut left: Vec<usize> = (0..predicates.len()).collect();
        let (mut start, mut size) = (0, FIRST_ROWS);
        let mut judge = Judge::new(terms, predicates, size);
        while start < self.rows {
            let alive = left.iter().filter(|i| !falsified[**i]).count();
            if alive == 0 {
                break;
            }
            if alive * 4 < left.len() * 3 {
                left.retain(|i| !falsified[*i]);
                size = (size * 2).min(MOST_ROWS);
                let roots: Vec<TermId> = left.iter().map(|i| predicates[*i]).collect();
                judge = Judge::new(terms, &roots, size);
            }
            judge.load(self, start);
            for (i, reg) in left.iter().zip(&judge.roots) {
                falsified[*i] |= (0..size / WORD).any(|word| {
                    let (value, known) = judge.truth(*reg, word, self.rows - start);
                    known & !value != 0
                });
            }
            start += size;
        }
        falsified
    }
}

fn gather(column: &Column, rows: &[usize]) -> Column {
    match column {
        Column::Bool(words) => {
            let mut out = vec![0; rows.len().div_ceil(WORD)];
            for (i, row) in rows.iter().enumerate() {
                set_bit(&mut out, i, bit(words, *row));
            }
            Column::Bool(out)
        }
        Column::Int(list) => Column::Int(rows.iter().map(|row| list[*row]).collect()),
        Column::Real(list) => Column::Real(rows.iter().map(|row| list[*row]).collect()),
    }
}

/// Predicates compiled, and rows to evaluate them at.
struct Judge {
    code: Code,
    registers: Registers,
    roots: Vec<Reg>,
    rows: usize,
}

impl Judge {
    fn new(terms: &Terms, predicates: &[TermId], rows: usize) -> Judge {
        let source = |_| Source::Free;
        let mut compiler = Compiler::new(terms, &source);
        let roots: Vec<Reg> = predicates.iter().map(|p| compiler.root(*p)).collect();
        let (code, renamed) = compiler.finish();
        let roots = roots.into_iter().map(renamed).collect();
        Judge { registers: Registers::new(&code, rows), code, roots, rows }
    }

    /// Evaluates the predicates at the rows from here.
    fn load(&mut self, samples: &Samples, start: usize) {
        for (var, reg) in &self.code.free {
            let column = &mut self.registers.columns[reg.index()];
            match (samples.column(*var), column) {
                (Some(Column::Bool(from)), Column::Bool(to)) => copy(to, from, start / WORD),
                (Some(Column::Int(from)), Column::Int(to)) => copy(to, from, start),
                (Some(Column::Real(from)), Column::Real(to)) => copy(to, from, start),
                _ => self.registers.poison[reg.index()].resize(self.rows / WORD, !0),
            }
        }
        self.registers.run(&self.code.instructions);
    }

    /// The value of a word of rows, and where it is known; `left` rows exist.
    fn truth(&self, reg: Reg, word: usize, left: usize) -> (u64, u64) {
        let there = match left.saturating_sub(word * WORD) {
            0 => 0,
            n if n >= WORD => !0,
            n => (1 << n) - 1,
        };
        let value = self.registers.columns[reg.index()].bools()[word];
        (value, there & !self.registers.poisoned(reg, word))
    }
}

fn copy<T: Copy>(to: &mut [T], from: &[T], start: usize) {
    let from = &from[start..];
    let count = to.len().min(from.len());
    to[..count].copy_from_slice(&from[..count]);
}

/// Rows while they are collected.
struct Table {
    variables: Vec<VarId>,
    columns: Vec<Vec<Scalar>>,
    known: FxHashMap<Box<[Scalar]>, u32>,
    successors: Vec<(u32, u32)>,
    rows: usize,
    most: usize,
}

impl Table {
    fn new(system: &TransitionSystem, machine: &Machine, most: usize) -> Table {
        let lanes = machine.lanes(WORD);
        let occurring = system.variables().map(|(id, _)| id);
        let variables: Vec<VarId> = occurring.filter(|id| lanes.variable(*id).is_some()).collect();
        let columns = vec![Vec::new(); variables.len()];
        let (known, successors) = (FxHashMap::default(), Vec::new());
        Table { variables, columns, known, successors, rows: 0, most }
    }

    /// Takes steps of a run, until there are so many rows.
    fn fill(&mut self, run: &mut Run<'_>, steps: usize, first: usize, limit: usize) {
        let lanes = run.lanes.count();
        // By lane: the row of the step before.
        let mut before: Vec<Option<u32>> = vec![None; lanes];
        for step in 0..steps {
            run.step();
            let share = limit.saturating_sub(self.rows) / (steps - step);
            let mut row_of = vec![None; lanes];
            for lane in 0..lanes {
                let follows = before[lane].is_some();
                // Half of what there is room for; its successors are the rest.
                let chance = (share.max(1) as u64).div_ceil(2);
                let wanted = step < first || run.random().below(lanes as u64) < chance;
                if !(wanted || follows) || !bit(run.valid(), lane) {
                    continue;
                }
                let row = self.row(run, lane);
                if let (Some(a), Some(b)) = (before[lane], row)
                    && self.successors.len() < self.most
                {
                    self.successors.push((a, b));
                }
                row_of[lane] = row.filter(|_| wanted);
            }
            before = row_of;
            run.advance();
        }
        self.successors.sort_unstable();
        self.successors.dedup();
    }

    /// The row of a lane: one that is there already, or a new one if all its
    /// values are known and there is room.
    fn row(&mut self, run: &Run<'_>, lane: usize) -> Option<u32> {
        let value = |var: &VarId| run.lanes.value(lane, *var);
        let row: Box<[Scalar]> = self.variables.iter().map(value).collect::<Option<_>>()?;
        if let Some(index) = self.known.get(&row) {
            return Some(*index);
        }
        if self.rows == self.most {
            return None;
        }
        for (column, value) in self.columns.iter_mut().zip(&row) {
            column.push(*value);
        }
        self.known.insert(row, self.rows as u32);
        self.rows += 1;
        Some(self.rows as u32 - 1)
    }

    fn finish(self, variables: usize) -> Samples {
        let mut columns = vec![None; variables];
        for (var, values) in self.variables.iter().zip(&self.columns) {
            columns[var.index()] = values.first().map(|first| {
                let mut column = Column::of(*first, values.len());
                values.iter().enumerate().for_each(|(row, value)| column.set(row, *value));
                column
            });
        }
        Samples { columns, rows: self.rows, successors: self.successors }
    }
}
