//! From a tree back to text. Parsing the text gives the same tree again, and
//! printing that gives the same text. Parentheses stand only where they are needed.

mod blocks;
mod clocks;
mod contracts;
mod data;
mod statics;

use std::fmt::Write;

use crate::ast::{
    BinaryOp, Bound, ConstDeclaration, Declaration, ExprId, ExprKind, Exprs, Ident, Item,
    NodeDeclaration, PREFIX, Program, Quantifier, Question, Selector, Type, TypeKind, UnaryOp,
    UpdateForm, Variable,
};
use crate::dialect::Dialect;

/// The whole program as text. Operators that dialects group differently have
/// parentheses, so that the text is read alike in all of them; what they mean
/// differently, the mark of the dialect settles.
#[must_use]
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    if let Some(dialect) = program.trees.first().and_then(|tree| tree.exprs.reading().known()) {
        let _ = writeln!(out, "--%DIALECT {}", dialect.as_str());
    }
    for (i, (tree, declaration)) in program.declarations().enumerate() {
        if i > 0 && matches!(declaration, Declaration::Node(_)) {
            out.push('\n');
        }
        print_declaration(&tree.exprs, declaration, &mut out);
    }
    out
}

/// A declaration as text.
pub fn print_declaration(exprs: &Exprs, declaration: &Declaration, out: &mut String) {
    match declaration {
        Declaration::Type(d) => {
            let (name, parameters) = (&d.name.name, print_parameters(&d.parameters));
            let _ = match &d.definition.kind {
                TypeKind::Abstract => writeln!(out, "type {name}{parameters};"),
                TypeKind::Data(constructors) => {
                    out.push_str(&data::declaration(exprs, d, constructors));
                    Ok(())
                }
                _ => {
                    let definition = print_type(exprs, &d.definition);
                    writeln!(out, "type {name}{parameters} = {definition};")
                }
            };
        }
        Declaration::Const(d) => {
            print_constant(exprs, d, out);
        }
        Declaration::Node(node) => print_node(exprs, node, out),
        Declaration::Contract(contract) => {
            contracts::print_contract_node(exprs, contract, out);
        }
    }
}

fn print_constant(exprs: &Exprs, constant: &ConstDeclaration, out: &mut String) {
    let _ = write!(out, "const {}", constant.name.name);
    if let Some(ty) = &constant.ty {
        let _ = write!(out, ": {}", print_type(exprs, ty));
    }
    if let Some(value) = constant.value {
        let _ = write!(out, " = {}", print_expr(exprs, value));
    }
    out.push_str(";\n");
}

/// A node as text.
pub fn print_node(exprs: &Exprs, node: &NodeDeclaration, out: &mut String) {
    print_interface(exprs, node, out);
    if node.imported || node.alias.is_some() {
        return;
    }
    out.push_str("let\n");
    let body = node.items.iter().filter(|item| !matches!(item, Item::Contract(_)));
    body.for_each(|item| print_item(exprs, item, out));
    out.push_str("tel\n");
}

/// The header of a node, its contracts and its local flows as text.
pub(crate) fn print_interface(exprs: &Exprs, node: &NodeDeclaration, out: &mut String) {
    let word = match (node.is_function, node.imported) {
        (true, true) => "function imported",
        (true, false) => "function",
        (false, true) => "node imported",
        (false, false) => "node",
    };
    let _ = write!(out, "{word} {}{}", node.name.name, statics::parameters(exprs, node));
    if !node.is_alias() {
        let (inputs, outputs) = (&node.inputs, &node.outputs);
        out.push_str(&print_header(exprs, inputs, outputs));
    }
    if let Some(operator) = &node.alias {
        let operator = statics::print_operator(exprs, operator);
        let _ = write!(out, " = {}", operator.strip_prefix("node ").unwrap_or(&operator));
    }
    out.push_str(";\n");
    for item in &node.items {
        if matches!(item, Item::Contract(_)) {
            print_item(exprs, item, out);
        }
    }
    node.constants.iter().for_each(|constant| print_constant(exprs, constant, out));
    for local in &node.locals {
        let _ = writeln!(out, "var {};", print_variable(exprs, local));
    }
}

