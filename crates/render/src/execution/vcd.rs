//! Executions as value change dumps (IEEE 1364, section 18), for waveform viewers.
//!
//! Truth values are wires, integers vectors of 64 bits where they fit, reals the
//! nearest doubles; names of enumerations are texts.

use std::io;

use lustral_base::decimal;
use num_traits::ToPrimitive;
use vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};

use super::{Datum, Execution, InstanceRows, Row, RowType};

impl Execution {
    /// The dump; a step is a second.
    #[must_use]
    pub fn vcd(&self) -> String {
        let mut writer = Writer::new(Vec::new());
        // Writing to memory does not fail.
        let _ = self.write_vcd(&mut writer);
        String::from_utf8(std::mem::take(writer.writer())).unwrap_or_default()
    }

    fn write_vcd(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        writer.timescale(1, TimescaleUnit::S)?;
        let mut rows = Vec::new();
        for instance in &self.instances {
            declare(writer, instance, &mut rows)?;
        }
        writer.enddefinitions()?;
        for step in 0..self.steps {
            writer.timestamp(step as u64)?;
            for (row, id) in &rows {
                if step == 0 || row.values[step] != row.values[step - 1] {
                    change(writer, *id, row.ty, &row.values[step])?;
                }
            }
        }
        writer.timestamp(self.steps as u64)
    }
}

fn declare<'e>(
    writer: &mut Writer<Vec<u8>>,
    instance: &'e InstanceRows,
    rows: &mut Vec<(&'e Row, IdCode)>,
) -> io::Result<()> {
    if instance.streams.is_empty() {
        return Ok(());
    }
    writer.add_module(&identifier(instance.title()))?;
    for row in &instance.streams {
        let (kind, width) = match row.ty {
            RowType::Bool => (VarType::Wire, 1),
            RowType::Int => (VarType::Integer, 64),
            RowType::Real => (VarType::Real, 64),
            RowType::Enum => (VarType::String, 1),
        };
        let id = writer.add_var(kind, width, &identifier(&row.name), None)?;
        rows.push((row, id));
    }
    writer.upscope()
}

/// A name without what ends a word.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect()
}

fn change(writer: &mut Writer<Vec<u8>>, id: IdCode, ty: RowType, value: &Datum) -> io::Result<()> {
    match (ty, value) {
        (RowType::Bool, Datum::Absent) => writer.change_scalar(id, Value::X),
        (RowType::Int, Datum::Absent) => writer.change_vector(id, [Value::X]),
        (RowType::Real, Datum::Absent) => writer.change_real(id, f64::NAN),
        (RowType::Enum, Datum::Absent) => writer.change_string(id, "-"),
        (_, Datum::Bool(b)) => writer.change_scalar(id, *b),
        (_, Datum::Int(n)) => writer.change_vector(id, bits(*n)),
        (RowType::Int, Datum::Text(text)) => match text.parse() {
            Ok(n) => writer.change_vector(id, bits(n)),
            Err(_) => writer.change_vector(id, [Value::X]),
        },
        (RowType::Real, Datum::Text(text)) => {
            let nearest = decimal::parse(text).and_then(|r| r.to_f64());
            writer.change_real(id, nearest.unwrap_or(f64::NAN))
        }
        (_, Datum::Text(text)) => writer.change_string(id, &identifier(text)),
    }
}

/// In two's complement, without leading zeros.
fn bits(n: i64) -> impl Iterator<Item = Value> {
    let bits = (64 - n.leading_zeros()).max(1);
    (0..bits).rev().map(move |bit| Value::from(n >> bit & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ty: RowType, values: Vec<Datum>) -> Row {
        Row { name: name.into(), role: super::super::RowRole::Input, ty, relevant: true, values }
    }

    #[test]
    fn every_kind_of_value() {
        let streams = vec![
            row("b", RowType::Bool, vec![true.into(), true.into()]),
            row("n", RowType::Int, vec![(-2).into(), 5.into()]),
            row("big", RowType::Int, vec![i64::MAX.into(), "99999999999999999999".into()]),
            row("r", RowType::Real, vec!["-0.5".into(), "1/4".into()]),
            row("e f", RowType::Enum, vec!["red".into(), "red".into()]),
        ];
        let instance = InstanceRows { path: String::new(), node: "top".into(), streams };
        let execution =
            Execution { steps: 2, instances: vec![instance], choices: vec![], divisions: vec![] };
        let text = execution.vcd();
        let ones = "1".repeat(63);
        let expected = format!(
            "$timescale 1 s $end\n$scope module top $end\n$var wire 1 ! b $end\n\
             $var integer 64 \" n $end\n$var integer 64 # big $end\n$var real 64 $ r $end\n\
             $var string 1 % e_f $end\n$upscope $end\n$enddefinitions $end\n#0\n1!\nb{}0 \"\n\
             b{ones} #\nr-0.5 $\nsred %\n#1\nb101 \"\nbx #\nr0.25 $\n#2\n",
            "1".repeat(63)
        );
        assert_eq!(text, expected);
        let read = vcd::Parser::new(text.as_bytes()).parse_header();
        assert_eq!(read.expect("a dump has a header").items.len(), 1);
    }
}
