//! From terms to straight-line code over registers.
//!
//! Each term becomes an instruction with a register of its own; registers are
//! then shared by instructions whose results are not needed at the same time,
//! so that the columns at work stay in the cache.

use lustral_term::{Operator, Sort, Term, TermId, Terms, Value, VarId, post_order};
use rustc_hash::FxHashMap;

/// A register: it holds a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Reg(pub u32);

impl Reg {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is computed, from which registers.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Copy(Reg),
    Not(Reg),
    And(Box<[Reg]>),
    Or(Box<[Reg]>),
    Ite(Reg, Reg, Reg),
    Eq(Reg, Reg),
    Le(Reg, Reg),
    /// Each operand with whether it is subtracted.
    Sum(Box<[(Reg, bool)]>),
    Product(Box<[Reg]>),
    IntDiv(Reg, Reg),
    Mod(Reg, Reg),
    RealDiv(Reg, Reg),
    ToReal(Reg),
    Floor(Reg),
}

/// An instruction. Its result goes to a register that is none of its operands.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub result: Reg,
    pub operation: Operation,
}

impl Operation {
    fn each(&mut self, mut visit: impl FnMut(&mut Reg)) {
        match self {
            Operation::Copy(a) | Operation::Not(a) | Operation::ToReal(a) | Operation::Floor(a) => {
                visit(a);
            }
            Operation::And(list) | Operation::Or(list) | Operation::Product(list) => {
                list.iter_mut().for_each(visit);
            }
            Operation::Sum(list) => list.iter_mut().for_each(|(reg, _)| visit(reg)),
            Operation::Eq(a, b)
            | Operation::Le(a, b)
            | Operation::IntDiv(a, b)
            | Operation::Mod(a, b)
            | Operation::RealDiv(a, b) => {
                visit(a);
                visit(b);
            }
            Operation::Ite(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
        }
    }
}

/// Where the value of a variable comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// From outside: its register is written by the user of the code.
    Free,
    /// It is this term.
    Term(TermId),
    /// It is the term of the first guard that is true; from outside if none is.
    Guarded(Vec<(TermId, TermId)>),
}

/// Code with its registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    /// The sort of each register.
    pub registers: Vec<Sort>,
    /// Registers that always have the same value in every lane.
    pub constants: Vec<(Reg, Value)>,
    /// Registers of variables that are written from outside.
    pub free: FxHashMap<VarId, Reg>,
    /// Registers of variables that are read.
    pub variables: FxHashMap<VarId, Reg>,
}

/// Makes code; registers are not shared before [`Compiler::finish`].
pub(crate) struct Compiler<'a> {
    terms: &'a Terms,
    source: &'a dyn Fn(VarId) -> Source,
    done: FxHashMap<TermId, Reg>,
    code: Code,
    pinned: Vec<bool>,
}

