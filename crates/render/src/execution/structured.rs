//! Records and arrays among the rows of an instance: the scalars that one flow is made of,
//! and its values as a whole.
//!
//! The rows of a structured flow stand side by side, and their names say what they are:
//! `a[0].x` is the field `x` of the first element of `a`.

use super::{Datum, Row, cell};

/// One flow: a row, or several with a value as a whole.
pub enum Flow<'a> {
    /// A scalar.
    Scalar(&'a Row),
    /// A record, a tuple or an array.
    Structured {
        /// Its name.
        name: &'a str,
        /// The scalars that it is made of, at least one.
        parts: &'a [Row],
    },
}

/// Longer texts of values are cut.
const LONGEST: usize = 60;

/// The rows by flows, in their order.
pub fn flows(rows: &[Row]) -> impl Iterator<Item = Flow<'_>> {
    // What stands before the fields of a data type says which constructor made the value.
    let belongs = |a: &Row, b: &Row| {
        is_part(b) && base(a) == base(b) && (is_part(a) || a.name == base(a) && is_field(b))
    };
    rows.chunk_by(belongs).map(|parts| match parts {
        [row] if !is_part(row) => Flow::Scalar(row),
        parts => Flow::Structured { name: base(&parts[0]), parts },
    })
}

/// The name of the flow that a row is a part of.
fn base(row: &Row) -> &str {
    row.name.split(['[', '.']).next().unwrap_or(&row.name)
}

/// Whether the row is a part of a structured flow: an element, or a field of a flow
/// that has a name. (A clause of a contract has its place for a name.)
fn is_part(row: &Row) -> bool {
    let (base, name) = (base(row), &row.name);
    !base.is_empty() && base.len() < name.len() && segments(&name[base.len()..]).is_some()
}

/// Whether a part is a field of its flow.
fn is_field(row: &Row) -> bool {
    row.name[base(row).len()..].starts_with('.')
}

/// The way to a part: `[0]`, `.x`.
fn segments(path: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let length = match rest.as_bytes()[0] {
            b'[' => rest.find(']')? + 1,
            _ => rest[1..].find(['[', '.']).map_or(rest.len(), |i| i + 1),
        };
        let (segment, after) = rest.split_at(length);
        let index = segment.strip_prefix('[').and_then(|s| s.strip_suffix(']'));
        let good = match index {
            Some(index) => !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()),
            None => segment.len() > 1,
        };
        if !good {
            return None;
        }
        found.push(segment);
        rest = after;
    }
    Some(found)
}

/// The values of a structured flow: at each step one text, `[1, 2]`, `{x: 1, y: 2}` or, of a
/// data type, `A(1, 2)`.
#[must_use]
pub fn whole(parts: &[Row]) -> Vec<Datum> {
    let paths: Vec<Vec<&str>> = parts
        .iter()
        .map(|row| segments(&row.name[base(row).len()..]).unwrap_or_default())
        .collect();
    let steps = parts.iter().map(|row| row.values.len()).min().unwrap_or(0);
    let value = |step: usize| {
        if parts.iter().all(|row| row.values[step] == Datum::Absent) {
            return Datum::Absent;
        }
        let mut text = String::new();
        let leaves: Vec<(&[&str], &Datum)> =
            paths.iter().zip(parts).map(|(path, row)| (&path[..], &row.values[step])).collect();
        write(&mut text, &leaves);
        Datum::Text(text)
    };
    (0..steps).map(value).collect()
}

/// Writes a value by its leaves, each with the way to it, until the text is long.
fn write(out: &mut String, leaves: &[(&[&str], &Datum)]) {
    let Some((first, _)) = leaves.first() else { return };
    let Some(segment) = first.first() else {
        out.push_str(&cell(leaves[0].1));
        return write_fields(out, &leaves[1..]);
    };
    let is_record = segment.starts_with('.');
    out.push(if is_record { '{' } else { '[' });
    for (i, part) in leaves.chunk_by(|a, b| a.0.first() == b.0.first()).enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        if out.chars().count() > LONGEST {
            out.push('…');
            break;
        }
        if let (true, Some(name)) = (is_record, part[0].0.first()) {
            out.push_str(&name[1..]);
            out.push_str(": ");
        }
        let inner: Vec<(&[&str], &Datum)> =
            part.iter().map(|(path, datum)| (path.get(1..).unwrap_or_default(), *datum)).collect();
        write(out, &inner);
    }
    out.push(if is_record { '}' } else { ']' });
}

