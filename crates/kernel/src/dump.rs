//! Kernel programs as text, in the manner of Lustre, for people and for
//! snapshot tests.
//!
//! Equations stand in the block of their scope:
//!
//! ```text
//! clock 1 in 0 when c restart every r
//!   x: int = 0 -> pre x + 1;
//! ```

use std::fmt::Write;

use lustral_sema::obligations::{ObligationKind, ObligationRole};
use lustral_sema::program::{BinaryOp, UnaryOp};

use crate::expr::{ExprKind, Exprs};
use crate::ids::{ExprId, ScopeId};
use crate::program::{Claim, FlowKind, Node, Program};
use crate::shape::Shape;

/// The whole program.
#[must_use]
pub fn dump(program: &Program) -> String {
    let mut out = String::new();
    for e in &program.enums {
        let _ = writeln!(out, "type {} = enum {{ {} }};", e.name, e.values.join(", "));
    }
    for constant in &program.constants {
        let text = Text { program, node: None, exprs: &program.constant_exprs };
        let _ = writeln!(out, "const {} = {};", constant.name, text.expr(constant.expr));
    }
    for node in &program.nodes {
        dump_node(program, node, &mut out);
    }
    out
}

fn dump_node(program: &Program, node: &Node, out: &mut String) {
    let declared = |kind: FlowKind| {
        let flows = node.flows.iter().filter(|f| f.kind == kind);
        let flows = flows.map(|f| format!("{}: {}", f.name, program.show_type(&f.ty)));
        flows.collect::<Vec<_>>().join("; ")
    };
    let (inputs, outputs) = (declared(FlowKind::Input), declared(FlowKind::Output));
    let _ = writeln!(out, "node {}({inputs}) returns ({outputs});", node.name);
    let text = Text { program, node: Some(node), exprs: &node.exprs };
    for row in &node.shapes.rows {
        if !matches!(node.shapes[row.shape], Shape::Flow(_)) {
            let flows = node.shapes.flows(row.shape).into_iter();
            let names: Vec<&str> = flows.map(|f| &*node.flow(f).name).collect();
            let _ = writeln!(out, "  -- {} is {}", row.name, names.join(", "));
        }
    }
    for scope in node.scope_ids() {
        text.scope(scope, out);
    }
    let text = Text { exprs: &node.candidates.exprs, ..text };
    for candidate in &node.candidates.list {
        let _ = writeln!(out, "  candidate {};", text.expr(candidate.expr));
    }
}

#[derive(Clone, Copy)]
struct Text<'p> {
    program: &'p Program,
    /// None for the constants.
    node: Option<&'p Node>,
    exprs: &'p Exprs,
}