fn print_parameters(types: &[Ident]) -> String {
    let names: Vec<&str> = types.iter().map(|ty| &*ty.name).collect();
    if names.is_empty() { String::new() } else { format!("<{}>", names.join("; ")) }
}

fn print_header(exprs: &Exprs, inputs: &[Variable], outputs: &[Variable]) -> String {
    let [inputs, outputs] = [inputs, outputs].map(|list| print_variables(exprs, list));
    format!("({inputs}) returns ({outputs})")
}

/// A part of a body as text.
pub(crate) fn print_item(exprs: &Exprs, item: &Item, out: &mut String) {
    let expr = |id| print_expr(exprs, id);
    let _ = match item {
        Item::Equation(e) => {
            let names: Vec<&str> = e.left.iter().map(|n| &*n.name).collect();
            let mut left = match names.len() {
                1 => names[0].to_string(),
                _ => format!("({})", names.join(", ")),
            };
            e.indices.iter().for_each(|index| left += &format!("[{}]", index.name));
            writeln!(out, "  {left} = {};", expr(e.right))
        }
        Item::Assert(e, _) => writeln!(out, "  assert {};", expr(*e)),
        Item::Property(p) => {
            let word = if p.annotation { "--%PROPERTY" } else { "check" };
            let name = p.name.as_ref().map(|name| format!("\"{}\" ", name.name));
            let (asked, more) = match &p.question {
                Question::Always => ("", String::new()),
                Question::Provided(condition) => ("", format!(" provided {}", expr(*condition))),
                Question::Reachable(bounds) => {
                    let bound = |b: &Bound| format!(" {} {}", b.kind.word(), expr(b.step));
                    ("reachable ", bounds.iter().map(bound).collect())
                }
            };
            let name = name.unwrap_or_default();
            writeln!(out, "  {word} {asked}{name}{}{more};", expr(p.expr))
        }
        Item::Candidate(role, e, _) => {
            let word = role.word().map(|word| format!("{word} ")).unwrap_or_default();
            writeln!(out, "  --%CANDIDATE {word}{};", expr(*e))
        }
        Item::Main(_) => writeln!(out, "  --%MAIN;"),
        Item::Realizable(names, _) => {
            let names: Vec<&str> = names.iter().map(|name| &*name.name).collect();
            writeln!(out, "  --%REALIZABLE {};", names.join(", "))
        }
        Item::Contract(contract) => {
            out.push_str("con\n");
            contracts::print_items(exprs, &contract.items, out);
            writeln!(out, "noc")
        }
        Item::Last(flow, e, _) => writeln!(out, "  last {} = {};", flow.name, expr(*e)),
        Item::Block(block) => {
            blocks::print_block(exprs, block, out);
            Ok(())
        }
    };
}

/// Declarations of flows as text.
#[must_use]
pub fn print_variables(exprs: &Exprs, list: &[Variable]) -> String {
    list.iter().map(|v| print_variable(exprs, v)).collect::<Vec<_>>().join("; ")
}

fn print_variable(exprs: &Exprs, v: &Variable) -> String {
    let word = if v.constant { "const " } else { "" };
    let clock = v.clock.as_ref().map(clocks::declared).unwrap_or_default();
    format!("{word}{}: {}{clock}", v.name.name, print_type(exprs, &v.ty))
}

fn print_types(exprs: &Exprs, types: &[Type]) -> String {
    types.iter().map(|ty| print_type(exprs, ty)).collect::<Vec<_>>().join("; ")
}

/// The types that a call, a record or an import names, if it does.
fn print_type_arguments(exprs: &Exprs, types: &[Type]) -> String {
    if types.is_empty() { String::new() } else { format!("@<{}>", print_types(exprs, types)) }
}