impl<'a> Compiler<'a> {
    pub fn new(terms: &'a Terms, source: &'a dyn Fn(VarId) -> Source) -> Compiler<'a> {
        let (done, code) = (FxHashMap::default(), Code::default());
        Compiler { terms, source, done, code, pinned: Vec::new() }
    }

    /// The number of instructions so far.
    pub fn len(&self) -> usize {
        self.code.instructions.len()
    }

    fn register(&mut self, sort: Sort, pinned: bool) -> Reg {
        let reg = Reg(self.code.registers.len() as u32);
        self.code.registers.push(sort);
        self.pinned.push(pinned);
        reg
    }

    fn emit(&mut self, sort: Sort, operation: Operation) -> Reg {
        let result = self.register(sort, false);
        self.code.instructions.push(Instruction { result, operation });
        result
    }

    /// A register with the value of a term, until the end of the code.
    pub fn root(&mut self, root: TermId) -> Reg {
        post_order(
            root,
            self,
            |this, id| this.done.contains_key(&id),
            Compiler::operands,
            |this, id| {
                let reg = this.combine(id);
                this.done.insert(id, reg);
            },
        );
        let reg = self.done[&root];
        self.pinned[reg.index()] = true;
        reg
    }

    /// The register of a variable, until the end of the code.
    pub fn variable(&mut self, var: VarId, term: TermId) -> Reg {
        let reg = self.root(term);
        self.code.variables.insert(var, reg);
        reg
    }

    /// A register of its own with the value of another one.
    pub fn copy(&mut self, reg: Reg) -> Reg {
        let copy = self.emit(self.code.registers[reg.index()], Operation::Copy(reg));
        self.pinned[copy.index()] = true;
        copy
    }

    /// Whether a register is the result of an instruction.
    pub fn is_result(&self, reg: Reg) -> bool {
        self.code.instructions.binary_search_by_key(&reg, |i| i.result).is_ok()
    }

    /// `x`, if the term is `-1 * x`: sums subtract it directly.
    fn negated(&self, id: TermId) -> Option<TermId> {
        let Term::Apply(Operator::Mul, &[factor, other]) = self.terms.get(id) else { return None };
        let minus_one = match self.terms.value(factor)? {
            Value::Int(n) => *n == (-1).into(),
            Value::Real(r) => r.is_integer() && *r.numer() == (-1).into(),
            Value::Bool(_) => false,
        };
        minus_one.then_some(other)
    }

    /// What must have a register before a term: its operands, and for a
    /// variable the terms that it is computed from.
    fn operands(&self, id: TermId, list: &mut Vec<TermId>) {
        match self.terms.get(id) {
            Term::Var(var, _) => match (self.source)(var) {
                Source::Free => {}
                Source::Term(term) => list.push(term),
                Source::Guarded(cases) => cases.iter().for_each(|(g, t)| list.extend([*g, *t])),
            },
            Term::Apply(Operator::Add, parts) => {
                list.extend(parts.iter().map(|p| self.negated(*p).unwrap_or(*p)));
            }
            _ => list.extend(self.terms.operands(id)),
        }
    }

    fn combine(&mut self, id: TermId) -> Reg {
        let sort = self.terms.sort(id);
        let get = |id: &TermId| self.done[id];
        let all = |list: &[TermId]| list.iter().map(get).collect::<Box<[Reg]>>();
        let operation = match self.terms.get(id) {
            Term::Value(value) => {
                let reg = self.register(sort, true);
                self.code.constants.push((reg, value.clone()));
                return reg;
            }
            Term::Var(var, _) => return self.source_of(var, sort),
            Term::Apply(operator, list) => match operator {
                Operator::Not => Operation::Not(get(&list[0])),
                Operator::And => Operation::And(all(list)),
                Operator::Or => Operation::Or(all(list)),
                Operator::Ite => Operation::Ite(get(&list[0]), get(&list[1]), get(&list[2])),
                Operator::Eq => Operation::Eq(get(&list[0]), get(&list[1])),
                Operator::Le => Operation::Le(get(&list[0]), get(&list[1])),
                Operator::Add => {
                    let part = |p: &TermId| match self.negated(*p) {
                        Some(positive) => (get(&positive), true),
                        None => (get(p), false),
                    };
                    let mut parts: Vec<(Reg, bool)> = list.iter().map(part).collect();
                    // What is added first, so that a sum begins with a copy.
                    parts.sort_by_key(|(_, negative)| *negative);
                    Operation::Sum(parts.into())
                }
                Operator::Mul => match self.negated(id) {
                    Some(other) => Operation::Sum([(get(&other), true)].into()),
                    None => Operation::Product(all(list)),
                },
                Operator::IntDiv => Operation::IntDiv(get(&list[0]), get(&list[1])),
                Operator::Mod => Operation::Mod(get(&list[0]), get(&list[1])),
                Operator::RealDiv => Operation::RealDiv(get(&list[0]), get(&list[1])),
                Operator::ToReal => Operation::ToReal(get(&list[0])),
                Operator::Floor => Operation::Floor(get(&list[0])),
            },
        };
        self.emit(sort, operation)
    }

    fn source_of(&mut self, var: VarId, sort: Sort) -> Reg {
        let source = (self.source)(var);
        let reg = match source {
            Source::Term(term) => self.done[&term],
            Source::Free => self.outside(var, sort),
            Source::Guarded(cases) => {
                let outside = self.outside(var, sort);
                cases.iter().rev().fold(outside, |otherwise, (guard, term)| {
                    let (guard, term) = (self.done[guard], self.done[term]);
                    self.emit(sort, Operation::Ite(guard, term, otherwise))
                })
            }
        };
        self.pinned[reg.index()] = true;
        self.code.variables.insert(var, reg);
        reg
    }

    fn outside(&mut self, var: VarId, sort: Sort) -> Reg {
        let reg = self.register(sort, true);
        self.code.free.insert(var, reg);
        reg
    }

    /// The code with shared registers, and what each register has become.
    pub fn finish(self) -> (Code, impl Fn(Reg) -> Reg) {
        let Compiler { mut code, pinned, .. } = self;
        let mut last = vec![0; pinned.len()];
        for (i, instruction) in code.instructions.iter_mut().enumerate() {
            instruction.operation.each(|reg| last[reg.index()] = i);
        }
        let mut allocation = Allocation::default();
        let mut new: Vec<Option<Reg>> = vec![None; pinned.len()];
        for (i, pinned) in pinned.iter().enumerate() {
            if *pinned {
                new[i] = Some(allocation.take(code.registers[i]));
            }
        }
        for (i, instruction) in code.instructions.iter_mut().enumerate() {
            let old = instruction.result.index();
            let sort = code.registers[old];
            // Taken before the operands' registers are given back.
            let result = *new[old].get_or_insert_with(|| allocation.take(sort));
            let mut over = Vec::new();
            instruction.operation.each(|reg| {
                let old = reg.index();
                *reg = new[old].expect("operands come before their users");
                if last[old] == i && !pinned[old] && !over.contains(reg) {
                    over.push(*reg);
                }
            });
            over.into_iter().for_each(|reg| allocation.give_back(reg));
            instruction.result = result;
        }
        let renamed = move |reg: Reg| new[reg.index()].expect("a pinned register");
        code.registers = allocation.sorts;
        code.constants.iter_mut().for_each(|(reg, _)| *reg = renamed(*reg));
        code.free.values_mut().for_each(|reg| *reg = renamed(*reg));
        code.variables.values_mut().for_each(|reg| *reg = renamed(*reg));
        (code, renamed)
    }
}

/// Registers that are in use, and those that are not.
#[derive(Default)]
struct Allocation {
    sorts: Vec<Sort>,
    /// By sort.
    free: [Vec<Reg>; 3],
}

impl Allocation {
    fn take(&mut self, sort: Sort) -> Reg {
        self.free[sort as usize].pop().unwrap_or_else(|| {
            self.sorts.push(sort);
            Reg(self.sorts.len() as u32 - 1)
        })
    }

    fn give_back(&mut self, reg: Reg) {
        self.free[self.sorts[reg.index()] as usize].push(reg);
    }
}
