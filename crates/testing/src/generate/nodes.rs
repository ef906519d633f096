//! Nodes: interfaces, equations in any order, assertions, properties.

use crate::dice::Dice;
use crate::generate::Profile;
use crate::generate::language::Feature;
use crate::generate::world::{Signature, Ty, World, number};
use crate::generate::writer::{Place, Writer};
use crate::tree::{Expr, Flow, Form, Item, Node, Parentheses};

/// A node and what its callers know of it.
pub fn node(world: &World, dice: &mut Dice, rank: usize, is_main: bool) -> (Node, Signature) {
    let is_function = !is_main && dice.chance(35);
    let delays = !is_main && !is_function && world.language.has(Feature::Time) && dice.chance(30);
    let inputs = inputs(world, dice, is_main);
    let outputs = if is_main { 1 } else { 1 + dice.weighted(&[5, 4, 1]) };
    let outputs = flows(world, dice, "y", outputs);
    let locals = if is_main { dice.between(2, 7) } else { dice.between(0, 3) };
    // A function without a body; a finite program has none.
    let imported = is_function
        && world.language.has(Feature::Imported)
        && world.language.profile == Profile::Rich
        && dice.chance(60);
    let locals = flows(world, dice, "v", if imported { 0 } else { locals as usize });
    let mut ranked: Vec<(String, Ty)> = outputs.iter().chain(&locals).cloned().collect();
    dice.shuffle(&mut ranked);
    let flows = inputs.iter().chain(&ranked).cloned().collect();
    let mut writer = Writer { world, dice, flows, is_function, calls: if is_main { 4 } else { 2 } };
    let mut items = equations(&mut writer, inputs.len(), &outputs, delays);
    writer.calls = writer.calls.max(1);
    statements(&mut writer, is_main, &mut items);
    writer.dice.shuffle(&mut items);
    if imported {
        items.clear();
    }
    let name = if is_main { "main".into() } else { format!("node{rank}") };
    let mut declare = |list: &[(String, Ty)]| -> Vec<Flow> {
        let one = |(name, ty): &(String, Ty)| Flow {
            name: name.clone(),
            ty: refined(writer.dice, world, name, *ty),
        };
        list.iter().map(one).collect()
    };
    let node = Node {
        name: name.clone(),
        is_function,
        inputs: declare(&inputs),
        outputs: declare(&outputs),
        locals: declare(&locals),
        items,
    };
    let types = |list: &[(String, Ty)]| list.iter().map(|(_, ty)| *ty).collect();
    let (inputs, outputs) = (types(&inputs), types(&outputs));
    (node, Signature { name, inputs, outputs, is_function, delays })
}

/// A way to write the type of a flow, sometimes with a condition.
fn refined(dice: &mut Dice, world: &World, name: &str, ty: Ty) -> String {
    let written = world.written(dice, ty);
    if !world.language.has(Feature::Conditions) || dice.chance(90) {
        return written;
    }
    let value = world.literal(dice, ty).text(Parentheses::Needed);
    let op = match ty {
        Ty::Int | Ty::Real | Ty::Range(_) => *dice.pick(&["<>", "<=", ">="]),
        _ => "<>",
    };
    if dice.chance(50) {
        format!("{written} | {name} {op} {value}")
    } else {
        format!("subtype {{ w: {written} | w {op} {value} }}")
    }
}

fn flows(world: &World, dice: &mut Dice, letter: &str, count: usize) -> Vec<(String, Ty)> {
    (0..count).map(|i| (format!("{letter}{i}"), world.any(dice))).collect()
}

/// The inputs; of the main node of a finite program, with few values together.
fn inputs(world: &World, dice: &mut Dice, is_main: bool) -> Vec<(String, Ty)> {
    let few = is_main && world.language.profile == Profile::Finite;
    let count = dice.weighted(&[1, 5, 6, if few { 2 } else { 4 }]);
    let mut list = flows(world, dice, "x", count);
    let mut product = 1;
    for (_, ty) in &mut list {
        let large = matches!(ty, Ty::Int | Ty::Real | Ty::Structure(_));
        if few && (large || product > 4) {
            *ty = Ty::Bool;
        }
        product *= match ty {
            Ty::Range(i) => (world.ranges[*i].1 - world.ranges[*i].0 + 1) as usize,
            Ty::Enum(i) => world.enums[*i].len(),
            Ty::Structure(_) => 9,
            Ty::Machine(shape) => 1 << shape.width().min(3),
            _ => 2,
        };
    }
    list
}

