//! The typed program as text, for people and for snapshot tests.

use std::fmt::Write;

use crate::program::{ExprKind, Exprs, Node, Program};

/// The typed program, one expression a line.
#[must_use]
pub fn dump(program: &Program) -> String {
    let mut out = String::new();
    for (i, e) in program.enums.iter().enumerate() {
        let _ = writeln!(out, "enum {i} {} = {}", e.name, e.values.join(" "));
    }
    if !program.const_exprs.is_empty() {
        out.push_str("constants\n");
        exprs(program, &program.const_exprs, &mut out);
        for (i, c) in program.consts.iter().enumerate() {
            let _ = match c.expr {
                Some(expr) => writeln!(out, "  const {i} {} = e{}", c.name, expr.0),
                None => writeln!(out, "  const {i} {} is free", c.name),
            };
        }
    }
    for n in &program.nodes {
        node(program, n, &mut out);
    }
    out
}

fn node(program: &Program, node: &Node, out: &mut String) {
    let word = if node.is_function { "function" } else { "node" };
    let _ = writeln!(out, "{word} {}{}", node.name, if node.is_main { " (main)" } else { "" });
    exprs(program, &node.exprs, out);
    for (i, call) in node.calls.iter().enumerate() {
        let args: Vec<String> = call.args.iter().map(|a| format!("e{}", a.0)).collect();
        let _ = writeln!(out, "  call {i} {}({})", program.node(call.callee).name, args.join(", "));
    }
    for (i, stream) in node.streams.iter().enumerate() {
        let kind = format!("{:?}", stream.kind).to_lowercase();
        let _ = write!(out, "  {kind} s{i} {}: {}", stream.name, program.show_type(&stream.ty));
        let _ = match stream.definition {
            Some(e) => writeln!(out, " = e{}", e.0),
            None => writeln!(out),
        };
    }
    for assertion in &node.asserts {
        let _ = writeln!(out, "  assert e{}", assertion.expr.0);
    }
    for property in &node.properties {
        let _ = writeln!(out, "  property \"{}\" e{}", property.name, property.expr.0);
    }
    if !node.candidates.list.is_empty() {
        out.push_str("  candidates\n");
        exprs(program, &node.candidates.exprs, out);
        for candidate in &node.candidates.list {
            let _ = writeln!(out, "  candidate e{}", candidate.expr.0);
        }
    }
}

fn exprs(program: &Program, exprs: &Exprs, out: &mut String) {
    for (id, expr) in exprs.iter() {
        let text = match &expr.kind {
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Real(r) => lustral_base::decimal::for_people(r),
            ExprKind::Enum(e, i) => program.enums[e.0 as usize].values[*i as usize].to_string(),
            ExprKind::Const(c) => format!("const {}", c.0),
            ExprKind::Stream(s) => format!("s{}", s.0),
            ExprKind::Output(c, i) => format!("output {i} of call {}", c.0),
            ExprKind::Unary(op, a) => format!("{op:?} e{}", a.0),
            ExprKind::Binary(op, a, b) => format!("{op:?} e{} e{}", a.0, b.0),
            ExprKind::If(c, a, b) => format!("If e{} e{} e{}", c.0, a.0, b.0),
            ExprKind::AtMostOne(list) => format!("AtMostOne {}", several(list)),
            ExprKind::Compose(list) => format!("Compose {}", several(list)),
            ExprKind::Repeat(a) => format!("Repeat e{}", a.0),
            ExprKind::Part(a, i) => format!("Part e{} {i}", a.0),
            ExprKind::Element(a, i) => format!("Element e{} e{}", a.0, i.0),
            ExprKind::Any => "Any".into(),
            ExprKind::Apply(function, list) => format!("{function:?} {}", several(list)),
            ExprKind::With(a, i, e) => format!("With e{} {i} e{}", a.0, e.0),
            ExprKind::WithElement(a, i, e) => format!("WithElement e{} e{} e{}", a.0, i.0, e.0),
            ExprKind::Pre(a) => format!("Pre e{}", a.0),
            ExprKind::Arrow(a, b) => format!("Arrow e{} e{}", a.0, b.0),
            ExprKind::Fby(a, b) => format!("Fby e{} e{}", a.0, b.0),
        };
        let _ = writeln!(out, "  e{}: {} = {text}", id.0, program.show_type(&expr.ty));
    }
}

fn several(list: &[crate::program::ExprId]) -> String {
    list.iter().map(|e| format!("e{}", e.0)).collect::<Vec<_>>().join(" ")
}