fn print_type(exprs: &Exprs, ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Bool => "bool".into(),
        TypeKind::Int => "int".into(),
        TypeKind::Real => "real".into(),
        TypeKind::Subrange(low, high) => {
            let bound = |n: &Option<ExprId>| n.map_or("*".into(), |n| print_expr(exprs, n));
            format!("subrange [{}, {}] of int", bound(low), bound(high))
        }
        TypeKind::Enum(values) => {
            let names: Vec<&str> = values.iter().map(|v| &*v.name).collect();
            format!("enum {{ {} }}", names.join(", "))
        }
        TypeKind::Named(name) => name.to_string(),
        TypeKind::Applied(name, types) => {
            format!("{}<{}>", name.name, print_types(exprs, types))
        }
        TypeKind::Machine(shape) => shape.to_string(),
        TypeKind::Record(fields) => format!("struct {{ {} }}", print_variables(exprs, fields)),
        TypeKind::Tuple(types) => {
            let types: Vec<String> = types.iter().map(|ty| print_type(exprs, ty)).collect();
            format!("[{}]", types.join(", "))
        }
        TypeKind::Array(element, sizes) => {
            let mut text = print_type(exprs, element);
            for size in sizes {
                // Whatever the size is, it ends with its parenthesis.
                let _ = if is_word(&exprs[*size].kind) {
                    write!(text, "^{}", print_expr(exprs, *size))
                } else {
                    write!(text, "^({})", print_expr(exprs, *size))
                };
            }
            text
        }
        TypeKind::Refinement(variable, condition) => {
            let (name, ty) = (&variable.name.name, print_type(exprs, &variable.ty));
            format!("subtype {{ {name}: {ty} | {} }}", print_expr(exprs, *condition))
        }
        TypeKind::Abstract | TypeKind::Data(_) | TypeKind::Error => "?".into(),
    }
}

/// How much an operand must bind to stand without parentheses: more than any
/// binary operator.
const TIGHT: u8 = PREFIX + 1;

enum Work<'a> {
    Expr(ExprId, u8),
    Text(&'a str),
    Owned(String),
}

/// An expression as text.
#[must_use]
pub fn print_expr(exprs: &Exprs, root: ExprId) -> String {
    let mut out = String::new();
    let mut stack = vec![Work::Expr(root, 0)];
    while let Some(work) = stack.pop() {
        match work {
            Work::Text(text) => out.push_str(text),
            Work::Owned(text) => out.push_str(&text),
            Work::Expr(id, least) => {
                let parts = expand(exprs, id);
                let parenthesis = strength(&exprs[id].kind) < least;
                if parenthesis {
                    out.push('(');
                    stack.push(Work::Text(")"));
                }
                stack.extend(parts.into_iter().rev());
            }
        }
    }
    out
}

fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Quantified(Quantifier::Chosen(_), ..) => TIGHT,
        ExprKind::If(..)
        | ExprKind::Lazy(..)
        | ExprKind::With(..)
        | ExprKind::Quantified(..)
        | ExprKind::Convert(..)
        | ExprKind::When(..)
        | ExprKind::Merge(..)
        | ExprKind::Binary(BinaryOp::Fby, ..) => 0,
        ExprKind::Binary(op, ..) => op.strength(Dialect::Kind2),
        ExprKind::Unary(..) => TIGHT - 1,
        _ => TIGHT,
    }
}