fn equations(
    writer: &mut Writer<'_>,
    inputs: usize,
    outputs: &[(String, Ty)],
    delays: bool,
) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rank = inputs;
    while rank < writer.flows.len() {
        let depth = 1 + writer.dice.weighted(&[2, 4, 3, 1]);
        let at = Place { depth, known: rank, guarded: false };
        let tuple = writer.has(Feature::Tuples) && writer.dice.chance(30);
        let mut count = if tuple { writer.dice.between(2, 3) as usize } else { 1 };
        count = count.min(writer.flows.len() - rank);
        let defined: Vec<(String, Ty)> = writer.flows[rank..rank + count].to_vec();
        if let [(name, ty)] = &defined[..]
            && !delays
            && writer.dice.chance(40)
            && let Some(item) = writer.by_index(name, *ty, at)
        {
            items.push(item);
            rank += 1;
            continue;
        }
        if !delays && writer.has(Feature::Blocks) && writer.dice.chance(15) {
            items.extend(writer.block(&defined, at));
            rank += count;
            continue;
        }
        let mut right = match &defined[..] {
            [(name, ty)] => writer.definition(name, *ty, at),
            several => writer.tuple(several, at),
        };
        if delays && defined.iter().any(|flow| outputs.contains(flow)) {
            // Then no output depends on anything of the same step.
            let first = defined.iter().map(|(_, ty)| writer.world.literal(writer.dice, *ty));
            let first: Vec<Expr> = first.collect();
            let first = match first.len() {
                1 => first[0].clone(),
                _ => Expr::Tuple(first),
            };
            right = Expr::infix(first, "fby", right);
        }
        items.push(Item::Equation(defined.into_iter().map(|(name, _)| name).collect(), right));
        rank += count;
    }
    items
}

/// Assertions, properties, and the mark of the main node.
fn statements(writer: &mut Writer<'_>, is_main: bool, items: &mut Vec<Item>) {
    let at = Place { depth: 3, known: writer.flows.len(), guarded: false };
    let asserts = if is_main { writer.dice.weighted(&[6, 3, 1]) } else { writer.dice.below(5) / 4 };
    let asserts = if writer.has(Feature::Assertions) { asserts } else { 0 };
    for _ in 0..asserts {
        let assertion = assertion(writer, at);
        items.push(Item::Assert(assertion));
    }
    let properties = if is_main { 1 + writer.dice.below(3) } else { writer.dice.below(4) / 3 };
    for i in 0..properties {
        items.push(property(writer, at, i));
    }
    if is_main && writer.dice.chance(80) {
        items.push(Item::Main);
    }
}

pub fn assertion(writer: &mut Writer<'_>, at: Place) -> Expr {
    let at = Place { depth: 2, ..at };
    match writer.dice.weighted(&[4, 3, 2, 1]) {
        0 => {
            let left = writer.expr(Ty::Bool, at);
            Expr::infix(left, "or", writer.expr(Ty::Bool, at))
        }
        1 if writer.temporal() => {
            let later = writer.expr(Ty::Bool, Place { guarded: true, ..at });
            Expr::infix(Expr::leaf("true"), "->", later)
        }
        2 => bound(writer, at),
        _ => writer.expr(Ty::Bool, at),
    }
}

/// A comparison of some number with a small one.
pub fn bound(writer: &mut Writer<'_>, at: Place) -> Expr {
    let op = *writer.dice.pick(&["<", "<=", "<>", ">="]);
    let left = writer.leaf(Ty::Int, at);
    Expr::infix(left, op, number(writer.dice.between(-1, 6)))
}

fn property(writer: &mut Writer<'_>, at: Place, i: usize) -> Item {
    let flows = writer.flows.iter().filter(|(_, ty)| *ty == Ty::Bool);
    let flows: Vec<&String> = flows.map(|(name, _)| name).collect();
    let expr = match writer.dice.weighted(&[3, 3, 3, 2, 2]) {
        0 => writer.expr(Ty::Bool, at),
        1 => bound(writer, at),
        2 => {
            let left = writer.expr(Ty::Bool, at.deeper());
            let right = bound(writer, at);
            let op = *writer.dice.pick(&["or", "=>"]);
            Expr::infix(left, op, right)
        }
        3 if writer.temporal() => {
            let later = writer.expr(Ty::Bool, Place { guarded: true, ..at });
            Expr::infix(Expr::leaf("true"), "->", later)
        }
        _ if !flows.is_empty() => Expr::leaf(writer.dice.pick(&flows).as_str()),
        _ => writer.expr(Ty::Bool, at),
    };
    let forms = [Form::Check, Form::Annotation, Form::OldAnnotation, Form::Reachable];
    let form = forms[writer.dice.weighted(&[3, 3, 3, 1])];
    let name = writer.dice.chance(40).then(|| format!("property {i}"));
    Item::Property(form, name, expr)
}
