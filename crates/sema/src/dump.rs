//! The typed program as text, for people and for snapshot tests.

use std::fmt::Write;

use crate::program::{ExprId, ExprKind, Exprs, Node, Program, ScopeId};

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
    for (i, scope) in node.scopes.iter().enumerate().skip(1) {
        let parent = scope.parent.map_or(0, |parent| parent.0);
        let part = |word: &str, e: Option<ExprId>| {
            e.map(|e| format!(" {word} e{}", e.0)).unwrap_or_default()
        };
        let (active, reset) = (part("active", scope.activation), part("reset", scope.reset));
        let _ = writeln!(out, "  clock {i} in {parent}{active}{reset}");
    }
    for (i, call) in node.calls.iter().enumerate() {
        let args: Vec<String> = call.args.iter().map(|a| format!("e{}", a.0)).collect();
        let (callee, args) = (&program.node(call.callee).name, args.join(", "));
        let _ = writeln!(out, "  call {i} {callee}({args}){}", on(call.scope));
    }
    for (i, stream) in node.streams.iter().enumerate() {
        let kind = format!("{:?}", stream.kind).to_lowercase();
        let (ty, clock) = (program.show_type(&stream.ty), on(stream.scope));
        let _ = write!(out, "  {kind} s{i} {}: {ty}{clock}", stream.name);
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
            ExprKind::Machine(shape, n) => format!("{shape} {n}"),
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
            ExprKind::Element(a, i, None) => format!("Element e{} e{}", a.0, i.0),
            ExprKind::Element(a, i, Some(outside)) => {
                format!("Element e{} e{} e{}", a.0, i.0, outside.0)
            }
            ExprKind::Any => "Any".into(),
            ExprKind::Apply(function, list) => format!("{function:?} {}", several(list)),
            ExprKind::With(a, i, e) => format!("With e{} {i} e{}", a.0, e.0),
            ExprKind::WithElement(a, i, e) => format!("WithElement e{} e{} e{}", a.0, i.0, e.0),
            ExprKind::At(a, k) => format!("At e{} e{}", a.0, k.0),
            ExprKind::Put(a, k, e) => format!("Put e{} e{} e{}", a.0, k.0, e.0),
            ExprKind::Everywhere(a) => format!("Everywhere e{}", a.0),
            ExprKind::Within(limit, list) => format!("Within {limit:?} {}", several(list)),
            ExprKind::ByKey(c, a, b) => format!("ByKey e{} e{} e{}", c.0, a.0, b.0),
            ExprKind::Pre(a) => format!("Pre e{}", a.0),
            ExprKind::Arrow(a, b) => format!("Arrow e{} e{}", a.0, b.0),
            ExprKind::Fby(a, b) => format!("Fby e{} e{}", a.0, b.0),
            ExprKind::When(a, c) => format!("When e{} s{} {}", a.0, c.flow.0, c.value),
            ExprKind::Merge(c, list) => format!("Merge e{} {}", c.0, several(list)),
            ExprKind::Held(a, Some(default)) => format!("Held e{} e{}", a.0, default.0),
            ExprKind::Held(a, None) => format!("Held e{}", a.0),
        };
        let clock = on(expr.scope);
        let _ = writeln!(out, "  e{}: {}{clock} = {text}", id.0, program.show_type(&expr.ty));
    }
}

/// The clock of what is not on that of its node.
fn on(scope: ScopeId) -> String {
    match scope {
        ScopeId::NODE => String::new(),
        scope => format!(" on clock {}", scope.0),
    }
}

fn several(list: &[ExprId]) -> String {
    list.iter().map(|e| format!("e{}", e.0)).collect::<Vec<_>>().join(" ")
}