/// Writes the fields that a value of a data type has, behind its constructor.
fn write_fields(out: &mut String, leaves: &[(&[&str], &Datum)]) {
    let mut fields = leaves
        .chunk_by(|a, b| a.0.first() == b.0.first())
        .filter(|field| field.iter().any(|(_, value)| **value != Datum::Absent))
        .peekable();
    if fields.peek().is_none() {
        return;
    }
    let mut separator = "(";
    for field in fields {
        out.push_str(separator);
        separator = ", ";
        if out.chars().count() > LONGEST {
            out.push('…');
            break;
        }
        let inner: Vec<(&[&str], &Datum)> =
            field.iter().map(|(path, datum)| (path.get(1..).unwrap_or_default(), *datum)).collect();
        write(out, &inner);
    }
    out.push(')');
}

#[cfg(test)]
mod tests {
    use super::super::{RowRole, RowType};
    use super::*;

    fn row(name: &str, values: &[i64]) -> Row {
        Row {
            name: name.into(),
            role: RowRole::Local,
            ty: RowType::Int,
            relevant: true,
            values: values.iter().map(|n| Datum::from(*n)).collect(),
        }
    }

    fn shown(rows: &[Row]) -> Vec<String> {
        let text = |flow: Flow<'_>| match flow {
            Flow::Scalar(row) => row.name.clone(),
            Flow::Structured { name, parts } => {
                let values: Vec<String> = whole(parts).iter().map(cell).collect();
                format!("{name} = {}", values.join(" "))
            }
        };
        flows(rows).map(text).collect()
    }

    #[test]
    fn records_arrays_and_what_is_in_them() {
        let rows = [
            row("n", &[1]),
            row("a[0]", &[1, 4]),
            row("a[1]", &[2, 5]),
            row("r.x", &[7, 8]),
            row("r.y[0]", &[1, 2]),
            row("r.y[1]", &[3, 4]),
            row("t[0].x", &[1]),
            row("m", &[1]),
        ];
        assert_eq!(
            shown(&rows),
            [
                "n",
                "a = [1, 2] [4, 5]",
                "r = {x: 7, y: [1, 3]} {x: 8, y: [2, 4]}",
                "t = [{x: 1}]",
                "m"
            ]
        );
    }

    #[test]
    fn values_of_data_types() {
        let named = |name: &str, values: &[&str]| Row {
            values: values.iter().map(|text| Datum::Text((*text).into())).collect(),
            ..row(name, &[])
        };
        let mut rows = [
            named("s", &["Box", "Point"]),
            row("s.at.x", &[1, 0]),
            named("s.in", &["Some", "None"]),
            row("s.in.value", &[2, 0]),
            row("n", &[3, 4]),
        ];
        rows[1].values[1] = Datum::Absent;
        rows[2].values[1] = Datum::Absent;
        rows[3].values[1] = Datum::Absent;
        assert_eq!(shown(&rows), ["s = Box({x: 1}, Some(2)) Point", "n"]);
    }

    #[test]
    fn names_that_only_look_like_parts() {
        let rows = [
            row("a[i]", &[1]),
            row("a[", &[1]),
            row(".x", &[1]),
            row("b.", &[1]),
            row("c[]", &[1]),
        ];
        assert_eq!(shown(&rows), ["a[i]", "a[", ".x", "b.", "c[]"]);
    }

    #[test]
    fn no_value_and_much_of_it() {
        let mut parts: Vec<Row> = (0..2).map(|i| row(&format!("a[{i}]"), &[0])).collect();
        parts.iter_mut().for_each(|row| row.values = vec![Datum::Absent]);
        assert_eq!(whole(&parts), [Datum::Absent]);
        let many: Vec<Row> = (0..10_000).map(|i| row(&format!("a[{i}]"), &[i])).collect();
        let text = cell(&whole(&many)[0]);
        assert!(text.starts_with("[0, 1, 2, ") && text.ends_with(", …]"), "{text}");
        assert!(text.chars().count() < 100);
    }
}