/// The text of one expression, its operands left as work.
fn expand(exprs: &Exprs, id: ExprId) -> Vec<Work<'_>> {
    match &exprs[id].kind {
        ExprKind::Bool(b) => vec![Work::Text(if *b { "true" } else { "false" })],
        ExprKind::Int(text) | ExprKind::Decimal(text) => vec![Work::Text(text)],
        ExprKind::Name(name) => vec![Work::Text(name), Work::Owned(statics::given(exprs, id))],
        ExprKind::Error => vec![Work::Text("?")],
        ExprKind::Last(flow) => vec![Work::Text("last "), Work::Text(&flow.name)],
        ExprKind::Activated(activation) => clocks::activated(exprs, activation),
        ExprKind::Delayed(e, steps, initial) => clocks::delayed([*e, *steps, *initial]),
        ExprKind::When(sampled, sampling) => clocks::when(*sampled, sampling),
        ExprKind::Merge(flow, branches) => clocks::merge(flow, branches),
        ExprKind::Call(name, list) => {
            let mut parts = vec![Work::Text(&name.name), Work::Owned(statics::given(exprs, id))];
            parts.extend(comma_separated(["(", ")"], list));
            parts
        }
        ExprKind::Tuple(list) => comma_separated(["(", ")"], list),
        ExprKind::AtMostOne(list) => comma_separated(["#(", ")"], list),
        ExprKind::Record(name, fields) => {
            let types = print_type_arguments(exprs, exprs.type_arguments(id));
            record(name, types, fields)
        }
        ExprKind::Array(list) => comma_separated(["[", "]"], list),
        ExprKind::Set(list) => {
            let mut parts = comma_separated(["{", "}"], list);
            parts.push(Work::Owned(print_type_arguments(exprs, exprs.type_arguments(id))));
            parts
        }
        // With types it is a map without keys, and else what an update begins with.
        ExprKind::EmptyMap => match exprs.type_arguments(id) {
            [] => vec![Work::Text("map")],
            types => {
                vec![Work::Text("map[]"), Work::Owned(print_type_arguments(exprs, types))]
            }
        },
        ExprKind::TupleValue(list) => comma_separated(["'(", ")"], list),
        ExprKind::Field(whole, name) => {
            vec![
                Work::Expr(*whole, before_dot(exprs, *whole)),
                Work::Text("."),
                Work::Text(&name.name),
            ]
        }
        ExprKind::Component(whole, number) => {
            vec![
                Work::Expr(*whole, before_dot(exprs, *whole)),
                Work::Text(".%"),
                Work::Text(&number.name),
            ]
        }
        ExprKind::Element(array, index) => bracketed(*array, "", vec![*index]),
        // A number ends before two dots.
        ExprKind::Slice(array, first, last) => bracketed(*array, "..", vec![*first, *last]),
        ExprKind::Bits(word, high, low) => bracketed(*word, ":", vec![*high, *low]),
        ExprKind::Convert(to, operand) => {
            vec![Work::Owned(to.conversion() + " "), Work::Expr(*operand, 0)]
        }
        ExprKind::Update(form, whole, changes) => update(*form, *whole, changes),
        ExprKind::Arbitrary(choice, ty) => {
            vec![Work::Owned(format!("{}@<{}>", choice.as_str(), print_type(exprs, ty)))]
        }
        ExprKind::Quantified(quantifier, variables, body) => {
            quantified(exprs, *quantifier, variables, *body)
        }
        ExprKind::Repeat(element, count) => {
            let least = if is_word(&exprs[*count].kind) { 0 } else { TIGHT + 1 };
            vec![Work::Expr(*element, TIGHT), Work::Text("^"), Work::Expr(*count, least)]
        }
        ExprKind::Unary(op, operand) => {
            vec![Work::Text(op.as_str()), Work::Text(" "), Work::Expr(*operand, TIGHT - 1)]
        }
        ExprKind::Match(steps, value, arms) => data::matching(*steps, *value, arms),
        ExprKind::Tester(name, operand) => data::tester(name, *operand),
        ExprKind::Binary(op, a, b) => binary(exprs, *op, *a, *b),
        ExprKind::If(c, a, b) => conditional("if ", [*c, *a, *b]),
        ExprKind::Lazy(c, a, b) => conditional("when ", [*c, *a, *b]),
        ExprKind::With(c, a, b) => conditional("with ", [*c, *a, *b]),
        ExprKind::Ascribed(value, ty) => {
            let ty = format!(": {})", print_type(exprs, ty));
            vec![Work::Text("("), Work::Expr(*value, 0), Work::Owned(ty)]
        }
    }
}

fn conditional(word: &'static str, [c, a, b]: [ExprId; 3]) -> Vec<Work<'static>> {
    vec![
        Work::Text(word),
        Work::Expr(c, 0),
        Work::Text(" then "),
        Work::Expr(a, 0),
        Work::Text(" else "),
        Work::Expr(b, 0),
    ]
}

fn quantified<'a>(
    exprs: &Exprs,
    quantifier: Quantifier,
    variables: &[Variable],
    body: ExprId,
) -> Vec<Work<'a>> {
    let variables = print_variables(exprs, variables);
    let (before, after) = match quantifier {
        Quantifier::All => (format!("forall ({variables}) "), ""),
        Quantifier::Some => (format!("exists ({variables}) "), ""),
        Quantifier::Chosen(choice) => (format!("{} {{ {variables} | ", choice.as_str()), " }"),
    };
    vec![Work::Owned(before), Work::Expr(body, 0), Work::Text(after)]
}

