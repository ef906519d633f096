//! Theorems, which hold of all states of the axioms, and traces, which are possible or not.
//!
//! Each is a protocol of its own (`lustral_protocol`, `claims.rs`), so that what refutes a theorem, or shows
//! that a trace is possible, is an execution that the evaluator replays, and what proves a theorem is shown as
//! safety properties are. That a trace is impossible is shown of all of its states at once.

use std::collections::BTreeSet;
use std::time::Duration;

use lustral_base::Cancel;
use lustral_coordinator::within;
use lustral_orbits::{Found, PATIENCE, Question, search};
use lustral_protocol::{Protocol, Replayed, replay};
use lustral_quantified::{Invariant, Limits, Proved, Prover};
use lustral_report::{About, ProtocolHints, ProtocolSubject, ProtocolVerdict};
use lustral_syntax::Span;

use super::stated::few_elements;
use super::{CheckProtocol, Looking, Stage, inconclusive};
use crate::event::Event;

/// A question takes no longer.
const QUERY: Duration = Duration::from_secs(5);

/// No more sizes are searched.
const MOST_SIZES: usize = 40;

/// Something that is claimed of a protocol.
struct Claim {
    about: About,
    /// Whether it claims that its execution is possible, not that it is not.
    possible: bool,
    span: Span,
    /// The protocol whose executions refute it, or show that it is possible.
    through: Protocol,
    /// The one whose safety property is to be proved.
    once: Protocol,
}

/// What was found of a claim.
enum Settled {
    Proved(Box<Proved>),
    Found(Box<Replayed>),
    Open,
}

impl CheckProtocol {
    /// Looks at theorems and traces, for a part of the time if there are properties as well.
    pub(super) fn claims(&mut self, looking: Box<Looking>) -> Option<Stage> {
        let protocol = &looking.protocol;
        let theorems = (0..protocol.theorems.len()).map(|number| {
            let through = protocol.theorem(number);
            let (about, span) = (About::Theorem, protocol.theorems[number].1.span);
            Claim { about, possible: false, span, once: through.clone(), through }
        });
        let traces = protocol.traces.iter().enumerate().map(|(number, trace)| Claim {
            about: About::Trace,
            possible: trace.possible,
            span: trace.span,
            through: protocol.trace(number),
            once: protocol.trace_at_once(number),
        });
        let claims: Vec<Claim> = theorems.chain(traces).collect();
        let divisor = if looking.open.is_empty() { 1 } else { 5 };
        let end = self.part_of_time(divisor, None);
        let number = claims.len() as u32;
        for (i, claim) in claims.into_iter().enumerate() {
            // Each gets its part of what the others left over.
            let each = end.map(|end| {
                let now = std::time::Instant::now();
                now + end.saturating_duration_since(now) / (number - i as u32)
            });
            let part = self.work.cancel.child_until(each);
            let prover = Prover::new(&self.solvers());
            let (through, once, inner) = (claim.through.clone(), claim.once.clone(), part.clone());
            let possible = claim.possible;
            let work = move || settle(&through, &once, possible, prover, &inner);
            let settled = within(&part, work).unwrap_or(Settled::Open);
            self.settled(&looking, &claim, &settled);
        }
        if looking.open.is_empty() { None } else { Some(Stage::First(looking)) }
    }

    fn settled(&mut self, looking: &Looking, claim: &Claim, settled: &Settled) {
        let (run, place) = (self.run_info(), looking.sources.line_column(claim.span));
        let subject = ProtocolSubject {
            file: &looking.sources.file(claim.span.file).name,
            protocol: &claim.through,
            property: 0,
            about: claim.about,
            line: place.line,
            column: place.column,
        };
        let verdict = match settled {
            Settled::Proved(proved) if claim.possible => {
                ProtocolVerdict::impossible(subject, proved, &run)
            }
            Settled::Proved(proved) => ProtocolVerdict::valid(subject, proved, &run),
            Settled::Found(replayed) if claim.possible => {
                ProtocolVerdict::possible(subject, replayed, &run)
            }
            Settled::Found(replayed) => ProtocolVerdict::falsifiable(subject, replayed, &run),
            Settled::Open => {
                let text = match claim.about {
                    About::Trace => {
                        "no such execution was found with few elements, and no proof that \
                                     there is none"
                    }
                    About::Theorem | About::Property => {
                        "no proof was found, and no counterexample with few elements"
                    }
                };
                let reason = inconclusive("undecided", text.to_string());
                ProtocolVerdict::unknown(subject, &reason, &ProtocolHints::default(), &run)
            }
        };
        self.work.log.waiting.push_back(Event::Protocol(Box::new(verdict)));
    }
}

/// Looks for a proof and for an execution: what is expected comes first.
fn settle(
    through: &Protocol,
    once: &Protocol,
    possible: bool,
    mut prover: Prover,
    cancel: &Cancel,
) -> Settled {
    let mut proof = || {
        let limits = Limits { query: QUERY, cancel: cancel.clone() };
        // The only fact that is needed: of a theorem about two states, that no step was taken.
        let facts = if once.transitions.is_empty() {
            Vec::new()
        } else {
            vec![once.safety[0].formula.clone()]
        };
        let proved = prover.prove(once, 0, &Invariant::new(facts), &limits).ok()?;
        Some(Settled::Proved(Box::new(proved)))
    };
    if possible {
        execution(through, cancel).or_else(proof)
    } else {
        proof().or_else(|| execution(through, cancel))
    }
    .unwrap_or(Settled::Open)
}

/// An execution at the end of which the property fails, with few elements.
fn execution(through: &Protocol, cancel: &Cancel) -> Option<Settled> {
    for universe in few_elements(through).take(MOST_SIZES) {
        let question = Question {
            universe,
            open: BTreeSet::from([0]),
            known: BTreeSet::new(),
            patience: PATIENCE,
        };
        if let Found::Fails(execution) = search(through, &question, &[], cancel)
            && let Ok(replayed) = replay(through, &execution, 0)
        {
            return Some(Settled::Found(Box::new(replayed)));
        }
    }
    None
}
