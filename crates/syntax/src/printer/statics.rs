//! What stands between the name of what is called, or declared, and its arguments.

use super::{
    print_expr, print_header, print_parameters, print_type, print_type_arguments, print_variable,
};
use crate::ast::{
    ExprId, ExprKind, Exprs, NodeDeclaration, Operator, StaticArgument, StaticParameter,
};

/// The types and the static arguments of a call.
pub(super) fn given(exprs: &Exprs, call: ExprId) -> String {
    let types = print_type_arguments(exprs, exprs.type_arguments(call));
    types + &arguments(exprs, exprs.static_arguments(call))
}

/// `<<3, type t, +>>`, or nothing
fn arguments(exprs: &Exprs, list: &[StaticArgument]) -> String {
    let list: Vec<String> = list.iter().map(|argument| print_argument(exprs, argument)).collect();
    if list.is_empty() {
        return String::new();
    }
    let list = list.join(", ");
    // With what follows these would be another operator.
    let space = if list.ends_with(['<', '=', '-']) { " " } else { "" };
    format!("<<{list}{space}>>")
}

fn print_argument(exprs: &Exprs, argument: &StaticArgument) -> String {
    match argument {
        StaticArgument::Name(name, _) => name.name.to_string(),
        StaticArgument::Const(expr) => match &exprs[*expr].kind {
            ExprKind::Int(text) => text.to_string(),
            // A name by itself may be something else than a constant.
            ExprKind::Name(name) => format!("const {name}"),
            _ => format!("({})", print_expr(exprs, *expr)),
        },
        StaticArgument::Type(ty) => format!("type {}", print_type(exprs, ty)),
        StaticArgument::Operator(operator) => print_operator(exprs, operator),
    }
}

/// `f`, `f<<3>>`, `+`
pub(super) fn print_operator(exprs: &Exprs, operator: &Operator) -> String {
    let name = &operator.name.name;
    let word = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    // A word by itself may be a constant or a type too.
    let node = word && operator.arguments.is_empty() && !name.starts_with("Lustre::");
    let node = if node { "node " } else { "" };
    format!("{node}{name}{}", arguments(exprs, &operator.arguments))
}

/// `<t; u>` or `<<const n: int; type t>>` of a node, or nothing
pub(super) fn parameters(exprs: &Exprs, node: &NodeDeclaration) -> String {
    let one = |parameter: &StaticParameter| match parameter {
        StaticParameter::Const(variable) => print_variable(exprs, variable),
        StaticParameter::Type(name) => format!("type {}", name.name),
        StaticParameter::Node(node) => {
            let word = if node.is_function { "function" } else { "node" };
            let header = print_header(exprs, &node.inputs, &node.outputs);
            format!("{word} {}{header}", node.name.name)
        }
    };
    // Those among the static parameters come last.
    let named = node.statics.iter().filter(|parameter| parameter.is_type()).count();
    let of_types = &node.type_parameters[..node.type_parameters.len() - named];
    let statics: Vec<String> = node.statics.iter().map(one).collect();
    let mut text = print_parameters(of_types);
    if !statics.is_empty() {
        text += &format!("<<{}>>", statics.join("; "));
    }
    text
}