/// An operator between its operands.
fn binary(exprs: &Exprs, op: BinaryOp, a: ExprId, b: ExprId) -> Vec<Work<'_>> {
    let own = op.strength(Dialect::Kind2);
    let (left, right) = match op {
        BinaryOp::Fby => (TIGHT - 1, TIGHT - 1),
        BinaryOp::Concatenate => (1, 1),
        _ if op.groups_right() => (own + 1, own),
        _ if same_in_all_dialects(op, &exprs[a].kind) => (own, own + 1),
        _ => (TIGHT, own + 1),
    };
    vec![
        Work::Expr(a, left),
        Work::Text(" "),
        Work::Text(op.as_str()),
        Work::Text(" "),
        Work::Expr(b, right),
    ]
}

/// Whether an operator without parentheses is the left operand of another in every
/// dialect that reads it so in one.
fn same_in_all_dialects(op: BinaryOp, left: &ExprKind) -> bool {
    match left {
        ExprKind::Unary(UnaryOp::Minus, _) => !op.divides() && !op.is_bitwise(),
        ExprKind::Unary(UnaryOp::Not, _) => !op.compares(),
        ExprKind::Binary(BinaryOp::Or, ..) => op != BinaryOp::Xor,
        _ => true,
    }
}

/// How much something must bind before a dot: one right behind a number is a part of it.
fn before_dot(exprs: &Exprs, whole: ExprId) -> u8 {
    let number = matches!(exprs[whole].kind, ExprKind::Int(_) | ExprKind::Decimal(_));
    TIGHT + u8::from(number)
}

/// `whole[i]`, `whole[i..j]`, `whole[i:j]`
fn bracketed(whole: ExprId, between: &'static str, inside: Vec<ExprId>) -> Vec<Work<'static>> {
    let mut parts = vec![Work::Expr(whole, TIGHT), Work::Text("[")];
    for (i, id) in inside.into_iter().enumerate() {
        parts.push(Work::Text(if i > 0 { between } else { "" }));
        parts.push(Work::Expr(id, 0));
    }
    parts.push(Work::Text("]"));
    parts
}

/// Whether it is written as one word.
fn is_word(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Int(_) | ExprKind::Name(_))
}

fn record<'a>(name: &'a Ident, types: String, fields: &'a [(Ident, ExprId)]) -> Vec<Work<'a>> {
    let mut parts = vec![Work::Text(&name.name), Work::Owned(types), Work::Text(" { ")];
    for (i, (field, value)) in fields.iter().enumerate() {
        parts.push(Work::Text(if i > 0 { "; " } else { "" }));
        parts.extend([Work::Text(&field.name), Work::Text(" = "), Work::Expr(*value, 0)]);
    }
    parts.push(Work::Text(" }"));
    parts
}

fn update<'a>(form: UpdateForm, whole: ExprId, changes: &'a [(Selector, ExprId)]) -> Vec<Work<'a>> {
    let (open, close) = match form {
        UpdateForm::Brackets => ("[", "]"),
        UpdateForm::Braces => ("{", "}"),
    };
    let mut parts = vec![Work::Expr(whole, TIGHT), Work::Text(open)];
    for (i, (selector, value)) in changes.iter().enumerate() {
        parts.push(Work::Text(if i > 0 { "; " } else { "" }));
        parts.push(match selector {
            Selector::Name(name) => Work::Text(&name.name),
            Selector::Index(index) => Work::Expr(*index, 0),
        });
        parts.extend([Work::Text(" := "), Work::Expr(*value, 0)]);
    }
    parts.push(Work::Text(close));
    parts
}

fn comma_separated<'a>([open, close]: [&'a str; 2], list: &[ExprId]) -> Vec<Work<'a>> {
    let mut parts = vec![Work::Text(open)];
    for (i, id) in list.iter().enumerate() {
        if i > 0 {
            parts.push(Work::Text(", "));
        }
        parts.push(Work::Expr(*id, 0));
    }
    parts.push(Work::Text(close));
    parts
}
