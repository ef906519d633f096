//! Contracts as text, in the form `con … noc`.

use std::fmt::Write;

use super::{print_expr, print_parameters, print_type, print_type_arguments, print_variables};
use crate::ast::{Claim, ContractDeclaration, ContractItem, ExprId, Exprs, Ghost, Ident};

/// The items of a contract, one a line.
pub(super) fn print_items(exprs: &Exprs, items: &[ContractItem], out: &mut String) {
    for item in items {
        let _ = match item {
            ContractItem::Ghost(ghost) => print_ghost(exprs, ghost, out),
            ContractItem::Assume(claim) => writeln!(out, "  {}", said(exprs, "assume", claim)),
            ContractItem::Guarantee(claim) => {
                writeln!(out, "  {}", said(exprs, "guarantee", claim))
            }
            ContractItem::Mode(mode) => {
                let requires = mode.requires.iter().map(|claim| said(exprs, "require", claim));
                let ensures = mode.ensures.iter().map(|claim| said(exprs, "ensure", claim));
                let parts: Vec<String> = requires.chain(ensures).collect();
                writeln!(out, "  mode {} ({});", mode.name.name, parts.join(" "))
            }
            ContractItem::Import(import) => {
                let list = |ids: &[ExprId]| {
                    ids.iter().map(|id| print_expr(exprs, *id)).collect::<Vec<_>>().join(", ")
                };
                let (inputs, outputs) = (list(&import.inputs), list(&import.outputs));
                let (name, types) =
                    (&import.contract.name, print_type_arguments(exprs, &import.types));
                writeln!(out, "  import {name}{types}({inputs}) returns ({outputs});")
            }
        };
    }
}

/// A contract node.
pub(super) fn print_contract_node(
    exprs: &Exprs,
    declaration: &ContractDeclaration,
    out: &mut String,
) {
    let (name, inputs) = (&declaration.name.name, print_variables(exprs, &declaration.inputs));
    let outputs = print_variables(exprs, &declaration.outputs);
    let types = print_parameters(&declaration.type_parameters);
    let _ = writeln!(out, "contract {name}{types}({inputs}) returns ({outputs});");
    out.push_str("let\n");
    print_items(exprs, &declaration.contract.items, out);
    out.push_str("tel\n");
}

fn said(exprs: &Exprs, word: &str, claim: &Claim) -> String {
    let weakly = if claim.weak { "weakly " } else { "" };
    let name = claim.name.as_ref().map(|name: &Ident| format!("\"{}\" ", name.name));
    format!("{weakly}{word} {}{};", name.unwrap_or_default(), print_expr(exprs, claim.expr))
}

fn print_ghost(exprs: &Exprs, ghost: &Ghost, out: &mut String) -> std::fmt::Result {
    let word = if ghost.constant { "const" } else { "var" };
    let typed = ghost.names.iter().enumerate().map(|(i, name)| match ghost.types.get(i) {
        Some(ty) => format!("{}: {}", name.name, print_type(exprs, ty)),
        None => name.name.to_string(),
    });
    let names = typed.collect::<Vec<_>>().join(", ");
    writeln!(out, "  {word} {names} = {};", print_expr(exprs, ghost.value))
}
