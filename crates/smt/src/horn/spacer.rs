//! Spacer, in this very process: to be called in a worker.

use std::ffi::{CStr, CString};

use z3_sys::{Z3_L_FALSE, Z3_L_TRUE};
use z3_sys::{
    Z3_ast, Z3_ast_to_string, Z3_ast_vector_get, Z3_ast_vector_inc_ref, Z3_ast_vector_size,
    Z3_context, Z3_del_config, Z3_fixedpoint, Z3_fixedpoint_from_string, Z3_fixedpoint_get_answer,
    Z3_fixedpoint_get_reason_unknown, Z3_fixedpoint_inc_ref, Z3_fixedpoint_query, Z3_get_app_arg,
    Z3_get_app_num_args, Z3_get_error_code, Z3_get_error_msg, Z3_global_param_set, Z3_mk_config,
    Z3_mk_context, Z3_mk_fixedpoint, Z3_set_error_handler, Z3_string, Z3_to_app,
};

use crate::horn::protocol::{HornAnswer, HornQuery, Unsolved};
use crate::session::Fault;

/// Solves a query. The worker ends afterwards, so nothing is freed; and since
/// the options are global, nobody else may use Z3 in the same process.
#[must_use]
pub fn solve(query: &HornQuery) -> HornAnswer {
    try_solve(query).unwrap_or_else(HornAnswer::Unknown)
}

fn try_solve(query: &HornQuery) -> Result<HornAnswer, Unsolved> {
    for (name, value) in &query.options {
        let (name, value) = (c_string(name)?, c_string(value)?);
        // SAFETY: both are strings that end with NUL and live long enough.
        unsafe { Z3_global_param_set(name.as_ptr(), value.as_ptr()) };
    }
    let clauses = c_string(&query.clauses)?;
    // SAFETY: the context is made once and never deleted, everything below is
    // made in it and never freed, and errors are asked for after each call.
    unsafe {
        let config = Z3_mk_config().ok_or_else(|| broken("Z3 makes no configuration"))?;
        let context = Z3_mk_context(config).ok_or_else(|| broken("Z3 makes no context"))?;
        Z3_del_config(config);
        Z3_set_error_handler(context, None);
        let fixedpoint =
            Z3_mk_fixedpoint(context).ok_or_else(|| broken("Z3 makes no fixedpoint"))?;
        Z3_fixedpoint_inc_ref(context, fixedpoint);
        let queries = Z3_fixedpoint_from_string(context, fixedpoint, clauses.as_ptr());
        failure(context)?;
        let queries = queries.ok_or_else(|| broken("Z3 reads no clauses"))?;
        Z3_ast_vector_inc_ref(context, queries);
        if Z3_ast_vector_size(context, queries) != 1 {
            return Err(broken("there must be one query"));
        }
        let goal =
            Z3_ast_vector_get(context, queries, 0).ok_or_else(|| broken("the query is missing"))?;
        let outcome = Z3_fixedpoint_query(context, fixedpoint, goal);
        failure(context)?;
        answer(context, fixedpoint, outcome)
    }
}

/// The answer to a query that was just asked.
unsafe fn answer(
    context: Z3_context,
    fixedpoint: Z3_fixedpoint,
    outcome: z3_sys::Z3_lbool,
) -> Result<HornAnswer, Unsolved> {
    // SAFETY: by the caller, both are alive.
    unsafe {
        match outcome {
            Z3_L_FALSE => {
                let text = shown(context, Z3_fixedpoint_get_answer(context, fixedpoint))?;
                Ok(HornAnswer::Invariant(text))
            }
            Z3_L_TRUE => {
                // Without its facts, that there is a derivation is still known.
                let proof = Z3_fixedpoint_get_answer(context, fixedpoint);
                let facts = failure(context).ok().and(proof).map(|p| derived(context, p));
                Ok(HornAnswer::Derivation(facts.unwrap_or_default()))
            }
            _ => {
                let reason = text(Z3_fixedpoint_get_reason_unknown(context, fixedpoint));
                Err(Unsolved::of_reason(&reason))
            }
        }
    }
}

/// The facts of a derivation from linear clauses, a line each, from the query
/// back. The proof is `mp` of a chain of `hyper-res`; the operands of one are a
/// rule, the derivation of the fact in the rule's body, if it has one, and the
/// fact that follows.
unsafe fn derived(context: Z3_context, proof: Z3_ast) -> String {
    let mut lines = String::new();
    // SAFETY: by the caller, both are alive; operands live as long as the proof.
    unsafe {
        let operand = |ast: Z3_ast, i: u32| {
            let app = Z3_to_app(context, ast)?;
            let count = Z3_get_app_num_args(context, app);
            (i < count).then(|| Z3_get_app_arg(context, app, i)).flatten()
        };
        let count = |ast: Z3_ast| {
            Z3_to_app(context, ast).map_or(0, |app| Z3_get_app_num_args(context, app))
        };
        let mut step = operand(proof, 0);
        while let Some(proof) = step {
            let parts = count(proof);
            let Some(fact) = parts.checked_sub(1).and_then(|last| operand(proof, last)) else {
                break;
            };
            lines += &text(Z3_ast_to_string(context, fact)).replace('\n', " ");
            lines.push('\n');
            step = if parts == 3 { operand(proof, 1) } else { None };
        }
    }
    lines
}

/// That the solver or its text does not do what it must.
fn broken(what: &str) -> Unsolved {
    Unsolved::Fault(Fault::Reported(what.into()))
}

fn c_string(text: &str) -> Result<CString, Unsolved> {
    CString::new(text).map_err(|_| broken("a NUL byte"))
}

/// The error of the last call, if there was one.
unsafe fn failure(context: Z3_context) -> Result<(), Unsolved> {
    // SAFETY: by the caller, the context is alive.
    unsafe {
        let code = Z3_get_error_code(context);
        if code == z3_sys::ErrorCode::Ok {
            return Ok(());
        }
        Err(Unsolved::of_reason(&text(Z3_get_error_msg(context, code))))
    }
}

unsafe fn shown(context: Z3_context, ast: Option<Z3_ast>) -> Result<String, Unsolved> {
    // SAFETY: by the caller, both are alive.
    unsafe {
        failure(context)?;
        let ast = ast.ok_or_else(|| broken("Z3 gives no answer"))?;
        Ok(text(Z3_ast_to_string(context, ast)))
    }
}

unsafe fn text(string: Z3_string) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: Z3 keeps the string until the next call, and it is copied here.
    unsafe { CStr::from_ptr(string).to_string_lossy().into_owned() }
}
