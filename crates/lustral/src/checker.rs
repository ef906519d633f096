//! A thread that checks what the engines find.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use lustral_certify::{Answer, Checked, ProofChecker, Rejected, check_trace};
use lustral_engines::{Finding, Found, Lens, minimise};
use lustral_smt::{Cancel, SolverOptions};

use crate::unit::Unit;

/// The result of a check.
pub struct CheckResult {
    pub property: lustral_system::PropId,
    pub engine: &'static str,
    pub answer: Result<Checked<Answer>, Rejected>,
}

/// Starts the thread. What is sent to it comes back checked through `reply`.
/// It is a thread of its own so that a check that takes long, or a solver that
/// does not stop, keeps nobody from showing the other verdicts.
pub fn start(
    unit: Arc<Unit>,
    lens: Arc<Lens>,
    options: SolverOptions,
    cancel: Cancel,
    reply: impl Fn(CheckResult) + Send + 'static,
) -> Sender<Finding> {
    let (sender, findings) = channel::<Finding>();
    let body = move || {
        // Made while the engines still work: starting a solver takes longer
        // than checking a small proof.
        let mut proofs = ProofChecker::new(&cancel);
        for finding in findings {
            let Finding { property, found, engine } = finding;
            let answer = match found {
                Found::Proof(proof) => match &mut proofs {
                    Ok(checker) => {
                        let certificate = lens.proof(proof);
                        let smaller = minimise(
                            &unit.system,
                            property,
                            certificate.clone(),
                            &options,
                            &cancel,
                        );
                        checker
                            .check(&unit.system, property, smaller)
                            .or_else(|_| checker.check(&unit.system, property, certificate))
                    }
                    Err(rejected) => Err(rejected.clone()),
                },
                Found::Execution(length, inputs) => {
                    let free = |step, var| inputs.values.get(&(step, var)).cloned();
                    let trace = lens.trace(&unit.system, length, inputs.divisions.clone(), free);
                    check_trace(unit.context(), property, trace)
                }
            };
            reply(CheckResult { property, engine, answer });
        }
    };
    lustral_smt::spawn("checker", body);
    sender
}
