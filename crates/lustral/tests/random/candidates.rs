//! Predicates written as Lustre, read back as candidates, mean the same.

use std::sync::Arc;

use lustral_engines::{prepare, unprepared};
use lustral_render::LustreWriter;
use lustral_sema::analyse;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_candidates, parse_program};
use lustral_system::{InstanceId, Predicate, Role, Runner, TransitionSystem};
use lustral_term::{Evaluator, Sort, TermId, Terms, VarId};

use lustral_testing::dice::Dice;
use lustral_testing::encoding::{Encoded, accepted};
use lustral_testing::execution::Execution;
use lustral_testing::failure::{Failure, expect_equal};
use lustral_testing::tree::{Parentheses, Program};

const STEPS: usize = 6;
const MOST: usize = 40;

/// Writes random predicates of a program, reads them back, and compares their
/// values in a random execution. Returns how many there were.
pub fn check(program: &Program, seed: u64) -> Result<usize, Failure> {
    let text = program.text(Parentheses::Needed);
    let unit = accepted(&text)?;
    let mut dice = Dice::new(seed);
    let mut writer = LustreWriter::new(&unit.system);
    let first = unit.system.memories[0].var;
    let mut written: Vec<(InstanceId, Predicate, String)> = Vec::new();
    let inlined = [unprepared(&unit.system).system, prepare(&unit.system).system];
    let inlined = inlined.map(TransitionSystem::from);
    for system in [unit.system.clone()].into_iter().chain(inlined) {
        for predicate in predicates(&system, first, &mut dice) {
            if let Some((instance, text)) = writer.expression(&predicate) {
                written.push((instance, predicate, text));
            }
        }
    }
    let mut file = String::new();
    for (instance, _, text) in &written {
        file += &format!("node {}\n  {text};\n", unit.system.instance(*instance).node);
    }
    let extended = read_back(&unit, &text, &file)?;
    let execution = Execution::random(&unit, &mut dice, STEPS);
    compare(&unit, &execution, &extended, &written)?;
    Ok(written.len())
}

/// Some truth values and comparisons of a system, some behind the first step.
fn predicates(system: &TransitionSystem, first: VarId, dice: &mut Dice) -> Vec<Predicate> {
    let nexts = system.memories.iter().map(|m| m.next);
    let properties = system.properties.iter().map(|p| p.term);
    let definitions = system.variables.iter().filter_map(|v| match v.role {
        Role::Defined(term) => Some(term),
        _ => None,
    });
    let mut terms = system.terms.clone();
    let all = terms.closure(nexts.chain(properties).chain(definitions));
    let first = terms.variable(first, Sort::Bool);
    let mut list = Vec::new();
    if all.is_empty() {
        return Vec::new();
    }
    for _ in 0..MOST / 3 {
        let (a, b) = (*dice.pick(&all), *dice.pick(&all));
        let same = terms.sort(a) == terms.sort(b);
        let mut term = match terms.sort(a) {
            Sort::Bool => a,
            sort if same && sort.is_number() && dice.chance(50) => terms.le(a, b),
            _ if same => terms.eq(a, b),
            Sort::Int => {
                let n = terms.int(dice.between(-2, 3));
                if dice.chance(50) { terms.le(n, a) } else { terms.le(a, n) }
            }
            Sort::Real => {
                let third = num_rational::BigRational::new((-1).into(), 3.into());
                let third = terms.constant(lustral_term::Value::Real(third));
                let product = terms.mul(third, a);
                terms.le(product, third)
            }
            sort => {
                let value = terms.constant(lustral_term::Value::zero(sort));
                terms.eq(a, value)
            }
        };
        if dice.chance(30) {
            term = terms.not(term);
        }
        if dice.chance(30) {
            term = terms.or([first, term]);
        }
        list.push(term);
    }
    let terms = Arc::new(terms);
    list.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect()
}

/// The system with the candidates of a file, all of which must be accepted.
fn read_back(unit: &Encoded, text: &str, file: &str) -> Result<TransitionSystem, Failure> {
    let mut sources = SourceMap::new();
    let main = sources.add("random.lus", text);
    let mut diagnostics = Diagnostics::new();
    let mut tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    let candidates = sources.add("candidates", file);
    parse_candidates(&sources, candidates, &mut tree, &mut diagnostics);
    let program = analyse(&sources, &tree, &mut diagnostics);
    for diagnostic in diagnostics.iter().filter(|d| d.primary.span.file == candidates) {
        let line = sources.line_column(diagnostic.primary.span).line as usize;
        // A division by a constant zero is written as it is, and noted.
        if diagnostic.code.as_str() != "division-by-zero" {
            let text = file.lines().nth(line - 1).unwrap_or_default();
            return Err(Failure::new("remark", format!("{}: {text}", diagnostic.message)));
        }
    }
    let kernel = lustral_kernel::translate(&program.into(), &sources);
    Ok(lustral_flow::encode_candidates(&kernel, &unit.tree, &unit.properties))
}

fn compare(
    unit: &Encoded,
    execution: &Execution,
    extended: &TransitionSystem,
    written: &[(InstanceId, Predicate, String)],
) -> Result<(), Failure> {
    let added = &extended.variables[unit.system.variables.len()..];
    let only_memories = added.iter().all(|v| v.role == Role::Memory);
    expect_equal("role", &only_memories, &true, || "what candidates add".into())?;
    let terms = candidates(unit, extended, written)?;
    let mut runner = Runner::new(extended, &execution.function);
    for step in 0..execution.steps.len() {
        let values = runner.step(|var| execution.free(&unit.system, step, var));
        let eval = |terms: &Terms, term: TermId| {
            let mut evaluator = Evaluator::new(terms, &execution.function);
            evaluator.eval(term, |var| values[var.index()].clone())
        };
        for ((_, predicate, text), term) in written.iter().zip(&terms) {
            let expected = eval(&predicate.terms, predicate.term);
            let found = eval(&extended.terms, *term);
            expect_equal("meaning", &found, &expected, || format!("`{text}` at step {step}"))?;
        }
    }
    Ok(())
}

/// The term of each predicate in the instance that it was written for: the
/// candidates stand in the order of instances, then of the file.
fn candidates(
    unit: &Encoded,
    extended: &TransitionSystem,
    written: &[(InstanceId, Predicate, String)],
) -> Result<Vec<TermId>, Failure> {
    let mut found = vec![Terms::FALSE; written.len()];
    let mut next = extended.candidates.iter();
    for (id, instance) in unit.system.instances.iter().enumerate() {
        for (i, (other, ..)) in written.iter().enumerate() {
            if unit.system.instance(*other).node == instance.node {
                let term = next.next().ok_or_else(|| Failure::new("count", "too few"))?;
                if other.index() == id {
                    found[i] = *term;
                }
            }
        }
    }
    expect_equal("count", &next.count(), &0, || "candidates too many".into())?;
    Ok(found)
}
