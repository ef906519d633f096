//! Blocks, automata and clocks: the typed program, with its clocks, and a literal reading of the
//! text say the same on random programs.

#![allow(clippy::unwrap_used)]

mod programs;
mod surface;

use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceId, Value};
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};
use lustral_testing::frontend::accepted;
use lustral_testing::{Dice, seeds};
use surface::{Memory, Surface};

const STEPS: usize = 12;

#[test]
fn blocks_mean_what_their_text_says() {
    seeds::for_each(3000, |seed| {
        let text = programs::program(seed);
        if let Err(story) = agrees(&text, seed) {
            panic!("seed {seed}: {story}\n{text}");
        }
    });
}

/// Runs a program both ways on random inputs.
fn agrees(text: &str, seed: u64) -> Result<(), String> {
    let unit = match accepted(text) {
        Ok(unit) => unit,
        // All parts may have left it out.
        Err(failure) if failure.text.lines().all(|line| line.contains("has no equation")) => {
            return Ok(());
        }
        Err(failure) => return Err(format!("rejected: {}", failure.text)),
    };
    let mut sources = SourceMap::new();
    let file = sources.add("random.lus", text);
    let tree = parse_program(&mut sources, file, &NoFiles, &mut Diagnostics::new());
    let (tree, _) = tree.nodes().next().expect("a node");
    let surface = Surface::new(tree);
    let mut memory = Memory::default();
    let mut machine = Machine::new(&unit.program, &unit.tree);
    let mut dice = Dice::new(!seed);
    let node = unit.tree.node(&unit.program, InstanceId::ROOT);
    for step in 0..STEPS {
        let (a, b) = (dice.chance(50), dice.chance(30));
        let (i, m) = (dice.between(0, 3), dice.below(3));
        let inputs = [Value::Bool(a), Value::Bool(b), Value::Int(i.into()), Value::Enum(m as u32)];
        machine.step(&inputs, &mut Zeros);
        let wanted = surface.step("main", &[i64::from(a), i64::from(b), i, m as i64], &mut memory);
        for (name, wanted) in wanted {
            let stream = node.stream_named(&name).expect("a declared flow");
            let found = match machine.value(InstanceId::ROOT, stream, 0) {
                Some(Value::Bool(value)) => i64::from(*value),
                Some(Value::Int(value)) => value.try_into().expect("a small number"),
                Some(Value::Enum(value)) => i64::from(*value),
                other => return Err(format!("{name} is {other:?} at step {step}")),
            };
            if found != wanted {
                return Err(format!("{name} is {found} at step {step}, the text says {wanted}"));
            }
        }
    }
    Ok(())
}
