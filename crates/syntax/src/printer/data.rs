//! Algebraic data types as text.

use super::{TIGHT, Work, print_parameters, print_type};
use crate::ast::{Arms, Constructor, ExprId, Exprs, Ident, Pattern, TypeDeclaration};

/// The declaration of a data type.
pub(super) fn declaration(
    exprs: &Exprs,
    declared: &TypeDeclaration,
    constructors: &[Constructor],
) -> String {
    let parameters = print_parameters(&declared.parameters);
    let constructors: Vec<String> = constructors.iter().map(|c| constructor(exprs, c)).collect();
    format!("datatype {}{parameters} = {};\n", declared.name.name, constructors.join(" | "))
}

fn constructor(exprs: &Exprs, constructor: &Constructor) -> String {
    let field = |f: &crate::ast::Variable| format!("{}: {}", f.name.name, print_type(exprs, &f.ty));
    let fields: Vec<String> = constructor.fields.iter().map(field).collect();
    let name = &constructor.name.name;
    if fields.is_empty() { name.to_string() } else { format!("{name} ({})", fields.join(", ")) }
}

/// `match e with | A : a | B(x) : b end`, `case e of (A => a) (_ => b)`
pub(super) fn matching(
    steps: Arms,
    value: ExprId,
    arms: &[(Pattern, ExprId)],
) -> Vec<Work<'static>> {
    if steps == Arms::All {
        let mut parts = vec![Work::Text("case "), Work::Expr(value, TIGHT), Work::Text(" of")];
        for (at, value) in arms {
            parts.push(Work::Owned(format!(" ({} => ", pattern(at))));
            parts.push(Work::Expr(*value, 0));
            parts.push(Work::Text(")"));
        }
        return parts;
    }
    let mut parts = vec![Work::Text("match "), Work::Expr(value, TIGHT), Work::Text(" with")];
    for (at, value) in arms {
        parts.push(Work::Owned(format!(" | {} : ", pattern(at))));
        // A `|` outside of brackets would begin the next arm.
        parts.push(Work::Expr(*value, TIGHT));
    }
    parts.push(Work::Text(" end"));
    parts
}

/// `C?(e)`
pub(super) fn tester(name: &Ident, operand: ExprId) -> Vec<Work<'_>> {
    vec![Work::Text(&name.name), Work::Text("?("), Work::Expr(operand, 0), Work::Text(")")]
}

fn pattern(of: &Pattern) -> String {
    match of {
        Pattern::Any(_) => "_".into(),
        Pattern::Name(name) => name.name.to_string(),
        Pattern::Fields(name, fields) if fields.is_empty() => name.name.to_string(),
        Pattern::Fields(name, fields) => {
            let fields: Vec<String> = fields.iter().map(pattern).collect();
            format!("{}({})", name.name, fields.join(", "))
        }
    }
}
