//! Between what bounds the outputs of a node lie, where no bound is a constant of the program.
//!
//! Bounds that counterexamples move go from constant to constant, and that an output which is a sum stays
//! below the sum of two bounds is lost on the way. So the tightest bounds that follow from all that is
//! inductive are looked for afterwards, by halving.

use lustral_system::{Role, StreamRole};
use lustral_term::{Sort, TermId, Value};

use super::consecution::{Case, Consecution, Step};
use super::learner::Learner;
use crate::failure::Failure;

/// So far bounds are looked for.
const FARTHEST: i64 = 1 << 20;
/// The most outputs that are looked at.
const MOST_OUTPUTS: usize = 16;

/// The bounds of the integer outputs that follow from facts which are inductive together.
pub(super) fn of_outputs(
    learner: &mut Learner<'_>,
    facts: &[TermId],
) -> Result<Vec<TermId>, Failure> {
    let system = &learner.task.system;
    let Some(root) = system.instances.first() else { return Ok(Vec::new()) };
    let outputs = root.streams.iter().filter(|s| s.role == StreamRole::Output).map(|s| s.var);
    let outputs = outputs.filter(|var| system.variable(*var).sort == Sort::Int);
    // One that is another name of something else has the bounds of that.
    let is_made = |var: &lustral_term::VarId| match system.variable(*var).role {
        Role::Defined(term) => {
            system.terms.var(term).is_none() && system.terms.value(term).is_none()
        }
        _ => true,
    };
    let outputs: Vec<_> = outputs.filter(is_made).take(MOST_OUTPUTS).collect();
    if outputs.is_empty() {
        return Ok(Vec::new());
    }
    let mut session = Consecution::new(learner.task, Case::Consequence)?;
    let mut found = Vec::new();
    for var in outputs {
        for upper in [false, true] {
            let mut holds = |learner: &mut Learner<'_>, bound: i64| {
                let fact = learner.later(|terms| {
                    let (term, bound) = (terms.variable(var, Sort::Int), terms.int(bound));
                    if upper { terms.le(term, bound) } else { terms.le(bound, term) }
                });
                let Some(fact) = fact else { return Ok((None, 0)) };
                Ok::<_, Failure>(match session.ask(learner.terms(), facts, &[fact])? {
                    Step::Holds(_) => (Some(fact), bound),
                    Step::Fails(counterexample) => {
                        let value = learner.value(&counterexample, 1, var);
                        (None, small(&value).unwrap_or(bound))
                    }
                })
            };
            found.extend(tightest(|bound| holds(learner, bound), upper)?);
        }
    }
    Ok(found)
}

/// The fact with the tightest bound that holds. Of a bound that does not hold it is known which value is beyond
/// it.
fn tightest(
    mut holds: impl FnMut(i64) -> Result<(Option<TermId>, i64), Failure>,
    upper: bool,
) -> Result<Option<TermId>, Failure> {
    let signed = |bound: i64| if upper { bound } else { -bound };
    let (Some(mut fact), _) = holds(signed(FARTHEST))? else { return Ok(None) };
    // What does not hold, and what does; steps grow until the first bound that holds.
    let (mut below, mut above, mut step) = (-FARTHEST - 1, FARTHEST, 1);
    while above - below > 1 {
        let middle = match step {
            _ if below < -FARTHEST => -FARTHEST,
            0 => below + (above - below) / 2,
            step => (below + step).min(above - 1),
        };
        match holds(signed(middle))? {
            (Some(tighter), _) => (fact, above, step) = (tighter, middle, 0),
            // A bound below a value that there is does not hold.
            (None, value) => {
                (below, step) = (middle.max(signed(value) - 1).min(above - 1), step * 2);
            }
        }
    }
    Ok(Some(fact))
}

fn small(value: &Value) -> Option<i64> {
    match value {
        Value::Int(n) => i64::try_from(n).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_bound_is_found() {
        for (least, upper) in [(30, true), (0, true), (-7, true), (30, false), (-7, false)] {
            let mut asked = 0;
            let mut last = None;
            let found = tightest(
                |bound| {
                    asked += 1;
                    let holds = if upper { bound >= least } else { bound <= least };
                    if holds {
                        last = Some(bound);
                    }
                    Ok((holds.then_some(TermId(0)), least))
                },
                upper,
            );
            assert!(found.unwrap().is_some());
            assert_eq!(last, Some(least));
            assert!(asked < 30, "{asked}");
        }
    }
}
