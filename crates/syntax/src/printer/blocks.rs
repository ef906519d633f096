//! Blocks as text, each in one of the forms that the parser reads.

use std::fmt::Write;

use super::{print_expr, print_item, print_variable};
use crate::ast::{Automaton, Block, BlockKind, Exprs, Item, Part, State};

pub(super) fn print_block(exprs: &Exprs, block: &Block, out: &mut String) {
    let expr = |id| print_expr(exprs, id);
    let items = |items: &[Item], out: &mut String| {
        items.iter().for_each(|item| print_item(exprs, item, out));
    };
    let _ = match &block.kind {
        BlockKind::Conditional(choice) => {
            let mut word = if choice.lazy { "when" } else { "if" };
            for branch in &choice.branches {
                let _ = writeln!(out, "  {word} {} then", expr(branch.condition));
                print_part(exprs, &branch.part, out);
                word = "elsif";
            }
            if let Some(part) = &choice.otherwise {
                out.push_str("  else\n");
                print_part(exprs, part, out);
            }
            writeln!(out, "  {}", if choice.lazy { "end" } else { "fi" })
        }
        BlockKind::Frame(frame) => {
            let flows: Vec<&str> = frame.flows.iter().map(|flow| &*flow.name).collect();
            let _ = writeln!(out, "  frame ({})", flows.join(", "));
            let initial: Vec<Item> = frame.initial.iter().cloned().map(Item::Equation).collect();
            items(&initial, out);
            out.push_str("  let\n");
            items(&frame.items, out);
            writeln!(out, "  tel")
        }
        BlockKind::Switch(switch) => {
            let _ = writeln!(out, "  switch ({})", expr(switch.selector));
            for (value, part) in &switch.cases {
                let _ = writeln!(out, "  | {}:", expr(*value));
                print_part(exprs, part, out);
            }
            writeln!(out, "  end")
        }
        BlockKind::Automaton(automaton) => print_automaton(exprs, automaton, out),
        BlockKind::Reset(inside, every) => {
            out.push_str("  reset\n");
            items(inside, out);
            writeln!(out, "  every {};", expr(*every))
        }
        BlockKind::Local(part) => {
            if part.locals.is_empty() {
                out.push_str("  do\n");
                items(&part.items, out);
                writeln!(out, "  done")
            } else {
                print_locals(exprs, part, out);
                out.push_str("  let\n");
                items(&part.items, out);
                writeln!(out, "  tel")
            }
        }
    };
}

fn print_locals(exprs: &Exprs, part: &Part, out: &mut String) {
    for local in &part.locals {
        let _ = writeln!(out, "  var {};", print_variable(exprs, local));
    }
}

fn print_part(exprs: &Exprs, part: &Part, out: &mut String) {
    if !part.locals.is_empty() {
        print_locals(exprs, part, out);
        out.push_str("  do\n");
    }
    part.items.iter().for_each(|item| print_item(exprs, item, out));
}

fn print_automaton(exprs: &Exprs, automaton: &Automaton, out: &mut String) -> std::fmt::Result {
    out.push_str("  automaton");
    if let Some(name) = &automaton.name {
        write!(out, " {}", name.name)?;
    }
    for (i, (condition, state)) in automaton.initially.iter().enumerate() {
        out.push_str(if i == 0 { " initially " } else { " " });
        match condition {
            Some(condition) => {
                write!(out, "if {} then {};", print_expr(exprs, *condition), state.name)?;
            }
            None if i == 0 => write!(out, "{}", state.name)?,
            None => write!(out, "otherwise {}", state.name)?,
        }
    }
    out.push('\n');
    automaton.states.iter().try_for_each(|state| print_state(exprs, state, out))?;
    let returns: Vec<&str> = automaton.returns.iter().map(|flow| &*flow.name).collect();
    match returns[..] {
        [] => writeln!(out, "  end"),
        _ => writeln!(out, "  end returns {};", returns.join(", ")),
    }
}

fn print_state(exprs: &Exprs, state: &State, out: &mut String) -> std::fmt::Result {
    let word = if state.initial { "initial state" } else { "state" };
    writeln!(out, "  {word} {}", state.name.name)?;
    print_locals(exprs, &state.part, out);
    out.push_str("  do\n");
    state.part.items.iter().for_each(|item| print_item(exprs, item, out));
    for transition in &state.transitions {
        let when = if transition.strong { "unless" } else { "until" };
        let how = if transition.history { "continue" } else { "then" };
        let condition = print_expr(exprs, transition.condition);
        writeln!(out, "  {when} ({condition}) {how} {}", transition.target.name)?;
    }
    Ok(())
}
