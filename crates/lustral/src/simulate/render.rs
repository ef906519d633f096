//! Simulations as a table, CSV, JSON or VCD.

use std::fmt::Write;

use lustral_report::printable;
use lustral_sema::{Program, Type, Value};
use serde_json::{Map, json};

use super::Row;
use crate::cli::TraceFormat;

/// The text of a simulation.
pub fn render(
    program: &Program,
    node: &str,
    rows: &[Row],
    steps: usize,
    format: TraceFormat,
) -> String {
    match format {
        TraceFormat::Table => table(program, node, rows, steps),
        TraceFormat::Csv => csv(program, rows, steps),
        TraceFormat::Json => json(program, node, rows),
        TraceFormat::Vcd => vcd(program, node, rows, steps),
    }
}

fn full_name(row: &Row) -> String {
    if row.path.is_empty() { row.name.clone() } else { format!("{}.{}", row.path, row.name) }
}

fn table(program: &Program, node: &str, rows: &[Row], steps: usize) -> String {
    let mut out = String::new();
    let cell = |row: &Row, step: usize| program.show_value(&row.ty, &row.values[step]);
    let names =
        rows.iter().map(|r| printable(&r.name).chars().count() + 2).max().unwrap_or(4).max(5);
    let widths: Vec<usize> = (0..steps)
        .map(|step| {
            let cells = rows.iter().map(|r| cell(r, step).chars().count());
            cells.max().unwrap_or(1).max(step.to_string().len()) + 2
        })
        .collect();
    let _ = write!(out, "{:<names$}", "step");
    for (step, w) in widths.iter().enumerate() {
        let _ = write!(out, "{step:>w$}");
    }
    out.push('\n');
    let mut path = None;
    for row in rows {
        if path != Some(&row.path) {
            let title = if row.path.is_empty() { node } else { &row.path };
            let _ = writeln!(out, "-- {}", printable(title));
            path = Some(&row.path);
        }
        let _ = write!(out, "  {:<w$}", printable(&row.name), w = names - 2);
        for (step, w) in widths.iter().enumerate() {
            let _ = write!(out, "{:>w$}", cell(row, step));
        }
        out.push('\n');
    }
    out
}

fn csv(program: &Program, rows: &[Row], steps: usize) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = std::iter::once("step".to_string()).chain(rows.iter().map(full_name));
    // Writing to memory does not fail.
    let _ = writer.write_record(header);
    for step in 0..steps {
        let cells = rows.iter().map(|r| program.show_value(&r.ty, &r.values[step]));
        let _ = writer.write_record(std::iter::once(step.to_string()).chain(cells));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn json(program: &Program, node: &str, rows: &[Row]) -> String {
    let value = |row: &Row, value: &Value| match value {
        Value::Bool(b) => json!(b),
        Value::Int(n) => match i64::try_from(n) {
            Ok(small) if small.unsigned_abs() < 1 << 53 => json!(small),
            _ => json!(n.to_string()),
        },
        other => json!(program.show_value(&row.ty, other)),
    };
    let mut streams = Map::new();
    for row in rows {
        let values: Vec<serde_json::Value> = row.values.iter().map(|v| value(row, v)).collect();
        streams.insert(full_name(row), values.into());
    }
    format!("{}\n", json!({ "node": node, "streams": streams }))
}

/// A value change dump: truth values as wires, reals as reals, integers as
/// vectors of 64 bits where they fit, everything else as text.
fn vcd(program: &Program, node: &str, rows: &[Row], steps: usize) -> String {
    let mut out = String::from("$timescale 1 s $end\n");
    let identifier = |name: &str| -> String {
        name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect()
    };
    let mut open: Option<&str> = None;
    for (i, row) in rows.iter().enumerate() {
        if open != Some(&row.path) {
            if open.is_some() {
                out.push_str("$upscope $end\n");
            }
            let scope = if row.path.is_empty() { node } else { &row.path };
            let _ = writeln!(out, "$scope module {} $end", identifier(scope));
            open = Some(&row.path);
        }
        let kind = match row.ty {
            Type::Bool => "wire 1",
            Type::Int | Type::Subrange(_) => "integer 64",
            Type::Real => "real 64",
            Type::Enum(_) => "string 1",
        };
        let _ = writeln!(out, "$var {kind} {} {} $end", code(i), identifier(&row.name));
    }
    out.push_str("$upscope $end\n$enddefinitions $end\n");
    for step in 0..steps {
        let _ = writeln!(out, "#{step}");
        for (i, row) in rows.iter().enumerate() {
            if step > 0 && row.values[step] == row.values[step - 1] {
                continue;
            }
            let _ = match &row.values[step] {
                Value::Bool(b) => writeln!(out, "{}{}", u8::from(*b), code(i)),
                Value::Int(n) => match i64::try_from(n) {
                    Ok(n) => writeln!(out, "b{n:b} {}", code(i)),
                    Err(_) => writeln!(out, "bx {}", code(i)),
                },
                Value::Real(r) => {
                    let approximate = num_traits::ToPrimitive::to_f64(r).unwrap_or(f64::NAN);
                    writeln!(out, "r{approximate} {}", code(i))
                }
                other => writeln!(out, "s{} {}", program.show_value(&row.ty, other), code(i)),
            };
        }
    }
    let _ = writeln!(out, "#{steps}");
    out
}

/// The short name of a variable: digits of base 94, from `!` on.
fn code(mut i: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'!' + (i % 94) as u8));
        i /= 94;
        if i == 0 {
            return text;
        }
        i -= 1;
    }
}