impl Text<'_> {
    /// The head of a scope, and what stands in it.
    fn scope(self, id: ScopeId, out: &mut String) {
        let Some(node) = self.node else { return };
        let scope = node.scope(id);
        let mut indent = "  ";
        if let Some(parent) = scope.parent {
            let _ = write!(out, "  clock {} in {}", id.0, parent.0);
            if let Some(activation) = scope.activation {
                let _ = write!(out, " when {}", self.expr(activation));
            }
            if let Some(reset) = scope.reset {
                let _ = write!(out, " restart every {}", self.expr(reset));
            }
            out.push('\n');
            indent = "    ";
        }
        for flow in node.flows.iter().filter(|f| f.scope == id) {
            if let Some(definition) = flow.definition {
                let ty = self.program.show_type(&flow.ty);
                let _ = writeln!(out, "{indent}{}: {ty} = {};", flow.name, self.expr(definition));
            }
        }
        for (i, call) in node.calls.iter().enumerate().filter(|(_, c)| c.scope == id) {
            let args: Vec<String> = call.args.iter().map(|arg| self.expr(*arg)).collect();
            let callee = &self.program.node(call.callee).name;
            let _ = writeln!(out, "{indent}call {i} = {callee}({});", args.join(", "));
        }
        for constraint in node.constraints.iter().filter(|c| c.scope == id) {
            let _ = writeln!(out, "{indent}assert {};", self.expr(constraint.expr));
        }
        for obligation in node.obligations.iter().filter(|o| o.scope == id) {
            let claim = match obligation.claim {
                Claim::Expr(expr) => self.expr(expr),
                Claim::Flow(flow) => node.flow(flow).name.to_string(),
                claim @ Claim::InRange { condition, .. } => {
                    let bounded = claim.flows().map(|flow| node.flow(flow));
                    let bounded = bounded.filter(|flow| flow.ty.bounds.is_some());
                    let text = bounded.map(|flow| {
                        format!("{} in {}", flow.name, self.program.show_type(&flow.ty))
                    });
                    let condition = condition.map(|expr| self.expr(expr));
                    text.chain(condition).collect::<Vec<_>>().join(", ")
                }
            };
            let word = word(obligation.kind, obligation.role);
            let _ = writeln!(out, "{indent}{word} \"{}\" {claim};", obligation.name);
        }
    }

    /// An expression with all its parentheses: an explicit stack of what is
    /// still to be written, because expressions may be nested deeply.
    fn expr(self, root: ExprId) -> String {
        let mut out = String::new();
        let mut stack = vec![Item::Expr(root)];
        while let Some(item) = stack.pop() {
            let id = match item {
                Item::Text(text) => {
                    out += &text;
                    continue;
                }
                Item::Word(word) => {
                    out.push_str(word);
                    continue;
                }
                Item::Expr(id) => id,
            };
            let mut items: Vec<Item> = Vec::new();
            match &self.exprs[id].kind {
                ExprKind::Unary(op, a) => {
                    let (before, after) = unary(*op);
                    items.extend([Item::Text(before), Item::Expr(*a), Item::Text(after)]);
                }
                ExprKind::Pre(a) => {
                    items.extend([Item::Word("(pre "), Item::Expr(*a), Item::Word(")")]);
                }
                ExprKind::Binary(op, a, b) => items.extend([
                    Item::Word("("),
                    Item::Expr(*a),
                    Item::Word(binary(*op)),
                    Item::Expr(*b),
                    Item::Word(")"),
                ]),
                ExprKind::Arrow(a, b) => items.extend([
                    Item::Word("("),
                    Item::Expr(*a),
                    Item::Word(" -> "),
                    Item::Expr(*b),
                    Item::Word(")"),
                ]),
                ExprKind::If(c, a, b) => items.extend([
                    Item::Word("(if "),
                    Item::Expr(*c),
                    Item::Word(" then "),
                    Item::Expr(*a),
                    Item::Word(" else "),
                    Item::Expr(*b),
                    Item::Word(")"),
                ]),
                ExprKind::AtMostOne(list) => {
                    let separator = |i: usize| if i == 0 { "#(" } else { ", " };
                    for (i, a) in list.iter().enumerate() {
                        items.extend([Item::Word(separator(i)), Item::Expr(*a)]);
                    }
                    items.push(Item::Word(")"));
                }
                kind @ (ExprKind::At(..)
                | ExprKind::Put(..)
                | ExprKind::Everywhere(..)
                | ExprKind::Within(..)
                | ExprKind::ByKey(..)) => items.extend(of_arrays(kind)),
                ExprKind::Apply(function, list) => {
                    out += &format!("function {function}(");
                    for (i, a) in list.iter().enumerate() {
                        items.extend([Item::Word(if i == 0 { "" } else { ", " }), Item::Expr(*a)]);
                    }
                    items.push(Item::Word(")"));
                }
                leaf => out += &self.leaf(leaf),
            }
            stack.extend(items.into_iter().rev());
        }
        out
    }

    fn leaf(self, kind: &ExprKind) -> String {
        let flow = |id| self.node.map_or("?", |node| &*node.flow(id).name);
        match kind {
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Real(r) => lustral_base::decimal::for_people(r),
            ExprKind::Enum(e, i) => {
                self.program.enums[e.id.index()].values[*i as usize].to_string()
            }
            ExprKind::Machine(shape, n) => format!("({shape} {n})"),
            ExprKind::Const(c) => self.program.constant(*c).name.to_string(),
            ExprKind::Flow(id) => flow(*id).to_string(),
            ExprKind::Present(id) => format!("(present {})", flow(*id)),
            ExprKind::Output(call, i) => format!("(call {}).{i}", call.0),
            ExprKind::Any => "any".into(),
            _ => unreachable!("has operands: written by its caller"),
        }
    }
}

