//! Records, arrays and data types as text.

use std::fmt::Write;

use super::{Expr, Parentheses, TIGHT};

impl Expr {
    pub(super) fn write_structure(&self, style: Parentheses, out: &mut String) {
        match self {
            Expr::Record(name, fields) => {
                let _ = write!(out, "{name} {{ ");
                for (i, (field, value)) in fields.iter().enumerate() {
                    let _ = write!(out, "{}{field} = ", if i > 0 { "; " } else { "" });
                    value.write(0, style, out);
                }
                out.push_str(" }");
            }
            Expr::Array(list) => separated(["[", "]"], list, style, out),
            Expr::Set(list, ty) => {
                separated(["{", "}"], list, style, out);
                let _ = write!(out, "@<{ty}>");
            }
            Expr::Repeat(element, count) => {
                element.write(TIGHT, style, out);
                let _ = write!(out, "^{count}");
            }
            Expr::Field(whole, name) => {
                whole.write(TIGHT, style, out);
                let _ = write!(out, ".{name}");
            }
            Expr::Element(parts) => {
                parts[0].write(TIGHT, style, out);
                out.push('[');
                parts[1].write(0, style, out);
                out.push(']');
            }
            Expr::Quantified(word, variable, body) => {
                let _ = write!(out, "{word} ({variable}: int) ");
                body.write(u8::from(style == Parentheses::All), style, out);
            }
            Expr::Convert(to, operand) => {
                let _ = write!(out, "{to} ");
                operand.write(u8::from(style == Parentheses::All), style, out);
            }
            Expr::Bits(word, high, low) => {
                word.write(TIGHT, style, out);
                let _ = write!(out, "[{high}:{low}]");
            }
            Expr::Update(parts) => {
                parts[0].write(TIGHT, style, out);
                out.push('[');
                parts[1].write(0, style, out);
                out.push_str(" := ");
                parts[2].write(0, style, out);
                out.push(']');
            }
            Expr::Match(value, arms) => {
                out.push_str("match ");
                value.write(TIGHT, style, out);
                out.push_str(" with");
                for (pattern, arm) in arms {
                    let _ = write!(out, " | {pattern} : ");
                    // A `|` outside of brackets would begin the next arm.
                    arm.write(TIGHT, style, out);
                }
                out.push_str(" end");
            }
            Expr::Case(value, arms) => {
                out.push_str("case ");
                value.write(TIGHT, style, out);
                out.push_str(" of");
                for (pattern, arm) in arms {
                    let _ = write!(out, " ({pattern} => ");
                    arm.write(0, style, out);
                    out.push(')');
                }
            }
            _ => unreachable!("written by its caller"),
        }
    }
}

/// A list in brackets.
fn separated([open, close]: [&str; 2], list: &[Expr], style: Parentheses, out: &mut String) {
    out.push_str(open);
    for (i, expr) in list.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        expr.write(0, style, out);
    }
    out.push_str(close);
}
