//! Clocks as text.

use super::{TIGHT, Work, comma_separated};
use crate::ast::{Activation, Case, ExprId, ExprKind, Exprs, Ident, Sampling};

/// `c`, `not c` or `C(c)`
pub(super) fn print_sampling(sampling: &Sampling) -> String {
    let flow = &sampling.flow.name;
    match &sampling.case {
        Case::True => flow.to_string(),
        Case::False => format!("not {flow}"),
        Case::Value(value) => format!("{}({flow})", value.name),
    }
}

/// ` when c`, and where the clock of c is written as well ` :: . on b on c`
pub(super) fn declared(sampling: &Sampling) -> String {
    if sampling.on.is_empty() {
        return format!(" when {}", print_sampling(sampling));
    }
    let all: Vec<String> = sampling.on.iter().chain([sampling]).map(print_sampling).collect();
    format!(" :: . on {}", all.join(" on "))
}

/// `e when c`; the operand in parentheses, so that it is read alike in all dialects.
pub(super) fn when(sampled: ExprId, sampling: &Sampling) -> Vec<Work<'_>> {
    let clock = format!(" when {}", print_sampling(sampling));
    vec![Work::Expr(sampled, TIGHT), Work::Owned(clock)]
}

/// `fby(e, n, i)`: with commas, so that no `;` stands in a condition
pub(super) fn delayed<'a>([e, steps, initial]: [ExprId; 3]) -> Vec<Work<'a>> {
    let between = || Work::Text(", ");
    let (e, steps, initial) = (Work::Expr(e, 0), Work::Expr(steps, 0), Work::Expr(initial, 0));
    vec![Work::Text("fby("), e, between(), steps, between(), initial, Work::Text(")")]
}

/// `merge c (true -> a) (false -> b)`
pub(super) fn merge<'a>(flow: &'a Ident, branches: &'a [(Case, ExprId)]) -> Vec<Work<'a>> {
    let mut parts = vec![Work::Text("merge "), Work::Text(&flow.name)];
    for (case, value) in branches {
        let case = match case {
            Case::True => "true",
            Case::False => "false",
            Case::Value(value) => &value.name,
        };
        parts.extend([Work::Text(" ("), Work::Text(case), Work::Text(" -> ")]);
        parts.extend([Work::Expr(*value, 0), Work::Text(")")]);
    }
    parts
}

/// A call that runs only at times.
pub(super) fn activated<'a>(exprs: &'a Exprs, activation: &'a Activation) -> Vec<Work<'a>> {
    let Activation { call, clock, defaults, initial, reset } = activation;
    // The arena is in the order of the text, and only `condact` has its defaults behind the
    // call: what was written one way is printed that way, so that it is numbered alike.
    let behind = |defaults: &[ExprId]| defaults.first().is_none_or(|first| first > call);
    if let (Some(clock), Some(defaults), None) = (clock, defaults, reset)
        && behind(defaults)
        && *initial
    {
        let list: Vec<ExprId> = [*clock, *call].into_iter().chain(defaults.clone()).collect();
        return comma_separated(["condact(", ")"], &list);
    }
    let ExprKind::Call(name, args) = &exprs[*call].kind else { return vec![Work::Text("?")] };
    // As lustrec writes it, `every` stands behind the call.
    if let (None, Some(reset)) = (clock, reset)
        && reset > call
    {
        let (call, reset) = (Work::Expr(*call, 0), Work::Expr(*reset, 0));
        return vec![Work::Text("("), call, Work::Text(" every "), reset, Work::Text(")")];
    }
    // Likewise a restart inside of the activation stands before the clock.
    let inner = (*reset).filter(|reset| clock.is_some_and(|clock| *reset < clock));
    let word = match (clock, inner) {
        (Some(_), Some(_)) => "(activate (restart ",
        (Some(_), None) => "(activate ",
        (None, _) => "(restart ",
    };
    let given = super::statics::given(exprs, *call);
    let mut parts = vec![Work::Text(word), Work::Text(&name.name), Work::Owned(given)];
    if let Some(reset) = inner {
        parts.extend([Work::Text(" every "), Work::Expr(reset, 0), Work::Text(")")]);
    }
    if let Some(clock) = clock {
        parts.extend([Work::Text(" every "), Work::Expr(*clock, 0)]);
    }
    if let Some(defaults) = defaults {
        let word = if *initial { " initial default " } else { " default " };
        parts.extend(comma_separated([word, ""], defaults));
    }
    if let (Some(reset), None) = (reset, inner) {
        let word = if clock.is_some() { " restart every " } else { " every " };
        parts.extend([Work::Text(word), Work::Expr(*reset, 0)]);
    }
    parts.push(Work::Text(")"));
    parts.extend(comma_separated(["(", ")"], args));
    parts
}
