//! Inputs from CSV and JSON.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use lustral_base::decimal;
use lustral_sema::program::Node;
use lustral_sema::{Program, Type, Value};
use num_bigint::BigInt;
use serde_json::value::RawValue;

/// The values of all inputs, step by step.
pub fn read(path: &Path, program: &Program, node: &Node) -> Result<Vec<Vec<Value>>, String> {
    let name = path.display().to_string();
    let mut text = String::new();
    let outcome = if name == "-" {
        std::io::stdin().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(path).map(|t| text = t)
    };
    outcome.map_err(|e| format!("cannot read {name}: {e}"))?;
    let json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let steps = if json { from_json(&text, program, node) } else { from_csv(&text, program, node) };
    steps.map_err(|message| format!("{name}: {message}"))
}

fn from_csv(text: &str, program: &Program, node: &Node) -> Result<Vec<Vec<Value>>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let column = |name: &str| {
        header.iter().position(|h| h == name).ok_or(format!("there is no column `{name}`"))
    };
    if let Some(twice) =
        header.iter().enumerate().find(|(i, h)| header.iter().take(*i).any(|g| g == *h))
    {
        return Err(format!("there are two columns `{}`", twice.1));
    }
    let leaves = leaves(node);
    let columns: Vec<usize> =
        leaves.iter().map(|(name, _)| column(name)).collect::<Result<_, _>>()?;
    let mut steps = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|e| e.to_string())?;
        let one = |((name, ty), column): (&(String, Type), &usize)| {
            let cell = record.get(*column).unwrap_or("");
            parse(program, ty, cell).map_err(|m| format!("step {number}, input `{name}`: {m}"))
        };
        steps.push(leaves.iter().zip(&columns).map(one).collect::<Result<_, _>>()?);
    }
    Ok(steps)
}

/// The names and types of the scalars that the inputs are made of.
fn leaves(node: &Node) -> Vec<(String, Type)> {
    let inputs = node.input_ids().map(|input| node.stream(input));
    inputs.flat_map(|stream| stream.ty.leaves_of(&stream.name)).collect()
}

/// The members of a JSON object, numbers as they are written: a detour over
/// floating point would round them.
type Object = BTreeMap<String, Box<RawValue>>;

/// An array of objects, one a step; or an object of arrays, one an input.
fn from_json(text: &str, program: &Program, node: &Node) -> Result<Vec<Vec<Value>>, String> {
    let wrong = "expected an array of objects or an object of arrays";
    let steps: Vec<Object> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|e| format!("{wrong}: {e}"))?
    } else {
        let columns: BTreeMap<String, Vec<Box<RawValue>>> =
            serde_json::from_str(text).map_err(|e| format!("{wrong}: {e}"))?;
        if let (true, Some(first)) = (columns.is_empty(), node.input_ids().next()) {
            return Err(format!("there is no input `{}`", node.stream(first).name));
        }
        transpose(columns)?
    };
    let mut values = Vec::with_capacity(steps.len());
    let leaves = leaves(node);
    for (number, step) in steps.iter().enumerate() {
        let one = |(name, ty): &(String, Type)| {
            let missing = || format!("step {number}: there is no input `{name}`");
            let raw = step.get(name).ok_or_else(missing)?.get();
            let text = serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_string());
            parse(program, ty, &text).map_err(|m| format!("step {number}, input `{name}`: {m}"))
        };
        values.push(leaves.iter().map(one).collect::<Result<_, _>>()?);
    }
    Ok(values)
}

/// Columns as rows; they must have the same length.
fn transpose(columns: BTreeMap<String, Vec<Box<RawValue>>>) -> Result<Vec<Object>, String> {
    let length = columns.values().map(Vec::len).max().unwrap_or(0);
    let mut steps: Vec<Object> = (0..length).map(|_| Object::new()).collect();
    for (name, column) in columns {
        if column.len() != length {
            let found = column.len();
            return Err(format!("the input `{name}` has {found} values, others have {length}"));
        }
        for (step, value) in steps.iter_mut().zip(column) {
            step.insert(name.clone(), value);
        }
    }
    Ok(steps)
}

/// A value of a type from its text.
fn parse(program: &Program, ty: &Type, text: &str) -> Result<Value, String> {
    let wrong = || format!("`{text}` is not of type {}", program.show_type(ty));
    match ty {
        Type::Bool => match text {
            "true" | "1" => Ok(Value::Bool(true)),
            "false" | "0" => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        Type::Int | Type::Abstract(_) => text.parse().map(Value::Int).map_err(|_| wrong()),
        Type::Subrange(bounds) => match text.parse::<BigInt>() {
            Ok(n) if bounds.contains(&n) => Ok(Value::Int(n)),
            _ => Err(wrong()),
        },
        Type::Machine(shape) => {
            let [low, high] = shape.range();
            let number = text.parse().ok().filter(|n| low <= *n && *n <= high);
            number.map(|n| Value::Machine(*shape, n)).ok_or_else(wrong)
        }
        Type::Real => decimal::parse(text).map(Value::Real).ok_or_else(wrong),
        Type::Enum(id) => {
            let values = &program.enums[id.0 as usize].values;
            let found = values.iter().position(|v| &**v == text);
            found.map(|i| Value::Enum(i as u32)).ok_or_else(wrong)
        }
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) => unreachable!("a leaf is a scalar"),
    }
}
