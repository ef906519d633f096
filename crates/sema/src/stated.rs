//! Candidates as properties, for who wants to know whether they are true at all: a candidate
//! that is false has an execution, like every property.

use lustral_base::ids::ExprId;
use lustral_syntax::Span;

use crate::program::{Program, Property, PropertyKind};

/// What the property of a candidate is called: by its number among those of its node.
#[must_use]
pub fn candidate_name(number: usize) -> String {
    format!("candidate {number}")
}

/// Makes the candidates at these places properties of their nodes, besides what these state at
/// these places and instead of the rest. What is assumed stays what it is. The program has no errors.
pub fn state_candidates(program: &mut Program, places: &[Span]) {
    for node in program.nodes.iter_mut().filter(|node| !node.template && !node.imported) {
        let before = node.exprs.len() as u32;
        for (_, expr) in node.candidates.exprs.iter() {
            let kind = expr.kind.with_operands(|ExprId(id)| ExprId(before + id));
            let (ty, scope) = (expr.ty.clone(), expr.scope);
            let id = node.exprs.push(kind, ty, expr.span);
            node.exprs.set_scope(id, scope);
        }
        let list = node.candidates.list.iter().enumerate();
        let asked = list.filter(|(_, candidate)| places.contains(&candidate.span));
        node.properties.retain(|property| places.contains(&property.span));
        node.properties.extend(asked.map(|(number, candidate)| Property {
            name: candidate_name(number).into(),
            kind: PropertyKind::Always,
            expr: ExprId(before + candidate.expr.0),
            span: candidate.span,
        }));
        node.candidates = crate::program::Candidates::default();
    }
}
