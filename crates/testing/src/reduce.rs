//! Smaller programs that fail in the same way (delta debugging).

use std::time::{Duration, Instant};

use crate::failure::{Check, Failure, guarded};
use crate::tree::{Activation, Declaration, Expr, Item, Program};

/// Checks that may be spent on one reduction.
const MOST_CHECKS: usize = 2000;

/// The time after which no more are begun.
const MOST_TIME: Duration = Duration::from_secs(60);

/// Makes a failing program smaller, step by step, as long as it fails with a
/// failure of the same kind. A step that makes the program ill-typed fails
/// with another kind, and is not taken.
pub fn reduce(program: &Program, failure: &Failure, check: &Check<'_>) -> (Program, Failure) {
    let mut best = (program.clone(), failure.clone());
    if failure.kind == "rejected" {
        return best; // anything less is rejected too
    }
    let started = Instant::now();
    let mut checks = 0;
    let mut progress = true;
    while progress {
        progress = false;
        let mut next = 0;
        while let Some(candidate) = step(&best.0, next) {
            checks += 1;
            if checks > MOST_CHECKS || started.elapsed() > MOST_TIME {
                return best;
            }
            match guarded(check, &candidate) {
                Err(found) if found.kind == failure.kind => {
                    best = (candidate, found);
                    progress = true;
                }
                _ => next += 1,
            }
        }
    }
    best
}

/// The smaller program with this number; none when there are no more.
fn step(program: &Program, number: usize) -> Option<Program> {
    let mut left = number;
    for (i, declaration) in program.declarations.iter().enumerate() {
        if left == 0 {
            let mut smaller = program.clone();
            smaller.declarations.remove(i);
            return Some(smaller);
        }
        left -= 1;
        let Declaration::Node(node) = declaration else { continue };
        if left < node.items.len() {
            return Some(without_item(program, i, left));
        }
        left -= node.items.len();
    }
    simpler_expression(program, left)
}

/// Without an item; the flows that it defines are no longer declared.
fn without_item(program: &Program, declaration: usize, item: usize) -> Program {
    let mut smaller = program.clone();
    if let Declaration::Node(node) = &mut smaller.declarations[declaration] {
        let names = node.items.remove(item).defined();
        node.locals.retain(|flow| !names.contains(&flow.name));
        node.outputs.retain(|flow| !names.contains(&flow.name));
    }
    smaller
}

/// Some expression replaced by one of its operands or by a plain literal.
fn simpler_expression(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = number;
    for expr in smaller.declarations.iter_mut().flat_map(expressions) {
        if simplify(expr, &mut left) {
            return Some(smaller);
        }
    }
    None
}

fn expressions(declaration: &mut Declaration) -> Vec<&mut Expr> {
    match declaration {
        Declaration::Type(..) | Declaration::Free(..) => Vec::new(),
        Declaration::Const(_, _, value) => vec![value],
        Declaration::Node(node) => node.items.iter_mut().flat_map(Item::expressions).collect(),
    }
}

/// Takes the step with this number in an expression, or counts its steps.
fn simplify(expr: &mut Expr, left: &mut usize) -> bool {
    let mut simpler: Vec<Expr> = operands(expr).into_iter().map(|e| e.clone()).collect();
    if !matches!(expr, Expr::Leaf(_)) {
        simpler.extend(["true", "0"].map(Expr::leaf));
    }
    if *left < simpler.len() {
        *expr = simpler.swap_remove(*left);
        return true;
    }
    *left -= simpler.len();
    operands(expr).into_iter().any(|operand| simplify(operand, left))
}

fn operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Leaf(_) => Vec::new(),
        Expr::Prefix(_, a) => vec![a],
        Expr::Infix(_, a, b) => vec![a, b],
        Expr::If(parts) => parts.iter_mut().collect(),
        Expr::Call(_, list)
        | Expr::AtMostOne(list)
        | Expr::Tuple(list)
        | Expr::Array(list)
        | Expr::Set(list, _) => list.iter_mut().collect(),
        Expr::Record(_, fields) => fields.iter_mut().map(|(_, value)| value).collect(),
        Expr::Repeat(a, _)
        | Expr::Field(a, _)
        | Expr::Quantified(_, _, a)
        | Expr::Convert(_, a)
        | Expr::Bits(a, ..) => vec![a],
        Expr::Element(parts) => parts.iter_mut().collect(),
        Expr::Update(parts) => parts.iter_mut().collect(),
        Expr::Activated(_, args, activation) => {
            let Activation { clock, default, reset } = &mut **activation;
            args.iter_mut().chain(clock).chain(default).chain(reset).collect()
        }
        Expr::When(a, _) => vec![a],
        Expr::Merge(_, branches) => branches.iter_mut().map(|(_, branch)| branch).collect(),
        Expr::Match(value, arms) | Expr::Case(value, arms) => {
            [&mut **value].into_iter().chain(arms.iter_mut().map(|(_, arm)| arm)).collect()
        }
    }
}

/// Leaves out words of a failing text, ever fewer at a time, as long as it
/// fails with a failure of the same kind.
pub fn reduce_text(
    text: &str,
    failure: &Failure,
    check: &dyn Fn(&str) -> Result<(), Failure>,
) -> String {
    let started = Instant::now();
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut size = words.len();
    while size > 0 && started.elapsed() < MOST_TIME {
        let mut at = 0;
        let before = words.len();
        while at < words.len() {
            let end = (at + size).min(words.len());
            let fewer = [&words[..at], &words[end..]].concat();
            match guarded(check, &fewer.join(" ")) {
                Err(found) if found.kind == failure.kind => words = fewer,
                _ => at = end,
            }
        }
        if words.len() == before {
            size /= 2;
        }
    }
    words.join(" ")
}