fn word(kind: ObligationKind, role: ObligationRole) -> &'static str {
    match (kind, role) {
        (ObligationKind::Range, ObligationRole::Given) => "given",
        (ObligationKind::Range, _) => "show",
        (ObligationKind::Stated, _) => "property",
        (ObligationKind::Output, _) => "output property",
        (ObligationKind::Assume, _) => "assume",
        (ObligationKind::Guarantee, _) => "guarantee",
        (ObligationKind::Ensure, _) => "ensure",
        (ObligationKind::OneMode, _) => "one mode",
        (ObligationKind::Reachable, _) => "not reachable",
        (ObligationKind::Occurs, _) => "does not occur",
    }
}

/// What stands before and after the operand.
fn unary(op: UnaryOp) -> (String, String) {
    let word: &str = match op {
        UnaryOp::Not => "(not ",
        UnaryOp::Minus => "(-",
        UnaryOp::Floor => "(int ",
        UnaryOp::ToReal => "(real ",
        UnaryOp::BitNot => "(!",
        UnaryOp::ToInt => "(int ",
        UnaryOp::ToMachine(to) => return (format!("({} ", to.conversion()), ")".into()),
        UnaryOp::Bits { high, low } => return ("(".into(), format!("[{high}:{low}])")),
    };
    (word.into(), ")".into())
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => " and ",
        BinaryOp::Or => " or ",
        BinaryOp::Xor => " xor ",
        BinaryOp::Implies => " => ",
        BinaryOp::Equal => " = ",
        BinaryOp::NotEqual => " <> ",
        BinaryOp::Less => " < ",
        BinaryOp::LessEqual => " <= ",
        BinaryOp::Greater => " > ",
        BinaryOp::GreaterEqual => " >= ",
        BinaryOp::Plus => " + ",
        BinaryOp::Minus => " - ",
        BinaryOp::Times => " * ",
        BinaryOp::Divide => " / ",
        BinaryOp::Div => " div ",
        BinaryOp::Mod => " mod ",
        BinaryOp::Join => " ++ ",
        BinaryOp::BitOr => " || ",
        BinaryOp::BitAnd => " && ",
        BinaryOp::ShiftLeft => " lsh ",
        BinaryOp::ShiftRight => " rsh ",
    }
}

/// What is still to be written of an expression.
enum Item {
    Expr(ExprId),
    Word(&'static str),
    Text(String),
}

fn separated(list: &[ExprId]) -> Vec<Item> {
    let separator = |i: usize| Item::Word(if i == 0 { "" } else { ", " });
    list.iter().enumerate().flat_map(|(i, e)| [separator(i), Item::Expr(*e)]).collect()
}

/// An expression on arrays.
fn of_arrays(kind: &ExprKind) -> Vec<Item> {
    let mut items = Vec::new();
    match kind {
        ExprKind::At(a, index) => {
            items.extend([Item::Expr(*a), Item::Word("[")]);
            items.extend(separated(index));
            items.push(Item::Word("]"));
        }
        ExprKind::Put(a, index, value) => {
            items.extend([Item::Expr(*a), Item::Word("[")]);
            items.extend(separated(index));
            items.extend([Item::Word(" := "), Item::Expr(*value), Item::Word("]")]);
        }
        ExprKind::Everywhere(_, a) => {
            items.extend([Item::Word("everywhere("), Item::Expr(*a), Item::Word(")")]);
        }
        ExprKind::Within(limit, list) => {
            items.push(Item::Text(format!("within {limit:?}(")));
            items.extend(separated(list));
            items.push(Item::Word(")"));
        }
        ExprKind::ByKey(c, a, b) => {
            items.push(Item::Word("by key("));
            items.extend(separated(&[*c, *a, *b]));
            items.push(Item::Word(")"));
        }
        _ => {}
    }
    items
}
